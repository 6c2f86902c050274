// Links between processes of one machine: sockets and shared memory beside ZeroMQ.
#if defined(__linux__)
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "child_process.h"
#include "device/shared_memory.h"
#include "net/local_link.h"
#include "net/local_packet.h"
#include "net/local_transport.h"
#include "net/shared_arena.h"
#include "net_link_pair.h"
#include "net_mailbox.h"
#include "net_zeromq_there.h"

using namespace mixgrad::net;
using check::has_zeromq;
using check::LinkPair;
using check::Mailbox;
using check::make_message;
using check::wait_until;

namespace {

constexpr size_t kLarge = size_t{1} << 20;

// Bytes that say when nobody needs them any more.
Payload told_payload(size_t bytes, char filled, std::shared_ptr<std::atomic<bool>> gone) {
  const mixgrad::storage::Block block = shared_block(bytes);
  CHECK(block.data != nullptr);
  std::memset(block.data, filled, bytes);
  struct Kept {
    mixgrad::storage::Buffer buffer;
    std::shared_ptr<std::atomic<bool>> gone;
    ~Kept() { gone->store(true); }
  };
  return Payload(block.data, bytes,
                 std::shared_ptr<const void>(new Kept{mixgrad::storage::Buffer(block), gone}));
}

Message large_message(uint16_t kind, Payload payload) {
  Message message;
  message.kind = kind;
  message.fields = "large";
  message.payload = std::move(payload);
  return message;
}

TEST(net_local_payloads_lie_in_shared_memory_until_they_are_released) {
  LinkPair pair;
  CHECK_EQ(pair.token, LinkToken(kLinkTokenBytes, 't'));
  const auto gone = std::make_shared<std::atomic<bool>>(false);
  Message small = make_message(7, -3, "fields", "payload");
  CHECK(pair.send(&small) == LinkSender::Sent::taken);
  Message large = large_message(8, told_payload(kLarge, 'x', gone));
  const void* const place = large.payload.data;
  CHECK(pair.send(&large) == LinkSender::Sent::taken);
  large = Message();
  const Message first = pair.next();
  CHECK_EQ(first.kind, 7);
  CHECK_EQ(first.priority, -3);
  CHECK_EQ(first.fields, "fields");
  CHECK_EQ(first.payload.text(), "payload");
  {
    const Message second = pair.next();
    CHECK_EQ(second.fields, "large");
    CHECK(second.payload.text() == std::string(kLarge, 'x'));
    CHECK(second.payload.data == place);  // not copied
    CHECK(pair.sender->attend());
    CHECK(!gone->load());
  }
  CHECK(pair.sender->attend());
  CHECK(gone->load());
}

// Its bytes are lent until the other side needs them no more, which may be never; it has left before.
TEST(net_local_messages_have_left_when_they_are_in_the_socket) {
  LinkPair pair;
  const auto gone = std::make_shared<std::atomic<bool>>(false);
  const auto departure = std::make_shared<int>(0);
  {
    Message large = large_message(1, told_payload(kLarge, 'z', gone));
    large.departure = departure;
    CHECK(pair.send(&large) == LinkSender::Sent::taken);
  }
  CHECK_EQ(departure.use_count(), 1);
  CHECK(!gone->load());
  while (!pair.sender->waits()) {
    Message message = make_message(2, 0, "", std::string(20000, 'z'));
    CHECK(pair.send(&message) == LinkSender::Sent::taken);
  }
  {
    Message waiting = make_message(3, 0, "", std::string(20000, 'z'));
    waiting.departure = departure;
    CHECK(pair.send(&waiting) == LinkSender::Sent::taken);
  }
  CHECK_EQ(departure.use_count(), 2);
  pair.sender->close();  // given up
  CHECK_EQ(departure.use_count(), 1);
}

TEST(net_local_links_end_with_the_last_payload) {
  LinkPair pair;
  const auto gone = std::make_shared<std::atomic<bool>>(false);
  Message large = large_message(1, told_payload(kLarge, 'y', gone));
  CHECK(pair.send(&large) == LinkSender::Sent::taken);
  large = Message();
  Message kept = pair.next();
  pair.sender->close();
  Message late = make_message(2, 0, "", "");
  CHECK(pair.send(&late) == LinkSender::Sent::broken);
  pair.receiver = nullptr;
  CHECK(pair.sender->attend());  // the payload holds the link, and the sender what it lent
  CHECK(!gone->load());
  CHECK(kept.payload.text() == std::string(kLarge, 'y'));
  kept = Message();
  CHECK(!pair.sender->attend());
  CHECK(gone->load());
}

TEST(net_local_what_the_socket_does_not_take_waits_by_priority) {
  LinkPair pair;
  int sent = 0;
  while (!pair.sender->waits()) {
    Message message = make_message(static_cast<uint16_t>(sent++), 0, "", std::string(20000, 'z'));
    CHECK(pair.send(&message) == LinkSender::Sent::taken);
    CHECK(sent < 10000);
  }
  Message low = make_message(50001, -1, "", ""), high = make_message(50002, 5, "", "");
  CHECK(pair.send(&low) == LinkSender::Sent::taken);
  CHECK(pair.send(&high) == LinkSender::Sent::taken);
  std::vector<int> kinds;
  for (int i = 0; i < 100000 && (pair.sender->waits() || kinds.empty() || kinds.back() != 50001); ++i) {
    Message message;
    if (pair.receiver->read(&message) == LinkReceiver::Got::message) kinds.push_back(message.kind);
    pair.sender->attend();
  }
  CHECK_EQ(kinds.size(), static_cast<size_t>(sent) + 2);
  CHECK_EQ(kinds.back(), 50001);
  const auto urgent = std::find(kinds.begin(), kinds.end(), 50002);
  CHECK(urgent < kinds.end() - 2);  // before the one that waited already, too
}

TEST(net_local_limits_of_what_is_lent_and_what_waits) {
  LinkLimits limits;
  limits.lent_bytes = 3 * kLarge / 2;
  limits.queue_messages = 2;
  LinkPair pair(limits);
  const auto gone = std::make_shared<std::atomic<bool>>(false);
  for (const auto expected : {LinkSender::Sent::taken, LinkSender::Sent::no_room}) {
    Message large = large_message(1, told_payload(kLarge, 'x', gone));
    CHECK(pair.send(&large) == expected);
  }
  LinkSender::Sent last = LinkSender::Sent::taken;
  for (int i = 0; i < 10000 && last == LinkSender::Sent::taken; ++i) {
    Message message = make_message(2, 0, "", std::string(20000, 'z'));
    last = pair.send(&message);
  }
  CHECK(last == LinkSender::Sent::full);
  CHECK_EQ(pair.sender->close(), 2u);
}

// What anybody may write into the socket: nothing is read beyond its bounds, and no more than the link ends.
TEST(net_local_mutated_packets) {
  std::mt19937_64 random(18);
  int messages = 0, nonsense = 0;
  const mixgrad::storage::Buffer lent(shared_block(kLarge));
  const mixgrad::SharedPlace place = mixgrad::shared_place(lent.data());
  for (int i = 0; i < 4000; ++i) {
    int ends[2];
    CHECK_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends), 0);
    const auto receiver = std::make_shared<LinkReceiver>(ends[0], LinkLimits(), std::make_shared<Wake>());
    PacketHead head;
    head.kind = 9;
    head.field_bytes = 5;
    head.is_lent = i % 2;
    head.payload_bytes = i % 2 ? kLarge : 3;
    head.offset = i % 2 ? place.offset : 0;
    head.loan = 1;
    std::string packet(reinterpret_cast<const char*>(&head), sizeof head);
    packet += i % 2 ? "field" : "fieldpay";
    const int changes = static_cast<int>(random() % 4);
    for (int c = 0; c < changes; ++c) packet[random() % packet.size()] = static_cast<char>(random());
    if (random() % 8 == 0) packet.resize(random() % packet.size() + 1);
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof place.fd)] = {};
    iovec part{packet.data(), packet.size()};
    msghdr out{};
    out.msg_iov = &part;
    out.msg_iovlen = 1;
    if (i % 4 == 1) {
      out.msg_control = control;
      out.msg_controllen = sizeof control;
      cmsghdr* const rights = CMSG_FIRSTHDR(&out);
      rights->cmsg_level = SOL_SOCKET;
      rights->cmsg_type = SCM_RIGHTS;
      rights->cmsg_len = CMSG_LEN(sizeof place.fd);
      std::memcpy(CMSG_DATA(rights), &place.fd, sizeof place.fd);
    }
    CHECK(sendmsg(ends[1], &out, 0) > 0);
    Message message;
    const LinkReceiver::Got got = receiver->read(&message);
    messages += got == LinkReceiver::Got::message;
    nonsense += got == LinkReceiver::Got::nonsense;
    if (got == LinkReceiver::Got::message && message.payload.bytes > 0) {
      const auto* const bytes = static_cast<const volatile char*>(message.payload.data);
      static_cast<void>(bytes[0] + bytes[message.payload.bytes - 1]);
    }
    close(ends[1]);
  }
  CHECK(messages > 500);
  CHECK(nonsense > 500);
}

