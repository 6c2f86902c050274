// Local response normalisation across neighbouring channels.
#include <algorithm>
#include <cmath>

#include "base/cpu.h"
#include "base/parallel.h"
#include "kernels/elements.h"
#include "kernels/scratch.h"
#include "op/define.h"

namespace mixgrad::ops::lrn {
namespace {

struct LrnParams {
  double alpha = 1e-4;
  double beta = 0.75;
  double knorm = 2;
  int32_t nsize = 5;
  static void fields(Fields<LrnParams>& f) {
    f.add("alpha", &LrnParams::alpha, "Weight of the sum of squares.")
        .add("beta", &LrnParams::beta, "Exponent.")
        .add("knorm", &LrnParams::knorm, "Constant beside the sum.")
        .required("nsize", &LrnParams::nsize, "Channels of a window: the own one in the middle.",
                  at_least(1));
  }
};

constexpr int64_t kLrnTile = 256;
constexpr int64_t kLrnGrain = 8192;

// scale = knorm + alpha / nsize * (sum of squares of the window).
template <class C>
void lrn_scale(const LrnParams& p, const C* x, C* scale, int64_t channels, int64_t width) {
  const int64_t half = p.nsize / 2;
  const C weight = static_cast<C>(p.alpha) / static_cast<C>(p.nsize);
  for (int64_t c = 0; c < channels; ++c) {
    C* s = scale + c * width;
    std::fill(s, s + width, C(0));
    for (int64_t k = std::max<int64_t>(0, c - half); k <= std::min(channels - 1, c + half); ++k) {
      const C* of = x + k * width;
      for (int64_t i = 0; i < width; ++i) s[i] += of[i] * of[i];
    }
    for (int64_t i = 0; i < width; ++i) s[i] = static_cast<C>(p.knorm) + weight * s[i];
  }
}

// power = scale^-3/4, the usual exponent, without logarithms.
template <class C>
MIXGRAD_INLINE void lrn_usual_power(const C* scale, C* power, int64_t n) {
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) {
    const C root = std::sqrt(scale[i]);
    power[i] = C(1) / (root * std::sqrt(root));
  }
}
template <class C>
MIXGRAD_TARGET_BASELINE_VECTORS void lrn_power_baseline(const C* scale, C* power, int64_t n) {
  lrn_usual_power(scale, power, n);
}
#if MIXGRAD_X86
template <class C>
MIXGRAD_TARGET_AVX2 void lrn_power_avx2(const C* scale, C* power, int64_t n) {
  lrn_usual_power(scale, power, n);
}
template <class C>
MIXGRAD_TARGET_AVX512 void lrn_power_avx512(const C* scale, C* power, int64_t n) {
  lrn_usual_power(scale, power, n);
}
#endif

// power = scale^-beta.
template <class C>
void lrn_power(const LrnParams& p, const C* scale, C* power, int64_t n) {
  if (p.beta != 0.75) {
    for (int64_t i = 0; i < n; ++i) power[i] = std::pow(scale[i], static_cast<C>(-p.beta));
    return;
  }
#if MIXGRAD_X86
  if (best_isa() == Isa::avx512) return lrn_power_avx512(scale, power, n);
  if (best_isa() == Isa::avx2) return lrn_power_avx2(scale, power, n);
#endif
  lrn_power_baseline(scale, power, n);
}

// Calls tile(in, second, out, width, scratch) for pieces of all channels at `width` neighbouring positions.
template <class C, class F>
void each_tile(const View& x, const View* g, const View& y, F tile) {
  const int64_t channels = x.shape()[1], inner = x.shape().size(2, x.shape().ndim());
  const int64_t width = std::min(kLrnTile, inner), tiles = (inner + width - 1) / width;
  parallel_for(
      x.shape()[0] * tiles, loop_grain(kLrnGrain, {channels, width}), [&](int64_t begin, int64_t end) {
        const int64_t most = channels * width;
        const Scratch scratch = Scratch::of<C>(most * 5);
        C *in = scratch.as<C>(), *grad = in + most, *out = grad + most, *scale = out + most,
          *rest = scale + most;
        for (int64_t t = begin; t < end; ++t) {
          const int64_t first = t % tiles * width, n = std::min(width, inner - first);
          const auto place = [&](const View& v, int64_t c) {
            return v.as<char>() +
                   static_cast<size_t>((t / tiles * channels + c) * inner + first) * size_of(v.dtype);
          };
          for (int64_t c = 0; c < channels; ++c) {
            convert(place(x, c), x.dtype, in + c * n, dtype_of<C>(), n);
            if (g) convert(place(*g, c), g->dtype, grad + c * n, dtype_of<C>(), n);
          }
          tile(in, grad, out, scale, rest, channels, n);
          for (int64_t c = 0; c < channels; ++c) convert(out + c * n, dtype_of<C>(), place(y, c), y.dtype, n);
        }
      });
}

template <class C>
void lrn_forward(const LrnParams& p, const View& x, const View& y) {
  each_tile<C>(x, nullptr, y, [&](const C* in, const C*, C* out, C* scale, C*, int64_t channels, int64_t n) {
    lrn_scale(p, in, scale, channels, n);
    lrn_power(p, scale, out, channels * n);
    for (int64_t i = 0; i < channels * n; ++i) out[i] *= in[i];
  });
}

// dx = g s^-beta - 2 alpha beta / nsize * x * (sum over the window of g x s^(-beta - 1)).
template <class C>
void lrn_backward(const LrnParams& p, const View& g, const View& x, const View& dx) {
  const C weight = C(2) * static_cast<C>(p.alpha) * static_cast<C>(p.beta) / static_cast<C>(p.nsize);
  const int64_t half = p.nsize / 2;
  each_tile<C>(
      x, &g, dx, [&](const C* in, const C* grad, C* out, C* scale, C* rest, int64_t channels, int64_t n) {
        lrn_scale(p, in, scale, channels, n);
        lrn_power(p, scale, out, channels * n);
        for (int64_t i = 0; i < channels * n; ++i) {
          out[i] *= grad[i];
          rest[i] = out[i] * in[i] / scale[i];
        }
        for (int64_t c = 0; c < channels; ++c) {
          for (int64_t k = std::max<int64_t>(0, c - half); k <= std::min(channels - 1, c + half); ++k) {
            for (int64_t i = 0; i < n; ++i) out[c * n + i] -= weight * in[c * n + i] * rest[k * n + i];
          }
        }
      });
}

// Sums over the windows of channels.
Tensor window_sums(const LrnParams& p, const Tensor& x) {
  // Shifted copies are added up: differences of running sums would lose digits.
  const Shape& shape = x->shape();
  const int64_t half = p.nsize / 2, channels = shape[1];
  Tensor sum = x;
  for (int64_t by = 1; by <= std::min(half, channels - 1); ++by) {
    const Tensor none = zeros_like(apply("slice_axis", {x}, {{"axis", 1}, {"begin", 0}, {"end", by}}));
    const Tensor up = apply("slice_axis", {x}, {{"axis", 1}, {"begin", by}, {"end", channels}});
    const Tensor down = apply("slice_axis", {x}, {{"axis", 1}, {"begin", 0}, {"end", channels - by}});
    sum = sum + apply("Concat", {up, none}, {{"dim", 1}}) + apply("Concat", {none, down}, {{"dim", 1}});
  }
  return sum;
}

// As lrn_backward.
void lrn_grad(const LrnParams& p, Grad& g) {
  const Tensor x = g.in(0);
  if (g.in_shape(0).size() == 0) return g.set(0, zeros_like(x));
  const Tensor scale = window_sums(p, x * x) * (p.alpha / p.nsize) + p.knorm;
  const Tensor power = apply("_power_scalar", {scale}, {{"scalar", -p.beta}});
  const Tensor straight = g.out_grad() * power;
  const Tensor around = window_sums(p, straight * x / scale);
  g.set(0, straight - x * around * (2 * p.alpha * p.beta / p.nsize));
}

const Op& lrn =
    Define<LrnParams>("LRN")
        .doc(
            "x / (knorm + alpha / nsize * s)^beta, where s is the sum of squares over the nsize channels "
            "around x's.")
        .origin("MXNet LRN; ImageNet classification with deep convolutional neural networks (2012)")
        .input("data", "(N, C, ...), floats.")
        .shape([](const LrnParams& p, ShapeInfer& s) {
          infer_like(s, 0);
          if (s.in(0).known_rank() && s.in(0).ndim() < 2) s.reject("data needs at least two axes");
          if (p.nsize % 2 == 0) s.reject("nsize is ", p.nsize, ", expected an odd number");
        })
        .kernel([](const LrnParams& p, KernelArgs& args) {
          if (args.in[0].size() == 0) return;
          if (is_wide(args.in[0].dtype))
            lrn_forward<double>(p, args.in[0], args.out[0]);
          else
            lrn_forward<float>(p, args.in[0], args.out[0]);
        })
        .element_cost(15)
        .grad_needs({0}, {})
        .backward([](const LrnParams& p, BackwardArgs& args) {
          const View& x = args.in[0];
          if (!args.wants(0) || x.size() == 0) return;
          if (is_wide(x.dtype))
            lrn_backward<double>(p, args.out_grad[0], x, args.in_grad[0]);
          else
            lrn_backward<float>(p, args.out_grad[0], x, args.in_grad[0]);
        })
        .grad(lrn_grad);

}  // namespace
}  // namespace mixgrad::ops::lrn
