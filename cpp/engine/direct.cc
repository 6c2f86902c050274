// The engine without queues: push() runs the task in its caller's thread and returns. Two threads never use what one of
// them writes, so nobody ever waits; a Var is locked for its error alone, which states that several predictors share
// (those of BatchNorm) may get from any of them.
#include "base/build.h"
#include "base/error.h"
#include "base/parallel.h"
#include "engine/engine.h"
#include "engine/failure.h"

#if !MIXGRAD_QUEUES
namespace mixgrad::engine {

Engine& Engine::get() {
  static Engine engine;
  return engine;
}

void Engine::push_body(Body body, Span<Var* const> reads, Span<Var* const> writes, const TaskInfo& info) {
  Ref<ErrorRecord> failure;
  for (const Var* var : reads) {
    if (!failure) failure = error_in(var);
  }
  if (!failure) {
    const TeamScope team(true);
    try {
      body.ops->invoke(body.callable);
    } catch (...) {
      failure = Ref<ErrorRecord>::adopt(record_exception(info.name));
    }
  }
  for (Var* var : writes) {
    var->count_write();
    ErrorRecord* error = Ref<ErrorRecord>(failure).detach();
    const std::uint64_t word = var->lock();
    std::swap(error, var->error_);
    var->unlock(word);
    if (error) error->release();
  }
}

Ref<ErrorRecord> Engine::error_in(const Var* var) {
  const std::uint64_t word = var->lock();
  Ref<ErrorRecord> error(var->error_);
  var->unlock(word);
  return error;
}

void Engine::wait_for_var(Var* var, Wait) {
  if (const Ref<ErrorRecord> error = error_in(var)) throw Error(error->status(), error->message());
}

}  // namespace mixgrad::engine
#endif
