// Outputs whose gradient is that of a loss with a label: regression and support vectors.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "base/warning.h"
#include "kernels/loops/convert.h"
#include "op/define.h"

namespace mixgrad::ops::regression_output {
namespace {

struct RegressionParams {
  float grad_scale = 1;
  static void fields(Fields<RegressionParams>& f) {
    f.add("grad_scale", &RegressionParams::grad_scale, "Factor of the gradient.");
  }
};

struct SvmParams {
  float margin = 1;
  float regularization_coefficient = 1;
  bool use_linear = false;
  static void fields(Fields<SvmParams>& f) {
    f.add("margin", &SvmParams::margin, "Distance from the border below which a score costs.")
        .add("regularization_coefficient", &SvmParams::regularization_coefficient, "Factor of the gradient.")
        .add("use_linear", &SvmParams::use_linear, "Linear rather than squared hinge.");
  }
};

constexpr int64_t kOutputTile = 256;
constexpr int64_t kOutputGrain = 16384;

// dst[i] = f(a[i], b[i], i), in double, tile by tile.
template <class F>
void output_pairs(const View& a, const View* b, const View& dst, F f) {
  parallel_for(dst.size(), kOutputGrain, [&](int64_t begin, int64_t end) {
    double x[kOutputTile], y[kOutputTile] = {};
    for (int64_t at = begin; at < end; at += kOutputTile) {
      const int64_t n = std::min(kOutputTile, end - at);
      const size_t place = static_cast<size_t>(at);
      convert(a.as<char>() + place * size_of(a.dtype), a.dtype, x, DType::float64, n);
      if (b) convert(b->as<char>() + place * size_of(b->dtype), b->dtype, y, DType::float64, n);
      for (int64_t i = 0; i < n; ++i) x[i] = f(x[i], y[i], at + i);
      convert(x, DType::float64, dst.as<char>() + place * size_of(dst.dtype), dst.dtype, n);
    }
  });
}

void clear_label(BackwardArgs& args) {
  if (args.wants(1)) std::memset(args.in_grad[1].data, 0, args.in_grad[1].bytes());
}

void label_dtype(DTypeInfer& d) {
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("data must be of a float dtype");
  if (d.in(1) == DType::unknown) d.set_in(1, d.in(0));
  d.set_out(0, d.in(0));
}

void regression_shape(const RegressionParams&, ShapeInfer& s) {
  s.set_in(0, s.out(0));
  s.set_out(0, s.in(0));
  if (!s.known(0)) return;
  const Shape& data = s.in(0);
  if (!s.known(1)) {
    if (s.in(1).known_rank()) return;
    s.set_in(1, data.ndim() == 2 && data[1] == 1 ? Shape{data[0]} : data);
  } else if (s.in(1).size() != data.size() ||
             (data.ndim() > 0 && (s.in(1).ndim() == 0 || s.in(1)[0] != data[0]))) {
    s.reject("label must have as many rows and elements as data");
  }
}

// Gradient f(out, label) * grad_scale / outputs per row.
template <class F>
void regression_backward(const RegressionParams& p, BackwardArgs& args, F f) {
  clear_label(args);
  if (!args.wants(0) || args.in_grad[0].size() == 0) return;
  const Shape& label = args.in[1].shape();
  const double outputs = label.ndim() > 0 ? static_cast<double>(label.size(1, label.ndim())) : 1;
  const double scale = static_cast<double>(p.grad_scale) / outputs;
  output_pairs(args.out[0], &args.in[1], args.in_grad[0],
               [&](double out, double of, int64_t) { return f(out, of) * scale; });
}

void copy_scores(const View& x, const View& y) {
  if (x.size() > 0) std::memcpy(y.data, x.data, x.bytes());
}

Define<RegressionParams> regression(const char* name, const char* doc) {
  Define<RegressionParams> define(name);
  define.doc(doc)
      .origin("MXNet regression_output")
      .input("data", "(N, ...), floats.")
      .input("label", "As many values, (N, ...). Receives no gradient.")
      .shape(regression_shape)
      .dtype([](const RegressionParams&, DTypeInfer& d) { label_dtype(d); })
      .loss([](const RegressionParams&) { return true; })
      .grad_needs({1}, {0});
  return define;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// Where a label is none of the classes, all of them count as wrong.
void tell_of_labels(const std::vector<double>& labels, int64_t classes) {
  static FirstTime first;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] > -1 && labels[i] < static_cast<double>(classes)) continue;
    if (!first.now()) return;
    return warn(text("[SVMOutput] label ", labels[i], " at position ", i, "; expected a class from 0 to ",
                     classes - 1, ". Every class counts as wrong there; this is said once"));
  }
}

