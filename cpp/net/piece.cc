#include "net/piece.h"

#include <cstring>

namespace mixgrad::net {
namespace {

constexpr char kWireMagic[2] = {'m', 'g'};
enum PieceType : uint8_t { kFirstPiece = 1, kFurtherPiece = 2 };

// Little endian, whatever the machine is.
template <class T>
void append_number(T number, std::string* to) {
  for (size_t i = 0; i < sizeof(T); ++i) to->push_back(static_cast<char>(number >> (8 * i) & 0xff));
}

template <class T>
T number_at(const uint8_t* data) {
  uint64_t number = 0;
  for (size_t i = 0; i < sizeof(T); ++i) number |= uint64_t{data[i]} << (8 * i);
  return static_cast<T>(number);
}

const char* decode_first(const uint8_t* data, size_t bytes, PieceHead* head) {
  if (bytes < kFirstHeaderBytes) return "a first piece shorter than its header";
  head->kind = number_at<uint16_t>(data + 12);
  const size_t from = data[14], to = data[15];
  head->priority = number_at<int32_t>(data + 16);
  const size_t fields = number_at<uint32_t>(data + 20);
  head->payload_bytes = number_at<uint64_t>(data + 24);
  if (fields > kMaxFieldBytes) return "more fields than a message may have";
  if (from > kMaxNameBytes || to > kMaxNameBytes) return "a longer name than a node may have";
  if (bytes - kFirstHeaderBytes < from + to + fields) return "fewer bytes than a header says";
  const size_t inlined = bytes - kFirstHeaderBytes - from - to - fields;
  if (inlined > 0 && inlined != head->payload_bytes) return "another payload than a header says";
  if (inlined > kMaxInlineBytes) return "a large payload in a header";
  const char* at = reinterpret_cast<const char*>(data) + kFirstHeaderBytes;
  head->from = {at, from};
  head->to = {at += from, to};
  head->fields = {at += to, fields};
  head->inlined = {at + fields, inlined};
  if (!is_node_name(head->from) || !is_node_name(head->to)) return "what is no name of a node";
  return nullptr;
}

}  // namespace

std::string encode_piece(const PieceHead& head) {
  std::string frame;
  frame.reserve(kFirstHeaderBytes + head.from.size() + head.to.size() + head.fields.size() +
                head.inlined.size());
  frame.append(kWireMagic, sizeof kWireMagic);
  frame.push_back(static_cast<char>(kWireVersion));
  frame.push_back(static_cast<char>(head.first ? kFirstPiece : kFurtherPiece));
  append_number(head.number, &frame);
  if (!head.first) {
    append_number(head.offset, &frame);
    return frame;
  }
  append_number(head.kind, &frame);
  frame.push_back(static_cast<char>(head.from.size()));
  frame.push_back(static_cast<char>(head.to.size()));
  append_number(static_cast<uint32_t>(head.priority), &frame);
  append_number(static_cast<uint32_t>(head.fields.size()), &frame);
  append_number(head.payload_bytes, &frame);
  for (const std::string_view part : {head.from, head.to, head.fields, head.inlined}) frame.append(part);
  return frame;
}

const char* decode_piece(const void* data, size_t bytes, PieceHead* head) {
  const auto* const at = static_cast<const uint8_t*>(data);
  *head = PieceHead();
  if (bytes < 12) return "fewer bytes than any header";
  if (std::memcmp(at, kWireMagic, sizeof kWireMagic) != 0) return "another protocol";
  if (at[2] != kWireVersion) return "another version of the protocol";
  head->number = number_at<uint64_t>(at + 4);
  if (head->number == 0) return "a message without number";
  if (at[3] == kFirstPiece) return decode_first(at, bytes, head);
  if (at[3] != kFurtherPiece) return "an unknown type of piece";
  if (bytes != kFurtherHeaderBytes) return "another length than that of a further piece";
  head->first = false;
  head->offset = number_at<uint64_t>(at + 12);
  if (head->offset == 0) return "a further piece at the beginning";
  return nullptr;
}

}  // namespace mixgrad::net
