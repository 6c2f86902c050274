// Division of vectors by their length.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/reduce/reduce.h"
#include "kernels/scratch.h"
#include "op/define.h"

namespace mixgrad::ops::l2_normalization {
namespace {

enum L2Mode : int32_t { kL2Channel, kL2Instance, kL2Spatial };

struct L2Params {
  double eps = 1e-10;
  int32_t mode = kL2Instance;
  static void fields(Fields<L2Params>& f) {
    f.add("eps", &L2Params::eps, "Added to the sum of squares.")
        .choice(
            "mode", &L2Params::mode, {"channel", "instance", "spatial"},
            "Which elements of (N, C, ...) form a vector: the channels of a position, a whole sample, or the "
            "positions of a channel.");
  }
};

// An array as [outer, n, inner]; vectors lie along the middle.
struct L2Layout {
  int64_t outer, n, inner;
};

L2Layout l2_layout(const L2Params& p, const Shape& s) {
  const int ndim = s.ndim();
  if (p.mode == kL2Channel) return {s[0], s[1], s.size(2, ndim)};
  const int split = p.mode == kL2Instance ? 1 : 2;
  return {s.size(0, split), s.size(split, ndim), 1};
}

constexpr int64_t kL2Tile = 512;

// The factor of each vector, in double.
void l2_factors(const L2Params& p, const View& x, const L2Layout& l, double* factor) {
  const Shape as{l.outer, l.n, l.inner}, kept{l.outer, l.inner};
  AxisSet axes;
  axes.has[1] = true;
  reduce_axes(Reduce::sum_square, ReduceFinish::none, {x.data, &as, x.dtype}, axes,
              {factor, &kept, DType::float64});
  for (int64_t i = 0; i < kept.size(); ++i) factor[i] = 1 / std::sqrt(factor[i] + p.eps);
}

// dst[i] = src[i] * (one factor, or a factor per element) over a run within one row.
void scale_run(const char* src, char* dst, DType dtype, int64_t n, const double* factor, bool per_element) {
  if (dtype == DType::float32) {
    const float* x = reinterpret_cast<const float*>(src);
    float* y = reinterpret_cast<float*>(dst);
    if (per_element) {
      for (int64_t i = 0; i < n; ++i) y[i] = x[i] * static_cast<float>(factor[i]);
    } else {
      const float f = static_cast<float>(*factor);
      for (int64_t i = 0; i < n; ++i) y[i] = x[i] * f;
    }
    return;
  }
  double tile[kL2Tile];
  for (int64_t at = 0; at < n; at += kL2Tile) {
    const int64_t m = std::min(kL2Tile, n - at);
    const size_t offset = static_cast<size_t>(at) * size_of(dtype);
    convert(src + offset, dtype, tile, DType::float64, m);
    for (int64_t i = 0; i < m; ++i) tile[i] *= per_element ? factor[at + i] : *factor;
    convert(tile, DType::float64, dst + offset, dtype, m);
  }
}

void l2_kernel(const L2Params& p, KernelArgs& args) {
  const View &x = args.in[0], &y = args.out[0];
  if (x.size() == 0) return;
  const L2Layout l = l2_layout(p, x.shape());
  ScratchArray<double> factor(static_cast<size_t>(l.outer * l.inner));
  l2_factors(p, x, l, factor.data());
  const int64_t rows = l.inner == 1 ? l.outer : l.outer * l.n, width = l.inner == 1 ? l.n : l.inner;
  constexpr int64_t kGrain = 32768;
  parallel_for(rows, loop_grain(kGrain, {width}), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const size_t at = static_cast<size_t>(r * width) * size_of(x.dtype);
      const double* f = factor.data() + (l.inner == 1 ? r : r / l.n * l.inner);
      scale_run(x.as<char>() + at, y.as<char>() + at, x.dtype, width, f, l.inner != 1);
    }
  });
}

// With y = x / s: dx = (g - y * sum(g y)) / s.
void l2_grad(const L2Params& p, Grad& g) {
  const Shape& shape = g.in_shape(0);
  Shape axes;
  for (int i = 0; i < shape.ndim(); ++i) {
    const bool in = p.mode == kL2Channel ? i == 1 : i >= (p.mode == kL2Instance ? 1 : 2);
    if (in) axes.push_back(i);
  }
  const Tensor x = g.in(0), dy = g.out_grad();
  const auto over = [&](const Tensor& t) { return axes.ndim() > 0 ? sum_axes(t, axes, true) : t; };
  const Tensor size = apply("sqrt", {over(x * x) + p.eps});
  const Tensor y = x / size;
  g.set(0, (dy - y * over(dy * y)) / size);
}

const Op& l2_normalization =
    Define<L2Params>("L2Normalization")
        .doc("Divides each vector by the square root of its sum of squares plus eps.")
        .origin("MXNet L2Normalization; ParseNet, https://arxiv.org/abs/1506.04579")
        .input("data", "(N, ...) for mode instance, else (N, C, ...) with at least three axes.")
        .shape([](const L2Params& p, ShapeInfer& s) {
          infer_like(s, 0);
          if (!s.in(0).known_rank()) return;
          if (s.in(0).ndim() < (p.mode == kL2Instance ? 1 : 3)) {
            s.reject(p.mode == kL2Instance ? "data needs an axis" : "data needs at least three axes");
          }
        })
        .kernel(l2_kernel)
        .cost([](const L2Params&, Span<const Shape> in) {
          return 300 + 0.2 * static_cast<double>(in[0].size());
        })
        .grad(l2_grad);

}  // namespace
}  // namespace mixgrad::ops::l2_normalization
