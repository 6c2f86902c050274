// Batch normalisation of images in blocks of 16 channels, with the activation behind it: what the pass `layout` makes of
// BatchNorm in training.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "kernels/normalization/image_norm_kernels.h"
#include "ops/nn/image_shape.h"

namespace mixgrad::ops::image_batch_norm {
namespace {

using image_norm_kernels::BlockChannels;
using image_norm_kernels::image_norms;
using image_norm_kernels::kImageLanes;
using image_norm_kernels::kImageWide;
using image_norm_kernels::NormEpilogue;

constexpr int64_t kNormRun = 128;  // pixels summed in float: 8 KB
constexpr int64_t kNormGrain = 4096;

struct ImageNormParams {
  double eps = 1e-3, momentum = 0.9, low = 0, high = 0;
  bool fix_gamma = true, use_global_stats = false;
  NormEpilogue activation = NormEpilogue::none;
  static void fields(Fields<ImageNormParams>& f) {
    using P = ImageNormParams;
    f.add("eps", &P::eps, "Added to the variance.", at_least(0))
        .add("momentum", &P::momentum, "Share of the old value in a moving average.")
        .add("fix_gamma", &P::fix_gamma, "Takes gamma as 1 and gives it no gradient.")
        .add("use_global_stats", &P::use_global_stats,
             "Normalises with the moving averages in training too, and leaves them.")
        .choice("activation", &P::activation, {"none", "relu", "clip"}, "What follows.")
        .add("low", &P::low, "Smallest value of clip.")
        .add("high", &P::high, "Largest value of clip.");
  }
};

// (images, blocks, pixels, 16).
struct Extents {
  int64_t images, blocks, pixels;
  explicit Extents(const Shape& s) : images(s[0]), blocks(s[1]), pixels(s.size(2, s.ndim() - 1)) {}
  double count() const { return static_cast<double>(images * pixels); }
  int64_t at(int64_t image, int64_t block) const { return (image * blocks + block) * pixels * kImageLanes; }
};

// Two passes over `tensors` arrays of images: first(block, image) of all images of a block, join(block), then
// second(block, image). What the second pass reads again should still be in cache, so blocks are taken one after another:
// each by a thread of its own, or, where those of all threads would not fit the last cache, all threads work on one. Sums
// are joined image by image in any case, so results are the same.
template <class First, class Join, class Second>
void two_passes(const Extents& e, int64_t tensors, const First& first, const Join& join,
                const Second& second) {
  constexpr int64_t kCacheBytes = 16 << 20;
  const int64_t threads = team_allowed() ? num_threads() : 1;
  const int64_t plane = e.pixels * kImageLanes;
  const int64_t bytes = e.images * plane * tensors * static_cast<int64_t>(sizeof(float));
  const int64_t image_grain = loop_grain(kNormGrain, {plane});
  const bool together = threads > 1 && e.images >= threads && bytes * threads > kCacheBytes;
  if (together) {
    for (int64_t b = 0; b < e.blocks; ++b) {
      parallel_for(e.images, image_grain, [&](int64_t begin, int64_t end) {
        for (int64_t n = begin; n < end; ++n) first(b, n);
      });
      join(b);
      parallel_for(e.images, image_grain, [&](int64_t begin, int64_t end) {
        for (int64_t n = end; n-- > begin;) second(b, n);
      });
    }
    return;
  }
  if (e.blocks % threads == 0 || e.blocks >= 4 * threads) {
    const int64_t grain = loop_grain(kNormGrain, {e.images, plane});
    return parallel_for(e.blocks, grain, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        for (int64_t n = 0; n < e.images; ++n) first(b, n);
        join(b);
        for (int64_t n = e.images; n-- > 0;) second(b, n);
      }
    });
  }
  const auto each = [&](const auto& pass) {
    parallel_for(e.blocks * e.images, image_grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) pass(i / e.images, i % e.images);
    });
  };
  each(first);
  for (int64_t b = 0; b < e.blocks; ++b) join(b);
  each(second);
}

// Per lane mean and sum of squared distances of `n` pixels.
struct LaneSpread {
  double n = 0, mean[kImageLanes] = {}, m2[kImageLanes] = {};

