// LAMB for several weights in one call.
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/scratch.h"
#include "ops/optimizer/optimizer_adam.h"

namespace mixgrad::ops::optimizer_lamb {
namespace {

using optimizer::apply_update;
using optimizer::LambDirection;
using optimizer::LambParams;
using optimizer::LambStep;
using optimizer::LambStepParams;
using optimizer::Update;

struct ManyLambParams {
  Reals learning_rates, wds;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-6, rescale_grad = 1;
  double lower_bound = -1, upper_bound = -1, clip_gradient = -1;
  bool bias_correction = true;
  Shape step_count;
  int32_t num_tensors = 1;
  static void fields(Fields<ManyLambParams>& f) {
    f.required("learning_rates", &ManyLambParams::learning_rates, "Learning rate of each weight.")
        .add("beta1", &ManyLambParams::beta1, optimizer::kBeta1Doc)
        .add("beta2", &ManyLambParams::beta2, optimizer::kBeta2Doc)
        .add("epsilon", &ManyLambParams::epsilon, optimizer::kEpsilonDoc)
        .required("wds", &ManyLambParams::wds, "Weight decay of each weight.")
        .add("rescale_grad", &ManyLambParams::rescale_grad, optimizer::kRescaleDoc)
        .add("lower_bound", &ManyLambParams::lower_bound,
             "Least norm of a weight in its rate; a negative one does not bound.")
        .add("upper_bound", &ManyLambParams::upper_bound,
             "Greatest norm of a weight in its rate; a negative one does not bound.")
        .add("clip_gradient", &ManyLambParams::clip_gradient, optimizer::kClipDoc)
        .add("bias_correction", &ManyLambParams::bias_correction, "Undo the start of the moments at 0.")
        .required("step_count", &ManyLambParams::step_count,
                  "How many updates each weight had, this one included.", at_least(1))
        .add("num_tensors", &ManyLambParams::num_tensors, "Number of weights.", optimizer::kWeightCount);
  }
};

// Square root of the sum of squares; blocks of one size are added in order, whatever the number of threads.
double norm_of(const View& view) {
  constexpr int64_t kBlock = 16384, kTile = 512;
  const int64_t size = view.size(), blocks = (size + kBlock - 1) / kBlock;
  std::vector<double> sums(static_cast<size_t>(blocks));
  parallel_for(blocks, 1, [&](int64_t first, int64_t last) {
    double tile[kTile];
    for (int64_t b = first; b < last; ++b) {
      double sum = 0;
      for (int64_t at = b * kBlock; at < std::min(size, (b + 1) * kBlock); at += kTile) {
        const int64_t n = std::min(kTile, size - at);
        convert(view.as<char>() + static_cast<size_t>(at) * size_of(view.dtype), view.dtype, tile,
                DType::float64, n);
        for (int64_t i = 0; i < n; ++i) sum += tile[i] * tile[i];
      }
      sums[static_cast<size_t>(b)] = sum;
    }
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return std::sqrt(total);
}

// in: weight, grad, mean, var and, where mixed, weight32.
void update_layer(const ManyLambParams& p, size_t w, Span<const View> in, const View& out, bool mixed) {
  LambParams first;
  first.beta1 = p.beta1, first.beta2 = p.beta2, first.epsilon = p.epsilon;
  first.wd = p.wds[w], first.t = static_cast<int32_t>(p.step_count[static_cast<int>(w)]);
  first.rescale_grad = p.rescale_grad, first.clip_gradient = p.clip_gradient;
  first.bias_correction = p.bias_correction;
  const View& weight = mixed ? in[4] : in[0];
  // The direction, in the type of the computation.
  View direction = weight;
  direction.dtype = weight.dtype == DType::float64 ? DType::float64 : DType::float32;
  const Scratch workspace(direction.bytes());
  direction.data = workspace.data();

  Update moments;
  moments.weight = weight;
  moments.grad = in[1];
  moments.out = direction;
  moments.num_states = 2;
  moments.states[0] = in[2];
  moments.states[1] = in[3];
  apply_update<LambDirection>(first, moments);

  LambStepParams second;
  second.lr = p.learning_rates[w];
  second.lower_bound = p.lower_bound, second.upper_bound = p.upper_bound;
  Update step;
  step.weight = weight;
  step.grad = direction;
  step.out = mixed ? in[4] : out;
  if (mixed) step.copy = out;
  apply_update<LambStep>(optimizer::layer_rate(second, norm_of(weight), norm_of(direction)), step);
}

template <bool kMixed>
int define_lamb(const char* name, const char* doc, const char* origin) {
  constexpr int kGroup = kMixed ? 5 : 4;
  Define<ManyLambParams>(name)
      .overwrites_any()
      .doc(doc)
      .origin(origin)
      .variadic("data",
                "For each weight in turn its weight, gradient, mean, var and, where the operator has it, "
                "weight32, the "
                "last of which are changed in place.",
                nullptr)
      .group_states(kGroup, kMixed ? 0x1c : 0xc)
      .num_inputs([](const ManyLambParams& p) { return p.num_tensors * kGroup; })
      .num_outputs([](const ManyLambParams& p) { return static_cast<int>(p.num_tensors); })
      .shape([](const ManyLambParams& p, ShapeInfer& s) {
        const auto wanted = static_cast<size_t>(p.num_tensors);
        if (p.learning_rates.size() != wanted || p.wds.size() != wanted ||
            p.step_count.ndim() != p.num_tensors) {
          s.reject("got ", p.learning_rates.size(), " learning_rates, ", p.wds.size(), " wds and ",
                   p.step_count.ndim(), " step counts; expected num_tensors = ", wanted, " of each");
        }
        for (int w = 0; w < p.num_tensors; ++w) {
          const int first = w * kGroup;
          for (int m = 1; m < kGroup; ++m) s.set_in(first, s.in(first + m));
          s.set_in(first, s.out(w));
          for (int m = 1; m < kGroup; ++m) s.set_in(first + m, s.in(first));
          s.set_out(w, s.in(first));
        }
      })
      .dtype([](const ManyLambParams& p, DTypeInfer& d) {
        for (int w = 0; w < p.num_tensors; ++w) {
          const int first = w * kGroup;
          d.set_in(first, d.in(first + 1));
          d.set_in(first, d.out(w));
          d.set_in(first + 1, d.in(first));
          d.set_out(w, d.in(first));
          // Moments may be wider than the weights, as the optimizer keeps them.
          for (int m = 2; m < kGroup; ++m) {
            if (kMixed || d.in(first + m) == DType::unknown)
              d.set_in(first + m, kMixed ? DType::float32 : d.in(first));
          }
          for (int m = 0; m < kGroup; ++m) {
            if (d.in(first + m) != DType::unknown && !is_float(d.in(first + m)))
              d.reject("expected float dtypes");
          }
        }
      })
      .kernel([](const ManyLambParams& p, KernelArgs& args) {
        for (size_t w = 0; w < args.out.size(); ++w)
          update_layer(p, w, args.in.subspan(w * kGroup, kGroup), args.out[w], kMixed);
      })
      .done();
  return 0;
}

[[maybe_unused]] const int registered[] = {
    define_lamb<false>("_multi_lamb_update",
                       "LAMB for several weights: lamb_update_phase1, the norms of weight and direction, and "
                       "lamb_update_phase2 of each.",
                       "MXNet _multi_lamb_update; You and others 2019"),
    define_lamb<true>("_multi_mp_lamb_update", "_multi_lamb_update in float32 on weight32.",
                      "MXNet _multi_mp_lamb_update")};

}  // namespace
}  // namespace mixgrad::ops::optimizer_lamb
