// Products of blocks inside factorisations.
#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "kernels/backend/nn_backend.h"

namespace mixgrad::matrix_product {

// c[m][n] = a[m][k] op(b), or c += alpha a op(b) where `accumulate`. Blocks of one matrix that do not overlap are fine.
template <class C>
void product(int64_t m, int64_t n, int64_t k, const C* a, int64_t lda, const C* b, int64_t ldb,
             bool transpose_b, C* c, int64_t ldc, bool accumulate = false, double alpha = 1) {
  if (m == 0 || n == 0 || k == 0) return;
  Gemm g;
  g.m = m, g.n = n, g.k = k;
  g.a = a, g.lda = lda, g.b = b, g.ldb = ldb, g.transpose_b = transpose_b;
  g.c = c, g.ldc = ldc;
  g.accumulate = accumulate;
  g.alpha = alpha;
  nn_backend::matrix_product(dtype_of<C>(), g);
}

// c[m][n] -= a op(b)
template <class C>
void subtract_product(int64_t m, int64_t n, int64_t k, const C* a, int64_t lda, const C* b, int64_t ldb,
                      bool transpose_b, C* c, int64_t ldc) {
  product(m, n, k, a, lda, b, ldb, transpose_b, c, ldc, true, -1);
}

}  // namespace mixgrad::matrix_product
