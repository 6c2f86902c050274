// Statistics of memory, and failing on demand.
#include "c_api/sized.h"
#include "storage/failure.h"
#include "storage/guard.h"
#include "storage/pressure.h"
#include "storage/statistics.h"

namespace api = mixgrad::c_api;
using mixgrad::Status;

extern "C" {

mg_status mg_memory_get_info(mg_device device, mg_memory_info* info) {
  return api::guard([&] {
    const mixgrad::storage::MemoryInfo m = mixgrad::storage::memory_info(api::device_of(device));
    mg_memory_info full{sizeof(mg_memory_info), m.in_use,      m.peak,      m.reserved, m.pooled, m.external,
                        m.live_blocks,          m.allocations, m.cache_hits};
    api::write_struct(info, full, "mg_memory_info", &mg_memory_info::in_use, "mg_memory_get_info");
  });
}

mg_status mg_memory_reset_peak(mg_device device) {
  return api::guard([&] { mixgrad::storage::reset_peak(api::device_of(device)); });
}

mg_status mg_memory_trim(mg_device device, uint64_t* released) {
  return api::guard([&] {
    const uint64_t bytes = mixgrad::storage::empty_cache(api::device_of(device));
    if (released) *released = bytes;
  });
}

mg_status mg_memory_set_collector(void (*collect)(void* context), void* context, uint64_t step) {
  return api::guard([&] {
    if (step > SIZE_MAX / 2)
      mixgrad::fail(Status::invalid_argument, "[mg_memory_set_collector] a step of ", step, " bytes");
    mixgrad::storage::set_collector({collect, context, static_cast<size_t>(step)});
  });
}

mg_status mg_memory_fail_after(int64_t n) {
  return api::guard([&] {
    if (n < 0)
      mixgrad::fail(Status::invalid_argument, "[mg_memory_fail_after] n is ", n, "; expected at least 0");
    mixgrad::storage::fail_after(n);
  });
}

mg_status mg_memory_fill_new(int32_t byte) {
  return api::guard([&] {
    mixgrad::storage::fill_new(byte);
    mixgrad::storage::check_guards();
  });
}

}  // extern "C"
