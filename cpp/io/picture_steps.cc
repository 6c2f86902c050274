#include "io/picture_steps.h"

#include <cstring>

#include "base/error.h"
#include "io/stage_time.h"
#include "kernels/image/warp.h"

namespace mixgrad::io {

using interpolate::Method;

namespace {

constexpr int64_t kMostStepPixels = int64_t{1} << 30;

}  // namespace

uint8_t* PictureSteps::take(int64_t width, int64_t height, int64_t channels) {
  if (width < 1 || height < 1 || width > kMostStepPixels || height > kMostStepPixels / width)
    fail(Status::shape, "[image] an augmented picture of ", width, " x ", height, " pixels; expected 1 to ",
         kMostStepPixels);
  memory_.emplace_back(static_cast<size_t>(width * height * channels + picture::kRowSlack));
  return memory_.back().as<uint8_t>();
}

void PictureSteps::begin(Bytes bytes, const PictureHeader& header, const PictureRequest& request) {
  const PictureSize size = decoded_size(header, request);
  encoded_ = {bytes, header, request};
  decoded_ = false;
  now_ = {nullptr, size.width, size.height, size.channels, size.width * size.channels};
}

void PictureSteps::decode() {
  if (decoded_) return;
  const StageTime time("decode", "picture");
  const PictureSize whole = decoded_size(encoded_.header, encoded_.request);
  const int64_t n = now_.channels;
  const bool all = now_.width == whole.width && now_.height == whole.height;
  const auto rows = all ? nullptr
                        : decode_rows(encoded_.bytes, encoded_.header, encoded_.request,
                                      {encoded_.x, encoded_.y, now_.width, now_.height});
  if (rows) {
    uint8_t* const out = take(now_.width, now_.height, n);
    for (int64_t y = 0; y < now_.height; ++y)
      std::memcpy(out + y * now_.width * n, rows->row(y), static_cast<size_t>(now_.width * n));
    rows->finish();
    now_ = {out, now_.width, now_.height, n, now_.width * n};
  } else {
    uint8_t* const out = take(whole.width, whole.height, n);
    decode_picture(encoded_.bytes, encoded_.header, encoded_.request, out);
    const Pixels pixels{out, whole.width, whole.height, n, whole.width * n};
    now_ = pixels.part(encoded_.x, encoded_.y, now_.width, now_.height);
  }
  decoded_ = true;
}

std::unique_ptr<picture::PictureRows> PictureSteps::part_rows(const PicturePart& part) {
  if (!decoded_) {
    auto rows = decode_rows(encoded_.bytes, encoded_.header, encoded_.request,
                            {encoded_.x + part.x, encoded_.y + part.y, part.width, part.height});
    if (rows) return rows;
    decode();
  }
  return std::make_unique<picture::PixelRows>(now_.part(part.x, part.y, part.width, part.height));
}

PicturePart PictureSteps::resized_part() const {
  const auto across = picture::linear_range(now_.width, resized_width_, crop_x_, crop_width_);
  const auto down = picture::linear_range(now_.height, resized_height_, crop_y_, crop_height_);
  return {across.begin, down.begin, across.end - across.begin, down.end - down.begin};
}

picture::LinearSource PictureSteps::linear_source(picture::PictureRows& rows) const {
  const PicturePart part = resized_part();
  return {&rows, part.x, part.y, now_.width, now_.height, now_.channels};
}

const Pixels& PictureSteps::pixels() {
  finish();
  decode();
  return now_;
}

// Whether rows can be resized one by one. Half the size is the mean of four pixels, as in OpenCV.
bool PictureSteps::fused() const {
  return method_ == Method::linear && now_.channels <= 4 &&
         !(now_.width == 2 * resized_width_ && now_.height == 2 * resized_height_);
}

void PictureSteps::finish() {
  if (!resized_) return;
  const int64_t n = now_.channels;
  if (fused()) {
    uint8_t* const out = take(crop_width_, crop_height_, n);
    const std::unique_ptr<picture::PictureRows> from = resized_rows();
    picture::LinearRows rows(linear_source(*from), resized_width_, resized_height_, crop_x_, crop_width_);
    for (int64_t y = 0; y < crop_height_; ++y) rows.dense_row(crop_y_ + y, out + y * crop_width_ * n);
    from->finish();
    decoded_ = true;
    now_ = {out, crop_width_, crop_height_, n, crop_width_ * n};
    resized_ = false;
    return;
  }
  decode();
  const uint8_t* dense = now_.data;
  if (now_.stride != now_.width * n) {
    uint8_t* const copy = take(now_.width, now_.height, n);
    for (int64_t y = 0; y < now_.height; ++y)
      std::memcpy(copy + y * now_.width * n, now_.data + y * now_.stride,
                  static_cast<size_t>(now_.width * n));
    dense = copy;
  }
  uint8_t* const out = take(resized_width_, resized_height_, n);
  const Shape before{now_.height, now_.width, n}, after{resized_height_, resized_width_, n};
  const View from{const_cast<uint8_t*>(dense), &before, DType::uint8}, to{out, &after, DType::uint8};
  interpolate::resize(method_, from, to);
  const Pixels whole{out, resized_width_, resized_height_, n, resized_width_ * n};
  now_ = whole.part(crop_x_, crop_y_, crop_width_, crop_height_);
  resized_ = false;
}

void PictureSteps::resize(int64_t width, int64_t height, Method method) {
  if (width < 1 || height < 1 || width > kMostStepPixels || height > kMostStepPixels / width)
    fail(Status::shape, "[image] a resized picture of ", width, " x ", height, " pixels; expected 1 to ",
         kMostStepPixels);
  finish();
  if (width == now_.width && height == now_.height) return;
  resized_ = true;
  method_ = method;
  resized_width_ = crop_width_ = width;
  resized_height_ = crop_height_ = height;
  crop_x_ = crop_y_ = 0;
}

void PictureSteps::crop(int64_t x, int64_t y, int64_t width, int64_t height) {
  if (!resized_) {
    if (decoded_) {
      now_ = now_.part(x, y, width, height);
    } else {
      encoded_.x += x;
      encoded_.y += y;
      now_.width = width;
      now_.height = height;
    }
    return;
  }
  crop_x_ += x;
  crop_y_ += y;
  crop_width_ = width;
  crop_height_ = height;
}

void PictureSteps::warp(const double (&map)[6], Method method, uint8_t fill, int64_t width, int64_t height) {
  pixels();
  uint8_t* const out = take(width, height, now_.channels);
  picture::warp(now_, map, method, fill, width, height, out);
  now_ = {out, width, height, now_.channels, width * now_.channels};
}

void PictureSteps::pad(int64_t pixels, uint8_t fill) {
  finish();
  place(pixels, pixels, now_.width + 2 * pixels, now_.height + 2 * pixels, fill);
}

void PictureSteps::place(int64_t x, int64_t y, int64_t width, int64_t height, uint8_t fill) {
  pixels();
  const int64_t n = now_.channels;
  uint8_t* const out = take(width, height, n);
  std::memset(out, fill, static_cast<size_t>(width * height * n));
  for (int64_t row = 0; row < now_.height; ++row)
    std::memcpy(out + ((y + row) * width + x) * n, now_.data + row * now_.stride,
                static_cast<size_t>(now_.width * n));
  now_ = {out, width, height, n, width * n};
}

void PictureSteps::mirror() {
  pixels();
  const int64_t n = now_.channels;
  uint8_t* const out = take(now_.width, now_.height, n);
  for (int64_t y = 0; y < now_.height; ++y) {
    const uint8_t* const row = now_.data + y * now_.stride;
    uint8_t* const to = out + y * now_.width * n;
    for (int64_t x = 0; x < now_.width; ++x)
      for (int64_t c = 0; c < n; ++c) to[(now_.width - 1 - x) * n + c] = row[x * n + c];
  }
  now_ = {out, now_.width, now_.height, n, now_.width * n};
}

uint8_t* PictureSteps::writable() {
  pixels();
  const int64_t n = now_.channels;
  if (now_.stride == now_.width * n) return const_cast<uint8_t*>(now_.data);  // in memory_, as all pixels
  uint8_t* const out = take(now_.width, now_.height, n);
  for (int64_t y = 0; y < now_.height; ++y)
    std::memcpy(out + y * now_.width * n, now_.data + y * now_.stride, static_cast<size_t>(now_.width * n));
  now_ = {out, now_.width, now_.height, n, now_.width * n};
  return out;
}

Method method_of(int32_t inter_method, int64_t width, int64_t height, int64_t new_width, int64_t new_height,
                 ElementRandom& random) {
  if (inter_method == 9) {
    if (new_width > width && new_height > height) return Method::cubic;
    if (new_width < width && new_height < height) return Method::area;
    return Method::linear;
  }
  if (inter_method == 10) return static_cast<Method>(random.below(5));
  return static_cast<Method>(inter_method);
}

}  // namespace mixgrad::io
