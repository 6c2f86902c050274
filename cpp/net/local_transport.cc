#include "net/local_transport.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/service_thread.h"
#include "base/warning.h"
#include "net/local_link.h"
#include "net/own_process.h"

#if defined(__linux__)
#include <poll.h>
#endif

namespace mixgrad::net {

#if defined(__linux__)
namespace {

using LinkClock = std::chrono::steady_clock;
using LinkTime = LinkClock::time_point;

// An offer; and what comes over ZeroMQ from a peer whose link did not take it.
constexpr uint16_t kOfferKind = 0xffff, kBesideLink = 0x8000;
constexpr std::chrono::milliseconds kFirstGap{50}, kLongestGap{10'000};  // between offers to one peer
// What comes over ZeroMQ so long after a link was made was not sent before that.
constexpr std::chrono::seconds kLinkSettles{2}, kNewcomerLimit{5};
constexpr size_t kMostNewcomers = 64;
constexpr int kTurnPackets = 64;
constexpr int kMostLinkWarnings = 10;

std::string random_token() {
  std::random_device random;
  std::string token;
  for (size_t i = 0; i < kLinkTokenBytes; ++i) token += static_cast<char>(random());
  return token;
}

// Links that outlived their transports, because a peer has payloads of theirs: their memory stays until it has not.
std::vector<std::shared_ptr<LinkSender>>& orphaned_links() {
  static auto* const all = new std::vector<std::shared_ptr<LinkSender>>;
  return *all;
}
std::mutex& orphans_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

class LocalTransport final : public Transport {
 public:
  LocalTransport(const ZeroMqOptions& options, Receive receive)
      : options_(options), receive_(std::move(receive)) {
    limits_.message_bytes = options.assembly.message_bytes;
    {
      const std::lock_guard<std::mutex> lock(orphans_mutex());
      auto& orphans = orphaned_links();
      orphans.erase(
          std::remove_if(orphans.begin(), orphans.end(), [](const auto& one) { return !one->attend(); }),
          orphans.end());
    }
    {
      const std::lock_guard<std::mutex> lock(mutex_);  // what arrives may ask for it
      inner_ = open_zeromq(
          options, [this](const NodeName& from, Message message) { on_zeromq(from, std::move(message)); });
    }
    thread_ = service_thread("transport", [this] { run(); });
  }

  ~LocalTransport() override {
    if (process_.here()) {
      stop(options_.stop_seconds);
      const std::lock_guard<std::mutex> lock(orphans_mutex());
      for (const auto& link : ended_senders_) {
        if (link->attend()) orphaned_links().push_back(link);
      }
    } else {
      new std::thread(std::move(thread_));  // the parent's: nobody here may touch it
      new auto(std::move(ended_senders_));
      new auto(std::move(senders_));
      new auto(std::move(receivers_));
    }
  }

  const NodeName& name() const override { return options_.name; }
  const Address& address() const override { return inner_->address(); }

  TransportCounters counters() const override {
    TransportCounters all = inner_->counters();
    const TransportCounters own = counters_.now();
    all.sent_messages += own.sent_messages;
    all.sent_bytes += own.sent_bytes;
    all.received_messages += own.received_messages;
    all.received_bytes += own.received_bytes;
    all.unsent_messages += own.unsent_messages;
    all.cut_connections += own.cut_connections;
    return all;
  }

  void send(const NodeName& to, Message message) override { send_several(to, {&message, 1}); }

  void send_several(const NodeName& to, Span<Message> messages) override {
    process_.check("transport");
    std::shared_ptr<LinkSender> link;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto at = stopping_ ? senders_.end() : senders_.find(to);
      if (at != senders_.end()) link = at->second;
    }
    if (!link) return inner_->send_several(to, messages);
    try {
      for (const Message& message : messages) check_message(message, limits_.message_bytes, "transport");
    } catch (const Error&) {
      if (messages.size() == 1) throw;
      return Transport::send_several(to, messages);  // one by one
    }
    while (!messages.empty()) {
      LinkSender::Taken taken;
      const LinkSender::Sent next = link->send(messages, &taken);
      counters_.count_sent(taken.bytes, taken.messages);
      messages = messages.subspan(taken.messages, messages.size() - taken.messages);
      if (next == LinkSender::Sent::taken) return;
      if (next == LinkSender::Sent::broken) {
        end_sender(to, link);
        return inner_->send_several(to, messages);
      }
      if (next == LinkSender::Sent::full) {
        SharedCounters::add(counters_.unsent_messages, 1);
      } else {
        messages[0].kind |= kBesideLink;
        inner_->send(to, std::move(messages[0]));
      }
      messages = messages.subspan(1, messages.size() - 1);
    }
  }

  void set_peer(const NodeName& name, const Address& address, const PublicKey& key) override {
    inner_->set_peer(name, address, key);
    const std::lock_guard<std::mutex> lock(mutex_);
    Peer& peer = peers_[name];
    if (peer.address == address) return;
    // Another process, as a rule: what is linked is not the one that is meant.
    if (!peer.address.host.empty()) end_links(name);
    peer = Peer();
    peer.address = address;
    const Address& own = options_.listen;
    peer.is_near =
        !address.host.empty() && (address.host == own.host || (address.is_loopback() && own.is_loopback()));
  }

  void forget_peer(const NodeName& name) override {
    inner_->forget_peer(name);
    const std::lock_guard<std::mutex> lock(mutex_);
    peers_.erase(name);
    end_links(name);
  }

  void pause(bool paused) override {
    inner_->pause(paused);
    paused_.store(paused);
    if (!paused) wake_->signal();
  }

  bool may_work_here() const override { return std::this_thread::get_id() == runner_.load(); }

  void stop(double limit_seconds) override {
    process_.check("transport");
    if (may_work_here())
      fail(Status::invalid_argument, "[transport] got stop() in its own receiver; expected another thread");
    const LinkTime limit =
        LinkClock::now() + std::chrono::milliseconds(static_cast<int64_t>(limit_seconds * 1000));
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stopping_ = true;
      stop_by_ = limit;
    }
    wake_->signal();
    inner_->stop(limit_seconds);
    const std::lock_guard<std::mutex> one(stop_mutex_);
    if (thread_.joinable()) thread_.join();
  }

