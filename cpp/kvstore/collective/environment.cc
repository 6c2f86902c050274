#include "kvstore/collective/environment.h"

#include <cstdlib>
#include <utility>

#include "base/error.h"
#include "kvstore/distributed/cluster.h"
#include "net/zeromq.h"

namespace mixgrad::kvstore::collective {

GroupSettings settings_from_environment() {
  const Cluster cluster = Cluster::from_environment(0);
  if (cluster.role != protocol::Role::worker) {
    fail(Status::invalid_argument,
         "[kvstore] type 'collective' is for workers, and DMLC_ROLE says that this process is none");
  }
  if (cluster.servers > 0) {
    fail(Status::invalid_argument, "[kvstore] type 'collective' has no servers, and DMLC_NUM_SERVER is ",
         cluster.servers, "; expected 0, as `mixgrad launch -s 0` sets it");
  }
  if (cluster.number < 0) {
    fail(Status::invalid_argument,
         "[kvstore] type 'collective' needs MIXGRAD_NUMBER, the rank of this worker, in the environment");
  }
  GroupSettings settings;
  settings.rank = static_cast<uint32_t>(cluster.number);
  settings.size = cluster.workers;
  settings.meeting = cluster.scheduler;
  settings.host = cluster.host;
  settings.start_limit = settings.wait_limit = cluster.start_limit;
  if (std::getenv("MIXGRAD_DEAD_AFTER"))
    settings.silence_limit = static_cast<double>(cluster.timing.dead_after) * 1e-6;
  if (!cluster.keys.empty())
    settings.keys = read_keys(cluster.keys, protocol::NodeId::worker(settings.rank).str());
  return settings;
}

OpenTransport open_for(const GroupSettings& settings) {
  net::ZeroMqOptions options;
  options.name = protocol::NodeId::worker(settings.rank).str();
  options.keys = settings.keys.own;
  options.listen = settings.rank == 0 ? settings.meeting : net::Address{settings.host, 0};
  options.piece_bytes = settings.piece_bytes;  // a part is one frame, which need not be put together
  // What waits is memory of arrays, which is there anyway: no part is dropped for its size.
  options.queue_bytes = SIZE_MAX >> 1;
  options.queue_messages = SIZE_MAX >> 1;
  return [options](net::Receive receive) { return net::open_zeromq(options, std::move(receive)); };
}

}  // namespace mixgrad::kvstore::collective
