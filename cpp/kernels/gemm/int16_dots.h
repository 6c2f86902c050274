// Products of matrices of 8-bit numbers, widened to 16 bits, with exact sums of 32 bits.
#pragma once

#include <cstdint>

namespace mixgrad {

// c (m x n, rows ldc apart) = a (m rows of k elements, lda apart) times the transpose of b (n rows). Elements of a lie in
// -255 ... 255 and those of b in -128 ... 128, or the other way round. Sums beyond int32 saturate. Runs in the calling thread.
struct Int16Dots {
  int64_t m = 0, n = 0, k = 0;
  const int16_t* a = nullptr;
  int64_t lda = 0;
  const int16_t* b = nullptr;
  int64_t ldb = 0;
  int32_t* c = nullptr;
  int64_t ldc = 0;
};
void int16_dots(const Int16Dots& d);

// Sums of 8-bit products into y: y[i] += weight * x[i * step].
void int16_axpy(const int16_t* x, int64_t step, int32_t weight, int32_t* y, int64_t n);

}  // namespace mixgrad
