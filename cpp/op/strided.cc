#include "op/strided.h"

#include <algorithm>
#include <cstring>

#include "base/cpu.h"
#include "base/parallel.h"

namespace mixgrad {
namespace {

constexpr int64_t kParallelBytes = 1 << 17;
constexpr int64_t kTransposeBlock = 16;

template <class T>
void copy_row(const T* src, int64_t src_step, T* dst, int64_t dst_step, int64_t n) {
  if (src_step == 1 && dst_step == 1) {
    std::memcpy(dst, src, static_cast<size_t>(n) * sizeof(T));
  } else if (dst_step == 1 && src_step == 0) {
    std::fill_n(dst, n, *src);
  } else {
    for (int64_t i = 0; i < n; ++i) dst[i * dst_step] = src[i * src_step];
  }
}

// Rows x columns where src runs along rows and dst along columns: small square blocks so that every cache
// line fetched is used whole.
template <class T>
void copy_transposed(const T* src, int64_t src_col, T* dst, int64_t dst_row, int64_t rows, int64_t cols) {
  for (int64_t r0 = 0; r0 < rows; r0 += kTransposeBlock) {
    const int64_t r1 = std::min(rows, r0 + kTransposeBlock);
    for (int64_t c0 = 0; c0 < cols; c0 += kTransposeBlock) {
      const int64_t c1 = std::min(cols, c0 + kTransposeBlock);
      for (int64_t r = r0; r < r1; ++r) {
        T* d = dst + r * dst_row;
        const T* s = src + r;
        for (int64_t c = c0; c < c1; ++c) d[c] = s[c * src_col];
      }
    }
  }
}

struct StridedCopy {
  const char* src;
  char* dst;
  StridedDims dims[2];  // source, destination
  int64_t extents[kMaxDims];
  int ndim;
};

// Copies rows [begin, end) of the flattened outer axes; the last `inner_axes` axes form one row.
template <class T>
void copy_rows(const StridedCopy& c, int inner_axes, int64_t begin, int64_t end) {
  const int outer = c.ndim - inner_axes;
  int64_t index[kMaxDims];
  int64_t rest = begin, s = 0, d = 0;
  for (int a = outer - 1; a >= 0; --a) {
    index[a] = rest % c.extents[a];
    rest /= c.extents[a];
    s += index[a] * c.dims[0].stride[a];
    d += index[a] * c.dims[1].stride[a];
  }
  const int last = c.ndim - 1;
  for (int64_t row = begin; row < end; ++row) {
    const T* src = reinterpret_cast<const T*>(c.src) + s;
    T* dst = reinterpret_cast<T*>(c.dst) + d;
    if (inner_axes == 2) {
      copy_transposed(src, c.dims[0].stride[last], dst, c.dims[1].stride[last - 1], c.extents[last - 1],
                      c.extents[last]);
    } else {
      copy_row(src, c.dims[0].stride[last], dst, c.dims[1].stride[last], c.extents[last]);
    }
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

template <class T>
void copy_items(StridedCopy& c) {
  const int last = c.ndim - 1;
  int inner = 1;
  if (c.ndim >= 2 && c.dims[1].stride[last] == 1 && c.dims[0].stride[last] > 1) {
    // Some outer axis is the one along which the source is contiguous: bring it next to the last.
    for (int a = 0; a < last; ++a) {
      if (c.dims[0].stride[a] != 1 || c.extents[a] < 4 || c.extents[last] < 4) continue;
      for (int b = a; b + 1 < last; ++b) {
        std::swap(c.extents[b], c.extents[b + 1]);
        std::swap(c.dims[0].stride[b], c.dims[0].stride[b + 1]);
        std::swap(c.dims[1].stride[b], c.dims[1].stride[b + 1]);
      }
      inner = 2;
      break;
    }
  }
  if (inner == 2 && c.extents[last - 1] >= 2 * kTransposeBlock) {
    // Split long transposes into panels, so that they divide over cores.
    constexpr int64_t panel = 4 * kTransposeBlock;
    int64_t rows = 1;
    for (int a = 0; a + 2 < c.ndim; ++a) rows *= c.extents[a];
    const int64_t length = c.extents[last - 1], panels = (length + panel - 1) / panel;
    const int64_t grain =
        std::max<int64_t>(1, kParallelBytes / (panel * c.extents[last] * static_cast<int64_t>(sizeof(T))));
    parallel_for(rows * panels, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        StridedCopy part = c;
        const int64_t first = i % panels * panel;
        part.extents[last - 1] = std::min(panel, length - first);
        part.src += first * static_cast<int64_t>(sizeof(T));
        part.dst += first * c.dims[1].stride[last - 1] * static_cast<int64_t>(sizeof(T));
        copy_rows<T>(part, 2, i / panels, i / panels + 1);
      }
    });
    return;
  }
  int64_t rows = 1, row = 1;
  for (int a = 0; a < c.ndim; ++a) (a < c.ndim - inner ? rows : row) *= c.extents[a];
  if (rows == 1 && row * static_cast<int64_t>(sizeof(T)) > 2 * kParallelBytes && inner == 1) {
    parallel_for(row, kParallelBytes / static_cast<int64_t>(sizeof(T)), [&](int64_t begin, int64_t end) {
      copy_row(reinterpret_cast<const T*>(c.src) + begin * c.dims[0].stride[last], c.dims[0].stride[last],
               reinterpret_cast<T*>(c.dst) + begin * c.dims[1].stride[last], c.dims[1].stride[last],
               end - begin);
    });
    return;
  }
  const int64_t grain = std::max<int64_t>(1, kParallelBytes / (row * static_cast<int64_t>(sizeof(T))));
  parallel_for(rows, grain, [&](int64_t begin, int64_t end) { copy_rows<T>(c, inner, begin, end); });
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
  StridedCopy c{static_cast<const char*>(src), static_cast<char*>(dst), {src_dims, dst_dims}, {}, 0};
  c.ndim = collapse_dims(shape, c.dims, 2, c.extents);
  switch (item_size) {
    case 1: return copy_items<uint8_t>(c);
    case 2: return copy_items<uint16_t>(c);
    case 4: return copy_items<uint32_t>(c);
    default: return copy_items<uint64_t>(c);
  }
}

void fill_items(void* dst, const void* item, size_t item_size, int64_t n) {
  const auto fill = [&](auto sample) {
    std::memcpy(&sample, item, sizeof sample);
    std::fill_n(static_cast<decltype(sample)*>(dst), n, sample);
  };
  switch (item_size) {
    case 1: return fill(uint8_t{});
    case 2: return fill(uint16_t{});
    case 4: return fill(uint32_t{});
    default: return fill(uint64_t{});
  }
}

void fill_strided(void* dst, const StridedDims& dims, const Shape& shape, const void* item,
                  size_t item_size) {
  copy_strided(item, broadcast_strides(Shape{}, shape), dst, dims, shape, item_size);
}

}  // namespace mixgrad
