// Packets of links that hold several messages.
#if defined(__linux__)
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "net/in_process.h"
#include "net/local_packet.h"
#include "net/local_transport.h"
#include "net_link_pair.h"
#include "net_mailbox.h"
#include "net_zeromq_there.h"

using namespace mixgrad::net;
using check::LinkPair;
using check::Mailbox;
using check::make_message;
using check::wait_until;

namespace {

// A message as it lies in a packet.
std::string in_packet(uint16_t kind, const std::string& fields, const std::string& payload) {
  PacketHead head;
  head.kind = kind;
  head.field_bytes = static_cast<uint32_t>(fields.size());
  head.payload_bytes = payload.size();
  return std::string(reinterpret_cast<const char*>(&head), sizeof head) + fields + payload;
}

// A receiver to whose socket anybody writes.
struct Open {
  int ends[2];
  std::shared_ptr<LinkReceiver> receiver;
  Open() {
    CHECK_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends), 0);
    receiver = std::make_shared<LinkReceiver>(ends[0], LinkLimits(), std::make_shared<Wake>());
  }
  ~Open() { close(ends[1]); }
  LinkReceiver::Got read(const std::string& packet, Message* message) {
    CHECK_EQ(write(ends[1], packet.data(), packet.size()), static_cast<ssize_t>(packet.size()));
    return receiver->read(message);
  }
};

TEST(net_packets_what_is_sent_together_comes_in_one) {
  LinkPair pair;
  std::vector<Message> sent;
  for (int i = 0; i < 5; ++i)
    sent.push_back(
        make_message(static_cast<uint16_t>(i), i - 2, std::string(i, 'f'), std::string(1000 * i, 'p')));
  LinkSender::Taken taken;
  CHECK(pair.sender->send(sent, &taken) == LinkSender::Sent::taken);
  CHECK_EQ(taken.messages, 5u);
  CHECK_EQ(taken.bytes, 10010u);
  for (int i = 0; i < 5; ++i) {
    CHECK_EQ(pair.receiver->has_more(), i > 0);
    const Message got = pair.next();
    CHECK_EQ(got.kind, i);
    CHECK_EQ(got.priority, i - 2);
    CHECK_EQ(got.fields, std::string(i, 'f'));
    CHECK(got.payload.text() == std::string(1000 * i, 'p'));
    CHECK_EQ(reinterpret_cast<uintptr_t>(got.payload.data) % 8, 0u);
  }
  Message none;
  CHECK(pair.receiver->read(&none) == LinkReceiver::Got::nothing);
}

// By number, by size, and before each that is lent; whatever waits for the socket is joined, too.
TEST(net_packets_end_where_they_are_full) {
  LinkPair pair;
  const std::string large(kSmallestShared, 'l'), middle(kSmallestShared - 1, 'm');
  std::vector<std::string> payloads(3 * kMostInPacket, "s");
  for (int i = 0; i < 10; ++i) payloads.insert(payloads.end(), {middle, large, "s"});
  size_t sent = 0;
  while (!pair.sender->waits() || sent < 2000) {
    std::vector<Message> messages;
    for (const std::string& payload : payloads)
      messages.push_back(make_message(static_cast<uint16_t>(sent++ % 10000), 0, "", payload));
    LinkSender::Taken taken;
    CHECK(pair.sender->send(messages, &taken) == LinkSender::Sent::taken);
    CHECK_EQ(taken.messages, messages.size());
  }
  size_t joined = 0, lone = 0;
  for (size_t i = 0; i < sent; ++i) {
    ++(pair.receiver->has_more() ? joined : lone);
    Message message;
    while (pair.receiver->read(&message) == LinkReceiver::Got::nothing) CHECK(pair.sender->attend());
    CHECK_EQ(message.kind, i % 10000);
    CHECK(message.payload.text() == payloads[i % payloads.size()]);
  }
  CHECK(joined > sent / 2);
  CHECK(lone > sent / kMostInPacket);
}

TEST(net_packets_with_damage_give_no_message) {
  const std::string first = in_packet(1, "field", "pay"), second = in_packet(2, "", "load");
  Message message;
  CHECK(Open().read(first + second, &message) == LinkReceiver::Got::message);
  for (size_t cut = 1; cut < second.size(); ++cut) {
    CHECK(Open().read(first + second.substr(0, second.size() - cut), &message) ==
          LinkReceiver::Got::nonsense);
    CHECK(Open().read(first + second + second.substr(0, cut), &message) == LinkReceiver::Got::nonsense);
  }
  std::string lent = second;
  lent[offsetof(PacketHead, is_lent)] = 1;
  CHECK(Open().read(first + lent, &message) == LinkReceiver::Got::nonsense);
  std::string many;
  for (size_t i = 0; i < kMostInPacket; ++i) many += second;
  CHECK(Open().read(many, &message) == LinkReceiver::Got::message);
  CHECK(Open().read(many + second, &message) == LinkReceiver::Got::nonsense);
  CHECK(Open().read(std::string(1, 'x'), &message) == LinkReceiver::Got::nonsense);
}

