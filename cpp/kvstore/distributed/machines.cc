#include "kvstore/distributed/machines.h"

#include "base/error.h"

namespace mixgrad::kvstore {

void SchedulerMachine::on_message(protocol::Time now, const net::NodeName& from, net::Message message,
                                  protocol::Actions& actions) {
  protocol::NodeId id;
  if (protocol::NodeId::parse(from, id)) seen_.emplace(id.role, id.number);
  machine_.on_message(now, from, std::move(message), actions);
}

bool SchedulerMachine::number_for(const Enrolment& enrolment, uint32_t* number, std::string* wrong) {
  const bool is_worker = enrolment.role == protocol::Role::worker;
  if (enrolment.role == protocol::Role::scheduler) return false;
  for (const auto& [slot, incarnation] : given_) {
    if (slot.first != enrolment.role || incarnation != enrolment.incarnation) continue;
    *number = slot.second;
    return true;
  }
  const uint32_t count = is_worker ? membership_.workers : membership_.servers;
  const auto give = [&](uint32_t one) {
    given_[{enrolment.role, one}] = enrolment.incarnation;
    *number = one;
    return true;
  };
  for (uint32_t i = 0; i < count; ++i) {
    const Slot slot{enrolment.role, i};
    if (!given_.count(slot) && !seen_.count(slot)) return give(i);
  }
  for (const protocol::Participant& one : is_worker ? view().workers : view().servers) {
    // A number that was given anew is heard within the time after which silence means death.
    if (!one.live && one.number < count && seen_.count({enrolment.role, one.number})) {
      seen_.erase({enrolment.role, one.number});
      return give(one.number);
    }
  }
  *wrong = text("all ", count, is_worker ? " workers" : " servers",
                " of this store are there already; one more came");
  return true;
}

}  // namespace mixgrad::kvstore
