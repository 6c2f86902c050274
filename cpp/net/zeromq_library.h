// libzmq 4, of the system or of a path: found by dlopen, so that nobody needs it to build or to start.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mixgrad::net {

// A message of the library: 64 bytes of its own, wherever it is used.
struct alignas(void*) ZmqMessage {
  unsigned char bytes[64];
};

struct ZmqPollItem {
  void* socket;  // or null, and a descriptor
  int descriptor;
  short events, occurred;
};

// The numbers of its options, by its own header.
enum ZmqSocketType : int { kZmqPair = 0, kZmqRep = 4, kZmqDealer = 5, kZmqRouter = 6 };
enum ZmqContextOption : int { kZmqIoThreads = 1, kZmqMaxSockets = 2 };
enum ZmqOption : int {
  kZmqRcvMore = 13,
  kZmqLinger = 17,
  kZmqReconnectMs = 18,
  kZmqBacklog = 19,
  kZmqReconnectMaxMs = 21,
  kZmqMaxMessageBytes = 22,
  kZmqSendLimit = 23,
  kZmqReceiveLimit = 24,
  kZmqLastEndpoint = 32,
  kZmqKeepAlive = 34,
  kZmqKeepAliveCount = 35,
  kZmqKeepAliveIdleS = 36,
  kZmqKeepAliveIntervalS = 37,
  kZmqImmediate = 39,
  kZmqIpv6 = 42,
  kZmqCurveServer = 47,
  kZmqCurvePublicKey = 48,
  kZmqCurveSecretKey = 49,
  kZmqCurveServerKey = 50,
  kZmqZapDomain = 55,
  kZmqHandshakeMs = 66,
  kZmqConnectTimeoutMs = 79,
};
enum ZmqFlag : int { kZmqDontWait = 1, kZmqSendMore = 2 };
enum ZmqMessageProperty : int { kZmqMore = 1, kZmqSourceDescriptor = 2 };
enum ZmqPoll : short { kZmqPollIn = 1, kZmqPollOut = 2 };
enum ZmqEvent : int {
  kZmqConnected = 0x1,
  kZmqDisconnected = 0x200,
  kZmqHandshakeFailed = 0x800,
  kZmqHandshakeSucceeded = 0x1000,
  kZmqHandshakeFailedProtocol = 0x2000,
  kZmqHandshakeFailedAuth = 0x4000,
  kZmqAnyHandshakeFailure = kZmqHandshakeFailed | kZmqHandshakeFailedProtocol | kZmqHandshakeFailedAuth,
};

// Functions by the library's own signatures.
struct ZmqFunctions {
  void (*version)(int* major, int* minor, int* patch);
  int (*has)(const char* capability);
  int (*error)();
  const char* (*error_text)(int error);
  void* (*ctx_new)();
  int (*ctx_set)(void* context, int option, int value);
  int (*ctx_term)(void* context);
  void* (*socket)(void* context, int type);
  int (*close)(void* socket);
  int (*setsockopt)(void* socket, int option, const void* value, size_t bytes);
  int (*getsockopt)(void* socket, int option, void* value, size_t* bytes);
  int (*bind)(void* socket, const char* endpoint);
  int (*connect)(void* socket, const char* endpoint);
  int (*socket_monitor)(void* socket, const char* endpoint, int events);
  int (*poll)(ZmqPollItem* items, int count, long timeout_ms);
  int (*msg_init)(ZmqMessage* message);
  int (*msg_init_size)(ZmqMessage* message, size_t bytes);
  int (*msg_init_data)(ZmqMessage* message, void* data, size_t bytes, void (*release)(void* data, void* hint),
                       void* hint);
  int (*msg_send)(ZmqMessage* message, void* socket, int flags);
  int (*msg_recv)(ZmqMessage* message, void* socket, int flags);
  int (*msg_close)(ZmqMessage* message);
  void* (*msg_data)(ZmqMessage* message);
  size_t (*msg_size)(const ZmqMessage* message);
  int (*msg_get)(const ZmqMessage* message, int property);
  const char* (*msg_gets)(const ZmqMessage* message, const char* property);
  int (*curve_keypair)(char* public_key, char* secret_key);
};

// Of the library that load_zeromq named, else of the system's. It stays loaded. Throws Status::unsupported, saying what to
// install, where there is none. Any thread.
const ZmqFunctions& zmq();

// path: empty for libzmq.so.5 where the system looks for libraries. To be called before the first transport is opened: then the
// library in use stays. Throws Status::not_found with the system's reason, Status::format for what is no libzmq 4.2 or newer,
// Status::invalid_argument where another one is in use.
void load_zeromq(const char* path);

}  // namespace mixgrad::net
