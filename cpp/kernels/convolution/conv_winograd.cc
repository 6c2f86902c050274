// 3x3 convolutions of step 1 by Winograd's fewer products.
#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "kernels/convolution/conv_block.h"
#include "kernels/convolution/conv_epilogue.h"
#include "kernels/convolution/conv_plan.h"
#include "kernels/convolution/conv_tile.h"
#include "kernels/convolution/conv_winograd_transform.h"
#include "kernels/convolution/conv_workspace.h"
#include "kernels/loops/transpose_tile.h"

namespace mixgrad::conv_winograd {
namespace {

using conv_block::Format;
using conv_block::kBlock;
using conv_block::Patch;
using conv_winograd_transform::Tiling;

int64_t over(int64_t n, int64_t part) { return (n + part - 1) / part; }

// A few tiles at a time: their inputs are transformed, multiplied by the weights (for each of the products a matrix
// product, tiles x channels by channels x filters), and the sums transformed into outputs, all in the second-level cache.
//
// With many tiles each thread does that for tiles of its own. With few, as at the end of a network, where weights are
// large, threads share the transformed inputs and take filters of their own, so that weights are read once; weights too
// large for the last-level cache are always read that way.
class Winograd : public ConvPlan {
 public:
  Winograd(const ConvProblem& problem, ConvAlgorithm algorithm, int size)
      : ConvPlan(problem, algorithm), tiling_{size}, kernel_(conv_tile::kernel()) {
    const nn_backend::ConvShape& s = problem.shape;
    data_ = {problem.data, s.channels, s.in[1], s.in[2]};
    out_ = {problem.out, s.filters, s.out[1], s.out[2]};
    pad_row_ = s.pad[1], pad_col_ = s.pad[2];
    tile_rows_ = over(s.out[1], size), tile_cols_ = over(s.out[2], size);
    tiles_ = s.batch * tile_rows_ * tile_cols_;
    blocks_ = conv_blocks(s.channels);
    strip_unit_ = std::max<int64_t>(1, kBlock / kernel_.cols);
    strips_ = over(s.filters, strip_unit_ * kernel_.cols) * strip_unit_;
    out_blocks_ = conv_blocks(s.filters);
    threads_ = std::min(conv_workspace::Workspaces::kMost, std::max(1, problem.threads));
    choose_sizes();
  }

  int64_t weight_items() const override { return tiling_.products() * weight_step(); }
  int64_t scratch_items() const override {
    return input_items() * (shared_ ? 1 : threads_) + threads_ * (sum_items() + stage_items());
  }

  void prepare(const float* weight, const float* scale, float* prepared) const override;
  void run(const float* data, const float* prepared, const ConvEpilogue& end, float* out,
           float* scratch) const override;

 private:
  // Tiles [first, first + count), at most most_tiles_.
  struct Range {
    int64_t first, count;
  };

  void choose_sizes();
  // Between the weights of two products; 17 lines off a power of two, so that writing all products in turn meets
  // different sets of the caches.
  int64_t weight_step() const { return strips_ * kernel_.cols * blocks_ * kBlock + 17 * kBlock; }
  int64_t input_items() const { return tiling_.products() * group_count_ * rows_ * blocks_ * kBlock; }
  int64_t sum_items() const {
    return tiling_.products() * group_count_ * rows_ * strips_at_once_ * kernel_.cols;
  }
  int64_t stage_pixels() const { return rows_ * tiling_.size + 2; }
  int64_t stage_items() const { return tiling_.extent() * stage_pixels() * kBlock; }

  // Calls f(run, offset) for every run of tiles that lie side by side in the image and in one group of rows of the
  // matrix product; offset counts from range.first.
  template <class F>
  void for_runs(Range range, const F& f) const {
    for (int64_t at = 0; at < range.count;) {
      const int64_t tile = range.first + at;
      const int64_t run = std::min({range.count - at, tile_cols_ - tile % tile_cols_, rows_ - at % rows_});
      f(Range{tile, run}, at);
      at += run;
    }
  }
  Patch patch_of(Range run, int64_t block, int64_t margin) const {
    const int64_t line = run.first / tile_cols_, col = run.first % tile_cols_ * tiling_.size;
    return {line / tile_rows_,
            block,
            line % tile_rows_ * tiling_.size,
            col,
            tiling_.size + margin,
            run.count * tiling_.size + margin};
  }

