// How the workers of a collective store find each other: all tell worker 0 where they are, and it tells them all.
#include <utility>

#include "base/error.h"
#include "base/service_thread.h"
#include "base/warning.h"
#include "kvstore/collective/group.h"

namespace mixgrad::kvstore::collective {

using protocol::NodeId;

std::shared_ptr<Group> Group::join(const GroupSettings& settings, const OpenTransport& open,
                                   bool (*interrupted)()) {
  const std::shared_ptr<Group> group(new Group(settings));
  group->open_transport(open);
  group->wait_for_all(interrupted);
  group->watcher_ = service_thread("kvstore", [group = group.get()] { group->watch(); });
  return group;
}

void Group::open_transport(const OpenTransport& open) {
  const std::lock_guard<std::mutex> lock(mutex_);  // what arrives waits for the transport
  transport_ =
      open([this](const net::NodeName& from, net::Message message) { receive(from, std::move(message)); });
  for (uint32_t i = 0; i < size(); ++i) {
    const net::NodeName name = NodeId::worker(i).str();
    if (i == rank()) continue;
    if (!settings_.keys.empty()) transport_->set_peer(name, {}, settings_.keys.of(name));
  }
  if (rank() != 0) meet(0, settings_.meeting.str());
  peers_[rank()].contact = transport_->address().str();
}

void Group::meet(uint32_t worker, const std::string& contact) {
  const net::NodeName name = NodeId::worker(worker).str();
  const net::Address address = net::parse_address(contact, "kvstore");
  transport_->set_peer(name, address, settings_.keys.of(name));
  peers_[worker].contact = contact;
  // Others at this address are of this machine, if they can map memory of it.
  peers_[worker].is_here = address.is_loopback() || address.host == transport_->address().host;
}

void Group::wait_for_all(bool (*interrupted)()) {
  const auto seconds = std::chrono::duration<double>(settings_.start_limit);
  const auto limit = Clock::now() + std::chrono::duration_cast<Clock::duration>(seconds);
  auto ask_at = Clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  if (size() == 1) group_ = incarnation_;
  while (group_ == 0) {
    if (!failure_.empty()) mixgrad::fail(Status::invalid_argument, "[kvstore] ", failure_);
    const auto now = Clock::now();
    if (now >= limit) {
      std::string whom = text("worker:0 at ", settings_.meeting);
      if (rank() == 0) {
        whom.clear();
        for (uint32_t i = 1; i < size(); ++i) {
          if (peers_[i].contact.empty()) whom += text(whom.empty() ? "" : ", ", "worker:", i);
        }
      }
      mixgrad::fail(Status::io, "[kvstore] worker:", rank(), " has waited ", settings_.start_limit, " s for ",
                    whom, " (MIXGRAD_TIME_LIMIT)");
    }
    if (rank() != 0 && now >= ask_at) {
      ask_at = now + std::chrono::milliseconds(200);
      send(0, kHereKind, Here{size(), incarnation_, peers_[rank()].contact}, 0);
    }
    changed_.wait_for(lock, std::chrono::milliseconds(50));
    lock.unlock();
    const bool is_interrupted = interrupted && interrupted();
    lock.lock();
    if (is_interrupted) mixgrad::fail(Status::stopped, "[kvstore] waiting for other workers was interrupted");
  }
}

// To worker 0, from a worker, or from a process that would like to be one.
void Group::take_here(const net::NodeName& name, uint32_t from, const Here& here) {
  std::string why;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (here.workers != size() || from >= size()) {
      return refuse(name, here,
                    text("worker:0 was started as one of ", size(), " workers, and ", name, " as one of ",
                         here.workers, " (DMLC_NUM_WORKER)"));
    }
    Peer& peer = peers_[from];
    if (peer.incarnation != 0 && peer.incarnation != here.incarnation) {
      why = text("two processes are ", name,
                 ", or it was started again, which a collective store cannot take in: start all anew");
    } else if (peer.incarnation == 0) {
      try {
        meet(from, here.contact);
      } catch (const Error& error) {
        return warn(text("[kvstore] worker:0 cannot reach ", name, ": ", error.message()));
      }
      peer.incarnation = here.incarnation;
    }
    if (why.empty()) return tell_members(from);
  }
  fail(why);
}

void Group::refuse(const net::NodeName& name, const Here& here, const std::string& why) {
  try {
    transport_->set_peer(name, net::parse_address(here.contact, "kvstore"), settings_.keys.of(name));
    net::Message message;
    message.kind = kBrokenKind;
    message.fields = protocol::encoded(Broken{0, why});
    transport_->send(name, std::move(message));
  } catch (const Error& error) {
    warn(text("[kvstore] ", why, "; it cannot be told: ", error.message()));
  }
}

// All, when the last one is there; later one of whom the first message was lost.
void Group::tell_members(uint32_t from) {
  if (group_ != 0) return send_members(from);
  for (uint32_t i = 1; i < size(); ++i) {
    if (peers_[i].incarnation == 0) return;
  }
  group_ = incarnation_;
  for (Peer& peer : peers_) peer.heard = Clock::now();
  for (uint32_t i = 1; i < size(); ++i) send_members(i);
  changed_.notify_all();
}

void Group::send_members(uint32_t to) {
  Members members;
  members.group = group_;
  for (const Peer& peer : peers_) members.contacts.push_back(peer.contact);
  net::Message message;
  message.kind = kMembersKind;
  message.payload = net::Payload::of(protocol::encoded(members));
  send_message(to, std::move(message));
}

void Group::take_members(const Members& members) {
  std::vector<std::pair<uint32_t, net::Message>> before;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (group_ != 0 || members.group == 0 || members.contacts.size() != size()) return;
    try {
      for (uint32_t i = 1; i < size(); ++i) {
        if (i != rank()) meet(i, members.contacts[i]);
      }
    } catch (const Error& error) {
      if (failure_.empty()) failure_ = text("worker:", rank(), " cannot reach the others: ", error.message());
      changed_.notify_all();
      return;
    }
    for (Peer& peer : peers_) peer.heard = Clock::now();
    group_ = members.group;
    before.swap(before_);
  }
  changed_.notify_all();
  for (auto& [from, message] : before) take(from, std::move(message));
}

}  // namespace mixgrad::kvstore::collective