// Nodes over ZeroMQ with links.
struct LocalNode {
  KeyPair keys;
  Mailbox mailbox;
  std::unique_ptr<Transport> transport;

  void open(const NodeName& name, bool keyed, Address listen = {"127.0.0.1", 0}) {
    ZeroMqOptions options;
    options.name = name;
    options.listen = listen;
    options.stop_seconds = 0.2;
    if (keyed && keys.empty()) keys = make_key_pair();
    if (keyed) options.keys = keys;
    transport = open_zeromq_with_links(options, mailbox.receive());
  }
  void meet(const LocalNode& other) {
    transport->set_peer(other.transport->name(), other.transport->address(), other.keys.public_key);
  }
  bool has(uint16_t kind) {
    const size_t count = mailbox.count();
    for (const auto& [from, message] : mailbox.wait_for(count))
      if (message.kind == kind) return true;
    return false;
  }
  bool has_shared(uint16_t kind) {
    const size_t count = mailbox.count();
    for (const auto& [from, message] : mailbox.wait_for(count))
      if (message.kind == kind && mixgrad::shared_contains(message.payload.data)) return true;
    return false;
  }
};

// Sends until a message comes by a link.
void speak_until_linked(LocalNode* from, LocalNode* to, uint16_t kind) {
  wait_until(
      [&] {
        from->transport->send(to->transport->name(), make_message(kind, 0, "", std::string(100000, 'p')));
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return to->has_shared(kind);
      },
      "a message came by a link");
}

