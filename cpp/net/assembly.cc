#include "net/assembly.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "storage/block.h"

namespace mixgrad::net {
namespace {

// Smaller ones are copied: a frame may keep a larger block of what came with it.
constexpr size_t kSmallestKept = 8192;

// In memory of the pool, which arrays take theirs from, too: its pages have been touched. Null where there is none.
uint8_t* payload_memory(size_t bytes, Payload* payload) {
  try {
    auto buffer = std::make_shared<const storage::Buffer>(Device::cpu(), bytes);
    auto* const data = static_cast<uint8_t*>(buffer->data());
    *payload = Payload(data, bytes, std::move(buffer));
    return data;
  } catch (const Error& error) {
    if (error.status() != Status::out_of_memory) throw;
    return nullptr;
  }
}

Payload aligned(Payload body) {
  if (body.bytes >= kSmallestKept && reinterpret_cast<uintptr_t>(body.data) % 8 == 0) return body;
  return Payload::copy_of(body.data, body.bytes);
}

}  // namespace

bool AssemblyRoom::take(size_t bytes) {
  if (bytes > limits_.all_bytes - used_) return false;
  used_ += bytes;
  return true;
}

Assembly::~Assembly() { room_->give_back(bytes_); }

Taken Assembly::take(const PieceHead& head, Payload body, Message* message, const char** reason) {
  const auto refuse = [&](const char* why) {
    *reason = why;
    return Taken::nonsense;
  };
  if (head.first) return begin(head, std::move(body), message, reason);
  if (body.bytes == 0) return refuse("a further piece without bytes");
  newest_ = std::max(newest_, head.number);  // it may have begun on a connection that broke
  size_t index = 0;
  while (index < incomplete_.size() && incomplete_[index].number != head.number) ++index;
  if (index == incomplete_.size()) return first_loss(head.number) ? Taken::broken : Taken::incomplete;
  Incomplete& found = incomplete_[index];
  if (head.offset != found.arrived) return refuse("a piece out of its order");
  if (body.bytes > found.bytes - found.arrived) return refuse("more bytes than a payload has");
  std::memcpy(found.data + found.arrived, body.data, body.bytes);
  found.arrived += body.bytes;
  active_ = true;
  if (found.arrived < found.bytes) return Taken::incomplete;
  *message = std::move(found.message);
  drop(index);
  return Taken::complete;
}

Taken Assembly::begin(const PieceHead& head, Payload body, Message* message, const char** reason) {
  const auto refuse = [&](const char* why) {
    *reason = why;
    return Taken::nonsense;
  };
  if (head.number <= newest_) return refuse("a message with the number of another");
  newest_ = head.number;
  if (head.payload_bytes > room_->limits().message_bytes) return refuse("a larger payload than the limit");
  const auto total = static_cast<size_t>(head.payload_bytes);
  if (body.bytes > 0 && !head.inlined.empty()) return refuse("a payload in both frames");
  if (body.bytes > total) return refuse("more bytes than a payload has");
  if (body.bytes == 0 && head.inlined.size() != total) return refuse("a payload without bytes");
  Message begun;
  begun.kind = head.kind;
  begun.priority = head.priority;
  if (body.bytes < total && head.inlined.empty()) {
    if (incomplete_.size() == kMaxIncomplete) return refuse("too many incomplete messages");
    if (total > room_->limits().peer_bytes - bytes_ || !room_->take(total)) {
      first_loss(head.number);
      return Taken::crowded;
    }
    uint8_t* const data = payload_memory(total, &begun.payload);
    if (!data) {
      room_->give_back(total);
      first_loss(head.number);
      return Taken::crowded;
    }
    bytes_ += total;
    std::memcpy(data, body.data, body.bytes);
    begun.fields = std::string(head.fields);
    incomplete_.push_back({head.number, data, total, body.bytes, std::move(begun)});
    active_ = true;
    return Taken::incomplete;
  }
  begun.fields = std::string(head.fields);
  if (total > 0)
    begun.payload = body.bytes > 0 ? aligned(std::move(body)) : Payload::copy_of(head.inlined.data(), total);
  *message = std::move(begun);
  return Taken::complete;
}

size_t Assembly::give_up_idle() {
  size_t given_up = 0;
  if (!active_) {
    for (given_up = incomplete_.size(); !incomplete_.empty(); drop(incomplete_.size() - 1))
      first_loss(incomplete_.back().number);
  }
  active_ = false;
  return given_up;
}

void Assembly::drop(size_t index) {
  bytes_ -= incomplete_[index].bytes;
  room_->give_back(incomplete_[index].bytes);
  incomplete_.erase(incomplete_.begin() + static_cast<ptrdiff_t>(index));
}

bool Assembly::first_loss(uint64_t number) {
  if (std::find(lost_.begin(), lost_.end(), number) != lost_.end()) return false;
  lost_[next_lost_++ % lost_.size()] = number;
  return true;
}

}  // namespace mixgrad::net
