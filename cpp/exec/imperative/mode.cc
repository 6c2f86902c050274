#include "exec/imperative/mode.h"

#include <mutex>
#include <vector>

#include "base/fork_mutex.h"

namespace mixgrad {
namespace {

struct Generators {
  ForkMutex mutex;
  uint64_t default_seed = 0;
  // What was drawn from so far. There are few.
  std::vector<std::pair<Device, RandomStream>> by_device;

  RandomStream& of(Device device);
};

Generators& generators() {
  static auto* all = new Generators();
  return *all;
}

// Devices draw different numbers from one seed.
uint64_t device_seed(uint64_t seed, Device device) { return seed + device.key() * 0x9e3779b97f4a7c15u; }

RandomStream& Generators::of(Device device) {
  for (auto& [drawn_on, stream] : by_device) {
    if (drawn_on == device) return stream;
  }
  by_device.push_back({device, {device_seed(default_seed, device), 0}});
  return by_device.back().second;
}

}  // namespace

Mode& mode() {
  thread_local Mode current;
  return current;
}

RandomStream next_random_stream(Device device) {
  Generators& all = generators();
  const std::lock_guard<ForkMutex> lock(all.mutex);
  RandomStream& stream = all.of(device);
  return {stream.seed, stream.stream++};
}

void seed_random(uint64_t seed) {
  Generators& all = generators();
  const std::lock_guard<ForkMutex> lock(all.mutex);
  all.default_seed = seed;
  all.by_device.clear();
}

void seed_random(uint64_t seed, Device device) {
  Generators& all = generators();
  const std::lock_guard<ForkMutex> lock(all.mutex);
  all.of(device) = {device_seed(seed, device), 0};
}

}  // namespace mixgrad
