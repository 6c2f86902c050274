// Arrays of random numbers from the generator of kernels/random/random.h: the loops behind every distribution.
#pragma once

#include "kernels/random/random.h"
#include "kernels/view.h"

namespace mixgrad::random_fill {

enum class Standard { uniform, normal, exponential };  // over [0, 1); mean 0, deviation 1; mean 1

// Elements e of `out` become offset[r] + scale[r] * x, bounded by top[r] where `top` is not null, with standard x and
// r = e / row. Any float dtype; `row` is the number of elements that share parameters.
struct Rows {
  int64_t row = 1;
  const double* offset = nullptr;
  const double* scale = nullptr;
  const double* top = nullptr;
};
void fill_standard(Standard which, const RandomKey& key, const Rows& rows, const View& out);

// The largest number of the dtype that lies below `bound`.
double largest_below(double bound, DType dtype);

// Consecutive elements that share parameters, each with its own random numbers.
class ElementRun {
 public:
  // `words` are those of the blocks from `base` on, a multiple of 16 not above `first`.
  ElementRun(const RandomKey& key, const uint32_t* words, int64_t base, int64_t first, int64_t count)
      : count(count), key_(key), words_(words), base_(base), first_(first) {}
  const int64_t count;
  ElementRandom operator[](int64_t i) const {
    const int64_t block = first_ + i - base_;
    return {key_, first_ + i, words_ + block / 16 * kRandomGroup + block % 16};
  }

 private:
  const RandomKey& key_;
  const uint32_t* words_;
  int64_t base_, first_;
};

// Fills out[0, run.count) with samples of the distribution with parameters a and b.
using SampleFn = void (*)(const ElementRun& run, double a, double b, double* out);

// Elements e of `out`, any dtype, become samples with parameters a[r] and b[r] (b may be null), r = e / row.
void fill_samples(SampleFn sample, const RandomKey& key, int64_t row, const double* a, const double* b,
                  const View& out);

}  // namespace mixgrad::random_fill
