// The transport over ZeroMQ: one thread does all work with sockets, others leave their wishes in a queue.
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/service_thread.h"
#include "base/warning.h"
#include "net/listening_port.h"
#include "net/own_process.h"
#include "net/piece.h"
#include "net/zeromq.h"
#include "net/zeromq_inbound.h"
#include "net/zeromq_outbound.h"

namespace mixgrad::net {
namespace {

constexpr char kWhoZmq[] = "zeromq";
constexpr int kTurnPieces = 16, kTurnMessages = 64;  // until the others have their turn
constexpr size_t kLeastWindow = 64 << 10;            // of a peer, however many there are
constexpr std::chrono::seconds kLookAfterPeers{1}, kLookAfterConnections{30};
constexpr int kMostFailureWarnings = 10;

using Time = std::chrono::steady_clock::time_point;

void check_zmq_options(const ZeroMqOptions& options) {
  check_node_name(options.name, kWhoZmq);
  const auto refuse = [&](const auto&... why) { fail(Status::invalid_argument, '[', kWhoZmq, "] ", why...); };
  if (options.listen.host.empty()) refuse("got no host to listen at; expected an address of this machine");
  if (options.listen.is_everywhere() && !options.everywhere) {
    refuse("got ", options.listen,
           " to listen at, which stands for all interfaces; expected the address of one, or that ",
           "`everywhere` is set");
  }
  if (options.keys.empty() && !options.listen.is_loopback()) {
    refuse("got ", options.listen,
           " to listen at and no keys; expected 127.0.0.1, or keys as `mixgrad keys` makes them");
  }
  if (options.keys.empty() != options.keys.public_key.empty())
    refuse("got one key of a pair; expected a public and a secret one, or none");
  if (options.piece_bytes < kMaxInlineBytes || options.piece_bytes > kMaxPieceBytes) {
    refuse("got pieces of ", options.piece_bytes, " bytes; expected ", kMaxInlineBytes, " to ",
           kMaxPieceBytes);
  }
  if (options.window_bytes == 0) refuse("got a window of 0 bytes; expected one or more");
  for (const double seconds : {options.silence_seconds, options.handshake_seconds, options.absence_seconds}) {
    if (!(seconds >= 0.01 && seconds <= 1e6)) refuse("got a limit of ", seconds, " s; expected 0.01 to 1e6");
  }
  if (!(options.stop_seconds >= 0 && options.stop_seconds <= 1e6))
    refuse("got stop_seconds ", options.stop_seconds, "; expected 0 to 1e6");
  if (options.io_threads < 1 || options.io_threads > 64)
    refuse("got ", options.io_threads, " I/O threads; expected 1 to 64");
  if (!options.keys.empty() && !zmq().has("curve"))
    fail(Status::unsupported, '[', kWhoZmq, "] libzmq was built without CURVE; expected one with libsodium");
}

// What other threads wish.
struct Wish {
  enum Kind { send, peer, forget } kind;
  NodeName name;
  Message message;                  // send
  std::shared_ptr<QueueLoad> load;  // send, peer
  Address address;                  // peer
  PublicKey key;
};

// What the thread works with. Made by who opens the transport, then the thread's alone.
struct Sockets {
  const std::shared_ptr<Wake> wake = std::make_shared<Wake>();
  ZmqContext context;
  ZmqGate gate;
  ZmqInbound inbound;
  ListeningPort port;
  std::map<NodeName, std::unique_ptr<ZmqOutbound>> outbound;

  Sockets(const ZeroMqOptions& options, SharedCounters* counters)
      : context(options.io_threads),
        gate(context, !options.keys.empty(), counters),
        inbound(context, options, &gate, counters),
        port(inbound.address().port) {}
};

class ZmqTransport final : public Transport {
 public:
  ZmqTransport(const ZeroMqOptions& options, Receive receive)
      : options_(options),
        receive_(std::move(receive)),
        sockets_(std::make_unique<Sockets>(options_, &counters_)),
        wake_(sockets_->wake),
        address_(sockets_->inbound.address()) {
    thread_ = service_thread(kWhoZmq, [this] { run(); });
  }

