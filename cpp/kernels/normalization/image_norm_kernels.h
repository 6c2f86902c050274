// Inner loops of batch normalisation on images in blocks of 16 channels, with the activation behind it.
#pragma once

#include <cstdint>

namespace mixgrad::image_norm_kernels {

inline constexpr int kImageLanes = 16;
inline constexpr int kImageWide = 64;  // channels of a block, four times over: four pixels at once

// What follows the normalisation: nothing, max(y, 0), or y held in [low, high].
enum class NormEpilogue : int { none, relu, clip };

// Values of one block's channels, each four times.
struct BlockChannels {
  alignas(64) float mean[kImageWide], scale[kImageWide], shift[kImageWide];
  alignas(64) float of_grad[kImageWide], of_data[kImageWide], constant[kImageWide];
  float low = 0, high = 0;
  void set(float* values, int lane, double value) const {
    for (int i = lane; i < kImageWide; i += kImageLanes) values[i] = static_cast<float>(value);
  }
};

// All work on `n` pixels of 16 lanes that lie side by side. y = (x - mean) * scale + shift is computed alike everywhere, so
// that forward and backward agree on which elements the end has cut.
struct ImageNormKernels {
  // Per lane the sum.
  void (*sum)(const float* x, int64_t n, float* sum);
  // Per lane the sums of x - about and of its square.
  void (*spread)(const float* x, int64_t n, const BlockChannels& about, float* apart, float* squares);
  // out = end(y); by end.
  void (*affine[3])(const float* x, float* out, int64_t n, const BlockChannels& c);
  // Per lane the sums of g and of g (x - mean), where g is 0 when the end has cut y.
  void (*dots[3])(const float* grad, const float* x, int64_t n, const BlockChannels& c, float* sum,
                  float* along);
  // dx = of_grad g + of_data (x - mean) + constant; dx may be grad.
  void (*linear[3])(const float* grad, const float* x, float* dx, int64_t n, const BlockChannels& c);
};

// For the best instruction set of this machine.
const ImageNormKernels& image_norms();

}  // namespace mixgrad::image_norm_kernels
