#include "net/zeromq_socket.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace mixgrad::net {
namespace {

Status status_of(int error) {
  switch (error) {
    case EMFILE:
    case ENFILE:
    case ENOMEM: return Status::out_of_memory;
    case EINVAL:
    case ENODEV:
    case EADDRINUSE:
    case EADDRNOTAVAIL: return Status::invalid_argument;
    default: return Status::io;
  }
}

}  // namespace

void fail_zmq(const std::string& what) {
  const int error = zmq().error();
  fail(status_of(error), "[zeromq] cannot ", what, ": ", zmq().error_text(error));
}

Frame::Frame(const std::string& copied) {
  if (zmq().msg_init_size(&message_, copied.size()) != 0) {
    zmq().msg_init(&message_);
    fail_zmq("take memory for a frame");
  }
  std::memcpy(zmq().msg_data(&message_), copied.data(), copied.size());
}

ZmqContext::ZmqContext(int io_threads) : context_(zmq().ctx_new()) {
  if (!context_) fail_zmq("make a context");
  zmq().ctx_set(context_, kZmqIoThreads, io_threads);
  zmq().ctx_set(context_, kZmqMaxSockets, 1 << 15);
}

ZmqContext::~ZmqContext() {
  while (zmq().ctx_term(context_) != 0 && zmq().error() == EINTR) {
  }
}

ZmqSocket::ZmqSocket(const ZmqContext& context, ZmqSocketType type)
    : socket_(zmq().socket(context.get(), type)) {
  if (!socket_) fail_zmq("make a socket");
}

ZmqSocket::~ZmqSocket() {
  // In this order: ZeroMQ's threads would wait for ever for somebody to take their events.
  if (watcher_) zmq().socket_monitor(socket_, nullptr, 0);
  watcher_.reset();
  zmq().close(socket_);
}

void ZmqSocket::set(ZmqOption option, int value) { set_bytes(option, &value, sizeof value); }
void ZmqSocket::set_int64(ZmqOption option, int64_t value) { set_bytes(option, &value, sizeof value); }

void ZmqSocket::set_bytes(ZmqOption option, const void* data, size_t bytes) {
  if (zmq().setsockopt(socket_, option, data, bytes) != 0)
    fail_zmq(text("set option ", static_cast<int>(option)));
}

void ZmqSocket::expect_life(double silence_seconds) {
  constexpr int kProbes = 3;
  const int part = std::max(1, static_cast<int>(silence_seconds / (kProbes + 1)));
  set(kZmqKeepAlive, 1);
  set(kZmqKeepAliveIdleS, part);
  set(kZmqKeepAliveIntervalS, part);
  set(kZmqKeepAliveCount, kProbes);
}

void ZmqSocket::bind(const std::string& endpoint) {
  if (zmq().bind(socket_, endpoint.c_str()) != 0) fail_zmq("listen at " + endpoint);
}

void ZmqSocket::connect(const std::string& endpoint) {
  if (zmq().connect(socket_, endpoint.c_str()) != 0) fail_zmq("connect to " + endpoint);
}

std::string ZmqSocket::last_endpoint() const {
  char endpoint[256];
  size_t bytes = sizeof endpoint;
  if (zmq().getsockopt(socket_, kZmqLastEndpoint, endpoint, &bytes) != 0) fail_zmq("tell where it listens");
  return endpoint;
}

void ZmqSocket::watch(const ZmqContext& context, const std::string& name, int events) {
  const std::string endpoint = "inproc://" + name;
  auto watcher = std::make_unique<ZmqSocket>(context, kZmqPair);
  watcher->set(kZmqLinger, 0);
  watcher->set(kZmqReceiveLimit, 0);  // with a limit ZeroMQ's thread would wait, and all connections with it
  if (zmq().socket_monitor(socket_, endpoint.c_str(), events) != 0) fail_zmq("watch a socket");
  watcher_ = std::move(watcher);
  watcher_->connect(endpoint);
}

int ZmqSocket::next_event(int* value) {
  Frame event;
  if (!watcher_->receive(&event)) return 0;
  uint16_t number = 0;
  if (event.bytes() >= sizeof number) std::memcpy(&number, event.data(), sizeof number);
  int32_t said = -1;
  if (event.bytes() >= sizeof number + sizeof said)
    std::memcpy(&said, static_cast<const char*>(event.data()) + sizeof number, sizeof said);
  if (value) *value = said;
  watcher_->skip_rest(event);
  return number;
}

bool ZmqSocket::send(Frame* frame, bool more) {
  for (;;) {
    if (zmq().msg_send(frame->get(), socket_, kZmqDontWait | (more ? kZmqSendMore : 0)) >= 0) return true;
    if (zmq().error() == EAGAIN) return false;
    if (zmq().error() != EINTR) fail_zmq("send");
  }
}

bool ZmqSocket::receive(Frame* frame) {
  for (;;) {
    if (zmq().msg_recv(frame->get(), socket_, kZmqDontWait) >= 0) return true;
    if (zmq().error() == EAGAIN) return false;
    if (zmq().error() != EINTR) fail_zmq("receive");
  }
}

void ZmqSocket::skip_rest(const Frame& last) {
  for (bool more = last.has_more(); more;) {
    Frame next;
    if (!receive(&next)) return;
    more = next.has_more();
  }
}

}  // namespace mixgrad::net
