#include "kernels/convolution/conv_kernel.h"

#include <algorithm>

#include "base/cpu.h"
#include "base/parallel.h"
#include "kernels/convolution/conv_depthwise.h"
#include "kernels/convolution/conv_window.h"
#include "kernels/scratch.h"

namespace mixgrad::conv_kernel {
namespace {

using conv_window::Positions;
using nn_backend::ConvShape;

constexpr int64_t kPieceBytes = 512 << 10;  // of gathered windows: half a second-level cache
constexpr int64_t kFewPositions = 64, kManyPositions = 512;
// Into which a whole convolution is cut at least, if they are not too short: enough for many threads. How long the parts
// are decides how sums are rounded, so the number of threads has no say in it.
constexpr int64_t kParts = 16;
constexpr int64_t kFewColumns = 64;  // of a product in a part

// Sizes of one group, and how its positions and channels are cut.
struct Plan {
  int64_t channels, filters, depth;  // of a group; depth: products per output element
  int64_t positions, pieces;         // per piece, and pieces of an image
  int64_t block, blocks;             // channels per block, and blocks of a group
};

int64_t ceil_div(int64_t n, int64_t d) { return (n + d - 1) / d; }

Plan plan_of(const ConvShape& s, size_t item, bool by_channels, int64_t other_units) {
  Plan plan;
  plan.channels = s.channels / s.groups;  // at least 1
  plan.filters = s.filters / s.groups;
  plan.depth = plan.channels * s.kernel_size();
  const int64_t workspace = kPieceBytes / static_cast<int64_t>(item);
  int64_t rows = plan.depth;
  plan.block = plan.channels;
  if (by_channels) {
    plan.block = std::max<int64_t>(1, workspace / (256 * s.kernel_size()));
    const int64_t part =
        std::max(ceil_div(plan.channels * other_units, kParts), ceil_div(kFewColumns, s.kernel_size()));
    plan.block = std::max<int64_t>(1, std::min(plan.block, part));
    plan.block = ceil_div(plan.channels, ceil_div(plan.channels, plan.block));
    rows = plan.block * s.kernel_size();
  }
  plan.blocks = ceil_div(plan.channels, plan.block);
  int64_t positions = std::min(std::max(workspace / rows / 32 * 32, kFewPositions), kManyPositions);
  if (!by_channels)
    positions = std::min(positions, std::max(kFewPositions, ceil_div(s.out_size() * other_units, kParts)));
  plan.pieces = ceil_div(s.out_size(), positions);
  plan.positions = plan.pieces > 0 ? ceil_div(s.out_size(), plan.pieces) : 1;
  return plan;
}

Positions piece_of(const ConvShape& s, const Plan& plan, int64_t piece) {
  return {piece * plan.positions, std::min((piece + 1) * plan.positions, s.out_size())};
}

// Nothing to gather: the image itself is the matrix.
bool is_product(const ConvShape& s) {
  bool plain = true;
  for (int i = 0; i < 3; ++i) plain = plain && s.kernel[i] == 1 && s.stride[i] == 1 && s.pad[i] == 0;
  return plain;
}

Gemm gemm_of(int64_t m, int64_t n, int64_t k) {
  Gemm g;
  g.m = m, g.n = n, g.k = k;
  return g;
}

// Channels first: out (filters x positions) = weight (filters x depth) * columns (depth x positions).
template <class T>
void forward_piece(const ConvShape& s, const Plan& plan, const T* image, const T* weight, const T* bias,
                   Positions at, T* columns, T* out) {
  const T* b = image + at.begin;
  int64_t ldb = s.in_size();
  if (columns) {
    conv_window::gather_planes(s, image, plan.channels, at, columns);
    b = columns;
    ldb = at.size();
  }
  if (bias) {
    for (int64_t f = 0; f < plan.filters; ++f) {
      std::fill_n(out + f * s.out_size() + at.begin, at.size(), bias[f]);
    }
  }
  Gemm g = gemm_of(plan.filters, at.size(), plan.depth);
  g.a = weight, g.lda = plan.depth;
  g.b = b, g.ldb = ldb;
  g.c = out + at.begin, g.ldc = s.out_size(), g.accumulate = bias != nullptr;
  gemm(dtype_of<T>(), g);
}

// Channels last: out (positions x filters) = rows (positions x depth) * weight transposed.
template <class T>
void forward_pixels(const ConvShape& s, const Plan& plan, const T* image, const T* weight, const T* bias,
                    Positions at, T* rows, T* out) {
  const T* a = image + at.begin * s.channels;
  int64_t lda = s.channels;
  if (rows) {
    conv_window::gather_pixels(s, image, plan.channels, at, rows);
    a = rows;
    lda = plan.depth;
  }
  Gemm g = gemm_of(at.size(), plan.filters, plan.depth);
  g.a = a, g.lda = lda;
  g.b = weight, g.ldb = plan.depth, g.transpose_b = true;
  g.c = out + at.begin * s.filters, g.ldc = s.filters, g.bias = bias;
  gemm(dtype_of<T>(), g);
}

// Distance between the first channels of two groups in an image of `channels` channels.
int64_t group_step(const ConvShape& s, int64_t per_group, int64_t plane) {
  return s.channels_last ? per_group : per_group * plane;
}

}  // namespace

template <class T>
void forward(const ConvShape& s, const T* data, const T* weight, const T* bias, T* out) {
  if (kAllLoops && conv_depthwise::serves(s)) return conv_depthwise::forward(s, data, weight, bias, out);
  const Plan plan = plan_of(s, sizeof(T), false, s.batch * s.groups);
  const bool direct = is_product(s);
  const int64_t per_image = s.groups * plan.pieces;
  parallel_for(s.batch * per_image, 1, [&](int64_t begin, int64_t end) {
    const Scratch workspace = Scratch::of<T>(direct ? 0 : plan.depth * plan.positions);
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t n = unit / per_image, group = unit % per_image / plan.pieces;
      const T* image =
          data + n * s.channels * s.in_size() + group * group_step(s, plan.channels, s.in_size());
      T* to = out + n * s.filters * s.out_size() + group * group_step(s, plan.filters, s.out_size());
      const auto piece = s.channels_last ? forward_pixels<T> : forward_piece<T>;
      piece(s, plan, image, weight + group * plan.filters * plan.depth,
            bias ? bias + group * plan.filters : nullptr, piece_of(s, plan, unit % plan.pieces),
            workspace.as<T>(), to);
    }
  });
}

