#include "storage/failure.h"

#include <mutex>

#include "base/error.h"
#include "storage/failure_rules.h"
#include "storage/pool.h"

namespace mixgrad::storage {

std::atomic<bool> failures_armed{false};

namespace {

struct FailureRules {
  std::mutex mutex;
  std::int64_t after = 0;  // 0: off, for each rule
  std::int64_t every = 0;
  std::size_t over = 0;
  std::int64_t steps = 0;  // allocations seen
};

FailureRules failure_rules;
std::atomic<std::int64_t> system_refusals{0};

// Runs `change` on the rules and sets the flag that the fast path reads.
template <class Change>
void change_failure_rules(Change change) {
  std::lock_guard<std::mutex> lock(failure_rules.mutex);
  change(failure_rules);
  failures_armed.store(failure_rules.after > 0 || failure_rules.every > 0 || failure_rules.over > 0,
                       std::memory_order_relaxed);
}

}  // namespace

void fail_after(std::int64_t n) {
  change_failure_rules([n](FailureRules& rules) {
    rules.after = n;
    rules.steps = 0;
  });
}

void fail_every(std::int64_t k) {
  change_failure_rules([k](FailureRules& rules) {
    rules.every = k;
    rules.steps = 0;
  });
}

void fail_over(std::size_t bytes) {
  change_failure_rules([bytes](FailureRules& rules) {
    rules.over = bytes;
    rules.steps = 0;
  });
}

void fail_system(std::int64_t count) { system_refusals.store(count, std::memory_order_relaxed); }

void fail_never() {
  fail_system(0);
  change_failure_rules([](FailureRules& rules) { rules.after = rules.every = 0, rules.over = 0; });
}

std::int64_t failure_steps() {
  std::lock_guard<std::mutex> lock(failure_rules.mutex);
  return failure_rules.steps;
}

void check_failure_rules(Device device, std::size_t bytes) {
  const char* reason = nullptr;
  std::size_t over = 0;
  change_failure_rules([&](FailureRules& rules) {
    ++rules.steps;
    over = rules.over;
    if (rules.every > 0 && rules.steps % rules.every == 0) reason = "a failure was asked for (fail_every)";
    if (rules.after > 0 && --rules.after == 0) reason = "a failure was asked for (fail_after)";
  });
  Pool& pool = Pool::of(device);
  if (!reason && over > 0) {
    const std::size_t in_use = pool.info().in_use;
    if (in_use > over || bytes > over - in_use) reason = "a failure was asked for (fail_over)";
  }
  if (reason) pool.out_of_memory(bytes, reason);
}

bool refuse_system_request() {
  std::int64_t left = system_refusals.load(std::memory_order_relaxed);
  while (left > 0) {
    if (system_refusals.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) return true;
  }
  return false;
}

}  // namespace mixgrad::storage
