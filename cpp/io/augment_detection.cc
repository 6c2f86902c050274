// Pictures with boxes around their objects: what happens to the picture happens to the boxes.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "io/augment.h"
#include "kernels/image/picture_colour.h"

namespace mixgrad::io {
namespace {

float between(ElementRandom& random, float low, float high) {
  return low + static_cast<float>(random.uniform()) * (high - low);
}
int64_t whole_between(ElementRandom& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random.below(static_cast<uint64_t>(high - low) + 1));
}

// In parts of the picture.
struct Box {
  float left = 0, top = 0, right = 1, bottom = 1;
  float width() const { return std::max(0.0f, right - left); }
  float height() const { return std::max(0.0f, bottom - top); }
  float area() const { return width() * height(); }
  Box common(const Box& other) const {
    return {std::max(left, other.left), std::max(top, other.top), std::min(right, other.right),
            std::min(bottom, other.bottom)};
  }
  bool holds_middle(const Box& other) const {
    const float x = (other.left + other.right) / 2, y = (other.top + other.bottom) / 2;
    return x >= left && x <= right && y >= top && y <= bottom;
  }
};

// Objects behind a header of numbers, each with a class, a box, and whatever else.
class BoxLabel {
 public:
  explicit BoxLabel(std::vector<float>& numbers) : numbers_(numbers) {
    if (numbers.size() < 7)
      fail(Status::format, "[image] a label of ", numbers.size(),
           " numbers; expected at least 7: a header of 2 or more, then objects of 5 or more");
    header_ = whole_number(0, 2);
    object_ = whole_number(1, 5);
    if (numbers.size() < header_ + object_ || (numbers.size() - header_) % object_ != 0)
      fail(Status::format, "[image] a label of ", numbers.size(), " numbers; expected a header of ", header_,
           " and objects of ", object_, " each");
  }
  size_t count() const { return (numbers_.size() - header_) / object_; }
  Box box(size_t i) const {
    const float* const p = numbers_.data() + header_ + i * object_ + 1;
    return {p[0], p[1], p[2], p[3]};
  }
  void set_box(size_t i, const Box& box) {
    float* const p = numbers_.data() + header_ + i * object_ + 1;
    p[0] = box.left, p[1] = box.top, p[2] = box.right, p[3] = box.bottom;
  }
  template <class Fn>
  void change(Fn fn) {
    for (size_t i = 0; i < count(); ++i) set_box(i, fn(box(i)));
  }
  // Only those of these numbers stay.
  void keep(const std::vector<size_t>& kept) {
    std::vector<float> left(numbers_.begin(), numbers_.begin() + static_cast<std::ptrdiff_t>(header_));
    for (const size_t i : kept) {
      const float* const p = numbers_.data() + header_ + i * object_;
      left.insert(left.end(), p, p + object_);
    }
    numbers_ = std::move(left);
  }

 private:
  size_t whole_number(size_t at, float least) const {
    const float value = numbers_[at];
    if (!(value >= least) || !(value <= static_cast<float>(numbers_.size())) || value != std::floor(value))
      fail(Status::format, "[image] number ", at, " of a label is ", value, "; expected a whole number from ",
           least, " to the label's ", numbers_.size());
    return static_cast<size_t>(value);
  }
  std::vector<float>& numbers_;
  size_t header_ = 0, object_ = 0;
};

// The item of a crop sampler.
float item(const Reals& list, size_t sampler) {
  return static_cast<float>(list.size() == 1 ? list[0] : list[sampler]);
}

struct Limits {
  float low, high;
  bool hold(float value) const { return value >= low && value <= high; }
  bool matter() const { return low > 0 || high < 1; }
};

struct CropSampler {
  CropSampler(const DetectionOptions& o, size_t i)
      : scale{item(o.min_crop_scales, i), item(o.max_crop_scales, i)},
        ratio{item(o.min_crop_aspect_ratios, i), item(o.max_crop_aspect_ratios, i)},
        overlap{item(o.min_crop_overlaps, i), item(o.max_crop_overlaps, i)},
        sample{item(o.min_crop_sample_coverages, i), item(o.max_crop_sample_coverages, i)},
        object{item(o.min_crop_object_coverages, i), item(o.max_crop_object_coverages, i)},
        trials(o.max_crop_trials.ndim() == 1 ? o.max_crop_trials[0]
                                             : o.max_crop_trials[static_cast<int>(i)]) {}
  Limits scale, ratio, overlap, sample, object;
  int64_t trials;

