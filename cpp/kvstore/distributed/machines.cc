#include "kvstore/distributed/machines.h"

#include <algorithm>

#include "base/error.h"

namespace mixgrad::kvstore {
namespace {

using protocol::Time;

constexpr Time kGiftHolds = 10'000'000;  // for a process to speak under the number that it was given
constexpr size_t kMostAsking = 2 * (protocol::kMaxNumber + 1);

}  // namespace

void SchedulerMachine::on_message(Time now, const net::NodeName& from, net::Message message,
                                  protocol::Actions& actions) {
  protocol::NodeId id;
  if (started_ < 0) started_ = now;
  if (protocol::NodeId::parse(from, id)) heard_[{id.role, id.number}] = now;
  machine_.on_message(now, from, std::move(message), actions);
}

bool SchedulerMachine::is_heard(Time now, const Slot& slot) const {
  const auto heard = heard_.find(slot);
  return heard != heard_.end() && now - heard->second < timing_.dead_after;
}

bool SchedulerMachine::is_given(Time now, const Slot& slot) const {
  const auto given = given_.find(slot);
  return given != given_.end() && now - given->second.at < std::max(kGiftHolds, timing_.dead_after);
}

bool SchedulerMachine::number_for(Time now, const Enrolment& enrolment, uint32_t* number,
                                  std::string* wrong) {
  if (enrolment.role == protocol::Role::scheduler) return false;
  if (started_ < 0) started_ = now;
  const bool is_worker = enrolment.role == protocol::Role::worker;
  for (const auto& [slot, gift] : given_) {
    if (slot.first != enrolment.role || gift.incarnation != enrolment.incarnation) continue;
    *number = slot.second;
    return true;
  }
  if (asking_.size() < kMostAsking) asking_.emplace(enrolment.incarnation, now);
  is_new_store_ |= heard_.empty() && asking_.size() >= size_t{membership_.workers} + membership_.servers;
  if (!is_new_store_ && now - started_ < timing_.dead_after) return false;
  const uint32_t count = is_worker ? membership_.workers : membership_.servers;
  bool waits = false;
  for (uint32_t i = 0; i < count; ++i) {
    const Slot slot{enrolment.role, i};
    const bool heard = is_heard(now, slot), given = is_given(now, slot);
    waits |= given && !heard;
    if (heard || given) continue;
    given_[slot] = {enrolment.incarnation, now};
    *number = i;
    return true;
  }
  // Whoever had its number may have ended a moment ago.
  const auto asking = asking_.find(enrolment.incarnation);
  if (waits || asking == asking_.end() || now - asking->second <= timing_.dead_after) return false;
  *wrong = text("all ", count, is_worker ? " workers" : " servers",
                " of this store are there already; one more came");
  return true;
}

}  // namespace mixgrad::kvstore
