// Calls that may fail where there are no exceptions: in files cut to networks, whose tables of what to do when an
// exception passes would be a fifth of the file.
//
// A failure jumps to where the call began. Nothing ends the objects on the way, so all memory that the call took and did
// not give back goes back there; what a call wants to stay behind when it fails must be taken while a `Staying` lives. So
// before a call may fail it must not have changed what was there before: no reference more to it, no lock on it held, no
// memory of the call in it.
#pragma once

#include <csetjmp>
#include <cstddef>

namespace mixgrad::slim {

// What lies before memory that goes back if the call fails. Where it lies is aligned to 16 bytes.
struct Held {
  Held* next;
  Held** place;  // what points to it; null: no call holds it
};
// The same of memory that is not the heap's.
struct HeldOtherwise : Held {
  void (*give_back)(HeldOtherwise* held) noexcept;
  std::size_t bytes;
};

class Attempt {
 public:
  // Runs call(object). False when it left: then caught(what, to) was called with what it left, and after that its memory
  // was given back. An attempt inside another hands its memory on to that one if it succeeds, unless it is `apart`.
  static bool run(void (*call)(void* object), void* object, void (*caught)(const void* what, void* to),
                  void* to, bool apart) noexcept;
  // Leaves the innermost attempt of this thread. Without one the process ends; who leaves has said why.
  [[noreturn]] static void leave(const void* what) noexcept;
  static bool any() noexcept;  // whether this thread is in one
  // Between the two this thread is in none, and an error ends the process.
  static Attempt* close() noexcept;
  static void reopen(Attempt* attempt) noexcept;
  // Whether memory that this thread takes from now on stays behind if the call fails; returns what held before.
  static bool stay(bool stays) noexcept;

  // Memory of the innermost attempt of this thread; of none, if there is none. It may be let go on any thread once the
  // attempt is over, before that on its own.
  static void hold(Held* held) noexcept;
  static void hold(HeldOtherwise* held) noexcept;
  static void let_go(Held* held) noexcept;

 private:
  explicit Attempt(bool apart) noexcept;
  static void put(Held* held, Held** list) noexcept;
  static void hand_on(Held** from, Held** to) noexcept;
  void give_all_back() noexcept;

  std::jmp_buf back_;
  Attempt* const outer_;
  Held *heap_ = nullptr, *others_ = nullptr;
  const void* what_ = nullptr;
  const bool apart_;
  bool stays_;
};

// While it lives, memory that this thread takes is not the attempt's: it belongs to what outlives the call.
class Staying {
 public:
  Staying() noexcept : stayed_(MIXGRAD_THROWS || Attempt::stay(true)) {}
  ~Staying() {
    if (!MIXGRAD_THROWS) Attempt::stay(stayed_);
  }
  Staying(const Staying&) = delete;
  Staying& operator=(const Staying&) = delete;

 private:
  const bool stayed_;
};

// While it lives there is no way back to where the call began: others look at what this thread has on its stack.
class NoWayBack {
 public:
  NoWayBack() noexcept : attempt_(MIXGRAD_THROWS ? nullptr : Attempt::close()) {}
  ~NoWayBack() {
    if (!MIXGRAD_THROWS) Attempt::reopen(attempt_);
  }
  NoWayBack(const NoWayBack&) = delete;
  NoWayBack& operator=(const NoWayBack&) = delete;

 private:
  Attempt* const attempt_;
};

}  // namespace mixgrad::slim
