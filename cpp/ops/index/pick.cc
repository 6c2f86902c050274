// One element per row: pick, batch_take and their gradient; one_hot, which writes one.
#include <cstring>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/gather.h"
#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::pick {
namespace {

enum class PickMode : int32_t { clip, wrap };

struct PickParams {
  std::optional<int64_t> axis = -1;
  bool keepdims = false;
  PickMode mode = PickMode::clip;
  template <class P>
  static void pick_fields(Fields<P>& f) {
    f.add("axis", static_cast<std::optional<int64_t> P::*>(&P::axis),
          "The axis from which one element is taken; None "
          "takes one of the flattened array.")
        .add("keepdims", static_cast<bool P::*>(&P::keepdims), "Keep the axis with extent 1.")
        .choice("mode", static_cast<PickMode P::*>(&P::mode), {"clip", "wrap"},
                "Indices outside the axis are clipped or wrap around.");
  }
  static void fields(Fields<PickParams>& f) { pick_fields(f); }
};

struct PickPlaceParams : PickParams {
  Shape shape;
  static void fields(Fields<PickPlaceParams>& f) {
    pick_fields(f);
    f.required("shape", &PickPlaceParams::shape, "Extents of the output.");
  }
};

struct OneHotParams {
  int64_t depth = 0;
  double on_value = 1, off_value = 0;
  DType dtype = DType::float32;
  static void fields(Fields<OneHotParams>& f) {
    f.required("depth", &OneHotParams::depth, "Extent of the new last axis.", at_least(0))
        .add("on_value", &OneHotParams::on_value, "Value at the index.")
        .add("off_value", &OneHotParams::off_value, "Value elsewhere.")
        .add("dtype", &OneHotParams::dtype, "Element type of the output.");
  }
};

// The array as (outer, extent, inner) around the axis; the flattened array has one row.
struct PickRows {
  int64_t outer = 1, extent = 1, inner = 1;
};

PickRows rows_of(const PickParams& p, const Shape& whole, const char* who) {
  if (!p.axis) return {1, whole.size(), 1};
  const int axis = normalize_axis(*p.axis, whole.ndim(), who);
  return {whole.size(0, axis), whole[axis], whole.size(axis + 1, whole.ndim())};
}

Shape picked_shape(const PickParams& p, const Shape& whole, const char* who) {
  if (!p.axis) return p.keepdims ? Shape::filled(whole.ndim(), 1) : Shape{1};
  Shape out = whole;
  const int axis = normalize_axis(*p.axis, whole.ndim(), who);
  if (p.keepdims) {
    out[axis] = 1;
  } else {
    out.erase(axis);
  }
  return out;
}

// Index shapes differ from the picked elements' at most by extents of 1.
void check_picks(const PickParams& p, const Shape& whole, const Shape& index, ShapeInfer& s) {
  check_extents(whole, 1, s.name());
  const PickRows rows = rows_of(p, whole, s.name());
  const int64_t picks = rows.outer * rows.inner;
  Shape kept = whole, dropped = whole;
  bool fits = !p.axis && index.size() == 1;
  if (p.axis) {
    const int axis = normalize_axis(*p.axis, whole.ndim(), s.name());
    kept[axis] = 1;
    dropped.erase(axis);
    fits = index == kept || index == dropped || (picks == 1 && index.size() == 1);
  }
  if (!fits) s.reject("expected index shape ", dropped, " or ", kept);
  if (rows.extent == 0 && picks > 0) s.reject("nothing to pick from an axis of extent 0");
}

IndexPlan pick_plan(const PickParams& p, const Shape& whole, const View& index, const char* who) {
  const PickRows rows = rows_of(p, whole, who);
  IndexPlan plan;
  plan.offsets.resize(static_cast<size_t>(rows.outer * rows.inner));
  int64_t* offsets = plan.offsets.data();
  for (int64_t o = 0; o < rows.outer; ++o) {
    for (int64_t i = 0; i < rows.inner; ++i) offsets[o * rows.inner + i] = o * rows.extent * rows.inner + i;
  }
  add_index_offsets(index.data, index.dtype, plan.positions(), rows.extent, rows.inner,
                    p.mode == PickMode::clip ? IndexMode::clip : IndexMode::wrap, who, offsets);
  return plan;
}

void infer_pick(const PickParams& p, ShapeInfer& s) {
  if (!s.in(0).known()) return;
  if (s.known(1)) check_picks(p, s.in(0), s.in(1), s);
  s.set_out(0, picked_shape(p, s.in(0), s.name()));
}

Tensor pick_placed(const Tensor& grad, const Tensor& index, const PickParams& p, const Shape& shape) {
  const Value axis = p.axis ? Value(*p.axis) : Value();
  return apply("_pick_place", {grad, index},
               {{"axis", axis},
                {"keepdims", p.keepdims},
                {"mode", p.mode == PickMode::clip ? "clip" : "wrap"},
                {"shape", TupleValue(shape)}});
}

void one_hot_kernel(const OneHotParams& p, KernelArgs& args) {
  const View &indices = args.in[0], &out = args.out[0];
  fill_elements(out, p.off_value);
  uint64_t on = 0;
  convert(&p.on_value, DType::float64, &on, out.dtype, 1);
  const size_t item = size_of(out.dtype), index_item = size_of(indices.dtype);
  parallel_for(indices.size(), 8192, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t index = 0;
      convert(indices.as<char>() + static_cast<size_t>(i) * index_item, indices.dtype, &index, DType::int64,
              1);
      if (index < 0 || index >= p.depth) continue;
      std::memcpy(out.as<char>() + static_cast<size_t>(i * p.depth + index) * item, &on, item);
    }
  });
}