void link_and_exchange(bool keyed) {
  LocalNode a, b;
  a.open("a", keyed);
  b.open("b", keyed);
  a.transport->set_peer("b", Address(), b.keys.public_key);
  b.transport->set_peer("a", Address(), a.keys.public_key);
  a.meet(b);
  b.meet(a);
  speak_until_linked(&a, &b, 1);
  speak_until_linked(&b, &a, 2);
  const size_t before = b.mailbox.count();
  std::mt19937_64 random(5);
  std::vector<std::string> sent;
  for (int i = 0; i < 200; ++i) {
    sent.emplace_back(random() % 3 ? random() % 100 : random() % 300000, static_cast<char>('a' + i % 26));
    a.transport->send("b", make_message(3, 0, std::to_string(i), sent.back()));
  }
  const auto received = b.mailbox.wait_for(before + sent.size());
  for (size_t i = 0; i < sent.size(); ++i) {
    const auto& [from, message] = received[before + i];
    CHECK_EQ(from, "a");
    CHECK_EQ(message.fields, std::to_string(i));
    CHECK(message.payload.text() == sent[i]);
    CHECK_EQ(reinterpret_cast<uintptr_t>(message.payload.data) % 8, 0u);
    CHECK_EQ(message.payload.bytes >= kSmallestShared, mixgrad::shared_contains(message.payload.data));
  }
  // Without its transport the other side still has what it was given.
  const std::string last(200000, 'q');
  a.transport->send("b", make_message(4, 0, "", last));
  const Message kept = b.mailbox.wait_for(before + sent.size() + 1).back().second;
  a.transport = nullptr;
  for (int i = 0; i < 20; ++i) {
    const mixgrad::storage::Buffer other(shared_block(last.size()));
    std::memset(other.data(), '!', last.size());
  }
  CHECK(kept.payload.text() == last);
  b.transport->forget_peer("a");
  CHECK_THROWS(b.transport->send("a", Message()), not_found, "knows no node a");
}

