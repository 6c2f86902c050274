// Waking a thread that waits for descriptors.
#pragma once

#include <atomic>

namespace mixgrad::net {

// A pipe whose reading end becomes ready. Any thread signals; one thread waits.
class Wake {
 public:
  Wake();  // throws Status::out_of_memory where the system gives no descriptors
  Wake(const Wake&) = delete;
  Wake& operator=(const Wake&) = delete;
  ~Wake();

  int descriptor() const { return ends_[0]; }
  // Nothing if it was signalled since the last clear().
  void signal();
  // To be called before looking for what was signalled.
  void clear();

 private:
  int ends_[2];
  std::atomic<bool> signalled_{false};
};

}  // namespace mixgrad::net