  ~ZmqTransport() override {
    if (process_.here()) {
      stop(options_.stop_seconds);
    } else {
      // The parent's: nobody here may touch them. Nor may the counters, which they refer to, be used.
      new std::thread(std::move(thread_));
      sockets_.release();
    }
  }

  const NodeName& name() const override { return options_.name; }
  const Address& address() const override { return address_; }
  TransportCounters counters() const override { return counters_.now(); }

  void send(const NodeName& to, Message message) override {
    process_.check(kWhoZmq);
    check_message(message, options_.assembly.message_bytes, kWhoZmq);
    const size_t bytes = bytes_of(message);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (stopping_) fail(Status::stopped, '[', kWhoZmq, "] got a message for ", to, " after it was stopped");
      std::shared_ptr<QueueLoad> load;
      if (to != options_.name) {
        const auto found = peers_.find(to);
        if (found == peers_.end())
          fail(Status::not_found, '[', kWhoZmq, "] knows no node ", to, "; expected set_peer before");
        load = found->second;
        if (load->messages.load() >= options_.queue_messages ||
            bytes > options_.queue_bytes - std::min(load->bytes.load(), options_.queue_bytes)) {
          SharedCounters::add(counters_.unsent_messages, 1);
          return;
        }
        load->messages.fetch_add(1);
        load->bytes.fetch_add(bytes);
      }
      wishes_.push_back({Wish::send, to, std::move(message), std::move(load), Address(), PublicKey()});
    }
    wake();
  }

  void set_peer(const NodeName& name, const Address& address, const PublicKey& key) override {
    process_.check(kWhoZmq);
    check_node_name(name, kWhoZmq);
    if (!address.host.empty() && address.port == 0) {
      fail(Status::invalid_argument, '[', kWhoZmq, "] got ", address, " as the address of ", name,
           "; expected a port from 1 to 65535");
    }
    if (options_.keys.empty()) {
      if (!key.empty()) {
        fail(Status::invalid_argument, '[', kWhoZmq, "] got a key for ", name,
             " and has none itself; expected ", "`keys` in the options, too");
      }
      if (!address.host.empty() && !address.is_loopback()) {
        fail(Status::invalid_argument, '[', kWhoZmq, "] got ", address, " for ", name,
             " and no keys; expected 127.0.0.1, or keys as `mixgrad keys` makes them");
      }
    } else if (key.empty()) {
      fail(Status::invalid_argument, '[', kWhoZmq, "] got no key for ", name, "; expected its public key");
    }
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      std::shared_ptr<QueueLoad>& load = peers_[name];
      if (!load) load = std::make_shared<QueueLoad>();
      wishes_.push_back({Wish::peer, name, Message(), load, address, key});
    }
    wake();
  }

