#include "kernels/convolution/conv_direct.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/parallel.h"
#include "kernels/convolution/conv_block.h"
#include "kernels/convolution/conv_epilogue.h"
#include "kernels/convolution/conv_tile.h"
#include "kernels/convolution/conv_workspace.h"
#include "kernels/loops/transpose_tile.h"

namespace mixgrad::conv_direct {
namespace {

using conv_block::Format;
using conv_block::kBlock;
using conv_block::Patch;

constexpr int64_t kPartProducts = 100000;  // for which another thread pays
constexpr int64_t kStagePixels = 112;      // of one segment: a whole number of tiles of 14 pixels
constexpr int64_t kSeenFloats = 65536;  // of the image under a few segments, which meet all filters in turn

int64_t over(int64_t n, int64_t part) { return (n + part - 1) / part; }

// The sums of a few pixels and a strip of filters are one call of the tile loop, which walks the window and the
// channels. Images with padding, and plain images of many channels, are first copied into blocks with zeros around
// them; a plain image of few channels keeps its planes, and rows of the window then take the place of blocks.
class Direct : public ConvPlan {
 public:
  explicit Direct(const ConvProblem& problem)
      : ConvPlan(problem, ConvAlgorithm::direct), kernel_(conv_tile::kernel()) {
    const nn_backend::ConvShape& s = problem.shape;
    const bool pixelwise = s.kernel_size() == 1 && s.stride[1] == 1 && s.stride[2] == 1 && !s.pad[1] &&
                           !s.pad[2] && s.out[1] == s.in[1] && s.out[2] == s.in[2];
    // Windows of one pixel see one long row.
    const int64_t height = pixelwise ? 1 : s.in[1], width = pixelwise ? s.in_size() : s.in[2];
    data_ = {problem.data, s.channels, height, width};
    out_ = {problem.out, s.filters, pixelwise ? 1 : s.out[1], pixelwise ? s.out_size() : s.out[2]};
    few_ = problem.data == ConvLayout::plain && s.channels < kBlock / 2 && s.dilate[2] == 1;
    seen_ = {few_ ? ConvLayout::plain : ConvLayout::blocked, s.channels, height, width};
    const int64_t rows_seen = (s.out[1] - 1) * s.stride[1] + (s.kernel[1] - 1) * s.dilate[1] + 1;
    const int64_t cols_seen = (s.out[2] - 1) * s.stride[2] + (s.kernel[2] - 1) * s.dilate[2] + 1;
    copies_ = problem.data == ConvLayout::plain || s.pad[1] || s.pad[2] || rows_seen > s.in[1] ||
              cols_seen > s.in[2];
    if (copies_) {
      seen_.height = rows_seen;
      seen_.width = cols_seen;
      if (pixelwise) seen_.height = 1, seen_.width = width;
    }
    const int64_t lane = few_ ? 1 : kBlock;
    run_ = few_ ? s.kernel[2] : kBlock;
    row_step_ = s.stride[2] * lane;
    const bool pixels = !few_ && s.kernel_size() == 1;
    if (pixels) {
      Walk walk = walk_of_pixels(s.channels, seen_.plane() * kBlock);
      offset_ = std::move(walk.offset);
      run_ = walk.run;
    }
    const int64_t outer = few_ ? s.channels : conv_blocks(s.channels);
    for (int64_t c = 0; !pixels && c < outer; ++c) {
      for (int64_t kh = 0; kh < s.kernel[1]; ++kh) {
        for (int64_t kw = 0; kw < (few_ ? 1 : s.kernel[2]); ++kw) {
          offset_.push_back((c * seen_.plane() + kh * s.dilate[1] * seen_.width + kw * s.dilate[2]) * lane);
        }
      }
    }
    width_ = std::max<int64_t>(kernel_.cols, kBlock);
    groups_ = over(s.filters, width_);
    segments_ = over(out_.width, kStagePixels);
    segment_ = over(out_.width, segments_);
    const int64_t rows = out_.height * segments_ * (copies_ ? 1 : s.batch);
    by_filters_ = weight_items() > seen_.items() && evenness(groups_) >= std::min(0.9, evenness(rows));
    if (by_filters_ && evenness(groups_) < 0.9) {
      parts_ = threads();
      const int64_t tiles = over(out_.width, kernel_.rows);
      segments_ = std::max(segments_, std::min(tiles, over(parts_, out_.height)));
      segment_ = over(out_.width, segments_);
      segments_ = over(out_.width, segment_);
    }
    const int64_t seen_floats = segment_ * s.stride[1] * s.stride[2] * s.channels;
    segments_at_once_ = std::max<int64_t>(1, kSeenFloats / seen_floats);
  }

