// Both ends of a link in this process.
#pragma once

#include <memory>

#include "check.h"
#include "net/local_link.h"

namespace check {

struct LinkPair {
  using Sender = mixgrad::net::LinkSender;
  using Receiver = mixgrad::net::LinkReceiver;
  const std::shared_ptr<mixgrad::net::Wake> wake = std::make_shared<mixgrad::net::Wake>();
  mixgrad::net::LinkListener listener;
  std::shared_ptr<Sender> sender;
  std::shared_ptr<Receiver> receiver;
  mixgrad::net::LinkToken token;

  explicit LinkPair(const mixgrad::net::LinkLimits& limits = {}) {
    sender = Sender::connect(listener.name(), std::string(mixgrad::net::kLinkTokenBytes, 't'), limits, wake);
    CHECK(sender != nullptr);
    receiver = std::make_shared<Receiver>(listener.accept_one(), limits, wake);
    CHECK(receiver->read_token(&token));
  }
  Sender::Sent send(mixgrad::net::Message* message) {
    Sender::Taken taken;
    const Sender::Sent sent = sender->send({message, 1}, &taken);
    CHECK_EQ(taken.messages, sent == Sender::Sent::taken ? 1u : 0u);
    return sent;
  }
  mixgrad::net::Message next() {
    mixgrad::net::Message message;
    CHECK(receiver->read(&message) == Receiver::Got::message);
    return message;
  }
};

}  // namespace check