  void forget_peer(const NodeName& name) override {
    process_.check(kWhoZmq);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (peers_.erase(name) == 0) return;
      wishes_.push_back({Wish::forget, name, Message(), nullptr, Address(), PublicKey()});
    }
    wake();
  }

  void pause(bool paused) override {
    process_.check(kWhoZmq);
    paused_.store(paused);
    if (!paused) wake();
  }

  void stop(double limit_seconds) override {
    process_.check(kWhoZmq);
    if (std::this_thread::get_id() == runner_.load())
      fail(Status::invalid_argument, '[', kWhoZmq,
           "] got stop() in its own receiver; expected another thread");
    const std::lock_guard<std::mutex> one(stop_mutex_);
    if (!thread_.joinable()) return;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stopping_ = true;
      stop_by_ = std::chrono::steady_clock::now() +
                 std::chrono::milliseconds(static_cast<int64_t>(limit_seconds * 1000));
    }
    wake_->signal();
    thread_.join();
  }

 private:
  void wake() {
    // The thread itself looks at the queue before it waits.
    if (std::this_thread::get_id() != runner_.load()) wake_->signal();
  }

  void run();
  bool turn(Time now);
  void wait(bool busy);
  void grant(std::vector<Wish>* wishes, Time now);
  void set_peer_now(const Wish& wish, Time now);
  void look_after(Time now);
  bool may_end(Time now);

  const OwnProcess process_;
  const ZeroMqOptions options_;
  const Receive receive_;
  SharedCounters counters_;
  std::unique_ptr<Sockets> sockets_;
  const std::shared_ptr<Wake> wake_;
  const Address address_;

  std::mutex mutex_;
  std::vector<Wish> wishes_;
  std::map<NodeName, std::shared_ptr<QueueLoad>> peers_;
  std::atomic<bool> stopping_{false};  // written under the mutex
  std::atomic<bool> paused_{false};
  Time stop_by_{};

  // Of the thread.
  std::vector<Wish> granted_;
  std::vector<ZmqPollItem> items_;
  std::vector<ZmqOutbound*> blocked_;
  Time looked_at_peers_{}, looked_at_connections_{};
  int failures_ = 0;

  std::mutex stop_mutex_;
  std::atomic<std::thread::id> runner_{};
  std::thread thread_;
};

void ZmqTransport::run() {
  runner_.store(std::this_thread::get_id());
  Time now = std::chrono::steady_clock::now();
  looked_at_peers_ = looked_at_connections_ = now;
  while (!may_end(now)) {
    try {
      const bool busy = turn(now);
      wait(busy);
    } catch (const std::exception& error) {
      if (++failures_ <= kMostFailureWarnings)
        warn(text("[zeromq] ", options_.name, ": ", error.what(), "; it goes on"));
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    now = std::chrono::steady_clock::now();
  }
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(stop_by_ - now).count();
  for (const auto& outbound : sockets_->outbound)
    outbound.second->set_linger(static_cast<int>(std::max<int64_t>(left, 0)));
  sockets_.reset();
  for (const Wish& wish : wishes_) {
    if (wish.kind == Wish::send) SharedCounters::add(counters_.unsent_messages, 1);
  }
  wishes_.clear();  // owners of payloads end with the thread, not later
}

// True if there is more to do at once.
bool ZmqTransport::turn(Time now) {
  wake_->clear();
  // Taken before the wishes: who was made known before a peer connected is known when that is answered.
  const bool asked = sockets_->gate.take_question();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    granted_.swap(wishes_);
  }
  grant(&granted_, now);
  if (asked) sockets_->gate.answer(now);
  look_after(now);
  bool busy = asked;
  // The peers share one link, so what is urgent for one waits behind what all of them have before it.
  size_t sharing = 0;
  for (const auto& outbound : sockets_->outbound) sharing += !outbound.second->idle();
  const size_t share = options_.window_bytes / std::max(sharing, size_t{1});
  const size_t window = std::min(options_.window_bytes, std::max(share, kLeastWindow));
  for (const auto& outbound : sockets_->outbound) busy |= outbound.second->pump(kTurnPieces, window);
  if (!stopping_) busy |= sockets_->inbound.take(kTurnMessages, receive_, paused_);
  const std::lock_guard<std::mutex> lock(mutex_);
  return busy || !wishes_.empty();
}

void ZmqTransport::grant(std::vector<Wish>* wishes, Time now) {
  for (Wish& wish : *wishes) {
    const auto found = sockets_->outbound.find(wish.name);
    switch (wish.kind) {
      case Wish::peer: set_peer_now(wish, now); break;
      case Wish::forget:
        sockets_->gate.forget(wish.name);
        sockets_->inbound.forget(wish.name);
        if (found != sockets_->outbound.end()) sockets_->outbound.erase(found);
        break;
      case Wish::send:
        if (wish.name == options_.name) {
          counters_.count_sent(bytes_of(wish.message));
          deliver(receive_, options_.name, std::move(wish.message), &counters_);
        } else if (found != sockets_->outbound.end()) {
          found->second->push(std::move(wish.message), now);
        } else {
          SharedCounters::add(counters_.unsent_messages, 1);
        }
        break;
    }
  }
  wishes->clear();
}

