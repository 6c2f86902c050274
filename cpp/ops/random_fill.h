// Arrays of random numbers from the generator of op/random.h: the loops behind every distribution.
#pragma once

#include "op/op.h"
#include "op/random.h"

namespace mixgrad::ops::random_fill {

inline RandomKey key_of(const KernelArgs& args) { return {args.seed, args.stream}; }

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

// Elements e of `out`, any dtype, become sample(random of e, a[r], b[r]) with r = e / row.
using SampleFn = double (*)(ElementRandom& random, double a, double b);
void fill_samples(SampleFn sample, const RandomKey& key, int64_t row, const double* a, const double* b,
                  const View& out);

// NaN for parameters outside their range.
double sample_gamma(ElementRandom& random, double alpha, double beta);
double sample_poisson(ElementRandom& random, double lam, double);
double sample_negative_binomial(ElementRandom& random, double k, double p);
double sample_generalized_negative_binomial(ElementRandom& random, double mu, double alpha);

}  // namespace mixgrad::ops::random_fill
