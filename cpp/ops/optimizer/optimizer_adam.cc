// Updates by moments of the gradient: Adam, FTML and LAMB.
#include <algorithm>

#include "kernels/loops/convert.h"
#include "ops/optimizer/optimizer_adam.h"

namespace mixgrad::ops::optimizer_adam {
namespace {

using optimizer::Adam;
using optimizer::AdamParams;
using optimizer::apply_update;
using optimizer::Ftml;
using optimizer::kBeta1Doc;
using optimizer::kBeta2Doc;
using optimizer::kClipDoc;
using optimizer::kEpsilonDoc;
using optimizer::kGradDoc;
using optimizer::kLazyDoc;
using optimizer::kLrDoc;
using optimizer::kMeanDoc;
using optimizer::kRescaleDoc;
using optimizer::kStepDoc;
using optimizer::kVarDoc;
using optimizer::kWdDoc;
using optimizer::kWeight32Doc;
using optimizer::kWeightDoc;
using optimizer::LambDirection;
using optimizer::LambParams;
using optimizer::LambStep;
using optimizer::LambStepParams;
using optimizer::plain_update;
using optimizer::Update;
using optimizer::update_dtype;

struct FtmlParams {
  double lr = 0, beta1 = 0.6, beta2 = 0.999, epsilon = 1e-8, wd = 0, rescale_grad = 1, clip_grad = -1;
  int32_t t = 1;
  static void fields(Fields<FtmlParams>& f) {
    f.required("lr", &FtmlParams::lr, kLrDoc)
        .add("beta1", &FtmlParams::beta1, kBeta1Doc, between(0, 1))
        .add("beta2", &FtmlParams::beta2, kBeta2Doc, between(0, 1))
        .add("epsilon", &FtmlParams::epsilon, kEpsilonDoc)
        .required("t", &FtmlParams::t, kStepDoc, at_least(1))
        .add("wd", &FtmlParams::wd, kWdDoc)
        .add("rescale_grad", &FtmlParams::rescale_grad, kRescaleDoc)
        .add("clip_grad", &FtmlParams::clip_grad, kClipDoc);
  }
};

double lamb_number(const View& view) {
  double value = 0;
  convert(view.data, view.dtype, &value, DType::float64, 1);
  return value;
}

// Scales the rate by the ratio of the norms in inputs 2 and 3.
LambStepParams lamb_layer_rate(const LambStepParams& p, const KernelArgs& args) {
  return optimizer::layer_rate(p, lamb_number(args.in[2]), lamb_number(args.in[3]));
}

void lamb_step_shape(const LambStepParams&, ShapeInfer& s) {
  const int last = s.num_inputs() - 1;
  for (int i : {1, last == 4 ? last : 1}) s.set_in(0, s.in(i));
  s.set_in(0, s.out(0));
  s.set_in(1, s.in(0));
  if (last == 4) s.set_in(4, s.in(0));
  s.set_out(0, s.in(0));
  for (int i : {2, 3}) {
    if (s.known(i) && s.in(i).size() != 1) s.reject("r1 and r2 must have one element");
    if (!s.known(i)) s.set_in(i, Shape{1});
  }
}

const Op& adam = Define<AdamParams>("adam_update")
                     .overwrites_any()
                     .alias("_sparse_adam_update")
                     .doc(
                         "Adam without bias correction (scale lr for that): g = clip(rescale_grad * grad + "
                         "wd * weight), mean = "
                         "beta1 * mean + (1 - beta1) * g, var = beta2 * var + (1 - beta2) * g^2; the new "
                         "weight is weight - lr * "
                         "mean / (sqrt(var) + epsilon).")
                     .origin("MXNet adam_update; Kingma and Ba 2014")
                     .input("weight", kWeightDoc)
                     .input("grad", kGradDoc)
                     .state("mean", kMeanDoc)
                     .state("var", kVarDoc)
                     .dtype(update_dtype)
                     .kernel(plain_update<Adam, AdamParams>);

const Op& ftml = Define<FtmlParams>("ftml_update")
                     .overwrites_any()
                     .doc(
                         "Follow the moving leader: v is the second moment of g = clip(rescale_grad * grad + "
                         "wd * weight), d the "
                         "inverse of a step size, z accumulates; the new weight is -z / d.")
                     .origin("MXNet ftml_update; Zheng and Kwok 2017")
                     .input("weight", kWeightDoc)
                     .input("grad", kGradDoc)
                     .state("d", "Inverse step size; changed in place.")
                     .state("v", kVarDoc)
                     .state("z", "Accumulated gradient; changed in place.")
                     .dtype(update_dtype)
                     .kernel(plain_update<Ftml, FtmlParams>);

const Op& lamb_phase1 = Define<LambParams>("lamb_update_phase1")
                            .overwrites_any()
                            .doc(
                                "First half of LAMB: the moments of clip(rescale_grad * grad) and the "
                                "direction mean / (sqrt(var) + "
                                "epsilon) + wd * weight.")
                            .origin("MXNet lamb_update_phase1; You and others 2019")
                            .input("weight", kWeightDoc)
                            .input("grad", kGradDoc)
                            .state("mean", kMeanDoc)
                            .state("var", kVarDoc)
                            .dtype(update_dtype)
                            .kernel(plain_update<LambDirection, LambParams>);

const Op& mp_lamb_phase1 = Define<LambParams>("mp_lamb_update_phase1")
                               .overwrites_any()
                               .doc("lamb_update_phase1 in float32 from weight32; the direction is float32.")
                               .origin("MXNet mp_lamb_update_phase1")
                               .input("weight", kWeightDoc)
                               .input("grad", kGradDoc)
                               .state("mean", kMeanDoc)
                               .state("var", kVarDoc)
                               .input("weight32", "The weight in float32.")
                               .dtype([](const LambParams&, DTypeInfer& d) {
                                 d.set_in(0, d.in(1));
                                 d.set_in(1, d.in(0));
                                 for (int i = 2; i < 5; ++i) d.set_in(i, DType::float32);
                                 d.set_out(0, DType::float32);
                                 if (d.in(0) != DType::unknown && !is_float(d.in(0)))
                                   d.reject("expected weights of a float dtype");
                               })
                               .kernel([](const LambParams& p, KernelArgs& args) {
                                 Update update;
                                 update.weight = args.in[4];
                                 update.grad = args.in[1];
                                 update.out = args.out[0];
                                 update.num_states = 2;
                                 update.states[0] = args.in[2];
                                 update.states[1] = args.in[3];
                                 apply_update<LambDirection>(p, update);
                               });

const Op& lamb_phase2 = Define<LambStepParams>("lamb_update_phase2")
                            .overwrites_any()
                            .doc(
                                "Second half of LAMB: weight - lr * (r1 / r2) * g, with the bounded norm r1; "
                                "the ratio is 1 where a norm is 0.")
                            .origin("MXNet lamb_update_phase2")
                            .input("weight", kWeightDoc)
                            .input("g", "The direction from lamb_update_phase1.")
                            .input("r1", "Norm of the weight, one element.")
                            .input("r2", "Norm of g, one element.")
                            .shape(lamb_step_shape)
                            .dtype(update_dtype)
                            .kernel([](const LambStepParams& p, KernelArgs& args) {
                              const LambStepParams layer = lamb_layer_rate(p, args);
                              plain_update<LambStep, LambStepParams>(layer, args);
                            });

const Op& mp_lamb_phase2 =
    Define<LambStepParams>("mp_lamb_update_phase2")
        .overwrites_any()
        .doc("lamb_update_phase2 in float32 on weight32; the output is weight32 in the dtype of weight.")
        .origin("MXNet mp_lamb_update_phase2")
        .input("weight", kWeightDoc)
        .input("g", "The direction from mp_lamb_update_phase1, float32.")
        .input("r1", "Norm of the weight, one element, float32.")
        .input("r2", "Norm of g, one element, float32.")
        .state("weight32", kWeight32Doc)
        .shape(lamb_step_shape)
        .dtype([](const LambStepParams&, DTypeInfer& d) {
          d.set_in(0, d.out(0));
          d.set_out(0, d.in(0));
          for (int i = 1; i < 5; ++i) d.set_in(i, DType::float32);
          if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected weights of a float dtype");
        })
        .kernel([](const LambStepParams& p, KernelArgs& args) {
          const LambStepParams layer = lamb_layer_rate(p, args);
          Update update;
          update.weight = update.out = args.in[4];
          update.grad = args.in[1];
          update.copy = args.out[0];
          apply_update<LambStep>(layer, update);
        });

}  // namespace
}  // namespace mixgrad::ops::optimizer_adam
