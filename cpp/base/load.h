// The time in which the library is loaded: static objects are made then, and nobody catches what they throw.
#pragma once

#include <new>
#include <type_traits>

namespace mixgrad {

// Until the first look for an operator; for ever if the load failed.
bool load_going();
// Want of memory is noted while the load goes on. What was to be made is not all there then, and is of no use.
void note_failed_load();
bool load_failed();
void end_load();

// Runs what makes static objects and takes memory: `const bool kRegistered = at_load([] { ... });`.
template <class Fn>
bool at_load(Fn fn) {
  try {
    fn();
  } catch (const std::bad_alloc&) {
    if (!load_going()) throw;
    note_failed_load();
  }
  return true;
}

// A T without contents, for what could not be made. It needs no memory and is never destroyed.
template <class T>
const T& nothing_loaded() {
  static_assert(std::is_nothrow_default_constructible_v<T>);
  alignas(T) static unsigned char room[sizeof(T)];
  static const T* const made = ::new (static_cast<void*>(room)) T;
  return *made;
}

}  // namespace mixgrad
