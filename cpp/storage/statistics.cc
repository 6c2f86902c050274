#include "storage/statistics.h"

#include "storage/pool.h"

namespace mixgrad::storage {

MemoryInfo memory_info(Device device) {
  if (Pool* pool = Pool::find(device)) return pool->info();
  device_api(device);
  return {};
}

void reset_peak(Device device) { Pool::of(device).reset_peak(); }
Limits limits(Device device) { return Pool::of(device).limits(); }
void set_limits(Device device, const Limits& limits) {
  Pool::of(device).set_limits(limits);
  Pool::end_alarms();
}
std::size_t empty_cache(Device device) { return trim(device, 0); }

}  // namespace mixgrad::storage
