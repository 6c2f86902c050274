// Moving elements between layouts: the one copy behind transpose, slice, flip, tile, concat, indexing and
// broadcasting.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/view.h"

namespace mixgrad {

// Strides in elements; negative steps backwards, 0 repeats. Of a shape's axes; the rest is not set.
struct StridedDims {
  int64_t stride[kMaxDims];
};

// Row-major strides of a contiguous array.
StridedDims contiguous_strides(const Shape& shape);
// Strides with which an array of shape `from` is read as if broadcast to `to`.
StridedDims broadcast_strides(const Shape& from, const Shape& to);
// Merges neighbouring axes that all operands walk as one and drops axes of extent 1. Rewrites the strides,
// fills `extents`, returns the number of axes left (at least 1).
int collapse_dims(const Shape& shape, StridedDims* dims, int operands, int64_t* extents);

// dst[i * dst_dims] = src[i * src_dims] for all i within `shape`; items of 1, 2, 4 or 8 bytes; the two do not
// overlap.
void copy_strided(const void* src, const StridedDims& src_dims, void* dst, const StridedDims& dst_dims,
                  const Shape& shape, size_t item_size);
// n copies of one item.
void fill_items(void* dst, const void* item, size_t item_size, int64_t n);
// Every element of a view, in its dtype; nothing where it has no memory.
void fill_view(const View& view, double value);
// n copies of one item over a strided destination.
void fill_strided(void* dst, const StridedDims& dims, const Shape& shape, const void* item, size_t item_size);

// Elements [at, at + n) of the walk over `extents` (of collapse_dims), one after another into dst.
void gather_stretch(const char* data, size_t item, const StridedDims& dims, const int64_t* extents, int ndim,
                    int64_t at, int64_t n, void* dst);

}  // namespace mixgrad
