// Places of extremes along an axis.
#include <algorithm>
#include <memory>

#include "base/cpu.h"
#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/reduce/reduce_kernels.h"
#include "op/define.h"

namespace mixgrad::ops::arg_reduce {
namespace {

struct ArgParams {
  std::optional<int32_t> axis;
  bool keepdims = false;
  static void fields(Fields<ArgParams>& f) {
    f.add("axis", &ArgParams::axis, "Axis to search; None searches the flattened array.")
        .add("keepdims", &ArgParams::keepdims, "Keeps the searched axis, with extent 1.");
  }
};

constexpr int64_t kArgChunk = 4096;   // elements of one step along a row
constexpr int64_t kArgColumns = 256;  // columns searched together
constexpr int64_t kArgGrain = 32768;
constexpr int64_t kShortRow = 16;  // elements that are searched one by one: vectors would cost more to set up
constexpr int64_t kFewPlaces = 64;  // results that need no allocation

// An array as [outer, n, inner], searched along the middle.
struct ArgLayout {
  int64_t outer = 1, n = 1, inner = 1;
};

ArgLayout arg_layout(const Shape& shape, const std::optional<int32_t>& axis, const char* who) {
  if (!axis || (shape.ndim() == 0 && (*axis == 0 || *axis == -1))) return {1, shape.size(), 1};
  const int at = normalize_axis(*axis, shape.ndim(), who);
  return {shape.size(0, at), shape[at], shape.size(at + 1, shape.ndim())};
}

// First place of `value` in x, or of the first NaN when `value` is one.
template <class C>
int64_t find_value(const C* x, int64_t n, C value) {
  for (int64_t i = 0; i < n; ++i) {
    if (x[i] == value || x[i] != x[i]) return i;
  }
  return 0;
}

int64_t find_value(const char* x, int64_t n, DType compute, uint64_t wide) {
  double real;
  int64_t integer;
  std::memcpy(&real, &wide, sizeof real);
  std::memcpy(&integer, &wide, sizeof integer);
  switch (compute) {
    case DType::float32: return find_value(reinterpret_cast<const float*>(x), n, static_cast<float>(real));
    case DType::float64: return find_value(reinterpret_cast<const double*>(x), n, real);
    default: return find_value(reinterpret_cast<const int64_t*>(x), n, integer);
  }
}

// The extreme of one chunk of a row, in the wide type.
class ArgRows {
 public:
  ArgRows(const View& src, Reduce kind) : src_(src), fn_(reduce_kernels(kind, src.dtype)) {}

  uint64_t extreme(int64_t at, int64_t n) const {
    alignas(64) char tile[kArgChunk * 8];
    uint64_t wide;
    fn_.rows(elements(at, n, tile), n, n, 1, &wide);
    return wide;
  }
  int64_t find(int64_t at, int64_t n, uint64_t wide) const {
    alignas(64) char tile[kArgChunk * 8];
    return find_value(elements(at, n, tile), n, fn_.compute, wide);
  }
  // The first chunk whose extreme no other beats.
  int64_t best_chunk(const uint64_t* extremes, int64_t count) const {
    uint64_t best = extremes[0];
    int64_t place = 0;
    for (int64_t i = 1; i < count; ++i) {
      const uint64_t pair[2] = {best, extremes[i]};
      uint64_t joined;
      fn_.fold(pair, 1, 2, &joined);
      if (is_nan(best)) break;
      if (joined != best && !same(joined, best)) {
        best = joined;
        place = i;
      }
    }
    return place;
  }

 private:
  const char* elements(int64_t at, int64_t n, char* tile) const {
    const char* x = src_.as<char>() + static_cast<size_t>(at) * size_of(src_.dtype);
    if (src_.dtype == fn_.compute) return x;
    convert(x, src_.dtype, tile, fn_.compute, n);
    return tile;
  }
  bool is_nan(uint64_t wide) const {
    double v;
    std::memcpy(&v, &wide, sizeof v);
    return fn_.wide == DType::float64 && v != v;
  }
  bool same(uint64_t a, uint64_t b) const {
    double x, y;
    std::memcpy(&x, &a, sizeof x);
    std::memcpy(&y, &b, sizeof y);
    return fn_.wide == DType::float64 && x == y;  // 0 and -0
  }

