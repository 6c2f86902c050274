#include "base/order.h"

#include <algorithm>
#include <numeric>

namespace mixgrad {

void sort_numbers(std::vector<uint32_t>& numbers, Precedes precedes, const void* context) {
  // Runs of two are merged, then of four, and so on; where two follow one another in order already, as they are.
  const std::size_t n = numbers.size();
  std::vector<uint32_t> merged(n);
  for (std::size_t run = 1; run < n; run *= 2) {
    for (std::size_t first = 0; first < n; first += 2 * run) {
      const std::size_t middle = std::min(first + run, n), last = std::min(first + 2 * run, n);
      const bool mixed = middle < last && precedes(context, numbers[middle], numbers[middle - 1]);
      std::size_t a = first, b = middle;
      for (std::size_t to = first; to < last; ++to) {
        const bool second = a == middle || (mixed && b < last && precedes(context, numbers[b], numbers[a]));
        merged[to] = numbers[second ? b++ : a++];
      }
    }
    numbers.swap(merged);
  }
}

std::vector<uint32_t> numbers_below(std::size_t n) {
  std::vector<uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

}  // namespace mixgrad
