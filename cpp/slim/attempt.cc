#include "slim/attempt.h"

#include <cstdlib>
#include <utility>

namespace mixgrad::slim {

namespace {

thread_local Attempt* innermost_attempt = nullptr;

// Systems of this kind keep and restore the mask of signals in setjmp, by a call of theirs each time.
#if defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
#define MIXGRAD_SETJMP _setjmp
#define MIXGRAD_LONGJMP _longjmp
#else
#define MIXGRAD_SETJMP setjmp
#define MIXGRAD_LONGJMP longjmp
#endif

}  // namespace

Attempt::Attempt(bool apart) noexcept
    : outer_(innermost_attempt), apart_(apart || !outer_), stays_(!apart_ && outer_->stays_) {
  innermost_attempt = this;
}

bool Attempt::run(void (*call)(void* object), void* object, void (*caught)(const void* what, void* to),
                  void* to, bool apart) noexcept {
  Attempt attempt(apart);
  if (MIXGRAD_SETJMP(attempt.back_) == 0) {
    call(object);
    innermost_attempt = attempt.outer_;
    Attempt* const outer = attempt.apart_ ? nullptr : attempt.outer_;
    hand_on(&attempt.heap_, outer ? &outer->heap_ : nullptr);
    hand_on(&attempt.others_, outer ? &outer->others_ : nullptr);
    return true;
  }
  innermost_attempt = attempt.outer_;
  caught(attempt.what_, to);
  attempt.give_all_back();
  return false;
}

void Attempt::leave(const void* what) noexcept {
  Attempt* const attempt = innermost_attempt;
  if (!attempt) std::abort();
  attempt->what_ = what;
  MIXGRAD_LONGJMP(attempt->back_, 1);
}

bool Attempt::any() noexcept { return innermost_attempt != nullptr; }

Attempt* Attempt::close() noexcept { return std::exchange(innermost_attempt, nullptr); }
void Attempt::reopen(Attempt* attempt) noexcept { innermost_attempt = attempt; }

bool Attempt::stay(bool stays) noexcept {
  return !innermost_attempt || std::exchange(innermost_attempt->stays_, stays);
}

void Attempt::put(Held* held, Held** list) noexcept {
  held->next = *list;
  held->place = list;
  if (held->next) held->next->place = &held->next;
  *list = held;
}

void Attempt::hold(Held* held) noexcept {
  held->place = nullptr;
  Attempt* const attempt = innermost_attempt;
  if (attempt && !attempt->stays_) attempt->put(held, &attempt->heap_);
}

void Attempt::hold(HeldOtherwise* held) noexcept {
  held->place = nullptr;
  Attempt* const attempt = innermost_attempt;
  if (attempt && !attempt->stays_) attempt->put(held, &attempt->others_);
}

void Attempt::let_go(Held* held) noexcept {
  if (!held->place) return;
  *held->place = held->next;
  if (held->next) held->next->place = held->place;
}

void Attempt::hand_on(Held** from, Held** to) noexcept {
  while (Held* const held = *from) {
    let_go(held);
    held->place = nullptr;
    if (to) put(held, to);
  }
}

void Attempt::give_all_back() noexcept {
  while (Held* const held = heap_) {
    let_go(held);
    std::free(held);
  }
  while (Held* const held = others_) {
    let_go(held);
    static_cast<HeldOtherwise*>(held)->give_back(static_cast<HeldOtherwise*>(held));
  }
}

}  // namespace mixgrad::slim