  const View& src_;
  const ReduceKernels& fn_;
};

// The first place of the extreme, or of the first NaN, in each row.
template <class C, bool kLargest>
void search_short_rows(const C* x, const ArgLayout& layout, int64_t* index) {
  for (int64_t r = 0; r < layout.outer; ++r, x += layout.n) {
    int64_t place = 0;
    for (int64_t i = 1; i < layout.n && x[place] == x[place]; ++i) {
      const bool better = kLargest ? x[i] > x[place] : x[i] < x[place];
      if (better || x[i] != x[i]) place = i;
    }
    index[r] = place;
  }
}

// False where the rows are too long, too many for one thread, or of another dtype.
template <bool kLargest>
bool search_few(const View& src, const ArgLayout& layout, int64_t* index) {
  if (layout.n > kShortRow || layout.outer > kArgGrain / kShortRow) return false;
  switch (src.dtype) {
    case DType::float32: search_short_rows<float, kLargest>(src.as<float>(), layout, index); return true;
    case DType::float64: search_short_rows<double, kLargest>(src.as<double>(), layout, index); return true;
    case DType::int64: search_short_rows<int64_t, kLargest>(src.as<int64_t>(), layout, index); return true;
    default: return false;
  }
}

void search_rows(const View& src, Reduce kind, const ArgLayout& layout, int64_t* index) {
  const ArgRows rows(src, kind);
  const int64_t n = layout.n, chunks = (n + kArgChunk - 1) / kArgChunk;
  const auto length = [&](int64_t chunk) { return std::min(kArgChunk, n - chunk * kArgChunk); };
  if (chunks == 1) {
    parallel_for(layout.outer, loop_grain(kArgGrain, {n}), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) index[r] = rows.find(r * n, n, rows.extreme(r * n, n));
    });
    return;
  }
  const std::unique_ptr<uint64_t[]> extremes(new uint64_t[static_cast<size_t>(layout.outer * chunks)]);
  parallel_for(layout.outer * chunks, kArgGrain / kArgChunk, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t chunk = i % chunks;
      extremes[static_cast<size_t>(i)] = rows.extreme(i / chunks * n + chunk * kArgChunk, length(chunk));
    }
  });
  for (int64_t r = 0; r < layout.outer; ++r) {
    const uint64_t* of_row = extremes.get() + r * chunks;
    const int64_t chunk = rows.best_chunk(of_row, chunks), at = chunk * kArgChunk;
    index[r] = at + rows.find(r * n + at, length(chunk), of_row[chunk]);
  }
}

// Places in the type of the elements' size, so that both are compared and kept in equal vectors.
template <class C, class I, bool kLargest>
MIXGRAD_INLINE void arg_step(const C* x, C* best, I* place, I row, int64_t width) {
  MIXGRAD_VECTORIZE
  for (int64_t c = 0; c < width; ++c) {
    const bool better =
        (kLargest ? x[c] > best[c] : x[c] < best[c]) | ((x[c] != x[c]) & (best[c] == best[c]));
    best[c] = better ? x[c] : best[c];
    place[c] = better ? row : place[c];
  }
}

template <class C, class I, bool kLargest>
MIXGRAD_TARGET_BASELINE void arg_step_baseline(const C* x, C* best, I* place, I row, int64_t width) {
  arg_step<C, I, kLargest>(x, best, place, row, width);
}
#if MIXGRAD_X86
template <class C, class I, bool kLargest>
MIXGRAD_TARGET_AVX2 void arg_step_avx2(const C* x, C* best, I* place, I row, int64_t width) {
  arg_step<C, I, kLargest>(x, best, place, row, width);
}
template <class C, class I, bool kLargest>
MIXGRAD_TARGET_AVX512 void arg_step_avx512(const C* x, C* best, I* place, I row, int64_t width) {
  arg_step<C, I, kLargest>(x, best, place, row, width);
}
#endif

template <class C, class I, bool kLargest>
auto pick_arg_step() {
#if MIXGRAD_X86
  if (loop_isa<C>() == Isa::avx512) return &arg_step_avx512<C, I, kLargest>;
  if (loop_isa<C>() == Isa::avx2) return &arg_step_avx2<C, I, kLargest>;
#endif
  return &arg_step_baseline<C, I, kLargest>;
}

template <class C, class I, bool kLargest>
void search_columns(const View& src, DType compute, const ArgLayout& layout, int64_t* index) {
  const auto step = pick_arg_step<C, I, kLargest>();
  const int64_t tiles = (layout.inner + kArgColumns - 1) / kArgColumns;
  const int64_t work = std::max<int64_t>(1, layout.n * std::min(layout.inner, kArgColumns));
  parallel_for(layout.outer * tiles, loop_grain(kArgGrain, {work}), [&](int64_t begin, int64_t end) {
    C row[kArgColumns], best[kArgColumns];
    I place[kArgColumns];
    for (int64_t t = begin; t < end; ++t) {
      const int64_t first = t % tiles * kArgColumns, width = std::min(kArgColumns, layout.inner - first);
      const int64_t base = t / tiles * layout.n * layout.inner + first;
      for (int64_t r = 0; r < layout.n; ++r) {
        const char* line = src.as<char>() + static_cast<size_t>(base + r * layout.inner) * size_of(src.dtype);
        const C* x = reinterpret_cast<const C*>(line);
        if (src.dtype != compute) {
          convert(line, src.dtype, row, compute, width);
          x = row;
        }
        if (r == 0) {
          std::copy(x, x + width, best);
          std::fill(place, place + width, I(0));
        } else {
          step(x, best, place, static_cast<I>(r), width);
        }
      }
      std::copy(place, place + width, index + t / tiles * layout.inner + first);
    }
  });
}