  Box draw(ElementRandom& random, float picture_ratio) const {
    const float size = between(random, scale.low, scale.high) + 1e-12f;
    const float least = std::max(ratio.low / picture_ratio, size * size);
    const float most = std::min(ratio.high / picture_ratio, 1 / (size * size));
    const float form = std::sqrt(between(random, least, most));
    const float width = std::min(1.0f, size * form), height = std::min(1.0f, size / form);
    const float left = between(random, 0, 1 - width), top = between(random, 0, 1 - height);
    return {left, top, left + width, top + height};
  }

  // Whether some object lies in the crop as the limits want it.
  bool accepts(const Box& crop, const BoxLabel& label) const {
    if (!overlap.matter() && !sample.matter() && !object.matter()) return true;
    for (size_t i = 0; i < label.count(); ++i) {
      const Box box = label.box(i);
      const float common = crop.common(box).area(), both = crop.area() + box.area() - common;
      if (common <= 0 || both <= 0) continue;
      if (overlap.matter() && !overlap.hold(common / both)) continue;
      if (sample.matter() && !sample.hold(common / crop.area())) continue;
      if (object.matter() && !object.hold(common / box.area())) continue;
      return true;
    }
    return false;
  }
};

// Objects that stay in the crop, in its coordinates. False: none would.
bool crop_boxes(const DetectionOptions& o, const Box& crop, BoxLabel& label) {
  std::vector<size_t> kept;
  for (size_t i = 0; i < label.count(); ++i) {
    const Box box = label.box(i);
    const bool inside = o.crop_emit_mode == DetectionOptions::Emit::center
                            ? crop.holds_middle(box)
                            : box.area() > 0 && crop.common(box).area() / box.area() > o.emit_overlap_thresh;
    if (inside) kept.push_back(i);
  }
  if (kept.empty()) return false;
  label.change([&](const Box& box) {
    const auto x = [&](float at) { return std::clamp((at - crop.left) / crop.width(), 0.0f, 1.0f); };
    const auto y = [&](float at) { return std::clamp((at - crop.top) / crop.height(), 0.0f, 1.0f); };
    return Box{x(box.left), y(box.top), x(box.right), y(box.bottom)};
  });
  label.keep(kept);
  return true;
}

void crop_detection(const DetectionOptions& o, ElementRandom& random, PictureSteps& steps, BoxLabel& label) {
  std::vector<size_t> order;
  for (size_t i = 0; i < static_cast<size_t>(o.num_crop_sampler); ++i) order.push_back(i);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  const auto width = static_cast<float>(steps.width()), height = static_cast<float>(steps.height());
  for (const size_t which : order) {
    const CropSampler sampler(o, which);
    for (int64_t trial = 0; trial < sampler.trials; ++trial) {
      const Box crop = sampler.draw(random, width / height);
      if (!sampler.accepts(crop, label) || !crop_boxes(o, crop, label)) continue;
      const auto x = static_cast<int64_t>(crop.left * width), y = static_cast<int64_t>(crop.top * height);
      const auto w = std::clamp<int64_t>(static_cast<int64_t>(crop.width() * width), 1, steps.width() - x);
      const auto h = std::clamp<int64_t>(static_cast<int64_t>(crop.height() * height), 1, steps.height() - y);
      return steps.crop(x, y, w, h);
    }
  }
}

void pad_detection(const DetectionOptions& o, ElementRandom& random, PictureSteps& steps, BoxLabel& label) {
  constexpr float kLeastScale = 1.05f;  // less is not worth a copy
  const float scale = between(random, 1, o.max_pad_scale);
  if (scale < kLeastScale) return;
  const int64_t width = steps.width(), height = steps.height();
  const auto new_width = static_cast<int64_t>(static_cast<float>(width) * scale);
  const auto new_height = static_cast<int64_t>(static_cast<float>(height) * scale);
  const int64_t x = whole_between(random, 0, new_width - width),
                y = whole_between(random, 0, new_height - height);
  steps.place(x, y, new_width, new_height, static_cast<uint8_t>(o.fill_value));
  label.change([&](const Box& box) {
    const auto across = [&](float at) {
      return (at * static_cast<float>(width) + static_cast<float>(x)) / static_cast<float>(new_width);
    };
    const auto down = [&](float at) {
      return (at * static_cast<float>(height) + static_cast<float>(y)) / static_cast<float>(new_height);
    };
    return Box{across(box.left), down(box.top), across(box.right), down(box.bottom)};
  });
}

void colour_detection(const DetectionOptions& o, ElementRandom& random, PictureSteps& steps) {
  const auto shift = [&](float probability, int32_t most) {
    if (probability <= 0 || random.uniform() >= static_cast<double>(probability)) return int64_t{0};
    return whole_between(random, -most, most);
  };
  const auto hue = static_cast<int>(shift(o.random_hue_prob, o.max_random_hue));
  const auto saturation = static_cast<int>(shift(o.random_saturation_prob, o.max_random_saturation));
  const auto lightness = static_cast<int>(shift(o.random_illumination_prob, o.max_random_illumination));
  const bool contrast =
      o.random_contrast_prob > 0 && random.uniform() < static_cast<double>(o.random_contrast_prob);
  const float factor = contrast ? 1 + between(random, -o.max_random_contrast, o.max_random_contrast) : 1;
  const int64_t pixels = steps.width() * steps.height();
  if (hue != 0 || saturation != 0 || lightness != 0)
    picture::shift_hsl(steps.writable(), pixels, hue, lightness, saturation);
  if (factor != 1) picture::change_contrast(steps.writable(), pixels, factor, 0);
}

void fit_detection(const DetectionOptions& o, const PictureShape& shape, ElementRandom& random,
                   PictureSteps& steps) {
  int64_t width = shape.width, height = shape.height;
  if (o.resize_mode != DetectionOptions::Fit::force) {
    const float across = static_cast<float>(shape.width) / static_cast<float>(steps.width());
    const float down = static_cast<float>(shape.height) / static_cast<float>(steps.height());
    const float factor = std::min(across, down);
    if (o.resize_mode == DetectionOptions::Fit::shrink && factor >= 1) return;
    width =
        std::clamp<int64_t>(static_cast<int64_t>(static_cast<float>(steps.width()) * factor), 1, shape.width);
    height = std::clamp<int64_t>(static_cast<int64_t>(static_cast<float>(steps.height()) * factor), 1,
                                 shape.height);
  }
  steps.resize(width, height,
               method_of(o.inter_method, steps.width(), steps.height(), width, height, random));
}

}  // namespace

