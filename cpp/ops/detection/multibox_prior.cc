// Boxes of several sizes and shapes around every place of an image.
#include <cmath>

#include "kernels/elements.h"
#include "ops/detection/box.h"

namespace mixgrad::ops::multibox_prior {
namespace {

struct PriorParams {
  Reals sizes{1}, ratios{1};
  bool clip = false;
  Reals steps{-1, -1}, offsets{0.5, 0.5};
  static void fields(Fields<PriorParams>& f) {
    f.add("sizes", &PriorParams::sizes, "Heights of boxes, as parts of the image's.")
        .add("ratios", &PriorParams::ratios,
             "Width over height. The first one goes with every size, the others with the first size.")
        .add("clip", &PriorParams::clip, "Ends boxes at the image's border.")
        .add(
            "steps", &PriorParams::steps,
            "From one place to the next, down and right, as parts of the image; not above 0: places fill it.")
        .add("offsets", &PriorParams::offsets, "Where in its step a place lies, down and right.");
  }
};

void prior_shape(const PriorParams& p, ShapeInfer& s) {
  if (p.sizes.empty() || p.ratios.empty()) s.reject("expected at least one size and one ratio");
  box::expect_count(s, "steps", p.steps, 2);
  box::expect_count(s, "offsets", p.offsets, 2);
  if (p.steps[0] * p.steps[1] < 0)
    s.reject("steps are ", p.steps[0], " and ", p.steps[1], "; expected both or none above 0");
  if (!s.known(0)) return;
  const Shape& in = s.in(0);
  if (in.ndim() < 4) s.reject("expected images (batch, channels, height, width)");
  if (in[2] < 1 || in[3] < 1) s.reject("expected images of at least one pixel");
  const auto each = static_cast<int64_t>(p.sizes.size() + p.ratios.size()) - 1;
  int64_t boxes;
  if (__builtin_mul_overflow(in[2], in[3], &boxes) || __builtin_mul_overflow(boxes, each, &boxes))
    s.reject("more boxes than 63 bits count");
  s.set_out(0, {1, boxes, 4});
}

template <class C>
void prior_typed(const PriorParams& p, KernelArgs& args) {
  const Shape& in = args.in[0].shape();
  const int64_t height = in[2], width = in[3], n = args.out[0].size();
  const C step_y = p.steps[0] > 0 ? static_cast<C>(p.steps[0]) : C(1) / static_cast<C>(height);
  const C step_x = p.steps[1] > 0 ? static_cast<C>(p.steps[1]) : C(1) / static_cast<C>(width);
  const C offset_y = static_cast<C>(p.offsets[0]), offset_x = static_cast<C>(p.offsets[1]);
  Elements<C> out(args.out[0], n);
  C* y = out.write(0);
  const C* begin = y;
  const auto put = [&](C cx, C cy, double size, double ratio) {
    const C root = std::sqrt(static_cast<C>(ratio)), s = static_cast<C>(size);
    const C w = s * static_cast<C>(height) / static_cast<C>(width) * root / 2, h = s / root / 2;
    *y++ = cx - w;
    *y++ = cy - h;
    *y++ = cx + w;
    *y++ = cy + h;
  };
  for (int64_t r = 0; r < height; ++r) {
    const C cy = (static_cast<C>(r) + offset_y) * step_y;
    for (int64_t c = 0; c < width; ++c) {
      const C cx = (static_cast<C>(c) + offset_x) * step_x;
      for (const double size : p.sizes) put(cx, cy, size, p.ratios[0]);
      for (size_t i = 1; i < p.ratios.size(); ++i) put(cx, cy, p.sizes[0], p.ratios[i]);
    }
  }
  if (p.clip) {
    for (C* v = const_cast<C*>(begin); v < y; ++v) {
      if (*v < 0) *v = 0;
      if (*v > 1) *v = 1;
    }
  }
  out.store(0, n);
}

const Op& multibox_prior =
    Define<PriorParams>("_contrib_MultiBoxPrior")
        .alias("_npx_multibox_prior")
        .doc(
            "(1, boxes, 4): boxes (left, top, right, bottom), in parts of the image, around every place of "
            "it: "
            "row by row, and at each place first those of all sizes.")
        .origin("MXNet _contrib_MultiBoxPrior; Liu et al. 2016")
        .input("data", "(batch, channels, height, width), float: only height, width and dtype matter.")
        .outputs({"output"})
        .shape(prior_shape)
        .dtype([](const PriorParams&, DTypeInfer& d) { box::infer_float(d); })
        .kernel([](const PriorParams& p, KernelArgs& args) {
          is_wide(args.out[0].dtype) ? prior_typed<double>(p, args) : prior_typed<float>(p, args);
        })
        .cost([](const PriorParams& p, Span<const Shape> in) {
          return 200 + 20 * static_cast<double>(in[0][2]) * static_cast<double>(in[0][3]) *
                           static_cast<double>(p.sizes.size() + p.ratios.size());
        })
        .grad_needs({}, {})
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::multibox_prior
