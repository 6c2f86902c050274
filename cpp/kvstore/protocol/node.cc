#include "kvstore/protocol/node.h"

namespace mixgrad::kvstore::protocol {

bool NodeId::parse(const net::NodeName& name, NodeId& id) {
  if (name == "scheduler") {
    id = scheduler();
    return true;
  }
  constexpr size_t kPrefix = 7;  // "server:", "worker:"
  const std::string prefix = name.substr(0, kPrefix),
                    digits = name.size() > kPrefix ? name.substr(kPrefix) : "";
  if (prefix != "server:" && prefix != "worker:") return false;
  if (digits.empty() || digits.size() > 4 || (digits.size() > 1 && digits[0] == '0')) return false;
  uint32_t number = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + static_cast<uint32_t>(c - '0');
  }
  if (number > kMaxNumber) return false;
  id = {prefix == "server:" ? Role::server : Role::worker, number};
  return true;
}

net::NodeName NodeId::str() const {
  if (role == Role::scheduler) return "scheduler";
  return (role == Role::server ? "server:" : "worker:") + std::to_string(number);
}

}  // namespace mixgrad::kvstore::protocol
