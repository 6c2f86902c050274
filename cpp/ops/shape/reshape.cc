// Operators that keep the elements and change the shape: one copy in order, or nothing when the output takes
// the input's memory.
#include "kernels/loops/region.h"
#include "op/define.h"
#include "op/reshape_codes.h"

namespace mixgrad::ops::reshape {
namespace {

struct ReshapeToParams {
  Shape shape;
  static void fields(Fields<ReshapeToParams>& f) {
    f.required("shape", &ReshapeToParams::shape, "Extents of the output, without codes.");
  }
};

struct ReshapeParams {
  Shape shape;
  bool reverse = false;
  Shape target_shape;
  bool keep_highest = false;
  static void fields(Fields<ReshapeParams>& f) {
    f.add("shape", &ReshapeParams::shape,
          "Extents or codes: 0 keeps an extent, -1 is inferred, -2 keeps the rest, -3 merges two, -4 splits "
          "one.")
        .add("reverse", &ReshapeParams::reverse, "Match the codes from the last axis.")
        .add("target_shape", &ReshapeParams::target_shape, "Older form of shape, in which 0 is inferred.")
        .add("keep_highest", &ReshapeParams::keep_highest, "Keep the first extent; only with target_shape.");
  }
};

struct ExpandDimsParams {
  int64_t axis = 0;
  static void fields(Fields<ExpandDimsParams>& f) {
    f.required("axis", &ExpandDimsParams::axis, "Where the new axis of extent 1 comes to lie.");
  }
};

struct SqueezeParams {
  std::optional<Shape> axis;
  static void fields(Fields<SqueezeParams>& f) {
    f.add("axis", &SqueezeParams::axis, "Axes of extent 1 to drop; None drops all of them.");
  }
};

struct ReshapeLikeParams {
  std::optional<int64_t> lhs_begin, lhs_end, rhs_begin, rhs_end;
  static void fields(Fields<ReshapeLikeParams>& f) {
    f.add("lhs_begin", &ReshapeLikeParams::lhs_begin, "First axis of lhs that is replaced; None is 0.")
        .add("lhs_end", &ReshapeLikeParams::lhs_end, "Axis of lhs where replacing ends; None is its rank.")
        .add("rhs_begin", &ReshapeLikeParams::rhs_begin, "First axis of rhs that is taken; None is 0.")
        .add("rhs_end", &ReshapeLikeParams::rhs_end, "Axis of rhs where taking ends; None is its rank.");
  }
};

template <class P>
void keep_elements(const P&, KernelArgs& args) {
  copy_elements(args.in[0], args.out[0]);
}
template <class P>
void restore_shape(const P&, Grad& g) {
  g.set(0, reshape_to(g.out_grad(), g.in_shape(0)));
}

template <class P>
Define<P>& reshaping(Define<P>& define) {
  return define.kernel(keep_elements<P>)
      .grad_needs({}, {})
      .grad(restore_shape<P>)
      .same_elements()
      .element_cost(0.15);
}

void check_reshape_size(ShapeInfer& s, const Shape& to) {
  const Shape& from = s.in(0);
  if (!from.known() || !to.known()) return;
  check_extents(to, 1, s.name());
  if (from.size() != to.size()) {
    s.reject("cannot turn ", from.size(), " elements into shape ", to);
  }
}

void infer_reshape_to(const ReshapeToParams& p, ShapeInfer& s) {
  check_reshape_size(s, p.shape);
  s.set_out(0, p.shape);
}

// The form before codes: 0 is the one inferred extent.
Shape legacy_target(const ReshapeParams& p, const Shape& from, ShapeInfer& s) {
  Shape out = p.target_shape;
  if (p.keep_highest && out.ndim() > 0 && from.ndim() > 0) out[0] = from[0];
  int inferred = -1;
  int64_t others = 1;
  for (int i = 0; i < out.ndim(); ++i) {
    if (out[i] == 0 && !(p.keep_highest && i == 0)) {
      if (inferred >= 0) s.reject("target_shape ", p.target_shape, " has more than one 0");
      inferred = i;
    } else if (__builtin_mul_overflow(others, out[i], &others)) {
      s.reject("target_shape ", p.target_shape, " does not fit");
    }
  }
  if (inferred >= 0) {
    if (others <= 0 || from.size() % others != 0) s.reject("target_shape ", p.target_shape, " does not fit");
    out[inferred] = from.size() / others;
  }
  return out;
}

// A graph may know the output first: then one open extent of the input follows, as in weights of layers whose parameters
// are given to RNN in one piece.
void learn_extent(ShapeInfer& s) {
  const Shape &from = s.in(0), &to = s.out(0);
  if (!from.known_rank() || !to.known_rank() || !to.known()) return;
  int open = -1;
  int64_t others = 1;
  for (int a = 0; a < from.ndim(); ++a) {
    if (from[a] < 0) {
      if (open >= 0) return;
      open = a;
    } else if (__builtin_mul_overflow(others, from[a], &others)) {
      return;
    }
  }
  if (open < 0 || others == 0) return;
  check_extents(to, 1, s.name());
  const int64_t elements = to.size();
  if (elements % others != 0) s.reject("cannot turn multiples of ", others, " elements into shape ", to);
  Shape learned = from;
  learned[open] = elements / others;
  s.set_in(0, learned);
}

void infer_reshape(const ReshapeParams& p, ShapeInfer& s) {
  learn_extent(s);
  if (!s.known(0)) {
    bool explicit_shape = p.shape.ndim() > 0;
    for (int64_t code : p.shape) explicit_shape = explicit_shape && code > 0;
    if (explicit_shape) s.set_out(0, p.shape);
    return;
  }
  const Shape& from = s.in(0);
  const bool legacy = p.shape.ndim() == 0 && p.target_shape.ndim() > 0;
  const Shape to = legacy ? legacy_target(p, from, s) : resolve_reshape(from, p.shape, p.reverse, s.name());
  check_reshape_size(s, to);
  s.set_out(0, to);
}

void infer_expand_dims(const ExpandDimsParams& p, ShapeInfer& s) {
  if (s.in(0).known_rank()) {
    Shape to = s.in(0);
    to.insert(normalize_axis(p.axis, to.ndim() + 1, s.name()), 1);
    s.set_out(0, to);
  }
  if (s.out(0).known_rank() && s.out(0).ndim() > 0) {
    Shape from = s.out(0);
    from.erase(normalize_axis(p.axis, from.ndim(), s.name()));
    s.set_in(0, from);
  }
}

void infer_squeeze(const SqueezeParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  const Shape& from = s.in(0);
  bool drop[kMaxDims] = {};
  if (p.axis) {
    for (int64_t a : *p.axis) {
      const int axis = normalize_axis(a, from.ndim(), s.name());
      if (from[axis] != 1) s.reject("axis ", a, " has extent ", from[axis], "; only an extent of 1 can go");
      if (drop[axis]) s.reject("axis ", a, " is named twice");
      drop[axis] = true;
    }
  } else {
    for (int i = 0; i < from.ndim(); ++i) drop[i] = from[i] == 1;
  }
  Shape to;
  for (int i = 0; i < from.ndim(); ++i) {
    if (!drop[i]) to.push_back(from[i]);
  }
  // As in MXNet one axis remains of an array that has any.
  if (to.ndim() == 0 && from.ndim() > 0) to.push_back(1);
  s.set_out(0, to);
}

struct AxisRange {
  int first, last;
};

AxisRange reshape_like_range(std::optional<int64_t> begin, std::optional<int64_t> end, int ndim,
                             ShapeInfer& s) {
  int64_t first = begin.value_or(0), last = end.value_or(ndim);
  if (first < 0) first += ndim;
  if (last < 0) last += ndim;
  if (first < 0 || last > ndim || first > last) s.reject("axes [", first, ", ", last, ") of ", ndim);
  return {static_cast<int>(first), static_cast<int>(last)};
}

void infer_reshape_like(const ReshapeLikeParams& p, ShapeInfer& s) {
  if (!s.known(0) || !s.known(1)) return;
  const Shape &lhs = s.in(0), &rhs = s.in(1);
  const AxisRange from = reshape_like_range(p.lhs_begin, p.lhs_end, lhs.ndim(), s);
  const AxisRange take = reshape_like_range(p.rhs_begin, p.rhs_end, rhs.ndim(), s);
  Shape to;
  for (int i = 0; i < from.first; ++i) to.push_back(lhs[i]);
  for (int i = take.first; i < take.last; ++i) to.push_back(rhs[i]);
  for (int i = from.last; i < lhs.ndim(); ++i) to.push_back(lhs[i]);
  check_reshape_size(s, to);
  s.set_out(0, to);
}

const Op& reshape_to_op = reshaping(Define<ReshapeToParams>("_reshape_to")
                                        .doc("The input's elements in order, in another shape.")
                                        .input("data", "Any array of as many elements.")
                                        .shape(infer_reshape_to));

const Op& reshape_op =
    reshaping(Define<ReshapeParams>("Reshape")
                  .alias("reshape")
                  .doc("The input's elements in order, in the shape that extents and codes ask for.")
                  .origin("MXNet Reshape")
                  .input("data", "Any array.")
                  .shape(infer_reshape));

const Op& expand_dims_op = reshaping(Define<ExpandDimsParams>("expand_dims")
                                         .alias("_npi_expand_dims")
                                         .doc("Inserts an axis of extent 1.")
                                         .origin("MXNet expand_dims")
                                         .input("data", "Any array.")
                                         .shape(infer_expand_dims));

const Op& squeeze_op =
    reshaping(Define<SqueezeParams>("squeeze")
                  .doc("Drops axes of extent 1; an array that consists of such axes keeps one.")
                  .origin("MXNet squeeze")
                  .input("data", "Any array.")
                  .shape(infer_squeeze));

const Op& reshape_like_op =
    Define<ReshapeLikeParams>("reshape_like")
        .alias("_npx_reshape_like")
        .doc(
            "lhs in the shape of rhs; with ranges, only axes [lhs_begin, lhs_end) turn into rhs's axes "
            "[rhs_begin, rhs_end).")
        .origin("MXNet reshape_like")
        .input("lhs", "The elements.")
        .input("rhs", "Gives extents; its elements are not read.")
        .shape(infer_reshape_like)
        .dtype([](const ReshapeLikeParams&, DTypeInfer& d) { infer_first_dtype(d); })
        .kernel(keep_elements<ReshapeLikeParams>)
        .same_elements()
        .grad_needs({}, {})
        .grad(restore_shape<ReshapeLikeParams>);

}  // namespace
}  // namespace mixgrad::ops::reshape
