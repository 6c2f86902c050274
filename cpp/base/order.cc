#include "base/order.h"

#include <algorithm>
#include <numeric>

namespace mixgrad {

void sort_numbers(std::vector<uint32_t>& numbers, Precedes precedes, const void* context) {
  std::stable_sort(numbers.begin(), numbers.end(),
                   [=](uint32_t a, uint32_t b) { return precedes(context, a, b); });
}

std::vector<uint32_t> numbers_below(std::size_t n) {
  std::vector<uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

}  // namespace mixgrad
