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

// What is lent begins a packet: so at most one descriptor comes with it.
struct LinkSender::Packet {
  PacketHead heads[kMostInPacket];
  iovec parts[3 * kMostInPacket];
  size_t messages = 0, bytes = 0;
  int segment = -1;  // the descriptor that goes with it

  bool has_room(const Message& message) const {
    if (messages == 0) return true;
    return messages < kMostInPacket && message.payload.bytes < kSmallestShared &&
           bytes + sizeof(PacketHead) + bytes_of(message) <= kLargestPacket;
  }
};

LinkSender::Sent LinkSender::send(Span<Message> messages, Taken* taken) {
  const std::lock_guard<std::mutex> lock(mutex_);
  while (taken->messages < messages.size()) {
    if (closed_.load()) return Sent::broken;
    Message* const first = messages.data() + taken->messages;
    Packet packet;
    uint64_t loan = 0;  // of the first
    size_t bytes = 0;
    for (Message* next = first; next != messages.end() && packet.has_room(*next); ++next) {
      if (waiting_.size() + packet.messages >= limits_.queue_messages) break;
      bool no_room = false;
      if (next == first) loan = lend(next, &no_room);
      if (no_room) return Sent::no_room;
      add(&packet, *next, next == first ? loan : 0);
      bytes += bytes_of(*next);
    }
    if (packet.messages == 0) return Sent::full;
    const Written written = waiting_.empty() ? write(&packet) : Written::later;
    if (written == Written::no) {
      closed_.store(true);
      lent_.erase(loan);
      return Sent::broken;
    }
    if (written == Written::later) {
      for (size_t i = 0; i < packet.messages; ++i) {
        const std::pair<int64_t, uint64_t> order(-int64_t{first[i].priority}, ++pushed_);
        waiting_[order] = {std::move(first[i]), i == 0 ? loan : 0};
      }
      if (!waits_.exchange(true)) wake_->signal();
    }
    taken->messages += packet.messages;
    taken->bytes += bytes;
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

// The message and its payload stay where they are until the packet is written.
void LinkSender::add(Packet* packet, const Message& message, uint64_t loan) const {
  const Payload& payload = message.payload;
  PacketHead& head = packet->heads[packet->messages];
  head.kind = message.kind;
  head.priority = message.priority;
  head.field_bytes = static_cast<uint32_t>(message.fields.size());
  head.payload_bytes = payload.bytes;
  if (loan != 0) {
    const SharedPlace place = shared_place(payload.data);
    const char* const start = static_cast<const char*>(payload.data) - place.offset;
    head.is_lent = 1;
    head.stays = is_arena_segment(start) ? 1 : 0;
    head.loan = loan;
    head.segment = reinterpret_cast<uintptr_t>(start);
    head.offset = place.offset;
    if (!head.stays || !known_segments_.count(head.segment)) packet->segment = place.fd;
  }
  const size_t inlined = loan != 0 ? 0 : payload.bytes;
  iovec* const parts = packet->parts + 3 * packet->messages;
  parts[0] = {&head, sizeof head};
  parts[1] = {const_cast<char*>(message.fields.data()), message.fields.size()};
  parts[2] = {const_cast<void*>(payload.data), inlined};
  packet->bytes += sizeof head + message.fields.size() + inlined;
  ++packet->messages;
}

LinkSender::Written LinkSender::write(Packet* packet) {
  const int segment = packet->segment;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof segment)] = {};
  msghdr out{};
  out.msg_iov = packet->parts;
  out.msg_iovlen = 3 * packet->messages;
  if (segment >= 0) {
    out.msg_control = control;
    out.msg_controllen = sizeof control;
    cmsghdr* const rights = CMSG_FIRSTHDR(&out);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof segment);
    std::memcpy(CMSG_DATA(rights), &segment, sizeof segment);
  }
  ssize_t sent;
  do {
    sent = sendmsg(descriptor_.get(), &out, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) {
    const bool later = errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS || errno == ENOMEM ||
                       errno == ETOOMANYREFS;
    return later ? Written::later : Written::no;
  }
  if (segment >= 0 && packet->heads[0].stays) known_segments_.insert(packet->heads[0].segment);
  return Written::yes;
}

void LinkSender::flush() {
  while (!waiting_.empty()) {
    Packet packet;
    auto end = waiting_.begin();
    for (; end != waiting_.end() && packet.has_room(end->second.message); ++end)
      add(&packet, end->second.message, end->second.loan);
    const Written written = write(&packet);
    if (written == Written::later) return;
    if (written == Written::no) {
      closed_.store(true);
      return;
    }
    waiting_.erase(waiting_.begin(), end);
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
LinkSender::Sent LinkSender::send(Span<Message>, Taken*) { return Sent::broken; }
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
