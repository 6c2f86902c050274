#include "io/batch_options.h"

#include "base/error.h"

namespace mixgrad::io {
namespace {

template <class P>
void add_scaling(Fields<P>& f) {
  f.add("mean_r", &P::mean_r, "Subtracted from red.")
      .add("mean_g", &P::mean_g, "Subtracted from green.")
      .add("mean_b", &P::mean_b, "Subtracted from blue.")
      .add("mean_a", &P::mean_a, "Subtracted from alpha.")
      .add("std_r", &P::std_r, "Divides red.")
      .add("std_g", &P::std_g, "Divides green.")
      .add("std_b", &P::std_b, "Divides blue.")
      .add("std_a", &P::std_a, "Divides alpha.")
      .add("scale", &P::scale, "Multiplies all channels.");
}

}  // namespace

void BatchOptions::check(const char* who) const {
  if (part_index >= num_parts)
    fail(Status::invalid_argument, "[", who, "] part_index=", part_index, " of num_parts=", num_parts,
         "; expected 0 to ", num_parts - 1);
  constexpr int32_t kMostLabels = 1 << 20;
  if (label_width > kMostLabels)
    fail(Status::invalid_argument, "[", who, "] label_width=", label_width, "; expected at most ",
         kMostLabels);
  if (!data_shape.known_rank() || data_shape.ndim() < 1)
    fail(Status::shape, "[", who, "] data_shape=", data_shape, "; expected at least one axis");
  for (const int64_t extent : data_shape) {
    if (extent < 1)
      fail(Status::shape, "[", who, "] data_shape=", data_shape, "; expected extents of at least 1");
  }
}

void PictureBatchOptions::fields(Fields<PictureBatchOptions>& f) {
  using P = PictureBatchOptions;
  add_fields(f);
  add_scaling(f);
  f.add("resize", &P::resize, "The shorter side before all else; -1: as it is.")
      .add("rand_crop", &P::rand_crop, "A part from anywhere, not from the middle.")
      .add("random_resized_crop", &P::random_resized_crop, "A part of a random size, resized.")
      .add("max_rotate_angle", &P::max_rotate_angle, "Degrees.")
      .add("max_aspect_ratio", &P::max_aspect_ratio, "Width by height.")
      .add("min_aspect_ratio", &P::min_aspect_ratio, "Width by height.")
      .add("max_shear_ratio", &P::max_shear_ratio, "Pixels to the side per pixel down.")
      .add("max_crop_size", &P::max_crop_size, "Of a square part that is resized.")
      .add("min_crop_size", &P::min_crop_size, "Of a square part that is resized.")
      .add("max_random_scale", &P::max_random_scale, "Of the picture.")
      .add("min_random_scale", &P::min_random_scale, "Of the picture.")
      .add("max_random_area", &P::max_random_area, "Part of the picture's area.")
      .add("min_random_area", &P::min_random_area, "Part of the picture's area.")
      .add("max_img_size", &P::max_img_size, "Pixels after scaling.")
      .add("min_img_size", &P::min_img_size, "Pixels after scaling.")
      .add("brightness", &P::brightness, "Most that the factor of brightness differs from 1.")
      .add("contrast", &P::contrast, "Most that the factor of contrast differs from 1.")
      .add("saturation", &P::saturation, "Most that the factor of saturation differs from 1.")
      .add("pca_noise", &P::pca_noise, "Standard deviation along the colours' components.")
      .add("random_h", &P::random_h, "Most that is added to the hue, of 180.")
      .add("random_s", &P::random_s, "Most that is added to the saturation, of 255.")
      .add("random_l", &P::random_l, "Most that is added to the lightness, of 255.")
      .add("rotate", &P::rotate, "Degrees, in place of random ones.")
      .add("fill_value", &P::fill_value, "Pixels outside of the picture.")
      .add("inter_method", &P::inter_method,
           "0 nearest, 1 linear, 2 cubic, 3 area, 4 Lanczos, 9 by size, 10 random.")
      .add("pad", &P::pad, "Pixels around the picture.")
      .add("mirror", &P::mirror, "From right to left.")
      .add("rand_mirror", &P::rand_mirror, "One half of the pictures from right to left.")
      .add("max_random_contrast", &P::max_random_contrast, "Most that the factor of all differs from 1.")
      .add("max_random_illumination", &P::max_random_illumination, "Most that is added to all.")
      .add("seed_aug", &P::seed_aug, "Of augmentation; None: seed.")
      .add("scale_decoding", &P::scale_decoding,
           "Decode at 1/2, 1/4 or 1/8 of the size where that is enough.");
}

void DetectionBatchOptions::fields(Fields<DetectionBatchOptions>& f) {
  using P = DetectionBatchOptions;
  add_fields(f);
  add_scaling(f);
  f.add("label_pad_width", &P::label_pad_width, "Numbers of a label; 0 or less: as many as the longest has.")
      .add("label_pad_value", &P::label_pad_value, "Behind a label's numbers.")
      .add("resize", &P::resize, "The shorter side before all else; -1: as it is.")
      .add("rand_crop_prob", &P::rand_crop_prob, "Probability of a crop.")
      .add("min_crop_scales", &P::min_crop_scales, "Of the picture's sides.")
      .add("max_crop_scales", &P::max_crop_scales, "Of the picture's sides.")
      .add("min_crop_aspect_ratios", &P::min_crop_aspect_ratios, "Width by height.")
      .add("max_crop_aspect_ratios", &P::max_crop_aspect_ratios, "Width by height.")
      .add("min_crop_overlaps", &P::min_crop_overlaps, "Common area of crop and box by that of both.")
      .add("max_crop_overlaps", &P::max_crop_overlaps, "Common area of crop and box by that of both.")
      .add("min_crop_sample_coverages", &P::min_crop_sample_coverages, "Common area by the crop's.")
      .add("max_crop_sample_coverages", &P::max_crop_sample_coverages, "Common area by the crop's.")
      .add("min_crop_object_coverages", &P::min_crop_object_coverages, "Common area by the box's.")
      .add("max_crop_object_coverages", &P::max_crop_object_coverages, "Common area by the box's.")
      .add("num_crop_sampler", &P::num_crop_sampler, "Ways to crop, tried in random order.")
      .add("emit_overlap_thresh", &P::emit_overlap_thresh, "Part of a box in the crop for it to stay.")
      .add("max_crop_trials", &P::max_crop_trials, "Of each way.")
      .add("rand_pad_prob", &P::rand_pad_prob, "Probability of a border.")
      .add("max_pad_scale", &P::max_pad_scale, "Of the picture's sides.")
      .add("max_random_hue", &P::max_random_hue, "Of 180.")
      .add("random_hue_prob", &P::random_hue_prob, "Probability of another hue.")
      .add("max_random_saturation", &P::max_random_saturation, "Of 255.")
      .add("random_saturation_prob", &P::random_saturation_prob, "Probability of another saturation.")
      .add("max_random_illumination", &P::max_random_illumination, "Of 255.")
      .add("random_illumination_prob", &P::random_illumination_prob, "Probability of another lightness.")
      .add("max_random_contrast", &P::max_random_contrast, "Most that the factor differs from 1.")
      .add("random_contrast_prob", &P::random_contrast_prob, "Probability of another contrast.")
      .add("rand_mirror_prob", &P::rand_mirror_prob, "Probability of a mirrored picture.")
      .add("fill_value", &P::fill_value, "Pixels of borders.")
      .add("inter_method", &P::inter_method,
           "0 nearest, 1 linear, 2 cubic, 3 area, 4 Lanczos, 9 by size, 10 random.")
      .add("scale_decoding", &P::scale_decoding,
           "Decode at 1/2, 1/4 or 1/8 of the size where that is enough.");
  f.choice("crop_emit_mode", static_cast<DetectionOptions::Emit P::*>(&P::crop_emit_mode),
           {"center", "overlap"}, "Which boxes stay in a crop.");
  f.choice("resize_mode", static_cast<DetectionOptions::Fit P::*>(&P::resize_mode),
           {"fit", "force", "shrink"}, "How pictures get the batch's size.");
}

}  // namespace mixgrad::io
