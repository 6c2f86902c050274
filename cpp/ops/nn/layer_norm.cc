// Normalisation of each vector along one axis.
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "kernels/loops/strided.h"
#include "kernels/normalization/norm_kernels.h"
#include "kernels/scratch.h"
#include "op/define.h"
#include "ops/nn/norm_grad.h"

namespace mixgrad::ops::layer_norm {
namespace {

using norm_kernels::NormKernels;
using norm_kernels::norms;
using norm_kernels::Pair;
using norm_kernels::Spread;

struct LayerNormParams {
  int32_t axis = -1;
  double eps = 1e-5;
  bool output_mean_var = false;
  static void fields(Fields<LayerNormParams>& f) {
    f.add("axis", &LayerNormParams::axis, "Axis of the vectors.")
        .add("eps", &LayerNormParams::eps, "Added to the variance.", at_least(0))
        .add("output_mean_var", &LayerNormParams::output_mean_var,
             "Also gives mean and standard deviation, sqrt(variance + eps); they pass no gradient on.");
  }
};

constexpr int64_t kLayerGrain = 8192;  // elements worth a thread
constexpr int64_t kLayerPiece = 8192;  // elements that stay in the cache between two passes
constexpr int64_t kLayerColumns = 16;  // vectors gathered together when they lie across
constexpr int64_t kLayerBlocks = 32;   // parts in which gradients of gamma and beta are summed
constexpr int64_t kLayerRun = 64;      // vectors summed in the compute type before widening

struct LayerLayout {
  int64_t outer, n, inner;
  int64_t vectors() const { return outer * inner; }
  // Vectors handled together: neighbours across, when they do not lie along memory.
  int64_t group() const { return inner == 1 ? 1 : std::min(kLayerColumns, inner); }
  int64_t groups() const { return outer * ((inner + group() - 1) / group()); }
};

LayerLayout layer_layout(const LayerNormParams& p, const Shape& s, const char* who) {
  const int axis = normalize_axis(p.axis, s.ndim(), who);
  return {s.size(0, axis), s[axis], s.size(axis + 1, s.ndim())};
}

// A group of vectors as contiguous rows of the compute type.
template <class C>
class LayerGroup {
 public:
  LayerGroup(const View& view, const LayerLayout& l)
      : view_(view), l_(l), per_(l.groups() / std::max<int64_t>(1, l.outer)), along_(view, l.n) {
    if (l.inner > 1) rows_ = ScratchArray<C>(static_cast<size_t>(l.n * l.group()));
  }
  int64_t first(int64_t g) const { return l_.inner == 1 ? g : g / per_ * l_.inner + g % per_ * l_.group(); }
  int64_t count(int64_t g) const {
    return l_.inner == 1 ? 1 : std::min(l_.group(), l_.inner - first(g) % l_.inner);
  }
  const C* read(int64_t g) {
    if (l_.inner == 1) return along_.read(g * l_.n, l_.n);
    C line[kLayerColumns];
    for (int64_t i = 0; i < l_.n; ++i) {
      convert(place(g, i), view_.dtype, line, dtype_of<C>(), count(g));
      for (int64_t c = 0; c < count(g); ++c) rows_[static_cast<size_t>(c * l_.n + i)] = line[c];
    }
    return rows_.data();
  }
  C* write(int64_t g) { return l_.inner == 1 ? along_.write(g * l_.n) : rows_.data(); }
  void store(int64_t g) {
    if (l_.inner == 1) return along_.store(g * l_.n, l_.n);
    C line[kLayerColumns];
    for (int64_t i = 0; i < l_.n; ++i) {
      for (int64_t c = 0; c < count(g); ++c) line[c] = rows_[static_cast<size_t>(c * l_.n + i)];
      convert(line, dtype_of<C>(), place(g, i), view_.dtype, count(g));
    }
  }

