// Pictures with changed brightness, contrast, saturation, hue or lighting.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "op/define.h"
#include "ops/image/image_pixels.h"

namespace mixgrad::ops::image_colour {
namespace {

using image_pixels::Bounds;

constexpr double kGrey[3] = {0.299, 0.587, 0.114};  // shares of red, green and blue in a pixel's brightness

template <class C>
struct Picture {
  const C* in;
  C* out;  // may be `in`
  int64_t pixels, channels;
  Bounds<C> bounds;
  C grey(int64_t at) const {
    if (channels == 1) return in[at];
    C sum = 0;
    for (int c = 0; c < 3; ++c) sum += static_cast<C>(kGrey[c]) * in[3 * at + c];
    return sum;
  }
};

template <class C>
void brighten(const Picture<C>& p, double factor) {
  for (int64_t i = 0; i < p.pixels * p.channels; ++i) p.out[i] = p.bounds(p.in[i] * static_cast<C>(factor));
}

// Towards the picture's mean grey.
template <class C>
void change_contrast(const Picture<C>& p, double factor) {
  double sum = 0;
  for (int64_t at = 0; at < p.pixels; ++at) sum += static_cast<double>(p.grey(at));
  const C share = static_cast<C>((1 - factor) * sum / static_cast<double>(p.pixels));
  for (int64_t i = 0; i < p.pixels * p.channels; ++i)
    p.out[i] = p.bounds(p.in[i] * static_cast<C>(factor) + share);
}

// Towards each pixel's grey.
template <class C>
void saturate(const Picture<C>& p, double factor) {
  for (int64_t at = 0; at < p.pixels; ++at) {
    const C share = p.grey(at) * static_cast<C>(1 - factor);
    for (int64_t i = at * p.channels; i < (at + 1) * p.channels; ++i)
      p.out[i] = p.channels == 1 ? p.in[i] : p.bounds(p.in[i] * static_cast<C>(factor) + share);
  }
}

// The hue is an angle on the circle of red, yellow, green, cyan, blue and magenta, lightness the mean of the largest and
// the least colour.
template <class C>
void turn_hue(const Picture<C>& p, double factor) {
  if (p.channels == 1) {
    if (p.in != p.out) std::copy_n(p.in, p.pixels, p.out);
    return;
  }
  const C turn = static_cast<C>(6 * factor);  // in sixths of the circle
  for (int64_t at = 0; at < p.pixels; ++at) {
    const C *x = p.in + 3 * at, red = x[0] / 255, green = x[1] / 255, blue = x[2] / 255;
    const C most = std::max({red, green, blue}), least = std::min({red, green, blue}), width = most - least;
    const C light = (most + least) / 2;
    C* y = p.out + 3 * at;
    if (!(width > std::numeric_limits<float>::epsilon())) {
      for (int c = 0; c < 3; ++c) y[c] = p.bounds(light * 255);
      continue;
    }
    const C depth = light < C(0.5) ? width / (most + least) : width / (2 - most - least);
    C hue = most == red     ? (green - blue) / width
            : most == green ? 2 + (blue - red) / width
                            : 4 + (red - green) / width;
    hue += turn;
    hue -= 6 * std::floor(hue / 6);
    const C high = light <= C(0.5) ? light * (1 + depth) : light + depth - light * depth,
            low = 2 * light - high;
    const int sector = hue >= 0 && hue < 6 ? static_cast<int>(hue) : 0;
    const C part = hue - static_cast<C>(sector), rise = low + (high - low) * part,
            fall = low + (high - low) * (1 - part);
    const C table[6][3] = {{high, rise, low}, {fall, high, low}, {low, high, rise},
                           {low, fall, high}, {rise, low, high}, {high, low, fall}};
    for (int c = 0; c < 3; ++c) y[c] = p.bounds(table[sector][c] * 255);
  }
}

// The main directions in which the colours of natural pictures spread, times how far.
constexpr double kSpread[3] = {55.46, 4.794, 1.148};
constexpr double kDirections[3][3] = {
    {-0.5675, 0.7192, 0.4009}, {-0.5808, -0.0045, -0.8140}, {-0.5836, -0.6948, 0.4203}};

template <class C>
void light(const Picture<C>& p, const double* alpha) {
  if (p.channels == 1) {
    if (p.in != p.out) std::copy_n(p.in, p.pixels, p.out);
    return;
  }
  for (int c = 0; c < 3; ++c) {
    double shift = 0;
    for (int k = 0; k < 3; ++k) shift += kDirections[c][k] * kSpread[k] * alpha[k];
    for (int64_t i = c; i < 3 * p.pixels; i += 3) p.out[i] = p.bounds(p.in[i] + static_cast<C>(shift));
  }
}

// Calls change(Picture<C>) with C float or double.
template <class F>
void change_picture(KernelArgs& args, F change) {
  const Shape& shape = args.in[0].shape();
  image_pixels::run_pixels(args.in[0], args.out[0], [&](auto* x, auto* y, auto bounds) {
    using C = std::remove_reference_t<decltype(*y)>;
    change(Picture<C>{x, y, shape[0] * shape[1], shape[2], bounds});
  });
}

// Gradients pass unchanged, as in MXNet: what these operators do to a picture is no part of a model.
template <class P>
Define<P>& colour(Define<P>& define) {
  return define.input("data", "(height, width, channels) with 1 or 3 channels; integer dtypes saturate.")
      .shape([](const P&, ShapeInfer& s) { image_pixels::infer_colours(s); })
      .element_cost(4)
      .grad_needs({}, {})
      .grad([](const P&, Grad& g) { g.set(0, g.out_grad()); });
}

struct FactorParams {
  float min_factor = 0, max_factor = 0;
  static void fields(Fields<FactorParams>& f) {
    f.required("min_factor", &FactorParams::min_factor, "Least factor.", at_least(0))
        .required("max_factor", &FactorParams::max_factor, "Greatest factor.", at_least(0));
  }
};

enum class Change { brightness, contrast, saturation, hue };

template <class C>
void change_by(Change which, const Picture<C>& p, double factor) {
  switch (which) {
    case Change::brightness: return brighten(p, factor);
    case Change::contrast: return change_contrast(p, factor);
    case Change::saturation: return saturate(p, factor);
    case Change::hue: return turn_hue(p, factor);
  }
}

template <Change kWhich>
Define<FactorParams>& by_factor(Define<FactorParams>& define) {
  return colour(define)
      .shape([](const FactorParams& p, ShapeInfer& s) {
        if (!(p.min_factor <= p.max_factor)) {
          fail(Status::invalid_argument, "[", s.name(), "] min_factor is ", p.min_factor, ", max_factor ",
               p.max_factor, "; expected min_factor <= max_factor");
        }
        image_pixels::infer_colours(s);
      })
      .kernel([](const FactorParams& p, KernelArgs& args) {
        const double width = static_cast<double>(p.max_factor) - p.min_factor;
        const double factor = p.min_factor + width * ElementRandom(args.random_key(), 0).uniform();
        change_picture(args, [&](const auto& picture) { change_by(kWhich, picture, factor); });
      })
      .random();
}

const Op& brightness = by_factor<Change::brightness>(
    Define<FactorParams>("_image_random_brightness")
        .alias("_npx__image_random_brightness")
        .doc("The picture times a factor drawn evenly from an interval. Gradients pass unchanged.")
        .origin("MXNet _image_random_brightness"));
const Op& contrast =
    by_factor<Change::contrast>(Define<FactorParams>("_image_random_contrast")
                                    .alias("_npx__image_random_contrast")
                                    .doc("factor * data + (1 - factor) * the picture's mean grey, with a "
                                         "factor drawn evenly from an interval. "
                                         "Gradients pass unchanged.")
                                    .origin("MXNet _image_random_contrast"));
const Op& saturation =
    by_factor<Change::saturation>(Define<FactorParams>("_image_random_saturation")
                                      .alias("_npx__image_random_saturation")
                                      .doc("factor * data + (1 - factor) * each pixel's grey, with a factor "
                                           "drawn evenly from an interval; pictures of "
                                           "one channel stay. Gradients pass unchanged.")
                                      .origin("MXNet _image_random_saturation"));
const Op& hue = by_factor<Change::hue>(Define<FactorParams>("_image_random_hue")
                                           .alias("_npx__image_random_hue")
                                           .doc("The hue of every pixel turned by a part of the colour "
                                                "circle, drawn evenly from an interval; pictures of "
                                                "one channel stay. Gradients pass unchanged.")
                                           .origin("MXNet _image_random_hue"));

struct JitterParams {
  float brightness = 0, contrast = 0, saturation = 0, hue = 0;
  static void fields(Fields<JitterParams>& f) {
    f.required("brightness", &JitterParams::brightness, "The factor of brightness lies within 1 +- this.",
               at_least(0))
        .required("contrast", &JitterParams::contrast, "The factor of contrast lies within 1 +- this.",
                  at_least(0))
        .required("saturation", &JitterParams::saturation, "The factor of saturation lies within 1 +- this.",
                  at_least(0))
        .required("hue", &JitterParams::hue, "The hue turns by +- this part of a circle.", at_least(0));
  }
};

void jitter_kernel(const JitterParams& p, KernelArgs& args) {
  ElementRandom random(args.random_key(), 0);
  const double reach[4] = {p.brightness, p.contrast, p.saturation, p.hue};
  double factor[4];
  int order[4] = {0, 1, 2, 3};
  for (int i = 0; i < 4; ++i) factor[i] = (i == 3 ? 0 : 1) + reach[i] * (2 * random.uniform() - 1);
  for (uint64_t i = 3; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  change_picture(args, [&](auto picture) {
    bool copied = false;
    for (const int which : order) {
      if (!(reach[which] > 0)) continue;
      change_by(static_cast<Change>(which), picture, factor[which]);
      picture.in = picture.out;
      copied = true;
    }
    if (!copied && picture.in != picture.out)
      std::copy_n(picture.in, picture.pixels * picture.channels, picture.out);
  });
}

const Op& jitter =
    colour(Define<JitterParams>("_image_random_color_jitter")
               .alias("_npx__image_random_color_jitter")
               .doc("Brightness, contrast, saturation and hue changed by random amounts, in random order. "
                    "Gradients pass unchanged.")
               .origin("MXNet _image_random_color_jitter"))
        .kernel(jitter_kernel)
        .random();

struct LightingParams {
  float alpha_std = 0.05f;
  static void fields(Fields<LightingParams>& f) {
    f.add("alpha_std", &LightingParams::alpha_std, "Standard deviation of the three amounts.", at_least(0));
  }
};
struct AdjustParams {
  Reals alpha;
  static void fields(Fields<AdjustParams>& f) {
    f.required("alpha", &AdjustParams::alpha, "Amounts along the three main directions of colours.");
  }
};

const Op& random_lighting = colour(Define<LightingParams>("_image_random_lighting")
                                       .alias("_npx__image_random_lighting")
                                       .doc("Red, green and blue shifted along the main directions of "
                                            "natural colours by normal random amounts; "
                                            "pictures of one channel stay.")
                                       .origin("MXNet _image_random_lighting; Krizhevsky and others 2012"))
                                .kernel([](const LightingParams& p, KernelArgs& args) {
                                  double alpha[3];
                                  ElementRandom random(args.random_key(), 0);
                                  for (double& a : alpha) a = p.alpha_std * random.normal();
                                  change_picture(args, [&](const auto& picture) { light(picture, alpha); });
                                })
                                .random();

const Op& adjust_lighting =
    colour(Define<AdjustParams>("_image_adjust_lighting")
               .alias("_npx__image_adjust_lighting")
               .doc("Red, green and blue shifted along the main directions of natural colours; pictures of "
                    "one channel "
                    "stay.")
               .origin("MXNet _image_adjust_lighting; Krizhevsky and others 2012"))
        .shape([](const AdjustParams& p, ShapeInfer& s) {
          if (p.alpha.size() != 3) {
            fail(Status::invalid_argument, "[", s.name(), "] alpha has ", p.alpha.size(),
                 " numbers; expected one for each of the three directions");
          }
          image_pixels::infer_colours(s);
        })
        .kernel([](const AdjustParams& p, KernelArgs& args) {
          change_picture(args, [&](const auto& picture) { light(picture, p.alpha.data()); });
        });

}  // namespace
}  // namespace mixgrad::ops::image_colour
