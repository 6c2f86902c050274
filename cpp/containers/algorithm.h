// Loops over ranges that are smaller where they stand than as functions of their own.
//
// The single file takes these names in place of the standard library's (containers/std.h), which unrolls a
// search four times and makes a function, with its unwind tables, of every kind of fill.
#pragma once

#include <initializer_list>

namespace mixgrad::containers {

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
  return containers::find_if(first, last, is) != last;
}
template <typename I, typename F>
[[gnu::always_inline]] inline bool none_of(I first, I last, F is) {
  return containers::find_if(first, last, is) == last;
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
template <typename T>
[[gnu::always_inline]] constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <typename T>
[[gnu::always_inline]] constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <typename T>
[[gnu::always_inline]] constexpr T min(std::initializer_list<T> values) {
  T least = *values.begin();
  for (const T& value : values) least = containers::min(least, value);
  return least;
}
template <typename T>
[[gnu::always_inline]] constexpr T max(std::initializer_list<T> values) {
  T most = *values.begin();
  for (const T& value : values) most = containers::max(most, value);
  return most;
}
template <typename T>
[[gnu::always_inline]] constexpr const T& clamp(const T& value, const T& low, const T& high) {
  return value < low ? low : high < value ? high : value;
}

}  // namespace mixgrad::containers
