// The innermost loop of products with zeros in A: one row of C, some vectors wide, held in registers.
#pragma once

#include <cstdint>

namespace mixgrad {

// Steps of k in a block: a bit each of a row's mask.
inline constexpr int64_t kSparseSteps = 64;
// Vectors of C, and of B per step: a block of B then takes at most 40 KB, which first-level caches hold on processors
// with 64-byte vectors; the others' blocks are smaller.
inline constexpr int kSparseVectors = 10;

// C[i] (+)= sum of a[i][p] * b[p] over the bits p of masks[i].
struct SparseRows {
  int64_t rows = 0;
  const float* a = nullptr;
  int64_t a_row = 0;
  const uint64_t* masks = nullptr;
  const float* b = nullptr;  // packed: as many elements per step as C has columns here
  float* c = nullptr;
  int64_t c_row = 0;
  bool add = false;  // to what C holds
};

struct SparseKernel {
  int64_t lanes;                                      // elements of a vector
  void (*rows[kSparseVectors])(const SparseRows& r);  // by the vectors of a row, less one
  // Masks of `rows` rows of `steps` elements; returns the number of bits.
  int64_t (*masks)(const float* a, int64_t a_row, int64_t rows, int64_t steps, uint64_t* masks);
  bool (*finite)(const float* values, int64_t n);  // all of them
};

// For the best instruction set of this machine.
const SparseKernel& sparse_kernel();

}  // namespace mixgrad
