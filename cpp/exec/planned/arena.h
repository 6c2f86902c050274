// The working memory of planned graphs: one piece per device, which several executors may take turns to use.
#pragma once

#include <atomic>
#include <vector>

#include "engine/engine.h"
#include "storage/block.h"

namespace mixgrad {

// Tasks that compute in it name it as written, so only one does at a time. It grows when a plan needs more than it has.
class Arena final : public engine::Var {
 public:
  static Ref<Arena> make(Device device) { return Ref<Arena>::adopt(new Arena(device)); }

  Device device() const { return device_; }
  // The most that was asked for so far; the memory itself is taken by the first task that runs.
  int64_t bytes() const { return wanted_.load(std::memory_order_relaxed); }
  void want(int64_t bytes);
  // Bytes that the next task will take and that nobody has counted; and counts them.
  size_t uncounted() const;
  void count(size_t bytes);
  // Inside tasks that name it.
  char* data() const { return static_cast<char*>(block_.data); }
  // Inside tasks that write it: grows to bytes(). What it held is lost then.
  void ensure();

  // Which run's values it holds: what a run puts there in its forward part is gone once another run begins.
  void begin_run(uint64_t run) { run_.store(run, std::memory_order_relaxed); }
  uint64_t run() const { return run_.load(std::memory_order_relaxed); }

 private:
  explicit Arena(Device device) : device_(device) {}
  ~Arena() override;
  void give_back() noexcept;

  const Device device_;
  storage::Block block_;
  std::atomic<int64_t> wanted_{0};
  std::atomic<size_t> taken_{0}, promised_{0};
  std::atomic<uint64_t> run_{0};
};

// One arena per device, made when first asked for. Threads: belongs to the executors that share it, in one thread.
class ArenaSet : public Counted<ArenaSet> {
 public:
  const Ref<Arena>& of(Device device);
  int64_t bytes() const;
  // Before a client's call runs something in them: see exec/imperative/room.h.
  void make_room() const;

 private:
  std::vector<Ref<Arena>> arenas_;
};

}  // namespace mixgrad
