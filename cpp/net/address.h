// Who a process is to the others, and where it listens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mixgrad::net {

// "scheduler", "server:0", "worker:12": chosen by whoever opens a transport, the same for all who speak to it.
using NodeName = std::string;
constexpr size_t kMaxNameBytes = 64;

// Whether it has 1 to kMaxNameBytes characters out of letters, digits and -_.:/
bool is_node_name(std::string_view name);
// Throws Status::invalid_argument, beginning with [who].
void check_node_name(std::string_view name, const char* who);

// "10.0.0.7:9091", "[::1]:9091", "ps0.example.org:9091".
struct Address {
  std::string host;
  uint16_t port = 0;  // 0, to listen: one that is free

  std::string str() const;  // IPv6 in brackets
  // Whether only this machine can reach it: 127.0.0.0/8, ::1, localhost.
  bool is_loopback() const;
  // Whether it stands for every interface: 0.0.0.0, :: or *.
  bool is_everywhere() const;
  bool operator==(const Address& other) const { return host == other.host && port == other.port; }
};

// Throws Status::invalid_argument, beginning with [who], for what is no host and port.
Address parse_address(std::string_view text, const char* who);

}  // namespace mixgrad::net
