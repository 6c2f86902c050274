#include "kernels/convolution/conv_winograd_grad.h"

#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "kernels/convolution/conv_block.h"
#include "kernels/convolution/conv_grad_tile.h"
#include "kernels/convolution/conv_winograd_transform.h"
#include "kernels/scratch.h"

namespace mixgrad::conv_winograd_grad {
namespace {

using conv_block::Format;
using conv_block::kBlock;
using conv_block::Patch;
using nn_backend::ConvShape;

constexpr int64_t kProducts = 36, kTile = 4, kExtent = 6;
constexpr int64_t kSumTiles = 192;        // summed in registers: their filters' share is 24 KB
constexpr int64_t kMostTiles = 256;       // transformed between two meetings of the threads, if they fit ...
constexpr int64_t kMostFloats = 6 << 20;  // ... 24 MB
constexpr int64_t kFewestChannels = 32;

int64_t over(int64_t n, int64_t part) { return (n + part - 1) / part; }

// The gradient is G' (sum over tiles of (B' d B) x (A g A')) G, where d are a tile's inputs, g its outputs' gradients and
// x multiplies element by element. Lines of tiles are transformed some at a time; then each of the 36 products is a matrix
// product, channels x tiles by tiles x filters, added to its sums.
class WinogradGrad {
 public:
  explicit WinogradGrad(const ConvShape& s) : s_(s), kernel_(conv_grad_tile::kernel()) {
    data_ = {ConvLayout::blocked, s.channels, s.in[1], s.in[2]};
    out_ = {ConvLayout::blocked, s.filters, s.out[1], s.out[2]};
    blocks_ = s.channels / kBlock, out_blocks_ = s.filters / kBlock;
    strips_ = over(s.filters, kernel_.cols);
    tile_rows_ = over(s.out[1], kTile), tile_cols_ = over(s.out[2], kTile);
    lines_ = s.batch * tile_rows_;
    const int64_t floats = kProducts * (s.channels + strips_ * kernel_.cols);
    const int64_t most = std::max<int64_t>(1, std::min(kMostTiles, kMostFloats / floats));
    chunk_lines_ = std::max<int64_t>(1, std::min(lines_, most / tile_cols_));
    chunk_lines_ = over(lines_, over(lines_, chunk_lines_));
    tiles_ = chunk_lines_ * tile_cols_;
    data_step_ = apart(tiles_ * s.channels);
    grad_step_ = apart(tiles_ * strips_ * kernel_.cols);
    sum_step_ = apart(s.channels * strips_ * kernel_.cols);
  }

