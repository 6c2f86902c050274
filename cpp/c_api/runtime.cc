// Engine, devices, memory and random numbers.
#include <cstring>

#include "base/parallel.h"
#include "base/team.h"
#include "c_api/handle.h"
#include "device/api.h"
#include "engine/caller.h"
#include "engine/engine.h"
#include "engine/profiler.h"
#include "exec/mode.h"
#include "storage/failure.h"
#include "storage/statistics.h"

namespace api = mixgrad::c_api;
using mixgrad::Status;
using mixgrad::engine::Engine;

extern "C" {

const char* mg_version(void) { return MG_VERSION; }

int32_t mg_has_feature(const char* name) {
  if (!name) return 0;
  if (std::strcmp(name, "onednn") == 0) return MIXGRAD_ONEDNN;
  if (std::strcmp(name, "openmp") == 0) return MIXGRAD_OPENMP;
  return 0;
}

mg_status mg_wait_all(void) {
  return api::guard([] { Engine::get().wait_for_all(); });
}

mg_status mg_engine_set_kind(int32_t kind) {
  return api::guard([&] {
    if (kind != MG_ENGINE_SERIAL && kind != MG_ENGINE_THREADED) {
      mixgrad::fail(Status::invalid_argument, "[mg_engine_set_kind] kind ", kind,
                    "; expected serial (0) or threaded (1)");
    }
    mixgrad::engine::set_engine(kind == MG_ENGINE_SERIAL ? mixgrad::engine::EngineKind::serial
                                                         : mixgrad::engine::EngineKind::threaded);
  });
}
int32_t mg_engine_get_kind(void) {
  return Engine::get().kind() == mixgrad::engine::EngineKind::serial ? MG_ENGINE_SERIAL : MG_ENGINE_THREADED;
}

int32_t mg_threads_get(void) { return mixgrad::num_threads(); }
mg_status mg_threads_set(int32_t count) {
  return api::guard([&] {
    if (count < 1 || count > mixgrad::Team::kMostThreads) {
      mixgrad::fail(Status::invalid_argument, "[set_num_threads] got ", count, "; expected 1 to ",
                    mixgrad::Team::kMostThreads);
    }
    mixgrad::set_num_threads(count);
  });
}

mg_status mg_engine_set_blocking_hooks(void* (*enter)(void), void (*leave)(void* state)) {
  return api::guard([&] {
    if (!enter != !leave)
      mixgrad::fail(Status::invalid_argument,
                    "[mg_engine_set_blocking_hooks] got one of two functions; expected both or none");
    mixgrad::engine::set_blocking_hooks({enter, leave});
  });
}

mg_status mg_profiler_start(void) {
  return api::guard([] { mixgrad::engine::profiler_start(); });
}
mg_status mg_profiler_stop(void) {
  return api::guard([] { mixgrad::engine::profiler_stop(); });
}
mg_status mg_profiler_resume(void) {
  return api::guard([] { mixgrad::engine::profiler_resume(); });
}
mg_status mg_profiler_dump(const char* path) {
  return api::guard([&] {
    api::require(path, "mg_profiler_dump", "path");
    mixgrad::engine::profiler_dump(path);
  });
}

int32_t mg_device_count(int32_t kind) {
  return mixgrad::device_count(static_cast<mixgrad::DeviceKind>(kind));
}
mg_status mg_device_check(mg_device device) {
  return api::guard([&] { mixgrad::device_api(api::device_of(device)); });
}
mg_device mg_device_get_current(void) {
  const mixgrad::Device d = mixgrad::mode().device;
  return {static_cast<int32_t>(d.kind), d.id};
}
mg_status mg_device_set_current(mg_device device) {
  return api::guard([&] {
    const mixgrad::Device d = api::device_of(device);
    mixgrad::device_api(d);
    mixgrad::mode().device = d;
  });
}

mg_status mg_memory_get_info(mg_device device, mg_memory_info* info) {
  return api::guard([&] {
    const mixgrad::storage::MemoryInfo m = mixgrad::storage::memory_info(api::device_of(device));
    mg_memory_info full{sizeof(mg_memory_info), m.in_use,      m.peak,      m.reserved, m.pooled, m.external,
                        m.live_blocks,          m.allocations, m.cache_hits};
    api::fill_struct(info, full, "mg_memory_get_info");
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
mg_status mg_memory_fail_after(int64_t n) {
  return api::guard([&] {
    if (n < 0)
      mixgrad::fail(Status::invalid_argument, "[mg_memory_fail_after] n is ", n, "; expected at least 0");
    mixgrad::storage::fail_after(n);
  });
}

mg_status mg_random_seed(uint64_t seed) {
  return api::guard([&] { mixgrad::seed_random(seed); });
}
mg_status mg_random_seed_device(uint64_t seed, mg_device device) {
  return api::guard([&] { mixgrad::seed_random(seed, api::device_of(device)); });
}

}  // extern "C"
