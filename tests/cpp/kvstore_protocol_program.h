// What a worker does in a simulation: first values, a command, steps of pull and push, barriers, and the end.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kvstore/protocol/worker.h"
#include "kvstore_protocol_table.h"

namespace protocol_test {

using proto::Actions;
using proto::Policy;
using proto::Ticket;
using proto::Time;

// What all workers of a run have in common.
struct Work {
  proto::Rounds rounds;
  std::vector<PieceId> pieces;
  uint64_t steps = 4;
  uint64_t barrier_every = 0;  // 0: only the first
  uint64_t snapshot_at = 0;    // the step after which rank 0 takes one
  bool is_checked =
      false;             // rounds have known values: everybody is there from the beginning, and is waited for
  uint32_t workers = 1;  // then
};

// What programs found out, of all incarnations.
struct Record {
  std::set<std::tuple<PieceId, uint32_t, uint64_t>> applied, late;
  std::vector<std::string> errors;  // of requests
};

Numbers first_value(PieceId piece);
// An update that depends on what was pulled, as a gradient does.
Numbers gradient(PieceId piece, uint32_t rank, uint64_t step, const Numbers& pulled);
// The value of a round when nothing goes wrong.
Numbers undisturbed(PieceId piece, uint32_t workers, uint64_t round);

class Program {
 public:
  Program(uint32_t rank, proto::Worker& worker, const Work& work, Record& record, Truth& truth)
      : rank_(rank), worker_(worker), work_(work), record_(record), truth_(truth) {}

  void start(Time now, Actions& actions);
  void on_outcomes(Time now, Actions& actions);
  // Goes on when `ready_at` has come.
  void resume(Time now, Actions& actions);
  bool is_thinking() const { return phase_ == Phase::think; }
  bool is_done() const { return phase_ == Phase::done; }
  bool has_failed() const { return phase_ == Phase::failed; }
  uint64_t step() const { return step_; }
  std::string str() const;

 private:
  enum class Phase {
    init,
    setup,
    barrier,
    join,
    think,
    pull,
    push,
    snapshot,
    step_barrier,
    leave,
    done,
    failed
  };
  void advance(Time now, Actions& actions);
  void begin_step(Time now, Actions& actions);
  void end_step(Time now, Actions& actions);
  void next_barrier(Time now, Actions& actions);
  uint64_t barriers_by(uint64_t step) const {
    return 1 + (work_.barrier_every ? step / work_.barrier_every : 0);
  }
  void take(const proto::Outcome& outcome);

  const uint32_t rank_;
  proto::Worker& worker_;
  const Work& work_;
  Record& record_;
  Truth& truth_;
  Phase phase_ = Phase::init;
  uint64_t step_ = 1;
  std::map<Ticket, std::pair<PieceId, uint64_t>> open_;  // requests: piece, number
  std::map<PieceId, Numbers> pulled_;
  std::vector<uint64_t> rounds_, marks_;
};

}  // namespace protocol_test