void ZmqTransport::set_peer_now(const Wish& wish, Time now) {
  std::unique_ptr<ZmqOutbound>& outbound = sockets_->outbound[wish.name];
  if (!outbound)
    outbound =
        std::make_unique<ZmqOutbound>(sockets_->context, options_, wish.name, wish.load, wake_, &counters_);
  if (!wish.key.empty()) {
    const NodeName* const known = sockets_->gate.name_of(wish.key);
    if (!known || *known != wish.name) {
      sockets_->inbound.forget(wish.name);  // its older key's
      sockets_->gate.allow(wish.key, wish.name);
    }
  }
  outbound->set_address(wish.address, wish.key, now);
}

void ZmqTransport::look_after(Time now) {
  if (now - looked_at_peers_ >= kLookAfterPeers) {
    looked_at_peers_ = now;
    for (const auto& outbound : sockets_->outbound) outbound.second->look_after(now);
  }
  if (now - looked_at_connections_ >= kLookAfterConnections) {
    looked_at_connections_ = now;
    sockets_->inbound.look_after();
  }
}

void ZmqTransport::wait(bool busy) {
  items_.clear();
  blocked_.clear();
  items_.push_back({nullptr, wake_->descriptor(), kZmqPollIn, 0});
  items_.push_back({sockets_->inbound.monitor_socket(), 0, kZmqPollIn, 0});
  if (!stopping_ && !paused_) items_.push_back({sockets_->inbound.socket(), 0, kZmqPollIn, 0});
  if (sockets_->gate.socket()) items_.push_back({sockets_->gate.socket(), 0, kZmqPollIn, 0});
  const size_t first_blocked = items_.size();
  for (const auto& outbound : sockets_->outbound) {
    if (void* const socket = outbound.second->blocked_socket()) {
      items_.push_back({socket, 0, kZmqPollOut, 0});
      blocked_.push_back(outbound.second.get());
    }
  }
  const long limit = busy ? 0 : stopping_ ? 10 : 1000;
  if (zmq().poll(items_.data(), static_cast<int>(items_.size()), limit) <= 0) return;
  if (items_[1].occurred) sockets_->inbound.read_events();
  for (size_t i = first_blocked; i < items_.size(); ++i) {
    if (items_[i].occurred) blocked_[i - first_blocked]->unblock();
  }
}

// Once it is stopped: when all has left, or the limit has come.
bool ZmqTransport::may_end(Time now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!stopping_) return false;
  if (now >= stop_by_) return true;
  if (!wishes_.empty()) return false;
  for (const auto& outbound : sockets_->outbound) {
    if (!outbound.second->idle()) return false;
  }
  return true;
}

}  // namespace

std::unique_ptr<Transport> open_zeromq(const ZeroMqOptions& options, Receive receive) {
  check_zmq_options(options);
  return std::make_unique<ZmqTransport>(options, std::move(receive));
}

KeyPair make_key_pair() {
  char public_key[kKeyCharacters + 1], secret_key[kKeyCharacters + 1];
  if (zmq().curve_keypair(public_key, secret_key) != 0)
    fail(Status::unsupported, '[', kWhoZmq, "] libzmq was built without CURVE; expected one with libsodium");
  KeyPair pair;
  pair.public_key = parse_public_key({public_key, kKeyCharacters}, kWhoZmq);
  pair.secret_key = parse_secret_key({secret_key, kKeyCharacters}, kWhoZmq);
  volatile char* const wiped = secret_key;
  for (size_t i = 0; i < kKeyCharacters; ++i) wiped[i] = 0;
  return pair;
}

}  // namespace mixgrad::net
