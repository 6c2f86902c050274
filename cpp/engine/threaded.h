// The engine whose tasks run on lanes of worker threads.
#pragma once

#include <atomic>
#include <mutex>

#include "engine/lane.h"
#include "engine/scheduler.h"

namespace mixgrad::engine {

class ThreadedEngine final : public Scheduler {
 public:
  explicit ThreadedEngine(const EngineOptions& options);
  ~ThreadedEngine() override;

  LaneId add_lane(const char* name, int workers) override;
  int lane_workers(LaneId lane) const override;
  EngineKind kind() const override { return EngineKind::threaded; }

  // Finishes what is in flight, within the limit, and ends the threads; later tasks run in their pushers'
  // threads.
  void shut_down(double limit_seconds);

  // Around fork(), in this order; see process.cc.
  void rest(double limit_seconds);  // finishes what is in flight, ends the threads
  void lock_all();
  void unlock_all(bool child);
  void resume();

 private:
  static constexpr LaneId max_lanes = 64;

  void dispatch(LaneId lane, TaskList tasks, bool returning) override;
  const char* lane_name(LaneId lane) const override { return lanes_[lane]->name(); }
  LaneId add(const LaneOptions& options);

  const std::uint64_t random_seed_;
  std::mutex lanes_mutex_;
  bool closed_ = false;          // under lanes_mutex_
  Lane* lanes_[max_lanes] = {};  // set before lane_count_ says so, never changed afterwards
};

// Engines alive in this process, for fork() and exit.
void register_engine(ThreadedEngine* engine);
void unregister_engine(ThreadedEngine* engine);

}  // namespace mixgrad::engine
