#include "engine/lane.h"

#include <chrono>
#include <new>
#include <system_error>

#include "base/parallel.h"
#include "engine/scheduler.h"
#include "engine/task_pool.h"
#include "engine/thread_state.h"
#include "engine/waiter.h"

namespace mixgrad::engine {
namespace {

// Times in a row that the team's thread leaves work behind without waking somebody for it.
constexpr int most_put_off = 8;

}  // namespace

// Why no wake-up is lost: a pusher puts its task into inbox_ and then reads asleep_, searching_ and state_; a
// worker first changes those and then looks into inbox_, each of these steps sequentially consistent. So
// either the worker sees the task or the pusher sees that the worker must be woken. What has left inbox_ is
// moved under ready_lock_, which a worker also takes once more after it has registered as asleep.

Lane::Lane(Scheduler* owner, const LaneOptions& options)
    : owner_(owner),
      options_(options),
      crew_(new Crew),
      ready_(options.random_seed),
      team_ready_(options.random_seed) {}

Lane::~Lane() { delete crew_.load(); }

void Lane::submit(TaskList tasks, bool returning) {
  bool any = false, team = false;
  Task* newest = nullptr;
  Task* oldest = tasks.first;
  while (Task* task = tasks.first) {
    tasks.first = task->next;
    (task->parallel && options_.owns_team ? team : any) = true;
    task->next = newest;
    newest = task;
  }
  Task* head = inbox_.load(std::memory_order_relaxed);
  do {
    oldest->next = head;
  } while (!inbox_.compare_exchange_weak(head, newest, std::memory_order_seq_cst, std::memory_order_relaxed));

  if (state_.load(std::memory_order_seq_cst) != running) return submit_unstarted();
  if (team && team_asleep_.load(std::memory_order_seq_cst)) wake_team();
  if (team && team_blocked_.load(std::memory_order_seq_cst)) any = true;
  if (returning && thread_state.lane == this) return;
  if (any && asleep_.load(std::memory_order_seq_cst) > 0 && searching_.load(std::memory_order_seq_cst) == 0) {
    wake_any();
  }
}

void Lane::submit_unstarted() {
  {
    std::lock_guard<std::mutex> guard(lifecycle_);
    const int state = state_.load(std::memory_order_relaxed);
    if (state == running) return;  // the new workers look into inbox_ before they sleep
    if (state == idle && start_locked()) return;
  }
  run_left();
}

// Starts the workers. False, and the lane stays idle, if the system gives no thread or no memory.
bool Lane::start_locked() {
  if (!spare_) spare_.reset(new (std::nothrow) Crew);
  if (!spare_) return false;
  Crew* crew = crew_;
  crew->stopping = false;
  stopping_.store(false, std::memory_order_relaxed);
  state_.store(running, std::memory_order_seq_cst);
  bool started = false;
  for (int i = 0; i < options_.workers; ++i) {
    if (!add_worker(crew)) break;
    started = true;
  }
  if (!started) state_.store(idle, std::memory_order_seq_cst);
  return started;
}

bool Lane::add_worker(Crew* crew) {
  std::lock_guard<std::mutex> guard(crew->mutex);
  const std::size_t before = crew->workers.size();
  Worker* worker = nullptr;
  try {
    worker = new Worker;
    worker->index = static_cast<int>(before);
    crew->workers.push_back(worker);
    worker->thread = std::thread(&Lane::run, this, crew, worker);
    return true;
  } catch (const std::system_error&) {  // no thread
  } catch (const std::bad_alloc&) {
  }
  crew->workers.resize(before);
  delete worker;
  return false;
}

void Lane::run(Crew* crew, Worker* self) {
  thread_state.lane = this;
  thread_state.crew = crew;
  thread_state.worker = self->index;
  thread_number();
  while (!stopping_.load(std::memory_order_acquire)) {
    Task* task = take(has_team(self));
    if (!task) {
      owner_->worker_idle();
      task = search(crew, self);
    }
    if (!task) {
      bool stopping = false;
      task = sleep(crew, self, &stopping);
      if (stopping) break;
    }
    if (task) {
      const TeamScope scope(has_team(self) && task->parallel);
      owner_->execute(task, true);
    }
  }
  owner_->worker_idle();
  flush_task_pool();
  std::lock_guard<std::mutex> guard(crew->mutex);
  self->ended = true;
  crew->ended.notify_all();
}

void Lane::merge_inbox() {
  if (!inbox_.load(std::memory_order_seq_cst)) return;
  Task* newest = inbox_.exchange(nullptr, std::memory_order_seq_cst);
  Task* oldest = nullptr;
  while (newest) {
    Task* next = newest->next;
    newest->next = oldest;
    oldest = newest;
    newest = next;
  }
  while (oldest) {
    Task* next = oldest->next;
    (oldest->parallel && options_.owns_team ? team_ready_ : ready_).push(oldest);
    oldest = next;
  }
}

Task* Lane::take(bool team_thread) {
  ready_lock_.lock();
  merge_inbox();
  const bool may_team = team_thread || team_blocked_.load(std::memory_order_relaxed);
  ReadyQueue* queue = &ready_;
  if (may_team && !team_ready_.empty() &&
      (ready_.empty() || ReadyQueue::before(team_ready_.top(), ready_.top()))) {
    queue = &team_ready_;
  }
  Task* task = queue->pop();
  const bool any_left = !ready_.empty(), team_left = !team_ready_.empty();
  if (any_left != any_left_.load(std::memory_order_relaxed))
    any_left_.store(any_left, std::memory_order_relaxed);
  if (team_left != team_left_.load(std::memory_order_relaxed)) {
    team_left_.store(team_left, std::memory_order_relaxed);
  }
  ready_lock_.unlock();
  if (task) {
    // A thread that leaves work behind sees to it that another comes for it. The team's thread comes soon itself after a short
    // task: a sleeper woken meanwhile would take a core from the team, and to wake it takes longer than most small tasks.
    // What waits behind short tasks of higher priority is not put off for ever.
    bool back_soon = false;
    if (team_thread) {
      back_soon = any_left && task->brief && team_awake() && put_off_ < most_put_off;
      put_off_ = back_soon ? put_off_ + 1 : 0;
    }
    if (any_left && !back_soon && asleep_.load(std::memory_order_seq_cst) > 0 &&
        searching_.load(std::memory_order_seq_cst) == 0) {
      wake_any();
    }
    if (team_left && team_asleep_.load(std::memory_order_seq_cst)) wake_team();
  }
  return task;
}

Task* Lane::search(Crew*, Worker* self) {
  const bool team_thread = has_team(self);
  searching_.fetch_add(1, std::memory_order_seq_cst);
  bool found = false;
  for (int i = spin_turns(); i > 0 && !found; --i) {
    cpu_relax();
    found = inbox_.load(std::memory_order_relaxed) || any_left_.load(std::memory_order_relaxed) ||
            (team_thread && team_left_.load(std::memory_order_relaxed)) ||
            stopping_.load(std::memory_order_relaxed);
  }
  searching_.fetch_sub(1, std::memory_order_seq_cst);
  // Looks again whatever the loop saw: pushers relied on this thread until the line above.
  return take(team_thread);
}

Task* Lane::sleep(Crew* crew, Worker* self, bool* stopping) {
  const bool team_thread = has_team(self);
  std::unique_lock<std::mutex> guard(crew->mutex);
  if (crew->stopping) {
    *stopping = true;
    return nullptr;
  }
  self->asleep = true;
  if (team_thread) team_asleep_.store(true, std::memory_order_seq_cst);
  asleep_.fetch_add(1, std::memory_order_seq_cst);
  guard.unlock();
  Task* task = take(team_thread);  // may wake others, so without the mutex
  guard.lock();
  if (task) {
    if (self->asleep) {
      self->asleep = false;
      if (team_thread) team_asleep_.store(false, std::memory_order_seq_cst);
      asleep_.fetch_sub(1, std::memory_order_seq_cst);
    } else {
      // Somebody woke this thread for work of theirs: pass the call on.
      guard.unlock();
      if (any_left_.load(std::memory_order_relaxed) || inbox_.load(std::memory_order_seq_cst)) wake_any();
    }
    return task;
  }
  self->woken.wait(guard, [&] { return !self->asleep; });
  return nullptr;
}

// Wakes one sleeper, the team's thread last: it had better stay free for parallel tasks.
void Lane::wake_any() {
  Crew* crew = crew_;
  Worker* chosen = nullptr;
  std::lock_guard<std::mutex> guard(crew->mutex);
  for (auto it = crew->workers.rbegin(); it != crew->workers.rend() && !chosen; ++it) {
    if ((*it)->asleep) chosen = *it;
  }
  if (!chosen) return;
  chosen->asleep = false;
  if (has_team(chosen)) team_asleep_.store(false, std::memory_order_seq_cst);
  asleep_.fetch_sub(1, std::memory_order_seq_cst);
  chosen->woken.notify_one();
}

void Lane::wake_team() {
  Crew* crew = crew_;
  std::lock_guard<std::mutex> guard(crew->mutex);
  if (crew->workers.empty() || !crew->workers[0]->asleep) return;
  Worker* worker = crew->workers[0];
  worker->asleep = false;
  team_asleep_.store(false, std::memory_order_seq_cst);
  asleep_.fetch_sub(1, std::memory_order_seq_cst);
  worker->woken.notify_one();
}

void Lane::worker_blocks() {
  const int worker = thread_state.worker;
  if (options_.owns_team && worker == 0) {
    team_blocked_.store(true, std::memory_order_seq_cst);
    wake_any();  // the others may run parallel tasks now, on one thread
  }
  Crew* crew = static_cast<Crew*>(thread_state.crew);
  bool short_handed = false;
  {
    std::lock_guard<std::mutex> guard(crew->mutex);
    short_handed = ++crew->blocked >= static_cast<int>(crew->workers.size());
  }
  if (short_handed) add_worker(crew);
}

void Lane::worker_resumes() {
  const int worker = thread_state.worker;
  Crew* crew = static_cast<Crew*>(thread_state.crew);
  if (options_.owns_team && worker == 0) team_blocked_.store(false, std::memory_order_seq_cst);
  std::lock_guard<std::mutex> guard(crew->mutex);
  --crew->blocked;
}

bool Lane::stop(double limit_seconds, bool close) {
  bool ended = true;
  {
    std::lock_guard<std::mutex> lifecycle(lifecycle_);
    if (state_.load(std::memory_order_relaxed) == running) ended = stop_locked(limit_seconds);
    // In one step with the end of the workers: a submit in between would start new ones.
    if (close) state_.store(closed, std::memory_order_seq_cst);
  }
  if (close) run_left();
  return ended;
}

bool Lane::stop_locked(double limit_seconds) {
  Crew* crew = crew_;
  std::unique_lock<std::mutex> guard(crew->mutex);
  crew->stopping = true;
  stopping_.store(true, std::memory_order_release);
  for (Worker* worker : crew->workers) {
    if (!worker->asleep) continue;
    worker->asleep = false;
    asleep_.fetch_sub(1, std::memory_order_seq_cst);
    worker->woken.notify_one();
  }
  team_asleep_.store(false, std::memory_order_seq_cst);
  const auto all_ended = [&] {
    for (Worker* worker : crew->workers) {
      if (!worker->ended) return false;
    }
    return true;
  };
  bool ended = true;
  if (limit_seconds < 0) {
    crew->ended.wait(guard, all_ended);
  } else {
    ended = crew->ended.wait_for(guard, std::chrono::duration<double>(limit_seconds), all_ended);
  }
  std::vector<Worker*> workers;
  if (ended) {
    workers.swap(crew->workers);
  } else {
    // They end after their current tasks, with the crew they know, which is never freed.
    for (Worker* worker : crew->workers) worker->thread.detach();
    crew_ = spare_.release();
    team_blocked_.store(false, std::memory_order_seq_cst);
  }
  state_.store(idle, std::memory_order_seq_cst);
  guard.unlock();
  for (Worker* worker : workers) {
    worker->thread.join();
    delete worker;
  }
  return ended;
}

void Lane::restart() {
  bool failed = false;
  {
    std::lock_guard<std::mutex> guard(lifecycle_);
    if (state_.load(std::memory_order_relaxed) != idle) return;
    ready_lock_.lock();
    const bool left = inbox_.load(std::memory_order_seq_cst) || !ready_.empty() || !team_ready_.empty();
    ready_lock_.unlock();
    failed = left && !start_locked();
  }
  if (failed) run_left();
}

// Runs what a lane without threads holds, in the calling thread.
void Lane::run_left() {
  TaskList left;
  while (Task* task = take(true)) left.append(task);
  if (left.first) owner_->run_here(left);
}

void Lane::lock_for_fork() {
  lifecycle_.lock();
  crew_.load()->mutex.lock();
  ready_lock_.lock();
}

void Lane::unlock_after_fork() {
  ready_lock_.unlock();
  crew_.load()->mutex.unlock();
  lifecycle_.unlock();
}

bool Lane::forget(std::size_t* left) {
  ready_lock_.lock();
  merge_inbox();
  *left += ready_.size() + team_ready_.size();
  ready_lock_.unlock();
  if (state_.load(std::memory_order_relaxed) != running) return false;
  new (crew_.load()) Crew;  // what it was belongs to threads that do not exist here; their memory stays
  asleep_.store(0, std::memory_order_relaxed);
  searching_.store(0, std::memory_order_relaxed);
  team_asleep_.store(false, std::memory_order_relaxed);
  team_blocked_.store(false, std::memory_order_relaxed);
  stopping_.store(false, std::memory_order_relaxed);
  state_.store(idle, std::memory_order_relaxed);
  return true;
}

}  // namespace mixgrad::engine