void augment_detection(const DetectionOptions& o, const PictureShape& shape, ElementRandom& random,
                       PictureSteps& steps, std::vector<float>& label) {
  BoxLabel boxes(label);
  if (o.resize > 0) {
    const int64_t width = steps.width(), height = steps.height();
    const bool tall = height > width;
    const int64_t new_width = tall ? o.resize : o.resize * width / height;
    const int64_t new_height = tall ? o.resize * height / width : o.resize;
    steps.resize(new_width, new_height,
                 method_of(o.inter_method, width, height, new_width, new_height, random));
  }
  if (shape.channels == 3) colour_detection(o, random, steps);
  if (o.rand_mirror_prob > 0 && random.uniform() < static_cast<double>(o.rand_mirror_prob)) {
    steps.mirror();
    boxes.change([](const Box& box) { return Box{1 - box.right, box.top, 1 - box.left, box.bottom}; });
  }
  if (o.rand_pad_prob > 0 && o.max_pad_scale > 1 && random.uniform() < static_cast<double>(o.rand_pad_prob))
    pad_detection(o, random, steps, boxes);
  if (o.rand_crop_prob > 0 && o.num_crop_sampler > 0 &&
      random.uniform() < static_cast<double>(o.rand_crop_prob))
    crop_detection(o, random, steps, boxes);
  fit_detection(o, shape, random, steps);
}

int64_t least_short_side(const DetectionOptions& o, const PictureShape& shape) {
  if (o.rand_crop_prob > 0) return 0;
  if (o.resize > 0) return o.resize;
  return std::max(shape.width, shape.height);
}

}  // namespace mixgrad::io