 private:
  char* place(int64_t g, int64_t i) const {
    const int64_t vector = first(g), at = (vector / l_.inner * l_.n + i) * l_.inner + vector % l_.inner;
    return view_.as<char>() + static_cast<size_t>(at) * size_of(view_.dtype);
  }
  const View& view_;
  const LayerLayout& l_;
  int64_t per_;  // groups of one outer position
  Elements<C> along_;
  ScratchArray<C> rows_;
};

template <class C>
ScratchArray<C> layer_values(const View& v) {
  ScratchArray<C> values(static_cast<size_t>(v.size()));
  convert(v.data, v.dtype, values.data(), dtype_of<C>(), v.size());
  return values;
}

template <class C>
Spread vector_spread(const C* x, int64_t n) {
  Spread all = norms<C>().spread(x, std::min(n, kLayerPiece));
  for (int64_t at = kLayerPiece; at < n; at += kLayerPiece) {
    all.add(norms<C>().spread(x + at, std::min(kLayerPiece, n - at)));
  }
  return all;
}

double layer_deviation(const LayerNormParams& p, const Spread& s) {
  return std::sqrt(std::max(0.0, s.m2) / s.n + p.eps);
}

template <class C>
void layer_forward(const LayerNormParams& p, KernelArgs& args) {
  const View &x = args.in[0], &y = args.out[0];
  const LayerLayout l = layer_layout(p, x.shape(), args.name());
  const auto gamma = layer_values<C>(args.in[1]), beta = layer_values<C>(args.in[2]);
  const NormKernels<C>& fn = norms<C>();
  parallel_for(l.groups(), loop_grain(kLayerGrain, {l.n, l.group()}), [&](int64_t begin, int64_t end) {
    LayerGroup<C> from(x, l), to(y, l);
    for (int64_t g = begin; g < end; ++g) {
      const C* in = from.read(g);
      C* out = to.write(g);
      for (int64_t v = 0; v < from.count(g); ++v) {
        const Spread s = vector_spread(in + v * l.n, l.n);
        const double deviation = layer_deviation(p, s);
        fn.affine_each(in + v * l.n, out + v * l.n, l.n, static_cast<C>(s.mean),
                       static_cast<C>(1 / deviation), gamma.data(), beta.data());
        for (size_t k = 1; k < args.out.size(); ++k) {
          const View& extra = args.out[k];
          const size_t at = static_cast<size_t>(from.first(g) + v);
          const double value = k == 1 ? s.mean : deviation;
          if (extra.dtype == dtype_of<C>()) {
            extra.as<C>()[at] = static_cast<C>(value);
          } else {
            convert(&value, DType::float64, extra.as<char>() + at * size_of(extra.dtype), extra.dtype, 1);
          }
        }
      }
      to.store(g);
    }
  });
}

// Mean and 1 / deviation of every vector: from the forward call, or anew where it kept them in a half type.
template <class C>
class LayerStatistics {
 public:
  LayerStatistics(const LayerNormParams& p, const View& mean, const View& deviation)
      : p_(p), saved_(!is_half(mean.dtype)), mean_(mean.as<C>()), deviation_(deviation.as<C>()) {}
  struct Of {
    C mean;
    double scale;
  };
  Of of(int64_t vector, const C* x, int64_t n) const {
    if (saved_) return {mean_[vector], 1 / static_cast<double>(deviation_[vector])};
    const Spread s = vector_spread(x, n);
    return {static_cast<C>(s.mean), 1 / layer_deviation(p_, s)};
  }

