#include "kvstore/distributed/serve.h"

#include <chrono>
#include <thread>

#include "base/error.h"
#include "kvstore/distributed/machines.h"
#include "net/local_transport.h"

namespace mixgrad::kvstore {
namespace {

constexpr double kForEver = 1e8;
// When all workers have left: so long servers still say that they follow the last view, of which the scheduler tells workers that
// ask again.
constexpr double kServerLingers = 0.5, kSchedulerLingers = 1;

}  // namespace

OpenTransport open_for(const Cluster& cluster, const net::NodeName& name, const KeyRing& keys) {
  net::ZeroMqOptions options;
  options.name = name;
  options.keys = keys.own;
  const bool is_scheduler = cluster.role == protocol::Role::scheduler;
  options.listen = is_scheduler ? cluster.scheduler : net::Address{cluster.host, 0};
  options.stop_seconds = 1;
  const auto open = cluster.has_links ? &net::open_zeromq_with_links : &net::open_zeromq;
  return [options, open](net::Receive receive) { return open(options, std::move(receive)); };
}

std::unique_ptr<Driver> run_scheduler(const Cluster& cluster, const OpenTransport& open,
                                      const KeyRing& keys) {
  Driver::Options options;
  options.self = protocol::NodeId::scheduler();
  options.has_scheduler = false;
  options.keys = keys;
  options.timing = cluster.timing;
  const protocol::Membership membership{cluster.servers, cluster.workers, cluster.replicas, cluster.slots};
  return std::make_unique<Driver>(options, open, [&](const std::string&) {
    return std::make_unique<SchedulerMachine>(new_incarnation(), membership, cluster.timing);
  });
}

std::unique_ptr<Driver> run_server(const Cluster& cluster, uint32_t number, const OpenTransport& open,
                                   protocol::Table& table, const KeyRing& keys) {
  Driver::Options options;
  options.self = protocol::NodeId::server(number);
  options.scheduler = cluster.scheduler;
  options.keys = keys;
  options.timing = cluster.timing;
  return std::make_unique<Driver>(options, open, [&](const std::string& contact) {
    return std::make_unique<ServerMachine>(number, new_incarnation(), contact, cluster.timing, table);
  });
}

void serve(Cluster cluster, RuleMaker* maker, bool (*interrupted)()) {
  const bool is_scheduler = cluster.role == protocol::Role::scheduler;
  if (cluster.role == protocol::Role::worker)
    fail(Status::invalid_argument,
         "[kvstore server] this process is a worker; expected a server or the scheduler");
  const bool has_number = cluster.number >= 0;
  if (!has_number) cluster.number = is_scheduler ? 0 : enrol(cluster, interrupted);
  const auto number = static_cast<uint32_t>(cluster.number);
  const protocol::NodeId self{cluster.role, is_scheduler ? 0 : number};
  const KeyRing keys = cluster.keys.empty() ? KeyRing() : read_keys(cluster.keys, self.str());
  const OpenTransport open = open_for(cluster, self.str(), keys);
  std::unique_ptr<Snapshots> snapshots;
  if (!is_scheduler && !cluster.snapshots.empty()) {
    if (!has_number) {
      fail(Status::invalid_argument,
           "[kvstore server] snapshots belong to numbered servers; expected MIXGRAD_NUMBER in the "
           "environment");
    }
    snapshots = std::make_unique<Snapshots>(cluster.snapshots, number, cluster.snapshot_seconds,
                                            cluster.snapshot_sync);
  }
  ArrayTable table(maker, snapshots.get(), cluster.memory);
  const std::unique_ptr<Driver> driver =
      is_scheduler ? run_scheduler(cluster, open, keys) : run_server(cluster, number, open, table, keys);
  switch (driver->wait(kForEver, interrupted)) {
    case Driver::End::failed: fail(Status::internal, driver->failure());
    case Driver::End::none: fail(Status::stopped, "[kvstore server] ", self, " was interrupted");
    case Driver::End::ended: break;
  }
  std::this_thread::sleep_for(
      std::chrono::duration<double>(is_scheduler ? kSchedulerLingers : kServerLingers));
}

}  // namespace mixgrad::kvstore
