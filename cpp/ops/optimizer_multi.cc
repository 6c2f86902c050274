// Stochastic gradient descent on many weights in one call: small weights then cost no call each.
#include <string>

#include "op/convert.h"
#include "ops/optimizer_sgd.h"

namespace mixgrad::ops::optimizer_multi {
namespace {

using optimizer::apply_update;
using optimizer::kClipDoc;
using optimizer::kRescaleDoc;
using optimizer::Sgd;
using optimizer::SgdMomentum;
using optimizer::SgdParams;
using optimizer::Update;

struct ManyParams {
  Reals lrs, wds;
  double momentum = 0, rescale_grad = 1, clip_gradient = -1;
  int32_t num_weights = 1;
};

constexpr const char* kManyDoc =
    "For each weight in turn its weight, gradient and, in this order and as far as the operator has them, "
    "mom and "
    "weight32; both are changed in place.";
constexpr const char* kManyLrsDoc = "Learning rate of each weight.";
constexpr const char* kManyWdsDoc = "Weight decay of each weight.";
constexpr const char* kManyCountDoc = "Number of weights.";
constexpr const char* kManyMomentumDoc = "Part of the last step that is kept.";

struct ManySgdParams : ManyParams {
  static void fields(Fields<ManySgdParams>& f) {
    f.required("lrs", &ManySgdParams::lrs, kManyLrsDoc)
        .required("wds", &ManySgdParams::wds, kManyWdsDoc)
        .add("rescale_grad", &ManySgdParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &ManySgdParams::clip_gradient, kClipDoc)
        .add("num_weights", &ManySgdParams::num_weights, kManyCountDoc, at_least(1));
  }
};

struct ManyMomentumParams : ManyParams {
  static void fields(Fields<ManyMomentumParams>& f) {
    f.required("lrs", &ManyMomentumParams::lrs, kManyLrsDoc)
        .required("wds", &ManyMomentumParams::wds, kManyWdsDoc)
        .add("momentum", &ManyMomentumParams::momentum, kManyMomentumDoc)
        .add("rescale_grad", &ManyMomentumParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &ManyMomentumParams::clip_gradient, kClipDoc)
        .add("num_weights", &ManyMomentumParams::num_weights, kManyCountDoc, at_least(1));
  }
};

struct LoadedSgdParams : ManyParams {
  static void fields(Fields<LoadedSgdParams>& f) {
    f.add("rescale_grad", &LoadedSgdParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &LoadedSgdParams::clip_gradient, kClipDoc)
        .add("num_weights", &LoadedSgdParams::num_weights, kManyCountDoc, at_least(1));
  }
};

struct LoadedMomentumParams : ManyParams {
  static void fields(Fields<LoadedMomentumParams>& f) {
    f.add("momentum", &LoadedMomentumParams::momentum, kManyMomentumDoc)
        .add("rescale_grad", &LoadedMomentumParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &LoadedMomentumParams::clip_gradient, kClipDoc)
        .add("num_weights", &LoadedMomentumParams::num_weights, kManyCountDoc, at_least(1));
  }
};

// kMomentum and kMixed say which members follow weight and gradient; kLoaded that the rates and decays are two
// arrays at the end.
template <bool kMomentum, bool kMixed, bool kLoaded>
struct Many {
  static constexpr int kGroup = 2 + kMomentum + kMixed;
  static constexpr uint32_t kStateBits = ((uint32_t{1} << kGroup) - 1) & ~uint32_t{3};

  static void shape(int count, ShapeInfer& s) {
    for (int w = 0; w < count; ++w) {
      const int first = w * kGroup;
      for (int m = 1; m < kGroup; ++m) s.set_in(first, s.in(first + m));
      s.set_in(first, s.out(w));
      for (int m = 1; m < kGroup; ++m) s.set_in(first + m, s.in(first));
      s.set_out(w, s.in(first));
    }
    for (int i = count * kGroup; i < s.num_inputs(); ++i) s.set_in(i, Shape{count});
  }

  static void dtype(int count, DTypeInfer& d) {
    for (int w = 0; w < count; ++w) {
      const int first = w * kGroup;
      d.set_in(first, d.in(first + 1));
      d.set_in(first, d.out(w));
      d.set_in(first + 1, d.in(first));
      d.set_out(w, d.in(first));
      for (int m = 2; m < kGroup; ++m) d.set_in(first + m, kMixed ? DType::float32 : d.in(first));
      if (d.in(first) != DType::unknown && !is_float(d.in(first)))
        d.reject("expected weights of a float dtype");
    }
    for (int i = count * kGroup; i < d.num_inputs(); ++i) d.set_in(i, DType::float32);
  }

  static double number(const View& view, int64_t i) {
    double value = 0;
    convert(view.as<char>() + static_cast<size_t>(i) * size_of(view.dtype), view.dtype, &value,
            DType::float64, 1);
    return value;
  }

