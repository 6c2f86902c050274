#include "net/outbox.h"

#include <algorithm>

#include "net/assembly.h"
#include "net/piece.h"

namespace mixgrad::net {
void Outbox::push(Message message) {
  bytes_ += bytes_of(message);
  const Order order(-int64_t{message.priority}, ++pushed_);
  waiting_[order].message = std::move(message);
}

// What stands first, unless it would be one more incomplete message than the other side keeps: then the first that has begun.
Outbox::Place Outbox::choose(size_t piece_bytes) {
  const Place first = waiting_.begin();
  const bool begins = first->second.number == 0 && first->second.message.payload.bytes > piece_bytes;
  if (!begins || begun_.size() < kMaxIncomplete) return first;
  return waiting_.find(*std::min_element(begun_.begin(), begun_.end()));
}

Piece Outbox::next(size_t piece_bytes) {
  const Place place = choose(piece_bytes);
  Waiting& waiting = place->second;
  const Payload& payload = waiting.message.payload;
  PieceHead head;
  head.first = waiting.number == 0;
  Piece piece;
  if (head.first) {
    waiting.number = ++numbered_;
    head.kind = waiting.message.kind;
    head.priority = waiting.message.priority;
    head.payload_bytes = payload.bytes;
    head.from = from_;
    head.to = to_;
    head.fields = waiting.message.fields;
    if (payload.bytes <= kMaxInlineBytes)
      head.inlined = {static_cast<const char*>(payload.data), payload.bytes};
  }
  head.number = waiting.number;
  head.offset = waiting.left;
  piece.head = encode_piece(head);
  const size_t bytes = head.inlined.empty() ? std::min(piece_bytes, payload.bytes - waiting.left) : 0;
  if (bytes > 0) {
    piece.departure = waiting.message.departure;
    piece.body = Payload(static_cast<const char*>(payload.data) + waiting.left, bytes, payload.owner);
  }
  waiting.left += bytes + head.inlined.size();
  piece.first = head.first;
  piece.last = waiting.left == payload.bytes;
  piece.message_bytes = bytes_of(waiting.message);
  if (piece.last) {
    erase(place);
  } else if (head.first) {
    begun_.push_back(place->first);
  }
  return piece;
}

void Outbox::erase(Place place) {
  bytes_ -= bytes_of(place->second.message);
  begun_.erase(std::remove(begun_.begin(), begun_.end(), place->first), begun_.end());
  waiting_.erase(place);
}

void Outbox::clear() {
  waiting_.clear();
  begun_.clear();
  bytes_ = 0;
}

void Outbox::restart_begun() {
  for (const Order& order : begun_) {
    Waiting& waiting = waiting_.find(order)->second;
    waiting.number = 0;
    waiting.left = 0;
  }
  begun_.clear();
}

}  // namespace mixgrad::net
