// Messages out of the pieces that a connection brings.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "net/message.h"
#include "net/piece.h"

namespace mixgrad::net {

struct AssemblyLimits {
  size_t message_bytes = size_t{1} << 30;  // of one payload
  size_t peer_bytes = size_t{1} << 30;     // of incomplete payloads from one connection
  size_t all_bytes = size_t{1} << 31;      // ... from all
};

// How many messages may be incomplete on one connection: who sends begins no more than that at a time.
constexpr size_t kMaxIncomplete = 16;

// The memory of incomplete messages, counted over all connections of a transport, by its thread.
class AssemblyRoom {
 public:
  explicit AssemblyRoom(const AssemblyLimits& limits) : limits_(limits) {}
  const AssemblyLimits& limits() const { return limits_; }
  size_t used() const { return used_; }
  bool take(size_t bytes);
  void give_back(size_t bytes) { used_ -= bytes; }

 private:
  const AssemblyLimits limits_;
  size_t used_ = 0;
};

enum class Taken {
  incomplete,  // more pieces are to come, or it is one more of a message that was dropped
  complete,    // *message is whole
  broken,      // a piece of a message whose beginning did not come, or was given up: dropped
  crowded,     // the beginning of a message for which there is no room: dropped with all its pieces
  nonsense,    // what no peer sends
};

// Of one connection. One thread at a time.
class Assembly {
 public:
  explicit Assembly(AssemblyRoom* room) : room_(room) {}
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;
  ~Assembly();

  // `body`: the second frame, without bytes where there was none. What is kept of it shares its owner. *reason: of nonsense.
  Taken take(const PieceHead& head, Payload body, Message* message, const char** reason);
  // To be called now and then: gives up what is incomplete if no piece of it came since the last call. How many messages.
  size_t give_up_idle();
  size_t incomplete() const { return incomplete_.size(); }
  size_t bytes() const { return bytes_; }

 private:
  struct Incomplete {
    uint64_t number;
    uint8_t* data;  // of the payload
    size_t bytes, arrived;
    Message message;
  };
  Taken begin(const PieceHead& head, Payload body, Message* message, const char** reason);
  void drop(size_t index);
  // False if it was told of the message before.
  bool first_loss(uint64_t number);

  AssemblyRoom* const room_;
  std::vector<Incomplete> incomplete_;
  uint64_t newest_ = 0;  // the highest number that began
  std::array<uint64_t, kMaxIncomplete>
      lost_{};  // numbers of messages that were dropped; the oldest at next_lost_
  size_t next_lost_ = 0;
  size_t bytes_ = 0;
  bool active_ = false;
};

}  // namespace mixgrad::net