  int64_t weight_items() const override { return groups_ * width_ / kernel_.cols * strip_items(); }
  int64_t scratch_items() const override {
    return bias_items() + (copies_ ? padded_items() : 0) + threads() * stage_items();
  }
  void prepare(const float* weight, const float* scale, float* prepared) const override;
  void run(const float* data, const float* prepared, const ConvEpilogue& end, float* out,
           float* scratch) const override;

 private:
  int64_t threads() const {
    return std::min(conv_workspace::Workspaces::kMost, std::max(1, problem().threads));
  }
  int64_t strip_items() const { return static_cast<int64_t>(offset_.size()) * run_ * kernel_.cols; }
  int64_t bias_items() const { return groups_ * width_; }
  // Share of the threads' time in use when they divide n units.
  double evenness(int64_t n) const {
    return static_cast<double>(n) / static_cast<double>(over(n, threads()) * threads());
  }
  int64_t padded_items() const { return over(seen_.items(), 16) * 16; }
  // Sums of a segment in blocks, for plain outputs and for blocks past the last filter.
  int64_t stage_items() const { return segment_ * width_; }

  void copy_image(const float* data, int64_t image, float* seen) const;
  void segment(const float* image, const float* prepared, const float* bias, const ConvEpilogue& end,
               int64_t index, int64_t row, int64_t first, int64_t group, float* out, float* stage) const;