  void add(double count, const double* other_mean, const double* other_m2) {
    const double all = n + count, share = count / all, weight = n * share;
    for (int l = 0; l < kImageLanes; ++l) {
      const double apart = other_mean[l] - mean[l];
      m2[l] += other_m2[l] + apart * apart * weight;
      mean[l] += apart * share;
    }
    n = all;
  }
  void add_pixels(const float* x, int64_t pixels) {
    BlockChannels about;
    float sum[kImageLanes], squares[kImageLanes];
    double run_mean[kImageLanes], run_m2[kImageLanes];
    for (int64_t i = 0; i < pixels; i += kNormRun) {
      const int64_t run = std::min(kNormRun, pixels - i);
      const double count = static_cast<double>(run);
      const float* from = x + i * kImageLanes;
      image_norms().sum(from, run, sum);
      for (int l = 0; l < kImageLanes; ++l) about.set(about.mean, l, sum[l] / count);
      image_norms().spread(from, run, about, sum, squares);
      // Distances are from the rounded mean; their sum puts that right.
      for (int l = 0; l < kImageLanes; ++l) {
        const double apart = static_cast<double>(sum[l]) / count;
        run_mean[l] = static_cast<double>(about.mean[l]) + apart;
        run_m2[l] = static_cast<double>(squares[l]) - apart * apart * count;
      }
      add(count, run_mean, run_m2);
    }
  }
};

// y's factor of channel c; forward and backward see the same rounded numbers.
void set_channel(const ImageNormParams& p, BlockChannels& c, int lane, int64_t channel, const float* gamma,
                 const float* beta, const float* mean, const float* inverse) {
  const double scale = (p.fix_gamma ? 1.0 : static_cast<double>(gamma[channel])) * inverse[channel];
  c.set(c.mean, lane, mean[channel]);
  c.set(c.scale, lane, scale);
  c.set(c.shift, lane, beta[channel]);
}

BlockChannels channels_with(const ImageNormParams& p) {
  BlockChannels c;
  c.low = static_cast<float>(p.low), c.high = static_cast<float>(p.high);
  return c;
}

void image_norm_kernel(const ImageNormParams& p, KernelArgs& args) {
  const Extents e(args.in[0].shape());
  const float *x = args.in[0].as<float>(), *gamma = args.in[1].as<float>(), *beta = args.in[2].as<float>();
  float *moving_mean = args.in[3].as<float>(), *moving_var = args.in[4].as<float>();
  float *out = args.out[0].as<float>(), *mean = args.out[1].as<float>(), *inverse = args.out[2].as<float>();
  const bool of_batch = args.training && !p.use_global_stats && e.count() > 0;
  std::vector<LaneSpread> parts(of_batch ? static_cast<size_t>(e.blocks * e.images) : 0);
  std::vector<BlockChannels> channels(static_cast<size_t>(e.blocks), channels_with(p));
  std::vector<float> moved(of_batch ? static_cast<size_t>(2 * e.blocks * kImageLanes)
                                    : 0);  // means, variances
  const auto statistics = [&](int64_t b, int64_t n) {
    if (of_batch) parts[static_cast<size_t>(b * e.images + n)].add_pixels(x + e.at(n, b), e.pixels);
  };
  const auto join = [&](int64_t b) {
    LaneSpread all;
    for (int64_t n = 0; of_batch && n < e.images; ++n) {
      const LaneSpread& part = parts[static_cast<size_t>(b * e.images + n)];
      all.add(part.n, part.mean, part.m2);
    }
    for (int l = 0; l < kImageLanes; ++l) {
      const int64_t c = b * kImageLanes + l;
      double m = moving_mean[c], v = moving_var[c];
      if (of_batch) {
        m = all.mean[l], v = std::max(0.0, all.m2[l]) / all.n;
        moved[static_cast<size_t>(c)] =
            static_cast<float>(p.momentum * moving_mean[c] + (1 - p.momentum) * m);
        moved[static_cast<size_t>(e.blocks * kImageLanes + c)] =
            static_cast<float>(p.momentum * moving_var[c] + (1 - p.momentum) * v);
      }
      mean[c] = static_cast<float>(m);
      inverse[c] = static_cast<float>(1 / std::sqrt(v + p.eps));
      set_channel(p, channels[static_cast<size_t>(b)], l, c, gamma, beta, mean, inverse);
    }
  };
  const auto affine = image_norms().affine[static_cast<int>(p.activation)];
  two_passes(e, 1, statistics, join, [&](int64_t b, int64_t n) {
    affine(x + e.at(n, b), out + e.at(n, b), e.pixels, channels[static_cast<size_t>(b)]);
  });
  if (!of_batch) return;
  // Last: a call that fails leaves the states as they were.
  std::copy_n(moved.data(), e.blocks * kImageLanes, moving_mean);
  std::copy_n(moved.data() + e.blocks * kImageLanes, e.blocks * kImageLanes, moving_var);
}

