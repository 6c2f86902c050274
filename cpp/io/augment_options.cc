#include "io/augment_options.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "base/error.h"

namespace mixgrad::io {
namespace {

[[noreturn]] void refuse_option(const char* who, const char* name, double value, const char* expected) {
  fail(Status::invalid_argument, "[", who, "] ", name, "=", value, "; expected ", expected);
}

void check_method(const char* who, int32_t method) {
  const bool fits = (method >= 0 && method <= 4) || method == 9 || method == 10;
  if (!fits) refuse_option(who, "inter_method", method, "0 to 4, 9 or 10");
}

void check_fill(const char* who, int32_t value) {
  if (value < 0 || value > 255) refuse_option(who, "fill_value", value, "0 to 255");
}

void check_resize(const char* who, int32_t resize) {
  if (resize != -1 && resize < 1) refuse_option(who, "resize", resize, "-1 or at least 1");
}

struct NamedReal {
  template <class T>
  NamedReal(const char* called, T given) : name(called), value(static_cast<double>(given)) {}
  const char* name;
  double value;
};
void check_at_least_zero(const char* who, std::initializer_list<NamedReal> options) {
  for (const NamedReal& option : options) {
    if (!(option.value >= 0) || !std::isfinite(option.value))
      refuse_option(who, option.name, option.value, "at least 0, and no infinity");
  }
}
void check_probabilities(const char* who, std::initializer_list<NamedReal> options) {
  for (const NamedReal& option : options) {
    if (!(option.value <= 1)) refuse_option(who, option.name, option.value, "at most 1");
  }
}

}  // namespace

void AugmentOptions::check(const char* who) const {
  check_method(who, inter_method);
  check_fill(who, fill_value);
  check_resize(who, resize);
  check_at_least_zero(who, {{"max_rotate_angle", max_rotate_angle},
                            {"max_shear_ratio", max_shear_ratio},
                            {"pad", pad},
                            {"brightness", brightness},
                            {"contrast", contrast},
                            {"saturation", saturation},
                            {"pca_noise", pca_noise},
                            {"random_h", random_h},
                            {"random_s", random_s},
                            {"random_l", random_l},
                            {"min_img_size", min_img_size},
                            {"min_random_area", min_random_area}});
  if (!(min_random_scale > 0) || !(max_random_scale >= min_random_scale))
    refuse_option(who, "max_random_scale", max_random_scale, "at least min_random_scale, which is above 0");
  if (!(max_random_area >= min_random_area))
    refuse_option(who, "max_random_area", max_random_area, "at least min_random_area");
  const bool sizes = max_crop_size != -1 || min_crop_size != -1;
  if (!random_resized_crop && sizes && (min_crop_size < 1 || max_crop_size < min_crop_size))
    refuse_option(who, "max_crop_size", max_crop_size, "at least min_crop_size, which is at least 1");
  if (random_resized_crop && (min_random_scale != 1 || max_random_scale != 1))
    fail(Status::invalid_argument, "[", who, "] random_resized_crop together with a random scale (",
         min_random_scale, " to ", max_random_scale, "); expected min_random_area and max_random_area");
  if (min_aspect_ratio && max_aspect_ratio < *min_aspect_ratio)
    refuse_option(who, "max_aspect_ratio", max_aspect_ratio, "at least min_aspect_ratio");
  if (min_aspect_ratio ? !(*min_aspect_ratio > 0) : !(max_aspect_ratio < 1 && max_aspect_ratio >= 0))
    refuse_option(who, "max_aspect_ratio", max_aspect_ratio,
                  "0 to below 1 without min_aspect_ratio, which is above 0");
}

void ScalingOptions::check(const char* who) const {
  for (const NamedReal& option :
       {NamedReal{"std_r", std_r}, {"std_g", std_g}, {"std_b", std_b}, {"std_a", std_a}}) {
    if (!(option.value >= 0) || !std::isfinite(option.value))
      refuse_option(who, option.name, option.value, "at least 0, and no infinity");
  }
  for (const NamedReal& option : {NamedReal{"mean_r", mean_r},
                                  {"mean_g", mean_g},
                                  {"mean_b", mean_b},
                                  {"mean_a", mean_a},
                                  {"scale", scale}}) {
    if (!std::isfinite(option.value)) refuse_option(who, option.name, option.value, "a finite number");
  }
}

void LightOptions::check(const char* who) const {
  check_at_least_zero(who, {{"max_random_contrast", max_random_contrast},
                            {"max_random_illumination", max_random_illumination}});
}

void DetectionOptions::check(const char* who) const {
  check_method(who, inter_method);
  check_fill(who, fill_value);
  check_resize(who, resize);
  check_probabilities(who, {{"rand_crop_prob", rand_crop_prob},
                            {"rand_pad_prob", rand_pad_prob},
                            {"random_hue_prob", random_hue_prob},
                            {"random_saturation_prob", random_saturation_prob},
                            {"random_illumination_prob", random_illumination_prob},
                            {"random_contrast_prob", random_contrast_prob},
                            {"rand_mirror_prob", rand_mirror_prob}});
  check_at_least_zero(who, {{"max_random_hue", max_random_hue},
                            {"max_random_saturation", max_random_saturation},
                            {"max_random_illumination", max_random_illumination},
                            {"max_random_contrast", max_random_contrast},
                            {"num_crop_sampler", num_crop_sampler}});
  const auto samplers = static_cast<size_t>(num_crop_sampler);
  const auto check_list = [&](const char* name, size_t items) {
    if (samplers > 0 && items != 1 && items != samplers)
      fail(Status::invalid_argument, "[", who, "] ", name, " has ", items,
           " items; expected 1 or num_crop_sampler=", num_crop_sampler);
  };
  const std::pair<const char*, const Reals*> lists[] = {
      {"min_crop_scales", &min_crop_scales},
      {"max_crop_scales", &max_crop_scales},
      {"min_crop_aspect_ratios", &min_crop_aspect_ratios},
      {"max_crop_aspect_ratios", &max_crop_aspect_ratios},
      {"min_crop_overlaps", &min_crop_overlaps},
      {"max_crop_overlaps", &max_crop_overlaps},
      {"min_crop_sample_coverages", &min_crop_sample_coverages},
      {"max_crop_sample_coverages", &max_crop_sample_coverages},
      {"min_crop_object_coverages", &min_crop_object_coverages},
      {"max_crop_object_coverages", &max_crop_object_coverages}};
  for (const auto& [name, list] : lists) check_list(name, list->size());
  check_list("max_crop_trials", static_cast<size_t>(max_crop_trials.ndim()));
  for (const double scale : max_crop_scales) {
    if (!(scale > 0 && scale <= 1)) refuse_option(who, "max_crop_scales", scale, "above 0 and at most 1");
  }
  for (const double ratio : min_crop_aspect_ratios) {
    if (!(ratio > 0)) refuse_option(who, "min_crop_aspect_ratios", ratio, "above 0");
  }
  // Pairs of ends lie at even places of the list.
  for (size_t pair = 0; pair < std::size(lists); pair += 2) {
    const auto& [low_name, low] = lists[pair];
    const auto& [high_name, high] = lists[pair + 1];
    for (size_t i = 0; i < std::max(low->size(), high->size()); ++i) {
      const double least = (*low)[low->size() == 1 ? 0 : i], most = (*high)[high->size() == 1 ? 0 : i];
      if (!std::isfinite(least) || !std::isfinite(most) || !(least <= most))
        fail(Status::invalid_argument, "[", who, "] ", low_name, "=", least, " and ", high_name, "=", most,
             "; expected finite numbers, the least first");
    }
  }
  for (const double scale : min_crop_scales) {
    if (!(scale >= 0)) refuse_option(who, "min_crop_scales", scale, "at least 0");
  }
  constexpr int64_t kMostTrials = 1 << 20, kMostSamplers = 1 << 10;
  for (const int64_t trials : max_crop_trials) {
    if (trials < 0 || trials > kMostTrials)
      refuse_option(who, "max_crop_trials", static_cast<double>(trials), "0 to 2^20");
  }
  if (num_crop_sampler > kMostSamplers)
    refuse_option(who, "num_crop_sampler", num_crop_sampler, "at most 1024");
  check_at_least_zero(who, {{"emit_overlap_thresh", emit_overlap_thresh}});
  // Of each side of a picture that consists of nothing but border then.
  constexpr float kMostPadScale = 32;
  if (!(max_pad_scale >= 0 && max_pad_scale <= kMostPadScale))
    refuse_option(who, "max_pad_scale", max_pad_scale, "0 to 32");
}

}  // namespace mixgrad::io
