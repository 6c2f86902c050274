// Pieces of images in blocks of 16 channels, read from and written to plain or blocked images.
#pragma once

#include "kernels/convolution/conv_plan.h"

namespace mixgrad::conv_block {

inline constexpr int64_t kBlock = kConvBlock;

// Images of one or two axes in one layout.
struct Format {
  ConvLayout layout;
  int64_t channels, height, width;

  int64_t plane() const { return height * width; }
  // Of one image.
  int64_t items() const {
    return (layout == ConvLayout::plain ? channels : conv_blocks(channels) * kBlock) * plane();
  }
  // First element of pixel (row, col) of a block of channels. Plain images have its channels plane() apart.
  int64_t at(int64_t image, int64_t block, int64_t row, int64_t col) const {
    const int64_t pixel = row * width + col;
    return image * items() + block * kBlock * plane() +
           (layout == ConvLayout::plain ? pixel : pixel * kBlock);
  }
};

// A rectangle of pixels of one block of channels; it may reach over the edges of the image.
struct Patch {
  int64_t image, block, row, col, rows, cols;
};

// dst[r][c][lane], c stepping by `pitch` pixels per row; zeros outside the image and past the last channel.
void gather(const Format& format, const float* data, const Patch& patch, float* dst, int64_t pitch);
// Stores activation(src + residual) where the patch lies inside the image, src laid out like gather's dst.
void scatter(const Format& format, const Patch& patch, const float* src, int64_t pitch,
             const ConvEpilogue& end, float* out);

}  // namespace mixgrad::conv_block
