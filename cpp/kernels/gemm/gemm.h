// Matrix product on one core or the caller's team, in portable vector code.
#pragma once

#include <cstdint>

#include "base/dtype.h"

namespace mixgrad {

// What is done to finished elements of a float32 C, such as an activation: `run` takes n neighbours of one row. Several
// threads call it at once.
struct GemmEpilogue {
  void (*run)(const GemmEpilogue& end, float* c, int64_t n) = nullptr;
};

// C = alpha * op(A) op(B), row-major, with op(A) m x k and op(B) k x n. A transposed operand lies in memory as its
// transpose; leading dimensions count elements. Half types are multiplied and summed in float.
struct Gemm {
  int64_t m = 0, n = 0, k = 0;
  const void* a = nullptr;
  int64_t lda = 0;
  bool transpose_a = false;
  const void* b = nullptr;
  int64_t ldb = 0;
  bool transpose_b = false;
  void* c = nullptr;  // does not overlap A or B
  int64_t ldc = 0;
  bool accumulate = false;  // add to what C holds
  double alpha = 1;
  const void* bias = nullptr;         // n elements added to every row; null: none
  const GemmEpilogue* end = nullptr;  // float32 only
};

// float32, float64, float16 or bfloat16; other dtypes throw Status::dtype.
void gemm(DType dtype, const Gemm& g);

}  // namespace mixgrad
