// Nodes of several processes and machines: ZeroMQ over TCP, encrypted and authenticated by CURVE (docs/transport.md).
#pragma once

#include <memory>

#include "net/assembly.h"
#include "net/transport.h"

namespace mixgrad::net {

struct ZeroMqOptions {
  NodeName name;
  Address listen{"127.0.0.1", 0};
  // None: only loopback, in clear text, and names are what others say.
  KeyPair keys;
  // Without it, addresses that stand for all interfaces are refused.
  bool everywhere = false;

  AssemblyLimits assembly;
  size_t piece_bytes = size_t{256} << 10;  // of a payload; at least kMaxInlineBytes, at most kMaxPieceBytes
  size_t window_bytes =
      size_t{1} << 20;  // handed to ZeroMQ for one peer at a time; what is urgent waits behind them
  size_t queue_messages = size_t{1} << 20;  // that may wait for one peer; more are unsent
  size_t queue_bytes = size_t{1} << 31;     // ... their fields and payloads, which their owners keep
  double silence_seconds = 30;   // an idle connection whose other machine does not answer probes is broken
  double handshake_seconds = 5;  // for a new connection to say who it is
  double absence_seconds = 60;   // what waits for a peer that is not there for so long is unsent
  double stop_seconds = 2;       // for what waits when the transport is destroyed
  int io_threads = 1;
};

constexpr size_t kMaxPieceBytes = size_t{1} << 20;  // a frame that is longer ends its connection

// Throws Status::unsupported where libzmq is missing, or was built without CURVE and keys are given; Status::invalid_argument
// for options that make no sense, an address that is taken or none of this machine, and for listening outside loopback
// without keys; Status::out_of_memory where the system gives no descriptors or threads.
std::unique_ptr<Transport> open_zeromq(const ZeroMqOptions& options, Receive receive);

// A new pair, by ZeroMQ's generator. Throws as above.
KeyPair make_key_pair();

}  // namespace mixgrad::net
