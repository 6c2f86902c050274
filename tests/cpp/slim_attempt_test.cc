// Calls that fail by a jump: what they took goes back, what was to stay stays, and attempts lie inside each other.
#include "slim/attempt.h"

#include <cstdlib>
#include <vector>

#include "check.h"

using mixgrad::slim::Attempt;
using mixgrad::slim::Held;
using mixgrad::slim::HeldOtherwise;

namespace {

int others_given_back = 0;

// Memory of the heap, as containers of the single file take it.
Held* take() {
  auto* const held = static_cast<Held*>(std::malloc(sizeof(Held)));
  Attempt::hold(held);
  return held;
}
void give(Held* held) {
  Attempt::let_go(held);
  std::free(held);
}
HeldOtherwise* take_otherwise() {
  auto* const held = new HeldOtherwise;
  held->give_back = [](HeldOtherwise* mine) noexcept {
    ++others_given_back;
    delete mine;
  };
  Attempt::hold(held);
  return held;
}

struct Caught {
  const void* what = nullptr;
  bool in_attempt = false;
};
void keep_what(const void* what, void* to) { *static_cast<Caught*>(to) = {what, Attempt::any()}; }

template <class Fn>
bool attempt(Fn fn, Caught* caught, bool apart = false) {
  return Attempt::run([](void* object) { (*static_cast<Fn*>(object))(); }, &fn, keep_what, caught, apart);
}

const int kReason = 7;

// Under AddressSanitizer memory that is lost, or goes back twice, is an error.
TEST(slim_attempt_gives_back_what_a_failed_call_took) {
  Caught caught;
  others_given_back = 0;
  Held* const before = take();
  CHECK(!before->place && !Attempt::any());
  const bool good = attempt(
      [&] {
        std::vector<Held*> taken;
        for (int i = 0; i < 9; ++i) taken.push_back(take());
        for (int i : {0, 4, 8}) give(taken[static_cast<size_t>(i)]);  // first, middle, last
        take_otherwise();
        std::vector<Held*>().swap(taken);
        Attempt::leave(&kReason);
      },
      &caught);
  CHECK(!good && caught.what == &kReason && !caught.in_attempt && others_given_back == 1);
  give(before);
}

TEST(slim_attempt_leaves_what_a_good_call_took) {
  Caught caught;
  Held* kept = nullptr;
  HeldOtherwise* other = nullptr;
  CHECK(attempt(
      [&] {
        kept = take();
        other = take_otherwise();
        CHECK(kept->place && Attempt::any());
      },
      &caught));
  CHECK(!kept->place && !other->place && !caught.what);
  give(kept);
  delete other;
}

TEST(slim_attempt_hands_memory_to_the_one_around_it) {
  Caught caught;
  others_given_back = 0;
  const bool good = attempt(
      [&] {
        Caught inner;
        CHECK(attempt([] { take(), take_otherwise(); }, &inner));
        CHECK(!attempt([] { take(), take_otherwise(), Attempt::leave(&kReason); }, &inner));
        CHECK(inner.what == &kReason && inner.in_attempt && others_given_back == 1);
        Attempt::leave(&others_given_back);
      },
      &caught);
  CHECK(!good && caught.what == &others_given_back && others_given_back == 2);
}

TEST(slim_attempt_apart_keeps_its_memory_from_the_one_around_it) {
  Caught caught;
  Held* kept = nullptr;
  const bool good = attempt(
      [&] {
        Caught inner;
        CHECK(attempt([&] { kept = take(); }, &inner, true));
        Attempt::leave(&kReason);
      },
      &caught);
  CHECK(!good && !kept->place);
  give(kept);
}

TEST(slim_attempt_leaves_behind_what_is_to_stay) {
  Caught caught;
  std::vector<Held*> kept;
  kept.reserve(3);
  const bool good = attempt(
      [&] {
        take();
        const bool stayed = Attempt::stay(true);
        CHECK(!stayed);
        kept.push_back(take());
        Caught inner;
        CHECK(attempt([&] { kept.push_back(take()); }, &inner));  // inside nothing goes back either
        CHECK(!attempt([&] { kept.push_back(take()), Attempt::leave(&kReason); }, &inner));
        Attempt::stay(stayed);
        take();
        Attempt::leave(&kReason);
      },
      &caught);
  CHECK(!good && kept.size() == 3);
  for (Held* held : kept) {
    CHECK(!held->place);
    give(held);
  }
}

}  // namespace