TEST(net_packets_mutated) {
  std::mt19937_64 random(21);
  int whole = 0, nonsense = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string packet;
    const size_t count = 1 + random() % 4;
    for (size_t k = 0; k < count; ++k)
      packet += in_packet(static_cast<uint16_t>(k), std::string(random() % 9, 'f'),
                          std::string(random() % 99, 'p'));
    const size_t changes = random() % 4;
    for (size_t c = 0; c < changes; ++c) packet[random() % packet.size()] = static_cast<char>(random());
    if (random() % 8 == 0) packet.resize(random() % packet.size() + 1);
    Open open;
    Message message;
    LinkReceiver::Got got = open.read(packet, &message);
    size_t messages = 0, bytes = 0;
    for (; got == LinkReceiver::Got::message; got = open.receiver->read(&message)) {
      ++messages;
      bytes += sizeof(PacketHead) + bytes_of(message);
    }
    nonsense += got == LinkReceiver::Got::nonsense;
    if (got == LinkReceiver::Got::nonsense) CHECK_EQ(messages, 0u);
    if (got == LinkReceiver::Got::nothing) CHECK_EQ(bytes, packet.size());
    whole += got == LinkReceiver::Got::nothing;
  }
  CHECK(whole > 300);
  CHECK(nonsense > 300);
}

// A receiver that pauses within a packet gets the rest when it goes on, though the socket has no news then.
TEST(net_packets_wait_within_while_reading_is_paused) {
  if (!check::has_zeromq()) return;
  Mailbox mailbox;
  std::unique_ptr<Transport> there;
  std::atomic<bool> pauses{false};
  const auto open = [](const char* name, Receive receive) {
    ZeroMqOptions options;
    options.name = name;
    options.listen = {"127.0.0.1", 0};
    options.stop_seconds = 0.2;
    return open_zeromq_with_links(options, std::move(receive));
  };
  const Receive keep = mailbox.receive();
  there = open("there", [&](const NodeName& from, Message message) {
    if (message.kind == 7 && pauses.exchange(false)) there->pause(true);
    keep(from, std::move(message));
  });
  const auto here = open("here", [](const NodeName&, Message) {});
  here->set_peer("there", there->address(), PublicKey());
  there->set_peer("here", here->address(), PublicKey());
  // Over ZeroMQ each is delivered as before; over the link all of a packet but the first wait.
  const auto count_of = [&](uint16_t kind) {
    size_t count = 0;
    for (const auto& [from, message] : mailbox.wait_for(mailbox.count())) count += message.kind == kind;
    return count;
  };
  uint16_t last = 100;
  wait_until(
      [&] {
        const size_t before = count_of(7);
        pauses = true;
        std::vector<Message> both;
        both.push_back(make_message(7, 0, "", ""));
        both.push_back(make_message(++last, 0, "", ""));
        here->send_several("there", both);
        wait_until([&] { return count_of(7) > before; }, "the first of two messages came");
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const bool has_waited = count_of(last) == 0;
        there->pause(false);
        const uint16_t second = last;
        wait_until([&] { return count_of(second) == 1; }, "the second of two messages came");
        return has_waited;
      },
      "a packet waited within");
}

// One beyond the limits keeps the others not back.
TEST(net_packets_of_messages_that_cannot_be_sent) {
  for (const bool links : {false, true}) {
    if (links && !check::has_zeromq()) return;
    Mailbox mailbox;
    std::unique_ptr<Transport> a, b;
    if (links) {
      ZeroMqOptions options;
      options.listen = {"127.0.0.1", 0};
      options.stop_seconds = 0.2;
      options.name = "a";
      a = open_zeromq_with_links(options, [](const NodeName&, Message) {});
      options.name = "b";
      b = open_zeromq_with_links(options, mailbox.receive());
    } else {
      const auto network = make_in_process_network();
      a = open_in_process(network, "a", [](const NodeName&, Message) {});
      b = open_in_process(network, "b", mailbox.receive());
    }
    a->set_peer("b", b->address(), PublicKey());
    b->set_peer("a", a->address(), PublicKey());
    std::vector<Message> messages;
    for (uint16_t kind = 1; kind <= 3; ++kind)
      messages.push_back(make_message(kind, 0, std::string(kind == 2 ? kMaxFieldBytes + 1 : 1, 'f'), ""));
    CHECK_THROWS(a->send_several("b", messages), invalid_argument, "fields");
    const auto received = mailbox.wait_for(2);
    CHECK_EQ(received[0].second.kind, 1);
    CHECK_EQ(received[1].second.kind, 3);
  }
}

}  // namespace
#endif
