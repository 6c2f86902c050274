// Steps that change a picture's pixels: each gives a new picture in memory that the steps keep. The first picture is decoded when
// its pixels are needed, and as little of it as is.
#pragma once

#include <vector>

#include "io/decoder.h"
#include "kernels/image/interpolate.h"
#include "kernels/image/picture_rows.h"
#include "kernels/random/random.h"

namespace mixgrad::io {

using picture::Pixels;

// One picture on its way, and the memory of its stages. Belongs to one thread.
class PictureSteps {
 public:
  // `bytes` outlive the steps.
  void begin(Bytes bytes, const PictureHeader& header, const PictureRequest& request);

  // The picture as it is now: what resize() and crop() only noted is done first.
  const Pixels& pixels();
  bool decoded() const { return decoded_; }
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

  // Gives each row of the picture: decoded and resized on the way as far as the last steps allow.
  template <class Fn>
  void each_row(Fn fn) {
    if (resized_ && fused()) {
      const std::unique_ptr<picture::PictureRows> from = resized_rows();
      picture::LinearRows rows(linear_source(*from), resized_width_, resized_height_, crop_x_, crop_width_);
      const Scratch row(static_cast<size_t>(crop_width_ * rows.step() + picture::kRowSlack));
      for (int64_t y = 0; y < crop_height_; ++y) fn(y, rows.row(crop_y_ + y, row.as<uint8_t>()));
      from->finish();
      return;
    }
    finish();
    const std::unique_ptr<picture::PictureRows> rows = part_rows({0, 0, now_.width, now_.height});
    for (int64_t y = 0; y < now_.height; ++y)
      fn(y, picture::PixelRow{rows->row(y), now_.width, now_.channels, now_.channels});
    rows->finish();
  }

 private:
  // What the first picture is decoded from.
  struct Encoded {
    Bytes bytes;
    PictureHeader header;
    PictureRequest request;
    int64_t x = 0, y = 0;  // of now_ in it
  };

  // Memory for a picture that is dense, with room behind it for loops over rows.
  uint8_t* take(int64_t width, int64_t height, int64_t channels);
  bool fused() const;
  void finish();  // of what was noted
  void decode();
  // Of the picture before what was noted.
  std::unique_ptr<picture::PictureRows> part_rows(const PicturePart& part);
  PicturePart resized_part() const;  // what the resized crop is computed from
  std::unique_ptr<picture::PictureRows> resized_rows() { return part_rows(resized_part()); }
  picture::LinearSource linear_source(picture::PictureRows& rows) const;

  bool decoded_ = true;
  Encoded encoded_;  // until it is decoded
  Pixels now_;       // without data until then
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