  const conv_tile::Kernel kernel_;
  Format data_, out_, seen_;  // seen_: what the tile loop reads, padding included
  bool few_, copies_, by_filters_;
  // Filters go in groups of width_, of one strip of the tile loop or, where that is narrower, of one block.
  int64_t run_, row_step_, width_, groups_, segments_, segment_, segments_at_once_;
  int64_t parts_ =
      1;  // of the pixels, where threads take filters and there are too few groups to share them out
  std::vector<int64_t> offset_;
};

void Direct::prepare(const float* weight, const float* scale, float* prepared) const {
  constexpr int64_t kRun = 288;  // products of a filter taken at once; with 32 filters 36 KB
  const nn_backend::ConvShape& s = problem().shape;
  const int64_t cols = kernel_.cols, window = s.kernel_size(), depth = s.channels * window;
  const int64_t strips = weight_items() / strip_items();
  if (!few_ && s.channels % kBlock != 0) {
    std::memset(prepared, 0, static_cast<size_t>(weight_items()) * sizeof(float));
  }
  parallel_for(strips, over(32768, strip_items()), [&](int64_t begin, int64_t end) {
    alignas(64) float transposed[kRun * conv_tile::kMostCols];
    for (int64_t strip = begin; strip < end; ++strip) {
      const int64_t first = strip * cols, filters = std::max<int64_t>(0, std::min(cols, s.filters - first));
      float* to = prepared + strip * strip_items();
      if (filters < cols) std::memset(transposed, 0, sizeof transposed);
      for (int64_t j = 0; j < depth; j += kRun) {
        const int64_t run = std::min(kRun, depth - j);
        transpose_tile(weight + first * depth + j, depth, filters, run, transposed, cols);
        if (scale) {
          for (int64_t i = 0; i < run * cols; ++i)
            transposed[i] *= i % cols < filters ? scale[first + i % cols] : 0;
        }
        for (int64_t i = 0; i < run; ++i) {
          const int64_t c = (j + i) / window, k = (j + i) % window;
          const int64_t step = few_ ? j + i : (c / kBlock * window + k) * kBlock + c % kBlock;
          std::memcpy(to + step * cols, transposed + i * cols, static_cast<size_t>(cols) * sizeof(float));
        }
      }
    }
  });
}

void Direct::copy_image(const float* data, int64_t image, float* seen) const {
  const nn_backend::ConvShape& s = problem().shape;
  if (!few_) {
    const int64_t rows = seen_.height == 1 ? over(seen_.width, kStagePixels) : seen_.height;
    parallel_for(conv_blocks(s.channels) * rows, over(16384, kBlock * seen_.width),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t unit = begin; unit < end; ++unit) {
                     const int64_t block = unit / rows, row = unit % rows;
                     Patch patch = {image, block, row - s.pad[1], -s.pad[2], 1, seen_.width};
                     if (seen_.height == 1) {
                       patch.row = -s.pad[1];
                       patch.col += row * kStagePixels;
                       patch.cols = std::min(kStagePixels, seen_.width - row * kStagePixels);
                     }
                     const int64_t pixel = seen_.height == 1 ? row * kStagePixels : row * seen_.width;
                     conv_block::gather(data_, data, patch, seen + (block * seen_.plane() + pixel) * kBlock,
                                        patch.cols);
                   }
                 });
    return;
  }
  parallel_for(s.channels * seen_.height, over(16384, seen_.width), [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      float* to = seen + unit * seen_.width;
      const int64_t c = unit / seen_.height, row = unit % seen_.height - s.pad[1];
      std::memset(to, 0, static_cast<size_t>(seen_.width) * sizeof(float));
      if (row < 0 || row >= data_.height) continue;
      const int64_t count = std::min(data_.width, seen_.width - s.pad[2]);
      if (count > 0) {
        std::memcpy(to + s.pad[2], data + ((image * s.channels + c) * data_.height + row) * data_.width,
                    static_cast<size_t>(count) * sizeof(float));
      }
    }
  });
}

// Output pixels [first, first + segment_) of a row, filters of one group.
void Direct::segment(const float* image, const float* prepared, const float* bias, const ConvEpilogue& end,
                     int64_t index, int64_t row, int64_t first, int64_t group, float* out,
                     float* stage) const {
  const nn_backend::ConvShape& s = problem().shape;
  const int64_t pixels = std::min(segment_, out_.width - first), filter = group * width_;
  const int64_t tiles = over(pixels, kernel_.rows), block = filter / kBlock, blocks = conv_blocks(s.filters);
  const int64_t group_blocks = std::min(width_ / kBlock, blocks - block), lane = few_ ? 1 : kBlock;
  const bool plain = out_.layout == ConvLayout::plain, clamp = end.activation == ConvActivation::clamp;
  const bool later = !plain && !clamp && end.activation != ConvActivation::none;
  conv_tile::Tile t;
  t.a_row = row_step_;
  t.offset = offset_.data();
  t.steps = static_cast<int64_t>(offset_.size());
  t.run = run_;
  t.c_row = kBlock;
  t.ahead = s.kernel_size() == 1;
  t.clamp = clamp && !plain;
  t.low = end.low, t.high = end.high;
  for (int64_t i = 0; i < tiles; ++i) {
    const int64_t begin = kernel_.begin_of(i, tiles, pixels),
                  rows = kernel_.begin_of(i + 1, tiles, pixels) - begin;
    t.a = image + row * s.stride[1] * seen_.width * lane + (first + begin) * row_step_;
    for (int64_t f = 0; f < width_; f += kernel_.cols) {
      t.b = prepared + (filter + f) / kernel_.cols * strip_items();
      t.bias = bias + filter + f;
      for (int half = 0; half < 2; ++half) {
        const int64_t in_group = (f + half * kernel_.half()) / kBlock,
                      at_lane = (f + half * kernel_.half()) % kBlock;
        const bool inside = !plain && in_group < group_blocks;
        const int64_t at = inside ? out_.at(index, block + in_group, row, first + begin) + at_lane : 0;
        t.c[half] = inside ? out + at : stage + (in_group * segment_ + begin) * kBlock + at_lane;
        t.residual[half] = plain || !end.residual ? nullptr : inside ? end.residual + at : t.c[half];
      }
      kernel_.run(t, rows);
    }
    for (int64_t b = 0; later && b < group_blocks; ++b) {
      float* at = out + out_.at(index, block + b, row, first + begin);
      conv_epilogue::finish(end, at, nullptr, at, rows * kBlock);
    }
  }
  for (int64_t b = 0; plain && b < group_blocks; ++b) {
    conv_block::scatter(out_, {index, block + b, row, first, 1, pixels}, stage + b * segment_ * kBlock,
                        pixels, end, out);
  }
}

