// A table of small vectors, which remembers what was applied and finds out what must not be.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kvstore/protocol/replay.h"
#include "kvstore/protocol/table.h"

namespace protocol_test {

namespace proto = mixgrad::kvstore::protocol;
using proto::PieceId;
using Numbers =
    std::vector<uint64_t>;  // [0]: depends on every update and on the order; [1 + rank]: updates of that rank

constexpr size_t kRanks = 6;

inline mixgrad::net::Payload payload_of(const Numbers& numbers) {
  return mixgrad::net::Payload::copy_of(numbers.data(), numbers.size() * 8);
}
inline Numbers numbers_of(const mixgrad::net::Payload& payload) {
  Numbers numbers(payload.bytes / 8);
  if (!numbers.empty()) std::memcpy(numbers.data(), payload.data, numbers.size() * 8);
  return numbers;
}

// What is true of a store whatever happens to its processes.
struct Truth {
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> steps;  // (slot, index) -> what was applied there
  std::vector<std::string> violations;

  void violated(std::string what) {
    if (violations.size() < 20) violations.push_back(std::move(what));
  }
};

class VectorTable final : public proto::Table {
 public:
  struct Piece {
    Numbers value, before;
    uint64_t round = 0;
    std::map<std::pair<uint32_t, uint64_t>, uint32_t> counted;  // (rank, sequence)
  };
  struct Slot {
    uint64_t scale = 3;  // as a command sets it: what an optimiser would be
    std::map<PieceId, Piece> pieces;
  };
  // Snapshots outlive servers.
  using Disk = std::map<uint64_t, std::map<uint32_t, std::pair<Slot, std::string>>>;

  // What is written down, and outlives servers, too: of a slot a state and the steps that were logged since then.
  struct Kept {
    Slot slot;
    std::string ledger = proto::Ledger().bytes();
    std::vector<proto::LogStep> steps;
    proto::Epoch origin;
  };
  struct Journal {
    uint64_t disk = 0;
    std::string view;
    std::map<uint32_t, Kept> slots;
  };

  VectorTable(Truth& truth, std::string name, Disk* disk = nullptr, Journal* journal = nullptr)
      : truth_(truth), name_(std::move(name)), disk_(disk), journal_(journal) {
    if (journal_) replay();
    if (!disk_) return;
    for (const auto& [number, slots] : *disk_) {
      for (const auto& [slot, state] : slots) slots_[slot] = state.first;
    }
  }

  const std::map<uint32_t, Slot>& slots() const { return slots_; }

  std::string check_init(uint32_t, PieceId, const std::string& about, bool) override {
    return about == "numbers" ? "" : "about is '" + about + "'; expected 'numbers'";
  }
  std::string check_first(PieceId, const std::string&, const proto::Value& value) override {
    return right_size(value);
  }
  std::string check_push(uint32_t, PieceId, const proto::Value& value) override { return right_size(value); }
  std::string check_command(int32_t head, const mixgrad::net::Payload& body) override {
    return head == 1 && body.bytes == 8 ? "" : "head " + std::to_string(head) + "; expected 1, and 8 bytes";
  }

  proto::Value merge(uint32_t, PieceId, mixgrad::Span<const proto::Contribution> contributions) override {
    Numbers sum(1 + kRanks);
    for (const proto::Contribution& one : contributions) {
      const Numbers numbers = numbers_of(one.value.payload);
      sum[0] = sum[0] * 31 + numbers[0];
      for (size_t i = 1; i < sum.size(); ++i) sum[i] += numbers[i];
    }
    return {{}, payload_of(sum)};
  }

  bool apply(const proto::Applied& step) override {
    if (!apply_step(step)) return false;
    if (journal_ && journal_->slots[step.slot].steps.size() > kMaxSteps) keep(step.slot, *step.ledger);
    return true;
  }

  bool apply_step(const proto::Applied& step) {
    check_same_step(step);
    Slot& slot = slots_[step.slot];
    const Numbers numbers = numbers_of(step.value.payload);
    if (step.step == proto::Step::command) {
      if (numbers.empty()) return false;
      slot.scale = numbers[0];
      return true;
    }
    const bool is_first = step.step == proto::Step::init;
    if (numbers.size() != 1 + kRanks || (!is_first && !slot.pieces.count(step.piece))) return false;
    Piece& piece = slot.pieces[step.piece];
    if (is_first) {
      if (!piece.value.empty()) truth_.violated(name_ + ": a first value came twice");
      piece.value = piece.before = numbers;
    } else {
      if (step.round <= piece.round) truth_.violated(name_ + ": a round came twice");
      for (const proto::Mark& mark : step.marks) {
        if (++piece.counted[{mark.rank, mark.sequence}] > 1) {
          truth_.violated(name_ + ": update " + std::to_string(mark.sequence) + " of worker " +
                          std::to_string(mark.rank) + " to piece " + std::to_string(step.piece) +
                          " was applied twice");
        }
      }
      piece.before = piece.value;
      piece.value[0] = piece.value[0] * slot.scale + numbers[0];
      for (size_t i = 1; i < piece.value.size(); ++i) piece.value[i] += numbers[i];
    }
    piece.round = step.round;
    return true;
  }

  bool read(uint32_t slot, PieceId piece, uint64_t round, const proto::Value&, proto::Value& out) override {
    const Piece& stored = slots_[slot].pieces[piece];
    if (round != stored.round && round + 1 != stored.round) return false;
    out.payload = payload_of(round == stored.round ? stored.value : stored.before);
    return true;
  }

