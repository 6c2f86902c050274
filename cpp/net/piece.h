// Pieces of messages as bytes of the wire (docs/transport.md). A large payload travels in several, so that what is urgent
// overtakes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/address.h"
#include "net/message.h"

namespace mixgrad::net {

constexpr uint8_t kWireVersion = 1;
constexpr size_t kFirstHeaderBytes = 32, kFurtherHeaderBytes = 20;
constexpr size_t kMaxInlineBytes = 4096;
// The longest frame that begins a piece: a first one with names, fields and a small payload.
constexpr size_t kMaxHeadBytes = kFirstHeaderBytes + 2 * kMaxNameBytes + kMaxFieldBytes + kMaxInlineBytes;

// What the first frame of a piece says. Views are into that frame.
struct PieceHead {
  bool first = true;
  uint64_t number =
      0;  // of the message, from 1: each that begins on a connection has a higher one than those before
  uint64_t offset = 0;  // of the bytes in the payload; 0 in a first piece

  // Of the first piece alone.
  uint16_t kind = 0;
  int32_t priority = 0;
  uint64_t payload_bytes = 0;  // of the whole message
  std::string_view from, to;   // names of nodes
  std::string_view fields;
  std::string_view inlined;  // the payload, where it has at most kMaxInlineBytes: no second frame follows
};

std::string encode_piece(const PieceHead& head);

// Null, or why the bytes are no head of a piece. Reads nothing beyond `bytes`; takes no memory; checks every size, names
// included. Whether a second frame fits is for who assembles.
const char* decode_piece(const void* data, size_t bytes, PieceHead* head);

}  // namespace mixgrad::net
