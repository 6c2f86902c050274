// A strided box of elements inside an array, and copying into and out of one.
#pragma once

#include "kernels/loops/strided.h"

namespace mixgrad {

// Element i of the box lies at offset + sum over axes of i[a] * strides[a], in elements of the whole array.
struct Region {
  int64_t offset = 0;
  StridedDims strides;
  Shape extents;
};

// The box that starts at `begin` and takes `size` elements at every `step` along each axis of an array of
// shape `whole`. One entry per axis; throws Status::index naming `who` where it leaves the array.
Region region_of(const Shape& whole, const Shape& begin, const Shape& step, const Shape& size,
                 const char* who);
// The box [begin, begin + size) along one axis, everything along the others.
Region axis_region(const Shape& whole, int axis, int64_t begin, int64_t size);

// dst, row-major and contiguous, receives the box of src.
void read_region(const View& src, const Region& region, void* dst);
// The box of dst receives src, read with the given strides (broadcast_strides, contiguous_strides).
void write_region(const void* src, const StridedDims& src_strides, const View& dst, const Region& region);

// dst receives all elements of src in order: a copy between views of one size and dtype. Nothing moves when
// both lie in the same memory.
void copy_elements(const View& src, const View& dst);
// Every element becomes the value, converted to the dtype.
void fill_elements(const View& dst, double value);

}  // namespace mixgrad
