// How pictures are changed on their way into batches: the options of MXNet's record iterators, by their names.
#pragma once

#include <optional>

#include "base/fields.h"

namespace mixgrad::io {

// Of ImageRecordIter.
struct AugmentOptions {
  int32_t resize = -1;
  bool rand_crop = false, random_resized_crop = false;
  int32_t max_rotate_angle = 0;
  float max_aspect_ratio = 0;
  std::optional<float> min_aspect_ratio;
  float max_shear_ratio = 0;
  int32_t max_crop_size = -1, min_crop_size = -1;
  float max_random_scale = 1, min_random_scale = 1, max_random_area = 1, min_random_area = 1;
  float max_img_size = 1e10f, min_img_size = 0;
  float brightness = 0, contrast = 0, saturation = 0, pca_noise = 0;
  int32_t random_h = 0, random_s = 0, random_l = 0;
  int32_t rotate = -1, fill_value = 255, inter_method = 1, pad = 0;

  void check(const char* who) const;  // throws Status::invalid_argument
};

// Numbers from bytes, of both kinds of iterators: (x - mean) / std * scale. A std of 0 counts as 1.
struct ScalingOptions {
  float mean_r = 0, mean_g = 0, mean_b = 0, mean_a = 0;
  float std_r = 1, std_g = 1, std_b = 1, std_a = 1;
  float scale = 1;

  void check(const char* who) const;
};

// What ImageRecordIter does beside that.
struct LightOptions {
  bool mirror = false, rand_mirror = false;
  float max_random_contrast = 0, max_random_illumination = 0;

  void check(const char* who) const;
};

// Of ImageDetRecordIter. Tuples have an item for each crop sampler, or one for all.
struct DetectionOptions {
  int32_t resize = -1;
  float rand_crop_prob = 0;
  Reals min_crop_scales{0}, max_crop_scales{1}, min_crop_aspect_ratios{1}, max_crop_aspect_ratios{1};
  Reals min_crop_overlaps{0}, max_crop_overlaps{1}, min_crop_sample_coverages{0},
      max_crop_sample_coverages{1};
  Reals min_crop_object_coverages{0}, max_crop_object_coverages{1};
  int32_t num_crop_sampler = 1;
  enum class Emit : int32_t { center, overlap } crop_emit_mode = Emit::center;
  float emit_overlap_thresh = 0.3f;
  Shape max_crop_trials{25};
  float rand_pad_prob = 0, max_pad_scale = 1;
  int32_t max_random_hue = 0, max_random_saturation = 0, max_random_illumination = 0;
  float random_hue_prob = 0, random_saturation_prob = 0, random_illumination_prob = 0;
  float max_random_contrast = 0, random_contrast_prob = 0, rand_mirror_prob = 0;
  int32_t fill_value = 127, inter_method = 1;
  enum class Fit : int32_t { fit, force, shrink } resize_mode = Fit::force;

  void check(const char* who) const;
};

// Size of a batch's pictures.
struct PictureShape {
  int64_t channels, height, width;
};

}  // namespace mixgrad::io
