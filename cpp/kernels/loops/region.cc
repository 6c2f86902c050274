#include "kernels/loops/region.h"

#include <cstring>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/loops/convert.h"

namespace mixgrad {

Region region_of(const Shape& whole, const Shape& begin, const Shape& step, const Shape& size,
                 const char* who) {
  const int n = whole.ndim();
  if (begin.ndim() != n || step.ndim() != n || size.ndim() != n) {
    fail(Status::shape, "[", who, "] begin ", begin, ", step ", step, " and size ", size,
         " must have one entry per axis of shape ", whole);
  }
  Region region;
  region.extents = size;
  region.strides = contiguous_strides(whole);
  for (int a = 0; a < n; ++a) {
    if (size[a] < 0)
      fail(Status::index, "[", who, "] size ", size[a], " of axis ", a, "; expected 0 or more");
    if (size[a] == 0) continue;
    int64_t span = 0, last = 0;
    const bool overflows =
        __builtin_mul_overflow(size[a] - 1, step[a], &span) || __builtin_add_overflow(begin[a], span, &last);
    if (overflows || begin[a] < 0 || begin[a] >= whole[a] || last < 0 || last >= whole[a]) {
      fail(Status::index, "[", who, "] ", size[a], " elements from ", begin[a], " by steps of ", step[a],
           " leave axis ", a, " of shape ", whole);
    }
    region.offset += begin[a] * region.strides.stride[a];
    if (size[a] > 1)
      region.strides.stride[a] *= step[a];  // after a single element a step may be of any length
  }
  return region;
}

Region axis_region(const Shape& whole, int axis, int64_t begin, int64_t size) {
  Region region;
  region.strides = contiguous_strides(whole);
  region.offset = begin * region.strides.stride[axis];
  region.extents = whole;
  region.extents[axis] = size;
  return region;
}

void read_region(const View& src, const Region& region, void* dst) {
  if (region.extents.size() == 0) return;
  const size_t item = size_of(src.dtype);
  copy_strided(src.as<char>() + region.offset * static_cast<int64_t>(item), region.strides, dst,
               contiguous_strides(region.extents), region.extents, item);
}

void write_region(const void* src, const StridedDims& src_strides, const View& dst, const Region& region) {
  if (region.extents.size() == 0) return;
  const size_t item = size_of(dst.dtype);
  copy_strided(src, src_strides, dst.as<char>() + region.offset * static_cast<int64_t>(item), region.strides,
               region.extents, item);
}

void copy_elements(const View& src, const View& dst) {
  constexpr int64_t kGrain = 1 << 17;  // bytes per thread
  if (src.data == dst.data) return;
  parallel_for(static_cast<int64_t>(src.bytes()), kGrain, [&](int64_t begin, int64_t end) {
    std::memcpy(dst.as<char>() + begin, src.as<char>() + begin, static_cast<size_t>(end - begin));
  });
}

void fill_elements(const View& dst, double value) {
  uint64_t item = 0;
  convert(&value, DType::float64, &item, dst.dtype, 1);
  fill_strided(dst.data, contiguous_strides(dst.shape()), dst.shape(), &item, size_of(dst.dtype));
}

}  // namespace mixgrad
