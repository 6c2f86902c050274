#include "kvstore/collective/slots.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "base/error.h"
#include "device/shared_memory.h"

namespace mixgrad::kvstore::collective {

struct Segment::Head {
  static constexpr size_t kPage = 4096;

  uint64_t mark, bytes, slot_bytes;
  uint32_t slots;
  std::atomic<uint32_t> used[1];  // one for each slot

  static size_t bytes_for(size_t slots) {
    return (offsetof(Head, used) + slots * sizeof(std::atomic<uint32_t>) + kPage - 1) / kPage * kPage;
  }
  bool is_sound(size_t whole) const {
    return bytes == whole && slots > 0 && slots <= whole && slot_bytes > 0 && slot_bytes <= whole &&
           bytes_for(slots) + slots * slot_bytes <= whole;
  }
};
static_assert(std::atomic<uint32_t>::is_always_lock_free, "processes share it");

// Keeps the mapping, and the slot from being written.
class Segment::Use {
 public:
  Use(std::shared_ptr<Segment> segment, uint32_t slot) : segment_(std::move(segment)), slot_(slot) {}
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() { segment_->head_->used[slot_].store(0, std::memory_order_release); }

 private:
  const std::shared_ptr<Segment> segment_;
  const uint32_t slot_;
};

Segment::Segment(Head* head) : head_(head), slots_(head->slots), slot_bytes_(head->slot_bytes) {}
Segment::~Segment() { shared_release(head_); }

std::shared_ptr<Segment> Segment::make(size_t bytes, size_t slot_bytes, uint64_t mark) {
  if (!shared_memory_available()) return nullptr;
  size_t slots = bytes / slot_bytes;
  while (slots > 0 && Head::bytes_for(slots) + slots * slot_bytes > bytes) --slots;
  if (slots == 0) return nullptr;
  void* const start = shared_create(bytes);
  if (!start) return nullptr;
  Head* const head = static_cast<Head*>(start);  // of zeros
  head->mark = mark;
  head->bytes = bytes;
  head->slot_bytes = slot_bytes;
  head->slots = static_cast<uint32_t>(slots);
  return std::shared_ptr<Segment>(new Segment(head));
}

std::shared_ptr<Segment> Segment::open(const std::string& name, uint64_t mark) {
  void* start = nullptr;
  try {
    start = shared_attach(name);
  } catch (const Error&) {
    return nullptr;  // it is on another machine, or another user's
  }
  Head* const head = static_cast<Head*>(start);
  const size_t whole = shared_place(start).bytes;
  if (whole < Head::kPage || head->mark != mark || !head->is_sound(whole)) {
    shared_release(start);
    return nullptr;
  }
  return std::shared_ptr<Segment>(new Segment(head));
}

std::string Segment::name() const { return shared_name(head_); }

char* Segment::slot_at(uint32_t slot) const {
  return reinterpret_cast<char*>(head_) + Head::bytes_for(slots_) + slot * slot_bytes_;
}

int64_t Segment::put(const void* data, size_t bytes) {
  if (bytes > slot_bytes_) return -1;
  for (uint32_t slot = 0; slot < slots_; ++slot) {
    std::atomic<uint32_t>& used = head_->used[slot];
    uint32_t free = 0;
    if (used.load(std::memory_order_relaxed) != 0 ||
        !used.compare_exchange_strong(free, 1, std::memory_order_acquire))
      continue;
    std::memcpy(slot_at(slot), data, bytes);
    return slot;
  }
  return -1;
}

bool Segment::get(const std::shared_ptr<Segment>& segment, uint32_t slot, uint64_t bytes,
                  net::Payload* payload) {
  if (!segment || slot >= segment->slots_ || bytes > segment->slot_bytes_) return false;
  if (segment->head_->used[slot].load(std::memory_order_acquire) != 1) return false;
  *payload = net::Payload(segment->slot_at(slot), bytes, std::make_shared<Use>(segment, slot));
  return true;
}

bool Slots::put(size_t known, const net::Payload& payload, SlotPlace* place) {
  std::vector<std::shared_ptr<Segment>> segments;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    segments.assign(segments_.begin(), segments_.begin() + std::min(known, segments_.size()));
  }
  for (size_t i = 0; i < segments.size(); ++i) {
    const int64_t slot = segments[i]->put(payload.data, payload.bytes);
    if (slot < 0) continue;
    *place = {static_cast<uint32_t>(i), static_cast<uint32_t>(slot)};
    return true;
  }
  return false;
}

std::string Slots::more(size_t known) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (known >= most_) return "";
  if (known >= segments_.size()) {
    if (is_refused_) return "";
    std::shared_ptr<Segment> segment = Segment::make(segment_bytes_, slot_bytes_, mark_);
    if (!segment) {
      is_refused_ = true;
      return "";
    }
    segments_.push_back(std::move(segment));
  }
  return segments_[known]->name();
}

}  // namespace mixgrad::kvstore::collective
