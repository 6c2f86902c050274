// Any bytes as frames of connections: what nodes of other processes may send.
//
// Input: steps, each a byte (bits 0-1: the connection; bit 2: a second frame follows; bit 3: idle connections are looked after),
// the lengths of one or two frames (16 bits each, little endian, cut to what is there), then the frames.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "net/assembly.h"
#include "net/piece.h"

namespace {

using namespace mixgrad::net;

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "message_fuzz: this does not hold: %s\n", what);
  std::abort();
}

class Input {
 public:
  Input(const uint8_t* data, size_t bytes) : data_(data), left_(bytes) {}
  bool empty() const { return left_ == 0; }
  uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  // In memory of its own size, so that what reads beyond is seen.
  std::string frame(size_t bytes) {
    const size_t taken = bytes < left_ ? bytes : left_;
    std::string frame(reinterpret_cast<const char*>(data_), taken);
    data_ += taken;
    left_ -= taken;
    return frame;
  }

 private:
  const uint8_t* data_;
  size_t left_;
};

uint64_t sum_of(const void* data, size_t bytes) {
  uint64_t sum = 0;
  for (size_t i = 0; i < bytes; ++i) sum = sum * 31 + static_cast<const uint8_t*>(data)[i];
  return sum;
}

void check_head(const PieceHead& head, const std::string& frame) {
  demand(head.number > 0, "a message has a number");
  if (head.first) {
    demand(is_node_name(head.from) && is_node_name(head.to), "names are names");
    demand(head.fields.size() <= kMaxFieldBytes && head.inlined.size() <= kMaxInlineBytes, "limits are kept");
  } else {
    demand(head.offset > 0, "a further piece has an offset");
  }
  demand(encode_piece(head) == frame, "a head that was accepted is written as it was read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  AssemblyLimits limits;
  limits.message_bytes = 40000;
  limits.peer_bytes = 60000;
  limits.all_bytes = 90000;
  AssemblyRoom room(limits);
  std::unique_ptr<Assembly> connections[4];
  for (Input input(data, size); !input.empty();) {
    const uint8_t step = input.byte();
    std::unique_ptr<Assembly>& connection = connections[step & 3];
    if (!connection) connection = std::make_unique<Assembly>(&room);
    if (step & 8) connection->give_up_idle();
    size_t lengths[2] = {};
    for (int i = 0; i < (step & 4 ? 2 : 1); ++i) {
      lengths[i] = input.byte();
      lengths[i] |= size_t{input.byte()} << 8;
    }
    const std::string frame = input.frame(lengths[0]);
    std::string second = step & 4 ? input.frame(lengths[1]) : std::string();
    PieceHead head;
    const char* reason = decode_piece(frame.data(), frame.size(), &head);
    if (reason) {
      connection.reset();  // cut off
      continue;
    }
    check_head(head, frame);
    Message message;
    const size_t before = room.used();
    switch (connection->take(head, Payload::of(std::move(second)), &message, &reason)) {
      case Taken::complete:
        demand(message.payload.bytes <= limits.message_bytes, "payloads are within the limit");
        demand(message.fields.size() <= kMaxFieldBytes, "fields are within the limit");
        static_cast<void>(sum_of(message.payload.data, message.payload.bytes));
        break;
      case Taken::incomplete: break;
      case Taken::broken:
      case Taken::crowded: demand(room.used() == before, "what is dropped takes no room"); break;
      case Taken::nonsense:
        demand(reason && *reason, "nonsense has a reason");
        connection.reset();
        break;
    }
    demand(room.used() <= limits.all_bytes, "incomplete messages have room");
    for (const auto& one : connections) {
      demand(!one || (one->bytes() <= limits.peer_bytes && one->incomplete() <= kMaxIncomplete),
             "a peer has its limits");
    }
  }
  for (auto& connection : connections) connection.reset();
  demand(room.used() == 0, "all room is given back");
  return 0;
}
