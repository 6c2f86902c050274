#include "net/zeromq_gate.h"

#include <algorithm>
#include <cstring>

namespace mixgrad::net {

ZmqGate::ZmqGate(const ZmqContext& context, bool keyed, SharedCounters* counters) : counters_(counters) {
  if (!keyed) return;
  socket_ = std::make_unique<ZmqSocket>(context, kZmqRep);
  socket_->set(kZmqLinger, 0);
  socket_->bind("inproc://zeromq.zap.01");  // where ZeroMQ's RFC 27 has it
}

void ZmqGate::allow(const PublicKey& key, const NodeName& name) {
  forget(name);
  known_[key] = Known{name};
}

void ZmqGate::forget(const NodeName& name) {
  for (auto at = known_.begin(); at != known_.end();)
    at = at->second.name == name ? known_.erase(at) : std::next(at);
}

const NodeName* ZmqGate::name_of(const PublicKey& key) const {
  const auto found = known_.find(key);
  return found == known_.end() ? nullptr : &found->second.name;
}

void ZmqGate::punish(const PublicKey& key, Time now) {
  const auto found = known_.find(key);
  if (found == known_.end()) return;
  Known& known = found->second;
  known.refused_until = now + std::chrono::seconds(std::min(60, 1 << std::min(known.offences, 6)));
  ++known.offences;
}

bool ZmqGate::admits(const PublicKey& key, Time now) const {
  const auto found = known_.find(key);
  return found != known_.end() && now >= found->second.refused_until;
}

// Frames of a question: version, number, domain, address, routing id, mechanism, then for CURVE the key's 32 bytes.
bool ZmqGate::take_question() {
  if (!socket_) return false;
  if (!question_.empty()) return true;  // the last one, whose answer failed
  for (bool more = true; more;) {
    Frame frame;
    if (!socket_->receive(&frame)) return false;
    question_.emplace_back(static_cast<const char*>(frame.data()), frame.bytes());
    more = frame.has_more();
  }
  return true;
}

void ZmqGate::answer(Time now) {
  PublicKey key;
  bool admitted = question_.size() == 7 && question_[5] == "CURVE" && question_[6].size() == kKeyBytes;
  if (admitted) {
    std::memcpy(key.bytes.data(), question_[6].data(), kKeyBytes);
    admitted = admits(key, now);
  }
  if (!admitted) SharedCounters::add(counters_->refused_connections, 1);
  // 400 ends the connection at once. The other side makes another one after a while, since its key may become known; with
  // 300, "not now", both would wait for the end of the handshake's time.
  const std::string number = question_.size() > 1 ? question_[1] : "";
  const std::string answer[] = {"1.0", number, admitted ? "200" : "400", "", admitted ? key.str() : "", ""};
  for (size_t i = 0; i < 6; ++i) {
    Frame frame(answer[i]);
    socket_->send(&frame, i < 5);
  }
  question_.clear();
}

}  // namespace mixgrad::net
