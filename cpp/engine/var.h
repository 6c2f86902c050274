// Var: the tag of anything a task can read or change (an array's storage, a random generator, a file).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/intrusive.h"
#include "device/stream.h"

namespace mixgrad::engine {

class Engine;
class ErrorRecord;
struct Asked;
class VarProtocol;
struct Link;
struct StreamUse;

// A base class: what is tagged derives from Var, so that one reference count serves both. Born with one
// reference, which the creator adopts: Ref<Chunk>::adopt(new Chunk(...)).
//
// Lifetime. The last release() destroys the object once no task that names it is waiting or running, so a
// task body may hold plain pointers to what its Vars own, without references. The destructor then runs in the
// thread of the last release or of the last task. After the last release, retain() is an error.
//
// Threads. Every member may be called from any thread that holds a reference or runs a task naming the Var.
class alignas(16) Var {  // the low bits of an address say how a task uses it (task.h)
 public:
  Var() = default;
  Var(const Var&) = delete;
  Var& operator=(const Var&) = delete;

  void retain() { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    // Who has the only reference need not count in one step with others.
    if (refs_.load(std::memory_order_acquire) == 1) {
      refs_.store(0, std::memory_order_relaxed);
      drop();
    } else if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      drop();
    }
  }
  int references() const { return refs_.load(std::memory_order_relaxed); }

  // Writes pushed so far, counted when push() is called. This is the version a gradient tape records and
  // compares: it describes the program's order and does not depend on how far the workers are.
  std::uint64_t push_version() const { return pushed_.load(std::memory_order_relaxed); }
  // Writes completed so far; equals push_version() when no write is in flight.
  std::uint64_t version() const { return completed_.load(std::memory_order_acquire); }
  // What streams may still be doing with what it tags; complete is complete. For the destructor, and for those that waited for
  // the Var's tasks. Writes to `events` at most kMostEvents.
  static constexpr std::size_t kMostEvents = 5;
  std::size_t stream_events(Event* events) const { return used_by_streams() ? all_stream_events(events) : 0; }
  bool used_by_streams() const { return word_.load(std::memory_order_relaxed) & kStreams; }

  // Counts a write made outside the engine, after wait_for_var(var, Wait::to_write).
  void count_write();
  // The same for a Var that nobody else knows yet, without its lock.
  void count_first_write() {
    pushed_.store(1, std::memory_order_relaxed);
    completed_.store(1, std::memory_order_relaxed);
  }

  // True when no task that names this Var is waiting or running, and no stream may be at work on what it tags.
  bool idle() const { return (word_.load(std::memory_order_acquire) & ~(kError | kIntact | kDropped)) == 0; }
  // For a running task that reads this Var: true when everyone has released it and no other task names it, so
  // what it tags has no future reader, nor a stream that still uses it.
  bool last_task() const {
    return refs_.load(std::memory_order_acquire) == 0 &&
           (word_.load(std::memory_order_acquire) & ~(kError | kIntact)) == (kDropped | kReader);
  }
  // True when the last completed write failed, and the value is not as before or nobody has seen that.
  bool failed() const;

 protected:
  virtual ~Var();

 private:
  friend class VarProtocol;

  // word_ is kLocked exactly while a thread holds the lock and keeps the true word in a register; otherwise
  // it is a sum of the bits below and kReader times the number of readers granted.
  static constexpr std::uint64_t kLocked = 1, kWriter = 2, kQueued = 4, kError = 8, kDropped = 16;
  static constexpr std::uint64_t kStreams = 32;  // there is a StreamUse
  // With kError: the value is as it was before the writes that failed, since none of them ran.
  static constexpr std::uint64_t kIntact = 64;
  static constexpr std::uint64_t kReader = 128;

  // Takes the lock and returns the word.
  std::uint64_t lock() const {
    std::uint64_t word = word_.exchange(kLocked, std::memory_order_acquire);
    return word == kLocked ? lock_contended() : word;
  }
  void unlock(std::uint64_t word) const { word_.store(word, std::memory_order_release); }
  std::uint64_t lock_contended() const;
  void drop();
  // The error of a reader that asked so, or null. Under the lock, with the word that it gave.
  ErrorRecord* standing_error(std::uint64_t word, const Asked& asked) const;
  std::size_t all_stream_events(Event* events) const;

  mutable std::atomic<std::uint64_t> word_{0};
  std::atomic<int> refs_{1};
  Link* head_ = nullptr;  // tasks not yet granted, oldest first; head_, tail_ and error_ need the lock
  Link* tail_ = nullptr;
  std::atomic<std::uint64_t> pushed_{0};     // stored under the lock
  std::atomic<std::uint64_t> completed_{0};  // stored under the lock
  ErrorRecord* error_ = nullptr;             // one reference; set exactly when word_ has kError
  StreamUse* streams_ = nullptr;             // needs the lock; set exactly when word_ has kStreams
};

// A Var that tags nothing but itself.
Ref<Var> make_var();

}  // namespace mixgrad::engine
