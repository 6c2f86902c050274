// The main loops of processes that hold a store, or watch over it.
#pragma once

#include <memory>

#include "kvstore/distributed/array_table.h"
#include "kvstore/distributed/cluster.h"
#include "kvstore/distributed/driver.h"

namespace mixgrad::kvstore {

// Opens what a node of the cluster sends and receives by: ZeroMQ, with keys where the cluster has them.
OpenTransport open_for(const Cluster& cluster, const net::NodeName& name, const KeyRing& keys);

// A driver of the role; the table and others that it uses outlive it.
std::unique_ptr<Driver> run_scheduler(const Cluster& cluster, const OpenTransport& open,
                                      const KeyRing& keys = {});
std::unique_ptr<Driver> run_server(const Cluster& cluster, uint32_t number, const OpenTransport& open,
                                   protocol::Table& table, const KeyRing& keys = {});

// Runs a server or the scheduler, as the cluster says, until all workers have left. Blocks. `maker` may be null. Throws
// Status::invalid_argument for a worker, Status::internal where the server cannot go on, Status::stopped when interrupted.
void serve(Cluster cluster, RuleMaker* maker, bool (*interrupted)());

}  // namespace mixgrad::kvstore