template <bool kLargest>
void search(const View& src, const ArgLayout& layout, const View& dst) {
  if (dst.size() == 0) return;
  int64_t few[kFewPlaces];
  const std::unique_ptr<int64_t[]> many(dst.size() > kFewPlaces ? new int64_t[static_cast<size_t>(dst.size())]
                                                                : nullptr);
  int64_t* const index = many ? many.get() : few;
  if (layout.inner == 1) {
    if (!search_few<kLargest>(src, layout, index))
      search_rows(src, kLargest ? Reduce::max : Reduce::min, layout, index);
  } else if (is_float(src.dtype) && src.dtype != DType::float64 && layout.n < (int64_t{1} << 31)) {
    search_columns<float, int32_t, kLargest>(src, DType::float32, layout, index);
  } else if (is_float(src.dtype)) {
    search_columns<double, int64_t, kLargest>(src, DType::float64, layout, index);
  } else {
    search_columns<int64_t, int64_t, kLargest>(src, DType::int64, layout, index);
  }
  convert(index, DType::int64, dst.data, dst.dtype, dst.size());
}

void arg_shape(ShapeInfer& s, const std::optional<int32_t>& axis, bool keepdims) {
  if (!s.known(0)) return;
  const Shape& in = s.in(0);
  Shape out = in;
  if (!axis) {
    out = keepdims || in.ndim() == 0 ? Shape::filled(in.ndim(), 1) : Shape{1};
  } else {
    const int at = normalize_axis(*axis, in.ndim(), s.name());
    if (keepdims)
      out[at] = 1;
    else
      out.erase(at);
    if (out.ndim() == 0) out = Shape{1};
  }
  if (arg_layout(in, axis, s.name()).n == 0 && out.size() > 0)
    s.reject("an axis without elements has no extreme");
  s.set_out(0, out);
}

template <bool kLargest>
void arg_kernel(const ArgParams& p, KernelArgs& args) {
  search<kLargest>(args.in[0], arg_layout(args.in[0].shape(), p.axis, args.name()), args.out[0]);
}

Define<ArgParams> arg_operator(const char* name, const char* doc) {
  Define<ArgParams> define(name);
  define.doc(doc)
      .origin("MXNet broadcast_reduce_op_index")
      .input("data", "Any array. The places come in its dtype, which must be able to hold them.")
      .shape([](const ArgParams& p, ShapeInfer& s) { arg_shape(s, p.axis, p.keepdims); })
      .element_cost(1)
      .cost([](const ArgParams&, Span<const Shape> in) {
        return 200 + 0.15 * static_cast<double>(in[0].size());
      })
      .no_gradient();
  return define;
}

// In NumPy's namespace places are int64, and the searched axis vanishes also where it is the only one.
Define<ArgParams> numpy_operator(const char* name, const char* doc) {
  Define<ArgParams> define = arg_operator(name, doc);
  define
      .shape([](const ArgParams& p, ShapeInfer& s) {
        if (!s.known(0)) return;
        const Shape& in = s.in(0);
        Shape out = p.keepdims ? Shape::filled(in.ndim(), 1) : Shape();
        const bool is_number = in.ndim() == 0 && p.axis && (*p.axis == 0 || *p.axis == -1);  // as in NumPy
        if (p.axis && !is_number) {
          const int at = normalize_axis(*p.axis, in.ndim(), s.name());
          out = in;
          out.erase(at);
          if (p.keepdims) out.insert(at, 1);
        }
        if (arg_layout(in, p.axis, s.name()).n == 0 && out.size() > 0)
          s.reject("an axis without elements has no extreme");
        s.set_out(0, out);
      })
      .dtype([](const ArgParams&, DTypeInfer& d) { d.set_out(0, DType::int64); })
      .grad_needs({}, {});
  return define;
}

const bool kRegistered = [] {
  arg_operator("argmax", "Place of the largest element along an axis: the first one, or the first NaN.")
      .kernel(arg_kernel<true>)
      .done();
  arg_operator("argmin", "Place of the smallest element along an axis: the first one, or the first NaN.")
      .kernel(arg_kernel<false>)
      .done();
  if (kTraining) {
    numpy_operator("_npi_argmax",
                   "Place of the largest element along an axis: the first one, or the first NaN.")
        .kernel(arg_kernel<true>)
        .done();
    numpy_operator("_npi_argmin",
                   "Place of the smallest element along an axis: the first one, or the first NaN.")
        .kernel(arg_kernel<false>)
        .done();
  }
  Define<>("argmax_channel")
      .doc("Place of the largest element along axis 1: classes from an array of scores (N, C, ...).")
      .origin("MXNet argmax_channel")
      .input("data", "Scores, at least two axes.")
      .shape([](const NoParams&, ShapeInfer& s) {
        if (s.known(0) && s.in(0).ndim() < 2) s.reject("scores need at least two axes");
        arg_shape(s, 1, false);
      })
      .kernel([](const NoParams&, KernelArgs& args) {
        search<true>(args.in[0], arg_layout(args.in[0].shape(), 1, args.name()), args.out[0]);
      })
      .no_gradient()
      .done();
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::arg_reduce
