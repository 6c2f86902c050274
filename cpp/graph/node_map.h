// Numbers by node, for walks over graphs of any size.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/node.h"

namespace mixgrad {

// Open addressing in one array, since a walk over a large graph waits for little but memory. Nothing is ever taken out.
class NodeMap {
 public:
  static constexpr uint32_t kMissing = ~uint32_t{0};

  // False when the node has a number already; that stays.
  bool insert(const Node* node, uint32_t number) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place_of(node)];
    if (slot.node) return false;
    slot = {node, number};
    ++count_;
    return true;
  }
  // The number of a node that is there, to be read or changed; null when it is not there.
  uint32_t* find(const Node* node) {
    Slot* slot = slots_.empty() ? nullptr : &slots_[place_of(node)];
    return slot && slot->node ? &slot->number : nullptr;
  }
  uint32_t at(const Node* node) {
    const uint32_t* number = find(node);
    return number ? *number : kMissing;
  }
  size_t size() const { return count_; }

 private:
  struct Slot {
    const Node* node = nullptr;
    uint32_t number = 0;
  };

  size_t place_of(const Node* node) const {
    const size_t mask = slots_.size() - 1;
    size_t at = (reinterpret_cast<uintptr_t>(node) * uint64_t{0x9e3779b97f4a7c15u}) >> shift_;
    while (slots_[at].node && slots_[at].node != node) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Slot> old;
    old.swap(slots_);
    slots_.resize(old.empty() ? 16 : 4 * old.size());
    shift_ = 64;
    for (size_t n = slots_.size(); n > 1; n /= 2) --shift_;
    for (const Slot& slot : old) {
      if (slot.node) slots_[place_of(slot.node)] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two of them, at most half of them in use
  size_t count_ = 0;
  int shift_ = 64;
};

}  // namespace mixgrad
