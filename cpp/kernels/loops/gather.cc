#include "kernels/loops/gather.h"

#include <algorithm>
#include <cstring>

#include "base/cpu.h"
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/strided.h"

namespace mixgrad {
namespace {

constexpr int64_t kIndexTile = 512;
constexpr int64_t kShortRun = 64;          // bytes
constexpr int64_t kGatherBytes = 1 << 16;  // one range of a parallel loop moves at least this

int64_t place_of(int64_t index, int64_t extent, IndexMode mode) {
  if (index >= 0 && index < extent) return index;
  switch (mode) {
    case IndexMode::python: return index < 0 && index >= -extent ? index + extent : -1;
    case IndexMode::clip: return extent > 0 ? std::clamp<int64_t>(index, 0, extent - 1) : -1;
    case IndexMode::wrap: return extent > 0 ? (index % extent + extent) % extent : -1;
    case IndexMode::raise: break;
  }
  return -1;
}

template <class T>
void copy_run(const T* src, T* dst, int64_t n) {
  if (n == 1) {
    *dst = *src;
  } else {
    std::memcpy(dst, src, static_cast<size_t>(n) * sizeof(T));
  }
}

template <class T>
struct AddRun {
  void operator()(const T* src, T* dst, int64_t n) const {
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) dst[i] += src[i];
  }
};
template <class T>
struct SetRun {
  void operator()(const T* src, T* dst, int64_t n) const { copy_run(src, dst, n); }
};

template <class T>
void gather_items(const IndexPlan& plan, const T* src, T* dst) {
  const int64_t positions = plan.positions(), rest = static_cast<int64_t>(plan.rest.size()),
                inner = plan.inner;
  const int64_t grain = std::max<int64_t>(1, kGatherBytes / (inner * static_cast<int64_t>(sizeof(T))));
  if (rest == 1 && inner == 1) {
    const int64_t* offsets = plan.offsets.data();
    parallel_for(plan.num_rows(), grain, [&](int64_t begin, int64_t end) {
      for (int64_t at = begin; at < end;) {
        const int64_t l = at / positions, stop = std::min(end, (l + 1) * positions);
        const T* from = src + l * plan.lead_stride;
        T* to = dst + l * positions;
        for (int64_t i = at - l * positions; i < stop - l * positions; ++i) to[i] = from[offsets[i]];
        at = stop;
      }
    });
    return;
  }
  parallel_for(plan.num_rows(), grain, [&](int64_t begin, int64_t end) {
    int64_t r = begin % rest, i = begin / rest % positions, l = begin / rest / positions;
    for (int64_t row = begin; row < end; ++row) {
      copy_run(src + l * plan.lead_stride + plan.offsets[static_cast<size_t>(i)] +
                   plan.rest[static_cast<size_t>(r)],
               dst + row * inner, inner);
      if (++r < rest) continue;
      r = 0;
      if (++i < positions) continue;
      i = 0;
      ++l;
    }
  });
}

// Rows that meet have one lead and one offset. So threads share out the leads, or the range of offsets when there
// is one lead: each walks all positions and takes those of its range. Meeting rows stay in one thread, in order.
template <class T, class Run>
void scatter_items(const IndexPlan& plan, const T* src, T* dst, int64_t whole_size, Run run) {
  const int64_t positions = plan.positions(), rest = static_cast<int64_t>(plan.rest.size()),
                inner = plan.inner;
  const auto position = [&](int64_t l, int64_t i) {
    const T* from = src + (l * positions + i) * rest * inner;
    T* to = dst + l * plan.lead_stride + plan.offsets[static_cast<size_t>(i)];
    for (int64_t r = 0; r < rest; ++r) run(from + r * inner, to + plan.rest[static_cast<size_t>(r)], inner);
  };
  const int64_t bytes = positions * rest * inner * static_cast<int64_t>(sizeof(T));
  if (plan.lead > 1) {
    parallel_for(plan.lead, std::max<int64_t>(1, kGatherBytes / std::max<int64_t>(1, bytes)),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t l = begin; l < end; ++l) {
                     for (int64_t i = 0; i < positions; ++i) position(l, i);
                   }
                 });
    return;
  }
  // Short runs are written faster by one thread than their offsets are searched by all.
  const bool short_runs = inner * rest * static_cast<int64_t>(sizeof(T)) < kShortRun;
  const int64_t ranges = short_runs ? 1 : std::min<int64_t>(num_threads(), bytes / kGatherBytes);
  parallel_for(whole_size, ranges > 1 ? whole_size / ranges : whole_size, [&](int64_t begin, int64_t end) {
    if (begin == 0 && end == whole_size) {
      for (int64_t i = 0; i < positions; ++i) position(0, i);
      return;
    }
    for (int64_t i = 0; i < positions; ++i) {
      const int64_t offset = plan.offsets[static_cast<size_t>(i)];
      if (offset >= begin && offset < end) position(0, i);
    }
  });
}

template <class T>
void scatter_add_wide(const IndexPlan& plan, const void* src, const View& dst, DType wide) {
  std::vector<T> rows(static_cast<size_t>(plan.num_rows() * plan.inner)),
      sums(static_cast<size_t>(dst.size()));
  convert(src, dst.dtype, rows.data(), wide, static_cast<int64_t>(rows.size()));
  convert(dst.data, dst.dtype, sums.data(), wide, dst.size());
  scatter_items(plan, rows.data(), sums.data(), dst.size(), AddRun<T>());
  convert(sums.data(), wide, dst.data, dst.dtype, dst.size());
}

}  // namespace

