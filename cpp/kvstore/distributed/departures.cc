#include "kvstore/distributed/departures.h"

#include <algorithm>
#include <iterator>

namespace mixgrad::kvstore {
namespace {
constexpr size_t kLargestUnnoted = 4096;  // bytes of a payload: transports send such ones with the head
constexpr uint64_t kSweepPeriod = 256;
}  // namespace

bool Departures::leaves(protocol::Outgoing& one) {
  if (one.identity.is_none() || one.message.payload.bytes <= kLargestUnnoted) return true;
  const protocol::Time now = now_();
  const auto key = std::make_tuple(one.to, one.message.kind, one.identity);
  const auto known = ways_.find(key);
  if (known != ways_.end() && !is_over(*known->second, now)) return false;
  std::shared_ptr<Road>& road = roads_[one.to];
  if (!road) road = std::make_shared<Road>();
  const auto way = std::make_shared<Way>(now, road);
  ways_.insert_or_assign(key, way);
  one.message.departure =
      std::shared_ptr<const void>(way.get(), [way, clock = now_](const void*) { way->leave(clock()); });
  if (++begun_ % kSweepPeriod == 0) sweep(now);
  return true;
}

void Departures::Way::leave(protocol::Time now) {
  const protocol::Time before = road->wait.load();
  road->wait.store(std::max(now - begun, before - before / 8));
  left.store(now);
}

bool Departures::is_over(const Way& way, protocol::Time now) const {
  const protocol::Time left = way.left.load();
  const protocol::Time beyond = std::min(std::max(way.road->wait.load(), shortest_), longest_);
  return left != protocol::kNever && now - left >= beyond;
}

void Departures::sweep(protocol::Time now) {
  for (auto at = ways_.begin(); at != ways_.end();)
    at = is_over(*at->second, now) ? ways_.erase(at) : std::next(at);
}

}  // namespace mixgrad::kvstore