template <class T>
void data_grad(const ConvShape& s, const T* out_grad, const T* weight, const T* bias, T* grad) {
  const bool last = s.channels_last;
  const Plan plan = plan_of(s, sizeof(T), !last, s.batch * s.groups);
  const int64_t rows = plan.block * s.kernel_size(), per_image = s.groups * plan.blocks;
  parallel_for(s.batch * per_image, 1, [&](int64_t begin, int64_t end) {
    const Scratch workspace = Scratch::of<T>(rows * plan.positions);
    T* columns = workspace.as<T>();
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t n = unit / per_image, group = unit % per_image / plan.blocks;
      const int64_t first = unit % plan.blocks * plan.block,
                    channels = std::min(plan.block, plan.channels - first);
      const int64_t channel = group * plan.channels + first;
      T* image = grad + n * s.channels * s.in_size() + (last ? channel : channel * s.in_size());
      for (int64_t c = 0; c < channels; ++c) {
        const T start = bias ? bias[channel + c] : T(0);
        if (!last) std::fill_n(image + c * s.in_size(), s.in_size(), start);
        for (int64_t i = 0; last && i < s.in_size(); ++i) image[i * s.channels + c] = start;
      }
      const T* from =
          out_grad + n * s.filters * s.out_size() + group * group_step(s, plan.filters, s.out_size());
      const T* part = weight + group * plan.filters * plan.depth + first * s.kernel_size();
      for (int64_t piece = 0; piece < plan.pieces; ++piece) {
        const Positions at = piece_of(s, plan, piece);
        Gemm g = last ? gemm_of(at.size(), plan.depth, plan.filters)
                      : gemm_of(channels * s.kernel_size(), at.size(), plan.filters);
        g.a = last ? from + at.begin * s.filters : part, g.lda = last ? s.filters : plan.depth,
        g.transpose_a = !last;
        g.b = last ? part : from + at.begin, g.ldb = last ? plan.depth : s.out_size();
        g.c = columns, g.ldc = g.n;
        gemm(dtype_of<T>(), g);
        if (last)
          conv_window::scatter_pixels(s, columns, channels, at, image);
        else
          conv_window::scatter_planes(s, columns, channels, at, image);
      }
    }
  });
}

template <class T>
void weight_grad(const ConvShape& s, const T* data, const T* out_grad, T* grad) {
  const bool last = s.channels_last;
  std::fill_n(grad, s.weight_items(), T(0));
  const Plan plan = plan_of(s, sizeof(T), !last, s.groups);
  parallel_for(s.groups * plan.blocks, 1, [&](int64_t begin, int64_t end) {
    const Scratch workspace = Scratch::of<T>(plan.block * s.kernel_size() * plan.positions);
    T* columns = workspace.as<T>();
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t group = unit / plan.blocks, first = unit % plan.blocks * plan.block;
      const int64_t channels = std::min(plan.block, plan.channels - first),
                    channel = group * plan.channels + first;
      for (int64_t n = 0; n < s.batch; ++n) {
        const T* image = data + n * s.channels * s.in_size() + (last ? channel : channel * s.in_size());
        const T* from =
            out_grad + n * s.filters * s.out_size() + group * group_step(s, plan.filters, s.out_size());
        for (int64_t piece = 0; piece < plan.pieces; ++piece) {
          const Positions at = piece_of(s, plan, piece);
          if (last)
            conv_window::gather_pixels(s, image, channels, at, columns);
          else
            conv_window::gather_planes(s, image, channels, at, columns);
          Gemm g = gemm_of(plan.filters, channels * s.kernel_size(), at.size());
          g.a = last ? from + at.begin * s.filters : from + at.begin, g.lda = last ? s.filters : s.out_size();
          g.transpose_a = last;
          g.b = columns, g.ldb = last ? g.n : at.size(), g.transpose_b = !last;
          g.c = grad + group * plan.filters * plan.depth + first * s.kernel_size(), g.ldc = plan.depth;
          g.accumulate = true;
          gemm(dtype_of<T>(), g);
        }
      }
    }
  });
}

template void forward<float>(const ConvShape&, const float*, const float*, const float*, float*);
template void forward<double>(const ConvShape&, const double*, const double*, const double*, double*);
template void data_grad<float>(const ConvShape&, const float*, const float*, const float*, float*);
template void data_grad<double>(const ConvShape&, const double*, const double*, const double*, double*);
template void weight_grad<float>(const ConvShape&, const float*, const float*, float*);
template void weight_grad<double>(const ConvShape&, const double*, const double*, double*);

}  // namespace mixgrad::conv_kernel
