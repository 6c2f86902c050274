// The listener of links, and the side of a link that sends.
#include <cerrno>
#include <cstring>
#include <random>

#include "base/error.h"
#include "device/shared_memory.h"
#include "net/local_link.h"
#include "net/local_packet.h"

#if defined(__linux__)
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#endif

namespace mixgrad::net {

#if defined(__linux__)
namespace {

constexpr int kBacklog = 64;
constexpr size_t kMostWords = 512;  // of a packet that gives loans back

// A name without file: it goes with its socket.
socklen_t link_address(const std::string& name, sockaddr_un* address) {
  *address = {};
  address->sun_family = AF_UNIX;
  const size_t bytes = std::min(name.size(), sizeof address->sun_path - 1);
  std::memcpy(address->sun_path + 1, name.data(), bytes);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + bytes);
}

int link_socket() {
  const int descriptor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  const int bytes = 4 << 20;  // as much as the system lets it have
  setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  return descriptor;
}

bool is_of_this_user(int descriptor) {
  ucred peer{};
  socklen_t bytes = sizeof peer;
  return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.uid == geteuid();
}

std::string random_link_name() {
  std::random_device random;
  std::string name = "mixgrad-";
  for (int i = 0; i < 32; ++i) name += "0123456789abcdef"[random() % 16];
  return name;
}

int listening_link(const std::string& name) {
  const int descriptor = link_socket();
  if (descriptor < 0) return -1;
  sockaddr_un address;
  const socklen_t bytes = link_address(name, &address);
  if (bind(descriptor, reinterpret_cast<sockaddr*>(&address), bytes) == 0 &&
      listen(descriptor, kBacklog) == 0)
    return descriptor;
  ::close(descriptor);
  return -1;
}

}  // namespace

LinkListener::LinkListener() : name_(random_link_name()), descriptor_(listening_link(name_)) {}

int LinkListener::accept_one() const {
  for (;;) {
    const int descriptor = accept4(descriptor_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0 || is_of_this_user(descriptor)) return descriptor;
    ::close(descriptor);
  }
}

std::shared_ptr<LinkSender> LinkSender::connect(const std::string& listener, const LinkToken& token,
                                                const LinkLimits& limits, std::shared_ptr<Wake> wake) {
  const int descriptor = link_socket();
  if (descriptor < 0) return nullptr;
  const auto link = std::make_shared<LinkSender>(descriptor, limits, std::move(wake));
  sockaddr_un address;
  const socklen_t bytes = link_address(listener, &address);
  if (::connect(descriptor, reinterpret_cast<sockaddr*>(&address), bytes) != 0) return nullptr;
  if (!is_of_this_user(descriptor)) return nullptr;
  const std::string first =
      std::string(reinterpret_cast<const char*>(&kPacketMark), sizeof kPacketMark) + token;
  const ssize_t sent = ::send(descriptor, first.data(), first.size(), MSG_NOSIGNAL);
  return sent == static_cast<ssize_t>(first.size()) ? link : nullptr;
}

LinkSender::Sent LinkSender::send(Message* message) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (closed_.load()) return Sent::broken;
  if (waiting_.size() >= limits_.queue_messages) return Sent::full;
  bool no_room = false;
  const uint64_t loan = lend(message, &no_room);
  if (no_room) return Sent::no_room;
  const Written written = waiting_.empty() ? write(*message, loan) : Written::later;
  if (written == Written::no) {
    closed_.store(true);
    lent_.erase(loan);
    return Sent::broken;
  }
  if (written == Written::later) {
    const std::pair<int64_t, uint64_t> order(-int64_t{message->priority}, ++pushed_);
    waiting_[order] = {std::move(*message), loan};
    if (!waits_.exchange(true)) wake_->signal();
  }
  return Sent::taken;
}

// Keeps a large payload for the other side, in shared memory: as it lies, or copied there.
uint64_t LinkSender::lend(Message* message, bool* no_room) {
  Payload& payload = message->payload;
  if (payload.bytes < kSmallestShared) return 0;
  if (payload.bytes > limits_.lent_bytes - std::min(lent_bytes_, limits_.lent_bytes)) {
    *no_room = true;
    return 0;
  }
  if (reinterpret_cast<uintptr_t>(payload.data) % 8 != 0 || !shared_contains(payload.data)) {
    const storage::Block block = shared_block(payload.bytes);
    if (!block.data) {
      *no_room = true;
      return 0;
    }
    auto kept = std::make_shared<const storage::Buffer>(block);
    std::memcpy(block.data, payload.data, payload.bytes);
    payload = Payload(block.data, payload.bytes, std::move(kept));
  }
  lent_bytes_ += payload.bytes;
  lent_[++last_loan_] = {payload.owner, payload.bytes};
  return last_loan_;
}

