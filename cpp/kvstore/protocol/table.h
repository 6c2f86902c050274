// The arrays of a server, behind the protocol: what is stored, how updates change it, and how it moves.
//
// The protocol decides what is applied and in which order, and the table does it; the same updates in the same order give the
// same bits on every server. Functions are called in one thread and need not wait: a table of arrays pushes tasks that name
// Vars, and payloads that it returns are sent when the tasks that make them are done. It owns no bookkeeping: rounds and marks are
// the ledger's (ledger.h).
#pragma once

#include <string>
#include <vector>

#include "base/span.h"
#include "kvstore/protocol/ledger.h"
#include "kvstore/protocol/log.h"
#include "kvstore/protocol/messages.h"

namespace mixgrad::kvstore::protocol {

// In place of a piece: what belongs to a slot as a whole, such as the optimiser that a command gave it.
constexpr PieceId kSlotItself = 0;

struct Contribution {
  uint32_t rank = 0;
  Value value;
};

// One step of a slot's log, as it is applied. Borrowed during the call; payloads may be kept.
struct Applied {
  uint32_t slot = 0;
  uint64_t index = 0;
  Step step = Step::update;
  PieceId piece = kSlotItself;
  uint64_t round = 0;  // of the value that results
  const std::vector<Mark>& marks;
  int32_t head = 0;  // of a command
  const std::string& about;
  const Value& value;
  const Ledger* ledger = nullptr;  // of the slot, with this step in it
};

// Borrows both.
inline Applied as_applied(const Entry& entry, const Value& value, const Ledger* ledger = nullptr) {
  return {entry.slot,  entry.index, entry.step,  entry.piece, entry.round,
          entry.marks, entry.head,  entry.about, value,       ledger};
}

// What a table has from a snapshot when its server starts.
struct Restored {
  uint32_t slot = 0;
  uint64_t snapshot = 0;            // its number, not 0
  std::string ledger;               // as snapshot() was given it, or of what is applied
  std::vector<LogStep> steps = {};  // of the log, that follow and are not applied
  Epoch origin = {};                // of the last step that was logged
};

class Table {
 public:
  Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  virtual ~Table() = default;

  // Asked by a primary before something is logged, because what is logged is applied everywhere and cannot fail. They return an
  // empty text, or what is wrong.
  virtual std::string check_init(uint32_t slot, PieceId piece, const std::string& about, bool is_stored) = 0;
  virtual std::string check_first(PieceId piece, const std::string& about, const Value& value) = 0;
  virtual std::string check_push(uint32_t slot, PieceId piece, const Value& value) = 0;
  virtual std::string check_command(int32_t head, const net::Payload& body) = 0;

  // The sum of a round: contributions, in the order of their ranks, which fixes every bit. One alone may be returned as it is;
  // several may be of different encodings. The result travels to the other replicas.
  virtual Value merge(uint32_t slot, PieceId piece, Span<const Contribution> contributions) = 0;
  // Keeps the piece's value of the round before beside the new one, for workers that come back in the middle of a step. Returns
  // false for a step that makes no sense, which no honest primary logs: the server then must end.
  virtual bool apply(const Applied& step) = 0;

  // The value of a round, or those rows of it; the round is the present one or, where that is still held, the one before.
  // Returns false if it does not have it, or if the rows make no sense.
  virtual bool read(uint32_t slot, PieceId piece, uint64_t round, const Value& rows, Value& out) = 0;

  // Why the piece cannot be read or changed any more, for messages; an empty text where nothing is known.
  virtual std::string trouble(uint32_t, PieceId) { return ""; }

  // A piece's state as parts, in the order in which they are installed: values, states of the optimiser. Also of kSlotItself.
  virtual uint32_t parts(uint32_t slot, PieceId piece) = 0;
  virtual Value part(uint32_t slot, PieceId piece, uint32_t part) = 0;
  // Returns false if it makes no sense.
  virtual bool install(uint32_t slot, PieceId piece, const std::string& about, uint32_t part,
                       const Value& value) = 0;
  virtual void clear(uint32_t slot) = 0;

  // Of tables that keep everything: the number of what they write on, drawn when it was made, or 0; and the view that it says was
  // followed last, as bytes.
  virtual uint64_t disk() const { return 0; }
  virtual std::string last_view() { return ""; }
  // To be written down before settle() returns: a view that is followed from now on; a step that has come into the slot's log, where it
  // takes the place of those at its index and behind it (`commit`: all up to there are committed); a whole state that was
  // installed, of which the last step was made in that view. restored() and last_view() give back what was written.
  virtual void follows(const View&) {}
  virtual void logged(const Entry&, const net::Payload&) {}
  virtual void filled(uint32_t, const Epoch&, const Ledger&) {}
  // Called before anything leaves that follows from these.
  virtual void settle() {}
  // Keeps the slot's present state under the snapshot's number, where restored() finds it after a restart.
  virtual void snapshot(uint32_t slot, uint64_t number, const std::string& ledger) = 0;
  virtual std::vector<Restored> restored() = 0;
};

// Heads of commands that the protocol knows; all others are the table's.
constexpr int32_t kSnapshotHead = -1;  // body: the snapshot's number, 8 bytes

inline bool is_snapshot(const Entry& entry) {
  return entry.step == Step::command && entry.head == kSnapshotHead;
}

}  // namespace mixgrad::kvstore::protocol
