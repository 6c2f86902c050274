// What waits for one peer, and which piece of it goes next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "net/message.h"

namespace mixgrad::net {

// The two frames of a piece. `body` has no bytes where there is one frame alone.
struct Piece {
  std::string head;
  Payload body;
  std::shared_ptr<const void> departure;  // the message's, with the body
  bool first = false, last = false;       // of its message
  size_t message_bytes = 0;               // fields and payload of that
};

// Larger priorities first, among equals in order of their coming. One thread at a time.
class Outbox {
 public:
  // Names of this node and of the peer, for the heads of pieces.
  Outbox(std::string from, std::string to) : from_(std::move(from)), to_(std::move(to)) {}

  void push(Message message);
  bool empty() const { return waiting_.empty(); }
  size_t messages() const { return waiting_.size(); }
  // Of messages that have not left whole: fields and payloads.
  size_t bytes() const { return bytes_; }
  // The next piece, with at most so many bytes of a payload. Not when it is empty.
  Piece next(size_t piece_bytes);
  // Drops all.
  void clear();
  // The connection broke, and the other side forgets pieces: what has begun begins again.
  void restart_begun();

 private:
  using Order = std::pair<int64_t, uint64_t>;  // the negative of the priority; a number
  struct Waiting {
    Message message;
    uint64_t number = 0;  // given when it begins
    size_t left = 0;      // bytes of the payload that have left
  };
  using Place = std::map<Order, Waiting>::iterator;
  Place choose(size_t piece_bytes);
  void erase(Place place);

  const std::string from_, to_;
  std::map<Order, Waiting> waiting_;
  std::vector<Order> begun_;
  uint64_t pushed_ = 0, numbered_ = 0;
  size_t bytes_ = 0;
};

}  // namespace mixgrad::net
