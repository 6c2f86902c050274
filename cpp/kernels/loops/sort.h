// Sorting rows of elements of any dtype, stable, whole or only the first few.
#pragma once

#include <cstdint>

#include "base/dtype.h"

namespace mixgrad {

struct SortRows {
  int64_t rows = 0, length = 0;
  int64_t keep = 0;  // how many leading elements of each sorted row are wanted; at most length
  bool ascending = true;
};

// For each of `rows` contiguous rows of `data`: the places of its `keep` first elements in order, into `indices`
// (rows x keep). Equal elements keep their order, -0 equals 0, and NaN is larger than all. Rows have fewer than 2^31
// elements. Rows, or the parts of one long row, divide over the team.
void argsort_rows(const SortRows& sort, const void* data, DType dtype, int32_t* indices);
// values (rows x keep) from the rows at those places.
void take_sorted(const SortRows& sort, const void* data, DType dtype, const int32_t* indices, void* values);

}  // namespace mixgrad
