#include "kernels/reduce/reduce.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/loops/convert.h"

namespace mixgrad {

AxisSet axis_set(const std::optional<Shape>& axis, bool exclude, int ndim, const char* who) {
  AxisSet set;
  const bool all = !axis || axis->ndim() <= 0;
  if (all) {
    std::fill(set.has, set.has + ndim, true);
    return set;
  }
  for (const int64_t a : *axis) {
    bool& mark = set.has[normalize_axis(a, ndim, who)];
    if (mark) fail(Status::invalid_argument, "[", who, "] axis ", *axis, " names an axis twice");
    mark = true;
  }
  if (exclude) {
    for (int i = 0; i < ndim; ++i) set.has[i] = !set.has[i];
  }
  return set;
}

Shape reduced_shape(const Shape& shape, const AxisSet& axes, bool keepdims) {
  Shape out;
  for (int i = 0; i < shape.ndim(); ++i) {
    if (!axes.has[i])
      out.push_back(shape[i]);
    else if (keepdims)
      out.push_back(1);
  }
  if (out.ndim() == 0 && shape.ndim() > 0) out.push_back(1);
  return out;
}

int64_t reduced_count(const Shape& shape, const AxisSet& axes) {
  int64_t n = 1;
  for (int i = 0; i < shape.ndim(); ++i) n *= axes.has[i] ? shape[i] : 1;
  return n;
}

namespace {

constexpr int64_t kReduceBlock = 16384;      // elements of one piece of a long row
constexpr int64_t kReduceTile = 2048;        // elements converted at a time
constexpr int64_t kReduceColumns = 1024;     // columns accumulated together
constexpr int64_t kReduceNarrow = 32;        // rows shorter than this are taken several together
constexpr int64_t kReduceColumnRun = 64;     // rows joined in the compute type before widening
constexpr int64_t kReduceColumnBlock = 256;  // rows of one piece of a tall column
constexpr int64_t kReduceGrain = 32768;      // elements worth a thread

// Axes of one kind, outermost first, and the walk over their positions.
struct ReduceLoop {
  int ndim = 0;
  int64_t extent[kMaxDims], stride[kMaxDims];
  int64_t size() const {
    int64_t n = 1;
    for (int i = 0; i < ndim; ++i) n *= extent[i];
    return n;
  }
  // Element offset of position i.
  int64_t offset(int64_t i) const {
    int64_t at = 0;
    for (int d = ndim - 1; d >= 0; --d) {
      at += i % extent[d] * stride[d];
      i /= extent[d];
    }
    return at;
  }
  // Positions from i on that follow with a constant stride.
  int64_t run(int64_t i) const { return ndim == 0 ? 1 : extent[ndim - 1] - i % extent[ndim - 1]; }
  int64_t step() const { return ndim == 0 ? 0 : stride[ndim - 1]; }
};

struct ReducePlan {
  const ReduceKernels* fn;
  ReduceFinish finish;
  int64_t count;  // elements per output
  const char* src;
  DType src_dtype;
  size_t src_item, compute_item;
  bool direct;  // elements lie in the compute type
  char* dst;
  DType dst_dtype;
  ReduceLoop kept, reduced;  // without the innermost axis
  int64_t inner;             // extent of the innermost axis
};

const char* reduce_source(const ReducePlan& p, int64_t offset) {
  return p.src + static_cast<size_t>(offset) * p.src_item;
}

// Stores n finished outputs from `wide`, which it may change.
void store_outputs(const ReducePlan& p, void* wide, int64_t n, int64_t at) {
  if (p.fn->wide == DType::float64) {
    double* w = static_cast<double*>(wide);
    if (p.finish == ReduceFinish::mean) {
      for (int64_t i = 0; i < n; ++i) w[i] /= static_cast<double>(p.count);
    } else if (p.finish == ReduceFinish::root) {
      for (int64_t i = 0; i < n; ++i) w[i] = std::sqrt(w[i]);
    }
  } else if (p.finish == ReduceFinish::mean && p.count > 0) {
    for (int64_t i = 0; i < n; ++i) static_cast<int64_t*>(wide)[i] /= p.count;
  }
  convert(wide, p.fn->wide, p.dst + static_cast<size_t>(at) * size_of(p.dst_dtype), p.dst_dtype, n);
}

// wide[i] = n elements from src + i * stride, joined, whatever their dtype.
void join_rows(const ReducePlan& p, const char* src, int64_t n, int64_t stride, int64_t count,
               uint64_t* wide) {
  if (p.direct) return p.fn->rows(src, n, stride, count, wide);
  alignas(64) char tile[kReduceTile * 8];
  if (stride == n && n <= kReduceTile / 2) {
    const int64_t together = kReduceTile / std::max<int64_t>(1, n);
    for (int64_t i = 0; i < count; i += together) {
      const int64_t rows = std::min(together, count - i);
      convert(src + static_cast<size_t>(i * n) * p.src_item, p.src_dtype, tile, p.fn->compute, rows * n);
      p.fn->rows(tile, n, n, rows, wide + i);
    }
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    const char* row = src + static_cast<size_t>(i * stride) * p.src_item;
    uint64_t parts[2];
    p.fn->reset(nullptr, wide + i, 1);
    for (int64_t at = 0; at < n; at += kReduceTile) {
      const int64_t m = std::min(kReduceTile, n - at);
      convert(row + static_cast<size_t>(at) * p.src_item, p.src_dtype, tile, p.fn->compute, m);
      parts[0] = wide[i];
      p.fn->rows(tile, m, m, 1, parts + 1);
      p.fn->fold(parts, 1, 2, wide + i);
    }
  }
}

// The innermost axis is reduced: every output joins rows of `inner` contiguous elements.
void reduce_inner(const ReducePlan& p) {
  const int64_t outputs = p.kept.size(), rows = p.reduced.size(), n = p.inner;
  const int64_t pieces = n > 2 * kReduceBlock ? (n + kReduceBlock - 1) / kReduceBlock : 1;
  const int64_t group = pieces > 1 ? 1 : std::max<int64_t>(1, kReduceBlock / std::max<int64_t>(1, n));
  const int64_t units = (rows + group - 1) / group * pieces;
  constexpr int64_t kMany = 256;
  // Joins rows [first, last) at columns [begin, begin + length) of the output at `base`.
  const auto join_output = [&](int64_t base, int64_t first, int64_t last, int64_t begin, int64_t length,
                               uint64_t* wide) {
    uint64_t parts[kMany];
    parts[0] = 0;
    int64_t filled = 0;
    for (int64_t r = first; r < last;) {
      const int64_t many = std::min({p.reduced.run(r), last - r, kMany - filled});
      join_rows(p, reduce_source(p, base + p.reduced.offset(r) + begin), length, p.reduced.step(), many,
                parts + filled);
      r += many;
      filled += many;
      if (filled == kMany) {
        p.fn->fold(parts, 1, filled, parts);
        filled = 1;
      }
    }
    p.fn->fold(parts, 1, filled, wide);
  };
  if (units == 1) {
    const int64_t grain = loop_grain(kReduceGrain, {rows, n});
    parallel_for(outputs, grain, [&](int64_t begin, int64_t end) {
      uint64_t wide[kMany];
      for (int64_t at = begin; at < end;) {
        const int64_t many = std::min({kMany, end - at, p.kept.run(at)});
        if (rows == 1) {
          join_rows(p, reduce_source(p, p.kept.offset(at)), n, p.kept.step(), many, wide);
        } else {
          for (int64_t i = 0; i < many; ++i) join_output(p.kept.offset(at + i), 0, rows, 0, n, wide + i);
        }
        store_outputs(p, wide, many, at);
        at += many;
      }
    });
    return;
  }
  const std::unique_ptr<uint64_t[]> parts(new uint64_t[static_cast<size_t>(outputs * units)]);
  const int64_t unit_size = std::max<int64_t>(1, rows * n / units);
  parallel_for(outputs * units, loop_grain(kReduceGrain, {unit_size}), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t unit = i % units, first = unit / pieces * group, column = unit % pieces * kReduceBlock;
      join_output(p.kept.offset(i / units), first, std::min(rows, first + group), column,
                  pieces > 1 ? std::min(kReduceBlock, n - column) : n, parts.get() + i);
    }
  });
  for (int64_t i = 0; i < outputs; ++i) {
    uint64_t wide;
    p.fn->fold(parts.get() + i * units, 1, units, &wide);
    store_outputs(p, &wide, 1, i);
  }
}

