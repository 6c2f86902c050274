#include "kvstore/collective/group.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/warning.h"
#include "engine/caller.h"

namespace mixgrad::kvstore::collective {
namespace {

constexpr int kLast = INT32_MIN;  // after all that waits

}  // namespace

// Of a thread: this worker does not leave meanwhile.
class Group::Busy {
 public:
  // The group's mutex is locked.
  explicit Busy(Group* group) : group_(group) { ++group_->busy_; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() {
    const std::lock_guard<std::mutex> lock(group_->mutex_);
    --group_->busy_;
    group_->calmer_.notify_all();
  }

 private:
  Group* const group_;
};

uint64_t Group::promise(const About& about) {
  const std::lock_guard<std::mutex> lock(mutex_);
  promised_[next_] = about;
  return next_++;
}

uint64_t Group::promise(size_t count, const std::vector<std::pair<uint32_t, About>>& own) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const uint64_t first = next_;
  for (const auto& [number, about] : own) promised_[first + number] = about;
  next_ += count;
  return first;
}

void Group::send_message(uint32_t to, net::Message message) {
  try {
    transport_->send(protocol::NodeId::worker(to).str(), std::move(message));
  } catch (const Error& error) {
    if (error.status() != Status::not_found && error.status() != Status::stopped)
      warn(text("[kvstore] worker:", rank(), " to worker:", to, ": ", error.message()));
  } catch (const std::exception& error) {
    warn(text("[kvstore] worker:", rank(), " to worker:", to, ": ", error.what()));
  }
}

void Group::send_part(uint32_t to, Part part, net::Payload payload, int priority) {
  part.group = group_;  // does not change any more
  SlotPlace place;
  if (payload.bytes > settings_.message_bytes && put_in_slot(to, payload, &place)) {
    part.is_in_slot = true;
    part.segment = place.segment;
    part.slot = place.slot;
    part.bytes = payload.bytes;
    payload = net::Payload();
  }
  net::Message message;
  message.kind = kPartKind;
  message.priority = std::max(priority, kLast + 1);
  message.fields = protocol::encoded(part);
  message.payload = std::move(payload);
  const std::lock_guard<std::mutex> order(send_mutex_);
  ++peers_[to].sent;
  send_message(to, std::move(message));
}

// False where the bytes must go by themselves.
bool Group::put_in_slot(uint32_t to, const net::Payload& payload, SlotPlace* place) {
  size_t known;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!peers_[to].is_here) return false;
    known = peers_[to].seen;
  }
  if (slots_.put(known, payload, place)) return true;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (std::exchange(peers_[to].is_asked, true)) return false;
  }
  const std::string name = slots_.more(known);
  if (!name.empty())
    send(to, kSegmentKind, NewSegment{group_, incarnation_, static_cast<uint32_t>(known), name}, INT32_MAX);
  return false;
}

void Group::take_segment(uint32_t from, const NewSegment& in) {
  std::shared_ptr<Segment> segment = Segment::open(in.name, in.mark);
  const bool is_seen = segment != nullptr;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::shared_ptr<Segment>>& known = peers_[from].segments;
    if (in.number != known.size() || in.number >= settings_.segments) return;
    if (is_seen) known.push_back(std::move(segment));
  }
  send(from, kSeenKind, SeenSegment{group_, in.number, is_seen}, INT32_MAX);
}

void Group::begin(const std::shared_ptr<Operation>& operation) {
  const uint64_t number = operation->number();
  std::optional<Busy> busy;
  std::string why;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    busy.emplace(this);
    promised_.erase(number);
    why = failure_;
    for (uint32_t i = 0; i < size() && why.empty(); ++i) {
      if (peers_[i].has_left && number >= peers_[i].next)
        why = text("worker:", i, " has left the store, before ", operation->about().str());
    }
    if (why.empty() && has_left_) why = text("worker:", rank(), " has left the store");
  }
  if (!why.empty()) {
    operation->fail(Status::io, why);
    return fail(why);
  }
  operation->begin();
  const bool is_over = operation->is_over();  // no message reaches it yet
  std::vector<Early> early;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    why = failure_;
    const auto at = early_.find(number);
    if (at != early_.end()) {
      early = std::move(at->second);
      early_.erase(at);
    }
    if (why.empty() && !is_over) running_[number] = {operation, Clock::now()};
  }
  if (!why.empty()) return operation->fail(Status::io, why);
  for (Early& one : early) {
    const std::string wrong = wrong_with(one.from, one.part, operation->about());
    if (!wrong.empty()) return fail(wrong);
    operation->take(one.from, one.part, std::move(one.payload));
  }
}

