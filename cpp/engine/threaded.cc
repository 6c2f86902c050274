#include "engine/threaded.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "engine/caller.h"

namespace mixgrad::engine {

ThreadedEngine::ThreadedEngine(const EngineOptions& options)
    : Scheduler(options.inline_cost_ns, false), random_seed_(options.random_seed) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  add({"compute", options.compute_workers > 0 ? options.compute_workers : cores, true, random_seed_});
  add({"io", std::max(1, options.io_workers), false, random_seed_});
  add({"network", std::max(1, options.network_workers), false, random_seed_});
  register_engine(this);
}

ThreadedEngine::~ThreadedEngine() {
  unregister_engine(this);
  shut_down(-1);
  for (LaneId i = 0; i < lane_count_.load(); ++i) delete lanes_[i];
}

LaneId ThreadedEngine::add(const LaneOptions& options) {
  std::lock_guard<std::mutex> guard(lanes_mutex_);
  const LaneId id = lane_count_.load(std::memory_order_relaxed);
  if (id == max_lanes)
    fail(Status::invalid_argument, "[add_lane] an engine has at most ", max_lanes, " lanes");
  lanes_[id] = new Lane(this, options);
  if (closed_) lanes_[id]->stop(-1, true);
  lane_count_.store(static_cast<LaneId>(id + 1), std::memory_order_release);
  return id;
}

LaneId ThreadedEngine::add_lane(const char* name, int workers) {
  if (!name || workers < 1)
    fail(Status::invalid_argument, "[add_lane] expects a name and at least 1 worker, got ", workers);
  return add({name, workers, false, random_seed_});
}

int ThreadedEngine::lane_workers(LaneId lane) const {
  if (!has_lane(lane)) fail(Status::invalid_argument, "[lane_workers] lane ", lane, " does not exist");
  return lanes_[lane]->workers();
}

void ThreadedEngine::dispatch(LaneId lane, TaskList tasks, bool returning) {
  lanes_[lane]->submit(tasks, returning);
}

void ThreadedEngine::shut_down(double limit_seconds) {
  if (limit_seconds < 0) {
    wait_quiescent(limit_seconds);
  } else {
    // An interrupt gives up what is still being done.
    const double period = std::chrono::duration<double>(interrupt_period).count();
    for (; limit_seconds > 0 && !wait_quiescent(period); limit_seconds -= period) {
      if (interrupted()) limit_seconds = 0;
    }
    limit_seconds = std::max(limit_seconds, period);
  }
  std::lock_guard<std::mutex> guard(lanes_mutex_);
  closed_ = true;
  for (LaneId i = 0; i < lane_count_.load(); ++i) {
    lanes_[i]->stop(limit_seconds, true);
  }
}

void ThreadedEngine::rest(double limit_seconds) {
  wait_quiescent(limit_seconds);
  for (LaneId i = 0; i < lane_count_.load(std::memory_order_acquire); ++i)
    lanes_[i]->stop(limit_seconds, false);
}

void ThreadedEngine::lock_all() {
  lanes_mutex_.lock();
  for (LaneId i = 0; i < lane_count_.load(); ++i) lanes_[i]->lock_for_fork();
  lock_for_fork();
}

void ThreadedEngine::unlock_all(bool child) {
  unlock_after_fork(child);
  for (LaneId i = 0; i < lane_count_.load(); ++i) lanes_[i]->unlock_after_fork();
  if (child) {
    bool lost = false;
    std::size_t left = 0;
    for (LaneId i = 0; i < lane_count_.load(); ++i) lost |= lanes_[i]->forget(&left);
    if (lost) give_up_all_but(left);
  }
  lanes_mutex_.unlock();
}

void ThreadedEngine::resume() {
  for (LaneId i = 0; i < lane_count_.load(); ++i) lanes_[i]->restart();
}

Engine* make_threaded(const EngineOptions& options) { return new ThreadedEngine(options); }

}  // namespace mixgrad::engine
