#include "kvstore/store.h"

#include "base/error.h"
#include "kvstore/local.h"

namespace mixgrad::kvstore {

std::unique_ptr<Store> make_store(const std::string& type) {
  std::string name = type;
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (name == "local" || name == "local_update_cpu" || name == "local_allreduce_cpu")
    return std::make_unique<LocalStore>(name, Home::host);
  if (name == "device" || name == "local_allreduce_device")
    return std::make_unique<LocalStore>(name, Home::device);
  if (name.compare(0, 4, "dist") == 0 || name == "p3") {
    fail(Status::unsupported, "[kvstore] type '", type,
         "' shares values between machines, and no store of this build does; 'local' and 'device' share them "
         "between the devices of this machine");
  }
  if (name == "nccl" || name == "horovod" || name == "byteps") {
    fail(Status::unsupported, "[kvstore] type '", type,
         "' needs the library of that name, which this build does not "
         "use; 'device' sums on the devices themselves");
  }
  fail(Status::invalid_argument, "[kvstore] unknown type '", type, "'; known are 'local' and 'device'");
}

}  // namespace mixgrad::kvstore
