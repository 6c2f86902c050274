// Gathering and scattering by coordinates: column i of indices (M, ...) names a place on the first M axes.
#include <vector>

#include "kernels/loops/gather.h"
#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::gather_nd {
namespace {

struct ScatterParams {
  Shape shape;
  static void fields(Fields<ScatterParams>& f) {
    f.required("shape", &ScatterParams::shape, "Extents of the array that is indexed.");
  }
};

// Shape of the selected slices: indices.shape[1:] + whole.shape[M:].
Shape selected_shape(const Shape& whole, const Shape& indices, ShapeInfer& s) {
  if (indices.ndim() < 1 || indices[0] > whole.ndim()) {
    s.reject("indices ", indices, " name ", indices.ndim() < 1 ? 0 : indices[0], " axes of shape ", whole);
  }
  Shape out = indices;
  out.erase(0);
  for (int a = static_cast<int>(indices[0]); a < whole.ndim(); ++a) out.push_back(whole[a]);
  return out;
}

IndexPlan coordinate_plan(const Shape& whole, const View& indices, const char* who) {
  IndexPlan plan;
  const int axes = static_cast<int>(indices.shape()[0]);
  const int64_t n = indices.shape().size(1, indices.shape().ndim());
  const StridedDims strides = contiguous_strides(whole);
  plan.inner = whole.size(axes, whole.ndim());
  plan.offsets.assign(static_cast<size_t>(n), 0);
  for (int a = 0; a < axes; ++a) {
    const char* row = indices.as<char>() + static_cast<int64_t>(size_of(indices.dtype)) * n * a;
    add_index_offsets(row, indices.dtype, n, whole[a], strides.stride[a], IndexMode::python, who,
                      plan.offsets.data());
  }
  return plan;
}

void infer_scatter(const ScatterParams& p, ShapeInfer& s) {
  if (s.known(1)) s.set_in(0, selected_shape(p.shape, s.in(1), s));
  s.set_out(0, p.shape);
}

template <bool kAdd>
void scatter_kernel(const ScatterParams& p, KernelArgs& args) {
  const View& out = args.out[0];
  const IndexPlan plan = coordinate_plan(p.shape, args.in[1], args.name());
  fill_elements(out, 0);
  if (kAdd) {
    scatter_add_rows(plan, args.in[0].data, out);
  } else {
    scatter_rows(plan, args.in[0].data, out.data, out.size(), size_of(out.dtype));
  }
}

Tensor gathered(const Tensor& from, const Tensor& indices) { return apply("gather_nd", {from, indices}); }

const Op& gather =
    Define<>("gather_nd")
        .alias("_npi_gather_nd")
        .alias("_npx_gather_nd")
        .doc(
            "Slices data[indices[0], ..., indices[M-1]]: shape indices.shape[1:] + data.shape[M:]. Negative "
            "indices count "
            "from the end.")
        .origin("MXNet gather_nd")
        .input("data", "At least M axes.")
        .input("indices", "(M, ...); any dtype, fractions are cut off.")
        .shape([](const NoParams&, ShapeInfer& s) {
          if (s.known(0) && s.known(1)) s.set_out(0, selected_shape(s.in(0), s.in(1), s));
        })
        .dtype([](const NoParams&, DTypeInfer& d) { infer_first_dtype(d); })
        .kernel([](const NoParams&, KernelArgs& args) {
          gather_rows(coordinate_plan(args.in[0].shape(), args.in[1], args.name()), args.in[0].data,
                      args.out[0].data, size_of(args.in[0].dtype));
        })
        .element_cost(2)
        .grad_needs({1}, {})
        .grad([](const NoParams&, Grad& g) {
          g.set(0, apply("_scatter_nd_add", {g.out_grad(), g.in(1)}, {{"shape", TupleValue(g.in_shape(0))}}));
        });

const Op& scatter =
    Define<ScatterParams>("scatter_nd")
        .doc(
            "Zeros of the given shape with data at the indexed places; where indices repeat, the last slice "
            "stays. The "
            "gradient counts every repeated slice.")
        .origin("MXNet scatter_nd")
        .input("data", "indices.shape[1:] + shape[M:]")
        .input("indices", "(M, ...); any dtype, fractions are cut off.")
        .shape(infer_scatter)
        .dtype([](const ScatterParams&, DTypeInfer& d) { infer_first_dtype(d); })
        .kernel(scatter_kernel<false>)
        .grad_needs({1}, {})
        .grad([](const ScatterParams&, Grad& g) { g.set(0, gathered(g.out_grad(), g.in(1))); });

[[maybe_unused]] const GradientOp& scatter_add =
    DefineForGradients<ScatterParams>("_scatter_nd_add")
        .doc(
            "Zeros of the given shape, to which data is added at the indexed places: the gradient of "
            "gather_nd.")
        .input("data", "indices.shape[1:] + shape[M:]")
        .input("indices", "(M, ...); any dtype, fractions are cut off.")
        .shape(infer_scatter)
        .dtype([](const ScatterParams&, DTypeInfer& d) { infer_first_dtype(d); })
        .kernel(scatter_kernel<true>)
        .grad_needs({1}, {})
        .grad([](const ScatterParams&, Grad& g) { g.set(0, gathered(g.out_grad(), g.in(1))); });

const Op& scatter_set =
    Define<ScatterParams>("_scatter_set_nd")
        .alias("_npi_scatter_set_nd")
        .overwrites_first()
        .doc("lhs with rhs at the indexed places. When the output is lhs itself, only those are written.")
        .origin("MXNet _scatter_set_nd")
        .input("lhs", "Any array.")
        .input("rhs", "indices.shape[1:] + lhs.shape[M:]")
        .input("indices", "(M, ...); any dtype, fractions are cut off.")
        .shape([](const ScatterParams& p, ShapeInfer& s) {
          s.set_in(0, p.shape);
          s.set_out(0, p.shape);
          if (s.known(2)) s.set_in(1, selected_shape(p.shape, s.in(2), s));
        })
        .dtype([](const ScatterParams&, DTypeInfer& d) {
          d.set_in(1, d.in(0));
          d.set_in(0, d.in(1));
          infer_first_dtype(d);
        })
        .kernel([](const ScatterParams& p, KernelArgs& args) {
          const View& out = args.out[0];
          const IndexPlan plan = coordinate_plan(p.shape, args.in[2], args.name());
          copy_elements(args.in[0], out);
          scatter_rows(plan, args.in[1].data, out.data, out.size(), size_of(out.dtype));
        })
        .grad_needs({2}, {})
        .grad([](const ScatterParams& p, Grad& g) {
          const Tensor taken = gathered(g.out_grad(), g.in(2));
          if (g.wants(1)) g.set(1, taken);
          if (g.wants(0)) {
            g.set(0, apply("_scatter_set_nd", {g.out_grad(), zeros_like(taken), g.in(2)},
                           {{"shape", TupleValue(p.shape)}}));
          }
        });

}  // namespace
}  // namespace mixgrad::ops::gather_nd
