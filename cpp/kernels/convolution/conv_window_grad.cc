#include "kernels/convolution/conv_window_grad.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/parallel.h"
#include "kernels/convolution/conv_block.h"
#include "kernels/convolution/conv_grad_tile.h"
#include "kernels/loops/transpose_tile.h"
#include "kernels/scratch.h"

namespace mixgrad::conv_window_grad {
namespace {

using conv_block::Format;
using conv_block::kBlock;
using nn_backend::ConvShape;

constexpr int64_t kRun = 192;   // output pixels summed in registers: a strip of their gradients is 24 KB
constexpr int64_t kUnits = 32;  // into which the work is cut if it can be; shapes decide, not threads
constexpr int64_t kMostSums = 16 << 20;  // floats, with those of all parts of the batch
constexpr int64_t kFewestTaps = 9;  // places of the window, times blocks, that repay laying out gradients

int64_t over(int64_t n, int64_t part) { return (n + part - 1) / part; }

// One tile of sums: rows that read neighbours in the image, `row` the first among the rows of a block.
struct Call {
  int64_t offset, row;
};

// For each place of the window a product, channels x pixels by pixels x filters. Gradients of some pixels and a strip of
// filters are laid side by side and meet the image under every place of the window; the rows of a tile of sums are channels of
// one block. Where a plain image has few channels, its pixels are laid side by side, and the rows are what lies in one row of
// the window. A unit of work is some images, some blocks and some strips. Sums of parts of the batch are joined in order.
class WindowGrad {
 public:
  explicit WindowGrad(const ConvShape& s) : s_(s), kernel_(conv_grad_tile::kernel()) {
    channels_ = s.channels / s.groups, filters_ = s.filters / s.groups;
    data_ = {s.data_blocked ? ConvLayout::blocked : ConvLayout::plain, s.channels, s.in[1], s.in[2]};
    few_ = !s.data_blocked && s.channels < kBlock / 2 && s.dilate[2] == 1;
    pixel_ = few_ ? s.channels : kBlock;
    height_ = (s.out[1] - 1) * s.stride[1] + (s.kernel[1] - 1) * s.dilate[1] + 1;
    width_ = (s.out[2] - 1) * s.stride[2] + (s.kernel[2] - 1) * s.dilate[2] + 1;
    copies_ = !s.data_blocked || s.pad[1] || s.pad[2] || height_ > s.in[1] || width_ > s.in[2];
    if (!copies_) height_ = s.in[1], width_ = s.in[2];
    const bool one_line = !copies_ && s.kernel_size() == 1 && s.out_size() == s.in_size();
    step_ = s.stride[2] * pixel_;
    line_ = one_line ? s.out_size() : s.out[2];
    lines_ = s.out_size() / line_;
    lines_at_once_ = std::max<int64_t>(1, kRun / line_);
    pixels_at_once_ = over(line_, over(line_, kRun));
    for (int64_t h = 0; h < lines_; ++h) line_offset_.push_back(h * s.stride[1] * width_ * pixel_);
    if (few_)
      call_window_rows();
    else
      call_channels();
    divide();
  }

  void run(const float* data, const float* out_grad, float* weight_grad) {
    const Scratch sums = Scratch::of<float>(parts_ * part_items());
    sums_ = sums.as<float>();
    const int64_t per_part = s_.groups * runs_ * cuts_;
    parallel_for(parts_ * per_part, 1, [&](int64_t begin, int64_t end) {
      const Scratch laid = Scratch::of<float>(kRun * kernel_.cols),
                    image = Scratch::of<float>(copies_ ? blocks_at_once_ * plane() : 0);
      for (int64_t i = begin; i < end; ++i) {
        const int64_t unit = i % per_part;
        some(data, out_grad, i / per_part, unit / cuts_ / runs_, unit / cuts_ % runs_, unit % cuts_,
             laid.as<float>(), image.as<float>());
      }
    });
    const int64_t blocks = s_.groups * blocks_;
    parallel_for(blocks * strips_, 2, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) store(i / strips_, i % strips_, weight_grad);
    });
  }