void Direct::run(const float* data, const float* prepared, const ConvEpilogue& end, float* out,
                 float* scratch) const {
  const nn_backend::ConvShape& s = problem().shape;
  float *bias = scratch, *seen = scratch + bias_items(), *stages = seen + (copies_ ? padded_items() : 0);
  std::memset(bias, 0, static_cast<size_t>(bias_items()) * sizeof(float));
  if (end.bias) std::memcpy(bias, end.bias, static_cast<size_t>(s.filters) * sizeof(float));
  const int64_t together = copies_ ? 1 : s.batch;  // images between two meetings of the threads
  const int64_t per_image = out_.height * segments_, segments = together * per_image;
  const int64_t units = by_filters_ ? groups_ * parts_ : segments;
  const int64_t products = static_cast<int64_t>(s.products()) / (s.batch / together) / units + 1;
  for (int64_t n = 0; n < s.batch; n += together) {
    if (copies_) copy_image(data, n, seen);
    const auto one = [&](int64_t unit, int64_t group, float* stage) {
      const int64_t image = n + unit / per_image, place = unit % per_image;
      const float* from = copies_ ? seen : data + image * data_.items();
      segment(from, prepared, bias, end, image, place / segments_, place % segments_ * segment_, group, out,
              stage);
    };
    const auto some = [&](int64_t begin, int64_t stop, float* stage) {
      for (int64_t u = begin; by_filters_ && u < stop; ++u) {
        const int64_t part = u % parts_, last = segments * (part + 1) / parts_;
        for (int64_t unit = segments * part / parts_; unit < last; ++unit) one(unit, u / parts_, stage);
      }
      for (int64_t at = begin; !by_filters_ && at < stop; at += segments_at_once_) {
        for (int64_t group = 0; group < groups_; ++group) {
          for (int64_t unit = at; unit < std::min(stop, at + segments_at_once_); ++unit)
            one(unit, group, stage);
        }
      }
    };
    conv_workspace::for_workspaces(units, kPartProducts / products + 1, stages, stage_items(), threads(),
                                   some);
  }
}

}  // namespace

bool serves(const ConvProblem& problem) {
  const nn_backend::ConvShape& s = problem.shape;
  return s.groups == 1 && !s.channels_last && s.in[0] == 1 && s.kernel[0] == 1 && s.pad[0] == 0 &&
         s.out_items() > 0;
}

Walk walk_of_pixels(int64_t channels, int64_t block_step) {
  const int64_t rest = channels % kBlock, half = kBlock / 2;
  Walk walk;
  walk.run = rest > 0 && rest <= half ? half : kBlock;
  for (int64_t c = 0; c < channels; c += walk.run)
    walk.offset.push_back(c / kBlock * block_step + c % kBlock);
  return walk;
}

std::unique_ptr<ConvPlan> make(const ConvProblem& problem) { return std::make_unique<Direct>(problem); }

namespace {

const bool kRegistered = register_conv_method(ConvAlgorithm::direct, {serves, make});

}  // namespace

}  // namespace mixgrad::conv_direct
