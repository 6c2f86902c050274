// States of optimisers, which are the servers': to a worker that asks for them, and back.
#include <limits>

#include "base/error.h"
#include "kvstore/distributed/array_table.h"
#include "kvstore/distributed/distributed_calls.h"
#include "kvstore/distributed/rule_states.h"
#include "kvstore/protocol/fields.h"

namespace mixgrad::kvstore {
namespace {

using protocol::Actions;
using protocol::Time;

}  // namespace

StatePart DistributedStore::state(const Key& key, uint32_t part) {
  static constexpr const char* kFunction = "kvstore.save_optimizer_states";
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_open(kFunction);
  const Piece& piece = part_of(key, part, kFunction);
  // With all that was pushed here in it.
  engine::Engine::get().wait_for_var(values_.at(key).turn.get(), engine::Wait::to_read);
  const auto wait = std::make_shared<Wait>(1);
  driver_->call([&](Machine& machine, Time now, Actions& actions) {
    protocol::PullRequest request;
    request.piece = piece.id;
    request.format.encoding = protocol::Encoding::state;
    driver_->expect(worker_of(machine).pull(now, std::move(request), actions), wait->at(wait, 0));
  });
  const protocol::Outcome outcome = std::move(wait_for(wait, kFunction)[0]);
  if (outcome.value.format.encoding != protocol::Encoding::state)
    fail(Status::format, "[", kFunction, "] key ", key, ": a server sent something else than a state");
  return {static_cast<uint32_t>(values_.at(key).pieces.size()), piece.first, piece.count,
          outcome.value.payload.text()};
}

const Piece& DistributedStore::part_of(const Key& key, uint32_t part, const char* function) const {
  const auto known = values_.find(key);
  if (known == values_.end())
    fail(Status::not_found, "[", function, "] key ", key, " has no value; call init first");
  const std::vector<Piece>& pieces = known->second.pieces;
  if (part >= pieces.size())
    fail(Status::index, "[", function, "] key ", key, " has ", pieces.size(), " parts; got part ", part);
  return pieces[part];
}

void DistributedStore::set_states(Span<const NewState> states) {
  static constexpr const char* kFunction = "kvstore.load_optimizer_states";
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_open(kFunction);
  std::vector<RuleStates> by_slot(cluster_.slots);
  for (const NewState& one : states) {
    if (one.data.size() > std::numeric_limits<uint32_t>::max()) {
      fail(Status::unsupported, "[", kFunction, "] key ", one.key, ": got a state of ", one.data.size(),
           " bytes; expected less than 4 GiB, as parts of values on more servers have");
    }
    const protocol::PieceId piece = part_of(one.key, one.part, kFunction).id;
    uint32_t slot = 0;
    driver_->call([&](Machine& machine, Time, Actions&) { slot = machine.view().slot_of(piece); });
    by_slot.at(slot).list.push_back({piece, one.data});
  }
  std::vector<net::Payload> bodies;
  for (const RuleStates& one : by_slot) bodies.push_back(net::Payload::of(protocol::encoded(one)));
  // Others' updates from before do not change them.
  wait_for_updates();
  barrier();
  send_command(kStatesHead, bodies, kFunction);
}

}  // namespace mixgrad::kvstore
