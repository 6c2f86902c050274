// Python's indexing: what x[2, 1:5, ...] stands for, read and assigned.
#pragma once

#include "array/array.h"

namespace mixgrad {

// One entry of an index. Same layout as mg_index.
struct IndexItem {
  enum class Kind : int32_t { at = 0, slice = 1, new_axis = 2, ellipsis = 3, array = 4 };
  Kind kind = Kind::at;
  int64_t begin = 0, end = 0, step = 1;  // `at` reads begin
  Array* array = nullptr;
};

// A view where the selected elements lie one after another and nothing is recorded, which is x itself where slices select
// all of it in its shape; a new array otherwise. Throws Status::index naming what lies outside.
ArrayRef read_selection(Array& x, Span<const IndexItem> items);

// In place. Throws Status::shape where the value does not broadcast to the selection. A value of another dtype is converted,
// one of another device copied.
void assign_selection(Array& x, Span<const IndexItem> items, double number);
void assign_selection(Array& x, Span<const IndexItem> items, Array& value);

}  // namespace mixgrad