 private:
  void call_channels() {
    blocks_ = conv_blocks(channels_), rows_ = s_.kernel_size() * kBlock;
    for (int64_t k = 0; k < s_.kernel_size(); ++k) {
      const int64_t place = k / s_.kernel[2] * s_.dilate[1] * width_ + k % s_.kernel[2] * s_.dilate[2];
      for (int64_t c = 0; c < kBlock; c += kernel_.rows)
        calls_.push_back({place * kBlock + c, k * kBlock + c});
    }
  }
  void call_window_rows() {
    row_rows_ = over(s_.kernel[2] * s_.channels, kernel_.rows) * kernel_.rows;
    blocks_ = 1, rows_ = s_.kernel[1] * row_rows_;
    for (int64_t kh = 0; kh < s_.kernel[1]; ++kh) {
      for (int64_t i = 0; i < row_rows_; i += kernel_.rows)
        calls_.push_back({kh * s_.dilate[1] * width_ * pixel_ + i, kh * row_rows_ + i});
    }
  }

  void divide() {
    strips_ = over(filters_, kernel_.cols);
    blocks_at_once_ = few_ ? 1 : std::min(blocks_, over(kFewestTaps, s_.kernel_size()));
    runs_ = over(blocks_, blocks_at_once_);
    const int64_t units = s_.groups * runs_;
    parts_ = std::clamp<int64_t>(kUnits / units, 1, s_.batch);
    parts_ = std::max<int64_t>(1, std::min(parts_, kMostSums / part_items()));
    cuts_ = std::clamp<int64_t>(kUnits / (units * parts_), 1, strips_);
  }

  // With workspace for the last tile of rows to read on behind a row of the window.
  int64_t plane() const { return height_ * width_ * pixel_ + kBlock; }
  int64_t tile_items() const { return rows_ * kernel_.cols; }  // of a block and a strip
  int64_t part_items() const { return s_.groups * blocks_ * strips_ * tile_items(); }
  float* sums_of(int64_t part, int64_t block, int64_t strip) const {
    return sums_ + part * part_items() + (block * strips_ + strip) * tile_items();
  }

  void some(const float* data, const float* out_grad, int64_t part, int64_t group, int64_t run, int64_t cut,
            float* laid, float* image) const {
    const int64_t first_image = s_.batch * part / parts_, last_image = s_.batch * (part + 1) / parts_;
    const int64_t first = run * blocks_at_once_, last = std::min(blocks_, first + blocks_at_once_);
    for (int64_t n = first_image; n < last_image; ++n) {
      for (int64_t b = first; copies_ && b < last; ++b)
        copy(data, n, group * blocks_ + b, image + (b - first) * plane());
      for (int64_t line = 0; line < lines_; line += lines_at_once_) {
        for (int64_t col = 0; col < line_; col += pixels_at_once_) {
          const Pixels pixels = {line, col, std::min(lines_at_once_, lines_ - line),
                                 std::min(pixels_at_once_, line_ - col), n == first_image && line + col == 0};
          for (int64_t strip = strips_ * cut / cuts_; strip < strips_ * (cut + 1) / cuts_; ++strip) {
            lay(out_grad, n, line * line_ + col, pixels.lines * pixels.count, group, strip, laid);
            for (int64_t b = first; b < last; ++b) {
              const float* from =
                  copies_ ? image + (b - first) * plane() : data + data_.at(n, group * blocks_ + b, 0, 0);
              add(from, pixels, laid, sums_of(part, group * blocks_ + b, strip));
            }
          }
        }
      }
    }
  }

  // Some lines, or pixels of one; `fresh`: the first of their sums.
  struct Pixels {
    int64_t line, col, lines, count;
    bool fresh;
  };

  void add(const float* image, const Pixels& pixels, const float* laid, float* sums) const {
    conv_grad_tile::Tile t;
    t.offset = line_offset_.data() + pixels.line;
    t.segments = pixels.lines, t.count = pixels.count, t.step = step_;
    t.b = laid;
    t.add = !pixels.fresh;
    for (const Call& call : calls_) {
      t.a = image + call.offset + pixels.col * step_;
      t.c = sums + call.row * kernel_.cols;
      kernel_.run(t);
    }
  }

