#include "kernels/convolution/conv_block.h"

#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "kernels/convolution/conv_epilogue.h"
#include "kernels/loops/transpose_tile.h"

namespace mixgrad::conv_block {
namespace {

// dst[pixel][lane] = src[lane * plane + pixel], zeros for lanes from `lanes` on.
void interleave(const float* src, int64_t plane, int64_t lanes, int64_t pixels, float* dst) {
  transpose_tile(src, plane, lanes, pixels, dst, kBlock);
  for (int64_t lane = lanes; lane < kBlock; ++lane) {
    for (int64_t p = 0; p < pixels; ++p) dst[p * kBlock + lane] = 0;
  }
}

// dst[lane * plane + pixel] = src[pixel][lane].
void separate(const float* src, int64_t lanes, int64_t pixels, float* dst, int64_t plane) {
  transpose_tile(src, kBlock, pixels, lanes, dst, plane);
}

int64_t lanes_of(const Format& format, int64_t block) {
  return std::min(kBlock, format.channels - block * kBlock);
}

void zero_pixels(float* dst, int64_t pixels) {
  if (pixels > 0) std::memset(dst, 0, static_cast<size_t>(pixels * kBlock) * sizeof(float));
}

}  // namespace

void gather(const Format& format, const float* data, const Patch& patch, float* dst, int64_t pitch) {
  const int64_t first = std::min(std::max<int64_t>(0, -patch.col), patch.cols);
  const int64_t last = std::max(first, std::min(patch.cols, format.width - patch.col));
  for (int64_t r = 0; r < patch.rows; ++r, dst += pitch * kBlock) {
    const int64_t row = patch.row + r;
    if (row < 0 || row >= format.height || first == last) {
      zero_pixels(dst, patch.cols);
      continue;
    }
    zero_pixels(dst, first);
    const float* src = data + format.at(patch.image, patch.block, row, patch.col + first);
    float* to = dst + first * kBlock;
    if (format.layout == ConvLayout::plain) {
      interleave(src, format.plane(), lanes_of(format, patch.block), last - first, to);
    } else {
      std::memcpy(to, src, static_cast<size_t>((last - first) * kBlock) * sizeof(float));
    }
    zero_pixels(dst + last * kBlock, patch.cols - last);
  }
}

void scatter(const Format& format, const Patch& patch, const float* src, int64_t pitch,
             const ConvEpilogue& end, float* out) {
  const int64_t rows = std::min(patch.rows, format.height - patch.row);
  const int64_t cols = std::min(patch.cols, format.width - patch.col);
  const bool done = conv_epilogue::nothing_left(end);
  if (rows > 1 && patch.col == 0 && cols == format.width && pitch == cols) {
    // Whole rows lie end to end in the image as in the patch: one long row.
    const Format line = {format.layout, format.channels, 1, format.plane()};
    const Patch run = {patch.image, patch.block, 0, patch.row * cols, 1, rows * cols};
    return scatter(line, run, src, rows * cols, end, out);
  }
  for (int64_t r = 0; r < rows; ++r, src += pitch * kBlock) {
    const int64_t at = format.at(patch.image, patch.block, patch.row + r, patch.col);
    const float* residual = end.residual ? end.residual + at : nullptr;
    if (format.layout == ConvLayout::blocked) {
      if (done) {
        std::memcpy(out + at, src, static_cast<size_t>(cols * kBlock) * sizeof(float));
      } else {
        conv_epilogue::finish(end, src, residual, out + at, cols * kBlock);
      }
      continue;
    }
    const int64_t lanes = lanes_of(format, patch.block), plane = format.plane();
    if (!end.residual) {
      separate(src, lanes, cols, out + at, plane);
      for (int64_t l = 0; l < lanes && !done; ++l) {
        conv_epilogue::finish(end, out + at + l * plane, nullptr, out + at + l * plane, cols);
      }
      continue;
    }
    // The residual may be the output itself, so sums wait beside it.
    constexpr int64_t kRun = 64;
    float workspace[kBlock * kRun];
    for (int64_t c = 0; c < cols; c += kRun) {
      const int64_t run = std::min(kRun, cols - c);
      separate(src + c * kBlock, lanes, run, workspace, kRun);
      for (int64_t l = 0; l < lanes; ++l) {
        conv_epilogue::finish(end, workspace + l * kRun, residual + l * plane + c, out + at + l * plane + c,
                              run);
      }
    }
  }
}

}  // namespace mixgrad::conv_block

namespace mixgrad {
namespace {

constexpr int64_t kMovePixels = 4096;  // of a block, as one unit of work

template <class Move>
void move_image(int64_t batch, int64_t channels, int64_t positions, const Move& move) {
  const int64_t blocks = conv_blocks(channels);
  const int64_t pieces = (positions + kMovePixels - 1) / kMovePixels;
  parallel_for(batch * blocks * pieces, 2, [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t first = unit % pieces * kMovePixels, block = unit / pieces % blocks;
      move(conv_block::Patch{unit / pieces / blocks, block, 0, first, 1,
                             std::min(kMovePixels, positions - first)});
    }
  });
}

}  // namespace

int64_t conv_image_items(ConvLayout layout, int64_t batch, int64_t channels, int64_t positions) {
  return batch * conv_block::Format{layout, channels, 1, positions}.items();
}

void conv_to_blocked(const float* plain, int64_t batch, int64_t channels, int64_t positions, float* blocked) {
  const conv_block::Format from{ConvLayout::plain, channels, 1, positions};
  const conv_block::Format to{ConvLayout::blocked, channels, 1, positions};
  move_image(batch, channels, positions, [&](const conv_block::Patch& patch) {
    conv_block::gather(from, plain, patch, blocked + to.at(patch.image, patch.block, 0, patch.col),
                       patch.cols);
  });
}

void conv_to_plain(const float* blocked, int64_t batch, int64_t channels, int64_t positions, float* plain) {
  const conv_block::Format from{ConvLayout::blocked, channels, 1, positions};
  const conv_block::Format to{ConvLayout::plain, channels, 1, positions};
  move_image(batch, channels, positions, [&](const conv_block::Patch& patch) {
    conv_block::scatter(to, patch, blocked + from.at(patch.image, patch.block, 0, patch.col), patch.cols,
                        ConvEpilogue(), plain);
  });
}

}  // namespace mixgrad