LinkSender::Written LinkSender::write(const Message& message, uint64_t loan) {
  const Payload& payload = message.payload;
  PacketHead head;
  head.kind = message.kind;
  head.priority = message.priority;
  head.field_bytes = static_cast<uint32_t>(message.fields.size());
  head.payload_bytes = payload.bytes;
  int segment = -1;
  if (loan != 0) {
    const SharedPlace place = shared_place(payload.data);
    const char* const start = static_cast<const char*>(payload.data) - place.offset;
    head.is_lent = 1;
    head.stays = is_arena_segment(start) ? 1 : 0;
    head.loan = loan;
    head.segment = reinterpret_cast<uintptr_t>(start);
    head.offset = place.offset;
    if (!head.stays || !known_segments_.count(head.segment)) segment = place.fd;
  }
  iovec parts[3] = {{&head, sizeof head},
                    {const_cast<char*>(message.fields.data()), message.fields.size()},
                    {const_cast<void*>(payload.data), loan != 0 ? 0 : payload.bytes}};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof segment)] = {};
  msghdr packet{};
  packet.msg_iov = parts;
  packet.msg_iovlen = 3;
  if (segment >= 0) {
    packet.msg_control = control;
    packet.msg_controllen = sizeof control;
    cmsghdr* const rights = CMSG_FIRSTHDR(&packet);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof segment);
    std::memcpy(CMSG_DATA(rights), &segment, sizeof segment);
  }
  ssize_t sent;
  do {
    sent = sendmsg(descriptor_.get(), &packet, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) {
    const bool later = errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS || errno == ENOMEM ||
                       errno == ETOOMANYREFS;
    return later ? Written::later : Written::no;
  }
  if (segment >= 0 && head.stays) known_segments_.insert(head.segment);
  return Written::yes;
}

void LinkSender::flush() {
  while (!waiting_.empty()) {
    const auto first = waiting_.begin();
    const Written written = write(first->second.message, first->second.loan);
    if (written == Written::later) return;
    if (written == Written::no) {
      closed_.store(true);
      return;
    }
    waiting_.erase(first);
  }
  waits_.store(false);
}

bool LinkSender::attend() {
  std::vector<std::shared_ptr<const void>> free;  // let go without the lock
  uint64_t words[kMostWords];
  const std::lock_guard<std::mutex> lock(mutex_);
  for (;;) {
    const ssize_t bytes = recv(descriptor_.get(), words, sizeof words, MSG_DONTWAIT);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (bytes <= 0) {  // its socket ends with the last payload
      closed_.store(true);
      waiting_.clear();
      waits_.store(false);
      for (auto& [loan, lent] : lent_) free.push_back(std::move(lent.owner));
      lent_.clear();
      return false;
    }
    for (size_t i = 0; i < static_cast<size_t>(bytes) / sizeof words[0]; ++i) {
      if (words[i] == kEndOfLink) closed_.store(true);
      const auto at = lent_.find(words[i]);
      if (at == lent_.end()) continue;
      lent_bytes_ -= at->second.bytes;
      free.push_back(std::move(at->second.owner));
      lent_.erase(at);
    }
  }
  if (!closed_.load()) flush();
  return !closed_.load() || !lent_.empty();
}

#else

LinkListener::LinkListener() : descriptor_(-1) {}
int LinkListener::accept_one() const { return -1; }
std::shared_ptr<LinkSender> LinkSender::connect(const std::string&, const LinkToken&, const LinkLimits&,
                                                std::shared_ptr<Wake>) {
  return nullptr;
}
LinkSender::Sent LinkSender::send(Message*) { return Sent::broken; }
bool LinkSender::attend() { return false; }

#endif

size_t LinkSender::close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  closed_.store(true);
  const size_t dropped = waiting_.size();
  for (const auto& [order, waiting] : waiting_) {
    const auto at = lent_.find(waiting.loan);
    if (at == lent_.end()) continue;
    lent_bytes_ -= at->second.bytes;
    lent_.erase(at);
  }
  waiting_.clear();
  waits_.store(false);
  return dropped;
}

}  // namespace mixgrad::net
