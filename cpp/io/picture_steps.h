// Steps that change a picture's pixels: each gives a new picture in memory that the steps keep.
#pragma once

#include <vector>

#include "kernels/image/interpolate.h"
#include "kernels/image/picture_rows.h"
#include "kernels/random/random.h"

namespace mixgrad::io {

using picture::Pixels;

// One picture on its way, and the memory of its stages. Belongs to one thread.
class PictureSteps {
 public:
  // Memory for the first picture, which the caller fills: dense.
  uint8_t* begin(int64_t width, int64_t height, int64_t channels);

  // The picture as it is now: what resize() and crop() only noted is done first.
  const Pixels& pixels();
  int64_t width() const { return resized_ ? crop_width_ : now_.width; }
  int64_t height() const { return resized_ ? crop_height_ : now_.height; }

  void resize(int64_t width, int64_t height, interpolate::Method method);
  void crop(int64_t x, int64_t y, int64_t width, int64_t height);
  // Places of the picture to places of another of that size, by a 2 x 3 matrix.
  void warp(const double (&map)[6], interpolate::Method method, uint8_t fill, int64_t width, int64_t height);
  void pad(int64_t pixels, uint8_t fill);
  // Puts it onto a larger one of one colour.
  void place(int64_t x, int64_t y, int64_t width, int64_t height, uint8_t fill);
  void mirror();
  // The same in memory that may be written: dense.
  uint8_t* writable();

  // Gives each row of the picture: resized on the way where the last steps were a resize and a crop.
  template <class Fn>
  void each_row(Fn fn) {
    if (!resized_ || !fused()) {
      const Pixels& ready = pixels();
      for (int64_t y = 0; y < ready.height; ++y)
        fn(y, picture::PixelRow{ready.data + y * ready.stride, ready.width, ready.channels, ready.channels});
      return;
    }
    picture::LinearRows rows(now_, resized_width_, resized_height_, crop_x_, crop_width_);
    const Scratch row(static_cast<size_t>(crop_width_ * rows.step() + picture::kRowSlack));
    for (int64_t y = 0; y < crop_height_; ++y) fn(y, rows.row(crop_y_ + y, row.as<uint8_t>()));
  }

 private:
  // Memory for a picture that is dense, with room behind it for loops over rows.
  uint8_t* take(int64_t width, int64_t height, int64_t channels);
  bool fused() const;
  void finish();

  Pixels now_;
  std::vector<Scratch> memory_;
  // A resize, then a crop of its result, that are still to be done.
  bool resized_ = false;
  interpolate::Method method_ = interpolate::Method::linear;
  int64_t resized_width_ = 0, resized_height_ = 0;
  int64_t crop_x_ = 0, crop_y_ = 0, crop_width_ = 0, crop_height_ = 0;
};

// MXNet's number of a way to resize, where 9 chooses by the sizes and 10 at random.
interpolate::Method method_of(int32_t inter_method, int64_t width, int64_t height, int64_t new_width,
                              int64_t new_height, ElementRandom& random);

}  // namespace mixgrad::io
