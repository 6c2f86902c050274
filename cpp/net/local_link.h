// A connection between two processes of one machine and one user: a Unix-domain socket whose packets are messages. Large payloads lie in
// shared memory (shared_arena.h), and only their place travels. One side sends messages; the other says which payloads it needs no more.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/span.h"
#include "net/delivery.h"
#include "net/parent_descriptor.h"
#include "net/wake.h"
#include "storage/shared_block.h"

namespace mixgrad::net {

constexpr size_t kLinkTokenBytes = 16;
using LinkToken = std::string;  // of so many random bytes: who may connect

struct LinkLimits {
  size_t message_bytes = size_t{1} << 30;  // of a payload
  size_t lent_bytes = size_t{1} << 32;     // of payloads that the other side has
  size_t queue_messages = size_t{1} << 16;
};

// A socket with a random name that only processes of the same network namespace find.
class LinkListener {
 public:
  LinkListener();  // without descriptor where the system has none such
  bool is_open() const { return descriptor_.get() >= 0; }
  int descriptor() const { return descriptor_.get(); }
  const std::string& name() const { return name_; }
  // A connection of this user, or -1.
  int accept_one() const;

 private:
  std::string name_;
  ParentDescriptor descriptor_;
};

// The side that sends. Any thread, but attend(), which is one thread's.
class LinkSender {
 public:
  // Null where nobody of this machine and user listens there.
  static std::shared_ptr<LinkSender> connect(const std::string& listener, const LinkToken& token,
                                             const LinkLimits& limits, std::shared_ptr<Wake> wake);
  LinkSender(int descriptor, const LinkLimits& limits, std::shared_ptr<Wake> wake)
      : limits_(limits), wake_(std::move(wake)), descriptor_(descriptor) {}

  enum class Sent {
    taken,
    no_room,  // in shared memory, or within the limits of what is lent: another way may have it
    full,     // so much waits that it is lost
    broken,
  };
  struct Taken {
    size_t messages = 0, bytes = 0;
  };
  // Takes messages in their order, as few packets, and may move from them. Says how many, and why the next one is not taken, if there is
  // one. What has no room in the socket waits for attend().
  Sent send(Span<Message> messages, Taken* taken);

  int descriptor() const { return descriptor_.get(); }
  // Whether messages wait for the socket to take them.
  bool waits() const { return waits_.load(); }
  // Takes what the other side says, sends what waits. Returns false when the link has ended and nothing is lent any more.
  bool attend();
  // Sends no more. What waits is dropped; returns how many messages.
  size_t close();
  // Whether it was closed, by whichever side.
  bool is_closed() const { return closed_.load(); }

 private:
  enum class Written { yes, later, no };
  struct Packet;
  void add(Packet* packet, const Message& message, uint64_t loan) const;
  Written write(Packet* packet);
  uint64_t lend(Message* message, bool* no_room);
  void flush();
  void take_back(const void* packet, size_t bytes);

  struct Lent {
    std::shared_ptr<const void> owner;
    size_t bytes = 0;
  };
  struct Waiting {
    Message message;
    uint64_t loan = 0;
  };
  const LinkLimits limits_;
  const std::shared_ptr<Wake> wake_;
  const ParentDescriptor descriptor_;
  std::mutex mutex_;
  std::atomic<bool> waits_{false}, closed_{false};
  std::map<std::pair<int64_t, uint64_t>, Waiting> waiting_;  // by the negative priority, then in order
  uint64_t pushed_ = 0;
  std::map<uint64_t, Lent> lent_;
  uint64_t last_loan_ = 0;
  size_t lent_bytes_ = 0;
  std::set<uint64_t> known_segments_;  // that the other side keeps mapped
};

// The side that receives; payloads share it, so it ends with the last of them. One thread, but release().
class LinkReceiver : public std::enable_shared_from_this<LinkReceiver> {
 public:
  LinkReceiver(int descriptor, const LinkLimits& limits, std::shared_ptr<Wake> wake)
      : limits_(limits), wake_(std::move(wake)), descriptor_(descriptor) {}

  int descriptor() const { return descriptor_.get(); }
  // The token that a new connection shows: false while it has not come. Anything else that comes first makes it empty.
  bool read_token(LinkToken* token);

  enum class Got { message, nothing, ended, nonsense };
  // The next message. Of a packet that is damaged none is given.
  Got read(Message* message);
  // Whether the next message came with the one before: the socket has no news of it.
  bool has_more() const { return next_ < end_; }

  // Any thread.
  void release(uint64_t loan) noexcept;
  bool waits() const { return waits_.load(); }
  // Tells what waits to be told.
  void flush() noexcept;
  // Tells the other side to send no more.
  void say_end() noexcept;

 private:
  bool is_packet() const;
  Got take(int descriptor, Message* message);
  bool take_payload(const void* head, int descriptor, Message* message);
  void tell(std::vector<uint64_t> words) noexcept;

  const LinkLimits limits_;
  const std::shared_ptr<Wake> wake_;
  const ParentDescriptor descriptor_;
  std::vector<char> buffer_;
  size_t next_ = 0, end_ = 0;  // of what is there and has not been given
  std::map<uint64_t, std::shared_ptr<storage::SharedSegmentHolder>> segments_;  // by the sender's numbers
  std::mutex mutex_;
  std::atomic<bool> waits_{false};
  std::vector<uint64_t> untold_;  // loans, or kEndOfLink
};

}  // namespace mixgrad::net