TEST(net_local_links_without_keys) {
  if (has_zeromq()) link_and_exchange(false);
}
TEST(net_local_links_under_keys) {
  if (has_zeromq()) link_and_exchange(true);
}

// A node "there" on a port, which writes where it listens, reads where "here" does, and keeps all that it gets. Once it
// has a lent payload it says so. Arguments: the port that it wants, the descriptors to write to and to read from, and
// the kind of the message that says so.
CHILD(net_local_keeps_payloads) {
  LocalNode there;
  there.open("there", false, {"127.0.0.1", static_cast<uint16_t>(std::stoi(arguments.at(0)))});
  const uint16_t port = there.transport->address().port;
  Address parent{"127.0.0.1", 0};
  if (write(std::stoi(arguments.at(1)), &port, sizeof port) < 0) return 1;
  if (read(std::stoi(arguments.at(2)), &parent.port, sizeof parent.port) < 0) return 1;
  there.transport->set_peer("here", parent, PublicKey());
  for (;;) {
    const uint16_t kind = there.has_shared(6) ? static_cast<uint16_t>(std::stoi(arguments.at(3))) : 5;
    there.transport->send("here", make_message(kind, 0, "", ""));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// A peer that is killed while it has payloads: they come back, and another process takes its name and port.
TEST(net_local_links_of_killed_processes) {
  if (!has_zeromq()) return;
  LocalNode here;
  here.open("here", false);
  int ports[2];
  CHECK_EQ(pipe(ports), 0);
  Address place{"127.0.0.1", 0};
  for (int life = 0; life < 2; ++life) {
    int orders[2];
    CHECK_EQ(pipe(orders), 0);
    const uint16_t has_one = static_cast<uint16_t>(10 + life);
    const pid_t child =
        check::start_child("net_local_keeps_payloads", {std::to_string(place.port), std::to_string(ports[1]),
                                                        std::to_string(orders[0]), std::to_string(has_one)});
    CHECK(read(ports[0], &place.port, sizeof place.port) == sizeof place.port);
    const uint16_t own = here.transport->address().port;
    here.transport->set_peer("there", place, PublicKey());
    CHECK(write(orders[1], &own, sizeof own) == sizeof own);
    // What goes over ZeroMQ is let go when it has left; what is lent, when its borrower ends.
    std::shared_ptr<std::atomic<bool>> gone;
    wait_until(
        [&] {
          gone = std::make_shared<std::atomic<bool>>(false);
          here.transport->send("there", large_message(6, told_payload(kLarge, 'x', gone)));
          std::this_thread::sleep_for(std::chrono::milliseconds(50));
          return here.has(has_one);
        },
        "the other process has a payload");
    CHECK(!gone->load());
    kill(child, SIGKILL);
    CHECK_EQ(waitpid(child, nullptr, 0), child);
    wait_until([&] { return gone->load(); }, "the payload came back");
    close(orders[0]);
    close(orders[1]);
  }
  close(ports[0]);
  close(ports[1]);
}

}  // namespace
#endif
