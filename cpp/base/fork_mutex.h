// Locks that a forked child finds free.
#pragma once

#include <mutex>
#include <new>

namespace mixgrad {

// What a forked child does about an object of static life: a thread that was at work on it in the parent does not exist
// there. Objects register while the library is loaded or later, and are never taken out.
class ForkedAfresh {
 public:
  ForkedAfresh(const ForkedAfresh&) = delete;
  ForkedAfresh& operator=(const ForkedAfresh&) = delete;

 protected:
  using Renew = void (*)(ForkedAfresh*);
  explicit ForkedAfresh(Renew renew);  // called in the child, by its only thread
  ~ForkedAfresh() = default;

 private:
  friend void renew_in_child();
  const Renew renew_;
  ForkedAfresh* next_;
};

// A lock held for moments, over data that is whole whenever it is free. In a child a new one stands in its place: nobody
// there would free one that another thread of the parent held at the fork.
class ForkMutex : ForkedAfresh {
 public:
  ForkMutex()
      : ForkedAfresh([](ForkedAfresh* self) { new (&static_cast<ForkMutex*>(self)->mutex_) std::mutex; }) {}
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

}  // namespace mixgrad
