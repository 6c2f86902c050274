#include "kvstore/store.h"

#include "base/error.h"
#include "kvstore/collective/collective_store.h"
#include "kvstore/distributed/distributed_store.h"
#include "kvstore/local.h"

namespace mixgrad::kvstore {

void Store::send_rule(const std::string&) {
  fail(Status::unsupported, "[kvstore] a store of type '", type(), "' has no servers; expected set_updater");
}

void Store::set_compression(const Compression&) {
  fail(Status::unsupported, "[kvstore.set_gradient_compression] in a store of type '", type(),
       "' gradients do not travel; expected one of type 'device' or 'dist_sync' and its kin");
}

StatePart Store::state(const Key&, uint32_t) {
  fail(Status::unsupported, "[kvstore] a store of type '", type(),
       "' has no servers; expected the states of its updater");
}

void Store::set_states(Span<const NewState>) {
  fail(Status::unsupported, "[kvstore] a store of type '", type(),
       "' has no servers; expected the states of its updater");
}

int Store::owner(const Key&) {
  fail(Status::unsupported, "[kvstore.owner] in a store of type '", type(),
       "' no worker owns a key; expected one of type 'collective' or 'collective_sharded'");
}

std::string Store::hand_over(int, const std::string&) {
  fail(Status::unsupported, "[kvstore] in a store of type '", type(),
       "' workers hand nothing over; expected one of type 'collective' or 'collective_sharded'");
}

std::shared_ptr<WorkerLink> Store::link() {
  fail(Status::unsupported, "[bind] the workers of a store of type '", type(),
       "' send each other no values; expected one of type 'collective' or 'collective_sharded'");
}

std::unique_ptr<Store> make_store(const std::string& type) {
  std::string name = type;
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (name == "local" || name == "local_update_cpu" || name == "local_allreduce_cpu")
    return std::make_unique<LocalStore>(name, Home::host);
  if (name == "device" || name == "local_allreduce_device")
    return std::make_unique<LocalStore>(name, Home::device);
  if (is_distributed_type(name)) return std::make_unique<DistributedStore>(name, Cluster::from_environment());
  if (CollectiveStore::is_type(name)) return std::make_unique<CollectiveStore>(name);
  if (name == "p3" || name == "dist_sync_p3" || name == "dist_p3") {
    fail(Status::unsupported, "[kvstore] type '", type,
         "': sending by layers is what priorities of 'dist_sync' do; expected that type");
  }
  if (name == "nccl" || name == "horovod" || name == "byteps") {
    fail(Status::unsupported, "[kvstore] type '", type,
         "' needs the library of that name, which this build does not "
         "use; 'device' sums on the devices themselves");
  }
  fail(Status::invalid_argument, "[kvstore] unknown type '", type,
       "'; known are 'local', 'device', 'collective', 'collective_sharded', 'dist_sync', "
       "'dist_async', 'dist_device_sync' and 'dist_device_async'");
}

}  // namespace mixgrad::kvstore
