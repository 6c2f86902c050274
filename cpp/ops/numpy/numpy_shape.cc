// NumPy's shapes: reshape with its codes, squeeze, transpose, at least so many axes, rolls, turns, diagonals.
#include "base/load.h"
#include "launch/composed.h"
#include "ops/numpy/numpy.h"

namespace mixgrad::ops::numpy_shape {
namespace {

using numpy::arange_of;

struct ReshapeParams {
  Shape newshape;
  bool reverse = false;
  std::string order = "C";
  static void fields(Fields<ReshapeParams>& f) {
    f.required(
         "newshape", &ReshapeParams::newshape,
         "Extents. -1 is inferred, -2 copies the extent at its place, -3 skips an extent of 1, -4 copies all "
         "that remain, -5 is the product of two, -6 splits one into the next two.")
        .add("reverse", &ReshapeParams::reverse, "Matches extents from the right.")
        .add("order", &ReshapeParams::order, "'C', row by row.");
  }
};
struct PlainReshapeParams {
  Shape newshape;
  std::string order = "C";
  static void fields(Fields<PlainReshapeParams>& f) {
    f.required("newshape", &PlainReshapeParams::newshape, "Extents; one may be -1, which is inferred.")
        .add("order", &PlainReshapeParams::order, "'C', row by row.");
  }
};
struct SqueezeParams {
  std::optional<Shape> axis;
  static void fields(Fields<SqueezeParams>& f) {
    f.add("axis", &SqueezeParams::axis, "Axes of extent 1 to drop; None means all of these.");
  }
};
struct PermuteParams {
  std::optional<Shape> axes;
  static void fields(Fields<PermuteParams>& f) {
    f.add("axes", &PermuteParams::axes,
          "Axis i of the output is axis axes[i] of the input; None reverses all.");
  }
};
struct MoveParams {
  Shape source, destination;
  static void fields(Fields<MoveParams>& f) {
    f.required("source", &MoveParams::source, "Axes that move.")
        .required("destination", &MoveParams::destination, "Where each of them goes.");
  }
};
struct RollParams {
  std::optional<Shape> shift, axis;
  static void fields(Fields<RollParams>& f) {
    f.add("shift", &RollParams::shift, "By how many places, for all axes or for each.")
        .add("axis", &RollParams::axis, "Along which axes; None rolls the flattened array.");
  }
};
struct TurnParams {
  int32_t k = 1;
  std::optional<Shape> axes;
  static void fields(Fields<TurnParams>& f) {
    f.add("k", &TurnParams::k, "How many quarter turns, from the first axis towards the second.")
        .add("axes", &TurnParams::axes, "The two axes of the plane; None means the first two.");
  }
};
struct DiagonalParams {
  int32_t offset = 0, axis1 = 0, axis2 = 1;
  static void fields(Fields<DiagonalParams>& f) {
    f.add("offset", &DiagonalParams::offset, "Which diagonal: above the main one if positive.")
        .add("axis1", &DiagonalParams::axis1, "Axis of the matrices' rows.")
        .add("axis2", &DiagonalParams::axis2, "Axis of the matrices' columns.");
  }
};
struct KParams {
  int32_t k = 0;
  static void fields(Fields<KParams>& f) {
    f.add("k", &KParams::k, "Which diagonal: above the main one if positive, below it if negative.");
  }
};
struct BroadcastParams {
  Shape shape;
  static void fields(Fields<BroadcastParams>& f) {
    f.add("shape", &BroadcastParams::shape, "Extents of the output; -2 copies the extent at its place.");
  }
};
struct CountParams {
  int32_t num_args = 0;
  static void fields(Fields<CountParams>& f) {
    f.required("num_args", &CountParams::num_args, "Number of inputs.", at_least(1));
  }
};

// The one extent that is -1, from the number of elements.
void infer_extent(Shape& shape, int64_t size, const Composition& c) {
  int open = -1;
  int64_t known = 1;
  for (int i = 0; i < shape.ndim(); ++i) {
    if (shape[i] >= 0) {
      if (__builtin_mul_overflow(known, shape[i], &known))
        c.reject("newshape gives ", shape, "; expected as many elements as there are");
    } else if (open < 0) {
      open = i;
    } else {
      c.reject("newshape has two extents of -1; expected at most one");
    }
  }
  if (open >= 0 && known > 0) shape[open] = size / known;
  if (open >= 0 && known == 0) shape[open] = 0;
  if (shape.size() != size) c.reject("newshape gives ", shape, "; expected as many elements as there are");
}

Shape reversed(const Shape& shape) {
  Shape out;
  for (int i = shape.ndim() - 1; i >= 0; --i) out.push_back(shape[i]);
  return out;
}

// Of codes that are read from left to right. Splits of reversed codes come behind their parts.
Shape coded_shape(const Shape& from, const Shape& codes, const Composition& c) {
  Shape out;
  int at = 0;
  const auto next = [&]() -> int64_t {
    if (at >= from.ndim()) c.reject("newshape ", codes, " asks for more axes than there are");
    return from[at++];
  };
  for (int i = 0; i < codes.ndim(); ++i) {
    const int64_t code = codes[i];
    if (code >= -1) {
      out.push_back(code);
      ++at;
    } else if (code == -2) {
      out.push_back(next());
    } else if (code == -3) {
      if (next() != 1) c.reject("newshape ", codes, " skips an axis with -3; expected its extent to be 1");
    } else if (code == -4) {
      while (at < from.ndim()) out.push_back(next());
    } else if (code == -5) {
      const int64_t first = next();
      out.push_back(first * next());
    } else if (code == -6) {
      if (i + 2 >= codes.ndim())
        c.reject("newshape ", codes, " splits an axis with -6; expected two extents behind it");
      const int64_t whole = next();
      int64_t a = codes[i + 1], b = codes[i + 2];
      if (a == -1 && b > 0) a = whole / b;
      if (b == -1 && a > 0) b = whole / a;
      if (a < 0 || b < 0 || a * b != whole)
        c.reject("newshape ", codes, " splits ", whole, " into ", a, " and ", b);
      out.push_back(a);
      out.push_back(b);
      i += 2;
    } else {
      c.reject("newshape ", codes, " holds ", code, "; expected codes from -6 on");
    }
  }
  return out;
}

Tensor reshaped(const ReshapeParams& p, const Composition& c) {
  if (p.order != "C") c.reject("order is ", p.order, "; expected C");
  Shape shape;
  if (p.reverse) {
    Shape codes = reversed(p.newshape);
    for (int i = 0; i + 2 < codes.ndim(); ++i) {  // (b, a, -6) of a split that was (-6, a, b)
      if (codes[i + 2] == -6) {
        const int64_t b = codes[i], a = codes[i + 1];
        codes[i] = -6, codes[i + 1] = b, codes[i + 2] = a;
        i += 2;
      }
    }
    shape = reversed(coded_shape(reversed(c.shape(0)), codes, c));
  } else {
    shape = coded_shape(c.shape(0), p.newshape, c);
  }
  infer_extent(shape, c.shape(0).size(), c);
  return reshape_to(c.in(0), shape);
}

Tensor squeezed(const SqueezeParams& p, const Composition& c) {
  const Shape& from = c.shape(0);
  bool drop[kMaxDims] = {};
  if (p.axis) {
    for (const int64_t a : *p.axis) {
      if (from.ndim() == 0 && (a == 0 || a == -1)) continue;  // as in NumPy
      const int axis = normalize_axis(a, from.ndim(), c.name());
      if (from[axis] != 1) c.reject("axis ", a, " is to be dropped; expected its extent to be 1");
      if (drop[axis]) c.reject("axis ", a, " is named twice");
      drop[axis] = true;
    }
  }
  Shape to;
  for (int i = 0; i < from.ndim(); ++i) {
    if (p.axis ? !drop[i] : from[i] != 1) to.push_back(from[i]);
  }
  return reshape_to(c.in(0), to);
}

Tensor moved(const MoveParams& p, const Composition& c) {
  const int n = c.shape(0).ndim();
  if (p.source.ndim() != p.destination.ndim())
    c.reject("source ", p.source, " and destination ", p.destination, " differ in length");
  Shape axes = Shape::filled(n, -1);
  bool taken[kMaxDims] = {};
  for (int i = 0; i < p.source.ndim(); ++i) {
    const int from = normalize_axis(p.source[i], n, c.name()),
              to = normalize_axis(p.destination[i], n, c.name());
    if (taken[from] || axes[to] >= 0)
      c.reject("source ", p.source, " or destination ", p.destination, " names an axis twice");
    taken[from] = true;
    axes[to] = from;
  }
  int next = 0;
  for (int i = 0; i < n; ++i) {
    if (axes[i] >= 0) continue;
    while (taken[next]) ++next;
    axes[i] = next++;
  }
  return n == 0 ? c.in(0) : transpose_axes(c.in(0), axes);
}

Tensor rolled_along(const Tensor& x, int axis, int64_t shift) {
  const int64_t n = x->shape()[axis];
  if (n == 0) return x;
  const int64_t by = ((shift % n) + n) % n;
  if (by == 0) return x;
  return apply("Concat",
               {apply("slice_axis", {x}, {{"axis", axis}, {"begin", n - by}, {"end", n}}),
                apply("slice_axis", {x}, {{"axis", axis}, {"begin", int64_t{0}}, {"end", n - by}})},
               {{"num_args", 2}, {"dim", axis}});
}
Tensor rolled(const RollParams& p, const Composition& c) {
  const Tensor x = c.in(0);
  if (!p.shift || p.shift->ndim() == 0) c.reject("no shift is given; expected one");
  if (!p.axis) {
    if (p.shift->ndim() != 1) c.reject("shift is ", *p.shift, "; expected one number where no axis is given");
    const Tensor flat = reshape_to(x, {x->shape().size()});
    return reshape_to(rolled_along(flat, 0, (*p.shift)[0]), x->shape());
  }
  const int pairs = std::max(p.axis->ndim(), p.shift->ndim());
  if ((p.axis->ndim() != pairs && p.axis->ndim() != 1) || (p.shift->ndim() != pairs && p.shift->ndim() != 1))
    c.reject("shift ", *p.shift, " and axis ", *p.axis, " differ in length");
  Tensor y = x;
  for (int i = 0; i < pairs; ++i) {
    const int axis = normalize_axis((*p.axis)[p.axis->ndim() == 1 ? 0 : i], x->shape().ndim(), c.name());
    y = rolled_along(y, axis, (*p.shift)[p.shift->ndim() == 1 ? 0 : i]);
  }
  return y;
}

Tensor turned(const TurnParams& p, const Composition& c) {
  const Shape axes = p.axes.value_or(Shape{0, 1});
  const int n = c.shape(0).ndim();
  if (axes.ndim() != 2) c.reject("axes is ", axes, "; expected two axes");
  const int a = normalize_axis(axes[0], n, c.name()), b = normalize_axis(axes[1], n, c.name());
  if (a == b) c.reject("axes is ", axes, "; expected two different axes");
  const Tensor x = c.in(0);
  const int k = ((p.k % 4) + 4) % 4;
  const auto flip = [](const Tensor& t, const Shape& which) {
    return apply("reverse", {t}, {{"axis", TupleValue(which)}});
  };
  if (k == 0) return x;
  if (k == 2) return flip(x, {a, b});
  Shape order;
  for (int i = 0; i < n; ++i) order.push_back(i == a ? b : i == b ? a : i);
  return k == 1 ? transpose_axes(flip(x, {b}), order) : flip(transpose_axes(x, order), {b});
}

Tensor diagonal(const DiagonalParams& p, const Composition& c) {
  if (c.shape(0).ndim() < 2) c.reject("expected at least two axes");
  return apply("diag", {c.in(0)}, {{"k", p.offset}, {"axis1", p.axis1}, {"axis2", p.axis2}});
}

Tensor lower_triangle(const KParams& p, const Composition& c) {
  Tensor x = c.in(0);
  if (x->shape().ndim() == 0) c.reject("expected at least one axis");
  if (x->shape().ndim() == 1) x = broadcast_to(x, {x->shape()[0], x->shape()[0]});
  const int n = x->shape().ndim();
  const int64_t rows = x->shape()[n - 2], columns = x->shape()[n - 1];
  if (x->shape().size() == 0) return x;
  const Tensor row = reshape_to(arange_of(rows), {rows, 1}) + double(p.k), column = arange_of(columns);
  return select(broadcast_to(apply("broadcast_greater_equal", {row, column}), x->shape()), x, zeros_like(x));
}

Tensor at_least_axes(const Tensor& x, int n) {
  Shape shape = x->shape();
  if (n == 3 && shape.ndim() == 1) shape.insert(0, 1);
  if (n == 3 && shape.ndim() == 2) shape.push_back(1);
  while (shape.ndim() < n) shape.insert(0, 1);
  return reshape_to(x, shape);
}

template <class P>
Define<P> row(const char* name, const char* input, Text doc) {
  Define<P> define(name);
  define.doc(doc).origin("MXNet np_matrix_op").input(input, "Any array.");
  return define;
}

template <int kAxes>
void add_at_least(const char* name, Text doc) {
  Define<CountParams> define(name);
  define.doc(doc)
      .origin("MXNet np_matrix_op")
      .variadic("arys", "Any arrays.", "num_args")
      .num_inputs([](const CountParams& p) { return int{p.num_args}; })
      .num_outputs([](const CountParams& p) { return int{p.num_args}; });
  composed(define,
           [](const CountParams&, Composition& c) {
             for (int i = 0; i < c.num_inputs(); ++i) c.set(i, at_least_axes(c.in(i), kAxes));
           })
      .dtype([](const CountParams&, DTypeInfer& d) {
        for (int i = 0; i < d.num_inputs(); ++i) {
          d.set_in(i, d.out(i));
          d.set_out(i, d.in(i));
        }
      })
      .done();
}

const bool kRegistered = at_load([] {
  Define<ReshapeParams> npx =
      row<ReshapeParams>("_npx_reshape", "a", "The elements in order in another shape, by codes.");
  composed(npx.alias("_npi_reshape"), [](const ReshapeParams& p, Composition& c) {
    c.set(0, reshaped(p, c));
  }).done();
  Define<PlainReshapeParams> plain =
      row<PlainReshapeParams>("_np_reshape", "a", "The elements in order in another shape.");
  composed(plain, [](const PlainReshapeParams& p, Composition& c) {
    if (p.order != "C") c.reject("order is ", p.order, "; expected C");
    Shape shape = p.newshape;
    for (const int64_t extent : shape) {
      if (extent < -1) c.reject("newshape is ", p.newshape, "; expected extents from -1 on");
    }
    infer_extent(shape, c.shape(0).size(), c);
    c.set(0, reshape_to(c.in(0), shape));
  }).done();
  Define<SqueezeParams> squeeze = row<SqueezeParams>("_np_squeeze", "a", "Drops axes of extent 1.");
  composed(squeeze, [](const SqueezeParams& p, Composition& c) { c.set(0, squeezed(p, c)); }).done();
  Define<PermuteParams> transpose = row<PermuteParams>("_np_transpose", "a", "Permutes the axes.");
  composed(transpose, [](const PermuteParams& p, Composition& c) {
    if (c.shape(0).ndim() == 0) return c.set(0, c.in(0));
    c.set(0, transpose_axes(c.in(0), p.axes.value_or(Shape())));
  }).done();
  Define<MoveParams> move = row<MoveParams>("_np_moveaxis", "a", "Moves axes; the others keep their order.");
  composed(move, [](const MoveParams& p, Composition& c) { c.set(0, moved(p, c)); }).done();
  Define<RollParams> roll = row<RollParams>(
      "_np_roll", "data", "Moves elements along axes; those that leave come in on the other side.");
  composed(roll, [](const RollParams& p, Composition& c) { c.set(0, rolled(p, c)); }).done();
  Define<TurnParams> turn = row<TurnParams>("_npi_rot90", "data", "Turns a plane by quarters.");
  composed(turn, [](const TurnParams& p, Composition& c) { c.set(0, turned(p, c)); }).done();
  Define<DiagonalParams> diagonals =
      row<DiagonalParams>("_np_diagonal", "data", "Diagonals of matrices, as a new last axis.");
  composed(diagonals, [](const DiagonalParams& p, Composition& c) { c.set(0, diagonal(p, c)); }).done();
  Define<DiagonalParams> trace = row<DiagonalParams>("_np_trace", "data", "Sums of diagonals of matrices.");
  composed(trace, [](const DiagonalParams& p, Composition& c) {
    c.set(0, apply("_np_sum", {diagonal(p, c)}, {{"axis", TupleValue(Shape{-1})}}));
  }).done();
  Define<KParams> diag =
      row<KParams>("_np_diag", "data",
                   "The k-th diagonal of a matrix, or the square matrix with a vector as that diagonal.");
  composed(diag, [](const KParams& p, Composition& c) {
    if (c.shape(0).ndim() != 1 && c.shape(0).ndim() != 2) c.reject("expected one axis or two");
    c.set(0, apply("diag", {c.in(0)}, {{"k", p.k}}));
  }).done();
  Define<KParams> flat =
      row<KParams>("_np_diagflat", "data", "The square matrix with the flattened input as diagonal.");
  composed(flat, [](const KParams& p, Composition& c) {
    c.set(0, apply("diag", {reshape_to(c.in(0), {c.shape(0).size()})}, {{"k", p.k}}));
  }).done();
  Define<KParams> tril = row<KParams>("_npi_tril", "data", "Matrices with zeros above a diagonal.");
  composed(tril, [](const KParams& p, Composition& c) { c.set(0, lower_triangle(p, c)); }).done();
  Define<BroadcastParams> broadcast =
      row<BroadcastParams>("_npi_broadcast_to", "array", "Repeats axes of extent 1 up to a shape.");
  composed(broadcast, [](const BroadcastParams& p, Composition& c) {
    const Shape& from = c.shape(0);
    Shape to = p.shape;
    const int lead = to.ndim() - from.ndim();
    for (int i = 0; i < to.ndim(); ++i) {
      const int64_t have = i < lead ? 1 : lead < 0 ? -1 : from[i - lead];
      if (to[i] == -2 && i >= lead) to[i] = have;
      if (lead < 0 || to[i] < 0 || (have != 1 && have != to[i]))
        c.reject("shape ", p.shape, " is no broadcast");
    }
    if (lead < 0) c.reject("shape ", p.shape, " is no broadcast");
    c.set(0, broadcast_to(c.in(0), to));
  }).done();
  add_at_least<1>("_np_atleast_1d", "Arrays with at least one axis.");
  add_at_least<2>("_np_atleast_2d", "Arrays with at least two axes.");
  add_at_least<3>("_np_atleast_3d", "Arrays with at least three axes.");
});

}  // namespace
}  // namespace mixgrad::ops::numpy_shape