 private:
  struct Peer {
    Address address;
    bool is_near = false;   // on this machine, by its address
    LinkTime next_offer{};  // not before
    std::chrono::milliseconds gap = kFirstGap;
    LinkToken token;  // that it was offered
    LinkTime linked{};
  };
  struct Newcomer {
    std::shared_ptr<LinkReceiver> link;
    LinkTime since;
  };
  // What the thread waits for. Senders without a name have ended.
  struct Watched {
    std::vector<std::pair<NodeName, std::shared_ptr<LinkSender>>> senders;
    std::vector<std::pair<NodeName, std::shared_ptr<LinkReceiver>>> receivers;
    std::vector<std::shared_ptr<LinkReceiver>> ended;
  };

  void on_zeromq(const NodeName& from, Message message) {
    if (message.kind == kOfferKind) return take_offer(from, message);
    const bool is_beside = message.kind & kBesideLink;
    message.kind &= static_cast<uint16_t>(~kBesideLink);
    offer(from, is_beside);
    receive_(from, std::move(message));
  }

  // Offers a link to a peer of this machine that speaks over ZeroMQ.
  void offer(const NodeName& from, bool is_beside) {
    const LinkTime now = LinkClock::now();
    Message message;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto at = peers_.find(from);
      if (at == peers_.end() || !at->second.is_near || stopping_ || !listener_.is_open()) return;
      Peer& peer = at->second;
      const auto linked = receivers_.find(from);
      if (linked != receivers_.end()) {
        if (is_beside || now - peer.linked < kLinkSettles) return;
        end_receiver(linked);  // another process speaks under the name
      }
      if (now < peer.next_offer) return;
      peer.next_offer = now + peer.gap;
      peer.gap = std::min(2 * peer.gap, kLongestGap);
      peer.token = random_token();
      message.kind = kOfferKind;
      message.fields = peer.token + listener_.name();
    }
    try {
      inner_->send(from, std::move(message));
    } catch (const Error& error) {
      if (error.status() != Status::not_found && error.status() != Status::stopped) throw;
    }
  }

  void take_offer(const NodeName& from, const Message& message) {
    if (message.fields.size() <= kLinkTokenBytes) return;
    const std::string listener = message.fields.substr(kLinkTokenBytes);
    const auto link =
        LinkSender::connect(listener, message.fields.substr(0, kLinkTokenBytes), limits_, wake_);
    if (!link) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known = peers_.find(from);
    if (known == peers_.end() || !known->second.is_near || stopping_) return;
    std::shared_ptr<LinkSender>& place = senders_[from];
    if (place) retire(place);
    place = link;
    wake_->signal();
  }

