// Products of a matrix that is stored by its rows' elements (csr) and a dense one.
#pragma once

#include <vector>

#include "kernels/view.h"

namespace mixgrad {

// A matrix of `rows` rows: elements starts[r] to starts[r + 1] belong to row r, each in the column that `indices` says.
struct CsrView {
  int64_t rows = 0, columns = 0, stored = 0;
  const void* values = nullptr;
  const int64_t* indices = nullptr;
  const int64_t* starts = nullptr;
};

// out = matrix x dense, with dense (columns, width) and out (rows, width), or with the matrix transposed. float32, float64, int32
// or int64. The order in which elements are summed does not depend on the number of threads. Throws Status::index, naming `who`,
// where the starts do not ascend from 0 to the number of elements or a column lies outside.
void csr_product(const char* who, DType dtype, const CsrView& matrix, bool transpose, const void* dense,
                 int64_t width, void* out);

// The numbers in [0, extent) that occur among `count`, in order. A byte of memory per number of the extent.
std::vector<int64_t> numbers_used(const int64_t* numbers, int64_t count, int64_t extent);

// The numbers that occur among `count` in [0, extent), in order; `places`, if not null, gets the place of each among them.
std::vector<int64_t> distinct_numbers(const int64_t* numbers, int64_t count, int64_t extent, int64_t* places);

}  // namespace mixgrad
