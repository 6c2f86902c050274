// Objects that each thread has one of, until the very end.
#pragma once

#include <new>

namespace mixgrad {

// The calling thread's T, made at first use and destroyed when the thread ends. Exit handlers and static destructors run in
// a thread whose objects are gone already: what they ask for is made anew in the same place, and stays.
template <class T>
T& per_thread() {
  alignas(T) static thread_local unsigned char room[sizeof(T)];
  static thread_local bool made = false, ended = false;
  if (made) return *std::launder(reinterpret_cast<T*>(room));
  struct End {
    ~End() {
      made = false;
      ended = true;
      std::launder(reinterpret_cast<T*>(room))->~T();
    }
  };
  T* const object = ::new (static_cast<void*>(room)) T;
  made = true;
  if (!ended) {
    static thread_local End end;
    static_cast<void>(end);
  }
  return *object;
}

}  // namespace mixgrad