  // With the lock.
  void retire(const std::shared_ptr<LinkSender>& link) {
    SharedCounters::add(counters_.unsent_messages, link->close());
    ended_senders_.push_back(link);
    wake_->signal();
  }
  using Receivers = std::map<NodeName, std::shared_ptr<LinkReceiver>>;
  Receivers::iterator end_receiver(Receivers::iterator at) {
    at->second->say_end();
    if (at->second->waits()) ended_receivers_.push_back(at->second);
    wake_->signal();
    return receivers_.erase(at);
  }
  void end_links(const NodeName& name) {
    const auto sender = senders_.find(name);
    if (sender != senders_.end()) {
      retire(sender->second);
      senders_.erase(sender);
    }
    const auto receiver = receivers_.find(name);
    if (receiver != receivers_.end()) end_receiver(receiver);
  }

  // Without the lock.
  void end_sender(const NodeName& name, const std::shared_ptr<LinkSender>& link) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto at = senders_.find(name);
    if (at == senders_.end() || at->second != link) return;
    retire(link);
    senders_.erase(at);
  }

  void run();
  bool may_end();
  Watched watched();
  void wait(const Watched& watched);
  void attend(const NodeName& name, const std::shared_ptr<LinkSender>& link);
  void accept_newcomers(LinkTime now);
  void attend_all(const Watched& watched);
  void read_some(const NodeName& name, const std::shared_ptr<LinkReceiver>& link);
  void end_reading(const NodeName& name, const std::shared_ptr<LinkReceiver>& link, bool is_nonsense);

  const OwnProcess process_;
  const ZeroMqOptions options_;
  const Receive receive_;
  LinkLimits limits_;
  SharedCounters counters_;
  const std::shared_ptr<Wake> wake_ = std::make_shared<Wake>();
  const LinkListener listener_;
  std::atomic<bool> paused_{false};

  std::mutex mutex_;
  std::map<NodeName, Peer> peers_;
  std::map<NodeName, std::shared_ptr<LinkSender>> senders_;
  Receivers receivers_;
  std::vector<std::shared_ptr<LinkSender>> ended_senders_;      // whose payloads peers may have
  std::vector<std::shared_ptr<LinkReceiver>> ended_receivers_;  // that have that to say
  bool stopping_ = false;
  LinkTime stop_by_{};

  // Of the thread.
  std::vector<Newcomer> newcomers_;
  std::vector<pollfd> items_;
  int warnings_ = 0, failures_ = 0;

  std::unique_ptr<Transport> inner_;
  std::mutex stop_mutex_;
  std::atomic<std::thread::id> runner_{};
  std::thread thread_;
};

void LocalTransport::run() {
  runner_.store(std::this_thread::get_id());
  while (!may_end()) {
    try {
      wake_->clear();
      const Watched all = watched();
      wait(all);
      attend_all(all);
    } catch (const std::exception& error) {
      if (++failures_ <= kMostLinkWarnings)
        warn(text("[transport] ", options_.name, ": ", error.what(), "; it goes on"));
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [name, link] : senders_) retire(link);
  senders_.clear();
  receivers_.clear();
  newcomers_.clear();
}

// Once it is stopped: when all has left, or the limit has come.
bool LocalTransport::may_end() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!stopping_) return false;
  if (LinkClock::now() >= stop_by_) return true;
  return std::none_of(senders_.begin(), senders_.end(), [](const auto& one) { return one.second->waits(); });
}

LocalTransport::Watched LocalTransport::watched() {
  Watched all;
  const std::lock_guard<std::mutex> lock(mutex_);
  all.senders.assign(senders_.begin(), senders_.end());
  for (const auto& link : ended_senders_) all.senders.emplace_back(NodeName(), link);
  if (!stopping_) all.receivers.assign(receivers_.begin(), receivers_.end());
  all.ended = ended_receivers_;
  return all;
}

// In the order of attend_all().
void LocalTransport::wait(const Watched& watched) {
  items_.clear();
  bool is_idle = true;
  const auto add = [&](int descriptor, bool reads, bool writes) {
    const int events = (reads ? POLLIN : 0) | (writes ? POLLOUT : 0);
    items_.push_back({descriptor, static_cast<short>(events), 0});
  };
  for (const auto& [name, link] : watched.senders) add(link->descriptor(), true, link->waits());
  // Who has ended is seen while reading is paused, too, and read then: such a link is not waited for.
  for (const auto& [name, link] : watched.receivers) {
    const bool is_paused = paused_;
    add(is_paused && !link->waits() ? -1 : link->descriptor(), !is_paused, link->waits());
    is_idle &= is_paused || !link->has_more();
  }
  for (const auto& link : watched.ended) add(link->descriptor(), false, true);
  add(wake_->descriptor(), true, false);
  add(listener_.descriptor(), true, false);
  for (const Newcomer& one : newcomers_) add(one.link->descriptor(), true, false);
  poll(items_.data(), static_cast<nfds_t>(items_.size()), is_idle ? 1000 : 0);
}

