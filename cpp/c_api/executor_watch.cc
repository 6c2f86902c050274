// Looking into executors: values as they are made, and the plan as text.
#include "c_api/executor.h"
#include "c_api/sized.h"

namespace api = mixgrad::c_api;
using mixgrad::ArrayRef;
using mixgrad::Executor;
using mixgrad::Status;

namespace {

// The caller's watcher. Shared, because the executor keeps a copyable function.
class CallbackWatcher {
 public:
  explicit CallbackWatcher(const mg_executor_watcher& watcher) : watcher_(watcher) {}
  ~CallbackWatcher() {
    if (watcher_.release) watcher_.release(watcher_.context);
  }
  CallbackWatcher(const CallbackWatcher&) = delete;
  CallbackWatcher& operator=(const CallbackWatcher&) = delete;

  void operator()(const api::string& name, const ArrayRef& value) const {
    const mg_status status =
        watcher_.watch(watcher_.context, name.c_str(), reinterpret_cast<mg_array*>(value.get()));
    if (status == MG_STATUS_OK) return;
    const bool known = status > MG_STATUS_OK && status <= MG_STATUS_STOPPED;
    throw mixgrad::Error(known ? static_cast<Status>(status) : Status::internal, api::last_error());
  }

 private:
  const mg_executor_watcher watcher_;
};

}  // namespace

extern "C" {

mg_status mg_executor_watch(mg_executor* executor, const mg_executor_watcher* watcher) {
  return api::guard([&] {
    Executor& e = api::executor_of(executor, "mg_executor_watch");
    if (!watcher) return e.watch(nullptr, false);
    const auto given =
        api::read_struct(watcher, "mg_executor_watcher", &mg_executor_watcher::watch, "mg_executor_watch");
    const auto callback = api::make_shared<CallbackWatcher>(given);  // from here on it is released
    api::require(reinterpret_cast<const void*>(given.watch), "mg_executor_watch", "watch");
    e.watch([callback](const api::string& name, const ArrayRef& value) { (*callback)(name, value); },
            given.inputs != 0);
  });
}

mg_status mg_executor_debug_text(mg_executor* executor, char** text) {
  return api::guard([&] {
    api::require(text, "mg_executor_debug_text", "text");
    *text = api::copy_text(api::executor_of(executor, "mg_executor_debug_text").debug_text());
  });
}

}  // extern "C"
