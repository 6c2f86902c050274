// Coordinates to flat indices and back; coordinates as an array.
#include <algorithm>
#include <vector>

#include "base/load.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/gather.h"
#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::ravel {
namespace {

struct RavelParams {
  Shape shape;
  static void fields(Fields<RavelParams>& f) {
    f.add("shape", &RavelParams::shape, "Extents of the array that is indexed; the first one may be -1.");
  }
};

void check_ravel_shape(const RavelParams& p, ShapeInfer& s) {
  bool fits = p.shape.ndim() > 0;
  for (int a = 1; a < p.shape.ndim(); ++a) fits = fits && p.shape[a] > 0;
  if (!fits) s.reject("shape ", p.shape, " must have axes, positive but for the first");
}

const Op& ravel =
    Define<RavelParams>("_ravel_multi_index")
        .alias("ravel_multi_index")
        .doc("Row-major flat index of each column of coordinates; not checked against the extents.")
        .origin("MXNet ravel_multi_index")
        .input("data", "(number of axes, ...)")
        .shape([](const RavelParams& p, ShapeInfer& s) {
          check_ravel_shape(p, s);
          if (!s.known(0)) return;
          Shape out = s.in(0);
          if (out.ndim() < 1 || out[0] != p.shape.ndim()) s.reject("expected a row per axis of ", p.shape);
          out.erase(0);
          s.set_out(0, out);
        })
        .kernel([](const RavelParams& p, KernelArgs& args) {
          const int64_t n = args.out[0].size(), item = static_cast<int64_t>(size_of(args.in[0].dtype));
          std::vector<int64_t> row(static_cast<size_t>(n));
          std::vector<uint64_t> flat(static_cast<size_t>(n), 0);  // wraps where coordinates are absurd
          for (int a = 0; a < p.shape.ndim(); ++a) {
            convert(args.in[0].as<char>() + a * n * item, args.in[0].dtype, row.data(), DType::int64, n);
            for (size_t i = 0; i < flat.size(); ++i) {
              flat[i] =
                  (a > 0 ? flat[i] * static_cast<uint64_t>(p.shape[a]) : 0) + static_cast<uint64_t>(row[i]);
            }
          }
          convert(flat.data(), DType::int64, args.out[0].data, args.out[0].dtype, n);
        })
        .element_cost(4)
        .grad_needs({}, {})
        .no_gradient();

// Checked: an index outside the array fails, as in NumPy.
template <bool kChecked>
void unravel_kernel(const RavelParams& p, KernelArgs& args) {
  const int64_t n = args.in[0].size(), item = static_cast<int64_t>(size_of(args.out[0].dtype));
  std::vector<int64_t> rest(static_cast<size_t>(n)), row(rest);
  convert(args.in[0].data, args.in[0].dtype, rest.data(), DType::int64, n);
  const std::vector<int64_t> flat = kChecked ? rest : std::vector<int64_t>();
  for (int a = p.shape.ndim() - 1; a >= 0; --a) {
    const int64_t extent = p.shape[a];
    for (size_t i = 0; i < rest.size(); ++i) {
      if (a == 0) {
        row[i] = rest[i];
        if (kChecked && (row[i] < 0 || (extent >= 0 && row[i] >= extent)))
          fail(Status::index, "[", args.name(), "] index ", flat[i], " is outside an array of shape ",
               p.shape);
        continue;
      }
      // Rounded toward minus infinity, so that coordinates but the first are never negative.
      const int64_t place = rest[i] % extent;
      row[i] = place < 0 ? place + extent : place;
      rest[i] = rest[i] / extent - (place < 0);
    }
    convert(row.data(), DType::int64, args.out[0].as<char>() + a * n * item, args.out[0].dtype, n);
  }
}

template <bool kChecked>
void add_unravel(const char* name, const char* alias, Text doc) {
  Define<RavelParams> define(name);
  if (alias) define.alias(alias);
  define.doc(doc)
      .origin("MXNet unravel_index")
      .input("data", "Any shape.")
      .shape([](const RavelParams& p, ShapeInfer& s) {
        check_ravel_shape(p, s);
        if (!s.in(0).known_rank()) return;
        Shape out = s.in(0);
        out.insert(0, p.shape.ndim());
        s.set_out(0, out);
      })
      .kernel(unravel_kernel<kChecked>)
      .element_cost(8)
      .grad_needs({}, {})
      .no_gradient()
      .done();
}
const bool kUnravel = at_load([] {
  add_unravel<false>(
      "_unravel_index", "unravel_index",
      "Coordinates of flat row-major indices: shape (number of axes,) + data.shape. What exceeds the "
      "array stays in the first coordinate.");
  add_unravel<true>(
      "_npi_unravel_index", nullptr,
      "Coordinates of flat row-major indices: shape (number of axes,) + data.shape; an index outside "
      "the array fails.");
});

struct IndexArrayParams {
  std::optional<Shape> axes;
  static void fields(Fields<IndexArrayParams>& f) {
    f.add("axes", &IndexArrayParams::axes, "Which coordinates, in order; None gives all.");
  }
};

const Op& index_array = Define<IndexArrayParams>("_contrib_index_array")
                            .doc("For each element its coordinates as int64, along a new last axis.")
                            .origin("MXNet _contrib_index_array")
                            .module("contrib")
                            .input("data", "Any array; its elements are not read.")
                            .shape([](const IndexArrayParams& p, ShapeInfer& s) {
                              if (!s.in(0).known_rank()) return;
                              Shape out = s.in(0);
                              if (p.axes) {
                                for (int64_t a : *p.axes) normalize_axis(a, s.in(0).ndim(), s.name());
                              }
                              out.push_back(p.axes ? p.axes->ndim() : s.in(0).ndim());
                              s.set_out(0, out);
                            })
                            .dtype([](const IndexArrayParams&, DTypeInfer& d) { d.set_out(0, DType::int64); })
                            .kernel([](const IndexArrayParams& p, KernelArgs& args) {
                              const Shape& shape = args.in[0].shape();
                              const StridedDims strides = contiguous_strides(shape);
                              const int64_t columns = args.out[0].shape().back();
                              int64_t* out = args.out[0].as<int64_t>();
                              for (int64_t i = 0; i < shape.size(); ++i) {
                                for (int c = 0; c < columns; ++c) {
                                  const int a =
                                      p.axes ? normalize_axis((*p.axes)[c], shape.ndim(), args.name()) : c;
                                  *out++ = i / strides.stride[a] % shape[a];
                                }
                              }
                            })
                            .element_cost(5)
                            .grad_needs({}, {})
                            .no_gradient();

const Op& index_copy =
    Define<>("_contrib_index_copy")
        .doc("old_tensor with row index_vector[i] replaced by new_tensor[i].")
        .origin("MXNet _contrib_index_copy")
        .module("contrib")
        .input("old_tensor", "At least one axis.")
        .input("index_vector", "(n,); negative ones count from the end, those outside fail.")
        .input("new_tensor", "(n,) + old_tensor.shape[1:]")
        .shape([](const NoParams&, ShapeInfer& s) {
          s.set_out(0, s.in(0));
          if (!s.known(0) || !s.known(1)) return;
          if (s.in(0).ndim() < 1 || s.in(1).ndim() != 1)
            s.reject("expected an array of rows and a vector of indices");
          s.set_in(2, gathered_shape(s.in(0), {0}, s.in(1)));
        })
        .dtype([](const NoParams&, DTypeInfer& d) {
          d.set_in(2, d.in(0));
          d.set_out(0, d.in(0));
        })
        .kernel([](const NoParams&, KernelArgs& args) {
          const View& out = args.out[0];
          const IndexPlan plan = plan_indices(out.shape(), {0}, args.in.subspan(1, 1), args.in[1].shape(),
                                              IndexMode::python, args.name());
          copy_elements(args.in[0], out);
          scatter_rows(plan, args.in[2].data, out.data, out.size(), size_of(out.dtype));
        })
        .grad_needs({1}, {})
        .grad([](const NoParams&, Grad& g) {
          const TupleValue axes(Shape{0});
          const Tensor taken = apply("_index_gather", {g.out_grad(), g.in(1)}, {{"axes", axes}});
          if (g.wants(2)) g.set(2, taken);
          if (g.wants(0)) {
            g.set(0, apply("_index_put", {g.out_grad(), zeros_like(taken), g.in(1)}, {{"axes", axes}}));
          }
        });

}  // namespace
}  // namespace mixgrad::ops::ravel
