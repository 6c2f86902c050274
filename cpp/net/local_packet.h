// Packets of links between processes of one machine (local_link.h), in the machine's own order of bytes.
#pragma once

#include <cstdint>

#include "net/message.h"
#include "net/shared_arena.h"

namespace mixgrad::net {

constexpr uint32_t kPacketMark = 0x326b6c67;  // of this version

// A packet is one message or several, one behind the other without gaps. This is what each begins with; its fields follow, then the
// payload unless that is lent, which only the first message's may be.
struct PacketHead {
  uint32_t mark = kPacketMark;
  uint16_t kind = 0;
  uint8_t is_lent = 0;
  uint8_t stays = 0;  // the receiver may keep the segment mapped: others will lie there
  int32_t priority = 0;
  uint32_t field_bytes = 0;
  uint64_t payload_bytes = 0;
  // Of what is lent: a number that the receiver gives back, and where it lies. The segment's descriptor comes with the first packet that
  // names one which stays, and with each that names another.
  uint64_t loan = 0, segment = 0, offset = 0;
};
static_assert(sizeof(PacketHead) == 48);

// What is sent at once shares packets up to this size, or has one of its own.
constexpr size_t kLargestPacket = sizeof(PacketHead) + kMaxFieldBytes + kSmallestShared;

constexpr size_t kMostInPacket = 16;  // messages

// In place of a loan that is given back: no more messages are taken.
constexpr uint64_t kEndOfLink = 0;

}  // namespace mixgrad::net
