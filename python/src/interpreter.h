// The interpreter's lock, in a process whose interpreter may end while other threads are inside the library.
//
// A daemon thread may come back to an interpreter that is being taken down, or to none. CPython ends such a thread on the spot,
// by unwinding its stack, which no destructor survives; newer ones let it sleep for ever, and so do we: nothing that it holds
// is destroyed under it.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <initializer_list>
#include <string>

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

// While it lives this thread reads from a source of the program's, with the lock. An interpreter that ends waits longer for other
// functions in threads of the library than for such reads, which may never return; it warns of what it leaves behind.
class SourceRead {
 public:
  SourceRead(const std::string& name, uint64_t offset);
  ~SourceRead();
  SourceRead(const SourceRead&) = delete;
  SourceRead& operator=(const SourceRead&) = delete;

 private:
  friend std::string unfinished_reads(size_t* count);
  const std::string& name_;
  const uint64_t offset_;
  const bool foreign_;
  SourceRead *before_ = nullptr, *after_ = nullptr;  // of the list of those in threads of the library
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
