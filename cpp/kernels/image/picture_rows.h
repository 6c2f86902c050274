// Rows of pictures on their way into batches: resized, mirrored, normalised, one plane per channel.
#pragma once

#include <cstdint>
#include <vector>

#include "base/dtype.h"
#include "kernels/scratch.h"

namespace mixgrad::picture {

// Pixels of bytes, channels last. `stride`: bytes from row to row.
struct Pixels {
  const uint8_t* data = nullptr;
  int64_t width = 0, height = 0, channels = 0, stride = 0;
  Pixels part(int64_t x, int64_t y, int64_t w, int64_t h) const {
    return {data + y * stride + x * channels, w, h, channels, stride};
  }
};

// Bytes behind the last pixel that loops over rows may look at, but do not use.
inline constexpr int64_t kRowSlack = 32;

// One row on its way: `step` bytes from pixel to pixel, at least as many as there are channels, and kRowSlack bytes behind it.
struct PixelRow {
  const uint8_t* data;
  int64_t width, channels, step;
};

// Rows of a rectangle of pixels, in memory or decoded on the way.
class PictureRows {
 public:
  virtual ~PictureRows() = default;
  // Row `y` of the rectangle, not above the one that was asked for last. It stays until the next call, with kRowSlack bytes behind
  // it.
  virtual const uint8_t* row(int64_t y) = 0;
  // After the last row that is needed: throws what is wrong with the rest.
  virtual void finish() {}
};

class PixelRows final : public PictureRows {
 public:
  explicit PixelRows(const Pixels& pixels) : pixels_(pixels) {}
  const uint8_t* row(int64_t y) override { return pixels_.data + y * pixels_.stride; }

 private:
  const Pixels pixels_;
};

// Pixels [begin, end) along one axis.
struct PixelRange {
  int64_t begin, end;
};
// From which of `extent` pixels LinearRows computes places [first, first + count) of `resized`.
PixelRange linear_range(int64_t extent, int64_t resized, int64_t first, int64_t count);

// A picture whose rows from `top` on are known, and of each the columns from `left` on, as far as linear_range says.
struct LinearSource {
  PictureRows* rows;
  int64_t left, top, width, height, channels;
};

// Rows of a picture of another size, by lines between neighbouring pixels in 11 bits of fraction, as OpenCV computes them. Only
// columns [first, first + count) of the result. Rows are asked for from the top down; each row of the picture is used once.
class LinearRows {
 public:
  LinearRows(const LinearSource& from, int64_t width, int64_t height, int64_t first, int64_t count);
  // Bytes from pixel to pixel of row(): pixels of three channels take four, so that they lie as vectors want them.
  int64_t step() const { return step_; }
  // Row `y` of `height` into count * step() + kRowSlack bytes.
  PixelRow row(int64_t y, uint8_t* out);
  // The same with pixels side by side.
  void dense_row(int64_t y, uint8_t* out);

 private:
  const int16_t* wide_row(int64_t source_row);
  void blend(int64_t y, uint8_t* out);

  const LinearSource from_;
  const double row_step_;
  const int64_t count_, step_;
  std::vector<int32_t> offsets_;  // of the left one of two pixels, in bytes
  std::vector<int16_t> weights_;  // two per pixel, of 2048
  std::vector<int16_t>
      spread_;               // the same as vectors want them: eight per pixel, pixels 0, 2, 1, 3 of each four
  Scratch wide_[2], dense_;  // rows of the result's width, in 7 bits of fraction
  int64_t held_[2] = {-1, -1};  // which rows these are
  int next_ = 0;
};

// (x - mean) * factor + bias, channel by channel, in float32 in that order.
struct Scaling {
  float mean[4] = {0, 0, 0, 0}, factor[4] = {1, 1, 1, 1}, bias[4] = {0, 0, 0, 0};
  const float* mean_row = nullptr;  // in place of `mean`: per pixel, planes `mean_plane` apart
  int64_t mean_plane = 0;
};

// One row to planes of `out`, `plane` elements apart; mirrored from right to left.
void store_bytes(const PixelRow& row, bool mirrored, uint8_t* out, int64_t plane);
void store_floats(const PixelRow& row, bool mirrored, const Scaling& scaling, float* out, int64_t plane);
// x less the mean, which is rounded, in [-128, 127]; factor and bias do not count.
void store_signed(const PixelRow& row, bool mirrored, const Scaling& scaling, int8_t* out, int64_t plane);

}  // namespace mixgrad::picture
