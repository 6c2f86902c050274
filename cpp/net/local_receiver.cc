// The side of a link that receives.
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "device/shared_memory.h"
#include "net/local_link.h"
#include "net/local_packet.h"

#if defined(__linux__)
#include <sys/socket.h>
#include <unistd.h>
#endif

namespace mixgrad::net {

#if defined(__linux__)
namespace {

// What a payload in another process's memory keeps, and gives back at its end.
struct Borrowed {
  std::shared_ptr<LinkReceiver> link;
  std::shared_ptr<storage::SharedSegmentHolder> segment;
  uint64_t loan;
  Borrowed(std::shared_ptr<LinkReceiver> from, std::shared_ptr<storage::SharedSegmentHolder> where,
           uint64_t number)
      : link(std::move(from)), segment(std::move(where)), loan(number) {}
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() {
    segment = nullptr;  // before it is told: what does not stay is mapped no more
    link->release(loan);
  }
};

// Of a packet that came with it; -1 where none did.
int passed_descriptor(msghdr* packet) {
  int passed = -1;
  for (cmsghdr* one = CMSG_FIRSTHDR(packet); one; one = CMSG_NXTHDR(packet, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_RIGHTS) continue;
    if (one->cmsg_len >= CMSG_LEN(sizeof passed)) std::memcpy(&passed, CMSG_DATA(one), sizeof passed);
  }
  return passed;
}

}  // namespace

bool LinkReceiver::read_token(LinkToken* token) {
  char packet[64];
  ssize_t bytes;
  do {
    bytes = recv(descriptor_.get(), packet, sizeof packet, MSG_DONTWAIT | MSG_TRUNC);
  } while (bytes < 0 && errno == EINTR);
  if (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
  token->clear();
  if (bytes == static_cast<ssize_t>(sizeof kPacketMark + kLinkTokenBytes) &&
      !std::memcmp(packet, &kPacketMark, sizeof kPacketMark))
    token->assign(packet + sizeof kPacketMark, kLinkTokenBytes);
  return true;
}

LinkReceiver::Got LinkReceiver::read(Message* message) {
  if (has_more()) return take(-1, message);
  buffer_.resize(kLargestPacket);
  iovec part{buffer_.data(), buffer_.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr packet{};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  packet.msg_control = control;
  packet.msg_controllen = sizeof control;
  ssize_t bytes;
  do {
    bytes = recvmsg(descriptor_.get(), &packet, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (bytes < 0 && errno == EINTR);
  if (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Got::nothing;
  if (bytes <= 0) return Got::ended;
  const ParentDescriptor passed(passed_descriptor(&packet));
  next_ = 0;
  end_ = packet.msg_flags & MSG_TRUNC ? 0 : static_cast<size_t>(bytes);
  if (is_packet()) return take(passed.get(), message);
  end_ = 0;
  return Got::nonsense;
}

// Whether what came is messages, one behind the other.
bool LinkReceiver::is_packet() const {
  size_t at = 0;
  for (size_t count = 0; count == 0 || at < end_; ++count) {
    PacketHead head;
    if (count == kMostInPacket || end_ - at < sizeof head) return false;
    std::memcpy(&head, buffer_.data() + at, sizeof head);
    at += sizeof head;
    if (head.mark != kPacketMark || head.payload_bytes > limits_.message_bytes ||
        head.field_bytes > kMaxFieldBytes || (head.is_lent && count > 0))
      return false;
    const uint64_t bytes = head.field_bytes + (head.is_lent ? 0 : head.payload_bytes);
    if (bytes > end_ - at) return false;
    at += bytes;
  }
  return true;
}

// The next message of a packet that is one.
LinkReceiver::Got LinkReceiver::take(int descriptor, Message* message) {
  PacketHead head;
  std::memcpy(&head, buffer_.data() + next_, sizeof head);
  const char* const fields = buffer_.data() + next_ + sizeof head;
  next_ += sizeof head + head.field_bytes + (head.is_lent ? 0 : head.payload_bytes);
  message->kind = head.kind;
  message->priority = head.priority;
  message->fields.assign(fields, head.field_bytes);
  if (!head.is_lent) {
    message->payload = Payload::copy_of(fields + head.field_bytes, head.payload_bytes);
    return Got::message;
  }
  if (take_payload(&head, descriptor, message)) return Got::message;
  end_ = 0;
  return Got::nonsense;
}

bool LinkReceiver::take_payload(const void* packet, int descriptor, Message* message) {
  const PacketHead& head = *static_cast<const PacketHead*>(packet);
  std::shared_ptr<storage::SharedSegmentHolder> segment;
  try {
    const auto known = segments_.find(head.segment);
    if (known != segments_.end()) {
      segment = known->second;
    } else if (descriptor >= 0) {
      segment = std::make_shared<storage::SharedSegmentHolder>(descriptor);
      if (head.stays) segments_[head.segment] = segment;
    }
  } catch (const Error& error) {
    if (error.status() != Status::format) throw;
  }
  if (!segment || head.offset % 8 != 0 || head.offset > segment->bytes() ||
      head.payload_bytes > segment->bytes() - head.offset)
    return false;
  const char* const data = segment->start() + head.offset;
  message->payload = Payload(data, head.payload_bytes,
                             std::make_shared<const Borrowed>(shared_from_this(), segment, head.loan));
  return true;
}

void LinkReceiver::tell(std::vector<uint64_t> words) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!untold_.empty()) {
    untold_.insert(untold_.end(), words.begin(), words.end());
    return;
  }
  const size_t bytes = words.size() * sizeof words[0];
  ssize_t sent;
  do {
    sent = ::send(descriptor_.get(), words.data(), bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != ENOBUFS && errno != ENOMEM)) return;
  untold_ = std::move(words);
  if (!waits_.exchange(true)) wake_->signal();
}

void LinkReceiver::flush() noexcept {
  std::vector<uint64_t> words;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    words.swap(untold_);
    waits_.store(false);
  }
  constexpr size_t kAtOnce = 256;
  for (size_t at = 0; at < words.size(); at += kAtOnce) {
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
    tell({first, first + static_cast<std::ptrdiff_t>(std::min(kAtOnce, words.size() - at))});
  }
}

#else

bool LinkReceiver::read_token(LinkToken*) { return false; }
LinkReceiver::Got LinkReceiver::read(Message*) { return Got::ended; }
void LinkReceiver::tell(std::vector<uint64_t>) noexcept {}
void LinkReceiver::flush() noexcept {}

#endif

void LinkReceiver::release(uint64_t loan) noexcept { tell({loan}); }
void LinkReceiver::say_end() noexcept { tell({kEndOfLink}); }

}  // namespace mixgrad::net
