#include "kernels/loops/strided.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/cpu.h"
#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/move.h"

namespace mixgrad {
namespace {

constexpr int64_t kUnitBytes = 1 << 16;  // what one step of the parallel loop moves, about
constexpr int64_t kUnitRows = 64;        // rows of a transpose come in multiples of this

struct StridedCopy {
  const char* src = nullptr;
  char* dst = nullptr;
  StridedDims dims[2];  // source, destination
  int64_t extents[kMaxDims];
  int ndim = 0;
  int64_t item = 0;
};

void move_axis(StridedCopy& c, int from, int to) {
  for (int a = from; a < to && a + 1 < kMaxDims; ++a) {
    std::swap(c.extents[a], c.extents[a + 1]);
    for (StridedDims& dims : c.dims) std::swap(dims.stride[a], dims.stride[a + 1]);
  }
}

// The two last axes become the plane. When some outer axis is the one along which the source is contiguous, it comes
// next to the last: then the plane is a transpose. An array of one axis is a plane of one row.
void choose_plane(StridedCopy& c) {
  if (c.ndim == 1) {
    c.ndim = 2;
    c.extents[1] = c.extents[0];
    c.extents[0] = 1;
    for (StridedDims& dims : c.dims) {
      dims.stride[1] = dims.stride[0];
      dims.stride[0] = 0;
    }
    return;
  }
  const int last = c.ndim - 1;
  const int64_t step = c.dims[0].stride[last];
  if (c.dims[1].stride[last] != 1 || step == 0 || step == 1) return;
  for (int a = 0; a < last; ++a) {
    if (c.dims[0].stride[a] == 1) return move_axis(c, a, last - 1);
  }
}

// Copies unit after unit. Units number the outer axes' positions, then blocks of the plane's rows, then of columns.
void copy_units(const StridedCopy& c, int64_t block_rows, int64_t block_cols, int64_t begin, int64_t end) {
  const int outer = c.ndim - 2;
  const int64_t rows = c.extents[outer], cols = c.extents[outer + 1];
  const int64_t row_blocks = (rows + block_rows - 1) / block_rows,
                col_blocks = (cols + block_cols - 1) / block_cols;
  Plane plane{c.dims[0].stride[outer],
              c.dims[0].stride[outer + 1],
              c.dims[1].stride[outer],
              c.dims[1].stride[outer + 1],
              rows,
              cols};
  int64_t index[kMaxDims];
  int64_t rest = begin, s = 0, d = 0;
  int64_t col_block = rest % col_blocks;
  rest /= col_blocks;
  int64_t row_block = rest % row_blocks;
  rest /= row_blocks;
  for (int a = outer - 1; a >= 0; --a) {
    index[a] = rest % c.extents[a];
    rest /= c.extents[a];
    s += index[a] * c.dims[0].stride[a];
    d += index[a] * c.dims[1].stride[a];
  }
  for (int64_t unit = begin; unit < end; ++unit) {
    const int64_t row = row_block * block_rows, col = col_block * block_cols;
    plane.rows = std::min(block_rows, rows - row);
    plane.cols = std::min(block_cols, cols - col);
    copy_plane(c.src + (s + row * plane.src_row + col * plane.src_col) * c.item,
               c.dst + (d + row * plane.dst_row + col * plane.dst_col) * c.item, plane,
               static_cast<size_t>(c.item));
    if (++col_block < col_blocks) continue;
    col_block = 0;
    if (++row_block < row_blocks) continue;
    row_block = 0;
    for (int a = outer - 1; a >= 0; --a) {
      s += c.dims[0].stride[a];
      d += c.dims[1].stride[a];
      if (++index[a] < c.extents[a]) break;
      s -= c.extents[a] * c.dims[0].stride[a];
      d -= c.extents[a] * c.dims[1].stride[a];
      index[a] = 0;
    }
  }
}

// Copies little: plane after plane, without the divisions that find a unit's place.
void copy_planes(const StridedCopy& c) {
  const int outer = c.ndim - 2;
  const Plane plane{c.dims[0].stride[outer], c.dims[0].stride[outer + 1],
                    c.dims[1].stride[outer], c.dims[1].stride[outer + 1],
                    c.extents[outer],        c.extents[outer + 1]};
  int64_t index[kMaxDims];
  std::fill_n(index, outer, 0);
  int64_t s = 0, d = 0;
  for (int a = 0; a >= 0;) {
    copy_plane(c.src + s * c.item, c.dst + d * c.item, plane, static_cast<size_t>(c.item));
    for (a = outer - 1; a >= 0; --a) {
      s += c.dims[0].stride[a];
      d += c.dims[1].stride[a];
      if (++index[a] < c.extents[a]) break;
      s -= c.extents[a] * c.dims[0].stride[a];
      d -= c.extents[a] * c.dims[1].stride[a];
      index[a] = 0;
    }
  }
}

}  // namespace

StridedDims contiguous_strides(const Shape& shape) {
  StridedDims dims;
  int64_t stride = 1;
  for (int i = shape.ndim() - 1; i >= 0; --i) {
    dims.stride[i] = stride;
    stride *= shape[i];
  }
  return dims;
}

StridedDims broadcast_strides(const Shape& from, const Shape& to) {
  StridedDims dims;
  const int lead = to.ndim() - from.ndim();
  int64_t stride = 1;
  for (int i = to.ndim() - 1; i >= 0; --i) {
    const int64_t extent = i < lead ? 1 : from[i - lead];
    dims.stride[i] = extent == 1 ? 0 : stride;
    stride *= extent;
  }
  return dims;
}

int collapse_dims(const Shape& shape, StridedDims* dims, int operands, int64_t* extents) {
  int n = 0;
  for (int i = 0; i < shape.ndim(); ++i) {
    if (shape[i] == 1) continue;
    bool merge = n > 0;
    for (int k = 0; merge && k < operands; ++k) merge = dims[k].stride[n - 1] == dims[k].stride[i] * shape[i];
    if (merge) {
      extents[n - 1] *= shape[i];
      for (int k = 0; k < operands; ++k) dims[k].stride[n - 1] = dims[k].stride[i];
    } else {
      extents[n] = shape[i];
      for (int k = 0; k < operands; ++k) dims[k].stride[n] = dims[k].stride[i];
      ++n;
    }
  }
  if (n == 0) {
    extents[0] = 1;
    for (int k = 0; k < operands; ++k) dims[k].stride[0] = 1;
    n = 1;
  }
  return n;
}

void copy_strided(const void* src, const StridedDims& src_dims, void* dst, const StridedDims& dst_dims,
                  const Shape& shape, size_t item_size) {
  if (shape.size() == 0) return;
  StridedCopy c;
  c.src = static_cast<const char*>(src);
  c.dst = static_cast<char*>(dst);
  std::copy_n(src_dims.stride, shape.ndim(), c.dims[0].stride);
  std::copy_n(dst_dims.stride, shape.ndim(), c.dims[1].stride);
  c.item = static_cast<int64_t>(item_size);
  c.ndim = collapse_dims(shape, c.dims, 2, c.extents);
  choose_plane(c);
  if (shape.size() * c.item <= kUnitBytes) return copy_planes(c);
  const int64_t rows = c.extents[c.ndim - 2], cols = c.extents[c.ndim - 1];
  const int64_t block_cols = std::min(cols, 2 * kUnitBytes / c.item);
  int64_t block_rows = std::max<int64_t>(1, kUnitBytes / (block_cols * c.item));
  block_rows = std::min(rows, (block_rows + kUnitRows - 1) / kUnitRows * kUnitRows);
  const int64_t blocks = ((rows + block_rows - 1) / block_rows) * ((cols + block_cols - 1) / block_cols);
  const int64_t grain = std::max<int64_t>(1, 2 * kUnitBytes / (block_rows * block_cols * c.item));
  parallel_for(shape.size() / (rows * cols) * blocks, grain,
               [&](int64_t begin, int64_t end) { copy_units(c, block_rows, block_cols, begin, end); });
}

namespace {

template <class T>
inline void fill_with(void* dst, const void* item, int64_t n) {
  T sample;
  std::memcpy(&sample, item, sizeof sample);
  T* to = static_cast<T*>(dst);
  for (int64_t i = 0; i < n; ++i) to[i] = sample;
}

MIXGRAD_INLINE void fill_body(void* dst, const void* item, size_t item_size, int64_t n) {
  switch (item_size) {
    case 1: return fill_with<uint8_t>(dst, item, n);
    case 2: return fill_with<uint16_t>(dst, item, n);
    case 4: return fill_with<uint32_t>(dst, item, n);
    default: return fill_with<uint64_t>(dst, item, n);
  }
}

MIXGRAD_TARGET_BASELINE void fill_baseline(void* dst, const void* item, size_t size, int64_t n) {
  fill_body(dst, item, size, n);
}
#if MIXGRAD_X86
MIXGRAD_TARGET_AVX2 void fill_avx2(void* dst, const void* item, size_t size, int64_t n) {
  fill_body(dst, item, size, n);
}
MIXGRAD_TARGET_AVX512 void fill_avx512(void* dst, const void* item, size_t size, int64_t n) {
  fill_body(dst, item, size, n);
}
#endif

}  // namespace

void fill_items(void* dst, const void* item, size_t item_size, int64_t n) {
#if MIXGRAD_X86
  if (loop_isa<float>() == Isa::avx512) return fill_avx512(dst, item, item_size, n);
  if (loop_isa<float>() == Isa::avx2) return fill_avx2(dst, item, item_size, n);
#endif
  fill_baseline(dst, item, item_size, n);
}

void fill_strided(void* dst, const StridedDims& dims, const Shape& shape, const void* item,
                  size_t item_size) {
  copy_strided(item, broadcast_strides(Shape{}, shape), dst, dims, shape, item_size);
}

void fill_view(const View& view, double value) {
  if (!view.data) return;
  uint64_t item = 0;
  convert(&value, DType::float64, &item, view.dtype, 1);
  constexpr int64_t kFew = 4096;  // elements, of which one thread makes short work
  if (view.size() <= kFew) return fill_items(view.data, &item, size_of(view.dtype), view.size());
  fill_strided(view.data, contiguous_strides(view.shape()), view.shape(), &item, size_of(view.dtype));
}

void gather_stretch(const char* data, size_t item, const StridedDims& dims, const int64_t* extents, int ndim,
                    int64_t at, int64_t n, void* dst) {
  char* to = static_cast<char*>(dst);
  int64_t index[kMaxDims];
  int64_t offset = 0, rest = at;
  for (int d = ndim - 1; d >= 0; --d) {
    index[d] = rest % extents[d];
    rest /= extents[d];
    offset += index[d] * dims.stride[d];
  }
  const int last = ndim - 1;
  const int64_t inner = extents[last], step = dims.stride[last];
  while (n > 0) {
    const int64_t run = std::min(n, inner - index[last]);
    if (step == 1) {
      std::memcpy(to, data + static_cast<size_t>(offset) * item, static_cast<size_t>(run) * item);
    } else {
      fill_items(to, data + static_cast<size_t>(offset) * item, item, run);
    }
    to += static_cast<size_t>(run) * item;
    n -= run;
    offset += run * step;
    index[last] += run;
    for (int d = last; d > 0 && index[d] == extents[d]; --d) {
      offset += dims.stride[d - 1] - extents[d] * dims.stride[d];
      index[d] = 0;
      ++index[d - 1];
    }
  }
}

}  // namespace mixgrad
