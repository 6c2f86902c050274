// Stochastic gradient descent on many weights in one call: small weights then cost no call each.
#include <type_traits>

#include "ops/optimizer/optimizer_many.h"
#include "ops/optimizer/optimizer_sgd.h"

namespace mixgrad::ops::optimizer_multi {
namespace {

using optimizer::kClipDoc;
using optimizer::kManyCountDoc;
using optimizer::kManyLrsDoc;
using optimizer::kManyWdsDoc;
using optimizer::kRescaleDoc;
using optimizer::kWeightCount;
using optimizer::Many;
using optimizer::ManyParams;
using optimizer::Sgd;
using optimizer::SgdMomentum;
using optimizer::SgdParams;

constexpr const char* kManyMomentumDoc = "Part of the last step that is kept.";

struct ManySgd : ManyParams {
  double momentum = 0;
};

template <bool kMomentum>
struct SgdRule {
  static constexpr int kStates = kMomentum;
  template <class T>
  using Formula = std::conditional_t<kMomentum, SgdMomentum<T>, Sgd<T>>;
  static SgdParams one_of(const ManySgd& p) {
    SgdParams one;
    one.momentum = p.momentum;
    one.rescale_grad = p.rescale_grad;
    one.clip_gradient = p.clip_gradient;
    return one;
  }
};

struct ManySgdParams : ManySgd {
  static void fields(Fields<ManySgdParams>& f) {
    f.required("lrs", &ManySgdParams::lrs, kManyLrsDoc)
        .required("wds", &ManySgdParams::wds, kManyWdsDoc)
        .add("rescale_grad", &ManySgdParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &ManySgdParams::clip_gradient, kClipDoc)
        .add("num_weights", &ManySgdParams::num_weights, kManyCountDoc, kWeightCount);
  }
};

struct ManyMomentumParams : ManySgd {
  static void fields(Fields<ManyMomentumParams>& f) {
    f.required("lrs", &ManyMomentumParams::lrs, kManyLrsDoc)
        .required("wds", &ManyMomentumParams::wds, kManyWdsDoc)
        .add("momentum", &ManyMomentumParams::momentum, kManyMomentumDoc)
        .add("rescale_grad", &ManyMomentumParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &ManyMomentumParams::clip_gradient, kClipDoc)
        .add("num_weights", &ManyMomentumParams::num_weights, kManyCountDoc, kWeightCount);
  }
};

struct LoadedSgdParams : ManySgd {
  static void fields(Fields<LoadedSgdParams>& f) {
    f.add("rescale_grad", &LoadedSgdParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &LoadedSgdParams::clip_gradient, kClipDoc)
        .add("num_weights", &LoadedSgdParams::num_weights, kManyCountDoc, kWeightCount);
  }
};

struct LoadedMomentumParams : ManySgd {
  static void fields(Fields<LoadedMomentumParams>& f) {
    f.add("momentum", &LoadedMomentumParams::momentum, kManyMomentumDoc)
        .add("rescale_grad", &LoadedMomentumParams::rescale_grad, kRescaleDoc)
        .add("clip_gradient", &LoadedMomentumParams::clip_gradient, kClipDoc)
        .add("num_weights", &LoadedMomentumParams::num_weights, kManyCountDoc, kWeightCount);
  }
};

template <bool kMomentum, bool kMixed, bool kLoaded, class P>
const Op& define_many(const char* name, const char* doc, const char* origin) {
  Define<P> define(name);
  define.overwrites_any();
  define.doc(doc);
  Many<SgdRule<kMomentum>, kMixed, kLoaded>::describe(define, origin);
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
