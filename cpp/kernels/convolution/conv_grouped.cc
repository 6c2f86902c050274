// Convolutions of several groups of channels, each by a plan of its own.
#include <algorithm>

#include "base/parallel.h"
#include "kernels/convolution/conv_direct.h"
#include "kernels/convolution/conv_plan.h"

namespace mixgrad::conv_grouped {
namespace {

using nn_backend::ConvShape;

constexpr int64_t kLeastChannels = 8;  // of a group: with fewer, most lanes of the tile loop are idle
constexpr int64_t kAlignItems = 16;    // prepared weights and scratch of a group begin at 64 bytes

int64_t aligned(int64_t items) { return (items + kAlignItems - 1) / kAlignItems * kAlignItems; }

// One group of one image, whose channels lie together in either layout.
ConvProblem problem_of_group(const ConvProblem& problem, int threads) {
  ConvProblem one = problem;
  one.threads = threads;
  one.shape.batch = one.shape.groups = 1;
  one.shape.channels = problem.shape.channels / problem.shape.groups;
  one.shape.filters = problem.shape.filters / problem.shape.groups;
  return one;
}

// Threads take whole groups of whole images where there are enough of these, else share each one.
class Grouped : public ConvPlan {
 public:
  explicit Grouped(const ConvProblem& problem)
      : ConvPlan(problem, ConvAlgorithm::grouped),
        units_(problem.shape.batch * problem.shape.groups),
        workers_(units_ >= problem.threads ? problem.threads : 1),
        group_(conv_direct::make(problem_of_group(problem, workers_ > 1 ? 1 : problem.threads))) {}

  int64_t weight_items() const override { return problem().shape.groups * aligned(group_->weight_items()); }
  int64_t scratch_items() const override { return workers_ * aligned(group_->scratch_items()); }

  void prepare(const float* weight, const float* scale, float* prepared) const override {
    const ConvShape& s = group_->problem().shape;
    for (int64_t g = 0; g < problem().shape.groups; ++g) {
      group_->prepare(weight + g * s.weight_items(), scale ? scale + g * s.filters : nullptr,
                      prepared + g * aligned(group_->weight_items()));
    }
  }

  void run(const float* data, const float* prepared, const ConvEpilogue& end, float* out,
           float* scratch) const override {
    const ConvShape& s = group_->problem().shape;
    const int64_t data_step = conv_image_items(problem().data, 1, s.channels, s.in_size());
    const int64_t out_step = conv_image_items(problem().out, 1, s.filters, s.out_size());
    parallel_for(workers_, 1, [&](int64_t begin, int64_t stop) {
      for (int64_t unit = units_ * begin / workers_; unit < units_ * stop / workers_; ++unit) {
        const int64_t g = unit % problem().shape.groups;
        ConvEpilogue own = end;
        if (end.bias) own.bias = end.bias + g * s.filters;
        if (end.residual) own.residual = end.residual + unit * out_step;
        group_->run(data + unit * data_step, prepared + g * aligned(group_->weight_items()), own,
                    out + unit * out_step, scratch + begin * aligned(group_->scratch_items()));
      }
    });
  }

 private:
  int64_t units_, workers_;  // groups of all images; threads that take whole ones
  std::unique_ptr<ConvPlan> group_;
};

// At least 8 channels and 8 filters in a group; in blocked images whole blocks of them.
bool serves(const ConvProblem& problem) {
  const ConvShape& s = problem.shape;
  if (s.groups < 2 || s.channels % s.groups != 0 || s.filters % s.groups != 0) return false;
  const ConvProblem one = problem_of_group(problem, 1);
  const int64_t channels = one.shape.channels, filters = one.shape.filters;
  const bool whole = (problem.data == ConvLayout::plain || channels % kConvBlock == 0) &&
                     (problem.out == ConvLayout::plain || filters % kConvBlock == 0);
  return whole && std::min(channels, filters) >= kLeastChannels && s.batch > 0 && conv_direct::serves(one);
}

std::unique_ptr<ConvPlan> make(const ConvProblem& problem) { return std::make_unique<Grouped>(problem); }

const bool kRegistered = register_conv_method(ConvAlgorithm::grouped, {serves, make});

}  // namespace

}  // namespace mixgrad::conv_grouped
