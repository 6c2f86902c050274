// How long a stage of the pipeline took, in the profiler's trace.
#pragma once

#include <string>

#include "engine/profiler.h"

namespace mixgrad::io {

// From its construction to its end, while the profiler runs. `kind`: whose time it is.
class StageTime {
 public:
  StageTime(const char* stage, const char* kind)
      : stage_(stage), kind_(kind), started_ns_(engine::profiling() ? engine::profiler_clock_ns() : 0) {}
  ~StageTime() {
    if (started_ns_) engine::profiler_record_step(stage_, kind_, std::string(), started_ns_, 0);
  }
  StageTime(const StageTime&) = delete;
  StageTime& operator=(const StageTime&) = delete;

 private:
  const char *const stage_, *const kind_;
  const uint64_t started_ns_;
};

}  // namespace mixgrad::io
