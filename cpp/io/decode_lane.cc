#include "io/decode_lane.h"

#include <algorithm>
#include <mutex>
#include <thread>

#include "base/fork_mutex.h"

namespace mixgrad::io {
namespace {

constexpr int kLaneSizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
constexpr int kReaders = 4;
constexpr int kLaneCount = sizeof kLaneSizes / sizeof *kLaneSizes;

struct DecodeLanes {
  ForkMutex mutex;
  // Of both engines that a process may have: each stays when the other takes its place.
  engine::LaneId lane[2][kLaneCount] = {};
  bool made[2][kLaneCount] = {};
  engine::LaneId reading[2] = {};
  bool made_reading[2] = {};
};
DecodeLanes& decode_lanes() {
  static auto* lanes = new DecodeLanes;
  return *lanes;
}

int lanes_of(const engine::Engine& engine) { return engine.kind() == engine::EngineKind::serial ? 0 : 1; }

}  // namespace

engine::LaneId read_lane() {
  engine::Engine& engine = engine::Engine::get();
  const int kind = lanes_of(engine);
  DecodeLanes& lanes = decode_lanes();
  const std::lock_guard<ForkMutex> guard(lanes.mutex);
  if (!lanes.made_reading[kind]) {
    lanes.reading[kind] = engine.add_lane("read", kReaders);
    lanes.made_reading[kind] = true;
  }
  return lanes.reading[kind];
}

engine::LaneId decode_lane(int threads) {
  if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int* const found = std::lower_bound(kLaneSizes, kLaneSizes + kLaneCount - 1, threads);
  const auto which = static_cast<size_t>(found - kLaneSizes);
  engine::Engine& engine = engine::Engine::get();
  DecodeLanes& lanes = decode_lanes();
  const std::lock_guard<ForkMutex> guard(lanes.mutex);
  const int kind = lanes_of(engine);
  if (!lanes.made[kind][which]) {
    lanes.lane[kind][which] = engine.add_lane("decode", kLaneSizes[which]);
    lanes.made[kind][which] = true;
  }
  return lanes.lane[kind][which];
}

}  // namespace mixgrad::io
