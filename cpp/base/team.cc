#include "base/team.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "base/relax.h"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace mixgrad {
namespace {

// A helper that has worked looks this long for the next loop before it sleeps. Waking a sleeper costs 5 to 50
// microseconds; and a helper that sleeps often, or gives its core away, is put on the opener's core by some schedulers and
// stays there (docs/performance-log.md).
constexpr auto team_look = std::chrono::milliseconds(1);

std::atomic<Team*> team_of_process{nullptr};

#if defined(__unix__) || defined(__APPLE__)
// The child has no helpers. The old team's memory stays: its locks may be in any state.
[[maybe_unused]] const int team_fork_hook =
    pthread_atfork(nullptr, nullptr, [] { team_of_process.store(nullptr, std::memory_order_relaxed); });
#endif

}  // namespace

Team* Team::find() { return team_of_process.load(std::memory_order_acquire); }

Team& Team::get() {
  if (Team* team = find()) return *team;
  auto* made = new Team;
  Team* expected = nullptr;
  if (team_of_process.compare_exchange_strong(expected, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *expected;
}

void Team::add_helpers(int count) {
  while (static_cast<int>(helpers_.size()) < count) {
    helpers_.push_back(std::make_unique<Helper>(this, static_cast<int>(helpers_.size()) + 1));
    awake_.fetch_add(1, std::memory_order_relaxed);
    if (start(helpers_.back().get())) continue;
    helpers_.pop_back();  // the loop goes on with fewer
    awake_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
}

void* Team::help(void* helper) {
  Helper* const self = static_cast<Helper*>(helper);
  self->team->help(self, self->index);
  return nullptr;
}

bool Team::start(Helper* helper) {
#if defined(__unix__) || defined(__APPLE__)
  pthread_t thread;
  if (pthread_create(&thread, nullptr, &Team::help, helper) != 0) return false;
  pthread_detach(thread);
#else
  try {
    std::thread(static_cast<void* (*)(void*)>(&Team::help), helper).detach();
  } catch (const std::system_error&) {
    return false;
  }
#endif
  return true;
}

void Team::run(std::int64_t n, std::int64_t chunks, int threads,
               void (*body)(void*, std::int64_t, std::int64_t), void* context) {
  if (static_cast<int>(helpers_.size()) < threads - 1) add_helpers(threads - 1);
  if (parts_capacity_ < threads) {
    parts_.reset(new Part[static_cast<std::size_t>(threads)]);
    parts_capacity_ = threads;
  }
  body_ = body;
  context_ = context;
  n_ = n;
  chunks_ = chunks;
  threads_ = threads;
  for (std::int64_t i = 0; i < threads; ++i) {
    Part& part = parts_[static_cast<std::size_t>(i)];
    part.next.store(i * chunks / threads, std::memory_order_relaxed);
    part.end = (i + 1) * chunks / threads;
  }
  round_.fetch_add(1, std::memory_order_seq_cst);
  const std::size_t wanted = std::min(helpers_.size(), static_cast<std::size_t>(threads - 1));
  for (std::size_t i = 0; i < wanted; ++i) {
    if (helpers_[i]->asleep.load(std::memory_order_seq_cst)) wake(*helpers_[i]);
  }
  work(0);
  round_.fetch_add(1, std::memory_order_seq_cst);
  for (unsigned turn = 1; inside_.load(std::memory_order_seq_cst) != 0; ++turn) {
    if (turn % 64 == 0)
      std::this_thread::yield();
    else
      cpu_relax();
  }
  if (failed_.load(std::memory_order_relaxed)) {
    failed_.store(false, std::memory_order_relaxed);
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

void Team::work(int index) noexcept {
  for (int turn = 0; turn < threads_; ++turn) {
    Part& part = parts_[static_cast<std::size_t>((index + turn) % threads_)];
    for (;;) {
      // A look first: of a part that is done the counter stays shared between the caches.
      if (part.next.load(std::memory_order_relaxed) >= part.end) break;
      const std::int64_t chunk = part.next.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= part.end) break;
      const std::int64_t size = n_ / chunks_, rest = n_ % chunks_;
      const std::int64_t begin = chunk * size + std::min(chunk, rest);
      try {
        body_(context_, begin, begin + size + (chunk < rest));
      } catch (...) {
        if (!failed_.exchange(true, std::memory_order_relaxed)) failure_ = std::current_exception();
      }
    }
  }
}

void Team::help(Helper* self, int index) {
  std::uint64_t seen = 0;
  bool worked = true;
  for (;;) {
    if (!worked || !look_for_loop(seen)) {
      std::unique_lock<std::mutex> guard(mutex_);
      self->asleep.store(true, std::memory_order_seq_cst);
      awake_.fetch_sub(1, std::memory_order_relaxed);
      self->woken.wait(guard, [&] {
        return !self->asleep.load(std::memory_order_relaxed) ||
               round_.load(std::memory_order_seq_cst) > seen + seen % 2;
      });
      self->asleep.store(false, std::memory_order_relaxed);
      awake_.fetch_add(1, std::memory_order_relaxed);
      worked = true;  // or came too late for it
    } else {
      worked = false;
    }
    const std::uint64_t round = round_.load(std::memory_order_seq_cst);
    worked |= round != seen;  // who comes too late looks for the next loop as well
    if (round != seen && round % 2 == 1) {
      inside_.fetch_add(1, std::memory_order_seq_cst);
      if (round_.load(std::memory_order_seq_cst) == round) {
        worked = index < threads_;
        if (worked) work(index);
      }
      inside_.fetch_sub(1, std::memory_order_seq_cst);
    }
    seen = round;
  }
}

// True once there is another round than the one seen; false when it has taken too long.
bool Team::look_for_loop(std::uint64_t seen) const {
  const auto start = std::chrono::steady_clock::now();
  while (!stands_aside()) {
    for (int i = 0; i < 32; ++i) {
      if (round_.load(std::memory_order_acquire) > seen + seen % 2) return true;
      cpu_relax();
    }
    if (std::chrono::steady_clock::now() - start > team_look) return false;
  }
  return false;
}

void Team::wake(Helper& helper) {
  {
    std::lock_guard<std::mutex> guard(mutex_);
    helper.asleep.store(false, std::memory_order_relaxed);
  }
  helper.woken.notify_one();
}

}  // namespace mixgrad
