// When messages are over for the process that sends them, over ZeroMQ; of links net_local_test.cc tells.
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "check.h"
#include "net/zeromq.h"
#include "net_mailbox.h"
#include "net_zeromq_there.h"

#if defined(__unix__)

using namespace mixgrad::net;
using check::has_zeromq;
using check::Mailbox;
using check::make_message;
using check::wait_until;

// Who asks is told when the last byte of a message has left, or when it is given up.
TEST(net_zeromq_departures) {
  if (!has_zeromq()) return;
  ZeroMqOptions options;
  options.piece_bytes = 8192;
  options.window_bytes = 20000;
  options.stop_seconds = 0.2;
  Mailbox mailbox;
  options.name = "b";
  auto b = open_zeromq(options, mailbox.receive());
  options.name = "a";
  const auto a = open_zeromq(options, mailbox.receive());
  a->set_peer("b", Address(), PublicKey());  // known, and nowhere yet
  const auto departure = std::make_shared<int>(0);
  const auto send = [&] {
    Message message = make_message(1, 0, "f", std::string(100'000, 'x'));
    message.departure = departure;
    a->send("b", std::move(message));
  };
  send();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK_EQ(departure.use_count(), 2);
  a->set_peer("b", b->address(), PublicKey());
  CHECK(mailbox.wait_for(1)[0].second.departure == nullptr);
  wait_until([&] { return departure.use_count() == 1; }, "it has left");
  b->pause(true);
  for (int i = 0; i < 200; ++i) send();  // more than sockets take
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(departure.use_count() > 1);
  b.reset();
  a->forget_peer("b");
  wait_until([&] { return departure.use_count() == 1; }, "they are given up");
}

#endif
