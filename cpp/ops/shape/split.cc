// Cutting an array along an axis into several outputs.
#include <algorithm>
#include <vector>

#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::split {
namespace {

constexpr double kMostParts = 1 << 20;

struct SliceChannelParams {
  int64_t num_outputs = 1;
  int64_t axis = 1;
  bool squeeze_axis = false;
  static void fields(Fields<SliceChannelParams>& f) {
    f.required("num_outputs", &SliceChannelParams::num_outputs, "Number of equal parts.",
               between(1, kMostParts))
        .add("axis", &SliceChannelParams::axis, "The axis that is cut.")
        .add("squeeze_axis", &SliceChannelParams::squeeze_axis,
             "Drop the axis; each part must have extent 1.");
  }
};

struct SplitParams {
  Shape indices;
  int64_t axis = 1;
  bool squeeze_axis = false;
  int64_t sections = 0;
  static void fields(Fields<SplitParams>& f) {
    f.required("indices", &SplitParams::indices, "Where each part begins; the last one reaches to the end.")
        .add("axis", &SplitParams::axis, "The axis that is cut.")
        .add("squeeze_axis", &SplitParams::squeeze_axis, "Drop the axis; each part must have extent 1.")
        .add("sections", &SplitParams::sections, "Number of equal parts; 0 uses indices.",
             between(0, kMostParts));
  }
};

int part_count(const SliceChannelParams& p) { return static_cast<int>(p.num_outputs); }
int part_count(const SplitParams& p) {
  return p.sections > 0 ? static_cast<int>(p.sections) : p.indices.ndim();
}

// Begins of the parts and the extent as the last entry.
std::vector<int64_t> even_cuts(int64_t parts, int64_t extent, const char* who) {
  if (extent % parts != 0)
    fail(Status::shape, "[", who, "] extent ", extent, " does not divide into ", parts, " parts");
  std::vector<int64_t> cuts;
  for (int64_t i = 0; i <= parts; ++i) cuts.push_back(extent / parts * i);
  return cuts;
}
std::vector<int64_t> part_cuts(const SliceChannelParams& p, int64_t extent, const char* who) {
  return even_cuts(p.num_outputs, extent, who);
}
std::vector<int64_t> part_cuts(const SplitParams& p, int64_t extent, const char* who) {
  if (p.sections > 0) return even_cuts(p.sections, extent, who);
  std::vector<int64_t> cuts;
  for (int64_t i : p.indices) {
    const int64_t cut = std::clamp<int64_t>(i < 0 ? i + extent : i, 0, extent);
    if (!cuts.empty() && cut < cuts.back())
      fail(Status::invalid_argument, "[", who, "] a part begins at ", cut, ", behind one that begins at ",
           cuts.back(), "; expected indices in order");
    cuts.push_back(cut);
  }
  cuts.push_back(extent);
  return cuts;
}

int64_t even_parts(const SliceChannelParams& p) { return p.num_outputs; }
int64_t even_parts(const SplitParams& p) { return p.sections; }

// Of equal parts, what one of them says of the whole, and the others.
template <class P>
void infer_whole(const P& p, ShapeInfer& s) {
  const int64_t parts = even_parts(p);
  for (int i = 0; parts > 0 && i < s.num_outputs(); ++i) {
    if (!s.out(i).known_rank()) continue;
    Shape whole = s.out(i);
    const int axis = normalize_axis(p.axis, whole.ndim() + (p.squeeze_axis ? 1 : 0), s.name());
    if (p.squeeze_axis) {
      whole.insert(axis, parts);
    } else if (whole[axis] >= 0 && __builtin_mul_overflow(whole[axis], parts, &whole[axis])) {
      s.reject("part ", i, " has shape ", s.out(i), ", of which ", parts, " are too many elements");
    }
    s.set_in(0, whole);
  }
}

template <class P>
void infer_parts(const P& p, ShapeInfer& s) {
  infer_whole(p, s);
  if (!s.known(0)) return;
  const int axis = normalize_axis(p.axis, s.in(0).ndim(), s.name());
  const std::vector<int64_t> cuts = part_cuts(p, s.in(0)[axis], s.name());
  for (int i = 0; i < s.num_outputs(); ++i) {
    Shape part = s.in(0);
    part[axis] = cuts[static_cast<size_t>(i) + 1] - cuts[static_cast<size_t>(i)];
    if (p.squeeze_axis) {
      if (part[axis] != 1) s.reject("squeeze_axis drops an extent of 1, but part ", i, " has ", part[axis]);
      part.erase(axis);
    }
    s.set_out(i, part);
  }
}

template <class P>
void read_parts(const P& p, KernelArgs& args) {
  const Shape& whole = args.in[0].shape();
  const int axis = normalize_axis(p.axis, whole.ndim(), args.name());
  const std::vector<int64_t> cuts = part_cuts(p, whole[axis], args.name());
  for (size_t i = 0; i < args.out.size(); ++i) {
    read_region(args.in[0], axis_region(whole, axis, cuts[i], cuts[i + 1] - cuts[i]), args.out[i].data);
  }
}

template <class P>
void join_parts(const P& p, Grad& g) {
  const int axis = normalize_axis(p.axis, g.in_shape(0).ndim(), "split");
  std::vector<Tensor> parts;
  for (int i = 0; i < g.num_outputs(); ++i) parts.push_back(g.out_grad(i));
  const Value count(static_cast<int64_t>(parts.size()));
  Tensor whole;
  if (p.squeeze_axis) {
    const NamedValue params[] = {{"axis", axis}, {"num_args", count}};
    whole = apply("stack", parts, params);
  } else {
    const NamedValue params[] = {{"num_args", count}, {"dim", axis}};
    whole = apply("Concat", parts, params);
  }
  // Where parts begin after the first element, nothing flows into what lies before.
  if (whole->shape() != g.in_shape(0)) {
    Shape begin = Shape::filled(g.in_shape(0).ndim(), 0);
    begin[axis] = g.in_shape(0)[axis] - whole->shape()[axis];
    whole = apply("_strided_slice_place", {whole},
                  {{"begin", TupleValue(begin)},
                   {"step", TupleValue(Shape::filled(begin.ndim(), 1))},
                   {"shape", TupleValue(g.in_shape(0))}});
  }
  g.set(0, whole);
}

const Op& slice_channel = Define<SliceChannelParams>("SliceChannel")
                              .alias("split")
                              .doc("Cuts an array along an axis into equal parts.")
                              .origin("MXNet SliceChannel")
                              .input("data", "Any array with an extent that divides.")
                              .num_outputs([](const SliceChannelParams& p) { return part_count(p); })
                              .shape(infer_parts<SliceChannelParams>)
                              .kernel(read_parts<SliceChannelParams>)
                              .grad_needs({}, {})
                              .grad(join_parts<SliceChannelParams>);

const Op& split_v2 = Define<SplitParams>("_split_v2")
                         .alias("_npi_split")
                         .alias("_npi_dsplit")
                         .doc("Cuts an array along an axis at given places, or into equal sections.")
                         .origin("MXNet _split_v2")
                         .input("data", "Any array.")
                         .num_outputs([](const SplitParams& p) { return part_count(p); })
                         .shape(infer_parts<SplitParams>)
                         .kernel(read_parts<SplitParams>)
                         .grad_needs({}, {})
                         .grad(join_parts<SplitParams>);

}  // namespace
}  // namespace mixgrad::ops::split
