// Threads of the library's own beside the engine's: those that wait for messages, time or disks.
#pragma once

#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"

#if defined(__unix__) || defined(__APPLE__)
#include <csignal>
#endif

namespace mixgrad {

// As long as it lives, signals for this thread wait. Threads that are started meanwhile take none, for good.
class SignalsLeftToOthers {
 public:
  SignalsLeftToOthers(const SignalsLeftToOthers&) = delete;
  SignalsLeftToOthers& operator=(const SignalsLeftToOthers&) = delete;
#if defined(__unix__) || defined(__APPLE__)
  SignalsLeftToOthers() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsLeftToOthers() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
#else
  SignalsLeftToOthers() {}
  ~SignalsLeftToOthers() {}
#endif
};

// Runs `run` in a thread that takes no signals: they are for the program's threads. Throws Status::out_of_memory where the system
// gives no thread.
template <class Run>
std::thread service_thread(const char* who, Run run) {
  const SignalsLeftToOthers quiet;
  try {
    return std::thread(std::move(run));
  } catch (const std::system_error& error) {
    fail(Status::out_of_memory, "[", who, "] the system gives no thread: ", error.what());
  }
}

}  // namespace mixgrad
