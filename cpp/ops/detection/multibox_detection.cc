// Detections from what a single-shot detector predicts for its anchors.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "kernels/loops/sort.h"
#include "ops/detection/multibox.h"
#include "ops/detection/suppression.h"

namespace mixgrad::ops::multibox_detection {
namespace {

struct DetectionParams {
  bool clip = true;
  float threshold = 0.01f;
  int32_t background_id = 0;
  float nms_threshold = 0.5f;
  bool force_suppress = false;
  Reals variances{0.1, 0.1, 0.2, 0.2};
  int32_t nms_topk = -1;
  static void fields(Fields<DetectionParams>& f) {
    f.add("clip", &DetectionParams::clip, "Ends boxes at the image's border.")
        .add("threshold", &DetectionParams::threshold, "The least probability of a detection.")
        .add("background_id", &DetectionParams::background_id,
             "Has no effect, as in MXNet: class 0 is the background.")
        .add("nms_threshold", &DetectionParams::nms_threshold,
             "Intersection over union from which the less probable box goes; outside of (0, 1] all stay, in "
             "the order of anchors.")
        .add("force_suppress", &DetectionParams::force_suppress,
             "Boxes of different classes suppress each other.")
        .add("variances", &DetectionParams::variances, "Factors of the four differences from the anchor.")
        .add("nms_topk", &DetectionParams::nms_topk, "How many of the most probable take part; below 1 all.");
  }
};

void detection_shape(const DetectionParams& p, ShapeInfer& s) {
  constexpr int64_t kAny = Shape::kUnknownDim;
  box::expect_count(s, "variances", p.variances, 4);
  s.set_in(0, {kAny, kAny, kAny});
  s.set_in(1, {s.in(0)[0], kAny});
  s.set_in(2, {1, s.in(0)[2], 4});
  const int64_t anchors = s.in(2)[1];
  if (anchors != kAny && anchors > INT32_MAX) s.reject("expected less than 2^31 anchors");
  s.set_in(0, {s.in(1)[0], kAny, anchors});
  if (anchors != kAny) s.set_in(1, {kAny, 4 * anchors});
  s.set_out(0, {s.in(0)[0], anchors, 6});
}

template <class C>
struct Batch {
  const C *probability, *difference, *anchor;
  int64_t classes, anchors;
};

template <class C>
void decode(const DetectionParams& p, const C* a, const C* d, C* out) {
  const multibox::Variances<C> v(p.variances);
  const C w = a[2] - a[0], h = a[3] - a[1];
  const C x = d[0] * v.x * w + (a[0] + a[2]) / 2, y = d[1] * v.y * h + (a[1] + a[3]) / 2;
  const C half_w = std::exp(d[2] * v.w) * w / 2, half_h = std::exp(d[3] * v.h) * h / 2;
  const C side[] = {x - half_w, y - half_h, x + half_w, y + half_h};
  for (int i = 0; i < 4; ++i) {
    out[i] = side[i];
    if (!p.clip) continue;
    if (!(out[i] < 1)) out[i] = 1;
    if (out[i] < 0) out[i] = 0;
  }
}

// Rows (class, probability, box) of the anchors that show something; gives how many.
template <class C>
int64_t collect(const DetectionParams& p, const Batch<C>& b, C* out) {
  int64_t count = 0;
  for (int64_t i = 0; i < b.anchors; ++i) {
    C best = -1;
    int64_t kind = 0;
    for (int64_t k = 1; k < b.classes; ++k) {
      const C probability = b.probability[k * b.anchors + i];
      if (!(probability > best)) continue;
      best = probability;
      kind = k;
    }
    if (kind == 0 || best < static_cast<C>(p.threshold)) continue;
    C* row = out + 6 * count++;
    row[0] = static_cast<C>(kind - 1);
    row[1] = best;
    decode(p, b.anchor + 4 * i, b.difference + 4 * i, row + 2);
  }
  return count;
}

// Sorts the first `most` of the rows by probability, and takes the class from the others and from what others cover.
template <class C>
void thin_out(const DetectionParams& p, int64_t count, C* rows) {
  const int64_t most = p.nms_topk > 0 ? std::min<int64_t>(p.nms_topk, count) : count;
  const auto size = static_cast<size_t>(count);
  ScratchArray<C> before(6 * size), score(size), kind(static_cast<size_t>(most));
  std::copy(rows, rows + 6 * count, before.begin());
  for (int64_t i = 0; i < count; ++i) score[static_cast<size_t>(i)] = rows[6 * i + 1];
  ScratchArray<int32_t> order(static_cast<size_t>(most));
  argsort_rows({1, count, most, false}, score.data(), dtype_of<C>(), order.data());
  const Scratch boxes = Scratch::of<box::Corners<C>>(most);
  for (int64_t i = 0; i < most; ++i) {
    const C* from = before.data() + 6 * int64_t{order[static_cast<size_t>(i)]};
    std::copy(from, from + 6, rows + 6 * i);
    kind[static_cast<size_t>(i)] = from[0];
    boxes.as<box::Corners<C>>()[i] = box::corners(from + 2, box::BoxFormat::corner);
  }
  for (int64_t i = most; i < count; ++i) rows[6 * i] = -1;
  ScratchArray<uint8_t> keep(static_cast<size_t>(most));
  suppression::suppress(boxes.as<box::Corners<C>>(), p.force_suppress ? nullptr : kind.data(), most,
                        {static_cast<C>(p.nms_threshold), true, C(0), INT64_MAX}, keep.data());
  for (int64_t i = 0; i < most; ++i)
    if (!keep[static_cast<size_t>(i)]) rows[6 * i] = -1;
}

template <class C>
void detect(const DetectionParams& p, const Batch<C>& b, C* out) {
  std::fill(out, out + 6 * b.anchors, C(-1));
  const int64_t count = collect(p, b, out);
  if (count > 0 && p.nms_threshold > 0 && p.nms_threshold <= 1) thin_out(p, count, out);
}

template <class C>
void detection_typed(const DetectionParams& p, KernelArgs& args) {
  const Shape& shape = args.in[0].shape();
  const int64_t batches = shape[0], classes = shape[1], anchors = shape[2];
  if (batches == 0 || anchors == 0) return;
  Elements<C> all_anchors(args.in[2], 4 * anchors);
  const C* anchor = all_anchors.read(0, 4 * anchors);
  const auto some = [&](int64_t begin, int64_t end) {
    Elements<C> probabilities(args.in[0], classes * anchors), differences(args.in[1], 4 * anchors);
    Elements<C> out(args.out[0], 6 * anchors);
    for (int64_t i = begin; i < end; ++i) {
      const Batch<C> b{probabilities.read(i * classes * anchors, classes * anchors),
                       differences.read(4 * i * anchors, 4 * anchors), anchor, classes, anchors};
      detect(p, b, out.write(6 * i * anchors));
      out.store(6 * i * anchors, 6 * anchors);
    }
  };
  if (batches >= num_threads())
    parallel_for(batches, loop_grain(4096, {anchors, classes + 8}), some);
  else
    some(0, batches);  // suppression divides over the team inside
}

const Op& multibox_detection =
    Define<DetectionParams>("_contrib_MultiBoxDetection")
        .alias("_npx_multibox_detection")
        .doc(
            "(batch, anchors, 6): rows (class, probability, left, top, right, bottom), the most probable "
            "first. The class is -1 for a box that a more probable one covers, and all of a row is for "
            "anchors "
            "that show only the background. Class 0 of the output is the first after the background.")
        .origin("MXNet _contrib_MultiBoxDetection; Liu et al. 2016")
        .input("cls_prob", "(batch, classes, anchors), float: class 0 is the background.")
        .input("loc_pred", "(batch, 4 * anchors): differences of boxes from anchors.")
        .input("anchor", "(1, anchors, 4): left, top, right, bottom.")
        .outputs({"output"})
        .shape(detection_shape)
        .dtype([](const DetectionParams&, DTypeInfer& d) { box::infer_float(d); })
        .kernel([](const DetectionParams& p, KernelArgs& args) {
          is_wide(args.out[0].dtype) ? detection_typed<double>(p, args) : detection_typed<float>(p, args);
        })
        .cost([](const DetectionParams&, Span<const Shape> in) {
          return 500 + static_cast<double>(in[0].size()) + 100 * static_cast<double>(in[1].size());
        })
        .grad_needs({}, {})
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::multibox_detection
