// Numbers by node, for walks over graphs of any size.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/node.h"

namespace mixgrad {

// A table of pages of memory, and per page the numbers of the nodes that begin there: nodes made one after another are
// neighbours in it, too, since a walk over a large graph waits for little but memory. Nothing is ever taken out.
class NodeMap {
 public:
  static constexpr uint32_t kMissing = ~uint32_t{0};
  using Spot = uint32_t;  // of a node's number; good until the map is gone

  // Makes room for the node.
  Spot spot_of(const Node* node) {
    const uintptr_t page = page_of(node);
    if (page != last_page_) {
      last_page_ = page;
      last_ = find_page(page, true);
    }
    return last_ * kUnits + unit_of(node);
  }
  // kMissing until one was set.
  uint32_t at(Spot spot) const { return pages_[spot / kUnits].numbers[spot % kUnits]; }
  void set(Spot spot, uint32_t number) { pages_[spot / kUnits].numbers[spot % kUnits] = number; }
  uint32_t at(const Node* node) {
    const uintptr_t page = page_of(node);
    const uint32_t found = page == last_page_ ? last_ : find_page(page, false);
    return found == kMissing ? kMissing : at(found * kUnits + unit_of(node));
  }

 private:
  static constexpr uint32_t kPageBits = 12, kUnitBits = sizeof(Node) >= 128 ? 7 : sizeof(Node) >= 64 ? 6 : 5;
  static constexpr uint32_t kUnits = 1u << (kPageBits - kUnitBits);
  static_assert(sizeof(Node) >= 1u << kUnitBits, "two nodes would begin in one unit");

  struct Page {
    uintptr_t page;
    uint32_t numbers[kUnits];
  };

  static uintptr_t page_of(const Node* node) { return reinterpret_cast<uintptr_t>(node) >> kPageBits; }
  static uint32_t unit_of(const Node* node) {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(node) >> kUnitBits) % kUnits;
  }
  // Its place in pages_.
  uint32_t find_page(uintptr_t page, bool add);
  void grow();
  size_t slot_of(uintptr_t page) const {
    return static_cast<size_t>((page * uint64_t{0x9e3779b97f4a7c15u}) >> shift_);
  }

  std::vector<Page> pages_;
  std::vector<uint32_t> slots_;  // open addressing, a power of two, at most half of them in use
  int shift_ = 64;
  uintptr_t last_page_ = 0;  // of the node asked for last
  uint32_t last_ = kMissing;
};

}  // namespace mixgrad
