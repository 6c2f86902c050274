#include "kernels/convolution/conv_step_grad.h"

#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "kernels/convolution/conv_plan.h"
#include "kernels/scratch.h"

namespace mixgrad::conv_step_grad {
namespace {

using nn_backend::ConvShape;

constexpr int64_t kLanes = kConvBlock;

int64_t over(int64_t n, int64_t part) { return (n + part - 1) / part; }

// One axis of a phase, whose padded pixels lie at `begin`, begin + stride, ...
struct Axis {
  int64_t kernel, pad, first, count;  // pad may be negative: then there is no such convolution

  Axis(const ConvShape& s, int axis, int64_t begin) {
    kernel = begin < s.kernel[axis] ? over(s.kernel[axis] - begin, s.stride[axis]) : 0;
    const int64_t skipped = std::max<int64_t>(0, over(s.pad[axis] - begin, s.stride[axis]));
    first = skipped * s.stride[axis] + begin - s.pad[axis];
    count = first < s.in[axis] ? over(s.in[axis] - first, s.stride[axis]) : 0;
    pad = kernel - 1 - skipped;
  }
};

}  // namespace

std::vector<Phase> phases(const ConvShape& s) {
  std::vector<Phase> all;
  const bool steps = s.stride[1] > 1 || s.stride[2] > 1, dilates = s.dilate[1] != 1 || s.dilate[2] != 1;
  const bool flat = s.in[0] == 1 && s.kernel[0] == 1 && s.pad[0] == 0 && !s.channels_last;
  if (!steps || dilates || !flat || s.channels / s.groups < kLanes) return all;
  for (int64_t row = 0; row < s.stride[1]; ++row) {
    for (int64_t col = 0; col < s.stride[2]; ++col) {
      const Axis down(s, 1, row), across(s, 2, col);
      if (down.kernel == 0 || across.kernel == 0 || down.count == 0 || across.count == 0) continue;
      if (down.pad < 0 || across.pad < 0) return {};
      Phase phase = {s, row, col, down.first, across.first};
      ConvShape& transposed = phase.shape;
      transposed.batch = 1;
      transposed.channels = s.filters, transposed.filters = s.channels;
      transposed.data_blocked = s.out_blocked, transposed.out_blocked = s.data_blocked;
      for (int i = 1; i < 3; ++i) {
        const Axis& axis = i == 1 ? down : across;
        transposed.in[i] = s.out[i], transposed.out[i] = axis.count;
        transposed.kernel[i] = axis.kernel, transposed.pad[i] = axis.pad, transposed.stride[i] = 1;
      }
      all.push_back(phase);
    }
  }
  return all;
}

bool cover(const ConvShape& s) { return s.kernel[1] >= s.stride[1] && s.kernel[2] >= s.stride[2]; }

// Squares of filters and channels at a time: lines are read and written whole, though those of neighbouring filters, or
// channels, share few sets of the caches.
void transpose_weights(const ConvShape& s, const std::vector<Phase>& phases, const float* weight,
                       float* const* to) {
  constexpr int64_t kFilters = 32, kChannels = 16;
  const int64_t filters = s.filters / s.groups, window = s.kernel_size();
  // Depthwise weights of all groups lie as those of the channels of one group of single filters do.
  const int64_t groups = s.groups == s.channels && filters == 1 ? 1 : s.groups;
  const int64_t channels = s.channels / groups, across = over(channels, kChannels);
  const int64_t squares = over(filters, kFilters) * across;
  parallel_for(
      groups * squares, loop_grain(32768, {kFilters, kChannels, window}), [&](int64_t begin, int64_t end) {
        const Scratch workspace = Scratch::of<float>(kFilters * kChannels * window);
        float* square = workspace.as<float>();
        for (int64_t i = begin; i < end; ++i) {
          const int64_t first = i / squares * channels;  // of the group
          const int64_t f = i % squares / across * kFilters, some_filters = std::min(kFilters, filters - f);
          const int64_t c = i % across * kChannels, some_channels = std::min(kChannels, channels - c);
          const int64_t run = some_channels * window;
          for (int64_t j = 0; j < some_filters; ++j) {
            std::memcpy(square + j * run, weight + (first * filters + (f + j) * channels + c) * window,
                        static_cast<size_t>(run) * sizeof(float));
          }
          for (size_t p = 0; p < phases.size(); ++p) {
            const Phase& phase = phases[p];
            const int64_t rows = phase.shape.kernel[1], cols = phase.shape.kernel[2];
            const int64_t taps = rows * cols;
            for (int64_t i = 0; i < some_channels * taps; ++i) {
              const int64_t k = i / taps, h = rows - 1 - i % taps / cols, w = cols - 1 - i % cols;
              const float* from = square + k * window + (phase.row + h * s.stride[1]) * s.kernel[2] +
                                  phase.col + w * s.stride[2];
              float* at = to[p] + ((first + c + k) * filters + f) * taps + i % taps;
              for (int64_t j = 0; j < some_filters; ++j) at[j * taps] = from[j * run];
            }
          }
        }
      });
}

void spread(const ConvShape& s, const Phase& phase, const float* from, float* data) {
  const int64_t rows = phase.shape.out[1], cols = phase.shape.out[2], step = s.stride[2];
  const int64_t lanes = s.data_blocked ? kLanes : 1;
  parallel_for(s.channels / lanes * rows, loop_grain(16384, {lanes, cols}), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t plane = i / rows, row = phase.first_row + i % rows * s.stride[1];
      const float* pixel = from + i * cols * lanes;
      float* to = data + ((plane * s.in[1] + row) * s.in[2] + phase.first_col) * lanes;
      for (int64_t c = 0; lanes == 1 && c < cols; ++c) to[c * step] = pixel[c];
      for (int64_t c = 0; lanes != 1 && c < cols; ++c)
        std::memcpy(to + c * step * kLanes, pixel + c * kLanes, kLanes * sizeof(float));
    }
  });
}

}  // namespace mixgrad::conv_step_grad
