// Loops over ranges that are smaller where they stand than as functions of their own.
//
// The single file takes these names in place of the standard library's (tools/amalgam_text.py), which unrolls a
// search four times and makes a function, with its unwind tables, of every kind of fill.
#pragma once

namespace mixgrad::slim {

template <typename I, typename F>
[[gnu::always_inline]] inline I find_if(I first, I last, F is) {
  while (first != last && !is(*first)) ++first;
  return first;
}
template <typename I, typename T>
[[gnu::always_inline]] inline I find(I first, I last, const T& value) {
  while (first != last && !(*first == value)) ++first;
  return first;
}
template <typename I, typename F>
[[gnu::always_inline]] inline bool any_of(I first, I last, F is) {
  return slim::find_if(first, last, is) != last;
}
template <typename I, typename F>
[[gnu::always_inline]] inline bool none_of(I first, I last, F is) {
  return slim::find_if(first, last, is) == last;
}
template <typename I, typename T>
[[gnu::always_inline]] inline void fill(I first, I last, const T& value) {
  const T with = value;  // may lie in the range
  for (; first != last; ++first) *first = with;
}
template <typename I, typename N, typename T>
[[gnu::always_inline]] inline I fill_n(I first, N count, const T& value) {
  const T with = value;
  for (; count > 0; --count) *first++ = with;
  return first;
}

}  // namespace mixgrad::slim