  uint32_t parts(uint32_t, PieceId piece) override { return piece == proto::kSlotItself ? 1 : 3; }
  proto::Value part(uint32_t slot, PieceId id, uint32_t part) override {
    Slot& from = slots_[slot];
    if (id == proto::kSlotItself) return {{}, payload_of({from.scale})};
    const Piece& piece = from.pieces[id];
    if (part < 2) return {{}, payload_of(part == 0 ? piece.value : piece.before)};
    Numbers counted = {piece.round};
    for (const auto& [mark, times] : piece.counted) {
      counted.insert(counted.end(), {mark.first, mark.second, times});
    }
    return {{}, payload_of(counted)};
  }
  bool install(uint32_t slot, PieceId id, const std::string&, uint32_t part,
               const proto::Value& value) override {
    Slot& to = slots_[slot];
    const Numbers numbers = numbers_of(value.payload);
    if (numbers.empty()) return false;
    if (id == proto::kSlotItself) {
      to.scale = numbers[0];
      return true;
    }
    Piece& piece = to.pieces[id];
    if (part < 2) {
      (part == 0 ? piece.value : piece.before) = numbers;
      return numbers.size() == 1 + kRanks;
    }
    piece.round = numbers[0];
    for (size_t i = 1; i + 2 < numbers.size(); i += 3) {
      piece.counted[{static_cast<uint32_t>(numbers[i]), numbers[i + 1]}] =
          static_cast<uint32_t>(numbers[i + 2]);
    }
    return true;
  }
  void clear(uint32_t slot) override {
    slots_.erase(slot);
    if (journal_) journal_->slots.erase(slot);
  }

  uint64_t disk() const override { return journal_ ? journal_->disk : 0; }
  std::string last_view() override { return journal_ ? journal_->view : ""; }
  void follows(const proto::View& view) override {
    if (journal_) journal_->view = proto::encoded(view);
  }
  void logged(const proto::Entry& entry, const mixgrad::net::Payload& payload) override {
    if (!journal_) return;
    Kept& kept = journal_->slots[entry.slot];
    kept.steps.push_back({entry, payload, 0});
    kept.origin = entry.origin;
  }
  void filled(uint32_t slot, const proto::Epoch& epoch, const proto::Ledger& ledger) override {
    if (!journal_) return;
    journal_->slots.erase(slot);
    keep(slot, ledger);
    journal_->slots[slot].origin = epoch;
  }

  void snapshot(uint32_t slot, uint64_t number, const std::string& ledger) override {
    if (disk_) (*disk_)[number][slot] = {slots_[slot], ledger};
  }
  std::vector<proto::Restored> restored() override {
    std::vector<proto::Restored> list;
    if (journal_) return std::move(restored_);
    if (!disk_ || disk_->empty()) return list;
    const auto& [number, slots] = *disk_->rbegin();
    for (const auto& [slot, state] : slots) list.push_back({slot, number, state.second, {}, {}});
    return list;
  }

 private:
  static constexpr size_t kMaxSteps = 6;  // written down before a new state is

  // A new state, and what of the log is beyond it.
  void keep(uint32_t slot, const proto::Ledger& ledger) {
    Kept& kept = journal_->slots[slot];
    kept.slot = slots_[slot];
    kept.ledger = ledger.bytes();
    std::vector<proto::LogStep> beyond;
    for (proto::LogStep& step : kept.steps) {
      while (!beyond.empty() && beyond.back().entry.index >= step.entry.index) beyond.pop_back();
      if (step.entry.index > ledger.index) beyond.push_back(std::move(step));
    }
    kept.steps = std::move(beyond);
  }
  void replay() {
    for (auto& [slot, kept] : journal_->slots) {
      slots_[slot] = kept.slot;
      proto::Ledger ledger;
      if (!ledger.read(kept.ledger.data(), kept.ledger.size())) truth_.violated(name_ + ": a bad ledger");
      proto::Replay replay(ledger, kept.origin);
      for (const proto::LogStep& step : kept.steps) {
        const proto::Entry& entry = step.entry;
        const bool taken = replay.take(step, [&, slot = slot](const proto::LogStep& next) {
          const proto::Entry& one = next.entry;
          if (one.step == proto::Step::opening || proto::is_snapshot(one)) return true;
          return apply_step({slot,
                             one.index,
                             one.step,
                             one.piece,
                             one.round,
                             one.marks,
                             one.head,
                             one.about,
                             {one.format, next.payload}});
        });
        if (!taken) truth_.violated(name_ + ": step " + std::to_string(entry.index) + " does not follow");
      }
      restored_.push_back({slot, 1, ledger.bytes(), replay.rest(), replay.origin()});
    }
  }
  static std::string right_size(const proto::Value& value) {
    return value.payload.bytes == 8 * (1 + kRanks) ? "" : std::to_string(value.payload.bytes) + " bytes";
  }
  void check_same_step(const proto::Applied& step) {
    uint64_t digest = proto::mixed(step.piece * 4 + static_cast<uint64_t>(step.step)) ^ step.round;
    for (const uint64_t number : numbers_of(step.value.payload)) digest = proto::mixed(digest ^ number);
    for (const proto::Mark& mark : step.marks)
      digest = proto::mixed(digest ^ mark.rank << 20 ^ mark.sequence);
    const auto [at, is_new] = truth_.steps.emplace(std::make_pair(step.slot, step.index), digest);
    if (!is_new && at->second != digest) {
      truth_.violated(name_ + ": another step " + std::to_string(step.index) + " of slot " +
                      std::to_string(step.slot) + " than elsewhere");
    }
  }

  Truth& truth_;
  const std::string name_;
  Disk* const disk_;
  Journal* const journal_;
  std::vector<proto::Restored> restored_;
  std::map<uint32_t, Slot> slots_;
};

}  // namespace protocol_test
