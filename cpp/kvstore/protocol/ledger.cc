#include "kvstore/protocol/ledger.h"

#include <algorithm>

#include "kvstore/protocol/fields.h"
#include "kvstore/protocol/node.h"

namespace mixgrad::kvstore::protocol {
namespace {

std::vector<Mark> listed(const Marks& marks) {
  std::vector<Mark> list;
  list.reserve(marks.size());
  for (const auto& [rank, sequence] : marks) list.push_back({rank, sequence});
  return list;
}

bool from_list(const std::vector<Mark>& list, Marks& marks) {
  for (const Mark& mark : list) {
    if (mark.rank > kMaxNumber || !marks.emplace(mark.rank, mark.sequence).second) return false;
  }
  return true;
}

struct PieceFields {
  PieceId piece = 0;
  uint64_t round = 0;
  std::vector<Mark> marks;
  std::string about;
  template <class F>
  void fields(F& f) {
    f(piece, round, marks, about);
  }
};

struct LedgerFields {
  uint64_t index = 0;
  std::vector<Mark> commands;
  std::vector<PieceFields> pieces;
  template <class F>
  void fields(F& f) {
    f(index, commands, pieces);
  }
};

}  // namespace

void Ledger::note(const Entry& entry) {
  index = entry.index;
  if (entry.step == Step::opening) return;
  if (entry.step == Step::command) {
    for (const Mark& mark : entry.marks) commands[mark.rank] = mark.sequence;
    return;
  }
  PieceRecord& record = pieces[entry.piece];
  record.round = entry.round;
  if (entry.step == Step::init) record.about = entry.about;
  for (const Mark& mark : entry.marks) {
    uint64_t& last = record.marks[mark.rank];
    last = std::max(last, mark.sequence);
  }
}

std::string Ledger::bytes() const {
  LedgerFields out;
  out.index = index;
  out.commands = listed(commands);
  for (const auto& [piece, record] : pieces) {
    out.pieces.push_back({piece, record.round, listed(record.marks), record.about});
  }
  return encoded(out);
}

bool Ledger::read(const void* data, size_t bytes) {
  *this = {};
  LedgerFields in;
  Ledger ledger;
  if (!decode(data, bytes, in) || !from_list(in.commands, ledger.commands)) return false;
  ledger.index = in.index;
  for (PieceFields& one : in.pieces) {
    PieceRecord record;
    record.round = one.round;
    record.about = std::move(one.about);
    if (!from_list(one.marks, record.marks)) return false;
    if (!ledger.pieces.emplace(one.piece, std::move(record)).second) return false;
  }
  *this = std::move(ledger);
  return true;
}

}  // namespace mixgrad::kvstore::protocol
