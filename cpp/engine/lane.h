// A group of worker threads with one queue of ready tasks.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/ready_queue.h"
#include "engine/spin.h"
#include "engine/task.h"

namespace mixgrad::engine {

class Scheduler;

struct LaneOptions {
  const char* name;  // static
  int workers;
  bool owns_team;             // worker 0 opens the OpenMP team; parallel tasks run there
  std::uint64_t random_seed;  // see EngineOptions
};

// Threads start with the first task. Any thread may submit; stop, close and the fork functions are called by
// one thread at a time.
class Lane {
 public:
  Lane(Scheduler* owner, const LaneOptions& options);
  ~Lane();
  const char* name() const { return options_.name; }
  int workers() const { return options_.workers; }

  // Takes over ready tasks. `returning`: the caller is about to look for work itself if it is a worker here.
  void submit(TaskList tasks, bool returning);

  // Ends the workers after their current tasks; below 0 seconds means no limit. False if some did not end
  // within it: they end later, by themselves, and the Lane must outlive them. The next submit, or restart(),
  // starts new workers; or, if the lane is `closed`, tasks are run by the thread that submits them, and what is left
  // by this call.
  bool stop(double limit_seconds, bool close);
  // Starts workers if tasks are left.
  void restart();

  // Around fork(): no worker starts in between. In the child, forget() gives up threads that are not there;
  // it returns true if there were some, and adds the tasks left here to `left`.
  void lock_for_fork();
  void unlock_after_fork();
  bool forget(std::size_t* left);

  // Called by a worker around a wait inside a task: another thread takes its place.
  void worker_blocks();
  void worker_resumes();

 private:
  enum State : int { idle, running, closed };

  struct Worker {
    int index;
    std::thread thread;
    std::condition_variable woken;
    bool asleep = false;  // under crew mutex
    bool ended = false;   // under crew mutex
  };
  // Threads and what they sleep on. Made anew in its place in a forked child.
  struct Crew {
    std::mutex mutex;
    std::condition_variable ended;
    std::vector<Worker*> workers;
    int blocked = 0;
    bool stopping = false;
  };

  void run(Crew* crew, Worker* self);
  Task* take(bool team_thread);
  Task* search(Crew* crew, Worker* self);
  Task* sleep(Crew* crew, Worker* self, bool* stopping);
  void merge_inbox();
  void wake_any();
  void wake_team();
  void submit_unstarted();
  bool start_locked();
  bool stop_locked(double limit_seconds);
  bool add_worker(Crew* crew);
  void run_left();
  bool has_team(const Worker* self) const { return options_.owns_team && self->index == 0; }

  Scheduler* const owner_;
  const LaneOptions options_;
  std::mutex lifecycle_;     // held to start, stop and close; before crew mutex
  std::atomic<Crew*> crew_;  // replaced when threads are given up
  std::unique_ptr<Crew>
      spare_;  // what then takes its place, since a fork must not ask for memory; under lifecycle_

  // Written by pushers.
  alignas(64) std::atomic<Task*> inbox_{nullptr};  // newest first
  // Read by pushers, seldom written.
  alignas(64) std::atomic<int> state_{idle};
  std::atomic<int> asleep_{0};
  std::atomic<int> searching_{0};
  std::atomic<bool> team_asleep_{false};
  std::atomic<bool> team_blocked_{false};
  std::atomic<bool> stopping_{false};
  // Workers only.
  alignas(64) SpinLock ready_lock_;
  ReadyQueue ready_;
  ReadyQueue team_ready_;
  int put_off_ = 0;                    // the team's thread only
  std::atomic<bool> any_left_{false};  // hints, exact under ready_lock_
  std::atomic<bool> team_left_{false};
};

}  // namespace mixgrad::engine
