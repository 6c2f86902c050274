// A replica that follows a primary.
#include <algorithm>

#include "kvstore/protocol/replica.h"

namespace mixgrad::kvstore::protocol {
namespace {
constexpr uint64_t kMaxUncommitted = uint64_t{1} << 22;  // steps of one slot
constexpr uint64_t kMostStepsAhead = 256;      // as many as a primary sends before they are acknowledged
constexpr uint64_t kMostOwedBytes = 64 << 10;  // of applied steps that the primary still keeps
}  // namespace

bool Replica::on_entry(uint32_t server, Entry entry, const net::Message& message, Actions& actions) {
  if (role_ == Role::learner) return true;  // it is not filled yet
  if (role_ != Role::backup) return !context_.safeguards.fences;
  if (entry.marks.size() > kMaxNumber + 1 || entry.about.size() > kMaxAboutBytes) return false;
  if (log_.tail() - log_.applied() > kMaxUncommitted) return false;
  for (const Mark& mark : entry.marks) {
    if (mark.rank > kMaxNumber) return false;
  }
  const uint64_t index = entry.index, commit = entry.commit, trim = entry.trim;
  if (index > verified_ && index - verified_ <= kMostStepsAhead) {
    LogStep step;
    step.entry = std::move(entry);
    step.payload = message.payload;
    step.priority = message.priority;
    ahead_.emplace(index, std::move(step));
  }
  for (auto next = ahead_.begin(); next != ahead_.end() && next->first == verified_ + 1;
       next = ahead_.erase(next)) {
    if (log_.put(std::move(next->second))) {
      const LogStep& step = *log_.find(next->first);
      context_.table->logged(step.entry, step.payload);
    }
    ++verified_;
  }
  commit_up_to(commit, trim, actions);
  acknowledge(server, actions);
  return true;
}

// The primary waits for what it has in its log; what is applied only lets steps go. So that is said with the next step, or by on_time().
// At once is answered whoever may wait for it: a primary of a new view, one that asks again, one that fills a replica.
bool Replica::on_commit(uint32_t server, const Commit& commit, Actions& actions) {
  if (role_ == Role::learner) return true;
  if (role_ != Role::backup) return !context_.safeguards.fences;
  const uint64_t before = log_.applied();
  commit_up_to(commit.commit, commit.trim, actions);
  const bool may_wait = log_.applied() > before && has_acknowledged_ && view().slots[slot_].filling.empty();
  if (!may_wait || owed_bytes_ > kMostOwedBytes) acknowledge(server, actions);
  return true;
}

void Replica::commit_up_to(uint64_t commit, uint64_t trim, Actions& actions) {
  const uint64_t before = log_.applied();
  apply_up_to(std::max(before, std::min(commit, verified_)), actions);
  for (uint64_t i = before + 1; i <= log_.applied(); ++i) owed_bytes_ += log_.find(i)->payload.bytes;
  owes_ |= log_.applied() > before;
  log_.trim(trim);
}

void Replica::acknowledge(uint32_t server, Actions& actions) {
  has_acknowledged_ = true;
  owes_ = false;
  owed_bytes_ = 0;
  actions.send(NodeId::server(server), Kind::entry_ack,
               EntryAck{view().epoch, slot_, verified_, log_.applied()});
}

}  // namespace mixgrad::kvstore::protocol
