// Who takes part: the scheduler, servers and workers, by number.
#pragma once

#include <cstdint>
#include <string>

#include "net/address.h"

namespace mixgrad::kvstore::protocol {

enum class Role : uint8_t { scheduler = 0, server = 1, worker = 2 };

constexpr uint32_t kMaxNumber = 4095;  // of servers, and of workers

struct NodeId {
  Role role = Role::scheduler;
  uint32_t number = 0;

  static NodeId scheduler() { return {Role::scheduler, 0}; }
  static NodeId server(uint32_t number) { return {Role::server, number}; }
  static NodeId worker(uint32_t rank) { return {Role::worker, rank}; }
  // Whether the name is one of a node: "scheduler", "server:3", "worker:0".
  static bool parse(const net::NodeName& name, NodeId& id);
  net::NodeName str() const;

  bool operator==(const NodeId& other) const { return role == other.role && number == other.number; }
  bool operator!=(const NodeId& other) const { return !(*this == other); }
  bool operator<(const NodeId& other) const {
    return role != other.role ? role < other.role : number < other.number;
  }
};

}  // namespace mixgrad::kvstore::protocol
