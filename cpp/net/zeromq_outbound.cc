#include "net/zeromq_outbound.h"

#include <algorithm>

#include "base/error.h"
#include "net/listening_port.h"
#include "net/piece.h"

namespace mixgrad::net {
namespace {

constexpr size_t kLargestCopiedHead = 1024;
constexpr std::chrono::seconds kAttemptLimit{
    8};  // for a socket to connect, which tries again by itself meanwhile

constexpr size_t kMostUnsent = 256 << 10;  // bytes that the system takes before the network can

// What a frame that is not copied keeps until it has left. Made by the transport's thread, ended by one of ZeroMQ's.
struct SentBytes {
  Payload payload;
  std::shared_ptr<const void> departure;
  std::shared_ptr<const std::string> head;
  std::shared_ptr<SendWindow> window;
  size_t bytes;
  std::atomic<bool> made{false};  // what the other thread sees first, so that it sees the rest
  SentBytes(std::shared_ptr<const std::string> text, std::shared_ptr<SendWindow> from)
      : head(std::move(text)), window(std::move(from)), bytes(head->size()) {
    begin();
  }
  SentBytes(const Piece& piece, std::shared_ptr<SendWindow> from)
      : payload(piece.body), departure(piece.departure), window(std::move(from)), bytes(piece.body.bytes) {
    begin();
  }
  void begin() {
    window->bytes.fetch_add(bytes);
    made.store(true, std::memory_order_release);
  }
  ~SentBytes() {
    if (!made.load(std::memory_order_acquire)) return;
    payload = Payload();  // before the window: what waits for that may expect its owners to be free
    departure = nullptr;
    window->give_back(bytes);
  }
};

int milliseconds_of(double seconds) { return std::max(1, static_cast<int>(seconds * 1000)); }

}  // namespace

void SendWindow::give_back(size_t count) {
  left.fetch_add(count);
  const size_t held = bytes.fetch_sub(count) - count;
  if (held * 2 <= limit.load() && awaited.exchange(false)) wake->signal();
}

ZmqOutbound::ZmqOutbound(const ZmqContext& context, const ZeroMqOptions& options, const NodeName& peer,
                         std::shared_ptr<QueueLoad> load, std::shared_ptr<Wake> wake,
                         SharedCounters* counters)
    : context_(context),
      options_(options),
      peer_(peer),
      load_(std::move(load)),
      window_(std::make_shared<SendWindow>(std::move(wake))),
      counters_(counters),
      outbox_(options.name, peer) {
  window_->limit.store(options.window_bytes);
}

ZmqOutbound::~ZmqOutbound() { drop_all(); }

void ZmqOutbound::set_address(const Address& address, const PublicKey& key, Time now) {
  if (address == address_ && key == key_) return;
  address_ = address;
  key_ = key;
  close();
  if (!address_.host.empty()) open(now);
}

void ZmqOutbound::push(Message message, Time now) {
  if (outbox_.empty() && !pending_) moved_ = now;
  outbox_.push(std::move(message));
}

void ZmqOutbound::open(Time now) {
  attempt_ = now;
  auto socket = std::make_unique<ZmqSocket>(context_, kZmqDealer);
  socket->set(kZmqLinger, 0);
  // Nothing is handed over before there is a connection, and what it held ends with it: pieces of two never mix.
  socket->set(kZmqImmediate, 1);
  socket->set(kZmqSendLimit, 256);
  socket->set(kZmqReceiveLimit, 1);
  socket->set_int64(kZmqMaxMessageBytes, 4096);  // nothing comes this way but commands of ZeroMQ
  socket->set(kZmqReconnectMs, 50);
  socket->set(kZmqReconnectMaxMs, 1000);
  socket->set(kZmqConnectTimeoutMs, 5000);
  socket->set(kZmqHandshakeMs, milliseconds_of(options_.handshake_seconds));
  socket->expect_life(options_.silence_seconds);
  if (address_.host.find_first_not_of("0123456789.") != std::string::npos) socket->set(kZmqIpv6, 1);
  if (!options_.keys.empty()) {
    socket->set_bytes(kZmqCurveServerKey, key_.bytes.data(), kKeyBytes);
    socket->set_bytes(kZmqCurvePublicKey, options_.keys.public_key.bytes.data(), kKeyBytes);
    socket->set_bytes(kZmqCurveSecretKey, options_.keys.secret_key.bytes.data(), kKeyBytes);
  }
  socket->watch(context_, text("outbound.", peer_, '.', ++opened_),
                kZmqConnected | kZmqDisconnected | kZmqHandshakeSucceeded | kZmqAnyHandshakeFailure);
  Address at = address_;
  if (at.host == "localhost") at.host = "127.0.0.1";
  socket->connect("tcp://" + at.str());
  socket_ = std::move(socket);
}

void ZmqOutbound::close() {
  socket_.reset();
  connected_ = refused_ = blocked_ = false;
  pace_ = SendPace();
  descriptor_ = -1;
  // Pieces of what has begun are no use to the next connection.
  if (pending_ && !(pending_->first && pending_->last)) {
    if (pending_->last) {
      SharedCounters::add(counters_->unsent_messages, 1);
      load_->messages.fetch_sub(1);
      load_->bytes.fetch_sub(pending_->message_bytes);
    }
    pending_.reset();
  }
  outbox_.restart_begun();
}

void ZmqOutbound::read_events(Time now) {
  while (socket_) {
    int descriptor = -1;
    const int event = socket_->next_event(&descriptor);
    if (event == 0) return;
    if (event == kZmqConnected) {
      descriptor_ = descriptor;
      system_limit_ = 0;
      limit_system(kMostUnsent);
    } else if (event == kZmqHandshakeSucceeded) {
      connected_ = true;
    } else if (event & kZmqAnyHandshakeFailure) {
      refused_ = true;
    } else if (event == kZmqDisconnected && connected_) {
      // A new socket: this one may have made its next connection already, and taken pieces for it.
      close();
      open(now);
      return;
    }
  }
}

// ZeroMQ may have closed the connection meanwhile: then another one to this port, at worst, gets the limit.
void ZmqOutbound::limit_system(size_t bytes) {
  bytes = std::min(bytes, kMostUnsent);
  if (descriptor_ < 0 || (bytes <= system_limit_ && bytes * 2 > system_limit_)) return;
  system_limit_ = bytes;
  limit_unsent(descriptor_, address_.port, static_cast<int>(bytes));
}

bool ZmqOutbound::send_pending() {
  Piece& piece = *pending_;
  const bool more = piece.body.bytes > 0;
  bool sent;
  if (piece.head.size() <= kLargestCopiedHead) {
    Frame head(piece.head);
    sent = socket_->send(&head, more);
  } else {
    const auto kept = std::make_shared<const std::string>(piece.head);
    Frame head(kept->data(), kept->size(), new SentBytes(kept, window_));
    sent = socket_->send(&head, more);
  }
  if (sent && more) {
    Frame body(piece.body.data, piece.body.bytes, new SentBytes(piece, window_));
    sent = socket_->send(&body, false);
  }
  if (!sent) {
    blocked_ = true;
    return false;
  }
  if (piece.last) {
    counters_->count_sent(piece.message_bytes);
    load_->messages.fetch_sub(1);
    load_->bytes.fetch_sub(piece.message_bytes);
  }
  pending_.reset();
  return true;
}

bool ZmqOutbound::pump(int pieces, size_t window_bytes) {
  if (!socket_ || blocked_ || (outbox_.empty() && !pending_)) return false;
  const Time now = std::chrono::steady_clock::now();
  pace_.note(now, window_->left.load(), false);
  window_bytes = std::min(window_bytes, pace_.limit());
  limit_system(window_bytes);
  const bool busy = hand_over(pieces, window_bytes, now);
  pace_.note(now, window_->left.load(), !busy && (pending_ || !outbox_.empty()));
  return busy;
}

bool ZmqOutbound::hand_over(int pieces, size_t window_bytes, Time now) {
  window_->limit.store(window_bytes);
  const size_t piece_bytes = std::min(options_.piece_bytes, std::max(window_bytes / 2, kMaxInlineBytes));
  for (; pieces > 0 && (pending_ || !outbox_.empty()); --pieces) {
    if (window_->bytes.load() >= window_bytes) {
      window_->awaited.store(true);
      // It may have become free before anybody knew that it is awaited.
      if (window_->bytes.load() * 2 > window_bytes || !window_->awaited.exchange(false)) return false;
    }
    if (!pending_) {
      auto next = std::make_unique<Piece>(outbox_.next(piece_bytes));
      pending_ = std::move(next);
      if (!pending_->first) read_events(now);
      if (!pending_) return false;
    }
    if (!send_pending()) return false;
    moved_ = now;
  }
  return pending_ || !outbox_.empty();
}

void ZmqOutbound::look_after(Time now) {
  if (!socket_) {
    if (!address_.host.empty()) open(now);
  } else {
    read_events(now);
    // Some refusals end a socket's attempts for good.
    if (refused_ || (!connected_ && now - attempt_ > kAttemptLimit)) {
      close();
      open(now);
    }
  }
  const bool waits = pending_ || !outbox_.empty() || window_->bytes.load() > 0;
  if (!waits) moved_ = now;
  if (now - moved_ <= std::chrono::duration<double>(options_.absence_seconds)) return;
  drop_all();
  moved_ = now;
  if (socket_) {
    close();
    open(now);
  }
}

void ZmqOutbound::set_linger(int milliseconds) {
  if (socket_) socket_->set(kZmqLinger, milliseconds);
}

void ZmqOutbound::drop_all() {
  const bool last = pending_ && pending_->last;
  const size_t messages = outbox_.messages() + (last ? 1 : 0);
  const size_t bytes = outbox_.bytes() + (last ? pending_->message_bytes : 0);
  pending_.reset();
  outbox_.clear();
  load_->messages.fetch_sub(messages);
  load_->bytes.fetch_sub(bytes);
  SharedCounters::add(counters_->unsent_messages, messages);
}

}  // namespace mixgrad::net
