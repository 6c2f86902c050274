// Running sums.
#include <algorithm>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "op/define.h"

namespace mixgrad::ops::cumsum {
namespace {

struct CumsumParams {
  std::optional<int32_t> axis;
  std::optional<DType> dtype;
  static void fields(Fields<CumsumParams>& f) {
    f.add("axis", &CumsumParams::axis, "Axis to sum along; None sums along the flattened array.")
        .add("dtype", &CumsumParams::dtype,
             "Element type of the output, in which the elements are summed; None is that of the input.");
  }
};

constexpr int64_t kCumsumTile = 512;
constexpr int64_t kCumsumGrain = 16384;

// A sum as the output holds it, where each step has to be rounded.
template <bool kHalf, class W>
W step(W sum) {
  if constexpr (kHalf) return half_to_float(float_to_half(sum));
  return sum;
}

// Sums along the middle of [outer, n, inner]. W is double, or uint64_t, which wraps as integers do, or float for
// float16, whose sums are rounded at each step.
template <class W, bool kHalf = false>
void running_sums(const View& src, const View& dst, DType wide, int64_t outer, int64_t n, int64_t inner) {
  const size_t from = size_of(src.dtype), to = size_of(dst.dtype);
  // Elements take the output's type first: 0.6 counts as 0 in sums of integers.
  const auto read = [&](size_t place, W* tile, int64_t m) {
    if (src.dtype == dst.dtype) return convert(src.as<char>() + place * from, src.dtype, tile, wide, m);
    alignas(8) char elements[kCumsumTile * 8];
    convert(src.as<char>() + place * from, src.dtype, elements, dst.dtype, m);
    convert(elements, dst.dtype, tile, wide, m);
  };
  if (inner == 1) {
    parallel_for(outer, loop_grain(kCumsumGrain, {n}), [&](int64_t begin, int64_t end) {
      W tile[kCumsumTile];
      for (int64_t r = begin; r < end; ++r) {
        W sum = 0;
        for (int64_t at = 0; at < n; at += kCumsumTile) {
          const int64_t m = std::min(kCumsumTile, n - at);
          const size_t place = static_cast<size_t>(r * n + at);
          read(place, tile, m);
          for (int64_t i = 0; i < m; ++i) tile[i] = sum = step<kHalf>(sum + tile[i]);
          convert(tile, wide, dst.as<char>() + place * to, dst.dtype, m);
        }
      }
    });
    return;
  }
  const int64_t tiles = (inner + kCumsumTile - 1) / kCumsumTile;
  const int64_t work = n * std::min(inner, kCumsumTile);
  parallel_for(outer * tiles, loop_grain(kCumsumGrain, {work}), [&](int64_t begin, int64_t end) {
    W sum[kCumsumTile], tile[kCumsumTile];
    for (int64_t t = begin; t < end; ++t) {
      const int64_t first = t % tiles * kCumsumTile, width = std::min(kCumsumTile, inner - first);
      std::fill(sum, sum + width, W(0));
      for (int64_t r = 0; r < n; ++r) {
        const size_t place = static_cast<size_t>((t / tiles * n + r) * inner + first);
        read(place, tile, width);
        for (int64_t c = 0; c < width; ++c) sum[c] = step<kHalf>(sum[c] + tile[c]);
        convert(sum, wide, dst.as<char>() + place * to, dst.dtype, width);
      }
    }
  });
}

void cumsum_kernel(const CumsumParams& p, KernelArgs& args) {
  const View &src = args.in[0], &dst = args.out[0];
  if (src.size() == 0) return;
  const Shape& s = src.shape();
  int64_t outer = 1, n = s.size(), inner = 1;
  if (p.axis) {
    const int at = normalize_axis(*p.axis, s.ndim(), args.name());
    outer = s.size(0, at);
    n = s[at];
    inner = s.size(at + 1, s.ndim());
  }
  if (dst.dtype == DType::float16)
    running_sums<float, true>(src, dst, DType::float32, outer, n, inner);
  else if (is_float(dst.dtype))
    running_sums<double>(src, dst, DType::float64, outer, n, inner);
  else
    running_sums<uint64_t>(src, dst, DType::int64, outer, n, inner);
}

// Element i contributes to all sums from i on: running sums from the end, those of float16 rounded once, since
// steps would stop a count at 2048.
void cumsum_grad(const CumsumParams& p, Grad& g) {
  const Shape& shape = g.in_shape(0);
  const int axis = p.axis ? normalize_axis(*p.axis, shape.ndim(), "cumsum") : 0;
  const Value at(axis);
  const DType type = g.in_dtype(0) == DType::float16 ? DType::float32 : g.in_dtype(0);
  const Tensor from_end = apply("reverse", {cast_to(g.out_grad(), type)}, {{"axis", at}});
  const Tensor summed = apply("cumsum", {from_end}, {{"axis", at}});
  g.set(0, cast_to(reshape_to(apply("reverse", {summed}, {{"axis", at}}), shape), g.in_dtype(0)));
}

const Op& cumsum = Define<CumsumParams>("cumsum")
                       .alias("_np_cumsum")
                       .doc("Running sums along an axis. Those of float16 are rounded at each step.")
                       .origin("MXNet cumsum")
                       .input("a", "Any array.")
                       .shape([](const CumsumParams& p, ShapeInfer& s) {
                         if (!s.known(0)) return;
                         if (p.axis) normalize_axis(*p.axis, s.in(0).ndim(), s.name());
                         s.set_out(0, p.axis ? s.in(0) : Shape{s.in(0).size()});
                       })
                       .dtype([](const CumsumParams& p, DTypeInfer& d) {
                         if (p.dtype)
                           d.set_out(0, *p.dtype);
                         else if (d.in(0) == DType::boolean)
                           d.set_out(0, DType::int64);
                         else
                           infer_first_dtype(d);
                       })
                       .kernel(cumsum_kernel)
                       .element_cost(1.2)
                       .grad_needs({}, {})
                       .grad(cumsum_grad);

}  // namespace
}  // namespace mixgrad::ops::cumsum