void LocalTransport::attend_all(const Watched& watched) {
  size_t at = 0;
  const auto has_news = [&] { return items_[at++].revents != 0; };
  for (const auto& [name, link] : watched.senders)
    if (has_news()) attend(name, link);
  for (const auto& [name, link] : watched.receivers) {
    if (!has_news() && !link->has_more()) continue;
    if (link->waits()) link->flush();
    read_some(name, link);
  }
  for (const auto& link : watched.ended) {
    if (!has_news()) continue;
    link->flush();
    if (link->waits()) continue;
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_receivers_.erase(std::remove(ended_receivers_.begin(), ended_receivers_.end(), link),
                           ended_receivers_.end());
  }
  ++at;  // what woke it is cleared before it looks again
  if (has_news() || !newcomers_.empty()) accept_newcomers(LinkClock::now());
}

// Without a name: one that has ended.
void LocalTransport::attend(const NodeName& name, const std::shared_ptr<LinkSender>& link) {
  const bool lives = link->attend();
  if (!name.empty()) {
    if (link->is_closed()) end_sender(name, link);
  } else if (!lives) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_senders_.erase(std::remove(ended_senders_.begin(), ended_senders_.end(), link),
                         ended_senders_.end());
  }
}

void LocalTransport::accept_newcomers(LinkTime now) {
  while (listener_.is_open() && newcomers_.size() < kMostNewcomers) {
    const int descriptor = listener_.accept_one();
    if (descriptor < 0) break;
    newcomers_.push_back({std::make_shared<LinkReceiver>(descriptor, limits_, wake_), now});
  }
  for (auto one = newcomers_.begin(); one != newcomers_.end();) {
    LinkToken token;
    const bool has_come = one->link->read_token(&token);
    if (!has_come && now - one->since < kNewcomerLimit) {
      ++one;
      continue;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto peer = std::find_if(peers_.begin(), peers_.end(), [&](const auto& known) {
      return has_come && !token.empty() && known.second.token == token;
    });
    if (peer != peers_.end()) {
      const auto older = receivers_.find(peer->first);
      if (older != receivers_.end()) end_receiver(older);
      receivers_[peer->first] = one->link;
      peer->second.token.clear();
      peer->second.gap = kFirstGap;
      peer->second.linked = now;
      wake_->signal();
    } else {
      SharedCounters::add(counters_.refused_connections, 1);
    }
    one = newcomers_.erase(one);
  }
}

// Until the others have their turn.
void LocalTransport::read_some(const NodeName& name, const std::shared_ptr<LinkReceiver>& link) {
  for (int i = 0; i < kTurnPackets && !paused_; ++i) {
    Message message;
    switch (link->read(&message)) {
      case LinkReceiver::Got::nothing: return;
      case LinkReceiver::Got::ended: return end_reading(name, link, false);
      case LinkReceiver::Got::nonsense: return end_reading(name, link, true);
      case LinkReceiver::Got::message: break;
    }
    deliver(receive_, name, std::move(message), &counters_);
  }
}

void LocalTransport::end_reading(const NodeName& name, const std::shared_ptr<LinkReceiver>& link,
                                 bool is_nonsense) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto at = receivers_.find(name);
    if (at != receivers_.end() && at->second == link) end_receiver(at);
  }
  if (!is_nonsense) return;
  SharedCounters::add(counters_.cut_connections, 1);
  if (++warnings_ <= kMostLinkWarnings)
    warn(text("[transport] ", options_.name, " cut the link of ", name, ", which sent no message"));
}

}  // namespace

std::unique_ptr<Transport> open_zeromq_with_links(const ZeroMqOptions& options, Receive receive) {
  return std::make_unique<LocalTransport>(options, std::move(receive));
}

#else

std::unique_ptr<Transport> open_zeromq_with_links(const ZeroMqOptions& options, Receive receive) {
  return open_zeromq(options, std::move(receive));
}

#endif

}  // namespace mixgrad::net
