// Products bound by memory: one row times a matrix, few rows times a transposed matrix, and
// matrix times few columns.
#pragma once

#include "kernels/gemm/gemm.h"

namespace mixgrad {

// Either both operands run along k and at most four rows or columns of one are the other's partner, or one row
// meets a plain matrix of some width. dtype is float32 or float64.
bool gemm_is_thin(DType dtype, const Gemm& g);

// result[i * n + j] = alpha * sum over k, without bias and what C holds.
template <class T>
void gemm_thin(const Gemm& g, T* result);

}  // namespace mixgrad
