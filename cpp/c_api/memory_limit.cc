// The most that arrays may take.
#include <algorithm>
#include <limits>

#include "c_api/handle.h"
#include "storage/statistics.h"

extern "C" {

mg_status mg_memory_set_limit(mg_device device, uint64_t bytes) {
  return mixgrad::c_api::guard([&] {
    const mixgrad::Device where = mixgrad::c_api::device_of(device);
    mixgrad::storage::Limits limits = mixgrad::storage::limits(where);
    limits.total_bytes = static_cast<size_t>(std::min<uint64_t>(bytes, std::numeric_limits<size_t>::max()));
    mixgrad::storage::set_limits(where, limits);
  });
}

}  // extern "C"
