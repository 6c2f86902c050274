// softmax, softmin, log_softmax and SoftmaxActivation.
#include "kernels/softmax/softmax_loop.h"
#include "op/define.h"

namespace mixgrad::ops::softmax {
namespace {

using softmax_loop::Layout;

struct SoftmaxParams {
  int32_t axis = -1;
  std::optional<double> temperature;
  std::optional<DType> dtype;
  std::optional<bool> use_length = false;
  static void fields(Fields<SoftmaxParams>& f) {
    f.add("axis", &SoftmaxParams::axis, "Axis along which the outputs sum to 1.")
        .add("temperature", &SoftmaxParams::temperature, "The input is divided by it; None is 1.")
        .add("dtype", &SoftmaxParams::dtype,
             "Element type of the output, a float; None is that of the input.")
        .add("use_length", &SoftmaxParams::use_length,
             "Takes `length`, the number of elements of each vector that count.");
  }
};

bool has_length(const SoftmaxParams& p) { return p.use_length && *p.use_length; }

void softmax_shape(const SoftmaxParams& p, ShapeInfer& s) {
  s.set_in(0, s.out(0));
  s.set_out(0, s.in(0));
  if (!s.known(0)) return;
  const Shape& in = s.in(0);
  const int axis = in.ndim() == 0 ? 0 : normalize_axis(p.axis, in.ndim(), s.name());
  if (s.num_inputs() < 2) return;
  Shape vectors = in;
  if (in.ndim() > 0) vectors.erase(axis);
  s.set_in(1, vectors);
}

void softmax_dtype(const SoftmaxParams& p, DTypeInfer& d) {
  if (d.in(0) == DType::unknown) return;
  if (!is_float(d.in(0))) d.reject("data must be of a float dtype");
  if (p.dtype && !is_float(*p.dtype)) d.reject("dtype is ", name_of(*p.dtype), ", expected a float dtype");
  if (d.num_inputs() > 1) {
    if (d.in(1) == DType::unknown) d.set_in(1, DType::int32);  // else a graph would make it float32
    if (is_float(d.in(1))) d.reject("length must be of an integer dtype");
  }
  d.set_out(0, p.dtype ? *p.dtype : d.in(0));
}

double softmax_scale(const SoftmaxParams& p, double sign) { return sign / p.temperature.value_or(1.0); }

template <int kSign, bool kLog>
void softmax_kernel(const SoftmaxParams& p, KernelArgs& args) {
  const View& x = args.in[0];
  softmax_loop::forward(x, args.out[0], softmax_loop::along_axis(x.shape(), p.axis, args.name()), kLog,
                        softmax_scale(p, kSign), has_length(p) && args.in.size() > 1 ? &args.in[1] : nullptr);
}

template <int kSign, bool kLog>
void softmax_backward(const SoftmaxParams& p, BackwardArgs& args) {
  if (!args.wants(0)) return;
  const View& y = args.out[0];
  softmax_loop::backward(args.out_grad[0], y, args.in_grad[0],
                         softmax_loop::along_axis(y.shape(), p.axis, args.name()), kLog,
                         softmax_scale(p, kSign));
}

// From the output y: scale y (g - sum(g y)), or scale (g - exp(y) sum(g)) of the logarithm.
Tensor softmax_gradient(const Tensor& g, const Tensor& y, const Shape& axes, bool log, double scale) {
  const auto sum = [&](const Tensor& t) { return axes.ndim() > 0 ? sum_axes(t, axes, true) : t; };
  const Tensor dx = log ? g - apply("exp", {y}) * sum(g) : y * (g - sum(g * y));
  return scale == 1 ? dx : dx * scale;
}

template <int kSign, bool kLog>
void softmax_grad(const SoftmaxParams& p, Grad& g) {
  Shape axes;
  const int ndim = g.out_shape().ndim();
  if (ndim > 0) axes.push_back(normalize_axis(p.axis, ndim, "softmax"));
  g.set(0, cast_to(softmax_gradient(g.out_grad(), g.out(0), axes, kLog, softmax_scale(p, kSign)),
                   g.in_dtype(0)));
}

template <int kSign, bool kLog>
Define<SoftmaxParams> softmax_operator(const char* name, const char* doc) {
  Define<SoftmaxParams> define(name);
  define.doc(doc)
      .origin("MXNet softmax")
      .input("data", "Floats. A vector of nothing but -inf gives NaN.")
      .shape(softmax_shape)
      .dtype(softmax_dtype)
      .kernel(softmax_kernel<kSign, kLog>)
      .inplace()
      .cost([](const SoftmaxParams&, Span<const Shape> in) {
        return 150 + 0.8 * static_cast<double>(in[0].size());
      })
      .grad_needs({}, {0})
      .grad(softmax_grad<kSign, kLog>)
      .backward(softmax_backward<kSign, kLog>)
      .backward_inplace();
  return define;
}

struct ActivationParams {
  int32_t mode = 1;
  static void fields(Fields<ActivationParams>& f) {
    f.choice("mode", &ActivationParams::mode, {"channel", "instance"},
             "instance: over the last axis; channel: over axis 1.");
  }
};

Layout activation_layout(const ActivationParams& p, const Shape& s) {
  return softmax_loop::along_axis(s, p.mode == 0 ? 1 : s.ndim() - 1, "SoftmaxActivation");
}

void activation_grad(const ActivationParams& p, Grad& g) {
  const int axis = p.mode == 0 ? 1 : g.out_shape().ndim() - 1;
  g.set(0, softmax_gradient(g.out_grad(), g.out(0), {axis}, false, 1));
}

const bool kRegistered = [] {
  softmax_operator<1, false>(
      "softmax", "exp(x / temperature) along an axis, divided by its sum. Elements from `length` on are 0.")
      .alias("_npx_softmax")
      .input("length", "Integers, of data's shape without the axis; with use_length=True.")
      .num_inputs([](const SoftmaxParams& p) { return has_length(p) ? 2 : 1; })
      .done();
  softmax_operator<-1, false>("softmin", "The softmax of -x.").done();
  softmax_operator<1, true>("log_softmax",
                            "Logarithm of the softmax, exact also where the softmax is almost 0.")
      .alias("_npx_log_softmax")
      .done();
  Define<ActivationParams>("SoftmaxActivation")
      .doc("Softmax over the last axis, or over the channels of each position.")
      .origin("MXNet SoftmaxActivation")
      .input("data", "(N, C, ...), floats.")
      .shape([](const ActivationParams& p, ShapeInfer& s) {
        infer_like(s, 0);
        const int least = p.mode == 0 ? 2 : 1;
        if (s.in(0).known_rank() && s.in(0).ndim() < least) s.reject("data needs at least ", least, " axes");
      })
      .kernel([](const ActivationParams& p, KernelArgs& args) {
        softmax_loop::forward(args.in[0], args.out[0], activation_layout(p, args.in[0].shape()), false, 1,
                              nullptr);
      })
      .element_cost(0.8)
      .grad_needs({}, {0})
      .grad(activation_grad)
      .backward([](const ActivationParams& p, BackwardArgs& args) {
        if (!args.wants(0)) return;
        softmax_loop::backward(args.out_grad[0], args.out[0], args.in_grad[0],
                               activation_layout(p, args.out[0].shape()), false, 1);
      })
      .done();
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::softmax
