// The interpreter's lock, in a process whose interpreter may end while other threads are inside the library.
//
// A daemon thread may come back to an interpreter that is being taken down, or to none. CPython ends such a thread on the spot,
// by unwinding its stack, which no destructor survives; newer ones let it sleep for ever, and so do we: nothing that it holds
// is destroyed under it.
#pragma once

#include <pybind11/pybind11.h>

#include <initializer_list>

namespace mixgrad_python {

// Without the lock, which the thread must hold, while this object lives. The destructor does not return in a thread whose
// interpreter has ended.
class Outside {
 public:
  Outside();
  ~Outside();
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  const unsigned interpreter_;
  PyThreadState* const state_;
};

// With the lock while this object lives, in any thread. False, and without it, when there is no interpreter any more.
class Inside {
 public:
  Inside();
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  explicit operator bool() const { return locked_; }

 private:
  const bool foreign_;  // the interpreter has not seen this thread before
  bool locked_ = false;
  PyGILState_STATE state_{};
};

// Whether the calling thread is one that ends with the interpreter, which is being taken down: all but the main thread.
bool ends_with_interpreter();
// Differs between a process and what it forks; no call of the system.
unsigned fork_number();
// Does not return: what CPython does to threads that outlive it.
[[noreturn]] void wait_for_end();

// Calls a function of Python. The one way to do so below frames of the library: what CPython does to daemon threads goes no
// further.
pybind11::object call_python(const pybind11::handle& fn, std::initializer_list<pybind11::object> arguments);

// Tells the library of this interpreter. Once per interpreter, when the module is made.
void begin_interpreter();

}  // namespace mixgrad_python
