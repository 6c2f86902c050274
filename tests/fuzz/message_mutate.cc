// message_mutate COUNT [SEED]: so many mutated frames, of messages as honest peers send them, on up to four connections, given to what reads
// and joins them (tests/fuzz/message_fuzz.cc). Built and run by tests/fuzz/message.sh mutate.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "mutations.h"
#include "net/piece.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using fuzz::below;
using fuzz::mutate;
using fuzz::Random;

struct Frames {
  std::string head, body;
};

// The pieces of one message.
std::vector<Frames> honest(Random& random, uint64_t number) {
  static const size_t sizes[] = {0, 1, 8, 300, 4096, 4097, 9000, 39000};
  const size_t bytes = sizes[random() % 8];
  const std::string fields(below(random, 200), static_cast<char>(random()));
  const std::string payload(bytes, static_cast<char>(random()));
  mixgrad::net::PieceHead head;
  head.number = number;
  head.kind = static_cast<uint16_t>(random() % 64);
  head.priority = static_cast<int32_t>(random());
  head.payload_bytes = bytes;
  head.from = "worker:0";
  head.to = "server:1";
  head.fields = fields;
  if (bytes <= mixgrad::net::kMaxInlineBytes) {
    head.inlined = payload;
    return {{encode_piece(head), ""}};
  }
  const size_t piece = 1 + below(random, bytes);
  std::vector<Frames> frames{{encode_piece(head), payload.substr(0, piece)}};
  for (size_t at = piece; at < bytes && frames.size() < 12; at += piece) {
    mixgrad::net::PieceHead further;
    further.first = false;
    further.number = number;
    further.offset = at;
    frames.push_back({encode_piece(further), payload.substr(at, piece)});
  }
  return frames;
}

void put(std::string& input, uint8_t step, const Frames& frames) {
  const auto length = [&](size_t bytes) {
    input.push_back(static_cast<char>(bytes & 0xff));
    input.push_back(static_cast<char>(bytes >> 8 & 0xff));
  };
  input.push_back(static_cast<char>(step));
  length(frames.head.size());
  if (step & 4) length(frames.body.size());
  input += frames.head;
  if (step & 4) input += frames.body;
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000000;
  Random random(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  std::string other = "mg";
  uint64_t done = 0;
  while (done < count) {
    std::string input;
    for (uint64_t number = 1; number < 7; ++number) {
      const uint8_t connection = static_cast<uint8_t>(random() % 4);
      const std::vector<Frames> pieces = honest(random, number);
      for (Frames frames : pieces) {
        if (random() % 3) {
          mutate(random, frames.head, other);
          if (random() % 4 == 0) mutate(random, frames.head, other);
          if (random() % 4 == 0) mutate(random, frames.body, other);
          ++done;
        }
        if (frames.head.size() > 0xffff) frames.head.resize(0xffff);
        if (frames.body.size() > 0xffff) frames.body.resize(0xffff);
        const bool idle = random() % 8 == 0;
        put(input, static_cast<uint8_t>(connection | (frames.body.empty() ? 0 : 4) | (idle ? 8 : 0)), frames);
        if (random() % 16 == 0) other = frames.head;
      }
    }
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  }
  std::printf("%" PRIu64 " mutated frames\n", done);
  return 0;
}
