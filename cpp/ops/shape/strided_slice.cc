// Basic indexing: reading and writing boxes with one begin, step and size per axis. Python's x[a:b:c] and
// x[a:b:c] = v come here after None, negative bounds and clamping are resolved.
#include <vector>

#include "kernels/loops/convert.h"
#include "op/box.h"
#include "op/define.h"

namespace mixgrad::ops::strided_slice {
namespace {

struct PlaceParams {
  Shape begin, step, shape;
  static void fields(Fields<PlaceParams>& f) {
    f.required("begin", &PlaceParams::begin, "First index per axis.")
        .required("step", &PlaceParams::step, "Distance between indices per axis; may be negative.")
        .required("shape", &PlaceParams::shape, "Extents of the output.");
  }
};

bool overlaps(const View& a, const View& b) {
  const char *a0 = a.as<char>(), *b0 = b.as<char>();
  return a0 < b0 + b.bytes() && b0 < a0 + a.bytes();
}

void assign_kernel(const BoxParams& p, KernelArgs& args) {
  const View &lhs = args.in[0], &rhs = args.in[1], &out = args.out[0];
  const Region region = p.region(lhs.shape(), args.name());
  const void* values = rhs.data;
  std::vector<char> kept;
  if (rhs.size() > 0 && overlaps(rhs, out)) {
    kept.assign(rhs.as<char>(), rhs.as<char>() + rhs.bytes());
    values = kept.data();
  }
  copy_elements(lhs, out);
  write_region(values, broadcast_strides(rhs.shape(), p.size), out, region);
}

void infer_assign(const BoxParams& p, ShapeInfer& s) {
  s.set_out(0, s.in(0));
  if (s.known(0)) p.region(s.in(0), s.name());
  const Shape& rhs = s.in(1);
  if (!s.known(1)) return;
  const int lead = p.size.ndim() - rhs.ndim();
  bool fits = lead >= 0;
  for (int i = 0; fits && i < rhs.ndim(); ++i) fits = rhs[i] == p.size[i + lead] || rhs[i] == 1;
  if (!fits) s.reject("rhs does not broadcast to the assigned region ", p.size);
}

Tensor cleared(const Tensor& grad, const BoxParams& p) {
  return apply("_strided_slice_assign_scalar", {grad},
               {{"begin", TupleValue(p.begin)},
                {"step", TupleValue(p.step)},
                {"size", TupleValue(p.size)},
                {"scalar", 0.0}});
}

Tensor taken(const Tensor& grad, const BoxParams& p) {
  return apply("_strided_slice", {grad},
               {{"begin", TupleValue(p.begin)}, {"step", TupleValue(p.step)}, {"size", TupleValue(p.size)}});
}

const Op& slice = Define<BoxParams>("_strided_slice")
                      .doc("out[i] = data[begin + i * step], for as many i per axis as size says.")
                      .input("data", "Any array.")
                      .shape([](const BoxParams& p, ShapeInfer& s) {
                        if (s.known(0)) p.region(s.in(0), s.name());
                        s.set_out(0, p.size);
                      })
                      .kernel([](const BoxParams& p, KernelArgs& args) {
                        read_region(args.in[0], p.region(args.in[0].shape(), args.name()), args.out[0].data);
                      })
                      .grad_needs({}, {})
                      .grad([](const BoxParams& p, Grad& g) {
                        g.set(0, apply("_strided_slice_place", {g.out_grad()},
                                       {{"begin", TupleValue(p.begin)},
                                        {"step", TupleValue(p.step)},
                                        {"shape", TupleValue(g.in_shape(0))}}));
                      });

[[maybe_unused]] const GradientOp& place =
    DefineForGradients<PlaceParams>("_strided_slice_place")
        .doc(
            "Zeros of the given shape, in which out[begin + i * step] = data[i]: the gradient "
            "of _strided_slice.")
        .input("data", "As many axes as the shape.")
        .shape([](const PlaceParams& p, ShapeInfer& s) {
          check_extents(p.shape, 1, s.name());
          if (s.known(0)) region_of(p.shape, p.begin, p.step, s.in(0), s.name());
          s.set_out(0, p.shape);
        })
        .kernel([](const PlaceParams& p, KernelArgs& args) {
          const View &in = args.in[0], &out = args.out[0];
          if (in.size() < out.size()) fill_elements(out, 0);
          write_region(in.data, contiguous_strides(in.shape()), out,
                       region_of(p.shape, p.begin, p.step, in.shape(), args.name()));
        })
        .cost(
            [](const PlaceParams& p, Span<const Shape>) { return static_cast<double>(p.shape.size()) * 0.4; })
        .grad_needs({}, {})
        .grad([](const PlaceParams& p, Grad& g) {
          g.set(0, apply("_strided_slice", {g.out_grad()},
                         {{"begin", TupleValue(p.begin)},
                          {"step", TupleValue(p.step)},
                          {"size", TupleValue(g.in_shape(0))}}));
        });

const Op& assign =
    Define<BoxParams>("_strided_slice_assign")
        .overwrites_first()
        .doc(
            "lhs, in which lhs[begin + i * step] = rhs[i]. When the output is lhs itself, only the region is "
            "written.")
        .input("lhs", "Any array.")
        .input("rhs", "Broadcasts to size.")
        .shape(infer_assign)
        .kernel(assign_kernel)
        .cost([](const BoxParams& p, Span<const Shape>) { return static_cast<double>(p.size.size()); })
        .grad_needs({}, {})
        .grad([](const BoxParams& p, Grad& g) {
          if (g.wants(0)) g.set(0, cleared(g.out_grad(), p));
          if (g.wants(1)) g.set(1, sum_to(taken(g.out_grad(), p), g.in_shape(1)));
        });

const Op& assign_scalar =
    Define<BoxScalarParams>("_strided_slice_assign_scalar")
        .overwrites_first()
        .doc(
            "data, in which data[begin + i * step] = scalar. When the output is data itself, only the region "
            "is written.")
        .input("data", "Any array.")
        .shape([](const BoxScalarParams& p, ShapeInfer& s) {
          infer_like(s, 0);
          if (s.known(0)) p.region(s.in(0), s.name());
        })
        .kernel([](const BoxScalarParams& p, KernelArgs& args) {
          const View& out = args.out[0];
          uint64_t item = 0;
          convert(&p.scalar, DType::float64, &item, out.dtype, 1);
          copy_elements(args.in[0], out);
          write_region(&item, broadcast_strides({}, p.size), out, p.region(out.shape(), args.name()));
        })
        .inplace()
        .grad_needs({}, {})
        .grad([](const BoxScalarParams& p, Grad& g) { g.set(0, cleared(g.out_grad(), p)); });

}  // namespace
}  // namespace mixgrad::ops::strided_slice