void image_norm_backward(const ImageNormParams& p, BackwardArgs& args) {
  const Extents e(args.in[0].shape());
  const float *grad = args.out_grad[0].as<float>(), *x = args.in[0].as<float>();
  const float *gamma = args.in[1].as<float>(), *beta = args.in[2].as<float>();
  const float *mean = args.out[1].as<float>(), *inverse = args.out[2].as<float>();
  const bool of_batch = args.training && !p.use_global_stats;
  const auto result = [&](int i) { return args.in_grad[static_cast<size_t>(i)].as<float>(); };
  struct Sums {
    double grad[kImageLanes] = {}, along[kImageLanes] = {};
  };
  std::vector<Sums> parts(static_cast<size_t>(e.blocks * e.images));
  std::vector<BlockChannels> channels(static_cast<size_t>(e.blocks), channels_with(p));
  for (int64_t c = 0; c < e.blocks * kImageLanes; ++c) {
    set_channel(p, channels[static_cast<size_t>(c / kImageLanes)], static_cast<int>(c % kImageLanes), c,
                gamma, beta, mean, inverse);
  }
  const auto dots = image_norms().dots[static_cast<int>(p.activation)];
  const auto sums = [&](int64_t b, int64_t n) {
    Sums& part = parts[static_cast<size_t>(b * e.images + n)];
    float sum[kImageLanes], along[kImageLanes];
    for (int64_t i = 0; i < e.pixels; i += kNormRun) {
      const int64_t at = e.at(n, b) + i * kImageLanes;
      dots(grad + at, x + at, std::min(kNormRun, e.pixels - i), channels[static_cast<size_t>(b)], sum, along);
      for (int l = 0; l < kImageLanes; ++l) part.grad[l] += sum[l], part.along[l] += along[l];
    }
  };
  const auto join = [&](int64_t b) {
    Sums all;
    for (int64_t n = 0; n < e.images; ++n) {
      const Sums& part = parts[static_cast<size_t>(b * e.images + n)];
      for (int l = 0; l < kImageLanes; ++l) all.grad[l] += part.grad[l], all.along[l] += part.along[l];
    }
    BlockChannels& c = channels[static_cast<size_t>(b)];
    for (int l = 0; l < kImageLanes; ++l) {
      const int64_t channel = b * kImageLanes + l;
      const double by = inverse[channel], scale = c.scale[l];
      c.set(c.of_grad, l, scale);
      c.set(c.of_data, l, of_batch ? -scale * by * by * all.along[l] / e.count() : 0);
      c.set(c.constant, l, of_batch ? -scale * all.grad[l] / e.count() : 0);
      if (args.wants(1)) result(1)[channel] = p.fix_gamma ? 0.0f : static_cast<float>(all.along[l] * by);
      if (args.wants(2)) result(2)[channel] = static_cast<float>(all.grad[l]);
    }
  };
  const auto linear = image_norms().linear[static_cast<int>(p.activation)];
  two_passes(e, 2, sums, join, [&](int64_t b, int64_t n) {
    if (!args.wants(0)) return;
    const int64_t at = e.at(n, b);
    linear(grad + at, x + at, result(0) + at, e.pixels, channels[static_cast<size_t>(b)]);
  });
  for (int i : {3, 4}) {
    if (args.wants(i)) std::fill_n(result(i), e.blocks * kImageLanes, 0.0f);
  }
}