void Group::end(uint64_t number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  running_.erase(number);
  if (running_.empty()) calmer_.notify_all();
}

std::string Group::failure() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return failure_;
}

void Group::fail(const std::string& why) { fail_here(why, true); }

void Group::fail_here(const std::string& why, bool tell) {
  std::map<uint64_t, Running> running;
  {
    std::optional<Busy> busy;
    std::vector<uint32_t> others;
    uint64_t group;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!failure_.empty()) return;
      busy.emplace(this);
      failure_ = why;
      group = group_;
      for (uint32_t i = 0; tell && !has_left_ && i < size(); ++i) {
        if (i != rank() && !peers_[i].contact.empty()) others.push_back(i);
      }
      running.swap(running_);
      promised_.clear();
      early_.clear();
    }
    changed_.notify_all();
    for (const uint32_t other : others) send(other, kBrokenKind, Broken{group, why}, INT32_MAX);
  }
  for (auto& [number, one] : running) one.operation->fail(Status::io, why);
}

// What arrives, in the transport's thread.
void Group::receive(const net::NodeName& name, net::Message message) {
  protocol::NodeId id;
  if (!protocol::NodeId::parse(name, id) || id.role != protocol::Role::worker || id.number >= size() ||
      id.number == rank()) {
    Here here;  // one more worker than there may be
    if (rank() == 0 && message.kind == kHereKind &&
        protocol::decode(message.fields.data(), message.fields.size(), here))
      take_here(name, size(), here);
    return;
  }
  const uint32_t from = id.number;
  const void* const fields = message.fields.data();
  const size_t bytes = message.fields.size();
  if (message.kind == kHereKind) {
    Here here;
    if (rank() == 0 && protocol::decode(fields, bytes, here)) take_here(name, from, here);
    return;
  }
  if (message.kind == kMembersKind) {
    Members members;
    if (from == 0 && protocol::decode(message.payload.data, message.payload.bytes, members))
      take_members(members);
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (group_ == 0) {
      Broken broken;
      if (from == 0 && message.kind == kBrokenKind && protocol::decode(fields, bytes, broken) &&
          broken.group == 0) {
        if (failure_.empty()) failure_ = broken.why;
        changed_.notify_all();
      } else {
        before_.emplace_back(from, std::move(message));
      }
      return;
    }
  }
  take(from, std::move(message));
}

void Group::take(uint32_t from, net::Message message) {
  const void* const fields = message.fields.data();
  const size_t bytes = message.fields.size();
  const auto is_member = [&](uint64_t group) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (group != group_) return false;  // of another group, that used this address before
    peers_[from].heard = Clock::now();
    return true;
  };
  switch (message.kind) {
    case kPartKind: {
      Part part;
      if (!protocol::decode(fields, bytes, part) || !is_member(part.group)) return;
      return take_part(from, std::move(part), std::move(message.payload));
    }
    case kSegmentKind: {
      NewSegment segment;
      if (protocol::decode(fields, bytes, segment) && is_member(segment.group)) take_segment(from, segment);
      return;
    }
    case kSeenKind: {
      SeenSegment segment;
      if (!protocol::decode(fields, bytes, segment) || !is_member(segment.group)) return;
      const std::lock_guard<std::mutex> lock(mutex_);
      Peer& peer = peers_[from];
      if (!peer.is_asked || segment.number != peer.seen) return;
      if (segment.is_seen) {
        ++peer.seen;
        peer.is_asked = false;
      } else if (peer.seen == 0) {
        peer.is_here = false;
      }
      return;
    }
    case kAliveKind: {
      Alive alive;
      if (!protocol::decode(fields, bytes, alive) || !is_member(alive.group)) return;
      uint64_t lost;
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        lost = alive.sent - std::min(alive.sent, peers_[from].received);
      }
      if (lost > 0) {
        fail(text(lost, " messages of worker:", from, " to worker:", rank(),
                  " were lost: the connection between them broke"));
      }
      return;
    }
    case kLeftKind: {
      Left left;
      if (!protocol::decode(fields, bytes, left) || !is_member(left.group)) return;
      std::string why;
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        peers_[from].has_left = true;
        peers_[from].next = left.next;
        const auto late = running_.lower_bound(left.next);
        if (late != running_.end())
          why = text("worker:", from, " has left the store, before ", late->second.operation->about().str());
      }
      if (!why.empty()) fail(why);
      return;
    }
    case kBrokenKind: {
      Broken broken;
      if (protocol::decode(fields, bytes, broken) && is_member(broken.group)) fail_here(broken.why, false);
      return;
    }
    default: return;
  }
}

