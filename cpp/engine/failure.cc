#include "engine/failure.h"

#include <cstring>
#include <exception>
#include <mutex>
#include <new>

#include "base/fork_mutex.h"

namespace mixgrad::engine {
namespace {

// Failures that need no memory to be told. Never destroyed: Vars may carry them to the very end.
alignas(ErrorRecord) unsigned char failure_room[2][sizeof(ErrorRecord)];
ErrorRecord* const failure_no_memory =
    ::new (failure_room[0]) ErrorRecord(Status::out_of_memory, "[engine] out of memory");
ErrorRecord* const failure_dropped = ::new (failure_room[1])
    ErrorRecord(Status::stopped, "[engine] the program ends: what was still queued is dropped");

// The last record of record_again, for all that one failure spoils before users are told of the next one.
struct Again {
  ForkMutex mutex;
  Ref<ErrorRecord> seen, record;
  std::uint64_t told = 0;
};
// Never destroyed: tasks may fail to the very end.
Again& failure_again() {
  static Again& again = *new Again;
  return again;
}

std::string failure_named(const std::string& message, const char* task) {
  const std::string tag = std::string("[") + task + "]";
  return message.compare(0, tag.size(), tag) == 0 ? message : message + " (in task '" + task + "')";
}

ErrorRecord* failure_of_exception(const char* task) {
  try {
    throw;
  } catch (const Error& error) {
    return new ErrorRecord(error.status(), failure_named(error.message(), task));
  } catch (const std::bad_alloc&) {
    return new ErrorRecord(Status::out_of_memory, text("[", task, "] out of memory"));
  } catch (const std::exception& error) {
    return new ErrorRecord(Status::internal, text("[", task, "] failed: ", error.what()));
  } catch (...) {
    return new ErrorRecord(Status::internal, text("[", task, "] failed with an exception of unknown type"));
  }
}

}  // namespace

bool repeats(const ErrorRecord& error) {
  return error.status() != Status::stopped && error.status() != Status::out_of_memory;
}

std::string message_again(const ErrorRecord& error) {
  if (std::strstr(error.message(), "(raised again: ")) return error.message();
  return text(error.message(),
              " (raised again: what that failure left without a value must be written anew, a module's by "
              "init_params and init_optimizer with force_init=True)");
}

ErrorRecord* record_again(ErrorRecord* seen, std::uint64_t told) noexcept {
  const Ref<ErrorRecord> owned = Ref<ErrorRecord>::adopt(seen);
  try {
    Again& again = failure_again();
    const std::lock_guard<ForkMutex> lock(again.mutex);
    if (again.seen != owned || again.told != told) {
      again.record = Ref<ErrorRecord>::adopt(
          new ErrorRecord(seen->status(), repeats(*seen) ? message_again(*seen) : seen->message()));
      again.seen = owned;
      again.told = told;
    }
    return Ref<ErrorRecord>(again.record).detach();
  } catch (...) {
    failure_no_memory->retain();
    return failure_no_memory;
  }
}

ErrorRecord* record_dropped() noexcept {
  failure_dropped->retain();
  return failure_dropped;
}

ErrorRecord* record_exception(const char* task_name) noexcept {
  try {
    return failure_of_exception(task_name);
  } catch (...) {
    failure_no_memory->retain();
    return failure_no_memory;
  }
}

}  // namespace mixgrad::engine
