#include "kvstore/protocol/view.h"

#include <algorithm>

namespace mixgrad::kvstore::protocol {

uint64_t mixed(uint64_t bits) {
  bits += 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

std::string Rounds::str() const {
  switch (policy) {
    case Policy::wait: return "wait";
    case Policy::drop: return "drop";
    case Policy::first: return "first " + std::to_string(count);
    default: return "async";
  }
}

uint32_t View::slot_of(PieceId piece) const {
  return slots.empty() ? 0 : static_cast<uint32_t>(mixed(piece) % slots.size());
}

const Participant* View::find(const std::vector<Participant>& list, uint32_t number) {
  const auto at = std::lower_bound(list.begin(), list.end(), number,
                                   [](const Participant& p, uint32_t n) { return p.number < n; });
  return at != list.end() && at->number == number ? &*at : nullptr;
}

bool View::is_sound() const {
  for (const auto* list : {&servers, &workers}) {
    for (size_t i = 0; i < list->size(); ++i) {
      const Participant& one = (*list)[i];
      if (one.number > kMaxNumber || one.contact.size() > kMaxContactBytes) return false;
      if (i > 0 && (*list)[i - 1].number >= one.number) return false;
    }
  }
  if (slots.empty() || slots.size() > kMaxSlots || epoch.number == 0) return false;
  for (const Placement& slot : slots) {
    std::vector<uint32_t> all = slot.full;
    all.insert(all.end(), slot.filling.begin(), slot.filling.end());
    std::sort(all.begin(), all.end());
    if (std::adjacent_find(all.begin(), all.end()) != all.end()) return false;
    if (!std::all_of(all.begin(), all.end(), [&](uint32_t number) { return server(number); })) return false;
  }
  return true;
}

bool View::same_as(const View& other) const {
  return rounds == other.rounds && replicas == other.replicas && ended == other.ended &&
         servers == other.servers && workers == other.workers && slots == other.slots;
}

}  // namespace mixgrad::kvstore::protocol
