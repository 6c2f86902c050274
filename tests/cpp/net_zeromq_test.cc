// Nodes over ZeroMQ. Without libzmq on the machine they end before they begin, and say so.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "child_process.h"
#include "net/zeromq.h"
#include "net_mailbox.h"
#include "net_zeromq_there.h"

#if defined(__unix__)
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

using namespace mixgrad::net;
using check::has_zeromq;
using check::Mailbox;
using check::make_message;
using check::wait_until;

namespace {

struct Node {
  KeyPair keys;
  Mailbox mailbox;
  std::unique_ptr<Transport> transport;

  void open(const NodeName& name, bool keyed, ZeroMqOptions options = {}, Receive receive = {}) {
    options.name = name;
    options.stop_seconds = 0.2;
    if (keyed && keys.empty()) keys = make_key_pair();
    if (keyed) options.keys = keys;
    transport = open_zeromq(options, receive ? receive : mailbox.receive());
  }
  void meet(const Node& other) {
    transport->set_peer(other.transport->name(), other.transport->address(), other.keys.public_key);
  }
};

std::string random_payload(std::mt19937_64* random, size_t bytes) {
  std::string payload(bytes, ' ');
  for (size_t i = 0; i + 8 <= bytes; i += 8) {
    const uint64_t word = (*random)();
    std::memcpy(&payload[i], &word, 8);
  }
  return payload;
}

// Both ways, all sizes, several threads: whole, and in order among those of a priority.
void exchange(bool keyed) {
  ZeroMqOptions options;
  options.piece_bytes = 8192;
  options.window_bytes = 20000;
  Node a, b;
  a.open("a", keyed, options);
  b.open("b", keyed, options);
  // Each knows the other's key before anybody connects: none is refused.
  a.transport->set_peer("b", Address(), b.keys.public_key);
  b.transport->set_peer("a", Address(), a.keys.public_key);
  a.meet(b);
  b.meet(a);
  constexpr size_t kCount = 300;
  std::vector<std::vector<std::string>> sent(4);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    std::mt19937_64 random(t);
    for (size_t i = 0; i < kCount / 2; ++i)
      sent[t].push_back(random_payload(&random, random() % 3 ? random() % 100 : random() % 60000));
    threads.emplace_back([&, t] {
      for (const std::string& payload : sent[t])
        (t % 2 ? a : b)
            .transport->send(t % 2 ? "b" : "a", make_message(static_cast<uint16_t>(t), t < 2, "f", payload));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t side = 0; side < 2; ++side) {
    size_t next[4] = {};
    for (const auto& [from, message] : (side ? b : a).mailbox.wait_for(kCount)) {
      CHECK_EQ(from, side ? "a" : "b");
      CHECK_EQ(message.kind % 2, static_cast<int>(side));
      CHECK_EQ(message.priority, message.kind < 2);
      CHECK_EQ(message.fields, "f");
      CHECK(message.payload.text() == sent[message.kind][next[message.kind]++]);
      CHECK_EQ(reinterpret_cast<uintptr_t>(message.payload.data) % 8, 0u);
    }
  }
  const TransportCounters counters = a.transport->counters();
  CHECK_EQ(counters.sent_messages, kCount);
  CHECK_EQ(counters.received_messages, kCount);
  CHECK_EQ(counters.unsent_messages + counters.broken_messages + counters.crowded_messages, 0u);
  CHECK_EQ(counters.refused_connections + counters.cut_connections, 0u);
}

TEST(net_zeromq_messages_in_clear_text) {
  if (has_zeromq()) exchange(false);
}
TEST(net_zeromq_messages_under_keys) {
  if (has_zeromq()) exchange(true);
}

TEST(net_zeromq_urgent_messages_overtake) {
  if (!has_zeromq()) return;
  Node a, b;
  a.open("a", false);
  b.open("b", false);
  a.meet(b);
  a.transport->send("b", make_message(1, 0, "", std::string(size_t{64} << 20, 'x')));
  a.transport->send("b", make_message(2, 9, "urgent", ""));
  const auto received = b.mailbox.wait_for(2);
  CHECK_EQ(received[0].second.kind, 2);
  CHECK_EQ(received[1].second.payload.bytes, size_t{64} << 20);
}

TEST(net_zeromq_nodes_may_come_in_any_order_and_come_back) {
  if (!has_zeromq()) return;
  Node a, b;
  a.open("a", true);
  b.open("b", true);
  const Address place = b.transport->address();
  b.transport.reset();
  a.transport->set_peer("b", place, b.keys.public_key);
  a.transport->send("b", make_message(1, 0, "", std::string(1000000, 'x')));
  ZeroMqOptions options;
  options.listen = place;
  b.open("b", true, options);
  // It knows its peer only later: until then nobody is let in.
  wait_until([&] { return b.transport->counters().refused_connections > 0; }, "an unknown key was refused");
  b.meet(a);
  CHECK_EQ(b.mailbox.wait_for(1)[0].second.kind, 1);
  b.transport.reset();
  b.open("b", true, options);
  b.meet(a);
  // What is sent into the end of a connection is lost: a protocol repeats it.
  for (int i = 0; b.mailbox.count() < 2; ++i) {
    a.transport->send("b", make_message(2, 0, "", std::string(300000, 'y')));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(i < 3000);
  }
  CHECK_EQ(b.mailbox.wait_for(2)[1].second.payload.bytes, 300000u);
}

TEST(net_zeromq_keys_are_proven_both_ways) {
  if (!has_zeromq()) return;
  Node server, honest, thief;
  server.open("server", true);
  honest.open("worker", true);
  thief.open("worker", true);  // the name of another, with a key of its own
  server.meet(honest);
  honest.meet(server);
  thief.meet(server);
  thief.transport->send("server", make_message(66, 0, "", ""));
  wait_until([&] { return server.transport->counters().refused_connections > 0; },
             "a foreign key was refused");
  honest.transport->send("server", make_message(1, 0, "", ""));
  CHECK_EQ(server.mailbox.wait_for(1)[0].second.kind, 1);
  // A server with another key than expected gets nothing.
  Node impostor;
  impostor.open("server", true);
  impostor.meet(honest);
  honest.transport->set_peer("server", impostor.transport->address(), server.keys.public_key);
  honest.transport->send("server", make_message(2, 0, "", ""));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK_EQ(impostor.mailbox.count(), 0u);
  // A known key under another's name.
  Node liar;
  liar.open("other", true);
  server.transport->set_peer("liar", Address(), liar.keys.public_key);
  liar.meet(server);
  liar.transport->send("server", make_message(67, 0, "", ""));
  wait_until([&] { return server.transport->counters().cut_connections > 0; }, "a foreign name was cut off");
  CHECK_EQ(server.mailbox.count(), 1u);
}

TEST(net_zeromq_forgotten_peers_bring_nothing) {
  if (!has_zeromq()) return;
  Node a, b;
  a.open("a", true);
  b.open("b", true);
  a.meet(b);
  b.meet(a);
  a.transport->send("b", make_message(1, 0, "", ""));
  b.mailbox.wait_for(1);
  b.transport->forget_peer("a");
  CHECK_THROWS(b.transport->send("a", Message()), not_found, "knows no node a");
  b.transport->send("b", make_message(3, 0, "", ""));  // its thread takes this up after it has forgotten
  b.mailbox.wait_for(2);
  for (int i = 0; i < 20; ++i) a.transport->send("b", make_message(2, 0, "", ""));
  a.transport->stop(5);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK_EQ(b.mailbox.count(), 2u);
}

TEST(net_zeromq_refuses_what_is_not_safe) {
  if (!has_zeromq()) return;
  Mailbox mailbox;
  ZeroMqOptions options;
  options.name = "a";
  const auto open = [&] { open_zeromq(options, mailbox.receive()); };
  for (const char* host : {"0.0.0.0", "*", "::"}) {
    options.listen = {host, 0};
    CHECK_THROWS(open(), invalid_argument, "which stands for all interfaces; expected the address of one");
  }
  options.everywhere = true;
  CHECK_THROWS(open(), invalid_argument,
               "and no keys; expected 127.0.0.1, or keys as `mixgrad keys` makes them");
  options.listen = {"192.0.2.1", 0};
  CHECK_THROWS(open(), invalid_argument, "and no keys");
  options.keys = make_key_pair();
  CHECK_THROWS(open(), invalid_argument, "[zeromq] cannot listen at tcp://192.0.2.1:*");
  options.keys.public_key = PublicKey();
  CHECK_THROWS(open(), invalid_argument, "one key of a pair");
  options = ZeroMqOptions();
  options.name = "a";
  options.piece_bytes = 100;
  CHECK_THROWS(open(), invalid_argument, "got pieces of 100 bytes");
  options = ZeroMqOptions();
  options.name = "";
  CHECK_THROWS(open(), invalid_argument, "as the name of a node");
  Node a, keyed;
  a.open("a", false);
  keyed.open("keyed", true);
  const PublicKey key = keyed.keys.public_key;
  CHECK_THROWS(a.transport->set_peer("b", {"192.0.2.1", 5}, PublicKey()), invalid_argument, "and no keys");
  CHECK_THROWS(a.transport->set_peer("b", {"127.0.0.1", 5}, key), invalid_argument, "and has none itself");
  CHECK_THROWS(a.transport->set_peer("b", {"127.0.0.1", 0}, PublicKey()), invalid_argument,
               "expected a port");
  CHECK_THROWS(keyed.transport->set_peer("b", {"127.0.0.1", 5}, PublicKey()), invalid_argument,
               "got no key for b");
  CHECK_THROWS(a.transport->send("b", Message()), not_found, "[zeromq] knows no node b");
  options.name = "b";
  options.listen = a.transport->address();
  CHECK_THROWS(open(), invalid_argument, "cannot listen at");
  a.transport->stop(1);
  CHECK_THROWS(a.transport->send("a", Message()), stopped, "after it was stopped");
}

TEST(net_zeromq_speaks_to_itself) {
  if (!has_zeromq()) return;
  Node a;
  a.open("a", false);
  a.transport->send("a", make_message(3, 0, "", "own"));
  CHECK_EQ(a.mailbox.wait_for(1)[0].second.payload.text(), "own");
}

TEST(net_zeromq_receivers_that_fail_go_on) {
  if (!has_zeromq()) return;
  Node a, b;
  std::atomic<int> calls{0};
  a.open("a", false);
  b.open("b", false, {}, [&](const NodeName&, Message message) {
    ++calls;
    if (message.kind == 1) mixgrad::fail(mixgrad::Status::internal, "[test] this warning is expected");
  });
  a.meet(b);
  a.transport->send("b", make_message(1, 0, "", ""));
  a.transport->send("b", make_message(2, 0, "", ""));
  wait_until([&] { return calls == 2; }, "both were received");
}

// What waits for a peer that does not come is bounded by messages, bytes and time, and its owners are let go.
TEST(net_zeromq_queues_are_limited) {
  if (!has_zeromq()) return;
  Node a;
  ZeroMqOptions options;
  options.queue_messages = 5;
  options.queue_bytes = 1000;
  options.absence_seconds = 0.5;
  a.open("a", false, options);
  a.transport->set_peer("b", {"127.0.0.1", 1}, PublicKey());
  const auto owner = std::make_shared<std::string>(400, 'x');
  Message large;
  large.payload = Payload(owner->data(), owner->size(), owner);
  for (int i = 0; i < 4; ++i) a.transport->send("b", large);
  CHECK_EQ(a.transport->counters().unsent_messages, 2u);
  for (int i = 0; i < 10; ++i) a.transport->send("b", make_message(1, 0, "", ""));
  CHECK_EQ(a.transport->counters().unsent_messages, 9u);
  large = Message();
  wait_until([&] { return a.transport->counters().unsent_messages == 14; }, "what waited is unsent");
  CHECK_EQ(owner.use_count(), 1);
}

TEST(net_zeromq_stop_delivers_what_waits) {
  if (!has_zeromq()) return;
  Node a, b;
  a.open("a", true);
  b.open("b", true);
  a.meet(b);
  b.meet(a);
  for (uint16_t i = 0; i < 100; ++i) a.transport->send("b", make_message(i, 0, "", std::string(100000, 'x')));
  a.transport->stop(30);
  b.mailbox.wait_for(100);
  CHECK_EQ(a.transport->counters().unsent_messages, 0u);
}

// A forked child has no part in it, and leaves the port free.
TEST(net_zeromq_forked_children) {
  if (!has_zeromq()) return;
  Node a, b;
  a.open("a", false);
  b.open("b", false);
  a.meet(b);
  a.transport->send("b", make_message(1, 0, "", ""));
  b.mailbox.wait_for(1);
  const Address place = b.transport->address();
  int go[2], left[2];
  CHECK_EQ(pipe(go), 0);
  CHECK_EQ(pipe(left), 0);
  const pid_t child = fork();
  if (child == 0) {
    int result = 1;
    try {
      a.transport->send("b", Message());
    } catch (const mixgrad::Error& error) {
      result = error.status() == mixgrad::Status::unsupported ? 0 : 2;
    }
    a.transport.reset();
    b.transport.reset();
    close(go[1]);
    char byte = 0;
    static_cast<void>(!write(left[1], &byte, 1));
    static_cast<void>(!read(go[0], &byte, 1));  // until the parent has closed its end
    _exit(result);
  }
  a.transport->send("b", make_message(2, 0, "", ""));
  b.mailbox.wait_for(2);
  b.transport.reset();
  char byte;
  CHECK_EQ(read(left[0], &byte, 1), 1);  // the child has left the port
  ZeroMqOptions options;
  options.listen = place;
  b.open("b", false, options);
  for (const int end : {go[0], go[1], left[0], left[1]}) close(end);
  int status = -1;
  waitpid(child, &status, 0);
  CHECK_EQ(status, 0);
}

// Bytes of no protocol, silent connections, and messages of no meaning in ZeroMQ's own: honest peers go on.
TEST(net_zeromq_strangers_are_refused) {
  if (!has_zeromq()) return;
  for (const bool keyed : {false, true}) {
    Node a, b;
    ZeroMqOptions options;
    options.handshake_seconds = 0.3;
    a.open("a", keyed);
    b.open("b", keyed, options);
    a.meet(b);
    b.meet(a);
    std::vector<int> strangers;
    std::mt19937_64 random(1);
    for (int i = 0; i < 20; ++i) {
      sockaddr_in to{};
      to.sin_family = AF_INET;
      to.sin_port = htons(b.transport->address().port);
      to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      const int stranger = socket(AF_INET, SOCK_STREAM, 0);
      CHECK_EQ(connect(stranger, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
      std::string bytes = random_payload(&random, static_cast<size_t>(i) * 8);
      if (i % 2)
        bytes.replace(0, 10,
                      std::string("\xff\0\0\0\0\0\0\0\1\x7f", 10));  // ZMTP's greeting begins like that
      if (i > 1) static_cast<void>(!::send(stranger, bytes.data(), bytes.size(), MSG_NOSIGNAL));
      strangers.push_back(stranger);
    }
    for (uint16_t i = 0; i < 50; ++i) a.transport->send("b", make_message(i, 0, "", std::string(10000, 'x')));
    b.mailbox.wait_for(50);
    // Whoever does not say who it is, is cut off.
    for (const int stranger : strangers) {
      char bytes[256];
      while (read(stranger, bytes, sizeof bytes) > 0) {
      }
      close(stranger);
    }
    CHECK_EQ(b.mailbox.count(), 50u);
  }
}

TEST(net_zeromq_nonsense_is_cut_off) {
  if (!has_zeromq()) return;
  Node b;
  b.open("b", false);
  void* const context = zmq().ctx_new();
  void* const dealer = zmq().socket(context, kZmqDealer);
  const int none = 0;
  zmq().setsockopt(dealer, kZmqLinger, &none, sizeof none);
  CHECK_EQ(zmq().connect(dealer, ("tcp://" + b.transport->address().str()).c_str()), 0);
  for (const std::string& nonsense : {std::string("hello"), std::string(500, '\0'), std::string("mg\1\1")}) {
    const uint64_t before = b.transport->counters().cut_connections;
    wait_until(
        [&] {
          ZmqMessage message;
          zmq().msg_init_size(&message, nonsense.size());
          std::memcpy(zmq().msg_data(&message), nonsense.data(), nonsense.size());
          if (zmq().msg_send(&message, dealer, kZmqDontWait) < 0) zmq().msg_close(&message);
          std::this_thread::sleep_for(std::chrono::milliseconds(10));
          return b.transport->counters().cut_connections > before;
        },
        "nonsense was cut off");
  }
  zmq().close(dealer);
  zmq().ctx_term(context);
  Node a;
  a.open("a", false);
  a.meet(b);
  a.transport->send("b", make_message(1, 0, "", ""));
  CHECK_EQ(b.mailbox.wait_for(1)[0].first, "a");
}

// A name that comes by a new connection leaves the older one behind, whatever that still brings.
TEST(net_zeromq_a_restarted_node_takes_its_name_over) {
  if (!has_zeromq()) return;
  Node server, first, second;
  server.open("server", false);
  first.open("worker", false);
  first.meet(server);
  first.transport->send("server", make_message(1, 0, "", ""));
  server.mailbox.wait_for(1);
  second.open("worker", false);
  second.meet(server);
  second.transport->send("server", make_message(2, 0, "", ""));
  server.mailbox.wait_for(2);
  first.transport->send("server", make_message(3, 0, "", ""));  // lost: its connection ends
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  second.transport->send("server", make_message(4, 0, "", ""));
  CHECK_EQ(server.mailbox.wait_for(3)[2].second.kind, 4);
  const auto is_heard = [&] {  // by its next connection
    first.transport->send("server", make_message(5, 0, "", ""));
    return server.mailbox.wait_for(server.mailbox.count()).back().second.kind == 5;
  };
  wait_until(is_heard, "a message of the first");
}

// A node that fills its connection to "receiver", says so, and waits to be killed. Arguments: the receiver's port, and the
// descriptor to write to.
CHILD(net_zeromq_fills_its_connection) {
  Node sender;
  sender.open("sender", false);
  sender.transport->set_peer("receiver", {"127.0.0.1", static_cast<uint16_t>(std::stoi(arguments.at(0)))},
                             PublicKey());
  // 64 MiB, more than any connection holds, of messages so small that one that has narrowed to its least holds ten of them.
  for (int i = 0; i < 8192; ++i)
    sender.transport->send("receiver", make_message(1, 0, "", std::string(size_t{8} << 10, 'x')));
  // Until no more leaves.
  for (uint64_t before = 0, sent = 0; sent < 10 || sent > before;) {
    before = sent;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    sent = sender.transport->counters().sent_messages;
  }
  if (write(std::stoi(arguments.at(1)), "", 1) != 1) return 1;
  for (;;) pause();
}

// ZeroMQ's own heartbeats would end the process here: their timer finds a connection whose error waits for its input to be read.
TEST(net_zeromq_a_sender_dies_while_nothing_is_read) {
  if (!has_zeromq()) return;
  Node receiver, other;
  receiver.open("receiver", false);
  receiver.transport->pause(true);
  int ready[2];
  CHECK_EQ(pipe(ready), 0);
  const pid_t child =
      check::start_child("net_zeromq_fills_its_connection",
                         {std::to_string(receiver.transport->address().port), std::to_string(ready[1])});
  char byte;
  CHECK_EQ(read(ready[0], &byte, 1), 1);  // what is read no more fills its connection
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  receiver.transport->pause(false);
  receiver.mailbox.wait_for(10);  // that had come before
  other.open("other", false);
  other.meet(receiver);
  other.transport->send("receiver", make_message(2, 0, "", ""));
  wait_until(
      [&] {
        const auto all = receiver.mailbox.wait_for(receiver.mailbox.count());
        return std::any_of(all.begin(), all.end(), [](const auto& one) { return one.first == "other"; });
      },
      "a message of another node");
  for (const int end : ready) close(end);
}

TEST(net_zeromq_libraries_that_are_none) {
  CHECK_THROWS(load_zeromq("/nowhere/libzmq.so.5"), not_found, "[net] /nowhere/libzmq.so.5");
}

}  // namespace
#endif
