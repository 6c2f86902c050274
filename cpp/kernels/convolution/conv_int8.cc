#include "kernels/convolution/conv_int8.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/gemm/int16_dots.h"
#include "kernels/scratch.h"

namespace mixgrad::conv_int8 {
namespace {

using nn_backend::ConvShape;

constexpr int64_t kProductGrain = 65536;    // products that are worth a thread
constexpr int64_t kPatchItems = 64 * 1024;  // of a block of patches, which stays in the second cache
constexpr int64_t kMostPatches = 128, kLeastPatches = 4;

template <class T>
void widen_run(const T* from, int16_t* to, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to[i] = from[i];
}

// One window of `image`: channels x window elements, zeros where it lies outside.
template <class T>
void read_patch(const ConvShape& s, const T* image, int64_t channels, int64_t position, int16_t* to) {
  const int64_t ow = position % s.out[2], oh = position / s.out[2] % s.out[1],
                od = position / s.out[2] / s.out[1];
  const int64_t d0 = od * s.stride[0] - s.pad[0], h0 = oh * s.stride[1] - s.pad[1];
  const int64_t w0 = ow * s.stride[2] - s.pad[2];
  for (int64_t c = 0; c < channels; ++c, image += s.in_size()) {
    for (int64_t kd = 0; kd < s.kernel[0]; ++kd) {
      const int64_t d = d0 + kd * s.dilate[0];
      for (int64_t kh = 0; kh < s.kernel[1]; ++kh, to += s.kernel[2]) {
        const int64_t h = h0 + kh * s.dilate[1];
        if (d < 0 || d >= s.in[0] || h < 0 || h >= s.in[1]) {
          std::fill(to, to + s.kernel[2], int16_t(0));
          continue;
        }
        const T* row = image + (d * s.in[1] + h) * s.in[2];
        for (int64_t kw = 0; kw < s.kernel[2]; ++kw) {
          const int64_t w = w0 + kw * s.dilate[2];
          to[kw] = w < 0 || w >= s.in[2] ? int16_t(0) : static_cast<int16_t>(row[w]);
        }
      }
    }
  }
}

// Patches one after another, whole channels of 1 x 1 windows at a time.
template <class T>
void read_patches(const ConvShape& s, const T* image, int64_t channels, int64_t first, int64_t n,
                  int16_t* to) {
  const int64_t depth = channels * s.kernel_size();
  const bool plain =
      s.kernel_size() == 1 && s.in_size() == s.out_size() && s.pad[0] + s.pad[1] + s.pad[2] == 0;
  if (!plain) {
    for (int64_t i = 0; i < n; ++i) read_patch(s, image, channels, first + i, to + i * depth);
    return;
  }
  for (int64_t c = 0; c < channels; ++c) {
    const T* row = image + c * s.in_size() + first;
    for (int64_t i = 0; i < n; ++i) to[i * depth + c] = row[i];
  }
}

// Windows as rows of a matrix, a block of positions at a time.
template <class T>
void by_patches(const ConvShape& s, const T* data, const int16_t* weight, const Store& store) {
  const int64_t channels = s.channels / s.groups, filters = s.filters / s.groups;
  const int64_t depth = channels * s.kernel_size(), positions = s.out_size();
  const int64_t patches = std::clamp(kPatchItems / std::max<int64_t>(depth, 1), kLeastPatches, kMostPatches);
  const int64_t blocks = (positions + patches - 1) / patches;
  const int64_t grain = loop_grain(kProductGrain, {patches, depth, filters});
  parallel_for(s.batch * s.groups * blocks, grain, [&](int64_t begin, int64_t end) {
    const Scratch patch = Scratch::of<int16_t>(patches * depth),
                  sums = Scratch::of<int32_t>(patches * filters);
    for (int64_t at = begin; at < end; ++at) {
      const int64_t block = at % blocks, group = at / blocks % s.groups, image = at / blocks / s.groups;
      const int64_t first = block * patches, n = std::min(patches, positions - first);
      read_patches(s, data + (image * s.channels + group * channels) * s.in_size(), channels, first, n,
                   patch.as<int16_t>());
      Int16Dots dots;
      dots.m = filters, dots.n = n, dots.k = depth;
      dots.a = weight + group * filters * depth, dots.lda = depth;
      dots.b = patch.as<int16_t>(), dots.ldb = depth;
      dots.c = sums.as<int32_t>(), dots.ldc = n;
      int16_dots(dots);
      for (int64_t f = 0; f < filters; ++f)
        store.run(store.with, image, group * filters + f, first, sums.as<int32_t>() + f * n, n);
    }
  });
}

// One input channel per filter: a row of the output is a sum of rows of the input.
template <class T>
void by_rows(const ConvShape& s, const T* data, const int16_t* weight, const Store& store) {
  const int64_t filters = s.filters / s.groups, width = s.out[2];
  const int64_t padded = s.in[2] + 2 * s.pad[2];
  const int64_t grain = loop_grain(kProductGrain, {s.out_size(), s.kernel_size()});
  parallel_for(s.batch * s.filters, grain, [&](int64_t begin, int64_t end) {
    const Scratch rows = Scratch::of<int16_t>(s.in[0] * s.in[1] * padded);
    const Scratch sums = Scratch::of<int32_t>(s.out_size());
    auto* line = rows.as<int16_t>();
    for (int64_t at = begin; at < end; ++at) {
      const int64_t filter = at % s.filters, image = at / s.filters;
      const T* plane = data + (image * s.channels + filter / filters) * s.in_size();
      for (int64_t r = 0; r < s.in[0] * s.in[1]; ++r) {
        std::fill(line + r * padded, line + (r + 1) * padded, int16_t(0));
        widen_run(plane + r * s.in[2], line + r * padded + s.pad[2], s.in[2]);
      }
      for (int64_t row = 0; row < s.out[0] * s.out[1]; ++row) {
        int32_t* sum = sums.as<int32_t>() + row * width;
        std::fill(sum, sum + width, 0);
        for (int64_t tap = 0; tap < s.kernel_size(); ++tap) {
          const int64_t kw = tap % s.kernel[2], kh = tap / s.kernel[2] % s.kernel[1];
          const int64_t kd = tap / s.kernel[2] / s.kernel[1];
          const int64_t d = row / s.out[1] * s.stride[0] - s.pad[0] + kd * s.dilate[0];
          const int64_t h = row % s.out[1] * s.stride[1] - s.pad[1] + kh * s.dilate[1];
          if (d < 0 || d >= s.in[0] || h < 0 || h >= s.in[1]) continue;
          int16_axpy(line + (d * s.in[1] + h) * padded + kw * s.dilate[2], s.stride[2],
                     weight[filter * s.kernel_size() + tap], sum, width);
        }
      }
      store.run(store.with, image, filter, 0, sums.as<int32_t>(), s.out_size());
    }
  });
}

// The same with steps of 1 over two axes: rows of input and output are as long as those of the padded image, so that one run
// serves all rows of a tap; what lies beside the output's rows is left out at the end.
template <class T>
void by_planes(const ConvShape& s, const T* data, const int16_t* weight, const Store& store) {
  const int64_t filters = s.filters / s.groups, width = s.out[2];
  const int64_t pitch = s.in[2] + 2 * s.pad[2], lines = s.in[1] + 2 * s.pad[1];
  const int64_t run = (s.out[1] - 1) * pitch + width;
  const int64_t grain = loop_grain(kProductGrain, {s.out_size(), s.kernel_size()});
  parallel_for(s.batch * s.filters, grain, [&](int64_t begin, int64_t end) {
    const Scratch image = Scratch::of<int16_t>(lines * pitch), sums = Scratch::of<int32_t>(run);
    auto* padded = image.as<int16_t>();
    auto* sum = sums.as<int32_t>();
    std::fill(padded, padded + lines * pitch, int16_t(0));
    for (int64_t at = begin; at < end; ++at) {
      const int64_t filter = at % s.filters;
      const T* plane = data + (at / s.filters * s.channels + filter / filters) * s.in_size();
      for (int64_t row = 0; row < s.in[1]; ++row)
        widen_run(plane + row * s.in[2], padded + (row + s.pad[1]) * pitch + s.pad[2], s.in[2]);
      std::fill(sum, sum + run, 0);
      for (int64_t tap = 0; tap < s.kernel_size(); ++tap) {
        const int64_t from = tap / s.kernel[2] * s.dilate[1] * pitch + tap % s.kernel[2] * s.dilate[2];
        int16_axpy(padded + from, 1, weight[filter * s.kernel_size() + tap], sum, run);
      }
      for (int64_t row = 1; row < s.out[1]; ++row)
        std::copy(sum + row * pitch, sum + row * pitch + width, sum + row * width);
      store.run(store.with, at / s.filters, filter, 0, sum, s.out_size());
    }
  });
}

template <class T>
void convolve_typed(const ConvShape& s, const T* data, const int16_t* weight, const Store& store) {
  // Sums of so few terms stay in int32.
  const bool alone = s.channels == s.groups && s.kernel_size() <= 4096;
  if (alone && s.in[0] + 2 * s.pad[0] == 1 && s.stride[1] * s.stride[2] == 1)
    by_planes(s, data, weight, store);
  else if (alone)
    by_rows(s, data, weight, store);
  else
    by_patches(s, data, weight, store);
}

template <class T>
void products_typed(const T* data, int64_t rows, int64_t depth, const int16_t* weight, int64_t hidden,
                    const Store& store) {
  const Scratch wide = Scratch::of<int16_t>(rows * depth);
  widen_run(data, wide.as<int16_t>(), rows * depth);
  constexpr int64_t kUnits = 16, kRows = 64;
  const int64_t blocks = (hidden + kUnits - 1) / kUnits;
  parallel_for(blocks, loop_grain(kProductGrain, {rows, kUnits, depth}), [&](int64_t begin, int64_t end) {
    const Scratch sums = Scratch::of<int32_t>(kUnits * kRows);
    for (int64_t block = begin; block < end; ++block) {
      const int64_t first = block * kUnits, n = std::min(kUnits, hidden - first);
      for (int64_t row = 0; row < rows; row += kRows) {
        Int16Dots dots;
        dots.m = std::min(kRows, rows - row), dots.n = n, dots.k = depth;
        dots.a = wide.as<int16_t>() + row * depth, dots.lda = depth;
        dots.b = weight + first * depth, dots.ldb = depth;
        dots.c = sums.as<int32_t>(), dots.ldc = n;
        int16_dots(dots);
        for (int64_t r = 0; r < dots.m; ++r)
          store.run(store.with, row + r, 0, first, sums.as<int32_t>() + r * n, n);
      }
    }
  });
}

}  // namespace

void widen(const int8_t* from, int16_t* to, int64_t n) {
  parallel_for(n, kProductGrain,
               [&](int64_t begin, int64_t end) { widen_run(from + begin, to + begin, end - begin); });
}

void forward(const ConvShape& s, const View& data, const int16_t* weight, const Store& store) {
  if (s.out_items() == 0) return;
  if (data.dtype == DType::uint8)
    convolve_typed(s, data.as<uint8_t>(), weight, store);
  else
    convolve_typed(s, data.as<int8_t>(), weight, store);
}

void products(const View& data, int64_t rows, int64_t depth, const int16_t* weight, int64_t hidden,
              const Store& store) {
  if (rows == 0 || hidden == 0) return;
  if (data.dtype == DType::uint8)
    products_typed(data.as<uint8_t>(), rows, depth, weight, hidden, store);
  else
    products_typed(data.as<int8_t>(), rows, depth, weight, hidden, store);
}

}  // namespace mixgrad::conv_int8