// The innermost axis is kept: rows of `inner` contiguous elements are joined element by element. Narrow rows
// are taken several together, as one wide row whose parts are joined at the end.
class ReduceOuter {
 public:
  explicit ReduceOuter(const ReducePlan& p) : p_(p), width_(p.inner), lines_(p.reduced) {
    const int last = lines_.ndim - 1;
    const bool adjacent = last >= 0 && lines_.stride[last] == width_;
    if (adjacent && width_ < kReduceNarrow)
      together_ = std::min(lines_.extent[last], kReduceColumns / width_);
    rest_ = together_ > 1 ? lines_.extent[last] % together_ : 0;
    if (together_ > 1) {
      lines_.extent[last] = (lines_.extent[last] + together_ - 1) / together_;
      lines_.stride[last] *= together_;
    }
    rows_ = lines_.size();
    tiles_ = together_ > 1 ? 1 : (width_ + kReduceColumns - 1) / kReduceColumns;
    blocks_ = rows_ > 2 * kReduceColumnBlock ? (rows_ + kReduceColumnBlock - 1) / kReduceColumnBlock : 1;
  }

  void run() {
    const int64_t groups = p_.kept.size() * tiles_;
    const int64_t tile = together_ > 1 ? width_ : std::min(width_, kReduceColumns);
    std::unique_ptr<uint64_t[]> parts;
    if (blocks_ > 1) parts.reset(new uint64_t[static_cast<size_t>(groups * blocks_ * tile)]);
    const int64_t unit = std::max<int64_t>(1, std::min(rows_, kReduceColumnBlock) * tile * together_);
    parallel_for(groups * blocks_, loop_grain(kReduceGrain, {unit}), [&](int64_t begin, int64_t end) {
      alignas(64) uint64_t wide[kReduceColumns];
      for (int64_t i = begin; i < end; ++i) {
        const int64_t block = i % blocks_, first = block * kReduceColumnBlock;
        join(i / blocks_, first, blocks_ > 1 ? std::min(rows_, first + kReduceColumnBlock) : rows_, wide);
        if (parts) {
          std::copy(wide, wide + columns(i / blocks_), parts.get() + i * tile);
        } else {
          store_outputs(p_, wide, columns(i), place(i));
        }
      }
    });
    if (!parts) return;
    // Joined two by two: vectors, and an error that grows with the logarithm of the number of blocks.
    parallel_for(groups, loop_grain(kReduceGrain, {blocks_, tile}), [&](int64_t begin, int64_t end) {
      for (int64_t g = begin; g < end; ++g) {
        uint64_t* of_group = parts.get() + g * blocks_ * tile;
        for (int64_t step = 1; step < blocks_; step *= 2) {
          for (int64_t block = 0; block + step < blocks_; block += 2 * step) {
            p_.fn->merge(of_group + block * tile, of_group + (block + step) * tile, columns(g));
          }
        }
        store_outputs(p_, of_group, columns(g), place(g));
      }
    });
  }

