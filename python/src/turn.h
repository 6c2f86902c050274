// One thread at a time in an object of the library that threads of Python share.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "exchange.h"
#include "interpreter.h"

namespace mixgrad_python {

// Belongs to the object.
class Turns {
 public:
  // A call on the object. The turn is waited for without the interpreter's lock, which who has it may need; an interrupt ends the
  // wait. Throws where waiting would never end: inside a call of the same thread, and in a forked child without the thread that
  // had the turn.
  class Turn {
   public:
    explicit Turn(Turns& turns) : turns_(turns) {
      if (!turns_.mutex_.try_lock()) turns_.wait();
      turns_.process_.store(fork_number(), std::memory_order_relaxed);
      turns_.thread_.store(std::this_thread::get_id(), std::memory_order_release);
    }
    ~Turn() {
      turns_.thread_.store(std::thread::id(), std::memory_order_release);
      turns_.mutex_.unlock();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Turns& turns_;
  };

  explicit Turns(const char* who) : who_(who) {}

 private:
  void wait() {
    for (;;) {
      const std::thread::id thread = thread_.load();
      if (thread == std::this_thread::get_id())
        throw std::runtime_error("[" + who_ + "] a call from inside of another call of the same object");
      if (thread != std::thread::id() && process_.load() != fork_number())
        throw std::runtime_error("[" + who_ +
                                 "] another thread used the object while the process was forked; expected a "
                                 "new object in the child");
      bool taken = false;
      {
        const Outside outside;
        taken = mutex_.try_lock_for(std::chrono::milliseconds(100));
      }
      if (taken) return;
      if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    }
  }

  const std::string who_;
  std::timed_mutex mutex_;
  std::atomic<std::thread::id> thread_{};
  std::atomic<unsigned> process_{fork_number()};
};

}  // namespace mixgrad_python