  static void kernel(const ManyParams& p, KernelArgs& args) {
    SgdParams one;
    one.momentum = p.momentum;
    one.rescale_grad = p.rescale_grad;
    one.clip_gradient = p.clip_gradient;
    for (int w = 0; w < p.num_weights; ++w) {
      const Span<const View> in = args.in.subspan(static_cast<size_t>(w * kGroup), kGroup);
      if constexpr (kLoaded) {
        one.lr = number(args.in[args.in.size() - 2], w);
        one.wd = number(args.in[args.in.size() - 1], w);
      } else {
        one.lr = p.lrs[static_cast<size_t>(w)];
        one.wd = p.wds[static_cast<size_t>(w)];
      }
      Update update;
      update.weight = kMixed ? in[kGroup - 1] : in[0];
      update.grad = in[1];
      update.out = kMixed ? in[kGroup - 1] : args.out[static_cast<size_t>(w)];
      if (kMixed) update.copy = args.out[static_cast<size_t>(w)];
      update.num_states = kMomentum;
      if (kMomentum) update.states[0] = in[2];
      if (kMomentum) {
        apply_update<SgdMomentum>(one, update);
      } else {
        apply_update<Sgd>(one, update);
      }
    }
  }

  template <class P>
  static void describe(Define<P>& define, const char* origin) {
    define.origin(origin)
        .variadic("data", kManyDoc, nullptr)
        .group_states(kGroup, kStateBits)
        .num_inputs([](const P& p) { return p.num_weights * kGroup + (kLoaded ? 2 : 0); })
        .num_outputs([](const P& p) { return static_cast<int>(p.num_weights); })
        .shape([](const P& p, ShapeInfer& s) {
          if constexpr (!kLoaded) {
            const auto wanted = static_cast<size_t>(p.num_weights);
            if (p.lrs.size() != wanted || p.wds.size() != wanted) {
              s.reject(text("got ", p.lrs.size(), " lrs and ", p.wds.size(),
                            " wds; expected num_weights = ", wanted, " of each"));
            }
          }
          shape(p.num_weights, s);
        })
        .dtype([](const P& p, DTypeInfer& d) { dtype(p.num_weights, d); })
        .kernel([](const P& p, KernelArgs& args) { kernel(p, args); });
  }
};

template <bool kMomentum, bool kMixed, bool kLoaded, class P>
const Op& define_many(const char* name, const char* doc, const char* origin) {
  Define<P> define(name);
  define.overwrites_any();
  define.doc(doc);
  Many<kMomentum, kMixed, kLoaded>::describe(define, origin);
  return define.done();
}

const Op& sgd = define_many<false, false, false, ManySgdParams>(
    "multi_sgd_update", "sgd_update of several weights.", "MXNet multi_sgd_update");
const Op& sgd_mom = define_many<true, false, false, ManyMomentumParams>(
    "multi_sgd_mom_update", "sgd_mom_update of several weights.", "MXNet multi_sgd_mom_update");
const Op& mp_sgd = define_many<false, true, false, ManySgdParams>(
    "multi_mp_sgd_update", "mp_sgd_update of several weights.", "MXNet multi_mp_sgd_update");
const Op& mp_sgd_mom = define_many<true, true, false, ManyMomentumParams>(
    "multi_mp_sgd_mom_update", "mp_sgd_mom_update of several weights.", "MXNet multi_mp_sgd_mom_update");

const Op& loaded_sgd =
    define_many<false, false, true, LoadedSgdParams>("preloaded_multi_sgd_update",
                                                     "sgd_update of several weights; the last two inputs are "
                                                     "the learning rates and the weight decays, float32.",
                                                     "MXNet preloaded_multi_sgd_update");
const Op& loaded_sgd_mom = define_many<true, false, true, LoadedMomentumParams>(
    "preloaded_multi_sgd_mom_update",
    "sgd_mom_update of several weights; the last two inputs are the learning rates and the weight decays, "
    "float32.",
    "MXNet preloaded_multi_sgd_mom_update");
const Op& loaded_mp_sgd =
    define_many<false, true, true, LoadedSgdParams>("preloaded_multi_mp_sgd_update",
                                                    "mp_sgd_update of several weights; the last two inputs "
                                                    "are the learning rates and the weight decays, float32.",
                                                    "MXNet preloaded_multi_mp_sgd_update");
const Op& loaded_mp_sgd_mom = define_many<true, true, true, LoadedMomentumParams>(
    "preloaded_multi_mp_sgd_mom_update",
    "mp_sgd_mom_update of several weights; the last two inputs are the learning rates and the weight decays, "
    "float32.",
    "MXNet preloaded_multi_mp_sgd_mom_update");

}  // namespace
}  // namespace mixgrad::ops::optimizer_multi
