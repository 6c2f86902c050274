// A replica that follows a primary.
#include <algorithm>

#include "kvstore/protocol/replica.h"

namespace mixgrad::kvstore::protocol {
namespace {
constexpr uint64_t kMaxUncommitted = uint64_t{1} << 22;  // steps of one slot
constexpr uint64_t kMostStepsAhead = 256;  // as many as a primary sends before they are acknowledged
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
  return on_commit(server, Commit{view().epoch, slot_, commit, trim}, actions);
}

bool Replica::on_commit(uint32_t server, const Commit& commit, Actions& actions) {
  if (role_ == Role::learner) return true;
  if (role_ != Role::backup) return !context_.safeguards.fences;
  apply_up_to(std::max(log_.applied(), std::min(commit.commit, verified_)), actions);
  log_.trim(commit.trim);
  actions.send(NodeId::server(server), Kind::entry_ack,
               EntryAck{view().epoch, slot_, verified_, log_.applied()});
  return true;
}

}  // namespace mixgrad::kvstore::protocol