// The first output is an image as data is; other inputs and outputs have an element per channel.
template <class P>
void image_norm_shape(const P&, ShapeInfer& s) {
  const Shape& data = s.in(0);
  if (!data.known()) return;
  if (data.ndim() < 3) s.reject("data needs batch, blocks of channels, positions and 16 lanes");
  const Shape plain = image_shape::plain_shape(data, ConvLayout::blocked, data.ndim() - 3, s);
  s.set_out(0, data);
  for (int i = 1; i < 5; ++i) s.set_in(i, {plain[1]});
  for (int i = 1; i < s.num_outputs(); ++i) s.set_out(i, {plain[1]});
}

const Op& op = Define<ImageNormParams>("_image_batch_norm")
                   .doc(
                       "activation(BatchNorm(data)) of a float32 image in blocks of 16 channels, (n, "
                       "channels / 16, positions..., "
                       "16). Graphs get it from the pass `layout` in training.")
                   .input("data", "The image.")
                   .input("gamma", "(C,): scale; taken as 1 while fix_gamma is set.")
                   .input("beta", "(C,): shift.")
                   .auxiliary("moving_mean", "(C,): moving average of means.")
                   .starts_as("[\"zero\", {}]")
                   .auxiliary("moving_var", "(C,): moving average of variances.")
                   .starts_as("[\"one\", {}]")
                   .outputs({"out", "mean", "var"})
                   .num_visible([](const ImageNormParams&) { return 1; })
                   .shape(image_norm_shape<ImageNormParams>)
                   .dtype([](const ImageNormParams&, DTypeInfer& d) { image_shape::float_images(d); })
                   .kernel(image_norm_kernel)
                   .inplace()
                   .cost([](const ImageNormParams&, Span<const Shape> in) {
                     return 300 + 0.5 * static_cast<double>(in[0].size());
                   })
                   .depends_on_mode()
                   .grad_needs({0, 1, 2}, {1, 2})
                   .backward(image_norm_backward)
                   .backward_inplace()
                   .backward_reads({0});

struct ImageAgainParams {
  double low = 0, high = 0;
  bool fix_gamma = true;
  NormEpilogue activation = NormEpilogue::none;
  static void fields(Fields<ImageAgainParams>& f) {
    using P = ImageAgainParams;
    f.add("fix_gamma", &P::fix_gamma, "Takes gamma as 1.")
        .choice("activation", &P::activation, {"none", "relu", "clip"}, "What follows.")
        .add("low", &P::low, "Smallest value of clip.")
        .add("high", &P::high, "Largest value of clip.");
  }
};

void image_again_kernel(const ImageAgainParams& given, KernelArgs& args) {
  ImageNormParams p;
  p.fix_gamma = given.fix_gamma;
  p.low = given.low, p.high = given.high;
  const Extents e(args.in[0].shape());
  const auto part = [&](size_t i) { return args.in[i].as<float>(); };
  std::vector<BlockChannels> channels(static_cast<size_t>(e.blocks), channels_with(p));
  for (int64_t c = 0; c < e.blocks * kImageLanes; ++c) {
    set_channel(p, channels[static_cast<size_t>(c / kImageLanes)], static_cast<int>(c % kImageLanes), c,
                part(1), part(2), part(3), part(4));
  }
  const auto affine = image_norms().affine[static_cast<int>(given.activation)];
  const int64_t grain = loop_grain(kNormGrain, {e.pixels, kImageLanes});
  parallel_for(e.images * e.blocks, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t at = e.at(i / e.blocks, i % e.blocks);
      affine(part(0) + at, args.out[0].as<float>() + at, e.pixels,
             channels[static_cast<size_t>(i % e.blocks)]);
    }
  });
}

const Op& again =
    Define<ImageAgainParams>("_image_batch_norm_again")
        .doc(
            "_image_batch_norm with the statistics that a call on the same data has found. Graphs get it "
            "where the backward part computes values again; it has no gradient.")
        .input("data", "The image.")
        .input("gamma", "(C,): scale; taken as 1 while fix_gamma is set.")
        .input("beta", "(C,): shift.")
        .input("mean", "(C,): the second output of _image_batch_norm.")
        .input("inverse", "(C,): its third, 1 / sqrt(variance + eps).")
        .shape(image_norm_shape<ImageAgainParams>)
        .dtype([](const ImageAgainParams&, DTypeInfer& d) { image_shape::float_images(d); })
        .kernel(image_again_kernel)
        .inplace()
        .element_cost(0.12);

}  // namespace
}  // namespace mixgrad::ops::image_batch_norm
