// Nodes of one process.
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "net/in_process.h"
#include "net_mailbox.h"

using namespace mixgrad::net;
using check::Mailbox;
using check::make_message;

namespace {

TEST(net_in_process_nodes_speak) {
  const auto network = make_in_process_network();
  Mailbox at_a, at_b;
  const auto a = open_in_process(network, "a", at_a.receive());
  const auto b = open_in_process(network, "b", at_b.receive());
  CHECK_THROWS(a->send("b", Message()), not_found, "[in_process] knows no node b");
  a->set_peer("b", Address(), PublicKey());
  b->set_peer("a", Address(), PublicKey());
  const Message message = make_message(7, 0, "fields", "payload");
  a->send("b", message);
  const auto [from, received] = at_b.wait_for(1)[0];
  CHECK_EQ(from, "a");
  CHECK(received.kind == 7 && received.fields == "fields");
  CHECK(received.payload.data == message.payload.data);  // not copied
  b->send("a", Message());
  at_a.wait_for(1);
  CHECK_EQ(a->counters().sent_bytes, 13u);
  CHECK_EQ(b->counters().received_bytes, 13u);
  CHECK_THROWS(open_in_process(network, "a", at_a.receive()), invalid_argument, "got the name a");
  CHECK_THROWS(open_in_process(network, "a b", at_a.receive()), invalid_argument, "as the name of a node");
  a->forget_peer("b");
  CHECK_THROWS(a->send("b", Message()), not_found, "knows no node b");
  a->stop(1);
  CHECK_THROWS(a->send("b", Message()), stopped, "after it was stopped");
  b->send("a", Message());
  CHECK_EQ(b->counters().unsent_messages, 1u);
}

TEST(net_in_process_order_is_that_of_priorities) {
  const auto network = make_in_process_network();
  Mailbox at_b;
  std::atomic<bool> held{true};
  const auto receive = at_b.receive();
  const auto a = open_in_process(network, "a", at_b.receive());
  const auto b = open_in_process(network, "b", [&](const NodeName& from, Message message) {
    receive(from, std::move(message));
    while (held) std::this_thread::yield();
  });
  a->set_peer("b", Address(), PublicKey());
  a->send("b", make_message(0, 0, "", ""));
  at_b.wait_for(1);
  for (uint16_t kind = 1; kind < 10; ++kind) a->send("b", make_message(kind, kind / 4, "", ""));
  held = false;
  const auto received = at_b.wait_for(10);
  const uint16_t expected[] = {0, 8, 9, 4, 5, 6, 7, 1, 2, 3};
  for (size_t i = 0; i < 10; ++i) CHECK_EQ(received[i].second.kind, expected[i]);
}

// Many threads to many nodes, which answer from their receivers.
TEST(net_in_process_threads_send_at_once) {
  const auto network = make_in_process_network();
  constexpr int kNodes = 3, kMessages = 500;
  Mailbox mailboxes[kNodes];
  std::unique_ptr<Transport> nodes[kNodes];
  for (int i = 0; i < kNodes; ++i) {
    const auto receive = mailboxes[i].receive();
    nodes[i] = open_in_process(network, "node:" + std::to_string(i),
                               [&, i, receive](const NodeName& from, Message message) {
                                 if (message.kind == 1) {
                                   message.kind = 2;
                                   nodes[i]->send(from, std::move(message));
                                 } else {
                                   receive(from, std::move(message));
                                 }
                               });
  }
  for (const auto& node : nodes) {
    for (int i = 0; i < kNodes; ++i) node->set_peer("node:" + std::to_string(i), Address(), PublicKey());
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < kNodes; ++i) {
    threads.emplace_back([&, i] {
      for (int j = 0; j < kMessages; ++j)
        nodes[i]->send("node:" + std::to_string(j % kNodes), make_message(1, j % 3, std::to_string(j), "x"));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (Mailbox& mailbox : mailboxes) {
    std::vector<int> last(9, -1);
    for (const auto& [from, message] : mailbox.wait_for(kMessages)) {
      const int number = std::stoi(message.fields);
      int& before = last[static_cast<size_t>(from.back() - '0') * 3 + static_cast<size_t>(message.priority)];
      CHECK(number > before);
      before = number;
    }
  }
  for (const auto& node : nodes) node->stop(10);
}

}  // namespace
