#include "kvstore_protocol_program.h"

#include <algorithm>

namespace protocol_test {

Numbers first_value(PieceId piece) {
  Numbers value(1 + kRanks);
  value[0] = proto::mixed(piece);
  return value;
}

Numbers gradient(PieceId piece, uint32_t rank, uint64_t step, const Numbers& pulled) {
  Numbers value(1 + kRanks);
  value[0] = proto::mixed(pulled[0] ^ proto::mixed(piece * 1000 + rank * 100 + step));
  value[1 + rank] = 1;
  return value;
}

Numbers undisturbed(PieceId piece, uint32_t workers, uint64_t round) {
  Numbers value = first_value(piece);
  for (uint64_t step = 1; step <= round; ++step) {
    uint64_t sum = 0;
    for (uint32_t rank = 0; rank < workers; ++rank) {
      sum = sum * 31 + gradient(piece, rank, step, value)[0];
    }
    value[0] = value[0] * 7 + sum;
    for (uint32_t rank = 0; rank < workers; ++rank) ++value[1 + rank];
  }
  return value;
}

void Program::start(Time now, Actions& actions) {
  for (const PieceId piece : work_.pieces) {
    open_[worker_.init(now, piece, "numbers", {{}, payload_of(first_value(piece))}, actions)] = {piece, 0};
  }
}

void Program::take(const proto::Outcome& outcome) {
  const auto at = open_.find(outcome.ticket);
  if (at == open_.end()) return;
  const auto [piece, number] = at->second;
  open_.erase(at);
  if (outcome.status != mixgrad::Status::ok) {
    record_.errors.push_back(outcome.message);
    phase_ = Phase::failed;
    return;
  }
  switch (phase_) {
    case Phase::init:
      rounds_.push_back(outcome.round);
      marks_.push_back(outcome.mark);
      break;
    case Phase::pull: {
      const Numbers value = numbers_of(outcome.value.payload);
      pulled_[piece] = value;
      if (work_.is_checked &&
          (outcome.round != number || value != undisturbed(piece, work_.workers, number))) {
        truth_.violated("worker " + std::to_string(rank_) + " pulled round " + std::to_string(outcome.round) +
                        " of piece " + std::to_string(piece) + " for " + std::to_string(number) +
                        ", or a wrong value");
      }
      const bool is_async = work_.rounds.policy == Policy::async;
      if (is_async && value[1 + rank_] != worker_.next_number(piece) - 1) {
        truth_.violated("worker " + std::to_string(rank_) + " pulled a value with " +
                        std::to_string(value[1 + rank_]) + " of its updates, after " +
                        std::to_string(worker_.next_number(piece) - 1));
      }
      break;
    }
    case Phase::join:
      if (work_.rounds.policy == Policy::async) break;
      step_ = std::max<uint64_t>(outcome.round, 1);
      for (const PieceId id : work_.pieces) worker_.number_next(id, step_);
      break;
    case Phase::push:
      (outcome.fate == proto::Fate::applied ? record_.applied : record_.late).insert({piece, rank_, number});
      break;
    default: break;
  }
}

void Program::on_outcomes(Time now, Actions& actions) {
  // Requests that follow may end at once, and add outcomes.
  for (size_t i = 0; i < actions.outcomes.size(); ++i) {
    const proto::Outcome outcome = actions.outcomes[i];
    take(outcome);
    if (open_.empty() && !has_failed()) advance(now, actions);
  }
  actions.outcomes.clear();
}

void Program::advance(Time now, Actions& actions) {
  switch (phase_) {
    case Phase::init:
      if (rank_ == 0) {
        phase_ = Phase::setup;
        open_[worker_.command(now, 1, payload_of({7}), actions)] = {};
        return;
      }
      [[fallthrough]];
    case Phase::setup: return next_barrier(now, actions);
    case Phase::barrier: {
      const uint64_t lowest = *std::min_element(rounds_.begin(), rounds_.end());
      const uint64_t highest = *std::max_element(rounds_.begin(), rounds_.end());
      const bool is_async = work_.rounds.policy == Policy::async;
      const bool is_back = worker_.is_member();
      if (is_async) {
        step_ = *std::min_element(marks_.begin(), marks_.end()) + 1;
      } else {
        step_ = (is_back ? lowest : highest) + 1;
        for (const PieceId piece : work_.pieces) worker_.number_next(piece, step_);
      }
      if (!is_back) {
        phase_ = Phase::join;
        open_[worker_.join(now, is_async ? 0 : step_, actions)] = {};
        return;
      }
      phase_ = Phase::step_barrier;
      return next_barrier(now, actions);
    }
    case Phase::join: phase_ = Phase::step_barrier; return next_barrier(now, actions);
    case Phase::pull: {
      phase_ = Phase::push;
      std::vector<proto::PushRequest> updates;
      for (const PieceId piece : work_.pieces) {
        if (work_.rounds.policy == Policy::async && worker_.next_number(piece) != step_) continue;
        updates.push_back({piece, {{}, payload_of(gradient(piece, rank_, step_, pulled_[piece]))}, 0});
      }
      // One that was late may have skipped rounds.
      std::vector<uint64_t> numbers;
      for (const proto::PushRequest& update : updates) numbers.push_back(worker_.next_number(update.piece));
      const std::vector<Ticket> tickets = worker_.push(now, updates, actions);
      for (size_t i = 0; i < tickets.size(); ++i) open_[tickets[i]] = {updates[i].piece, numbers[i]};
      if (tickets.empty()) end_step(now, actions);
      return;
    }
    case Phase::push: return end_step(now, actions);
    case Phase::snapshot:
      ++step_;
      phase_ = Phase::step_barrier;
      return next_barrier(now, actions);
    case Phase::step_barrier: return next_barrier(now, actions);
    case Phase::leave: phase_ = Phase::done; return;
    default: return;
  }
}

// The barriers that a worker before this step has passed; one that came back may owe one.
void Program::next_barrier(Time now, Actions& actions) {
  const bool first = phase_ == Phase::init || phase_ == Phase::setup;
  const uint64_t owed = first || !work_.is_checked ? 1 : barriers_by(step_ - 1);
  if (first) phase_ = Phase::barrier;
  if (worker_.is_member() && worker_.barriers_passed() < owed) {
    open_[worker_.barrier(now, actions)] = {};
  } else if (first) {
    advance(now, actions);
  } else {
    phase_ = Phase::think;
  }
}

void Program::resume(Time now, Actions& actions) {
  if (phase_ == Phase::think) begin_step(now, actions);
}

void Program::begin_step(Time now, Actions& actions) {
  if (step_ > work_.steps) {
    phase_ = Phase::leave;
    open_[worker_.leave(now, actions)] = {};
    return;
  }
  phase_ = Phase::pull;
  for (const PieceId piece : work_.pieces) {
    proto::PullRequest request;
    request.piece = piece;
    request.exact = work_.is_checked;
    request.round = step_ - 1;
    open_[worker_.pull(now, request, actions)] = {piece, step_ - 1};
  }
}

void Program::end_step(Time now, Actions& actions) {
  if (rank_ == 0 && step_ == work_.snapshot_at) {
    phase_ = Phase::snapshot;
    open_[worker_.command(now, proto::kSnapshotHead, payload_of({step_}), actions)] = {};
    return;
  }
  ++step_;
  phase_ = Phase::step_barrier;
  next_barrier(now, actions);
}

std::string Program::str() const {
  static const char* const names[] = {"init", "setup",    "barrier",      "join",  "think", "pull",
                                      "push", "snapshot", "step_barrier", "leave", "done",  "failed"};
  return "worker " + std::to_string(rank_) + " at step " + std::to_string(step_) + ", " +
         names[static_cast<int>(phase_)] + ", " + std::to_string(open_.size()) + " requests";
}

}  // namespace protocol_test