std::string Group::wrong_with(uint32_t from, const Part& part, const About& own) const {
  if (part.about == own) return "";
  return text("operation ", part.number, " is ", part.about.str(), " in worker:", from, " and ", own.str(),
              " in worker:", rank(), "; expected the same calls in the same order in all workers");
}

void Group::take_part(uint32_t from, Part part, net::Payload payload) {
  std::shared_ptr<Operation> operation;
  std::shared_ptr<Segment> segment;
  if (part.is_in_slot) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (part.segment < peers_[from].segments.size()) segment = peers_[from].segments[part.segment];
    }
    if (!Segment::get(segment, part.slot, part.bytes, &payload))
      return fail(
          text("worker:", from, " sent a part in memory that it does not share with worker:", rank()));
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++peers_[from].received;
    if (!failure_.empty()) return;
    const auto at = running_.find(part.number);
    if (at == running_.end()) {
      early_[part.number].push_back({from, std::move(part), std::move(payload)});
      return;
    }
    operation = at->second.operation;
  }
  const std::string wrong = wrong_with(from, part, operation->about());
  if (!wrong.empty()) return fail(wrong);
  operation->take(from, part, std::move(payload));
}

// Says that it lives and looks whether the others do, until the group ends.
void Group::watch() {
  const auto period = std::chrono::duration<double>(std::min(settings_.silence_limit / 10, 0.5));
  for (;;) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      if (changed_.wait_for(lock, period, [&] { return stopping_; })) return;
      if (has_left_) continue;
    }
    for (uint32_t i = 0; i < size(); ++i) {
      if (i == rank()) continue;
      const std::lock_guard<std::mutex> order(send_mutex_);
      send(i, kAliveKind, Alive{group_, peers_[i].sent}, kLast);
    }
    const std::string why = look_after(Clock::now());
    if (!why.empty()) fail(why);
  }
}

std::string Group::look_after(Clock::time_point now) {
  const auto seconds_since = [&](Clock::time_point then) {
    return std::chrono::duration<double>(now - then).count();
  };
  std::shared_ptr<Operation> slow;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!failure_.empty()) return "";
    for (uint32_t i = 0; i < size(); ++i) {
      if (i == rank() || peers_[i].has_left || seconds_since(peers_[i].heard) <= settings_.silence_limit)
        continue;
      return text("worker:", rank(), " has not heard worker:", i, " for ", settings_.silence_limit,
                  " s (MIXGRAD_DEAD_AFTER)");
    }
    for (const auto& [number, one] : running_) {
      if (!slow && seconds_since(one.since) > settings_.wait_limit) slow = one.operation;
    }
  }
  if (!slow) return "";
  std::string whom;
  for (const uint32_t other : slow->awaited()) whom += text(whom.empty() ? "" : ", ", "worker:", other);
  if (whom.empty()) whom = "its own messages to leave";
  return text("worker:", rank(), " has waited ", settings_.wait_limit, " s (MIXGRAD_TIME_LIMIT) for ", whom,
              " in ", slow->about().str());
}

bool Group::wait_for_all_operations(bool (*interrupted)()) {
  // An operation that is being begun is neither promised any more nor running yet.
  const auto is_over = [&] {
    return (promised_.empty() && running_.empty() && busy_ == 0) || !failure_.empty();
  };
  std::unique_lock<std::mutex> lock(mutex_);
  while (!calmer_.wait_for(lock, engine::interrupt_period, is_over)) {
    lock.unlock();
    if (interrupted()) return false;
    lock.lock();
  }
  return true;
}

void Group::leave() {
  if (!process_.here()) return;
  bool has_failed;
  std::string unfinished;
  uint64_t next;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    if (std::exchange(stopping_, true)) return;
    calmer_.wait(lock, [&] { return busy_ == 0; });
    has_failed = !failure_.empty();
    if (!running_.empty())
      unfinished = text("worker:", rank(), " ended in the middle of ",
                        running_.begin()->second.operation->about().str());
    else if (!promised_.empty())
      unfinished = text("worker:", rank(), " ended before ", promised_.begin()->second.str());
    next = next_;
  }
  changed_.notify_all();
  if (watcher_.joinable()) watcher_.join();
  if (!unfinished.empty()) {
    fail(unfinished);
  } else if (!has_failed && group_ != 0) {
    for (uint32_t i = 0; i < size(); ++i) {
      if (i != rank()) send(i, kLeftKind, Left{group_, next}, kLast);
    }
  }
  {
    std::unique_lock<std::mutex> lock(mutex_);
    calmer_.wait(lock, [&] { return busy_ == 0; });
    has_left_ = true;
  }
  if (transport_) transport_->stop(group_ != 0 ? 2 : 0);
}

Group::~Group() { leave(); }

}  // namespace mixgrad::kvstore::collective
