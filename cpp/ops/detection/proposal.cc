// Regions that a region proposal network takes for objects.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "kernels/loops/sort.h"
#include "ops/detection/suppression.h"

namespace mixgrad::ops::proposal {
namespace {

using box::Corners;

struct ProposalParams {
  int32_t rpn_pre_nms_top_n = 6000;
  int32_t rpn_post_nms_top_n = 300;
  float threshold = 0.7f;
  int32_t rpn_min_size = 16;
  Reals scales{4, 8, 16, 32}, ratios{0.5, 1, 2};
  int32_t feature_stride = 16;
  bool output_score = false;
  bool iou_loss = false;
  static void fields(Fields<ProposalParams>& f) {
    f.add("rpn_pre_nms_top_n", &ProposalParams::rpn_pre_nms_top_n,
          "How many regions of highest score take part in suppression; below 1 all.")
        .add("rpn_post_nms_top_n", &ProposalParams::rpn_post_nms_top_n,
             "How many regions come out, for each image. Where fewer are left, they repeat.", at_least(1))
        .add("threshold", &ProposalParams::threshold,
             "Intersection over union above which the region of lower score goes.")
        .add("rpn_min_size", &ProposalParams::rpn_min_size,
             "Regions of less height or width, in pixels before scaling, come last.", at_least(0))
        .add("scales", &ProposalParams::scales, "Sizes of anchors.")
        .add("ratios", &ProposalParams::ratios, "Height over width of anchors.")
        .add("feature_stride", &ProposalParams::feature_stride, "Pixels of the image from place to place.",
             at_least(1))
        .add("output_score", &ProposalParams::output_score, "The scores are a second output for users.")
        .add("iou_loss", &ProposalParams::iou_loss,
             "bbox_pred holds differences of the four sides in pixels.");
  }
  int64_t anchors() const { return static_cast<int64_t>(scales.size() * ratios.size()); }
};

// `one`: of one image only.
void proposal_shape(const ProposalParams& p, ShapeInfer& s, bool one) {
  constexpr int64_t kAny = Shape::kUnknownDim;
  const int64_t anchors = p.anchors();
  if (anchors == 0) s.reject("expected at least one scale and one ratio");
  s.set_in(0, {one ? 1 : kAny, 2 * anchors, kAny, kAny});
  s.set_in(1, {s.in(0)[0], 4 * anchors, s.in(0)[2], s.in(0)[3]});
  s.set_in(2, {s.in(0)[0], 3});
  if (s.known(0)) {
    int64_t count;
    if (s.in(0)[2] == 0 || s.in(0)[3] == 0) s.reject("expected feature maps of at least one pixel");
    if (__builtin_mul_overflow(anchors, s.in(0)[2], &count) ||
        __builtin_mul_overflow(count, s.in(0)[3], &count) || count > INT32_MAX)
      s.reject("expected less than 2^31 anchors in an image");
  }
  int64_t rows = kAny;
  if (s.in(0)[0] != kAny && __builtin_mul_overflow(s.in(0)[0], int64_t{p.rpn_post_nms_top_n}, &rows))
    s.reject("more regions than 63 bits count");
  s.set_out(0, {rows, 5});
  s.set_out(1, {rows, 1});
}

// Anchors of the first place, as Faster R-CNN rounds them: all scales of each ratio.
template <class C>
void base_anchors(const ProposalParams& p, Corners<C>* out) {
  const C side = static_cast<C>(p.feature_stride), center = (side - 1) / 2;
  for (const double r : p.ratios) {
    const C ratio = static_cast<C>(r), size = std::floor(side * side / ratio);
    for (const double s : p.scales) {
      const C scale = static_cast<C>(s), width = std::floor(std::sqrt(size) + C(0.5)) * scale;
      const C height = std::floor(width / scale * ratio + C(0.5)) * scale;
      *out++ = {center - (width - 1) / 2, center - (height - 1) / 2, center + (width - 1) / 2,
                center + (height - 1) / 2};
    }
  }
}

template <class C>
C inside(C x, C most) {
  x = x < most ? x : most;
  return x > 0 ? x : C(0);
}

// The region that the network predicts for an anchor: `d` are its four differences, `step` apart.
template <class C>
Corners<C> predicted(const ProposalParams& p, const Corners<C>& a, const C* d, int64_t step, const C* info) {
  Corners<C> b{a.left + d[0], a.top + d[step], a.right + d[2 * step], a.bottom + d[3 * step]};
  if (!p.iou_loss) {
    const C w = a.right - a.left + 1, h = a.bottom - a.top + 1;
    const C x = d[0] * w + a.left + (w - 1) / 2, y = d[step] * h + a.top + (h - 1) / 2;
    const C half_w = (std::exp(d[2 * step]) * w - 1) / 2, half_h = (std::exp(d[3 * step]) * h - 1) / 2;
    b = {x - half_w, y - half_h, x + half_w, y + half_h};
  }
  return {inside(b.left, info[1] - 1), inside(b.top, info[0] - 1), inside(b.right, info[1] - 1),
          inside(b.bottom, info[0] - 1)};
}

template <class C>
struct Image {
  const C *score, *difference, *info;  // of the anchors that show objects; info: height, width, scale
  int64_t height, width;
};

// Regions of all anchors and their scores, -1 for those that come last.
template <class C>
void predict_all(const ProposalParams& p, const Image<C>& in, const char* who, Corners<C>* boxes, C* scores) {
  const int64_t anchors = p.anchors(), plane = in.height * in.width;
  const Scratch memory = Scratch::of<Corners<C>>(anchors);
  auto* base = memory.as<Corners<C>>();
  base_anchors(p, base);
  const C stride = static_cast<C>(p.feature_stride), least = static_cast<C>(p.rpn_min_size) * in.info[2];
  // Places beyond the image are there when it was padded.
  const C rows = std::trunc(in.info[0] / stride), columns = std::trunc(in.info[1] / stride);
  if (rows > static_cast<C>(in.height) || columns > static_cast<C>(in.width))
    fail(Status::invalid_argument, "[", who, "] an image of ", static_cast<double>(in.info[0]), " by ",
         static_cast<double>(in.info[1]), " pixels and feature_stride ", p.feature_stride,
         " have places beyond the ", in.height, " by ", in.width,
         " of cls_prob; expected im_info (height, width, scale) of an image that it covers");
  parallel_for(plane, loop_grain(2048, {anchors, 8}), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const C y = static_cast<C>(i / in.width), x = static_cast<C>(i % in.width);
      for (int64_t k = 0; k < anchors; ++k) {
        const Corners<C> a{base[k].left + x * stride, base[k].top + y * stride, base[k].right + x * stride,
                           base[k].bottom + y * stride};
        Corners<C> b = predicted(p, a, in.difference + 4 * k * plane + i, plane, in.info);
        C score = y >= rows || x >= columns ? C(-1) : in.score[k * plane + i];
        if (b.right - b.left + 1 < least || b.bottom - b.top + 1 < least) {
          b = {b.left - least / 2, b.top - least / 2, b.right + least / 2, b.bottom + least / 2};
          score = -1;
        }
        boxes[i * anchors + k] = b;
        scores[i * anchors + k] = score;
      }
    }
  });
}

