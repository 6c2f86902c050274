// Records of what the engine did.
#include "engine/profiler.h"

#include "base/at_exit.h"
#include "c_api/symbol.h"

namespace api = mixgrad::c_api;

extern "C" {

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
    const mixgrad::OutsideWork writing;
    mixgrad::engine::profiler_dump(path);
  });
}

mg_status mg_profiler_trace(char** text) {
  return api::guard([&] {
    api::require(text, "mg_profiler_trace", "text");
    *text = api::copy_text(mixgrad::engine::profiler_trace());
  });
}

}  // extern "C"
