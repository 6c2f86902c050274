// Boxes as differences from anchors, and back.
#include <cmath>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "ops/detection/box.h"

namespace mixgrad::ops::box_coding {
namespace {

using box::BoxFormat;

struct DecodeParams {
  float std0 = 1, std1 = 1, std2 = 1, std3 = 1, clip = -1;
  BoxFormat format = BoxFormat::center;
  static void fields(Fields<DecodeParams>& f) {
    f.add("std0", &DecodeParams::std0, "Factor of the first number.")
        .add("std1", &DecodeParams::std1, "Factor of the second number.")
        .add("std2", &DecodeParams::std2, "Factor of the third number.")
        .add("std3", &DecodeParams::std3, "Factor of the fourth number.")
        .add("clip", &DecodeParams::clip, "Above 0: the most that the logarithms of sizes may be.");
    box::add_format(f, "format", &DecodeParams::format, "What the four numbers of an anchor are.");
  }
};

constexpr int64_t kCodingGrain = 2048;

void encode_shape(const NoParams&, ShapeInfer& s) {
  constexpr int64_t kAny = Shape::kUnknownDim;
  s.set_in(0, {kAny, kAny});
  s.set_in(1, s.in(0));
  s.set_in(0, s.in(1));
  s.set_in(2, {s.in(0)[0], s.in(0)[1], 4});
  s.set_in(0, {s.in(2)[0], s.in(2)[1]});
  s.set_in(1, s.in(0));
  s.set_in(3, {s.in(0)[0], kAny, 4});
  s.set_in(4, {4});
  s.set_in(5, {4});
  for (int i = 0; i < 2; ++i) s.set_out(i, {s.in(0)[0], s.in(0)[1], 4});
}

// in: samples, matches, anchors, refs, means, stds. out: targets, masks.
template <class C>
void encode_typed(KernelArgs& args) {
  const int64_t batches = args.in[2].shape()[0], rows = args.in[2].shape()[1], refs = args.in[3].shape()[1];
  Elements<C> means(args.in[4], 4), stds(args.in[5], 4), all_refs(args.in[3], args.in[3].size());
  const C *mean = means.read(0, 4), *std_dev = stds.read(0, 4), *ref = all_refs.read(0, args.in[3].size());
  parallel_for(batches * rows, kCodingGrain, [&](int64_t begin, int64_t end) {
    Elements<C> samples(args.in[0], 1), matches(args.in[1], 1), anchors(args.in[2], 4);
    Elements<C> targets(args.out[0], 4), masks(args.out[1], 4);
    for (int64_t i = begin; i < end; ++i) {
      C *target = targets.write(4 * i), *mask = masks.write(4 * i);
      const bool positive = *samples.read(i, 1) > C(0.5);
      std::fill(mask, mask + 4, C(positive));
      std::fill(target, target + 4, C(0));
      if (positive) {
        const C match = std::trunc(*matches.read(i, 1)), *a = anchors.read(4 * i, 4);
        if (!(match >= 0 && match < static_cast<C>(refs)))
          fail(Status::index, "[_contrib_box_encode] sample ", i, " matches box ", static_cast<double>(match),
               "; expected one of ", refs);
        const C* r = ref + 4 * (i / rows * refs + static_cast<int64_t>(match));
        const C w = a[2] - a[0], h = a[3] - a[1];
        const C code[] = {((r[0] + r[2]) / 2 - (a[0] + a[2]) / 2) / w,
                          ((r[1] + r[3]) / 2 - (a[1] + a[3]) / 2) / h, std::log((r[2] - r[0]) / w),
                          std::log((r[3] - r[1]) / h)};
        for (int k = 0; k < 4; ++k) target[k] = (code[k] - mean[k]) / std_dev[k];
      }
      targets.store(4 * i, 4);
      masks.store(4 * i, 4);
    }
  });
}

void decode_shape(const DecodeParams&, ShapeInfer& s) {
  constexpr int64_t kAny = Shape::kUnknownDim;
  if (s.out(0).known_rank()) s.set_in(0, s.out(0));
  s.set_in(0, {kAny, kAny, 4});
  s.set_in(1, {1, s.in(0)[1], 4});
  s.set_in(0, {kAny, s.in(1)[1], 4});
  s.set_out(0, s.in(0));
}

template <class C>
void decode_typed(const DecodeParams& p, KernelArgs& args) {
  const int64_t rows = args.in[1].shape()[1];
  const C factor[] = {static_cast<C>(p.std0), static_cast<C>(p.std1), static_cast<C>(p.std2),
                      static_cast<C>(p.std3)};
  parallel_for(args.out[0].size() / 4, kCodingGrain, [&](int64_t begin, int64_t end) {
    Elements<C> data(args.in[0], 4), anchors(args.in[1], 4), out(args.out[0], 4);
    for (int64_t i = begin; i < end; ++i) {
      const C *x = data.read(4 * i, 4), *a = anchors.read(4 * (i % rows), 4);
      const bool corner = p.format == BoxFormat::corner;
      const C w = corner ? a[2] - a[0] : a[2], h = corner ? a[3] - a[1] : a[3];
      const C cx = corner ? a[0] + w / 2 : a[0], cy = corner ? a[1] + h / 2 : a[1];
      const C mx = x[0] * factor[0] * w + cx, my = x[1] * factor[1] * h + cy;
      C log_w = x[2] * factor[2], log_h = x[3] * factor[3];
      if (p.clip > 0) {
        const C most = static_cast<C>(p.clip);
        log_w = log_w < most ? log_w : most;
        log_h = log_h < most ? log_h : most;
      }
      const C half_w = std::exp(log_w) * w / 2, half_h = std::exp(log_h) * h / 2;
      C* y = out.write(4 * i);
      y[0] = mx - half_w;
      y[1] = my - half_h;
      y[2] = mx + half_w;
      y[3] = my + half_h;
      out.store(4 * i, 4);
    }
  });
}

const Op& box_encode =
    Define<>("_contrib_box_encode")
        .doc(
            "What a detector learns to predict for each anchor: the difference of its box from the anchor, "
            "as "
            "offsets of the centre in sizes of the anchor and logarithms of the ratios of sizes, minus "
            "means, "
            "over stds. Anchors that are no positive samples get 0. The second output is 1 for positive "
            "samples, else 0.")
        .origin("MXNet _contrib_box_encode; Ren et al. 2015")
        .input("samples", "(batch, anchors), float: above 0.5 for positive samples.")
        .input("matches", "(batch, anchors): which of refs belongs to each positive sample.")
        .input("anchors", "(batch, anchors, 4): left, top, right, bottom.")
        .input("refs", "(batch, boxes, 4): left, top, right, bottom.")
        .input("means", "(4,).")
        .input("stds", "(4,).")
        .outputs({"output0", "output1"})
        .shape(encode_shape)
        .dtype([](const NoParams&, DTypeInfer& d) { box::infer_float(d); })
        .kernel([](const NoParams&, KernelArgs& args) {
          is_wide(args.in[0].dtype) ? encode_typed<double>(args) : encode_typed<float>(args);
        })
        .element_cost(4)
        .grad_needs({}, {})
        .no_gradient();

const Op& box_decode =
    Define<DecodeParams>("_contrib_box_decode")
        .doc("Boxes (left, top, right, bottom) from what a detector predicts for anchors.")
        .origin("MXNet _contrib_box_decode; Ren et al. 2015")
        .input("data",
               "(batch, anchors, 4), float: offsets of the centre in sizes of the anchor, logarithms of the "
               "ratios of sizes.")
        .input("anchors", "(1, anchors, 4).")
        .outputs({"output"})
        .shape(decode_shape)
        .dtype([](const DecodeParams&, DTypeInfer& d) { box::infer_float(d); })
        .kernel([](const DecodeParams& p, KernelArgs& args) {
          is_wide(args.in[0].dtype) ? decode_typed<double>(p, args) : decode_typed<float>(p, args);
        })
        .element_cost(4)
        .grad_needs({}, {})
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::box_coding