 private:
  int64_t first_column(int64_t group) const { return group % tiles_ * kReduceColumns; }
  int64_t columns(int64_t group) const {
    return together_ > 1 ? width_ : std::min(kReduceColumns, width_ - first_column(group));
  }
  // Index of the group's first output.
  int64_t place(int64_t group) const { return group / tiles_ * width_ + first_column(group); }

  // wide[c] = rows [first, last) of the group, joined.
  void join(int64_t group, int64_t first, int64_t last, uint64_t* wide) const {
    const int64_t base = p_.kept.offset(group / tiles_) + first_column(group);
    const int64_t full = columns(group) * together_;
    alignas(64) char acc[kReduceColumns * 8];
    const ReduceKernels& fn = *p_.fn;
    fn.reset(acc, wide, full);
    const void* lines[8];
    int waiting = 0;
    int64_t since_widened = 0;
    const int inner = lines_.ndim - 1;
    for (int64_t r = first; r < last;) {
      const int64_t run = std::min(lines_.run(r), last - r);
      const char* src = reduce_source(p_, base + lines_.offset(r));
      const size_t step = static_cast<size_t>(lines_.step()) * p_.src_item;
      for (int64_t i = 0; i < run; ++i, src += step) {
        const bool partial = rest_ > 0 && (r + i) % lines_.extent[inner] == lines_.extent[inner] - 1;
        if (partial) {
          const void* line = src;
          add(&line, 1, rest_ * width_, acc);
        } else {
          lines[waiting++] = src;
          if (waiting == 8) {
            add(lines, 8, full, acc);
            waiting = 0;
          }
        }
        if (++since_widened == kReduceColumnRun) {
          if (waiting > 0) add(lines, waiting, full, acc);
          waiting = 0;
          since_widened = 0;
          fn.widen(acc, wide, full);
          fn.reset(acc, nullptr, full);
        }
      }
      r += run;
    }
    if (waiting > 0) add(lines, waiting, full, acc);
    fn.widen(acc, wide, full);
    for (int64_t i = 1; i < together_; ++i) fn.merge(wide, wide + i * width_, width_);
  }

