// Operators whose output repeats elements of the input; their gradients sum over the repetitions.
#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::broadcasting {
namespace {

struct BroadcastToParams {
  Shape shape;
  static void fields(Fields<BroadcastToParams>& f) {
    f.add("shape", &BroadcastToParams::shape, "Extents of the output; 0 keeps the input's extent.");
  }
};

struct ExactShapeParams {
  Shape shape;
  static void fields(Fields<ExactShapeParams>& f) {
    f.required("shape", &ExactShapeParams::shape, "Extents of the output.");
  }
};

struct BroadcastLikeParams {
  std::optional<Shape> lhs_axes, rhs_axes;
  static void fields(Fields<BroadcastLikeParams>& f) {
    f.add("lhs_axes", &BroadcastLikeParams::lhs_axes, "Axes of lhs that grow; None is all.")
        .add("rhs_axes", &BroadcastLikeParams::rhs_axes, "Axes of rhs whose extents they take.");
  }
};

struct BroadcastAxisParams {
  Shape axis, size;
  static void fields(Fields<BroadcastAxisParams>& f) {
    f.add("axis", &BroadcastAxisParams::axis, "Axes of extent 1.")
        .add("size", &BroadcastAxisParams::size, "The extents they get.");
  }
};

struct TileParams {
  Shape reps;
  static void fields(Fields<TileParams>& f) {
    f.required("reps", &TileParams::reps, "Repetitions per axis, aligned with the last; missing ones are 1.");
  }
};

struct RepeatParams {
  int64_t repeats = 1;
  std::optional<int64_t> axis;
  static void fields(Fields<RepeatParams>& f) {
    f.required("repeats", &RepeatParams::repeats, "How often each element occurs.", at_least(0))
        .add("axis", &RepeatParams::axis, "Along which axis; None takes the flattened array.");
  }
};

template <class P>
void broadcast_kernel(const P&, KernelArgs& args) {
  const Shape& to = args.out[0].shape();
  copy_strided(args.in[0].data, broadcast_strides(args.in[0].shape(), to), args.out[0].data,
               contiguous_strides(to), to, size_of(args.out[0].dtype));
}

template <class P>
void broadcast_grad(const P&, Grad& g) {
  g.set(0, sum_to(g.out_grad(), g.in_shape(0)));
}

void check_growth(ShapeInfer& s, const Shape& to) {
  const Shape& from = s.in(0);
  const int lead = to.ndim() - from.ndim();
  bool fits = lead >= 0;
  for (int i = 0; fits && i < from.ndim(); ++i) fits = from[i] == to[i + lead] || from[i] == 1;
  if (!fits) s.reject("cannot broadcast to ", to, ": extents must agree or be 1");
  s.set_out(0, to);
}

void infer_broadcast_to(const BroadcastToParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  const Shape& from = s.in(0);
  Shape to = p.shape;
  const int lead = to.ndim() - from.ndim();
  for (int i = lead > 0 ? lead : 0; i < to.ndim(); ++i) {
    if (to[i] == 0) to[i] = from[i - lead];
  }
  check_growth(s, to);
}

void infer_broadcast_like(const BroadcastLikeParams& p, ShapeInfer& s) {
  if (!s.known(0) || !s.known(1)) return;
  if (!p.lhs_axes || !p.rhs_axes) {
    if (p.lhs_axes || p.rhs_axes) s.reject("lhs_axes and rhs_axes go together");
    return check_growth(s, s.in(1));
  }
  if (p.lhs_axes->ndim() != p.rhs_axes->ndim() || p.lhs_axes->ndim() == 0) {
    s.reject("lhs_axes ", *p.lhs_axes, " and rhs_axes ", *p.rhs_axes, " must be as many, at least one");
  }
  Shape to = s.in(0);
  for (int i = 0; i < p.lhs_axes->ndim(); ++i) {
    to[normalize_axis((*p.lhs_axes)[i], to.ndim(), s.name())] =
        s.in(1)[normalize_axis((*p.rhs_axes)[i], s.in(1).ndim(), s.name())];
  }
  check_growth(s, to);
}

void infer_broadcast_axis(const BroadcastAxisParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  if (p.axis.ndim() != p.size.ndim()) s.reject("axis ", p.axis, " and size ", p.size, " must be as many");
  Shape to = s.in(0);
  for (int i = 0; i < p.axis.ndim(); ++i) {
    const int axis = normalize_axis(p.axis[i], to.ndim(), s.name());
    if (to[axis] != 1)
      s.reject("axis ", p.axis[i], " has extent ", to[axis], "; only an extent of 1 can grow");
    to[axis] = p.size[i];
  }
  s.set_out(0, to);
}

// Repetition as axes: the output seen with each repeated axis split into (times, extent) or (extent, times).
struct Repeated {
  Shape shape;          // the split output
  StridedDims strides;  // of the input along it, 0 along repetitions
  Shape sum_axes;       // the repetitions
  void push(int64_t extent, int64_t stride) {
    strides.stride[shape.ndim() < kMaxDims ? shape.ndim() : 0] = stride;
    if (stride == 0) sum_axes.push_back(shape.ndim());
    shape.push_back(extent);
  }
};

int tile_rank(const TileParams& p, const Shape& from) { return std::max(from.ndim(), p.reps.ndim()); }
int64_t tile_reps(const TileParams& p, int axis, int rank) {
  const int i = axis - (rank - p.reps.ndim());
  return i < 0 ? 1 : p.reps[i];
}

Repeated tiled(const TileParams& p, const Shape& from) {
  Repeated r;
  const int rank = tile_rank(p, from);
  const StridedDims strides = contiguous_strides(from);
  for (int a = 0; a < rank; ++a) {
    const int i = a - (rank - from.ndim());
    const int64_t reps = tile_reps(p, a, rank);
    if (reps != 1) r.push(reps, 0);
    if (i >= 0) r.push(from[i], strides.stride[i]);
  }
  return r;
}

Repeated repeated(const RepeatParams& p, const Shape& from, const char* who) {
  Repeated r;
  const int axis = p.axis ? normalize_axis(*p.axis, from.ndim(), who) : from.ndim() - 1;
  const int64_t inner = from.size(axis + 1, from.ndim());
  r.push(from.size(0, axis + 1), inner);
  r.push(p.repeats, 0);
  r.push(inner, 1);
  return r;
}

void copy_repeated(const Repeated& r, KernelArgs& args) {
  copy_strided(args.in[0].data, r.strides, args.out[0].data, contiguous_strides(r.shape), r.shape,
               size_of(args.in[0].dtype));
}

void sum_repeated(const Repeated& r, Grad& g) {
  Tensor grad = g.out_grad();
  if (r.sum_axes.ndim() > 0) grad = sum_axes(reshape_to(grad, r.shape), r.sum_axes, false);
  g.set(0, reshape_to(grad, g.in_shape(0)));
}

// An extent of the output; every product that kernels form is within the output's size.
int64_t times(int64_t extent, int64_t repeats, ShapeInfer& s) {
  int64_t product = 0;
  if (__builtin_mul_overflow(extent, repeats, &product)) {
    s.reject("extent ", extent, " repeated ", repeats, " times is too large");
  }
  return product;
}

void infer_tile(const TileParams& p, ShapeInfer& s) {
  for (int64_t reps : p.reps) {
    if (reps < 0) s.reject("reps ", p.reps, " must not be negative");
  }
  if (!s.known(0)) return;
  Shape to;
  const int rank = tile_rank(p, s.in(0));
  for (int a = 0; a < rank; ++a) {
    const int i = a - (rank - s.in(0).ndim());
    to.push_back(times(i < 0 ? 1 : s.in(0)[i], tile_reps(p, a, rank), s));
  }
  tiled(p, s.in(0));  // refuses what has too many axes
  s.set_out(0, to);
}

void infer_repeat(const RepeatParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  Shape to = s.in(0);
  if (p.axis) {
    int64_t& extent = to[normalize_axis(*p.axis, to.ndim(), s.name())];
    extent = times(extent, p.repeats, s);
  } else {
    to = {times(to.size(), p.repeats, s)};
  }
  s.set_out(0, to);
}

const Op& exact = Define<ExactShapeParams>("_broadcast_to")
                      .doc("Repeats axes of extent 1 until the array has the shape.")
                      .input("data", "As many axes as the shape; extents agree or are 1.")
                      .shape([](const ExactShapeParams& p, ShapeInfer& s) {
                        if (s.known(0)) check_growth(s, p.shape);
                        s.set_out(0, p.shape);
                      })
                      .kernel(broadcast_kernel<ExactShapeParams>)
                      .element_cost(0.15)
                      .by_element()
                      .grad_needs({}, {})
                      .grad(broadcast_grad<ExactShapeParams>);

const Op& to = Define<BroadcastToParams>("broadcast_to")
                   .doc("Repeats axes of extent 1 until the array has the shape.")
                   .origin("MXNet broadcast_to")
                   .input("data", "Extents agree with the shape or are 1; missing leading axes count as 1.")
                   .shape(infer_broadcast_to)
                   .kernel(broadcast_kernel<BroadcastToParams>)
                   .element_cost(0.15)
                   .by_element()
                   .grad_needs({}, {})
                   .grad(broadcast_grad<BroadcastToParams>);

const Op& like =
    Define<BroadcastLikeParams>("broadcast_like")
        .doc(
            "Repeats axes of extent 1 of lhs until they have rhs's extents, on all axes or on pairs of axes.")
        .origin("MXNet broadcast_like")
        .input("lhs", "The elements.")
        .input("rhs", "Gives extents; its elements are not read.")
        .shape(infer_broadcast_like)
        .dtype([](const BroadcastLikeParams&, DTypeInfer& d) { infer_first_dtype(d); })
        .kernel(broadcast_kernel<BroadcastLikeParams>)
        .element_cost(0.15)
        .grad_needs({}, {})
        .grad(broadcast_grad<BroadcastLikeParams>);

const Op& axis = Define<BroadcastAxisParams>("broadcast_axis")
                     .alias("broadcast_axes")
                     .doc("Repeats axes of extent 1 up to the given sizes.")
                     .origin("MXNet broadcast_axis")
                     .input("data", "Any array.")
                     .shape(infer_broadcast_axis)
                     .kernel(broadcast_kernel<BroadcastAxisParams>)
                     .element_cost(0.15)
                     .by_element()
                     .grad_needs({}, {})
                     .grad(broadcast_grad<BroadcastAxisParams>);

const Op& tile = Define<TileParams>("tile")
                     .alias("_npi_tile")
                     .doc("Lays copies of the whole array side by side along axes.")
                     .origin("MXNet tile")
                     .input("data", "Any array; missing leading axes count as 1.")
                     .shape(infer_tile)
                     .kernel([](const TileParams& p, KernelArgs& args) {
                       copy_repeated(tiled(p, args.in[0].shape()), args);
                     })
                     .grad_needs({}, {})
                     .grad([](const TileParams& p, Grad& g) { sum_repeated(tiled(p, g.in_shape(0)), g); });

const Op& repeat =
    Define<RepeatParams>("repeat")
        .alias("_np_repeat")
        .doc("Repeats each element in place, along an axis or in the flattened array.")
        .origin("MXNet repeat")
        .input("data", "Any array.")
        .shape(infer_repeat)
        .kernel([](const RepeatParams& p, KernelArgs& args) {
          copy_repeated(repeated(p, args.in[0].shape(), args.name()), args);
        })
        .grad_needs({}, {})
        .grad([](const RepeatParams& p, Grad& g) { sum_repeated(repeated(p, g.in_shape(0), "repeat"), g); });

}  // namespace
}  // namespace mixgrad::ops::broadcasting
