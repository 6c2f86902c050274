// Winograd's transforms of 3x3 convolutions, for tiles of 2x2 or 4x4 outputs and blocks of 16 channels.
#pragma once

#include <cstdint>

namespace mixgrad::conv_winograd_transform {

// A tile of `size` x `size` outputs comes from extent() squared inputs by products() products per pair of channels.
struct Tiling {
  int size;  // 2 or 4
  int extent() const { return size + 2; }
  int products() const { return extent() * extent(); }
};

// Inputs of `tiles` tiles side by side. Tile t's pixels begin at src + t * size * 16, rows of pixels are `pitch` floats
// apart; product i of tile t goes to dst + i * product_step + t * 16.
void inputs(Tiling tiling, const float* src, int64_t pitch, int64_t tiles, float* dst, int64_t product_step);

// Sums of products back to outputs, bias added (16 floats). Product i of tile t lies at src + i * product_step +
// t * tile_step; tile t's pixels begin at dst + t * size * 16, rows are `pitch` floats apart.
void outputs(Tiling tiling, const float* src, int64_t product_step, int64_t tile_step, int64_t tiles,
             const float* bias, float* dst, int64_t pitch);

// The transpose of `outputs` for tiles of 4x4: gradients of the outputs to those of the products. Tile t's pixels begin at
// src + t * 4 * 16, rows are `pitch` floats apart; product i goes to dst + i * product_step + t * tile_step.
void output_grads(const float* src, int64_t pitch, int64_t tiles, float* dst, int64_t product_step,
                  int64_t tile_step);

// The transpose of `weights` for tiles of 4x4: gradients of 36 factors, product_step floats apart, to those of a window:
// kernel[3 * row + col][filter], 16 filters.
void weight_grads(const float* factor, int64_t product_step, float* kernel);

// The products' factors of one input channel and 16 filters: kernel[3 * row + col][filter] gives factor[i][filter].
void weights(Tiling tiling, const float* kernel, float* factor);

}  // namespace mixgrad::conv_winograd_transform
