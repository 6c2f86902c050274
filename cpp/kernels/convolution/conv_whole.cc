// Convolutions of plain images by a matrix product or by a library: what follows the sums is done to the whole output.
#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "kernels/convolution/conv_epilogue.h"
#include "kernels/convolution/conv_kernel.h"
#include "kernels/convolution/conv_plan.h"

namespace mixgrad::conv_whole {
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
    if (conv_epilogue::nothing_left(end)) return;
    parallel_for(s.out_items(), 65536, [&](int64_t begin, int64_t stop) {
      conv_epilogue::finish(end, out + begin, residual ? residual + begin : nullptr, out + begin,
                            stop - begin);
    });
  }
};

bool is_plain(const ConvProblem& problem) {
  return problem.data == ConvLayout::plain && problem.out == ConvLayout::plain;
}
bool library_serves(const ConvProblem& problem) {
  return is_plain(problem) && nn_backend::active() != nullptr;
}
template <ConvAlgorithm kAlgorithm>
std::unique_ptr<ConvPlan> make(const ConvProblem& problem) {
  return std::make_unique<Whole>(problem, kAlgorithm);
}

const bool kRegistered =
    register_conv_method(ConvAlgorithm::product, {is_plain, make<ConvAlgorithm::product>}) &&
    register_conv_method(ConvAlgorithm::library, {library_serves, make<ConvAlgorithm::library>});

}  // namespace
}  // namespace mixgrad::conv_whole
