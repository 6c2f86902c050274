// MXNet's slices: bounds that may be None or negative, resolved to boxes when the shape is known.
#include <algorithm>

#include "base/error.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::slice {
namespace {

struct SliceAxisParams {
  int64_t axis = 0, begin = 0;
  std::optional<int64_t> end;
  static void fields(Fields<SliceAxisParams>& f) {
    f.required("axis", &SliceAxisParams::axis, "The axis.")
        .required("begin", &SliceAxisParams::begin, "First index; negative counts from the end.")
        .required("end", &SliceAxisParams::end, "Index after the last; None is the extent.");
  }
};

struct SliceParams {
  Bounds begin, end, step;
  template <class P>
  static void bound_fields(Fields<P>& f) {
    f.required("begin", static_cast<Bounds P::*>(&P::begin),
               "First index per leading axis; None is the first in the direction of step.")
        .required("end", static_cast<Bounds P::*>(&P::end),
                  "Index after the last per leading axis; None goes to the end.")
        .add("step", static_cast<Bounds P::*>(&P::step),
             "Distance per leading axis; None is 1, negative walks backwards.");
  }
  static void fields(Fields<SliceParams>& f) { bound_fields(f); }
};

struct SliceScalarParams : SliceParams {
  double scalar = 0;
  static void fields(Fields<SliceScalarParams>& f) {
    f.add("scalar", &SliceScalarParams::scalar, "The value, converted to the array's dtype.");
    bound_fields(f);
  }
};

struct SliceLikeParams {
  Shape axes;
  static void fields(Fields<SliceLikeParams>& f) {
    f.add("axes", &SliceLikeParams::axes, "Axes to cut; () cuts all.");
  }
};

struct Box {
  Shape begin, step, size;
  Region region(const Shape& whole, const char* who) const {
    return region_of(whole, begin, step, size, who);
  }
};

Box whole_box(const Shape& whole) {
  return {Shape::filled(whole.ndim(), 0), Shape::filled(whole.ndim(), 1), whole};
}

// Bounds are clamped into the array, as Python's slices are. Extents not known, of graphs, stay so: bounds say
// nothing of a part that ends where the array does.
Box box_of(const SliceParams& p, const Shape& whole, const char* who) {
  const auto entry = [](const Bounds& bounds, int axis) {
    return static_cast<size_t>(axis) < bounds.size() ? bounds[static_cast<size_t>(axis)] : std::nullopt;
  };
  const size_t given = p.begin.size();
  if (p.end.size() != given || given > static_cast<size_t>(whole.ndim()) ||
      (!p.step.empty() && p.step.size() != given)) {
    fail(Status::shape, "[", who, "] ", given, " begins, ", p.end.size(), " ends and ", p.step.size(),
         " steps for shape ", whole, "; expected equally many, at most one per axis");
  }
  Box box = whole_box(whole);
  for (int a = 0; a < static_cast<int>(given); ++a) {
    const int64_t n = whole[a], step = entry(p.step, a).value_or(1);
    if (step == 0) fail(Status::invalid_argument, "[", who, "] step 0 on axis ", a, "; expected another");
    if (n < 0) continue;
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
    const auto resolve = [&](std::optional<int64_t> bound, int64_t otherwise) {
      if (!bound) return otherwise;
      return std::clamp(*bound < 0 ? *bound + n : *bound, low, high);
    };
    const int64_t begin = resolve(entry(p.begin, a), step > 0 ? low : high);
    const int64_t end = resolve(entry(p.end, a), step > 0 ? high : low);
    const int64_t distance = step > 0 ? end - begin : begin - end;
    const uint64_t stride =
        step > 0 ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
    box.size[a] = distance > 0 ? static_cast<int64_t>(static_cast<uint64_t>(distance - 1) / stride) + 1 : 0;
    box.begin[a] = begin;
    box.step[a] = box.size[a] > 1 ? step : 1;
  }
  return box;
}

Box box_of(const SliceAxisParams& p, const Shape& whole, const char* who) {
  const int axis = normalize_axis(p.axis, whole.ndim(), who);
  const int64_t n = whole[axis];
  if (n < 0) return whole_box(whole);
  const int64_t begin = p.begin < 0 ? p.begin + n : p.begin;
  const int64_t end = p.end ? (*p.end < 0 ? *p.end + n : *p.end) : n;
  if (begin < 0 || begin > end || end > n) {
    fail(Status::index, "[", who, "] begin ", p.begin, " and end ", p.end ? text(*p.end) : "None",
         " on axis ", axis, " of shape ", whole, "; expected 0 <= begin <= end <= ", n,
         " after counting from the end");
  }
  Box box = whole_box(whole);
  box.begin[axis] = begin;
  box.size[axis] = end - begin;
  return box;
}

Box box_of(const SliceLikeParams& p, const Shape& whole, const Shape& like, const char* who) {
  Box box = whole_box(whole);
  const auto cut = [&](int axis, int like_axis) {
    if (like[like_axis] > whole[axis]) {
      fail(Status::shape, "[", who, "] axis ", axis, " of shape ", whole, " is shorter than shape_like ",
           like);
    }
    box.size[axis] = like[like_axis];
  };
  if (p.axes.ndim() == 0) {
    if (like.ndim() != whole.ndim()) {
      fail(Status::shape, "[", who, "] data ", whole, " and shape_like ", like,
           " need equally many axes, or axes given");
    }
    for (int a = 0; a < whole.ndim(); ++a) cut(a, a);
  }
  for (int64_t a : p.axes) cut(normalize_axis(a, whole.ndim(), who), normalize_axis(a, like.ndim(), who));
  return box;
}

void place_gradient(const Box& box, Grad& g) {
  g.set(0, apply("_strided_slice_place", {g.out_grad()},
                 {{"begin", TupleValue(box.begin)},
                  {"step", TupleValue(box.step)},
                  {"shape", TupleValue(g.in_shape(0))}}));
}

template <class P>
void infer_box(const P& p, ShapeInfer& s) {
  if (s.in(0).known_rank()) s.set_out(0, box_of(p, s.in(0), s.name()).size);
}
template <class P>
void read_box(const P& p, KernelArgs& args) {
  const Shape& whole = args.in[0].shape();
  read_region(args.in[0], box_of(p, whole, args.name()).region(whole, args.name()), args.out[0].data);
}

Tensor assign_box(const char* op, std::initializer_list<Tensor> inputs, const Box& box,
                  std::optional<double> scalar = {}) {
  const TupleValue begin(box.begin), step(box.step), size(box.size);
  const NamedValue values[] = {
      {"begin", begin}, {"step", step}, {"size", size}, {"scalar", scalar.value_or(0)}};
  return apply(op, Span<const Tensor>(inputs.begin(), inputs.size()),
               Span<const NamedValue>(values, scalar ? 4 : 3));
}

const Op& axis = Define<SliceAxisParams>("slice_axis")
                     .doc("Elements [begin, end) along one axis.")
                     .origin("MXNet slice_axis")
                     .input("data", "Any array.")
                     .shape(infer_box<SliceAxisParams>)
                     .kernel(read_box<SliceAxisParams>)
                     .grad_needs({}, {})
                     .grad([](const SliceAxisParams& p, Grad& g) {
                       place_gradient(box_of(p, g.in_shape(0), "slice_axis"), g);
                     });

const Op& box =
    Define<SliceParams>("slice")
        .alias("_npi_slice")
        .alias("_npx_slice")
        .alias("crop")
        .doc(
            "A box of the array: begin, end and step per leading axis, with Python's rules for None and "
            "negatives.")
        .origin("MXNet slice")
        .input("data", "Any array.")
        .shape(infer_box<SliceParams>)
        .kernel(read_box<SliceParams>)
        .grad_needs({}, {})
        .grad([](const SliceParams& p, Grad& g) { place_gradient(box_of(p, g.in_shape(0), "slice"), g); });

const Op& like =
    Define<SliceLikeParams>("slice_like")
        .doc("The leading part of data that has shape_like's extents, on all axes or on some.")
        .origin("MXNet slice_like")
        .input("data", "Any array.")
        .input("shape_like", "Gives extents; its elements are not read.")
        .shape([](const SliceLikeParams& p, ShapeInfer& s) {
          if (s.known(0) && s.known(1)) s.set_out(0, box_of(p, s.in(0), s.in(1), s.name()).size);
        })
        .dtype([](const SliceLikeParams&, DTypeInfer& d) { infer_first_dtype(d); })
        .kernel([](const SliceLikeParams&, KernelArgs& args) {
          Box part = whole_box(args.in[0].shape());
          part.size = args.out[0].shape();
          read_region(args.in[0], part.region(args.in[0].shape(), args.name()), args.out[0].data);
        })
        .grad_needs({}, {})
        .grad([](const SliceLikeParams&, Grad& g) { place_gradient(whole_box(g.in_shape(0)), g); });

const Op& assign =
    Define<SliceParams>("_slice_assign")
        .alias("_npi_slice_assign")
        .overwrites_first()
        .alias("_crop_assign")
        .doc("lhs with a box replaced by rhs. When the output is lhs itself, only the box is written.")
        .origin("MXNet _slice_assign")
        .input("lhs", "Any array.")
        .input("rhs", "The box's shape.")
        .shape([](const SliceParams& p, ShapeInfer& s) {
          s.set_out(0, s.in(0));
          if (s.known(0)) s.set_in(1, box_of(p, s.in(0), s.name()).size);
        })
        .kernel([](const SliceParams& p, KernelArgs& args) {
          const View &lhs = args.in[0], &rhs = args.in[1], &out = args.out[0];
          copy_elements(lhs, out);
          write_region(rhs.data, contiguous_strides(rhs.shape()), out,
                       box_of(p, lhs.shape(), args.name()).region(lhs.shape(), args.name()));
        })
        .grad_needs({}, {})
        .grad([](const SliceParams& p, Grad& g) {
          const Box part = box_of(p, g.in_shape(0), "_slice_assign");
          if (g.wants(0)) g.set(0, assign_box("_strided_slice_assign_scalar", {g.out_grad()}, part, 0.0));
          if (g.wants(1)) g.set(1, assign_box("_strided_slice", {g.out_grad()}, part));
        });

const Op& assign_scalar =
    Define<SliceScalarParams>("_slice_assign_scalar")
        .alias("_npi_slice_assign_scalar")
        .overwrites_first()
        .alias("_crop_assign_scalar")
        .doc("data with a box set to one value. When the output is data itself, only the box is written.")
        .origin("MXNet _slice_assign_scalar")
        .input("data", "Any array.")
        .shape([](const SliceScalarParams& p, ShapeInfer& s) {
          infer_like(s, 0);
          if (s.known(0)) box_of(p, s.in(0), s.name());
        })
        .kernel([](const SliceScalarParams& p, KernelArgs& args) {
          const View& out = args.out[0];
          uint64_t item = 0;
          convert(&p.scalar, DType::float64, &item, out.dtype, 1);
          copy_elements(args.in[0], out);
          const Box part = box_of(p, out.shape(), args.name());
          write_region(&item, broadcast_strides({}, part.size), out, part.region(out.shape(), args.name()));
        })
        .inplace()
        .grad_needs({}, {})
        .grad([](const SliceScalarParams& p, Grad& g) {
          const Box part = box_of(p, g.in_shape(0), "_slice_assign_scalar");
          g.set(0, assign_box("_strided_slice_assign_scalar", {g.out_grad()}, part, 0.0));
        });

}  // namespace
}  // namespace mixgrad::ops::slice