// Rows (image, left, top, right, bottom) and their scores.
template <class C>
void propose(const ProposalParams& p, const Image<C>& in, const char* who, int64_t image, C* out,
             C* out_score) {
  const int64_t count = p.anchors() * in.height * in.width;
  const int64_t most = p.rpn_pre_nms_top_n > 0 ? std::min<int64_t>(p.rpn_pre_nms_top_n, count) : count;
  const Scratch memory = Scratch::of<Corners<C>>(count), sorted_memory = Scratch::of<Corners<C>>(most);
  auto *boxes = memory.as<Corners<C>>(), *sorted = sorted_memory.as<Corners<C>>();
  ScratchArray<C> scores(static_cast<size_t>(count));
  predict_all(p, in, who, boxes, scores.data());
  ScratchArray<int32_t> order(static_cast<size_t>(most));
  argsort_rows({1, count, most, false}, scores.data(), dtype_of<C>(), order.data());
  for (int64_t i = 0; i < most; ++i) sorted[i] = boxes[order[static_cast<size_t>(i)]];
  ScratchArray<uint8_t> keep(static_cast<size_t>(most));
  const int64_t wanted = p.rpn_post_nms_top_n;
  suppression::suppress(sorted, nullptr, most, {static_cast<C>(p.threshold), false, C(1), wanted},
                        keep.data());
  int64_t kept = 0;  // the first is always among them
  for (int64_t i = 0; i < most && kept < wanted; ++i)
    if (keep[static_cast<size_t>(i)])
      order[static_cast<size_t>(kept++)] = static_cast<int32_t>(order[static_cast<size_t>(i)]);
  for (int64_t i = 0; i < wanted; ++i) {
    const int32_t from = order[static_cast<size_t>(i % kept)];
    const Corners<C>& b = boxes[from];
    const C row[] = {static_cast<C>(image), b.left, b.top, b.right, b.bottom};
    std::copy(row, row + 5, out + 5 * i);
    out_score[i] = scores[static_cast<size_t>(from)];
  }
}

