// What travels between the processes of a program: messages, and the bytes that they carry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace mixgrad::net {

// Bytes that nobody changes any more and several may share. Copies share the owner.
struct Payload {
  const void* data = nullptr;  // aligned for every number, at least to 8 bytes, where a transport made it
  size_t bytes = 0;
  std::shared_ptr<const void> owner;  // keeps the bytes: an array's chunk, what a transport received

  Payload() = default;
  Payload(const void* bytes_at, size_t count, std::shared_ptr<const void> keeper)
      : data(bytes_at), bytes(count), owner(std::move(keeper)) {}
  // Owns the characters.
  static Payload of(std::string text);
  // Its own copy of the bytes.
  static Payload copy_of(const void* bytes_at, size_t count);

  std::string text() const { return std::string(static_cast<const char*>(data), bytes); }
};

struct Message {
  uint16_t kind = 0;     // what the protocol above calls it; transports do not look
  int32_t priority = 0;  // larger goes first among the messages that wait for one peer
  std::string fields;    // small values as the protocol above encodes them, at most kMaxFieldBytes
  Payload payload;       // a tensor's bytes, or none
  // Let go, in any thread, when the message is over for this process: its bytes were given to the system or to the peer, or it was
  // given up. Its payload's owner may be kept longer (local_link.h). Null where nobody wants to know.
  std::shared_ptr<const void> departure;
};

inline size_t bytes_of(const Message& message) { return message.fields.size() + message.payload.bytes; }

constexpr size_t kMaxFieldBytes = size_t{64} << 10;
constexpr size_t kMaxPayloadBytes =
    (uint64_t{1} << 40) & (SIZE_MAX >> 1);  // transports may have a lower limit

// Throws Status::invalid_argument, beginning with [who], for a message that no transport takes: more fields or a larger
// payload than the limits, a payload without data.
void check_message(const Message& message, size_t max_payload_bytes, const char* who);

}  // namespace mixgrad::net
