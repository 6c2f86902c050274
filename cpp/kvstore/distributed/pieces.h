// Keys as the pieces that a protocol moves: large values are parts that lie on several servers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "array/sparse.h"
#include "kvstore/key.h"
#include "kvstore/protocol/value.h"

namespace mixgrad::kvstore {

// What a first value says of itself (`about` in protocol/messages.h): of the whole, and which part this is.
struct PieceAbout {
  bool is_text = false;
  int64_t number = 0;
  std::string name;
  std::vector<int64_t> extents;  // of the whole
  uint8_t dtype = 0;             // as in base/dtype.h
  uint8_t storage = 0;           // as in array/chunk.h: dense or row_sparse
  uint64_t first = 0;            // elements before this part
  uint64_t count = 0;            // elements of this part

  Key key() const { return is_text ? Key(name) : Key(number); }
  Shape whole_shape() const { return Shape(extents.data(), static_cast<int>(extents.size())); }
  bool is_rows() const { return storage == static_cast<uint8_t>(Storage::row_sparse); }
  // Of what is stored for the part: the whole's, or one axis where it is cut.
  Shape shape() const;
  // Whether the numbers fit together: bytes of others are read with it.
  bool is_sound() const;
  std::string str() const;

  template <class F>
  void fields(F& f) {
    f(is_text, number, name, extents, dtype, storage, first, count);
  }
};

// Of a part's values in one message: what transports take (AssemblyLimits in net/assembly.h).
constexpr uint64_t kMaxPartBytes = uint64_t{1} << 30;

struct Piece {
  protocol::PieceId id = 0;
  uint64_t first = 0, count = 0;  // elements
  // A worker that took another's place computes the step again whose update of this piece counted already.
  bool repeats = false;
};

// How keys are cut: a value of `bound` elements or more into a part for each server. All workers of a store must say the same.
struct Cut {
  uint64_t bound = 1000000;
  uint32_t servers = 1;
  uint32_t slots = 64;
};

// Numbers of pieces follow from the name and the part alone, and are never 0. Parts of one key begin on different servers. Values
// of storage type row_sparse are not cut.
std::vector<Piece> pieces_of(const Key& key, uint64_t elements, bool is_rows, const Cut& cut);

PieceAbout about_of(const Key& key, const Array& value, const Piece& piece);

}  // namespace mixgrad::kvstore
