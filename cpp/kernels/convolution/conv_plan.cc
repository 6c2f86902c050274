#include "kernels/convolution/conv_plan.h"

#include "kernels/convolution/conv_choice.h"

namespace mixgrad::conv_plan {
namespace {

ConvMethod methods[kConvAlgorithms];

}  // namespace
}  // namespace mixgrad::conv_plan

namespace mixgrad {

const ConvMethod& conv_method(ConvAlgorithm algorithm) {
  return conv_plan::methods[static_cast<int>(algorithm)];
}

bool register_conv_method(ConvAlgorithm algorithm, const ConvMethod& method) {
  conv_plan::methods[static_cast<int>(algorithm)] = method;
  return true;
}

std::unique_ptr<ConvPlan> ConvPlan::make(const ConvProblem& problem, ConvAlgorithm algorithm) {
  const nn_backend::ConvShape& s = problem.shape;
  if (s.channels_last || s.in[0] != 1 || s.kernel[0] != 1 || s.pad[0] != 0 || s.out_items() == 0 ||
      s.data_items() == 0) {
    return nullptr;
  }
  if (algorithm == ConvAlgorithm::automatic) algorithm = conv_algorithm(problem);
  const ConvMethod& method = conv_method(algorithm);
  return method.serves && method.serves(problem) ? method.make(problem) : nullptr;
}

}  // namespace mixgrad