  void add(const void* const* lines, int count, int64_t width, void* acc) const {
    if (p_.direct) return p_.fn->columns(lines, count, width, acc);
    alignas(64) char tile[8][kReduceColumns * 8];
    const void* converted[8];
    for (int i = 0; i < count; ++i) {
      convert(lines[i], p_.src_dtype, tile[i], p_.fn->compute, width);
      converted[i] = tile[i];
    }
    p_.fn->columns(converted, count, width, acc);
  }

  const ReducePlan& p_;
  int64_t width_;
  ReduceLoop lines_;      // the (wide) rows that one output joins
  int64_t together_ = 1;  // rows in a wide row
  int64_t rest_ = 0;      // rows in the last wide row of the innermost reduced axis, if fewer
  int64_t rows_ = 0, tiles_ = 1, blocks_ = 1;
};

}  // namespace

void reduce_axes(Reduce kind, ReduceFinish finish, const View& src, const AxisSet& axes, const View& dst) {
  const Shape& shape = src.shape();
  if (dst.size() == 0) return;
  ReducePlan p;
  const bool in_double = !is_float(src.dtype) && (kind == Reduce::sum_abs || kind == Reduce::sum_square);
  p.fn = &reduce_kernels(kind, in_double ? DType::float64 : src.dtype);
  p.finish = finish;
  p.count = reduced_count(shape, axes);
  p.src = src.as<char>();
  p.src_dtype = src.dtype;
  p.src_item = size_of(src.dtype);
  p.compute_item = size_of(p.fn->compute);
  p.direct = src.dtype == p.fn->compute;
  p.dst = dst.as<char>();
  p.dst_dtype = dst.dtype;
  if (p.count == 0) {
    uint64_t wide;
    for (int64_t i = 0; i < dst.size(); ++i) {
      p.fn->reset(nullptr, &wide, 1);
      store_outputs(p, &wide, 1, i);
    }
    return;
  }
  // Neighbouring axes of one kind merge; axes of extent 1 vanish.
  int ndim = 0;
  int64_t extent[kMaxDims + 1];
  bool reduced[kMaxDims + 1];
  for (int i = 0; i < shape.ndim(); ++i) {
    if (shape[i] == 1) continue;
    if (ndim > 0 && reduced[ndim - 1] == axes.has[i]) {
      extent[ndim - 1] *= shape[i];
    } else {
      extent[ndim] = shape[i];
      reduced[ndim++] = axes.has[i];
    }
  }
  if (ndim == 0) {
    extent[0] = 1;
    reduced[ndim++] = true;
  }
  int64_t stride = extent[ndim - 1];
  p.inner = stride;
  int64_t strides[kMaxDims];
  for (int i = ndim - 2; i >= 0; --i) {
    strides[i] = stride;
    stride *= extent[i];
  }
  for (int i = 0; i < ndim - 1; ++i) {
    ReduceLoop& loop = reduced[i] ? p.reduced : p.kept;
    loop.extent[loop.ndim] = extent[i];
    loop.stride[loop.ndim++] = strides[i];
  }
  if (reduced[ndim - 1]) {
    reduce_inner(p);
  } else {
    ReduceOuter(p).run();
  }
}

}  // namespace mixgrad
