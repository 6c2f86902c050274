#include "op/conv_plan.h"

#include <algorithm>
#include <cstring>

#include "base/build.h"
#include "base/parallel.h"
#include "op/conv_choice.h"
#include "ops/conv_depthwise_plan.h"
#include "ops/conv_direct.h"
#include "ops/conv_end.h"
#include "ops/conv_grouped.h"
#include "ops/conv_kernel.h"
#include "ops/conv_winograd.h"

namespace mixgrad::ops::conv_plan {
namespace {

// A convolution of plain images that knows no end: what follows the sums is done to the whole output.
class Whole : public ConvPlan {
 public:
  Whole(const ConvProblem& problem, ConvAlgorithm algorithm) : ConvPlan(problem, algorithm) {}

  int64_t weight_items() const override { return problem().shape.weight_items(); }
  // For a residual that is the output itself.
  int64_t scratch_items() const override { return problem().shape.out_items(); }

  void prepare(const float* weight, const float* scale, float* prepared) const override {
    const int64_t depth = weight_items() / std::max<int64_t>(1, problem().shape.filters);
    for (int64_t i = 0; i < weight_items(); ++i)
      prepared[i] = scale ? weight[i] * scale[i / depth] : weight[i];
  }

  void run(const float* data, const float* prepared, const ConvEpilogue& end, float* out,
           float* scratch) const override {
    const nn_backend::ConvShape& s = problem().shape;
    const float* residual = end.residual;
    if (residual == out) {
      std::memcpy(scratch, out, static_cast<size_t>(s.out_items()) * sizeof(float));
      residual = scratch;
    }
    const nn_backend::Backend* backend =
        algorithm() == ConvAlgorithm::library ? nn_backend::active() : nullptr;
    if (!backend || !backend->conv(DType::float32, s, data, prepared, end.bias, out)) {
      conv_kernel::forward<float>(s, data, prepared, end.bias, out);
    }
    if (conv_end::nothing_left(end)) return;
    parallel_for(s.out_items(), 65536, [&](int64_t begin, int64_t stop) {
      conv_end::finish(end, out + begin, residual ? residual + begin : nullptr, out + begin, stop - begin);
    });
  }
};

}  // namespace
}  // namespace mixgrad::ops::conv_plan

namespace mixgrad {

std::unique_ptr<ConvPlan> ConvPlan::make(const ConvProblem& problem, ConvAlgorithm algorithm) {
  const nn_backend::ConvShape& s = problem.shape;
  if (s.channels_last || s.in[0] != 1 || s.kernel[0] != 1 || s.pad[0] != 0 || s.out_items() == 0 ||
      s.data_items() == 0) {
    return nullptr;
  }
  if (algorithm == ConvAlgorithm::automatic) algorithm = conv_algorithm(problem);
  const bool plain = problem.data == ConvLayout::plain && problem.out == ConvLayout::plain;
  switch (algorithm) {
    case ConvAlgorithm::direct: return ops::conv_direct::make(problem);
    case ConvAlgorithm::winograd2:
    case ConvAlgorithm::winograd4:
      if constexpr (kConvWinograd)
        return ops::conv_winograd::make(problem, algorithm == ConvAlgorithm::winograd4 ? 4 : 2);
      return nullptr;
    case ConvAlgorithm::depthwise:
      if constexpr (kConvDepthwise) return ops::conv_depthwise_plan::make(problem);
      return nullptr;
    case ConvAlgorithm::grouped:
      if constexpr (kConvProduct) return ops::conv_grouped::make(problem);
      return nullptr;
    case ConvAlgorithm::library:
      if (!plain || !nn_backend::active()) return nullptr;
      return std::make_unique<ops::conv_plan::Whole>(problem, algorithm);
    case ConvAlgorithm::product:
      return kConvProduct && plain ? std::make_unique<ops::conv_plan::Whole>(problem, algorithm) : nullptr;
    case ConvAlgorithm::automatic: break;
  }
  return nullptr;
}

}  // namespace mixgrad
