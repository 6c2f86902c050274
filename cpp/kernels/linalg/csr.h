// Products of a matrix that is stored by its rows' elements (csr) and a dense one.
#pragma once

#include "kernels/view.h"

namespace mixgrad {

// A matrix of `rows` rows: elements starts[r] to starts[r + 1] belong to row r, each in the column that `indices` says.
struct CsrView {
  int64_t rows = 0, columns = 0, stored = 0;
  const void* values = nullptr;
  const int64_t* indices = nullptr;
  const int64_t* starts = nullptr;
};

// Throws Status::index, naming `who`, where the starts do not ascend from 0 to the number of elements or a column lies outside.
void check_csr(const CsrView& matrix, const char* who);

// out = matrix x dense, with dense (columns, width) and out (rows, width), or with the matrix transposed. float32 or float64.
// Sums run in the order of the elements, whatever the number of threads.
void csr_product(DType dtype, const CsrView& matrix, bool transpose, const void* dense, int64_t width,
                 void* out);

}  // namespace mixgrad
