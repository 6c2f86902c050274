// The single file's owners of shared objects: who ends what and when.
#include "containers/shared.h"

#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "check.h"

namespace {

using mixgrad::containers::enable_shared_from_this;
using mixgrad::containers::make_shared;
using mixgrad::containers::shared_ptr;
using mixgrad::containers::weak_ptr;

struct Base {
  static int alive;
  explicit Base(int value) : value(value) {
    if (value < 0) throw std::runtime_error("no such value");
    ++alive;
  }
  virtual ~Base() { --alive; }
  int value;
};
int Base::alive = 0;
struct Derived : Base, enable_shared_from_this<Derived> {
  using Base::Base;
};

TEST(small_shared_objects_live_as_long_as_an_owner) {
  {
    shared_ptr<Base> first = make_shared<Derived>(3), none;
    CHECK(first && !none && first->value == 3 && (*first).value == 3 && Base::alive == 1);
    shared_ptr<const Base> second = first;
    const shared_ptr<const void> third = second;
    CHECK(third.get() == first.get() && second == shared_ptr<const Base>(first));
    first.reset();
    CHECK(!first && Base::alive == 1 && second->value == 3);
    shared_ptr<const Base> moved = std::move(second);
    CHECK(!second && moved->value == 3);
    moved = *&moved;
    second.swap(moved);
    CHECK(!moved && second != moved && second->value == 3);
    second = make_shared<const Derived>(4);
    CHECK(Base::alive == 2);
  }
  CHECK(Base::alive == 0);
}

TEST(small_shared_objects_come_from_unique_ones) {
  {
    shared_ptr<const Base> held = std::unique_ptr<Derived>(new Derived(5));
    const shared_ptr<const Base> again = held;
    CHECK(held->value == 5 && !shared_ptr<Base>(std::unique_ptr<Base>()));
    held = nullptr;
    CHECK(Base::alive == 1 && again->value == 5);
  }
  CHECK(Base::alive == 0);
}

TEST(small_shared_objects_know_their_owners) {
  shared_ptr<Derived> first = make_shared<Derived>(6);
  const weak_ptr<Derived> seen = first->weak_from_this();
  {
    const shared_ptr<Derived> second = first->shared_from_this(), third = seen.lock();
    CHECK(second.get() == first.get() && third == second);
    first.reset();
    CHECK(Base::alive == 1);
  }
  CHECK(Base::alive == 0 && !seen.lock());
}

TEST(small_shared_objects_that_cannot_be_made_leave_nothing) {
  bool failed = false;
  try {
    make_shared<Derived>(-1);
  } catch (const std::runtime_error&) {
    failed = true;
  }
  CHECK(failed && Base::alive == 0);
}

TEST(small_shared_objects_count_owners_of_several_threads) {
  shared_ptr<Derived> object = make_shared<Derived>(7);
  {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([held = object] {
        const weak_ptr<Derived> seen = held->weak_from_this();
        for (int i = 0; i < 20000; ++i) {
          const shared_ptr<Derived> copy = i % 2 ? held : seen.lock();
          if (copy->value != 7) std::abort();
        }
      });
    }
    object.reset();
    for (std::thread& thread : threads) thread.join();
  }
  CHECK(Base::alive == 0);
}

}  // namespace