// Gradient of the hinge of every class's score against +1 for the label and -1 for the others.
void svm_backward(const SvmParams& p, BackwardArgs& args) {
  clear_label(args);
  if (!args.wants(0) || args.in_grad[0].size() == 0) return;
  const View &scores = args.out[0], &label = args.in[1];
  const int64_t classes = scores.size() / label.size();
  std::vector<double> of(static_cast<size_t>(label.size()));
  convert(label.data, label.dtype, of.data(), DType::float64, label.size());
  tell_of_labels(of, classes);
  const double margin = static_cast<double>(p.margin),
               factor = static_cast<double>(p.regularization_coefficient);
  output_pairs(scores, nullptr, args.in_grad[0], [&](double score, double, int64_t i) {
    const double wanted = of[static_cast<size_t>(i / classes)];
    const double sign = std::trunc(wanted) == static_cast<double>(i % classes) ? 1 : -1;
    const double missing = margin - sign * score;
    if (!(missing > 0)) return 0.0;
    return -sign * factor * (p.use_linear ? 1 : 2 * missing);
  });
}

const bool kRegistered = [] {
  regression("LinearRegressionOutput",
             "The input unchanged. Its gradient is (out - label) * grad_scale / outputs per row, whatever "
             "the gradient "
             "of the output: that of half the squared error.")
      .alias("_sparse_LinearRegressionOutput")
      .kernel([](const RegressionParams&, KernelArgs& args) { copy_scores(args.in[0], args.out[0]); })
      .backward([](const RegressionParams& p, BackwardArgs& args) {
        regression_backward(p, args, [](double out, double of) { return out - of; });
      })
      .done();
  regression(
      "MAERegressionOutput",
      "The input unchanged. Its gradient is sign(out - label) * grad_scale / outputs per row, whatever the "
      "gradient of the output: that of the absolute error.")
      .alias("_sparse_MAERegressionOutput")
      .kernel([](const RegressionParams&, KernelArgs& args) { copy_scores(args.in[0], args.out[0]); })
      .backward([](const RegressionParams& p, BackwardArgs& args) {
        regression_backward(p, args,
                            [](double out, double of) { return double(out > of) - double(out < of); });
      })
      .done();
  regression("LogisticRegressionOutput",
             "Sigmoid of the input. Its gradient is (out - label) * grad_scale / outputs per row, whatever "
             "the gradient "
             "of the output: that of the cross entropy.")
      .alias("_sparse_LogisticRegressionOutput")
      .element_cost(4)
      .kernel([](const RegressionParams&, KernelArgs& args) {
        output_pairs(args.in[0], nullptr, args.out[0], [](double x, double, int64_t) { return sigmoid(x); });
      })
      .backward([](const RegressionParams& p, BackwardArgs& args) {
        regression_backward(p, args, [](double out, double of) { return out - of; });
      })
      .done();
  Define<SvmParams>("SVMOutput")
      .doc(
          "The scores unchanged. Their gradient is that of the hinge loss of each class against the rest, "
          "whatever the "
          "gradient of the output.")
      .origin("MXNet SVMOutput; https://arxiv.org/abs/1306.0239")
      .input("data", "(N, C), scores of C classes.")
      .input("label", "(N,), class numbers. Receives no gradient.")
      .shape([](const SvmParams&, ShapeInfer& s) {
        s.set_in(0, s.out(0));
        s.set_out(0, s.in(0));
        if (!s.known(0)) return;
        Shape rows = s.in(0);
        if (rows.ndim() < 2) s.reject("data needs at least two axes");
        rows.erase(rows.ndim() - 1);
        s.set_in(1, rows);
      })
      .dtype([](const SvmParams&, DTypeInfer& d) { label_dtype(d); })
      .kernel([](const SvmParams&, KernelArgs& args) { copy_scores(args.in[0], args.out[0]); })
      .grad_needs({1}, {0})
      .loss([](const SvmParams&) { return true; })
      .backward(svm_backward)
      .done();
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::regression_output