 private:
  const LayerNormParams& p_;
  bool saved_;
  const C *mean_, *deviation_;
};

template <class C>
void layer_backward(const LayerNormParams& p, BackwardArgs& args) {
  const View &dy = args.out_grad[0], &x = args.in[0];
  const LayerLayout l = layer_layout(p, x.shape(), args.name());
  const auto gamma = layer_values<C>(args.in[1]);
  const NormKernels<C>& fn = norms<C>();
  const LayerStatistics<C> statistics(p, args.out[1], args.out[2]);
  const double share = 1 / static_cast<double>(l.n);
  const bool wants_data = args.wants(0), wants_weights = args.wants(1) || args.wants(2);
  const int64_t groups = l.groups(), block = (groups + kLayerBlocks - 1) / kLayerBlocks;
  const int64_t blocks = (groups + block - 1) / block;
  // Of each block: gradients of gamma, then of beta.
  ScratchArray<double> parts(wants_weights ? static_cast<size_t>(blocks * 2 * l.n) : 0, 0.0);
  parallel_for(blocks, loop_grain(kLayerGrain, {block, l.n, l.group()}), [&](int64_t begin, int64_t end) {
    LayerGroup<C> grads(dy, l), from(x, l), to(wants_data ? args.in_grad[0] : x, l);
    ScratchArray<C> sums(static_cast<size_t>(2 * l.n), C(0));
    for (int64_t b = begin; b < end; ++b) {
      int64_t waiting = 0;
      const auto widen = [&] {
        double* part = parts.data() + b * 2 * l.n;
        for (size_t i = 0; i < sums.size(); ++i) part[i] += static_cast<double>(sums[i]);
        std::fill(sums.begin(), sums.end(), C(0));
        waiting = 0;
      };
      for (int64_t g = b * block; g < std::min(groups, (b + 1) * block); ++g) {
        const C *grad = grads.read(g), *in = from.read(g);
        C* out = wants_data ? to.write(g) : nullptr;
        for (int64_t v = 0; v < from.count(g); ++v, grad += l.n, in += l.n) {
          const auto of = statistics.of(from.first(g) + v, in, l.n);
          const double scale = of.scale;
          const C mean = of.mean;
          if (wants_weights) {
            fn.gather(grad, in, l.n, mean, static_cast<C>(scale), sums.data(), sums.data() + l.n);
            if (++waiting == kLayerRun) widen();
          }
          if (wants_data) {
            const Pair d = fn.dots_each(grad, in, gamma.data(), l.n, mean);
            fn.linear_each(grad, in, gamma.data(), out + v * l.n, l.n, mean, static_cast<C>(scale),
                           static_cast<C>(-d.second * scale * scale * scale * share),
                           static_cast<C>(-d.first * scale * share));
          }
        }
        if (wants_data) to.store(g);
      }
      if (wants_weights) widen();
    }
  });
  for (int64_t b = 1; b < blocks && wants_weights; ++b) {
    for (int64_t i = 0; i < 2 * l.n; ++i)
      parts[static_cast<size_t>(i)] += parts[static_cast<size_t>(b * 2 * l.n + i)];
  }
  for (int i : {1, 2}) {
    if (!args.wants(i)) continue;
    const View& to = args.in_grad[static_cast<size_t>(i)];
    convert(parts.data() + (i - 1) * l.n, DType::float64, to.data, to.dtype, l.n);
  }
}

void layer_grad(const LayerNormParams& p, Grad& g) {
  const Shape& shape = g.in_shape(0);
  const int axis = normalize_axis(p.axis, shape.ndim(), "LayerNorm");
  Shape across = Shape::filled(shape.ndim(), 1), others;
  across[axis] = shape[axis];
  const norm_grad::Whitened w = norm_grad::whiten(g.in(0), Shape{axis}, shape[axis], p.eps);
  const Tensor dy = g.out_grad();
  if (g.wants(0)) {
    g.set(0, norm_grad::whiten_gradient(w, dy * reshape_to(g.in(1), across), Shape{axis}, shape[axis]));
  }
  if (g.wants(1)) g.set(1, reshape_to(sum_to(dy * w.out, across), g.in_shape(1)));
  if (g.wants(2)) g.set(2, reshape_to(sum_to(dy, across), g.in_shape(2)));
}

void layer_shape(const LayerNormParams& p, ShapeInfer& s) {
  s.set_in(0, s.out(0));
  s.set_out(0, s.in(0));
  if (!s.in(0).known_rank()) return;
  const Shape& data = s.in(0);
  if (data.ndim() == 0) s.reject("data needs an axis");
  const int axis = normalize_axis(p.axis, data.ndim(), s.name());
  for (int i : {1, 2}) s.set_in(i, Shape{data[axis]});
  Shape kept = data;
  kept[axis] = 1;
  for (int i = 1; i < s.num_outputs(); ++i) s.set_out(i, kept);
}

// Statistics that only the gradient sees are not rounded to half types.
void layer_dtype(const LayerNormParams& p, DTypeInfer& d) {
  DType data = d.out(0);
  for (int i = 0; i < 3 && data == DType::unknown; ++i) data = d.in(i);
  if (data == DType::unknown) return;
  if (!is_float(data)) d.reject("data must be of a float dtype");
  for (int i = 0; i < 3; ++i) d.set_in(i, data);
  d.set_out(0, data);
  for (int i = 1; i < 3; ++i) d.set_out(i, is_half(data) && !p.output_mean_var ? DType::float32 : data);
}

const Op& layer_norm =
    Define<LayerNormParams>("LayerNorm")
        .alias("_npx_layer_norm")
        .doc(
            "Vectors along an axis, shifted and scaled to mean 0 and variance 1, then times gamma plus beta.")
        .origin("MXNet LayerNorm; https://arxiv.org/abs/1607.06450")
        .input("data", "Floats, at least one axis. Statistics are computed in float or double.")
        .input("gamma", "(extent of the axis,): scale.")
        .input("beta", "(extent of the axis,): shift.")
        .outputs({"out", "mean", "std"})
        .num_visible([](const LayerNormParams& p) { return p.output_mean_var ? 3 : 1; })
        .shape(layer_shape)
        .dtype(layer_dtype)
        .kernel([](const LayerNormParams& p, KernelArgs& args) {
          if (args.in[0].size() == 0) {  // of vectors without elements there is no mean
            for (size_t k = 1; k < args.out.size(); ++k)
              fill_view(args.out[k], std::numeric_limits<double>::quiet_NaN());
            return;
          }
          if (is_wide(args.in[0].dtype))
            layer_forward<double>(p, args);
          else
            layer_forward<float>(p, args);
        })
        .cost([](const LayerNormParams&, Span<const Shape> in) {
          return 200 + 0.4 * static_cast<double>(in[0].size());
        })
        .grad_needs({0, 1}, {1, 2})
        .grad(layer_grad)
        .backward([](const LayerNormParams& p, BackwardArgs& args) {
          if (args.in[0].size() == 0) {
            for (int i : {1, 2}) fill_view(args.in_grad[static_cast<size_t>(i)], 0);
            return;
          }
          if (is_wide(args.in[0].dtype))
            layer_backward<double>(p, args);
          else
            layer_backward<float>(p, args);
        });

}  // namespace
}  // namespace mixgrad::ops::layer_norm
