// Memory through which parts go between workers of one machine: copied into a slot by who sends, read there by who receives.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "net/message.h"

namespace mixgrad::kvstore::collective {

struct SlotPlace {
  uint32_t segment = 0, slot = 0;
};

// Of a segment that this worker or another one made. Slots are free or used; whoever reads one makes it free.
class Segment {
 public:
  // Null where the system has no such memory, or not so much.
  static std::shared_ptr<Segment> make(size_t bytes, size_t slot_bytes, uint64_t mark);
  // One of another process, by its name. Null where this process cannot map it, or `mark` is not that of its maker.
  static std::shared_ptr<Segment> open(const std::string& name, uint64_t mark);
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;
  ~Segment();

  std::string name() const;
  // Copies into a free slot. -1: none is free, or the bytes are too many.
  int64_t put(const void* data, size_t bytes);
  // What lies in a slot, which is free when the payload and its copies are gone. False for what is no slot in use.
  static bool get(const std::shared_ptr<Segment>& segment, uint32_t slot, uint64_t bytes,
                  net::Payload* payload);

 private:
  struct Head;
  class Use;
  explicit Segment(Head* head);
  char* slot_at(uint32_t slot) const;

  Head* const head_;
  // As its maker wrote them; what lies in memory that others write may change.
  const uint32_t slots_;
  const uint64_t slot_bytes_;
};

// The segments that a worker sends through. Any thread.
class Slots {
 public:
  Slots(size_t segment_bytes, size_t slot_bytes, size_t most, uint64_t mark)
      : segment_bytes_(segment_bytes), slot_bytes_(slot_bytes), most_(most), mark_(mark) {}
  // Of the first `known` segments. False where none is free.
  bool put(size_t known, const net::Payload& payload, SlotPlace* place);
  // Where a receiver knows that many and all are used: one more, or an earlier one of which it was not told. Its name, or empty.
  std::string more(size_t known);

 private:
  const size_t segment_bytes_, slot_bytes_, most_;
  const uint64_t mark_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Segment>> segments_;
  bool is_refused_ = false;  // by the system
};

}  // namespace mixgrad::kvstore::collective
