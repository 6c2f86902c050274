// What the files of the C header share about executors.
#pragma once

#include "c_api/symbol.h"
#include "exec/planned/executor.h"

namespace mixgrad::c_api {

// Throws Status::invalid_argument for NULL.
Executor& executor_of(mg_executor* executor, const char* function);
// Of the workers of a store; null in builds that have none.
extern std::shared_ptr<WorkerLink> (*link_of_store)(mg_kvstore* store);
// The request with that number of mg_grad_req; throws Status::invalid_argument for others.
GradientRequest request_from(int32_t number, const char* function);
// Switches of passes, which may be NULL, on top of the defaults.
inline PassOptions pass_options(const char* switches) {
  return switches ? with_switches(default_pass_options(), switches) : default_pass_options();
}
DeviceGroups groups_from(int32_t count, const char* const* names, const mg_device* devices,
                         const char* function);

}  // namespace mixgrad::c_api