const Op& pick =
    Define<PickParams>("pick")
        .alias("_npx_pick")
        .alias("choose_element_0index")
        .doc("One element along an axis for every place of the others, by index.")
        .origin("MXNet pick")
        .input("data", "Any array.")
        .input("index",
               "data's shape without the axis, or with extent 1 there; any dtype, fractions are cut off.")
        .shape(infer_pick)
        .dtype([](const PickParams&, DTypeInfer& d) { infer_first_dtype(d); })
        .kernel([](const PickParams& p, KernelArgs& args) {
          gather_rows(pick_plan(p, args.in[0].shape(), args.in[1], args.name()), args.in[0].data,
                      args.out[0].data, size_of(args.in[0].dtype));
        })
        .element_cost(3)
        .grad_needs({1}, {})
        .grad([](const PickParams& p, Grad& g) {
          g.set(0, pick_placed(g.out_grad(), g.in(1), p, g.in_shape(0)));
        });

[[maybe_unused]] const GradientOp& place =
    DefineForGradients<PickPlaceParams>("_pick_place")
        .doc("Zeros of the given shape with data at the picked places: the gradient of pick.")
        .input("data", "One value per index.")
        .input("index", "As of pick.")
        .shape([](const PickPlaceParams& p, ShapeInfer& s) {
          s.set_in(0, picked_shape(p, p.shape, s.name()));
          if (s.known(1)) check_picks(p, p.shape, s.in(1), s);
          s.set_out(0, p.shape);
        })
        .dtype([](const PickPlaceParams&, DTypeInfer& d) { infer_first_dtype(d); })
        .kernel([](const PickPlaceParams& p, KernelArgs& args) {
          const View& out = args.out[0];
          const IndexPlan plan = pick_plan(p, p.shape, args.in[1], args.name());
          fill_elements(out, 0);
          scatter_rows(plan, args.in[0].data, out.data, out.size(), size_of(out.dtype));
        })
        .grad_needs({1}, {})
        .grad([](const PickPlaceParams& p, Grad& g) {
          const Value axis = p.axis ? Value(*p.axis) : Value();
          g.set(0, apply("pick", {g.out_grad(), g.in(1)},
                         {{"axis", axis},
                          {"keepdims", p.keepdims},
                          {"mode", p.mode == PickMode::clip ? "clip" : "wrap"}}));
        });

const Op& batch_take =
    Define<>("batch_take")
        .doc("out[i] = a[i, indices[i]]; indices outside are clipped.")
        .origin("MXNet batch_take")
        .input("a", "(N, C)")
        .input("indices", "(N,)")
        .shape([](const NoParams&, ShapeInfer& s) {
          if (!s.known(0) || !s.known(1)) return;
          if (s.in(0).ndim() != 2 || s.in(1).size() != s.in(0)[0] || s.in(0).size() < s.in(1).size()) {
            s.reject("expected a matrix and one index per row");
          }
          s.set_out(0, s.in(1));
        })
        .dtype([](const NoParams&, DTypeInfer& d) { infer_first_dtype(d); })
        .kernel([](const NoParams&, KernelArgs& args) {
          gather_rows(pick_plan(PickParams{}, args.in[0].shape(), args.in[1], args.name()), args.in[0].data,
                      args.out[0].data, size_of(args.in[0].dtype));
        })
        .grad_needs({1}, {})
        .grad([](const NoParams&, Grad& g) {
          const Shape rows{g.in_shape(0)[0]};
          g.set(0, pick_placed(reshape_to(g.out_grad(), rows), reshape_to(g.in(1), rows), PickParams{},
                               g.in_shape(0)));
        });

const Op& one_hot = Define<OneHotParams>("one_hot")
                        .alias("_npx_one_hot")
                        .doc(
                            "A new last axis with on_value at each index and off_value elsewhere; an index "
                            "outside gives only off_value.")
                        .origin("MXNet one_hot")
                        .input("indices", "Any shape and dtype; fractions are cut off.")
                        .shape([](const OneHotParams& p, ShapeInfer& s) {
                          if (!s.in(0).known_rank()) return;
                          Shape out = s.in(0);
                          out.push_back(p.depth);
                          s.set_out(0, out);
                        })
                        .dtype([](const OneHotParams& p, DTypeInfer& d) { d.set_out(0, p.dtype); })
                        .kernel(one_hot_kernel)
                        .grad_needs({}, {})
                        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::pick
