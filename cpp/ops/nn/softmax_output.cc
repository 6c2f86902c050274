// Softmax whose gradient is that of the cross entropy with a label.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "base/warning.h"
#include "kernels/loops/convert.h"
#include "kernels/scratch.h"
#include "kernels/softmax/softmax_loop.h"
#include "op/define.h"

namespace mixgrad::ops::softmax_output {
namespace {

enum OutputNormalization : int32_t { kOutputBatch, kOutputNull, kOutputValid };

struct SoftmaxOutputParams {
  float grad_scale = 1;
  float ignore_label = -1;
  bool multi_output = false;
  bool use_ignore = false;
  bool preserve_shape = false;
  int32_t normalization = kOutputNull;
  bool out_grad = false;
  float smooth_alpha = 0;
  static void fields(Fields<SoftmaxOutputParams>& f) {
    f.add("grad_scale", &SoftmaxOutputParams::grad_scale, "Factor of the gradient.")
        .add("ignore_label", &SoftmaxOutputParams::ignore_label,
             "Label that stands for no class; without gradient when use_ignore is set.")
        .add("multi_output", &SoftmaxOutputParams::multi_output,
             "Softmax over axis 1, with a label per position.")
        .add("use_ignore", &SoftmaxOutputParams::use_ignore, "Whether ignore_label counts.")
        .add("preserve_shape", &SoftmaxOutputParams::preserve_shape, "Softmax over the last axis.")
        .choice(
            "normalization", &SoftmaxOutputParams::normalization, {"batch", "null", "valid"},
            "The gradient is divided by the batch size, by nothing, or by the number of labels that count.")
        .add("out_grad", &SoftmaxOutputParams::out_grad, "Multiplies the gradient by that of the output.")
        .add("smooth_alpha", &SoftmaxOutputParams::smooth_alpha,
             "Share of the target spread evenly over the other classes; not with multi_output.",
             between(0, 1));
  }
};

// Data as [outer, classes, inner]: the softmax runs along the middle.
softmax_loop::Layout output_layout(const SoftmaxOutputParams& p, const Shape& s) {
  const int ndim = s.ndim();
  if (p.multi_output) return {s[0], s[1], s.size(2, ndim)};
  if (p.preserve_shape) return {s.size(0, ndim - 1), s[ndim - 1], 1};
  return {s[0], s.size(1, ndim), 1};
}

void output_shape(const SoftmaxOutputParams& p, ShapeInfer& s) {
  s.set_in(0, s.out(0));
  s.set_out(0, s.in(0));
  if (!s.known(0)) return;
  const Shape& data = s.in(0);
  const int ndim = data.ndim();
  if (ndim < 2) s.reject("data needs at least two axes");
  Shape flat, full;  // labels with and without the positions merged
  if (p.multi_output) {
    flat = {data[0], data.size(2, ndim)};
    full = data;
    full.erase(1);
  } else {
    full = data;
    if (p.preserve_shape || ndim == 2)
      full.erase(ndim - 1);
    else
      full = Shape{data[0]};
    flat = full;
  }
  const Shape& label = s.in(1);
  if (!label.known()) {
    if (label.known_rank()) return;  // which of the forms it has is open
    s.set_in(1, p.multi_output && ndim == 2 ? full : flat);
    return;
  }
  Shape kept = data;
  kept[1] = 1;
  if (label == data || label == flat || label == full || (p.multi_output && label == kept)) return;
  s.reject("label has shape ", label, "; expected ", full, " (class numbers) or ", data, " (probabilities)",
           ndim > 2 && !p.multi_output && !p.preserve_shape
               ? "; set multi_output or preserve_shape for a label per position"
               : "");
}

void output_dtype(const SoftmaxOutputParams&, DTypeInfer& d) {
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("data must be of a float dtype");
  if (d.in(1) == DType::unknown) d.set_in(1, d.in(0));
  d.set_out(0, d.in(0));
}

// Everything the gradient needs, in float64 where the data is float64, else in float.
template <class C>
struct OutputGradient {
  const SoftmaxOutputParams& p;
  softmax_loop::Layout layout;
  const C* label;
  C scale;
  C target, other;  // what the target distribution holds at the label and elsewhere
  bool no_class(C l) const { return std::trunc(static_cast<float>(l)) == std::trunc(p.ignore_label); }
  bool is_class(C l) const { return l > C(-1) && l < static_cast<C>(layout.n); }
  bool ignored(C l) const { return p.use_ignore && no_class(l); }

