// Adam whose weight decay stands beside the step (AdamW), for one weight or several.
#include <cmath>

#include "kernels/loops/convert.h"
#include "ops/optimizer/optimizer_adam.h"

namespace mixgrad::ops::optimizer_adamw {
namespace {

using optimizer::AdamW;
using optimizer::apply_update;
using optimizer::Update;

constexpr const char* kEtaDoc = "Factor of the whole step, from a schedule.";
constexpr const char* kScaleDoc =
    "One number, in float32: factor of the gradient, applied first. NaN, infinity or 0 skips the update.";
constexpr const char* kDecayDoc = "Weight decay: its multiple of the weight is added to the step.";

struct AdamWParams : optimizer::CommonParams {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, eta = 0;
  static void fields(Fields<AdamWParams>& f) {
    f.required("lr", &AdamWParams::lr, optimizer::kLrDoc)
        .add("beta1", &AdamWParams::beta1, optimizer::kBeta1Doc)
        .add("beta2", &AdamWParams::beta2, optimizer::kBeta2Doc)
        .add("epsilon", &AdamWParams::epsilon, optimizer::kEpsilonDoc)
        .add("wd", &AdamWParams::wd, kDecayDoc)
        .required("eta", &AdamWParams::eta, kEtaDoc)
        .add("clip_gradient", &AdamWParams::clip_gradient, optimizer::kClipDoc);
  }
};

struct ManyAdamWParams {
  Reals lrs, wds, etas;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, clip_gradient = -1;
  int32_t num_weights = 1;
  static void fields(Fields<ManyAdamWParams>& f) {
    f.required("lrs", &ManyAdamWParams::lrs, "Learning rate of each weight.")
        .add("beta1", &ManyAdamWParams::beta1, optimizer::kBeta1Doc)
        .add("beta2", &ManyAdamWParams::beta2, optimizer::kBeta2Doc)
        .add("epsilon", &ManyAdamWParams::epsilon, optimizer::kEpsilonDoc)
        .required("wds", &ManyAdamWParams::wds, "Weight decay of each weight.")
        .required("etas", &ManyAdamWParams::etas, "Factor of the whole step of each weight.")
        .add("clip_gradient", &ManyAdamWParams::clip_gradient, optimizer::kClipDoc)
        .add("num_weights", &ManyAdamWParams::num_weights, "Number of weights.", optimizer::kWeightCount);
  }
  // Those of weight w.
  AdamWParams one(size_t w) const {
    AdamWParams p;
    p.lr = lrs[w], p.wd = wds[w], p.eta = etas[w];
    p.beta1 = beta1, p.beta2 = beta2, p.epsilon = epsilon, p.clip_gradient = clip_gradient;
    return p;
  }
};

double adamw_number(const View& view) {
  double value = 0;
  convert(view.data, view.dtype, &value, DType::float64, 1);
  return value;
}

// in: weight, grad, mean, var and, where mixed, weight32.
void update_weight(AdamWParams p, double rescale, Span<const View> in, const View& out, bool mixed) {
  if (rescale == 0 || !std::isfinite(rescale)) {
    if (out.data != in[0].data) convert(in[0].data, in[0].dtype, out.data, out.dtype, out.size());
    return;
  }
  p.rescale_grad = rescale;
  Update update;
  update.weight = mixed ? in[4] : in[0];
  update.grad = in[1];
  update.out = mixed ? in[4] : out;
  if (mixed) update.copy = out;
  update.num_states = 2;
  update.states[0] = in[2];
  update.states[1] = in[3];
  apply_update<AdamW>(p, update);
}

// `group` inputs per weight, then the factor of the gradients.
void weights_shape(int count, int group, ShapeInfer& s) {
  for (int w = 0; w < count; ++w) {
    const int first = w * group;
    for (int m = 1; m < group; ++m) s.set_in(first, s.in(first + m));
    s.set_in(first, s.out(w));
    for (int m = 1; m < group; ++m) s.set_in(first + m, s.in(first));
    s.set_out(w, s.in(first));
  }
  const int last = count * group;
  if (!s.known(last)) return s.set_in(last, Shape{1});
  if (s.in(last).size() != 1) s.reject("rescale_grad must have one element");
}

void weights_dtype(int count, int group, DTypeInfer& d) {
  for (int w = 0; w < count; ++w) {
    const int first = w * group;
    d.set_in(first, d.in(first + 1));
    d.set_in(first, d.out(w));
    d.set_in(first + 1, d.in(first));
    d.set_out(w, d.in(first));
    for (int m = 2; m < group; ++m) d.set_in(first + m, group > 4 ? DType::float32 : d.in(first));
    if (d.in(first) != DType::unknown && !is_float(d.in(first)))
      d.reject("expected weights of a float dtype");
  }
  const DType scale = d.in(count * group);
  if (scale == DType::unknown) return d.set_in(count * group, DType::float32);
  if (!is_float(scale)) d.reject("expected rescale_grad of a float dtype");
}

template <bool kMixed>
Define<AdamWParams> define_adamw(const char* name, const char* doc) {
  constexpr int kGroup = kMixed ? 5 : 4;
  Define<AdamWParams> define(name);
  define.overwrites_any()
      .doc(doc)
      .input("weight", optimizer::kWeightDoc)
      .input("grad", optimizer::kGradDoc)
      .state("mean", optimizer::kMeanDoc)
      .state("var", optimizer::kVarDoc);
  if (kMixed) define.state("weight32", optimizer::kWeight32Doc);
  define.input("rescale_grad", kScaleDoc)
      .shape([](const AdamWParams&, ShapeInfer& s) { weights_shape(1, kGroup, s); })
      .dtype([](const AdamWParams&, DTypeInfer& d) { weights_dtype(1, kGroup, d); })
      .kernel([](const AdamWParams& p, KernelArgs& args) {
        update_weight(p, adamw_number(args.in[kGroup]), args.in, args.out[0], kMixed);
      });
  return define;
}

template <bool kMixed>
Define<ManyAdamWParams> define_many_adamw(const char* name, const char* doc) {
  constexpr int kGroup = kMixed ? 5 : 4;
  Define<ManyAdamWParams> define(name);
  define.overwrites_any()
      .doc(doc)
      .variadic(
          "data",
          "For each weight in turn its weight, gradient, mean, var and, where the operator has it, weight32, "
          "the "
          "last of which are changed in place; after all of them one number, the factor of the gradients.",
          nullptr)
      .group_states(kGroup, kMixed ? 0x1c : 0xc)
      .num_inputs([](const ManyAdamWParams& p) { return p.num_weights * kGroup + 1; })
      .num_outputs([](const ManyAdamWParams& p) { return static_cast<int>(p.num_weights); })
      .shape([](const ManyAdamWParams& p, ShapeInfer& s) {
        const auto wanted = static_cast<size_t>(p.num_weights);
        if (p.lrs.size() != wanted || p.wds.size() != wanted || p.etas.size() != wanted) {
          s.reject("got ", p.lrs.size(), " lrs, ", p.wds.size(), " wds and ", p.etas.size(),
                   " etas; expected num_weights = ", wanted, " of each");
        }
        weights_shape(p.num_weights, kGroup, s);
      })
      .dtype([](const ManyAdamWParams& p, DTypeInfer& d) { weights_dtype(p.num_weights, kGroup, d); })
      .kernel([](const ManyAdamWParams& p, KernelArgs& args) {
        const double rescale = adamw_number(args.in[args.in.size() - 1]);
        for (size_t w = 0; w < args.out.size(); ++w) {
          update_weight(p.one(w), rescale, args.in.subspan(w * kGroup, kGroup), args.out[w], kMixed);
        }
      });
  return define;
}

const bool kRegistered = [] {
  define_adamw<false>(
      "_adamw_update",
      "AdamW: g = clip(rescale_grad * grad), mean = beta1 * mean + (1 - beta1) * g, var = beta2 * var + "
      "(1 - beta2) * g^2; the new weight is weight - eta * (lr * mean / (sqrt(var) + epsilon) + wd * "
      "weight).")
      .origin("MXNet _adamw_update; Loshchilov and Hutter 2017")
      .done();
  define_adamw<true>("_mp_adamw_update",
                     "_adamw_update in float32 on weight32; the output is it in the dtype of weight.")
      .origin("MXNet _mp_adamw_update")
      .done();
  define_many_adamw<false>("_multi_adamw_update", "_adamw_update of several weights.")
      .origin("MXNet _multi_adamw_update")
      .done();
  define_many_adamw<true>("_multi_mp_adamw_update", "_mp_adamw_update of several weights.")
      .origin("MXNet _multi_mp_adamw_update")
      .done();
  return true;
}();

}  // namespace
}  // namespace mixgrad::ops::optimizer_adamw