  void run(const float* data, const float* out_grad, float* weight_grad) {
    const Scratch inputs = Scratch::of<float>(kProducts * data_step_),
                  grads = Scratch::of<float>(kProducts * grad_step_),
                  sums = Scratch::of<float>(kProducts * sum_step_);
    inputs_ = inputs.as<float>(), grads_ = grads.as<float>(), sums_ = sums.as<float>();
    if (out_blocks_ * kBlock < strips_ * kernel_.cols)
      std::memset(grads_, 0, static_cast<size_t>(kProducts * grad_step_) * sizeof(float));
    for (int64_t line = 0; line < lines_; line += chunk_lines_) {
      const int64_t lines = std::min(chunk_lines_, lines_ - line), per_line = blocks_ + out_blocks_;
      parallel_for(lines * per_line, 4, [&](int64_t begin, int64_t end) {
        const Scratch stage = Scratch::of<float>(kExtent * (tile_cols_ * kTile + 2) * kBlock);
        for (int64_t i = begin; i < end; ++i) {
          const int64_t block = i % per_line;
          if (block < blocks_)
            transform_inputs(data, line, i / per_line, block, stage.as<float>());
          else
            transform_grads(out_grad, line, i / per_line, block - blocks_, stage.as<float>());
        }
      });
      parallel_for(kProducts * strips_, 1, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          multiply(i / strips_, i % strips_, lines * tile_cols_, line == 0);
      });
    }
    parallel_for(out_blocks_ * blocks_, 2, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) store(i / blocks_, i % blocks_, weight_grad);
    });
  }

 private:
  // At least `floats`, such that lines of all products that are written in turn meet different sets of the caches.
  static int64_t apart(int64_t floats) {
    constexpr int64_t kSets = 64, kStep = 7;
    const int64_t lines = over(floats, kBlock);
    return (lines + (kStep - lines % kSets + kSets) % kSets) * kBlock;
  }

  // Pixels of a patch: where they lie, or a copy with zeros around the image.
  static const float* pixels(const Format& format, const float* image, const Patch& p, float* stage,
                             int64_t* pitch) {
    if (p.row >= 0 && p.col >= 0 && p.row + p.rows <= format.height && p.col + p.cols <= format.width) {
      *pitch = format.width * kBlock;
      return image + format.at(p.image, p.block, p.row, p.col);
    }
    conv_block::gather(format, image, p, stage, p.cols);
    *pitch = p.cols * kBlock;
    return stage;
  }

  void transform_inputs(const float* data, int64_t line, int64_t ahead, int64_t block, float* stage) const {
    const int64_t at = line + ahead;
    const Patch patch = {at / tile_rows_, block,   at % tile_rows_ * kTile - s_.pad[1],
                         -s_.pad[2],      kExtent, tile_cols_ * kTile + 2};
    int64_t pitch;
    const float* from = pixels(data_, data, patch, stage, &pitch);
    conv_winograd_transform::inputs({kTile}, from, pitch, tile_cols_,
                                    inputs_ + (block * tiles_ + ahead * tile_cols_) * kBlock, data_step_);
  }
  void transform_grads(const float* out_grad, int64_t line, int64_t ahead, int64_t block,
                       float* stage) const {
    const int64_t at = line + ahead, cols = kernel_.cols, filter = block * kBlock;
    const Patch patch = {at / tile_rows_, block, at % tile_rows_ * kTile, 0, kTile, tile_cols_ * kTile};
    int64_t pitch;
    const float* from = pixels(out_, out_grad, patch, stage, &pitch);
    float* to = grads_ + (filter / cols * tiles_ + ahead * tile_cols_) * cols + filter % cols;
    conv_winograd_transform::output_grads(from, pitch, tile_cols_, to, grad_step_, cols);
  }

  // Sums of one product and a strip of filters, all channels.
  void multiply(int64_t product, int64_t strip, int64_t tiles, bool first) const {
    constexpr int64_t kStart = 0;
    const int64_t cols = kernel_.cols;
    conv_grad_tile::Tile t;
    t.offset = &kStart, t.segments = 1, t.step = kBlock;
    for (int64_t tile = 0; tile < tiles; tile += kSumTiles) {
      t.count = std::min(kSumTiles, tiles - tile);
      t.b = grads_ + product * grad_step_ + (strip * tiles_ + tile) * cols;
      t.add = !first || tile > 0;
      for (int64_t c = 0; c < s_.channels; c += kernel_.rows) {
        t.a = inputs_ + product * data_step_ + (c / kBlock * tiles_ + tile) * kBlock + c % kBlock;
        t.c = sums_ + product * sum_step_ + (strip * s_.channels + c) * cols;
        kernel_.run(t);
      }
    }
  }

  // Windows of 16 filters and 16 channels.
  void store(int64_t out_block, int64_t block, float* weight_grad) const {
    const int64_t cols = kernel_.cols, filter = out_block * kBlock, channel = block * kBlock;
    alignas(64) float window[9 * kBlock], transposed[kBlock * kBlock * 9];
    for (int64_t c = 0; c < kBlock; ++c) {
      const float* from = sums_ + (filter / cols * s_.channels + channel + c) * cols + filter % cols;
      conv_winograd_transform::weight_grads(from, sum_step_, window);
      for (int64_t f = 0; f < kBlock; ++f) {
        for (int64_t k = 0; k < 9; ++k) transposed[(f * kBlock + c) * 9 + k] = window[k * kBlock + f];
      }
    }
    for (int64_t f = 0; f < kBlock; ++f) {
      std::memcpy(weight_grad + ((filter + f) * s_.channels + channel) * 9, transposed + f * kBlock * 9,
                  sizeof(float) * kBlock * 9);
    }
  }

  const ConvShape& s_;
  const conv_grad_tile::Kernel kernel_;
  Format data_, out_;
  int64_t blocks_, out_blocks_, strips_, tile_rows_, tile_cols_, lines_, chunk_lines_, tiles_;
  int64_t data_step_, grad_step_, sum_step_;
  float *inputs_ = nullptr, *grads_ = nullptr, *sums_ = nullptr;
};

}  // namespace

bool serves(const ConvShape& s) {
  if (!s.data_blocked || !s.out_blocked || s.groups != 1 || s.in[0] != 1 || s.kernel[0] != 1 || s.pad[0] != 0)
    return false;
  for (int i = 1; i < 3; ++i) {
    if (s.kernel[i] != 3 || s.stride[i] != 1 || s.dilate[i] != 1) return false;
  }
  return s.channels >= kFewestChannels && s.filters >= kFewestChannels && s.out_items() > 0 &&
         conv_grad_tile::kernel().rows > 0;
}

void weight_grad(const ConvShape& s, const float* data, const float* out_grad, float* weight_grad) {
  WinogradGrad(s).run(data, out_grad, weight_grad);
}

}  // namespace mixgrad::conv_winograd_grad
