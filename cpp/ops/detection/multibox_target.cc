// What a single-shot detector has to predict for its anchors.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "ops/detection/multibox.h"

namespace mixgrad::ops::multibox_target {
namespace {

struct TargetParams {
  float overlap_threshold = 0.5f;
  float ignore_label = -1;
  float negative_mining_ratio = -1;
  float negative_mining_thresh = 0.5f;
  int32_t minimum_negative_samples = 0;
  Reals variances{0.1, 0.1, 0.2, 0.2};
  static void fields(Fields<TargetParams>& f) {
    f.add(
         "overlap_threshold", &TargetParams::overlap_threshold,
         "Anchors whose overlap with an object is above this show it; not above 0: only the best one of each "
         "object does.")
        .add("ignore_label", &TargetParams::ignore_label, "Class of anchors that do not count.")
        .add("negative_mining_ratio", &TargetParams::negative_mining_ratio,
             "Above 0: how many anchors per positive one count as background, those first that look least "
             "like "
             "it; all others do not count.")
        .add("negative_mining_thresh", &TargetParams::negative_mining_thresh,
             "Only anchors that overlap every object by less may count as background, when these are chosen.")
        .add("minimum_negative_samples", &TargetParams::minimum_negative_samples,
             "Has no effect, as in MXNet on CPUs.")
        .add("variances", &TargetParams::variances, "Divisors of the four differences from the anchor.");
  }
};

void target_shape(const TargetParams& p, ShapeInfer& s) {
  constexpr int64_t kAny = Shape::kUnknownDim;
  box::expect_count(s, "variances", p.variances, 4);
  if (p.negative_mining_ratio > 0 && !(p.negative_mining_thresh > 0))
    s.reject("negative_mining_thresh is ", p.negative_mining_thresh, "; expected a number above 0");
  s.set_in(0, {1, kAny, 4});
  s.set_in(1, {kAny, kAny, kAny});
  s.set_in(2, {s.in(1)[0], kAny, s.in(0)[1]});
  const int64_t anchors = s.in(2)[2], batches = s.in(2)[0];
  s.set_in(0, {1, anchors, 4});
  s.set_in(1, {batches, kAny, kAny});
  if (s.in(1)[2] != kAny && s.in(1)[2] < 5)
    s.reject("label is ", s.in(1), "; expected (batch, objects, 5 or more)");
  if (s.in(2)[1] == 0) s.reject("expected at least one class, the background");
  if (anchors == kAny) return;
  int64_t numbers;
  if (__builtin_mul_overflow(anchors, int64_t{4}, &numbers)) s.reject("more anchors than 61 bits count");
  for (int i = 0; i < 2; ++i) s.set_out(i, {batches, numbers});
  s.set_out(2, {batches, anchors});
}

template <class C>
struct Batch {
  const C *anchor, *label, *prediction;
  int64_t anchors, objects, width, classes;
  const C* object(int64_t k) const { return label + k * width; }
};

template <class C>
struct Match {
  C overlap = -1;
  int64_t object = -1;
  int state = -1;  // 1: shows its object, 0: background, -1: does not count
};

// Rows up to the first of class -1.
template <class C>
int64_t count_objects(const Batch<C>& b) {
  for (int64_t k = 0; k < b.objects; ++k) {
    const C* row = b.object(k);
    if (row[0] != -1) continue;
    for (int i = 1; i < 5; ++i)
      if (row[i] != -1)
        fail(Status::invalid_argument, "[_contrib_MultiBoxTarget] object ", k,
             " is of class -1 and its box has ", static_cast<double>(row[i]),
             "; expected a row of -1 after the last object");
    return k;
  }
  return b.objects;
}

// Gives each object the anchor that overlaps it most, the best pair of all first. Gives how many got one.
template <class C>
int64_t match_objects(const Batch<C>& b, int64_t objects, const C* overlaps, Match<C>* matches) {
  const auto count = static_cast<size_t>(objects);
  ScratchArray<C> most(count);
  ScratchArray<int64_t> best(count);
  ScratchArray<uint8_t> done(count, uint8_t{0});
  // The first free anchor that overlaps object k most, by more than next to nothing.
  const auto look = [&](int64_t k) {
    const auto i = static_cast<size_t>(k);
    most[i] = static_cast<C>(1e-6f);
    best[i] = -1;
    for (int64_t j = 0; j < b.anchors; ++j) {
      if (matches[j].state == 1 || !(overlaps[k * b.anchors + j] > most[i])) continue;
      most[i] = overlaps[k * b.anchors + j];
      best[i] = j;
    }
  };
  for (int64_t k = 0; k < objects; ++k) look(k);
  int64_t positive = 0;
  while (true) {
    int64_t object = -1;
    for (int64_t k = 0; k < objects; ++k) {
      const auto i = static_cast<size_t>(k);
      if (done[i] || best[i] < 0) continue;
      const auto o = static_cast<size_t>(object);
      if (object < 0 || most[i] > most[o] || (most[i] == most[o] && best[i] < best[o])) object = k;
    }
    if (object < 0) return positive;
    const auto o = static_cast<size_t>(object);
    const int64_t taken = best[o];
    matches[taken] = {most[o], object, 1};
    done[o] = 1;
    ++positive;
    for (int64_t k = 0; k < objects; ++k)
      if (!done[static_cast<size_t>(k)] && best[static_cast<size_t>(k)] == taken) look(k);
  }
}

// The first object that anchor j overlaps most.
template <class C>
void match_anchor(const Batch<C>& b, int64_t objects, const C* overlaps, int64_t j, Match<C>& match) {
  for (int64_t k = 0; k < objects; ++k) {
    const C overlap = overlaps[k * b.anchors + j];
    if (!(overlap > match.overlap)) continue;
    match.overlap = overlap;
    match.object = k;
  }
}

// Probability of the background at anchor j.
template <class C>
C background(const Batch<C>& b, int64_t j) {
  C most = b.prediction[j], sum = 0;
  for (int64_t k = 1; k < b.classes; ++k) most = std::max(most, b.prediction[k * b.anchors + j]);
  for (int64_t k = 0; k < b.classes; ++k) sum += std::exp(b.prediction[k * b.anchors + j] - most);
  return std::exp(b.prediction[j] - most) / sum;
}

template <class C>
void choose_negatives(const TargetParams& p, const Batch<C>& b, int64_t positive, Match<C>* matches) {
  const double asked = static_cast<double>(static_cast<float>(positive) * p.negative_mining_ratio);
  const int64_t rest = b.anchors - positive;
  const int64_t wanted = asked >= static_cast<double>(rest) ? rest
                         : asked > 0                        ? static_cast<int64_t>(asked)
                                                            : 0;
  if (wanted == 0) return;
  struct Negative {
    C probability;
    int64_t anchor;
  };
  const Scratch memory = Scratch::of<Negative>(rest);
  auto* found = memory.as<Negative>();
  int64_t count = 0;
  for (int64_t j = 0; j < b.anchors; ++j)
    if (matches[j].state != 1 && matches[j].overlap < static_cast<C>(p.negative_mining_thresh))
      found[count++] = {background(b, j), j};
  if (count < wanted)
    fail(Status::invalid_argument, "[_contrib_MultiBoxTarget] only ", count,
         " anchors overlap every object by less than negative_mining_thresh ", p.negative_mining_thresh,
         "; expected at least ", wanted, " for the background");
  // NaN last, so that there is an order.
  std::stable_sort(found, found + count, [](const Negative& a, const Negative& c) {
    return a.probability < c.probability ||
           (c.probability != c.probability && a.probability == a.probability);
  });
  for (int64_t i = 0; i < wanted; ++i) matches[found[i].anchor].state = 0;
}

template <class C>
void encode(const TargetParams& p, const C* a, const C* object, C* out) {
  const multibox::Variances<C> v(p.variances);
  const C w = a[2] - a[0], h = a[3] - a[1];
  const C gw = object[2] - object[0], gh = object[3] - object[1];
  out[0] = ((object[0] + object[2]) / 2 - (a[0] + a[2]) / 2) / w / v.x;
  out[1] = ((object[1] + object[3]) / 2 - (a[1] + a[3]) / 2) / h / v.y;
  out[2] = std::log(gw / w) / v.w;
  out[3] = std::log(gh / h) / v.h;
}

// location and mask: 4 numbers per anchor; kind: one.
template <class C>
void one_target(const TargetParams& p, const Batch<C>& b, C* location, C* mask, C* kind) {
  std::fill(location, location + 4 * b.anchors, C(0));
  std::fill(mask, mask + 4 * b.anchors, C(0));
  std::fill(kind, kind + b.anchors, static_cast<C>(p.ignore_label));
  const int64_t objects = count_objects(b);
  if (objects == 0 || b.anchors == 0) return;
  const Scratch overlap_memory = Scratch::of<C>(objects * b.anchors);
  C* overlaps = overlap_memory.as<C>();
  parallel_for(objects, loop_grain(8192, {b.anchors, 8}), [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k)
      for (int64_t j = 0; j < b.anchors; ++j)
        overlaps[k * b.anchors + j] = multibox::overlap(b.anchor + 4 * j, b.object(k) + 1);
  });
  const Scratch match_memory = Scratch::of<Match<C>>(b.anchors);
  auto* matches = match_memory.as<Match<C>>();
  std::fill(matches, matches + b.anchors, Match<C>());
  int64_t positive = match_objects(b, objects, overlaps, matches);
  for (int64_t j = 0; j < b.anchors; ++j) {
    if (matches[j].state == 1) continue;
    match_anchor(b, objects, overlaps, j, matches[j]);
    if (p.overlap_threshold > 0 && matches[j].object >= 0 &&
        matches[j].overlap > static_cast<C>(p.overlap_threshold)) {
      matches[j].state = 1;
      ++positive;
    }
  }
  if (p.negative_mining_ratio > 0) {
    choose_negatives(p, b, positive, matches);
  } else {
    for (int64_t j = 0; j < b.anchors; ++j) matches[j].state = std::max(matches[j].state, 0);
  }
  for (int64_t j = 0; j < b.anchors; ++j) {
    if (matches[j].state == 0) kind[j] = 0;
    if (matches[j].state != 1) continue;
    const C* object = b.object(matches[j].object);
    kind[j] = object[0] + 1;
    std::fill(mask + 4 * j, mask + 4 * j + 4, C(1));
    encode(p, b.anchor + 4 * j, object + 1, location + 4 * j);
  }
}

template <class C>
void target_typed(const TargetParams& p, KernelArgs& args) {
  const Shape &label = args.in[1].shape(), &prediction = args.in[2].shape();
  const int64_t anchors = prediction[2], classes = prediction[1], labels = label[1] * label[2];
  Elements<C> all_anchors(args.in[0], 4 * anchors);
  const C* anchor = all_anchors.read(0, 4 * anchors);
  const auto some = [&](int64_t begin, int64_t end) {
    Elements<C> rows(args.in[1], labels), predictions(args.in[2], classes * anchors);
    Elements<C> locations(args.out[0], 4 * anchors), masks(args.out[1], 4 * anchors),
        kinds(args.out[2], anchors);
    for (int64_t i = begin; i < end; ++i) {
      const Batch<C> b{anchor,
                       rows.read(i * labels, labels),
                       predictions.read(i * classes * anchors, classes * anchors),
                       anchors,
                       label[1],
                       label[2],
                       classes};
      one_target(p, b, locations.write(4 * i * anchors), masks.write(4 * i * anchors),
                 kinds.write(i * anchors));
      locations.store(4 * i * anchors, 4 * anchors);
      masks.store(4 * i * anchors, 4 * anchors);
      kinds.store(i * anchors, anchors);
    }
  };
  if (label[0] >= num_threads())
    parallel_for(label[0], loop_grain(8192, {anchors, label[1] + 4}), some);
  else
    some(0, label[0]);
}

const Op& multibox_target =
    Define<TargetParams>("_contrib_MultiBoxTarget")
        .alias("_npx_multibox_target")
        .doc(
            "For each anchor, what to predict: the difference of its object's box from it, whether it has an "
            "object, and the class, which is 0 for the background and one more than the object's class. Each "
            "object goes to the anchor that overlaps it most, then to all that overlap it enough. Of images "
            "without objects no anchor counts.")
        .origin("MXNet _contrib_MultiBoxTarget; Liu et al. 2016")
        .input("anchor", "(1, anchors, 4), float: left, top, right, bottom.")
        .input("label",
               "(batch, objects, 5 or more): class, left, top, right, bottom; a row of -1 ends the objects.")
        .input("cls_pred", "(batch, classes, anchors): scores before softmax.")
        .outputs({"loc_target", "loc_mask", "cls_target"})
        .shape(target_shape)
        .dtype([](const TargetParams&, DTypeInfer& d) { box::infer_float(d); })
        .kernel([](const TargetParams& p, KernelArgs& args) {
          is_wide(args.in[0].dtype) ? target_typed<double>(p, args) : target_typed<float>(p, args);
        })
        .cost([](const TargetParams&, Span<const Shape> in) {
          return 500 + 6 * static_cast<double>(in[1][0]) * static_cast<double>(in[1][1] + 2) *
                           static_cast<double>(in[0][1]);
        })
        .grad_needs({}, {})
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::multibox_target
