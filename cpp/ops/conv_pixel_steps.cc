#include "ops/conv_pixel_steps.h"

#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "op/conv_plan.h"

namespace mixgrad::ops::conv_pixel_steps {
namespace {

constexpr int64_t kLanes = kConvBlock;
constexpr size_t kPixelBytes = kLanes * sizeof(float);

int64_t grain(int64_t row_pixels) { return loop_grain(16384, {kLanes, row_pixels}); }

}  // namespace

bool serves(const nn_backend::ConvShape& s) {
  bool pixels = s.data_blocked && s.out_blocked && s.groups == 1 && s.in[0] == 1 && s.out_items() > 0;
  for (int i = 0; i < 3; ++i) pixels = pixels && s.kernel[i] == 1 && s.pad[i] == 0;
  return pixels && (s.stride[1] > 1 || s.stride[2] > 1);
}

nn_backend::ConvShape without_steps(const nn_backend::ConvShape& s) {
  nn_backend::ConvShape under = s;
  for (int i = 0; i < 3; ++i) under.in[i] = s.out[i], under.stride[i] = 1;
  return under;
}

void spread(const nn_backend::ConvShape& s, const float* under, float* data) {
  const int64_t rows = s.in[1], cols = s.in[2], step = s.stride[2];
  parallel_for(s.channels / kLanes * rows, grain(cols), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t plane = i / rows, row = i % rows;
      float* to = data + i * cols * kLanes;
      std::memset(to, 0, static_cast<size_t>(cols) * kPixelBytes);
      if (row % s.stride[1] != 0 || row / s.stride[1] >= s.out[1]) continue;
      const float* from = under + (plane * s.out[1] + row / s.stride[1]) * s.out[2] * kLanes;
      for (int64_t c = 0; c < s.out[2]; ++c)
        std::memcpy(to + c * step * kLanes, from + c * kLanes, kPixelBytes);
    }
  });
}

}  // namespace mixgrad::ops::conv_pixel_steps