  // What the windows see of a block, or of all few channels, with zeros around it.
  void copy(const float* data, int64_t image, int64_t block, float* to) const {
    if (!few_) {
      return conv_block::gather(data_, data, {image, block, -s_.pad[1], -s_.pad[2], height_, width_}, to,
                                width_);
    }
    std::memset(to, 0, static_cast<size_t>(plane()) * sizeof(float));
    const int64_t count = std::min(s_.in[2], width_ - s_.pad[2]);
    for (int64_t i = 0; i < s_.channels * s_.in[1]; ++i) {
      const int64_t c = i / s_.in[1], row = i % s_.in[1] + s_.pad[1];
      if (row >= height_) continue;
      const float* from = data + (image * s_.channels * s_.in[1] + i) * s_.in[2];
      float* at = to + (row * width_ + s_.pad[2]) * s_.channels + c;
      for (int64_t w = 0; w < count; ++w) at[w * s_.channels] = from[w];
    }
  }

  // Gradients of some pixels and one strip, filters side by side; zeros past the last filter of the group.
  void lay(const float* out_grad, int64_t image, int64_t pixel, int64_t pixels, int64_t group, int64_t strip,
           float* to) const {
    const int64_t cols = kernel_.cols, first = strip * cols, filters = std::min(cols, filters_ - first);
    const float* from = out_grad + (image * s_.filters + group * filters_ + first) * s_.out_size();
    for (int64_t f = 0; s_.out_blocked && f < filters; f += kBlock) {
      const float* block = from + f * s_.out_size() + pixel * kBlock;
      for (int64_t i = 0; i < pixels; ++i)
        std::memcpy(to + i * cols + f, block + i * kBlock, kBlock * sizeof(float));
    }
    if (!s_.out_blocked) transpose_tile(from + pixel, s_.out_size(), filters, pixels, to, cols);
    for (int64_t i = 0; filters < cols && i < pixels; ++i)
      std::memset(to + i * cols + filters, 0, static_cast<size_t>(cols - filters) * sizeof(float));
  }

  // `block` counts those of all groups.
  void store(int64_t block, int64_t strip, float* weight_grad) const {
    const int64_t cols = kernel_.cols, window = s_.kernel_size(), depth = channels_ * window;
    float* sums = sums_of(0, block, strip);
    for (int64_t part = 1; part < parts_; ++part) {
      const float* more = sums_of(part, block, strip);
      for (int64_t i = 0; i < tile_items(); ++i) sums[i] += more[i];
    }
    const int64_t group = block / blocks_, first = block % blocks_ * kBlock;
    const int64_t channels = few_ ? s_.channels : std::min(kBlock, channels_ - first);
    for (int64_t f = 0; f < std::min(cols, filters_ - strip * cols); ++f) {
      float* to = weight_grad + (group * filters_ + strip * cols + f) * depth + first * window;
      for (int64_t c = 0; c < channels; ++c) {
        for (int64_t k = 0; k < window; ++k) {
          const int64_t kh = k / s_.kernel[2], kw = k % s_.kernel[2];
          const int64_t row = few_ ? kh * row_rows_ + kw * s_.channels + c : k * kBlock + c;
          to[c * window + k] = sums[row * cols + f];
        }
      }
    }
  }

  const ConvShape& s_;
  const conv_grad_tile::Kernel kernel_;
  Format data_;
  bool few_, copies_;
  int64_t channels_, filters_;      // of a group
  int64_t height_, width_;          // of what the windows see
  int64_t blocks_, rows_, strips_;  // of a group; rows of sums of a block
  int64_t pixel_,
      row_rows_ = 0;  // floats of a pixel that lie together; rows of sums of a window row of few channels
  int64_t blocks_at_once_, runs_, parts_, cuts_;
  // Output pixels in lines, and of the image under them where a line begins and how far on the next pixel lies.
  int64_t line_, lines_, lines_at_once_, pixels_at_once_, step_;
  std::vector<int64_t> line_offset_;
  std::vector<Call> calls_;
  float* sums_ = nullptr;
};

}  // namespace

bool serves(const ConvShape& s) {
  if (s.channels_last || s.in[0] != 1 || s.kernel[0] != 1 || s.pad[0] != 0) return false;
  if (s.out_items() == 0 || s.data_items() == 0 || conv_grad_tile::kernel().rows == 0) return false;
  // A product of plain images needs no copies.
  if (s.kernel_size() == 1 && !s.blocked()) return false;
  return s.groups == 1 || (s.channels / s.groups % kBlock == 0 && s.filters / s.groups % kBlock == 0);
}

void weight_grad(const ConvShape& s, const float* data, const float* out_grad, float* weight_grad) {
  WindowGrad(s).run(data, out_grad, weight_grad);
}

}  // namespace mixgrad::conv_window_grad
