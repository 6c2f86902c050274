// A random order of the parts along the first axis.
#include <cstring>
#include <numeric>
#include <vector>

#include "base/parallel.h"
#include "kernels/random/random_fill.h"
#include "op/define.h"

namespace mixgrad::ops::random_shuffle {
namespace {

constexpr int64_t kShuffleTile = 1024;

// Fisher and Yates: every order is equally likely. Item i changes place with one of the items up to it, chosen by word
// i as in _random_randint.
std::vector<int64_t> random_order(const RandomKey& key, int64_t count) {
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), int64_t{0});
  uint32_t words[kShuffleTile];
  for (int64_t i = 1; i < count; ++i) {
    const int64_t at = i % kShuffleTile;
    if (at == 0 || i == 1) random_words(key, i - at, kShuffleTile, words);
    const uint64_t width = static_cast<uint64_t>(i) + 1, product = width * words[at];
    uint64_t other = product >> 32;
    const auto span = static_cast<uint32_t>(width);
    if (width > 0xffffffff || static_cast<uint32_t>(product) < (0u - span) % span) {
      other = ElementRandom(key, i).below(width);
    }
    std::swap(order[static_cast<size_t>(i)], order[other]);
  }
  return order;
}

template <class T>
void gather_items(const T* src, const int64_t* order, T* dst, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) dst[i] = src[order[i]];
}

void gather_parts(const View& in, const int64_t* order, size_t bytes, const View& out, int64_t begin,
                  int64_t end) {
  if (bytes == 8) return gather_items(in.as<uint64_t>(), order, out.as<uint64_t>(), begin, end);
  if (bytes == 4) return gather_items(in.as<uint32_t>(), order, out.as<uint32_t>(), begin, end);
  for (int64_t i = begin; i < end; ++i) {
    std::memcpy(out.as<char>() + static_cast<size_t>(i) * bytes,
                in.as<char>() + static_cast<size_t>(order[i]) * bytes, bytes);
  }
}

void shuffle_kernel(const NoParams&, KernelArgs& args) {
  const View &in = args.in[0], &out = args.out[0];
  if (in.size() == 0) return;
  if (in.shape().ndim() == 0) {
    std::memcpy(out.data, in.data, in.bytes());
    return;
  }
  const int64_t count = in.shape()[0];
  const size_t bytes = in.bytes() / static_cast<size_t>(count);
  const std::vector<int64_t> order = random_order(args.random_key(), count);
  const View* src = &in;
  View copy;
  std::vector<char> kept;
  if (in.data == out.data) {  // the caller shuffles in place
    kept.assign(in.as<char>(), in.as<char>() + in.bytes());
    copy = in;
    copy.data = kept.data();
    src = &copy;
  }
  parallel_for(count, loop_grain(32768, {static_cast<int64_t>(bytes)}),
               [&](int64_t begin, int64_t end) { gather_parts(*src, order.data(), bytes, out, begin, end); });
}

const Op& shuffle =
    Define<>("_shuffle")
        .alias("_npi_shuffle")
        .alias("shuffle")
        .doc("The parts of data along its first axis, in random order; each part stays as it is.")
        .origin("MXNet _shuffle")
        .module("random")
        .input("data", "Any array.")
        .kernel(shuffle_kernel)
        .element_cost(5)
        .random()
        .grad_needs({}, {})
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::random_shuffle
