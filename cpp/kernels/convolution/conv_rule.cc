#include "kernels/convolution/conv_rule.h"

#include <algorithm>

// Constants fitted to layers of VGG-16, ResNet-50 and MobileNet v2 at batch 1 on two Zen 5 cores with AVX-512. Algorithms
// round differently, so the choice is the one for two threads whatever the number that will run it.

namespace mixgrad::conv_rule {
namespace {

constexpr double kThreads = 2;
constexpr double kProduct = 0.0087;       // one multiply-add in the tile loop
constexpr double kTransform = 0.19;       // one number of a transformed tile, made or transformed back
constexpr double kTransformPlain = 0.06;  // more where the image is plain
constexpr double kMove = 0.08;            // one number copied into a padded or blocked image
constexpr double kPrepareWinograd = 0.5, kPrepareDirect = 0.25;  // one prepared weight
constexpr double kPrepareHuge = 1.6;  // one of so many that their memory is new for every run
constexpr double kHugeItems = 8 << 20;
constexpr double kNear = 0.03, kFar = 0.065;  // one prepared weight read, from cache or from memory
constexpr double kFarItems = 1 << 20;         // a network has many such layers

double rounded(int64_t n, int64_t to) { return static_cast<double>((n + to - 1) / to * to); }

// Weights are read by all threads together.
double weight_cost(const ConvProblem& p, double items, double prepare) {
  const double read = items * (items > kFarItems ? kFar : kNear);
  return read + (p.fresh_weights ? items * (items > kHugeItems ? kPrepareHuge : prepare) / kThreads : 0);
}

double winograd_cost(const ConvProblem& p, int64_t size) {
  const nn_backend::ConvShape& s = p.shape;
  const double products = static_cast<double>((size + 2) * (size + 2));
  const double tiles =
      static_cast<double>(s.batch * ((s.out[1] + size - 1) / size) * ((s.out[2] + size - 1) / size));
  const double channels = rounded(s.channels, 16), filters = rounded(s.filters, 32);
  const double per_input = kTransform + (p.data == ConvLayout::plain ? kTransformPlain : 0);
  const double per_output = kTransform + (p.out == ConvLayout::plain ? kTransformPlain : 0);
  // Fewer than a tile loop's 14 rows use the processor less well.
  const double wasted = tiles < 8 ? 8 / tiles : 1;
  const double work = tiles * products *
                      (channels * filters * kProduct * wasted + channels * per_input + filters * per_output);
  return 2000 + work / kThreads + weight_cost(p, products * channels * filters, kPrepareWinograd);
}

double direct_cost(const ConvProblem& p) {
  const nn_backend::ConvShape& s = p.shape;
  const bool few = p.data == ConvLayout::plain && s.channels < 8;
  const double channels = few ? static_cast<double>(s.channels) : rounded(s.channels, 16);
  const double depth = channels * static_cast<double>(s.kernel_size());
  const double filters = rounded(s.filters, 32);
  const double copied =
      p.data == ConvLayout::plain || s.pad[1] || s.pad[2] ? static_cast<double>(s.data_items()) : 0;
  const double transposed = p.out == ConvLayout::plain ? static_cast<double>(s.out_items()) : 0;
  const double wasted = s.out[2] < 8 && s.kernel_size() > 1 ? 8.0 / static_cast<double>(s.out[2]) : 1;
  const double products = static_cast<double>(s.batch * s.out_size()) * depth * filters;
  return 1000 + (products * kProduct * wasted + (copied + transposed) * kMove) / kThreads +
         weight_cost(p, depth * filters, kPrepareDirect);
}

// A product of the weights and the image itself, where windows are single pixels; long sums read the image in strips.
double product_cost(const ConvProblem& p) {
  const nn_backend::ConvShape& s = p.shape;
  bool pixelwise = s.groups == 1 && s.kernel_size() == 1;
  for (int i = 1; i < 3; ++i) pixelwise = pixelwise && s.stride[i] == 1 && s.pad[i] == 0;
  if (!pixelwise) return s.groups == 1 ? 2e18 : 2e10 + 2 * s.products();
  const double slower = 1.1 + 0.00042 * static_cast<double>(s.channels);
  return 1000 +
         (s.products() * kProduct * slower + static_cast<double>(s.data_items() + s.out_items()) * 0.01) /
             kThreads;
}

}  // namespace

double cost(const ConvProblem& problem, ConvAlgorithm algorithm) {
  const nn_backend::ConvShape& s = problem.shape;
  switch (algorithm) {
    case ConvAlgorithm::winograd2:
    case ConvAlgorithm::winograd4:
      return winograd_cost(problem, algorithm == ConvAlgorithm::winograd4 ? 4 : 2);
    case ConvAlgorithm::direct: return direct_cost(problem);
    case ConvAlgorithm::product: return product_cost(problem);
    // With several groups: depthwise or a plan per group where one serves, then a library, then our own product.
    case ConvAlgorithm::depthwise: return s.products() * 0.02;
    case ConvAlgorithm::grouped: return 1e9 + s.products();
    case ConvAlgorithm::library: return s.groups == 1 ? 1e18 : 1e10 + s.products();
    case ConvAlgorithm::automatic: break;
  }
  return 1e30;
}

}  // namespace mixgrad::conv_rule
