// The bookkeeping of a slot: what has been applied. It is the same on every replica, and goes wherever the values go.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kvstore/protocol/messages.h"

namespace mixgrad::kvstore::protocol {

struct PieceRecord {
  uint64_t round = 0;  // of the present value
  Marks marks;
  std::string about;
};

struct Ledger {
  uint64_t index = 0;  // of the last step of the log that was applied
  Marks commands;      // per rank, the last command
  std::map<PieceId, PieceRecord> pieces;

  const PieceRecord* find(PieceId piece) const {
    const auto at = pieces.find(piece);
    return at == pieces.end() ? nullptr : &at->second;
  }
  static uint64_t mark(const Marks& marks, uint32_t rank) {
    const auto at = marks.find(rank);
    return at == marks.end() ? 0 : at->second;
  }

  // A step that is applied.
  void note(const Entry& entry);

  std::string bytes() const;
  // Returns false, and leaves the ledger empty, for what bytes() did not write.
  bool read(const void* data, size_t bytes);
};

}  // namespace mixgrad::kvstore::protocol
