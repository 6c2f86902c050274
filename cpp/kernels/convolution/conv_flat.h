// Sums of shifted runs of numbers: one channel's convolution, its rows laid end to end.
#pragma once

#include <cstdint>

namespace mixgrad::conv_flat {

// Both functions work on whole vectors: they read and write up to kSlack floats past n.
inline constexpr int64_t kSlack = 64;

// The window's weights: weight[t] belongs to the input at offset[t].
struct Taps {
  const int64_t* offset;
  const float* weight;
  int64_t count;
};

// out[i] = bias + sum over t of weight[t] * src[i + offset[t]].
void convolve(const Taps& taps, const float* src, float bias, float* out, int64_t n);

// sums[t] += sum over i of grad[i] * src[i + offset[t]], where grad[n] to grad[n + kSlack - 1] are zero.
void correlate(const int64_t* offset, int64_t count, const float* src, const float* grad, int64_t n,
               float* sums);

}  // namespace mixgrad::conv_flat
