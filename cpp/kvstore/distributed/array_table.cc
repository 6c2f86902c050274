#include "kvstore/distributed/array_table.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/warning.h"
#include "device/api.h"
#include "exec/imperative/mode.h"
#include "exec/sparse/sparse.h"
#include "kvstore/compression/codec.h"
#include "kvstore/distributed/encoded_array.h"
#include "kvstore/distributed/rule_states.h"
#include "kvstore/protocol/fields.h"
#include "kvstore/reduce.h"

namespace mixgrad::kvstore {
namespace {

using protocol::Applied;
using protocol::Contribution;
using protocol::kSlotItself;
using protocol::PieceId;
using protocol::Step;
// Not Value: that is one of a call.
using Encoded = protocol::Value;

constexpr size_t kMaxRuleBytes = size_t{64} << 20;
constexpr uint32_t kPartsOfPiece = 3;  // the value, the one before, and what is beside them
constexpr uint32_t kPartsOfSlot = 2;   // the rule's data, compression

// What is beside the values of a piece. The rule's state follows in the payload.
struct PieceState {
  uint64_t round = 0, before_round = 0;
  bool has_rule = false;
  std::string rule, failure;
  template <class F>
  void fields(F& f) {
    f(round, before_round, has_rule, rule, failure);
  }
};

DType dtype_in(const PieceAbout& about) { return static_cast<DType>(static_cast<int8_t>(about.dtype)); }

bool read_about(const std::string& bytes, PieceAbout& about) {
  return protocol::decode(bytes.data(), bytes.size(), about) && about.is_sound();
}

uint64_t bytes_of_stored(const Array& array) {
  const auto parts = array.sparse() ? array.chunk().parts() : nullptr;
  return parts ? parts->values->bytes() : array.bytes();
}

ArrayRef empty_beside(const Array& array) {
  if (array.sparse()) return empty_sparse(Storage::row_sparse, array.shape(), array.dtype(), Device::cpu());
  return sendable_array(array.shape(), array.dtype());
}

// In the storage type that the first value has.
ArrayRef as_stored(const Encoded& value, const PieceAbout& about) {
  const ArrayRef given = decoded_array(value, about.shape(), dtype_in(about));
  if (given->sparse() == about.is_rows()) return given;
  const ArrayRef stored =
      about.is_rows() ? empty_sparse(Storage::row_sparse, given->shape(), given->dtype(), Device::cpu())
                      : sendable_array(given->shape(), given->dtype());
  copy_any(*given, *stored, 0);
  return stored;
}

}  // namespace

ArrayTable::ArrayTable(RuleMaker* maker, Snapshots* snapshots, uint64_t memory)
    : maker_(maker),
      snapshots_(snapshots),
      memory_(memory ? memory : device_api(Device::cpu()).total_memory(Device::cpu())) {}

// Of the values, each twice: that of the round before is kept.
uint64_t ArrayTable::held_bytes() const {
  uint64_t bytes = 0;
  for (const auto& [number, slot] : slots_) {
    for (const auto& [id, stored] : slot.pieces)
      bytes += stored.value ? 2 * bytes_of_stored(*stored.value) : 0;
  }
  return bytes;
}

ArrayTable::Stored* ArrayTable::find(uint32_t slot, PieceId piece) {
  const auto at = slots_.find(slot);
  if (at == slots_.end()) return nullptr;
  const auto found = at->second.pieces.find(piece);
  return found == at->second.pieces.end() ? nullptr : &found->second;
}

std::string ArrayTable::check_init(uint32_t slot, PieceId piece, const std::string& about, bool is_stored) {
  PieceAbout given;
  if (piece == kSlotItself || !read_about(about, given)) return "what it says of itself makes no sense";
  const Stored* const stored = is_stored ? find(slot, piece) : nullptr;
  if (!stored || stored->about_text == about) return "";
  return text("got ", given, "; the store has ", stored->about);
}

std::string ArrayTable::check_first(PieceId, const std::string& about, const Encoded& value) {
  PieceAbout given;
  if (!read_about(about, given)) return "what it says of itself makes no sense";
  // A few rows of a dense value would be small here and large in every server's memory.
  if ((value.format.encoding == protocol::Encoding::rows) != given.is_rows())
    return text("the first value is not stored as ", given, " says");
  std::string wrong = wrong_with(value, given.shape(), dtype_in(given));
  const uint64_t held = held_bytes(), more = 2 * uint64_t{value.payload.bytes};
  if (wrong.empty() && memory_ > 0 && more > memory_ - std::min(held, memory_)) {
    wrong = text(given, " needs ", more, " bytes, with the value before it; this server holds ", held, " of ",
                 memory_, " bytes (MIXGRAD_MEMORY): expected smaller values, or more servers");
  }
  return wrong;
}

std::string ArrayTable::check_push(uint32_t slot, PieceId piece, const Encoded& value) {
  const Stored* const stored = find(slot, piece);
  if (!stored) return "it has no first value";
  if (!stored->failure.empty()) return text(stored->about, ": ", stored->failure);
  const std::string wrong = wrong_with(value, stored->about.shape(), dtype_in(stored->about), Form::update);
  if (!wrong.empty()) return text(stored->about, ": ", wrong);
  const Compression& expected = slots_[slot].compression;
  const bool fits =
      is_compressed(value.format.encoding) || expected.is_on() ? expected.makes(value.format) : true;
  if (fits) return "";
  return text(stored->about, ": got an update compressed as ", compression_name(value.format),
              "; the store expects ", expected.str(),
              ". Every worker calls set_gradient_compression, with the same parameters");
}

std::string ArrayTable::check_command(int32_t head, const net::Payload& body) {
  if (head == kCompressionHead)
    return Compression().read(body.data, body.bytes) ? "" : "got settings of compression that make no sense";
  if (head == kStatesHead) return check_states(body);
  if (head != kRuleHead)
    return text("got a command of head ", head, "; expected ", kRuleHead, " to ", kStatesHead);
  if (body.bytes == 0) return "";
  if (body.bytes > kMaxRuleBytes)
    return text("got an optimiser of ", body.bytes, " bytes; expected at most ", kMaxRuleBytes);
  if (!maker_) return "this server runs no optimisers: it was started without the language that has them";
  return maker_->check(body.text());
}

Encoded ArrayTable::merge(uint32_t slot, PieceId piece, Span<const Contribution> contributions) {
  if (contributions.size() == 1) return contributions[0].value;
  const PieceAbout& about = find(slot, piece)->about;  // it was asked for when these were checked
  const Unrecorded quiet;
  std::vector<ArrayRef> arrays;
  std::vector<Array*> values;
  bool any_sparse = false;
  for (const Contribution& one : contributions) {
    arrays.push_back(decoded_array(one.value, about.shape(), dtype_in(about)));
    values.push_back(arrays.back().get());
    any_sparse |= arrays.back()->sparse();
  }
  if (any_sparse) return encoded_array(sum_of(values, Device::cpu()));
  const ArrayRef sum = sendable_array(about.shape(), dtype_in(about));
  sum_into(values, *sum, 0);
  return encoded_array(sum);
}

bool ArrayTable::apply_step(const Applied& step) {
  const Unrecorded quiet;
  Slot& slot = slots_[step.slot];
  try {
    if (step.step == Step::command) {
      const net::Payload& body = step.value.payload;
      if (!check_command(step.head, body).empty()) return false;
      if (step.head == kCompressionHead) return slot.compression.read(body.data, body.bytes);
      if (step.head == kStatesHead) {
        apply_states(slot, body);
        return true;
      }
      slot.rule_data = step.value.payload.text();
      for (auto& [id, stored] : slot.pieces) {
        stored.rule = nullptr;  // states begin anew, as in MXNet
        stored.failure.clear();
      }
      return true;
    }
    if (step.step == Step::init) return apply_first(slot, step);
    Stored* const stored = find(step.slot, step.piece);
    return stored && apply_update(slot, *stored, step);
  } catch (const std::exception& error) {
    warn(text("[kvstore server] step ", step.index, " of slot ", step.slot, ": ", error.what(),
              "; this server ends"));
    return false;
  }
}

std::string ArrayTable::check_states(const net::Payload& body) {
  RuleStates given;
  if (!protocol::decode(body.data, body.bytes, given)) return "got states that make no sense";
  if (!maker_ && !given.list.empty())
    return "this server runs no optimisers: it was started without the language that has them";
  for (const RuleState& one : given.list) {
    std::string wrong = maker_->check(one.data);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

// Of data that were checked. A piece that is not here was never given a value, and keeps no state.
void ArrayTable::apply_states(Slot& slot, const net::Payload& body) {
  RuleStates given;
  if (!protocol::decode(body.data, body.bytes, given) || slot.rule_data.empty()) return;
  for (const RuleState& one : given.list) {
    const auto at = slot.pieces.find(one.piece);
    if (at == slot.pieces.end()) continue;
    Stored& stored = at->second;
    try {
      stored.rule = maker_->make(one.data);
      stored.failure.clear();
    } catch (const std::exception& error) {
      stored.failure = text("its states were not taken: ", error.what());
    }
  }
}

bool ArrayTable::read_state(const Slot& slot, const Stored& stored, Encoded& out) const {
  try {
    out.format.encoding = protocol::Encoding::state;
    out.payload = net::Payload::of(stored.rule ? stored.rule->state() : slot.rule_data);
    return true;
  } catch (const std::exception& error) {
    warn(text("[kvstore server] the state of ", stored.about, ": ", error.what()));
    return false;
  }
}

bool ArrayTable::apply_first(Slot& slot, const Applied& step) {
  Stored stored;
  stored.about_text = step.about;
  if (!read_about(step.about, stored.about)) return false;
  if (!wrong_with(step.value, stored.about.shape(), dtype_in(stored.about)).empty()) return false;
  stored.value = as_stored(step.value, stored.about);
  stored.round = step.round;
  return slot.pieces.emplace(step.piece, std::move(stored)).second;
}

bool ArrayTable::apply_update(Slot& slot, Stored& stored, const Applied& step) {
  if (!wrong_with(step.value, stored.about.shape(), dtype_in(stored.about), Form::update).empty())
    return false;
  ArrayRef next;
  if (slot.rule_data.empty()) {
    next = as_stored(step.value, stored.about);
  } else {
    const ArrayRef received = decoded_array(step.value, stored.about.shape(), dtype_in(stored.about));
    next = empty_beside(*stored.value);
    copy_any(*stored.value, *next, 0);
    try {
      if (!stored.rule) stored.rule = maker_->make(slot.rule_data);
      stored.rule->update(stored.about.key(), *received, *next);
    } catch (const std::exception& error) {
      stored.failure = text("its update failed: ", error.what());
      next = stored.value;
    }
  }
  stored.before = std::exchange(stored.value, next);
  stored.before_round = std::exchange(stored.round, step.round);
  return true;
}

bool ArrayTable::read(uint32_t slot, PieceId piece, uint64_t round, const Encoded& rows, Encoded& out) {
  Stored* const stored = find(slot, piece);
  read_trouble_.clear();
  if (!stored || !stored->failure.empty()) return false;
  if (rows.format.encoding == protocol::Encoding::state)
    return round == stored->round && read_state(slots_[slot], *stored, out);
  const bool is_before = round != stored->round;
  if (is_before && (!stored->before || round != stored->before_round)) return false;
  const ArrayRef& value = is_before ? stored->before : stored->value;
  const Unrecorded quiet;
  try {
    value->wait_to_read();
  } catch (const std::exception& error) {  // of the task that made it: nobody gets it any more
    stored->failure = text("its update failed: ", error.what());
    return false;
  }
  // What fails here, for want of memory say, is this reading's trouble alone.
  try {
    if (rows.format.encoding != protocol::Encoding::rows) {
      out = encoded_array(value);
      return true;
    }
    std::vector<int64_t> numbers;
    if (value->shape().ndim() < 1 || !decoded_rows(rows, value->shape()[0], numbers)) return false;
    out = encoded_array(sparse::pick_rows(*value, numbers));
    return true;
  } catch (const std::exception& error) {
    read_trouble_ = text("it cannot be read now: ", error.what());
    return false;
  }
}

std::string ArrayTable::trouble(uint32_t slot, PieceId piece) {
  const Stored* const stored = find(slot, piece);
  if (!stored) return "";
  return stored->failure.empty() ? read_trouble_ : stored->failure;
}

uint32_t ArrayTable::parts(uint32_t, PieceId piece) {
  return piece == kSlotItself ? kPartsOfSlot : kPartsOfPiece;
}

Encoded ArrayTable::part(uint32_t slot, PieceId piece, uint32_t part) {
  Encoded value;
  if (piece == kSlotItself) {
    const Slot& from = slots_[slot];
    value.payload = net::Payload::of(part == 0 ? from.rule_data : from.compression.bytes());
    return value;
  }
  const Stored* const stored = find(slot, piece);
  if (!stored) return value;
  const Unrecorded quiet;
  if (part == 0) return encoded_array(stored->value);
  if (part == 1) return stored->before ? encoded_array(stored->before) : value;
  PieceState state{stored->round, stored->before_round, stored->rule != nullptr, {}, stored->failure};
  if (stored->rule) state.rule = stored->rule->state();
  value.payload = net::Payload::of(protocol::encoded(state));
  return value;
}

bool ArrayTable::install(uint32_t slot, PieceId piece, const std::string& about, uint32_t part,
                         const Encoded& value) {
  const Unrecorded quiet;
  Slot& to = slots_[slot];
  try {
    if (piece == kSlotItself) {
      if (part == 1) return to.compression.read(value.payload.data, value.payload.bytes);
      if (part > 1 || !check_command(kRuleHead, value.payload).empty()) return false;
      to.rule_data = value.payload.text();
      return true;
    }
    Stored& stored = to.pieces[piece];
    if (part == 0) {
      stored = Stored();
      stored.about_text = about;
      if (!read_about(about, stored.about)) return false;
    }
    if (!stored.value && part > 0) return false;
    if (part == 2) {
      PieceState state;
      if (!protocol::decode(value.payload.data, value.payload.bytes, state)) return false;
      stored.round = state.round;
      stored.before_round = state.before_round;
      stored.failure = state.failure;
      if (!state.has_rule) return true;
      if (!maker_ || !maker_->check(state.rule).empty()) return false;
      stored.rule = maker_->make(state.rule);
      return true;
    }
    if (part == 1 && value.payload.bytes == 0 && stored.about.count > 0) return true;  // there was none
    if (part > 2 || !wrong_with(value, stored.about.shape(), dtype_in(stored.about)).empty()) return false;
    (part == 0 ? stored.value : stored.before) = as_stored(value, stored.about);
    return true;
  } catch (const std::exception& error) {
    warn(text("[kvstore server] a part of slot ", slot, ": ", error.what()));
    return false;
  }
}

}  // namespace mixgrad::kvstore