  void transform_inputs(const float* data, Range range, int64_t block_begin, int64_t block_end, float* inputs,
                        float* stage) const;
  void multiply(const float* inputs, const float* prepared, int64_t count, int64_t strip_begin,
                int64_t strip_end, float* sums) const;
  void transform_outputs(const float* sums, Range range, int64_t strip_begin, int64_t strip_end,
                         const ConvEpilogue& end, float* out, float* stage) const;
  void finish_tiles(const float* inputs, const float* prepared, Range range, int64_t strip_begin,
                    int64_t strip_end, const ConvEpilogue& end, float* out, float* workspace) const;

  Tiling tiling_;
  const conv_tile::Kernel kernel_;
  Format data_, out_;
  int64_t pad_row_, pad_col_, tile_rows_, tile_cols_, tiles_, blocks_, out_blocks_, strips_, threads_;
  int64_t strip_unit_;  // strips that make up whole blocks: divisions of the filters fall between those
  int64_t rows_ = 1, group_count_ = 1, most_tiles_ = 1, strips_at_once_ = 1;
  bool shared_ = false;
};

void Winograd::choose_sizes() {
  constexpr int64_t kPrivateTiles = 42, kSharedTiles = 84, kSumBytes = 400 << 10;
  constexpr int64_t kFarWeights = 4 << 20;
  shared_ = threads_ > 1 && (tiles_ < threads_ * kPrivateTiles || weight_items() > kFarWeights);
  const int64_t most = shared_ || threads_ == 1 ? kSharedTiles : kPrivateTiles;
  int64_t pieces = over(tiles_, most);
  if (!shared_) pieces = over(pieces, threads_) * threads_;
  most_tiles_ = std::max<int64_t>(1, over(tiles_, std::max<int64_t>(1, pieces)));
  group_count_ = over(most_tiles_, kernel_.rows);
  rows_ = over(most_tiles_, group_count_);
  const int64_t unit_bytes = tiling_.products() * group_count_ * rows_ * strip_unit_ * kernel_.cols * 4;
  const int64_t units = strips_ / strip_unit_, mine = shared_ ? over(units, threads_) : units;
  const int64_t most_units = std::max<int64_t>(1, std::min(mine, kSumBytes / unit_bytes));
  strips_at_once_ = over(mine, over(mine, most_units)) * strip_unit_;
}

void Winograd::prepare(const float* weight, const float* scale, float* prepared) const {
  const int64_t channels = data_.channels, cols = kernel_.cols, depth = blocks_ * kBlock;
  const int64_t piece = std::min(kBlock, cols), products = tiling_.products();
  if (depth != channels || strips_ * cols != out_.channels) {
    std::memset(prepared, 0, static_cast<size_t>(weight_items()) * sizeof(float));
  }
  constexpr int64_t kChannels = 4;  // taken at once
  const int64_t pieces = over(channels, kChannels);
  parallel_for(strips_ * pieces, 16, [&](int64_t begin, int64_t end) {
    alignas(64) float kernels[kChannels * 9 * kBlock], factors[36 * kBlock];
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t strip = unit / pieces, channel = unit % pieces * kChannels;
      const int64_t taken = std::min(kChannels, channels - channel);
      const int64_t last = std::min((strip + 1) * cols, out_.channels);
      for (int64_t filter = strip * cols; filter < last; filter += piece) {
        const int64_t filters = std::min(piece, last - filter);
        if (filters < kBlock) std::memset(kernels, 0, sizeof kernels);
        transpose_tile(weight + (filter * channels + channel) * 9, channels * 9, filters, taken * 9, kernels,
                       kBlock);
        for (int64_t i = 0; scale && i < taken * 9 * kBlock; ++i) {
          kernels[i] *= i % kBlock < filters ? scale[filter + i % kBlock] : 0;
        }
        for (int64_t c = 0; c < taken; ++c) {
          conv_winograd_transform::weights(tiling_, kernels + c * 9 * kBlock, factors);
          for (int64_t i = 0; i < products; ++i) {
            std::memcpy(prepared + i * weight_step() + (strip * depth + channel + c) * cols + filter % cols,
                        factors + i * kBlock, static_cast<size_t>(piece) * sizeof(float));
          }
        }
      }
    }
  });
}

void Winograd::transform_inputs(const float* data, Range range, int64_t block_begin, int64_t block_end,
                                float* inputs, float* stage) const {
  const int64_t product_step = group_count_ * blocks_ * rows_ * kBlock;
  for_runs(range, [&](Range run, int64_t at) {
    for (int64_t block = block_begin; block < block_end; ++block) {
      Patch patch = patch_of(run, block, 2);
      patch.row -= pad_row_, patch.col -= pad_col_;
      const bool inside = patch.row >= 0 && patch.col >= 0 && patch.row + patch.rows <= data_.height &&
                          patch.col + patch.cols <= data_.width;
      const float* src = stage;
      int64_t pitch = patch.cols * kBlock;
      if (inside && data_.layout == ConvLayout::blocked) {
        src = data + data_.at(patch.image, block, patch.row, patch.col);
        pitch = data_.width * kBlock;
      } else {
        conv_block::gather(data_, data, patch, stage, patch.cols);
      }
      float* dst = inputs + ((at / rows_ * blocks_ + block) * rows_ + at % rows_) * kBlock;
      conv_winograd_transform::inputs(tiling_, src, pitch, run.count, dst, product_step);
    }
  });
}

void Winograd::multiply(const float* inputs, const float* prepared, int64_t count, int64_t strip_begin,
                        int64_t strip_end, float* sums) const {
  constexpr int64_t kMostBlocks = 512;  // channels beyond are summed in several passes
  int64_t offset[kMostBlocks];
  const int64_t cols = kernel_.cols, width = strips_at_once_ * cols, depth = blocks_ * kBlock;
  const int64_t groups = over(count, rows_);
  for (int64_t i = 0; i < std::min(blocks_, kMostBlocks); ++i) offset[i] = i * rows_ * kBlock;
  conv_tile::Tile t;
  t.a_row = kBlock;
  t.offset = offset;
  t.run = kBlock;
  t.bias = nullptr;
  t.c_row = width;
  t.clamp = false;
  for (int64_t i = 0; i < tiling_.products(); ++i) {
    for (int64_t strip = strip_begin; strip < strip_end; ++strip) {
      const float* b = prepared + i * weight_step() + strip * depth * cols;
      const float* next = strip + 1 < strip_end ? b + depth * cols
                          : i + 1 < tiling_.products()
                              ? b + weight_step() - (strip - strip_begin) * depth * cols
                              : prepared + strip_end * depth * cols;
      for (int64_t tile = 0; tile < count; tile += rows_) {
        const int64_t group = tile / rows_, rows = std::min(rows_, count - tile);
        const float* a = inputs + (i * group_count_ + group) * blocks_ * rows_ * kBlock;
        t.c[0] = sums + (i * group_count_ * rows_ + tile) * width + (strip - strip_begin) * cols;
        t.c[1] = t.c[0] + kernel_.half();
        for (int64_t block = 0; block < blocks_; block += kMostBlocks) {
          t.a = a + block * rows_ * kBlock;
          t.b = b + block * kBlock * cols;
          t.steps = std::min(kMostBlocks, blocks_ - block);
          t.residual[0] = block ? t.c[0] : nullptr;
          t.residual[1] = block ? t.c[1] : nullptr;
          t.ask_for(next + block * kBlock * cols, t.steps * kBlock * cols, group, groups);
          if (i == 0 && strip == strip_begin && tile == 0) t.next = nullptr;  // nobody asked for its own
          kernel_.run(t, rows);
        }
      }
    }
  }
}

void Winograd::transform_outputs(const float* sums, Range range, int64_t strip_begin, int64_t strip_end,
                                 const ConvEpilogue& end, float* out, float* stage) const {
  const int64_t width = strips_at_once_ * kernel_.cols, first = strip_begin * kernel_.cols;
  const int64_t last = std::min(strip_end * kernel_.cols, out_.channels);
  for_runs(range, [&](Range run, int64_t at) {
    const int64_t pixels = run.count * tiling_.size;
    for (int64_t filter = first; filter < last; filter += kBlock) {
      alignas(64) float bias[kBlock] = {};
      if (end.bias) {
        std::memcpy(bias, end.bias + filter,
                    static_cast<size_t>(std::min(kBlock, out_.channels - filter)) * sizeof(float));
      }
      conv_winograd_transform::outputs(tiling_, sums + at * width + filter - first,
                                       group_count_ * rows_ * width, width, run.count, bias, stage,
                                       pixels * kBlock);
      conv_block::scatter(out_, patch_of(run, filter / kBlock, 0), stage, pixels, end, out);
    }
  });
}

void Winograd::finish_tiles(const float* inputs, const float* prepared, Range range, int64_t strip_begin,
                            int64_t strip_end, const ConvEpilogue& end, float* out, float* workspace) const {
  for (int64_t strip = strip_begin; strip < strip_end; strip += strips_at_once_) {
    const int64_t next = std::min(strip_end, strip + strips_at_once_);
    multiply(inputs, prepared, range.count, strip, next, workspace);
    transform_outputs(workspace, range, strip, next, end, out, workspace + sum_items());
  }
}

void Winograd::run(const float* data, const float* prepared, const ConvEpilogue& end, float* out,
                   float* scratch) const {
  const int64_t pieces = over(tiles_, most_tiles_), workspace_items = sum_items() + stage_items();
  const auto piece = [&](int64_t p) {
    return Range{p * most_tiles_, std::min(most_tiles_, tiles_ - p * most_tiles_)};
  };
  if (!shared_) {
    const auto some = [&](int64_t begin, int64_t stop, float* inputs) {
      float* workspace = inputs + input_items();
      for (int64_t p = begin; p < stop; ++p) {
        transform_inputs(data, piece(p), 0, blocks_, inputs, workspace + sum_items());
        finish_tiles(inputs, prepared, piece(p), 0, strips_, end, out, workspace);
      }
    };
    return conv_workspace::for_workspaces(pieces, 1, scratch, input_items() + workspace_items, threads_,
                                          some);
  }
  float* workspaces = scratch + input_items();
  for (int64_t p = 0; p < pieces; ++p) {
    const auto blocks = [&](int64_t begin, int64_t stop, float* workspace) {
      transform_inputs(data, piece(p), begin, stop, scratch, workspace + sum_items());
    };
    conv_workspace::for_workspaces(blocks_, 1, workspaces, workspace_items, threads_, blocks);
    const auto filters = [&](int64_t begin, int64_t stop, float* workspace) {
      finish_tiles(scratch, prepared, piece(p), begin * strip_unit_, stop * strip_unit_, end, out, workspace);
    };
    conv_workspace::for_workspaces(strips_ / strip_unit_, 1, workspaces, workspace_items, threads_, filters);
  }
}

// 3x3 windows, stride and dilation 1, one group, any padding.
bool serves(const ConvProblem& problem) {
  const nn_backend::ConvShape& s = problem.shape;
  bool plain = s.groups == 1 && !s.channels_last && s.in[0] == 1 && s.kernel[0] == 1 && s.pad[0] == 0;
  for (int i = 1; i < 3; ++i) {
    plain = plain && s.kernel[i] == 3 && s.stride[i] == 1 && s.dilate[i] == 1;
  }
  return plain && s.out_items() > 0;
}

// kSize: 2 (16 products for 4 outputs, errors as of a direct sum) or 4 (36 for 16, errors some 4 times as large).
template <ConvAlgorithm kAlgorithm, int kSize>
std::unique_ptr<ConvPlan> make(const ConvProblem& problem) {
  return std::make_unique<Winograd>(problem, kAlgorithm, kSize);
}

const bool kRegistered =
    register_conv_method(ConvAlgorithm::winograd2, {serves, make<ConvAlgorithm::winograd2, 2>}) &&
    register_conv_method(ConvAlgorithm::winograd4, {serves, make<ConvAlgorithm::winograd4, 4>});

}  // namespace
}  // namespace mixgrad::conv_winograd
