// Locks that a forked child finds free.
#pragma once

#include <atomic>
#include <cstdint>
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

// The same for objects that come and go, of which there are many: four bytes each. Those who wait for any of them share one
// place to sleep. What it guards need not be whole in a child: a thread may have been at work on it at the fork.
class ObjectMutex {
 public:
  void lock();
  void unlock();

 private:
  // The number of the process whose thread holds it, and whether others sleep. Of a process before the fork: free.
  std::atomic<uint32_t> holder_{0};
};

}  // namespace mixgrad
