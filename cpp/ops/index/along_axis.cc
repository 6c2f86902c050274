// Elements along an axis by an array of indices of the same rank: how sort and topk give gradients back.
#include "base/parallel.h"
#include "kernels/loops/gather.h"
#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::along_axis {
namespace {

struct AlongParams {
  std::optional<int64_t> axis = -1;
  static void fields(Fields<AlongParams>& f) {
    f.add("axis", &AlongParams::axis, "The indexed axis; None indexes the flattened array.");
  }
};

struct PlaceAlongParams {
  std::optional<int64_t> axis = -1;
  Shape shape;
  static void fields(Fields<PlaceAlongParams>& f) {
    f.add("axis", &PlaceAlongParams::axis, "The indexed axis; None indexes the flattened output.")
        .required("shape", &PlaceAlongParams::shape, "Extents of the output.");
  }
};

void check_along(std::optional<int64_t> axis, const Shape& whole, const Shape& indices, ShapeInfer& s) {
  if (!axis) return;
  bool fits = indices.ndim() == whole.ndim();
  const int along = normalize_axis(*axis, whole.ndim(), s.name());
  for (int a = 0; fits && a < whole.ndim(); ++a) fits = a == along || indices[a] == whole[a];
  if (!fits) s.reject("indices ", indices, " and array ", whole, " may differ only along axis ", along);
}

IndexPlan along_plan(std::optional<int64_t> axis, const Shape& whole, const View& indices, const char* who) {
  IndexPlan plan;
  int64_t extent = whole.size(), inner = 1, count = indices.size();
  if (axis) {
    const int along = normalize_axis(*axis, whole.ndim(), who);
    extent = whole[along];
    inner = whole.size(along + 1, whole.ndim());
    count = indices.shape()[along];
  }
  plan.offsets.resize(static_cast<size_t>(indices.size()));
  int64_t* offsets = plan.offsets.data();
  parallel_for(indices.size(), 16384, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; ++at) offsets[at] = at / inner / count * extent * inner + at % inner;
  });
  add_index_offsets(indices.data, indices.dtype, plan.positions(), extent, inner, IndexMode::python, who,
                    offsets);
  return plan;
}

Value axis_value(std::optional<int64_t> axis) { return axis ? Value(*axis) : Value(); }

const Op& take = Define<AlongParams>("_take_along_axis")
                     .doc("out[i, ..., j, ..., k] = data[i, ..., indices[i, ..., j, ..., k], ..., k].")
                     .input("data", "Any array.")
                     .input("indices", "data's shape except along the axis.")
                     .shape([](const AlongParams& p, ShapeInfer& s) {
                       if (s.known(0) && s.known(1)) check_along(p.axis, s.in(0), s.in(1), s);
                       s.set_out(0, s.in(1));
                     })
                     .dtype([](const AlongParams&, DTypeInfer& d) { infer_first_dtype(d); })
                     .kernel([](const AlongParams& p, KernelArgs& args) {
                       const View& data = args.in[0];
                       gather_rows(along_plan(p.axis, data.shape(), args.in[1], args.name()), data.data,
                                   args.out[0].data, size_of(data.dtype));
                     })
                     .element_cost(3)
                     .grad_needs({1}, {})
                     .grad([](const AlongParams& p, Grad& g) {
                       g.set(0, apply("_place_along_axis", {g.out_grad(), g.in(1)},
                                      {{"axis", axis_value(p.axis)}, {"shape", TupleValue(g.in_shape(0))}}));
                     });

[[maybe_unused]] const GradientOp& place =
    DefineForGradients<PlaceAlongParams>("_place_along_axis")
        .doc("Zeros of the given shape, to which data is added where _take_along_axis would read.")
        .input("data", "The shape of indices.")
        .input("indices", "The output's shape except along the axis.")
        .shape([](const PlaceAlongParams& p, ShapeInfer& s) {
          s.set_in(0, s.in(1));
          if (s.known(1)) check_along(p.axis, p.shape, s.in(1), s);
          s.set_out(0, p.shape);
        })
        .dtype([](const PlaceAlongParams&, DTypeInfer& d) { infer_first_dtype(d); })
        .kernel([](const PlaceAlongParams& p, KernelArgs& args) {
          const IndexPlan plan = along_plan(p.axis, p.shape, args.in[1], args.name());
          fill_elements(args.out[0], 0);
          scatter_add_rows(plan, args.in[0].data, args.out[0]);
        })
        .element_cost(3)
        .grad_needs({1}, {})
        .grad([](const PlaceAlongParams& p, Grad& g) {
          g.set(0, apply("_take_along_axis", {g.out_grad(), g.in(1)}, {{"axis", axis_value(p.axis)}}));
        });

}  // namespace
}  // namespace mixgrad::ops::along_axis
