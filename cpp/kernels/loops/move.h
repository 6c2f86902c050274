// Copying a plane of elements: the two innermost axes of a strided copy.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mixgrad {

// dst[r * dst_row + c * dst_col] = src[r * src_row + c * src_col] for r < rows and c < cols; strides in items.
struct Plane {
  int64_t src_row, src_col, dst_row, dst_col, rows, cols;
};

// Items of 1, 2, 4 or 8 bytes; src and dst do not overlap. Runs in the calling thread.
void copy_plane(const void* src, void* dst, const Plane& plane, size_t item_size);

}  // namespace mixgrad
