// The engine without queues: push() runs the task in its caller's thread and returns. Two threads never use a Var that one
// of them writes, so no Var is locked, and nobody ever waits.
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
    if (!failure) failure = Ref<ErrorRecord>(var->error_);
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
    if (var->error_) var->error_->release();
    var->error_ = Ref<ErrorRecord>(failure).detach();
  }
}

void Engine::wait_for_var(Var* var, Wait) {
  if (const ErrorRecord* error = var->error_) throw Error(error->status(), error->message());
}

}  // namespace mixgrad::engine
#endif
