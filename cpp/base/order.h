// Sorting numbers by what they stand for, with one sort for all uses: where sorting takes no time, code should take no room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mixgrad {

using Precedes = bool (*)(const void* context, uint32_t a, uint32_t b);
// Equal ones keep their order.
void sort_numbers(std::vector<uint32_t>& numbers, Precedes precedes, const void* context);

// `less` takes two of the numbers.
template <class Less>
void sort_by(std::vector<uint32_t>& numbers, const Less& less) {
  sort_numbers(
      numbers,
      [](const void* context, uint32_t a, uint32_t b) { return (*static_cast<const Less*>(context))(a, b); },
      &less);
}

// 0, 1, 2, ... below n.
std::vector<uint32_t> numbers_below(std::size_t n);

}  // namespace mixgrad
