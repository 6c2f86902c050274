#include "exec/mode.h"

#include <mutex>
#include <unordered_map>

#include "base/fork_mutex.h"

namespace mixgrad {
namespace {

struct Generators {
  ForkMutex mutex;
  uint64_t default_seed = 0;
  std::unordered_map<Device, RandomStream> by_device;
};

Generators& generators() {
  static auto* all = new Generators();
  return *all;
}

// Devices draw different numbers from one seed.
uint64_t device_seed(uint64_t seed, Device device) { return seed + device.key() * 0x9e3779b97f4a7c15u; }

}  // namespace

Mode& mode() {
  thread_local Mode current;
  return current;
}

RandomStream next_random_stream(Device device) {
  Generators& all = generators();
  const std::lock_guard<ForkMutex> lock(all.mutex);
  auto found = all.by_device.find(device);
  if (found == all.by_device.end()) {
    found = all.by_device.emplace(device, RandomStream{device_seed(all.default_seed, device), 0}).first;
  }
  RandomStream& stream = found->second;
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
  all.by_device[device] = {device_seed(seed, device), 0};
}

}  // namespace mixgrad
