// Loops over the team: every element once, whoever comes; errors; openers in turn; fork.
#include <atomic>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/fork_mutex.h"
#include "base/parallel.h"
#include "base/team.h"
#include "check.h"

#if defined(__unix__) && !defined(__SANITIZE_THREAD__)  // which supports no threads after fork
#define MIXGRAD_TESTS_FORK 1
#include <sys/wait.h>
#include <unistd.h>
#else
#define MIXGRAD_TESTS_FORK 0
#endif

using mixgrad::parallel_for;
using mixgrad::TeamScope;

namespace {

// Sets the number of threads for a test.
struct Threads {
  explicit Threads(int count) : before(mixgrad::num_threads()) { mixgrad::set_num_threads(count); }
  ~Threads() { mixgrad::set_num_threads(before); }
  int before;
};

// True when a loop over [0, n) touches each element once, in ranges of at least `grain`.
bool covers(std::int64_t n, std::int64_t grain) {
  std::vector<std::atomic<int>> times(static_cast<std::size_t>(n));
  std::atomic<bool> long_enough{true};
  parallel_for(n, grain, [&](std::int64_t begin, std::int64_t end) {
    if (end - begin < std::min(n, grain)) long_enough = false;
    for (std::int64_t i = begin; i < end; ++i) ++times[static_cast<std::size_t>(i)];
  });
  for (const auto& count : times) {
    if (count != 1) return false;
  }
  return long_enough;
}

}  // namespace

TEST(parallel_loops_cover_their_range) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const Threads threads(1 + static_cast<int>(random() % 5));
    const TeamScope team(true);
    CHECK(mixgrad::team_allowed());
    CHECK(covers(static_cast<std::int64_t>(random() % 2000), static_cast<std::int64_t>(random() % 100)));
    if (round % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(3));  // helpers fall asleep
  }
}

TEST(parallel_loops_use_several_threads) {
  const Threads threads(2);
  const TeamScope team(true);
  std::atomic<int> inside{0};
  // Each half waits for the other: one thread alone would never end.
  parallel_for(2, 1, [&](std::int64_t, std::int64_t) {
    ++inside;
    while (inside.load() < 2) std::this_thread::yield();
  });
  CHECK_EQ(inside.load(), 2);
}

TEST(parallel_loops_inside_loops_stay_in_their_thread) {
  const Threads threads(3);
  const TeamScope team(true);
  std::atomic<int> wrong{0}, total{0};
  parallel_for(12, 1, [&](std::int64_t begin, std::int64_t end) {
    const auto self = std::this_thread::get_id();
    for (std::int64_t i = begin; i < end; ++i) {
      parallel_for(10, 1, [&](std::int64_t b, std::int64_t e) {
        wrong += std::this_thread::get_id() != self;
        total += static_cast<int>(e - b);
      });
    }
  });
  CHECK_EQ(wrong.load(), 0);
  CHECK_EQ(total.load(), 120);
  CHECK(mixgrad::team_allowed());
}

TEST(parallel_loops_throw_what_a_range_throws) {
  const Threads threads(4);
  const TeamScope team(true);
  for (int round = 0; round < 50; ++round) {
    bool thrown = false;
    try {
      parallel_for(100, 1, [&](std::int64_t begin, std::int64_t end) {
        if (begin <= round && round < end) throw std::runtime_error("range");
      });
    } catch (const std::runtime_error& error) {
      thrown = std::string(error.what()) == "range";
    }
    CHECK(thrown);
    CHECK(covers(100, 1));
  }
}

TEST(parallel_team_belongs_to_one_thread_at_a_time) {
  const Threads threads(2);
  std::atomic<int> holders{0}, most{0}, wrong{0};
  std::vector<std::thread> openers;
  for (int i = 0; i < 3; ++i) {
    openers.emplace_back([&] {
      for (int round = 0; round < 300; ++round) {
        const TeamScope team(true);
        const bool mine = mixgrad::team_allowed();
        if (mine) {
          const int now = ++holders;
          if (now > most.load()) most = now;
        }
        if (!covers(64, 1)) ++wrong;
        if (mine) --holders;
      }
    });
  }
  for (std::thread& opener : openers) opener.join();
  CHECK_EQ(most.load(), 1);
  CHECK_EQ(wrong.load(), 0);
}

TEST(parallel_team_stands_aside_until_all_are_back) {
  mixgrad::team_steps_aside(true);
  mixgrad::team_steps_aside(true);
  mixgrad::team_steps_aside(false);
  CHECK(mixgrad::Team::get().stands_aside());
  mixgrad::team_steps_aside(false);
  CHECK(!mixgrad::Team::get().stands_aside());
}

TEST(parallel_number_of_threads_is_bounded) {
  const Threads threads(1 << 30);
  CHECK_EQ(mixgrad::num_threads(), mixgrad::Team::kMostThreads);
}

#if MIXGRAD_TESTS_FORK
// The thread that holds the lock does not exist in the child.
TEST(parallel_locks_are_free_in_forked_children) {
  static mixgrad::ForkMutex mutex;
  std::atomic<bool> held{false}, done{false};
  std::thread holder([&] {
    const std::lock_guard<mixgrad::ForkMutex> lock(mutex);
    held = true;
    while (!done) std::this_thread::yield();
  });
  while (!held) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    const std::lock_guard<mixgrad::ForkMutex> lock(mutex);
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  done = true;
  holder.join();
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(parallel_loops_run_in_forked_children) {
  const Threads threads(2);
  {
    const TeamScope team(true);
    CHECK(covers(1000, 1));
  }
  const pid_t child = fork();
  if (child == 0) {
    const TeamScope team(true);
    _exit(covers(1000, 1) && covers(1000, 10) ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif
