#include "io/augment.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "kernels/image/picture_colour.h"

namespace mixgrad::io {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;

float uniform(ElementRandom& random, float low, float high) {
  return low + static_cast<float>(random.uniform()) * (high - low);
}
// In [low, high], both included.
int64_t whole(ElementRandom& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random.below(static_cast<uint64_t>(high - low) + 1));
}

struct AspectRatios {
  explicit AspectRatios(const AugmentOptions& o)
      : low(o.min_aspect_ratio ? *o.min_aspect_ratio : 1 - o.max_aspect_ratio),
        high(o.min_aspect_ratio ? o.max_aspect_ratio : 1 + o.max_aspect_ratio) {}
  float low, high;
  bool vary() const { return low != 1 || high != 1; }
};

void resize_by(const AugmentOptions& options, ElementRandom& random, PictureSteps& steps, int64_t width,
               int64_t height) {
  steps.resize(width, height,
               method_of(options.inter_method, steps.width(), steps.height(), width, height, random));
}

void resize_short_side(const AugmentOptions& options, ElementRandom& random, PictureSteps& steps) {
  const int64_t width = steps.width(), height = steps.height(), side = options.resize;
  if (height > width)
    resize_by(options, random, steps, side, side * height / width);
  else
    resize_by(options, random, steps, side * width / height, side);
}

bool bends(const AugmentOptions& o) {
  const bool ratio = !o.random_resized_crop && AspectRatios(o).vary();
  return o.max_rotate_angle > 0 || o.max_shear_ratio > 0 || o.rotate > 0 || o.max_random_scale != 1 ||
         o.min_random_scale != 1 || ratio || o.max_img_size != 1e10f || o.min_img_size != 0;
}

// Shear, rotation, scale and aspect ratio in one affine map about the middle.
void bend(const AugmentOptions& o, ElementRandom& random, PictureSteps& steps) {
  const float shear = uniform(random, -o.max_shear_ratio, o.max_shear_ratio);
  int64_t angle = whole(random, -o.max_rotate_angle, o.max_rotate_angle);
  if (o.rotate > 0) angle = o.rotate;
  const auto a = static_cast<float>(std::cos(static_cast<double>(angle) * kDegree));
  const auto b = static_cast<float>(std::sin(static_cast<double>(angle) * kDegree));
  const float scale = uniform(random, o.min_random_scale, o.max_random_scale);
  const AspectRatios ratios(o);
  const float ratio = o.random_resized_crop ? 1 : uniform(random, ratios.low, ratios.high);
  const float hs = 2 * scale / (1 + ratio), ws = ratio * hs;
  const auto width = static_cast<float>(steps.width()), height = static_cast<float>(steps.height());
  const float new_width = std::max(o.min_img_size, std::min(o.max_img_size, scale * width));
  const float new_height = std::max(o.min_img_size, std::min(o.max_img_size, scale * height));
  const float m0 = hs * a - shear * b * ws, m1 = hs * b + shear * a * ws, m3 = -b * ws, m4 = a * ws;
  const float middle_x = m0 * width + m1 * height, middle_y = m3 * width + m4 * height;
  const double map[6] = {
      static_cast<double>(m0), static_cast<double>(m1), static_cast<double>((new_width - middle_x) / 2),
      static_cast<double>(m3), static_cast<double>(m4), static_cast<double>((new_height - middle_y) / 2)};
  const auto to_width = static_cast<int64_t>(new_width), to_height = static_cast<int64_t>(new_height);
  steps.warp(map, method_of(o.inter_method, steps.width(), steps.height(), to_width, to_height, random),
             static_cast<uint8_t>(o.fill_value), to_width, to_height);
}

// A part of a random area and aspect ratio, resized to the batch's size. False: ten of them did not fit.
bool crop_resized(const AugmentOptions& o, const PictureShape& shape, ElementRandom& random,
                  PictureSteps& steps) {
  const AspectRatios ratios(o);
  if (o.max_random_area == 1 && o.min_random_area == 1 && !ratios.vary()) return false;
  const auto area = static_cast<float>(steps.width() * steps.height());
  for (int trial = 0; trial < 10; ++trial) {
    const float wanted = area * uniform(random, o.min_random_area, o.max_random_area);
    const float ratio = uniform(random, ratios.low, ratios.high);
    auto height = static_cast<int64_t>(std::lround(std::sqrt(wanted / ratio)));
    auto width = static_cast<int64_t>(std::lround(std::sqrt(wanted * ratio)));
    if (random.uniform() > 0.5) std::swap(height, width);
    if (height < 1 || width < 1 || height > steps.height() || width > steps.width()) continue;
    const int64_t y = whole(random, 0, steps.height() - height), x = whole(random, 0, steps.width() - width);
    steps.crop(x, y, width, height);
    resize_by(o, random, steps, shape.width, shape.height);
    return true;
  }
  return false;
}

void crop_square(const AugmentOptions& o, const PictureShape& shape, ElementRandom& random,
                 PictureSteps& steps) {
  if (steps.width() < o.max_crop_size || steps.height() < o.max_crop_size)
    fail(Status::shape, "[image] a picture of ", steps.width(), " x ", steps.height(),
         " pixels; expected at least max_crop_size=", o.max_crop_size, " each way");
  const int64_t side = whole(random, o.min_crop_size, o.max_crop_size);
  int64_t y = steps.height() - side, x = steps.width() - side;
  y = o.rand_crop ? whole(random, 0, y) : y / 2;
  x = o.rand_crop ? whole(random, 0, x) : x / 2;
  steps.crop(x, y, side, side);
  resize_by(o, random, steps, shape.width, shape.height);
}

// The batch's size from the middle or from anywhere, of a picture that is made large enough first.
void crop_plain(const AugmentOptions& o, const PictureShape& shape, ElementRandom& random,
                PictureSteps& steps) {
  if (steps.height() < shape.height) {
    const auto width =
        static_cast<int64_t>(static_cast<float>(shape.height) / static_cast<float>(steps.height()) *
                             static_cast<float>(steps.width()));
    resize_by(o, random, steps, width, shape.height);
  }
  if (steps.width() < shape.width) {
    const auto height =
        static_cast<int64_t>(static_cast<float>(shape.width) / static_cast<float>(steps.width()) *
                             static_cast<float>(steps.height()));
    resize_by(o, random, steps, shape.width, height);
  }
  int64_t y = steps.height() - shape.height, x = steps.width() - shape.width;
  if (y < 0 || x < 0)
    fail(Status::shape, "[image] a picture of ", steps.width(), " x ", steps.height(),
         " pixels; expected at least data_shape's ", shape.width, " x ", shape.height);
  y = o.rand_crop ? whole(random, 0, y) : y / 2;
  x = o.rand_crop ? whole(random, 0, x) : x / 2;
  steps.crop(x, y, shape.width, shape.height);
}

void jitter(const AugmentOptions& o, ElementRandom& random, PictureSteps& steps) {
  const float brightness = 1 + uniform(random, -o.brightness, o.brightness);
  const float contrast = 1 + uniform(random, -o.contrast, o.contrast);
  const float saturation = 1 + uniform(random, -o.saturation, o.saturation);
  int order[3] = {0, 1, 2};
  for (int i = 2; i > 0; --i) std::swap(order[i], order[random.below(static_cast<uint64_t>(i) + 1)]);
  uint8_t* const data = steps.writable();
  const int64_t pixels = steps.width() * steps.height();
  for (const int step : order) {
    if (step == 0) picture::change_contrast(data, pixels, brightness, 0);
    if (step == 1)
      picture::change_contrast(data, pixels, contrast, (1 - contrast) * picture::mean_grey(data, pixels));
    if (step == 2) picture::change_saturation(data, pixels, saturation);
  }
}

void jitter_hsl(const AugmentOptions& o, ElementRandom& random, PictureSteps& steps) {
  // Middling values are likelier than those at the ends.
  const auto shift = [&](int32_t most) {
    const double first = random.uniform(), second = random.uniform();
    return static_cast<int>((first + 4 * second) / 5 * most * 2 - most);
  };
  const int hue = shift(o.random_h), saturation = shift(o.random_s), lightness = shift(o.random_l);
  uint8_t* const data = steps.writable();
  picture::shift_hsl(data, steps.width() * steps.height(), hue, lightness, saturation);
}

// Along the principal components of the colours of ImageNet's pictures, in units of their standard deviations.
void add_pca_noise(const AugmentOptions& o, ElementRandom& random, PictureSteps& steps) {
  constexpr float kComponents[3][3] = {{55.46f * -0.5675f, 4.794f * 0.7192f, 1.148f * 0.4009f},
                                       {55.46f * -0.5808f, 4.794f * -0.0045f, 1.148f * -0.8140f},
                                       {55.46f * -0.5836f, 4.794f * -0.6948f, 1.148f * 0.4203f}};
  float amount[3], shift[3];
  for (float& a : amount) a = o.pca_noise * static_cast<float>(random.normal());
  for (int c = 0; c < 3; ++c)
    shift[c] = kComponents[c][0] * amount[0] + kComponents[c][1] * amount[1] + kComponents[c][2] * amount[2];
  uint8_t* const data = steps.writable();
  picture::shift_channels(data, steps.width() * steps.height(), shift);
}

}  // namespace

void augment_picture(const AugmentOptions& o, const PictureShape& shape, ElementRandom& random,
                     PictureSteps& steps) {
  if (o.resize != -1) resize_short_side(o, random, steps);
  if (bends(o)) bend(o, random, steps);
  bool cropped = o.random_resized_crop && crop_resized(o, shape, random, steps);
  if (!o.random_resized_crop && (o.max_crop_size != -1 || o.min_crop_size != -1)) {
    crop_square(o, shape, random, steps);
    cropped = true;
  }
  if (o.pad > 0) {
    steps.pad(o.pad, static_cast<uint8_t>(o.fill_value));
    cropped = false;  // it is larger again
  }
  if (!cropped) crop_plain(o, shape, random, steps);
  if (shape.channels != 3) return;  // greys have no colours
  if (o.brightness > 0 || o.contrast > 0 || o.saturation > 0) jitter(o, random, steps);
  if (o.random_h != 0 || o.random_s != 0 || o.random_l != 0) jitter_hsl(o, random, steps);
  if (o.pca_noise > 0) add_pca_noise(o, random, steps);
}

int64_t least_short_side(const AugmentOptions& o, const PictureShape& shape) {
  const bool counts_pixels = bends(o) || o.pad > 0 || o.max_crop_size != -1 || o.min_crop_size != -1;
  if (counts_pixels) return 0;
  if (o.resize != -1) return o.resize;
  // A part of the area is resized: the least of them is to have the batch's size.
  if (o.random_resized_crop && o.min_random_area > 0)
    return static_cast<int64_t>(
        std::ceil(static_cast<float>(std::max(shape.width, shape.height)) / std::sqrt(o.min_random_area)));
  return 0;
}

ScaledPicture choose_scaling(const ScalingOptions& o, const LightOptions& l, ElementRandom& random) {
  ScaledPicture out;
  out.mirrored = l.mirror;
  if (l.rand_mirror && random.below(2) == 1) out.mirrored = true;
  float contrast = o.scale, light = 0;
  if (l.max_random_contrast > 0)
    contrast = (1 + uniform(random, -l.max_random_contrast, l.max_random_contrast)) * o.scale;
  if (l.max_random_illumination > 0)
    light = uniform(random, -l.max_random_illumination, l.max_random_illumination) * o.scale;
  const float mean[4] = {o.mean_r, o.mean_g, o.mean_b, o.mean_a};
  const float deviation[4] = {o.std_r, o.std_g, o.std_b, o.std_a};
  for (int c = 0; c < 4; ++c) {
    const float divisor = deviation[c] > 0 ? deviation[c] : 1;
    out.scaling.mean[c] = mean[c];
    out.scaling.factor[c] = contrast / divisor;
    out.scaling.bias[c] = light / divisor;
  }
  return out;
}

}  // namespace mixgrad::io