bool adjacent_axes(const Shape& axes) {
  for (int i = 1; i < axes.ndim(); ++i) {
    if (axes[i] != axes[i - 1] + 1) return false;
  }
  return true;
}

Shape gathered_shape(const Shape& whole, const Shape& axes, const Shape& index_shape) {
  Shape out;
  if (!adjacent_axes(axes)) out = index_shape;
  int next = 0;
  for (int a = 0; a < whole.ndim(); ++a) {
    if (next >= axes.ndim() || axes[next] != a) {
      out.push_back(whole[a]);
    } else if (next++ == 0 && adjacent_axes(axes)) {
      for (int64_t extent : index_shape) out.push_back(extent);
    }
  }
  return out;
}

void add_index_offsets(const void* indices, DType dtype, int64_t n, int64_t extent, int64_t stride,
                       IndexMode mode, const char* who, int64_t* offsets) {
  parallel_for(n, kGatherBytes / 8, [&](int64_t begin, int64_t end) {
    int64_t tile[kIndexTile];
    for (int64_t first = begin; first < end; first += kIndexTile) {
      const int64_t count = std::min(kIndexTile, end - first);
      const int64_t* index = static_cast<const int64_t*>(indices) + first;
      if (dtype != DType::int64) {
        convert(static_cast<const char*>(indices) + first * static_cast<int64_t>(size_of(dtype)), dtype, tile,
                DType::int64, count);
        index = tile;
      }
      for (int64_t i = 0; i < count; ++i) {
        const int64_t place = place_of(index[i], extent, mode);
        if (place < 0) {
          fail(Status::index, "[", who, "] index ", index[i], " at position ", first + i,
               " is outside an axis of extent ", extent);
        }
        offsets[first + i] += place * stride;
      }
    }
  });
}

IndexPlan plan_indices(const Shape& whole, const Shape& axes, Span<const View> indices,
                       const Shape& index_shape, IndexMode mode, const char* who) {
  IndexPlan plan;
  const StridedDims strides = contiguous_strides(whole);
  plan.offsets.assign(static_cast<size_t>(index_shape.size()), 0);
  std::vector<char> broadcast_indices;
  for (int k = 0; k < axes.ndim(); ++k) {
    const View& index = indices[static_cast<size_t>(k)];
    const int axis = static_cast<int>(axes[k]);
    const void* data = index.data;
    if (index.size() != index_shape.size()) {
      const size_t item = size_of(index.dtype);
      broadcast_indices.resize(plan.offsets.size() * item);
      copy_strided(index.data, broadcast_strides(index.shape(), index_shape), broadcast_indices.data(),
                   contiguous_strides(index_shape), index_shape, item);
      data = broadcast_indices.data();
    }
    add_index_offsets(data, index.dtype, plan.positions(), whole[axis], strides.stride[axis], mode, who,
                      plan.offsets.data());
  }
  if (axes.ndim() == 0) {
    plan.inner = whole.size();
    return plan;
  }
  const int first = static_cast<int>(axes[0]), last = static_cast<int>(axes.back());
  plan.inner = whole.size(last + 1, whole.ndim());
  if (adjacent_axes(axes)) {
    plan.lead = whole.size(0, first);
    plan.lead_stride = whole.size(first, whole.ndim());
    return plan;
  }
  for (int a = 0; a < last; ++a) {
    if (std::find(axes.begin(), axes.end(), a) != axes.end()) continue;
    std::vector<int64_t> more;
    more.reserve(plan.rest.size() * static_cast<size_t>(whole[a]));
    for (int64_t base : plan.rest) {
      for (int64_t i = 0; i < whole[a]; ++i) more.push_back(base + i * strides.stride[a]);
    }
    plan.rest = std::move(more);
  }
  return plan;
}

void gather_rows(const IndexPlan& plan, const void* src, void* dst, size_t item_size) {
  if (plan.num_rows() * plan.inner == 0) return;
  const auto run = [&](auto item) {
    using T = decltype(item);
    gather_items(plan, static_cast<const T*>(src), static_cast<T*>(dst));
  };
  switch (item_size) {
    case 1: return run(uint8_t{});
    case 2: return run(uint16_t{});
    case 4: return run(uint32_t{});
    default: return run(uint64_t{});
  }
}

void scatter_rows(const IndexPlan& plan, const void* src, void* dst, int64_t whole_size, size_t item_size) {
  if (plan.num_rows() * plan.inner == 0) return;
  const auto run = [&](auto item) {
    using T = decltype(item);
    scatter_items(plan, static_cast<const T*>(src), static_cast<T*>(dst), whole_size, SetRun<T>());
  };
  switch (item_size) {
    case 1: return run(uint8_t{});
    case 2: return run(uint16_t{});
    case 4: return run(uint32_t{});
    default: return run(uint64_t{});
  }
}

void scatter_add_rows(const IndexPlan& plan, const void* src, const View& dst) {
  if (plan.num_rows() * plan.inner == 0) return;
  const auto run = [&](auto item) {
    using T = decltype(item);
    scatter_items(plan, static_cast<const T*>(src), dst.as<T>(), dst.size(), AddRun<T>());
  };
  switch (dst.dtype) {
    case DType::float32: return run(float{});
    case DType::float64: return run(double{});
    case DType::int32: return run(uint32_t{});  // unsigned: sums that do not fit wrap
    case DType::int64: return run(uint64_t{});
    case DType::float16:
    case DType::bfloat16: return scatter_add_wide<float>(plan, src, dst, DType::float32);
    default: return scatter_add_wide<int64_t>(plan, src, dst, DType::int64);
  }
}

}  // namespace mixgrad