template <class C>
void proposal_typed(const ProposalParams& p, KernelArgs& args) {
  const Shape& in = args.in[0].shape();
  const int64_t anchors = p.anchors(), plane = in[2] * in[3], rows = p.rpn_post_nms_top_n;
  const auto some = [&](int64_t begin, int64_t end) {
    Elements<C> scores(args.in[0], anchors * plane), differences(args.in[1], 4 * anchors * plane);
    Elements<C> info(args.in[2], 3), out(args.out[0], 5 * rows), out_scores(args.out[1], rows);
    for (int64_t b = begin; b < end; ++b) {
      const Image<C> image{scores.read((2 * b + 1) * anchors * plane, anchors * plane),
                           differences.read(4 * b * anchors * plane, 4 * anchors * plane),
                           info.read(3 * b, 3), in[2], in[3]};
      propose(p, image, args.name(), b, out.write(5 * b * rows), out_scores.write(b * rows));
      out.store(5 * b * rows, 5 * rows);
      out_scores.store(b * rows, rows);
    }
  };
  if (in[0] >= num_threads())
    parallel_for(in[0], 1, some);
  else
    some(0, in[0]);  // the work of one image divides over the team
}

void proposal_kernel(const ProposalParams& p, KernelArgs& args) {
  is_wide(args.in[0].dtype) ? proposal_typed<double>(p, args) : proposal_typed<float>(p, args);
}

double proposal_cost(const ProposalParams&, Span<const Shape> in) {
  return 1000 + 60 * static_cast<double>(in[0].size());
}

Define<ProposalParams> describe(const char* name) {
  Define<ProposalParams> op(name);
  op.input("cls_prob",
           "(batch, 2 * anchors, height, width), float: probabilities of the background, then of objects.")
      .input("bbox_pred", "(batch, 4 * anchors, height, width): differences of regions from anchors.")
      .input("im_info", "(batch, 3): height, width and scale of each image.")
      .outputs({"output", "score"})
      .num_visible([](const ProposalParams& p) { return p.output_score ? 2 : 1; })
      .dtype([](const ProposalParams&, DTypeInfer& d) { box::infer_float(d); })
      .kernel(proposal_kernel)
      .cost(proposal_cost)
      .grad_needs({}, {})
      .no_gradient();
  return op;
}

const Op& proposal =
    describe("_contrib_Proposal")
        .doc(
            "(rpn_post_nms_top_n, 5): regions (image, left, top, right, bottom) of one image that a region "
            "proposal network gives the highest scores, without those that one of a higher score overlaps.")
        .origin("MXNet _contrib_Proposal; Ren et al. 2015")
        .shape([](const ProposalParams& p, ShapeInfer& s) { proposal_shape(p, s, true); });

const Op& multi_proposal =
    describe("_contrib_MultiProposal")
        .doc("_contrib_Proposal for each image of a batch: (batch * rpn_post_nms_top_n, 5).")
        .origin("MXNet _contrib_MultiProposal; Ren et al. 2015")
        .shape([](const ProposalParams& p, ShapeInfer& s) { proposal_shape(p, s, false); });

}  // namespace
}  // namespace mixgrad::ops::proposal
