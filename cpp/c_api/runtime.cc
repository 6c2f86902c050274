// The library and its engine.
#include <cstring>

#include "base/parallel.h"
#include "base/team.h"
#include "c_api/handle.h"
#include "engine/caller.h"
#include "engine/engine.h"
#include "kernels/backend/nn_backend.h"
#include "kernels/backend/nn_library.h"

namespace api = mixgrad::c_api;
using mixgrad::Status;
using mixgrad::engine::Engine;

extern "C" {

const char* mg_version(void) { return MG_VERSION; }

int32_t mg_has_feature(const char* name) {
  if (!name) return 0;
  return std::strcmp(name, "onednn") == 0 && mixgrad::nn_backend::onednn_enabled();
}

mg_status mg_onednn_load(const char* path) {
  return api::guard([&] { mixgrad::nn_backend::load_onednn(path ? path : ""); });
}

mg_status mg_onednn_set_enabled(int32_t enabled) {
  return api::guard([&] { mixgrad::nn_backend::set_onednn_enabled(enabled != 0); });
}

mg_status mg_wait_all(void) {
  return api::guard([] { Engine::get().wait_for_all(); });
}

mg_status mg_wait_idle(void) {
  return api::guard([] { Engine::get().wait_for_idle(); });
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
  int32_t kind = -1;
  api::guard([&] {
    const bool serial = Engine::get().kind() == mixgrad::engine::EngineKind::serial;
    kind = serial ? MG_ENGINE_SERIAL : MG_ENGINE_THREADED;
  });
  return kind;
}

int32_t mg_engine_get_num_threads(void) { return mixgrad::num_threads(); }

mg_status mg_engine_set_num_threads(int32_t num_threads) {
  return api::guard([&] {
    if (num_threads < 1 || num_threads > mixgrad::Team::kMostThreads) {
      mixgrad::fail(Status::invalid_argument, "[mg_engine_set_num_threads] got ", num_threads,
                    "; expected 1 to ", mixgrad::Team::kMostThreads);
    }
    mixgrad::set_num_threads(num_threads);
  });
}

mg_status mg_deterministic_set(int32_t on) {
  return api::guard([&] {
    if ((on != 0) == mixgrad::nn_backend::deterministic()) return;
    Engine::get().wait_for_idle();  // what was called before runs as it was called
    mixgrad::nn_backend::set_deterministic(on != 0);
  });
}

int32_t mg_deterministic_get(void) { return mixgrad::nn_backend::deterministic(); }

mg_status mg_engine_set_blocking_hooks(void* (*enter)(void), void (*leave)(void* state)) {
  return api::guard([&] {
    if (!enter != !leave)
      mixgrad::fail(Status::invalid_argument,
                    "[mg_engine_set_blocking_hooks] got one of two functions; expected both or none");
    mixgrad::engine::set_blocking_hooks({enter, leave});
  });
}

mg_status mg_engine_set_interrupt_hook(int32_t (*interrupted)(void)) {
  return api::guard([&] { mixgrad::engine::set_interrupt_hook(interrupted); });
}

}  // extern "C"
