// The arrays of a server: what the protocol's steps do to values, and how values move between servers.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "array/array.h"
#include "kvstore/compression/compression.h"
#include "kvstore/distributed/pieces.h"
#include "kvstore/distributed/snapshots.h"
#include "kvstore/protocol/table.h"

namespace mixgrad::kvstore {

// Changes one stored value by what is pushed: an optimiser with its state for this piece.
class Rule {
 public:
  Rule() = default;
  Rule(const Rule&) = delete;
  Rule& operator=(const Rule&) = delete;
  virtual ~Rule() = default;
  // `received` must not be written. May push its work to the engine.
  virtual void update(const Key& key, Array& received, Array& stored) = 0;
  // All that another process needs to go on from here.
  virtual std::string state() = 0;
};

// Makes rules out of data that came from a worker.
class RuleMaker {
 public:
  RuleMaker() = default;
  RuleMaker(const RuleMaker&) = delete;
  RuleMaker& operator=(const RuleMaker&) = delete;
  virtual ~RuleMaker() = default;
  // What is wrong with data that a worker sent, or an empty text.
  virtual std::string check(const std::string& data) = 0;
  // Of data that was checked, or of a state().
  virtual std::unique_ptr<Rule> make(const std::string& data) = 0;
};

// Heads of a worker's commands, and their bodies.
constexpr int32_t kRuleHead = 0;  // what RuleMaker::check() takes; empty: none, pushed sums replace values
constexpr int32_t kCompressionHead = 1;  // Compression::bytes(): how updates come from now on
constexpr int32_t kStatesHead = 2;       // RuleStates: what rules of pieces go on from

// Values stay as they are once made: an update makes another array, so what is being sent never changes and costs no copy, and the
// value of the round before is still there. See table.h for who calls.
class ArrayTable final : public protocol::Table {
 public:
  // Without a maker, commands that set a rule are refused. It outlives the table. Without snapshots nothing is kept across restarts: what a
  // server has, it has from the others. They outlive the table, too. First values that would need more than `memory` bytes, with those
  // that are here, are refused; 0: the machine's memory.
  explicit ArrayTable(RuleMaker* maker = nullptr, Snapshots* snapshots = nullptr, uint64_t memory = 0);

  std::string check_init(uint32_t slot, protocol::PieceId piece, const std::string& about,
                         bool is_stored) override;
  std::string check_first(protocol::PieceId piece, const std::string& about,
                          const protocol::Value& value) override;
  std::string check_push(uint32_t slot, protocol::PieceId piece, const protocol::Value& value) override;
  std::string check_command(int32_t head, const net::Payload& body) override;
  protocol::Value merge(uint32_t slot, protocol::PieceId piece,
                        Span<const protocol::Contribution> contributions) override;
  bool apply(const protocol::Applied& step) override;
  bool read(uint32_t slot, protocol::PieceId piece, uint64_t round, const protocol::Value& rows,
            protocol::Value& out) override;
  std::string trouble(uint32_t slot, protocol::PieceId piece) override;
  uint32_t parts(uint32_t slot, protocol::PieceId piece) override;
  protocol::Value part(uint32_t slot, protocol::PieceId piece, uint32_t part) override;
  bool install(uint32_t slot, protocol::PieceId piece, const std::string& about, uint32_t part,
               const protocol::Value& value) override;
  void clear(uint32_t slot) override;
  uint64_t disk() const override;
  std::string last_view() override;
  void follows(const protocol::View& view) override;
  void logged(const protocol::Entry& entry, const net::Payload& payload) override;
  void filled(uint32_t slot, const protocol::Epoch& epoch, const protocol::Ledger& ledger) override;
  void settle() override;
  void snapshot(uint32_t slot, uint64_t number, const std::string& ledger) override;
  std::vector<protocol::Restored> restored() override;

 private:
  struct Stored {
    std::string about_text;
    PieceAbout about;
    ArrayRef value, before;  // before: of the round before, null until there is one
    uint64_t round = 0, before_round = 0;
    std::unique_ptr<Rule> rule;
    // Of the rule, which failed: the value stays as it was, and nobody gets it. A store is not ended by an optimiser that does not
    // suit one of its values.
    std::string failure;
  };
  struct Slot {
    std::string rule_data;  // as the last command gave it
    Compression compression;
    std::map<protocol::PieceId, Stored> pieces;
  };

  Stored* find(uint32_t slot, protocol::PieceId piece);
  bool read_state(const Slot& slot, const Stored& stored, protocol::Value& out) const;
  std::string check_states(const net::Payload& body);
  void apply_states(Slot& slot, const net::Payload& body);
  bool apply_step(const protocol::Applied& step);
  SlotState state_of(uint32_t slot, const protocol::Ledger& ledger);
  bool apply_first(Slot& slot, const protocol::Applied& step);
  bool apply_update(Slot& slot, Stored& stored, const protocol::Applied& step);

  uint64_t held_bytes() const;

  RuleMaker* const maker_;
  Snapshots* const snapshots_;
  const uint64_t memory_;
  std::string read_trouble_;  // of the last read that failed although the value is there
  std::map<uint32_t, Slot> slots_;
};

}  // namespace mixgrad::kvstore
