#include "kvstore/protocol/placement.h"

#include <algorithm>
#include <iterator>

namespace mixgrad::kvstore::protocol {
namespace {

uint64_t weight_of(uint32_t slot, uint32_t server) { return mixed(mixed(slot) ^ (uint64_t{server} << 32)); }

bool has(const std::vector<uint32_t>& list, uint32_t one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

}  // namespace

std::vector<uint32_t> heaviest(uint32_t slot, const std::set<uint32_t>& servers, size_t most) {
  std::vector<uint32_t> list(servers.begin(), servers.end());
  std::sort(list.begin(), list.end(), [&](uint32_t a, uint32_t b) {
    const uint64_t of_a = weight_of(slot, a), of_b = weight_of(slot, b);
    return of_a != of_b ? of_a > of_b : a < b;
  });
  if (list.size() > most) list.resize(most);
  return list;
}

Placement next_placement(uint32_t slot, const Placement& now, const std::vector<uint32_t>& filled,
                         const ServerHealth& health, size_t replicas) {
  Placement next;
  std::set<uint32_t> left, heard;
  int64_t silent_since = INT64_MIN;
  std::vector<uint32_t> full = now.full;
  full.insert(full.end(), filled.begin(), filled.end());
  for (const uint32_t server : full) {
    if (!health.holding.count(server)) continue;
    left.insert(server);
    if (health.live.count(server)) {
      heard.insert(server);
    } else {
      const auto at = health.dead_since.find(server);
      silent_since = std::max(silent_since, at == health.dead_since.end() ? INT64_MIN : at->second);
    }
  }
  const bool sure = std::any_of(heard.begin(), heard.end(),
                                [&](uint32_t server) { return health.heard.at(server) >= silent_since; });
  next.lost = left.empty();
  if (!sure) {
    next.full = heaviest(slot, left, left.size());
    return next;
  }
  const std::vector<uint32_t> wanted = heaviest(slot, health.live, replicas);
  const bool enough = std::all_of(wanted.begin(), wanted.end(), [&](uint32_t server) {
    return has(now.full, server) && heard.count(server) && health.following.count(server);
  });
  next.full = enough ? wanted : heaviest(slot, heard, heard.size());
  std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(next.filling),
               [&](uint32_t server) { return !has(next.full, server); });
  return next;
}

}  // namespace mixgrad::kvstore::protocol