  // dx = (y - target distribution) * scale for row r of [outer * classes] rows of `inner` values.
  void row(const C* y, C* dx, int64_t r) const {
    const C k = static_cast<C>(r % layout.n);
    const C* of = label + r / layout.n * layout.inner;
    for (int64_t i = 0; i < layout.inner; ++i) {
      const C wanted = std::trunc(of[i]) == k ? target : other;
      dx[i] = ignored(of[i]) ? C(0) : (y[i] - wanted) * scale;
    }
  }
  // The same for a whole vector of classes.
  void vector(const C* y, C* dx, int64_t r) const {
    const C of = label[r];
    if (ignored(of)) {
      std::fill(dx, dx + layout.n, C(0));
      return;
    }
    for (int64_t k = 0; k < layout.n; ++k) dx[k] = (y[k] - other) * scale;
    if (is_class(of)) {
      const int64_t k = static_cast<int64_t>(of);
      dx[k] = (y[k] - target) * scale;
    }
  }
};

// A label that is neither a class nor ignore_label has a target that is no class at all: every class counts as wrong.
template <class C>
void tell_of_labels(const OutputGradient<C>& g, int64_t labels) {
  static FirstTime first;
  for (int64_t i = 0; i < labels; ++i) {
    const C label = g.label[i];
    if (g.is_class(label) || g.no_class(label)) continue;
    if (!first.now()) return;
    return warn(text("[SoftmaxOutput] label ", label, " at position ", i, "; expected a class from 0 to ",
                     g.layout.n - 1, " or ignore_label ", g.p.ignore_label,
                     ". Every class counts as wrong there; this is said once"));
  }
}

template <class C>
void output_gradient(const SoftmaxOutputParams& p, BackwardArgs& args) {
  const View &y = args.out[0], &label = args.in[1], &dx = args.in_grad[0];
  const softmax_loop::Layout layout = output_layout(p, y.shape());
  const bool probabilities = label.shape() == y.shape();
  const DType compute = dtype_of<C>();
  const int64_t labels = label.size();
  ScratchArray<C> label_values(static_cast<size_t>(labels));
  convert(label.data, label.dtype, label_values.data(), compute, labels);
  OutputGradient<C> g{p, layout, label_values.data(), 0, 1, 0};
  if (!probabilities) tell_of_labels(g, labels);
  if (p.smooth_alpha > 0 && !p.multi_output && layout.n > 1) {
    g.target = static_cast<C>(1 - p.smooth_alpha);
    g.other = static_cast<C>(p.smooth_alpha) / static_cast<C>(layout.n - 1);
  }
  double share = 1;
  if (!probabilities) {
    if (p.normalization == kOutputBatch)
      share = static_cast<double>(p.multi_output ? y.shape()[0] : layout.outer);
    if (p.normalization == kOutputValid) {
      share = static_cast<double>(std::count_if(label_values.data(), label_values.data() + labels,
                                                [&](C l) { return !g.ignored(l); }));
    } else if (p.multi_output) {
      share *= static_cast<double>(layout.inner);
    }
  }
  g.scale = static_cast<C>(static_cast<double>(p.grad_scale) / std::max(1.0, share));

  const bool by_row = layout.inner > 1;
  const int64_t rows = by_row ? layout.outer * layout.n : layout.outer,
                width = by_row ? layout.inner : layout.n;
  constexpr int64_t kGrain = 16384;
  parallel_for(rows, loop_grain(kGrain, {width}), [&](int64_t begin, int64_t end) {
    ScratchArray<C> tile(static_cast<size_t>(3 * width));
    C *in = tile.data(), *out = in + width, *head = out + width;
    for (int64_t r = begin; r < end; ++r) {
      const size_t at = static_cast<size_t>(r * width);
      convert(y.as<char>() + at * size_of(y.dtype), y.dtype, in, compute, width);
      if (probabilities) {
        for (int64_t i = 0; i < width; ++i) out[i] = (in[i] - g.label[r * width + i]) * g.scale;
      } else if (by_row) {
        g.row(in, out, r);
      } else {
        g.vector(in, out, r);
      }
      if (p.out_grad) {
        convert(args.out_grad[0].as<char>() + at * size_of(y.dtype), y.dtype, head, compute, width);
        for (int64_t i = 0; i < width; ++i) out[i] *= head[i];
      }
      convert(out, compute, dx.as<char>() + at * size_of(dx.dtype), dx.dtype, width);
    }
  });
}

const Op& softmax_output =
    Define<SoftmaxOutputParams>("SoftmaxOutput")
        .alias("Softmax")
        .doc(
            "Softmax whose gradient is softmax minus target: that of the cross entropy with the label. It "
            "ignores "
            "the gradient of its output unless out_grad is set, and has no second derivative.")
        .origin("MXNet SoftmaxOutput")
        .input("data",
               "(N, C) or (N, C, ...): scores of C classes. Without multi_output and preserve_shape the axes "
               "after the first form one vector.")
        .input(
            "label",
            "Class numbers, one per vector; or probabilities, of data's shape. Every class counts as wrong "
            "where the number is none of them. Receives no gradient.")
        .shape(output_shape)
        .dtype(output_dtype)
        .kernel([](const SoftmaxOutputParams& p, KernelArgs& args) {
          const View& x = args.in[0];
          softmax_loop::forward(x, args.out[0], output_layout(p, x.shape()), false, 1, nullptr);
        })
        .inplace()
        .cost([](const SoftmaxOutputParams&, Span<const Shape> in) {
          return 150 + 0.8 * static_cast<double>(in[0].size());
        })
        .grad_needs({1}, {0})
        .loss([](const SoftmaxOutputParams& p) { return !p.out_grad; })
        .backward([](const SoftmaxOutputParams& p, BackwardArgs& args) {
          if (args.wants(1)) std::memset(args.in_grad[1].data, 0, args.in_grad[1].bytes());
          if (!args.wants(0) || args.in_grad[0].size() == 0) return;
          if (is_wide(args.out[0].dtype))
            output_gradient<double>(p, args);
          else
            output_gradient<float>(p, args);
        })
        .backward_inplace();

}  // namespace
}  // namespace mixgrad::ops::softmax_output
