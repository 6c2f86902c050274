// What updates and stored values are to the protocol: bytes that it passes on, and a description that tables understand.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "net/message.h"

namespace mixgrad::kvstore::protocol {

// How the bytes of a payload stand for a tensor.
enum class Encoding : uint8_t {
  dense = 0,     // every element
  rows = 1,      // of row_sparse: `count` row numbers (int64), then the rows
  two_bit = 2,   // -threshold, 0 or threshold per element; what is lost stays with the worker
  one_bit = 3,   // the sign of each element, times threshold
  float16 = 4,   // every element, in fewer bits
  bfloat16 = 5,  // the same
  top_k = 6,     // `count` element numbers (int64), then these elements
  state = 7,     // of a pull and its answer: what the table keeps beside the value, as its own bytes
};

struct Format {
  Encoding encoding = Encoding::dense;
  uint8_t dtype = 0;       // of the tensor, as in base/dtype.h
  uint32_t threshold = 0;  // the bits of a float32
  uint64_t elements = 0;   // of the tensor
  uint64_t count = 0;

  template <class F>
  void fields(F& f) {
    f.choice(encoding, Encoding::state);
    f(dtype, threshold, elements, count);
  }
};

struct Value {
  Format format;
  net::Payload payload;
};

// A key's value, or a part of it where it is large, as the wire calls it. A store makes them out of keys' names, and tables
// refuse two names with one number.
using PieceId = uint64_t;

// What a worker contributed to: (rank, sequence) names an update of one piece for ever, whichever process of that rank sent it.
struct Mark {
  uint32_t rank = 0;
  uint64_t sequence = 0;

  template <class F>
  void fields(F& f) {
    f(rank, sequence);
  }
};
using Marks = std::map<uint32_t, uint64_t>;  // per rank, the last sequence that counted

}  // namespace mixgrad::kvstore::protocol
