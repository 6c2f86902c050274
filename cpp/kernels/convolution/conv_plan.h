// A convolution prepared once and run often: algorithm, weights in the order its loops read them, fused end.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/backend/nn_backend.h"

namespace mixgrad {

// Order of an image in memory. plain: (batch, channels, positions). blocked: (batch, channels / 16 rounded up,
// positions, 16), where lanes past the last channel hold zeros or what finite numbers make of them.
enum class ConvLayout : int { plain = 0, blocked = 1 };
inline constexpr int64_t kConvBlock = 16;
// Blocks of so many channels, the last one perhaps not full.
inline constexpr int64_t conv_blocks(int64_t channels) {
  return channels / kConvBlock + (channels % kConvBlock != 0);
}

// winograd4 and winograd2 work on tiles of 4x4 and 2x2 outputs; product is a matrix product of plain
// images; grouped runs direct for every group.
enum class ConvAlgorithm : int {
  automatic = 0,
  product,
  direct,
  winograd2,
  winograd4,
  depthwise,
  grouped,
  library
};
inline constexpr int kConvAlgorithms = 8;
const char* name_of(ConvAlgorithm algorithm);

// What follows the sum of products: y = activation(sum + bias + residual). clamp is min(max(y, low), high), which
// serves relu, relu6 and clip.
enum class ConvActivation : int { none = 0, clamp, leaky, sigmoid, hard_sigmoid, silu, hard_swish, tanh };

struct ConvEpilogue {
  const float* bias = nullptr;      // `filters` elements, or null
  const float* residual = nullptr;  // of the output's shape and layout, may be the output itself; or null
  ConvActivation activation = ConvActivation::none;
  float low = 0,
        high = 0;  // clamp: bounds; leaky: low is the slope; hard_sigmoid: low x + high, cut to [0, 1]
};

// A float32 convolution whose images have one or two axes of more than one element (shape.in[0] is 1) and lie
// channels first.
struct ConvProblem {
  nn_backend::ConvShape shape;
  ConvLayout data = ConvLayout::plain, out = ConvLayout::plain;
  int threads = 1;             // that will run it, at most
  bool fresh_weights = false;  // every run prepares its weights anew, so preparing counts in the choice
};

// Immutable after construction, so any number of threads may run one at once, each with scratch of its own.
class ConvPlan {
 public:
  // Null when that algorithm does not serve the problem. automatic takes conv_algorithm's choice (kernels/convolution/conv_choice.h) and
  // always finds one for plain images, for one group, and for as many groups as channels and filters.
  static std::unique_ptr<ConvPlan> make(const ConvProblem& problem,
                                        ConvAlgorithm algorithm = ConvAlgorithm::automatic);
  virtual ~ConvPlan() = default;

  const ConvProblem& problem() const { return problem_; }
  ConvAlgorithm algorithm() const { return algorithm_; }

  // Floats of the prepared weights.
  virtual int64_t weight_items() const = 0;
  // Writes them. weight: (filters, channels / groups, kernel...); scale: a factor per filter (BatchNorm's), or null.
  virtual void prepare(const float* weight, const float* scale, float* prepared) const = 0;
  // Floats of working memory that run needs, 64-byte aligned.
  virtual int64_t scratch_items() const = 0;
  // Runs in the calling thread and its team. data does not overlap out.
  virtual void run(const float* data, const float* prepared, const ConvEpilogue& end, float* out,
                   float* scratch) const = 0;

 protected:
  ConvPlan(const ConvProblem& problem, ConvAlgorithm algorithm) : problem_(problem), algorithm_(algorithm) {}

 private:
  ConvProblem problem_;
  ConvAlgorithm algorithm_;
};

// How one algorithm makes plans. The file of an algorithm registers it, so a build has the algorithms whose files it has.
struct ConvMethod {
  bool (*serves)(const ConvProblem& problem) = nullptr;                     // null: not in this build
  std::unique_ptr<ConvPlan> (*make)(const ConvProblem& problem) = nullptr;  // of a problem that it serves
};
const ConvMethod& conv_method(ConvAlgorithm algorithm);
bool register_conv_method(ConvAlgorithm algorithm, const ConvMethod& method);

// Floats of an image in a layout.
int64_t conv_image_items(ConvLayout layout, int64_t batch, int64_t channels, int64_t positions);
// Copies an image from one layout to the other; lanes past the last channel become zero.
void conv_to_blocked(const float* plain, int64_t batch, int64_t channels, int64_t positions, float* blocked);
void conv_to_plain(const float* blocked, int64_t batch, int64_t channels, int64_t positions, float* plain);

}  // namespace mixgrad
