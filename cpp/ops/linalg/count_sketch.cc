// Rows made shorter by adding up their elements, with signs, in places that a table gives.
#include <algorithm>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "op/define.h"

namespace mixgrad::ops::count_sketch {
namespace {

struct SketchParams {
  int64_t out_dim = 0;
  int32_t processing_batch_size = 32;
  static void fields(Fields<SketchParams>& f) {
    f.required("out_dim", &SketchParams::out_dim, "Length of the new rows.", at_least(1))
        .add("processing_batch_size", &SketchParams::processing_batch_size,
             "Accepted for MXNet's sake; changes nothing.");
  }
};

void sketch_shape(const SketchParams& p, ShapeInfer& s) {
  if (!s.in(0).known_rank()) return;
  const int ndim = s.in(0).ndim();
  if (ndim != 2 && ndim != 4) s.reject("expected data of 2 or 4 axes");
  Shape out = s.in(0);
  const Shape table{1, out.back()};
  s.set_in(1, table);
  s.set_in(2, table);
  out[ndim - 1] = p.out_dim;
  s.set_out(0, out);
}

void sketch_kernel(const SketchParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  const int64_t from = data.shape().back(), to = p.out_dim, rows = out.size() / to;
  Elements<double> places(args.in[1], from), signs(args.in[2], from);
  const double *h = places.read(0, from), *sign = signs.read(0, from);
  for (int64_t i = 0; i < from; ++i) {
    if (!(h[i] > -1 && h[i] < static_cast<double>(to))) {
      fail(Status::index, "[", args.name(), "] h is ", h[i], " at ", i, "; expected a place from 0 to ",
           to - 1);
    }
  }
  parallel_for(rows, loop_grain(8192, {from + to}), [&](int64_t begin, int64_t end) {
    Elements<double> input(data, from), output(out, to);
    for (int64_t r = begin; r < end; ++r) {
      const double* x = input.read(r * from, from);
      double* y = output.write(r * to);
      std::fill(y, y + to, 0.0);
      for (int64_t i = 0; i < from; ++i) y[static_cast<int64_t>(h[i])] += sign[i] * x[i];
      output.store(r * to, to);
    }
  });
}

const Op& op =
    Define<SketchParams>("_contrib_count_sketch")
        .module("contrib")
        .doc("out[..., h[i]] is the sum of s[i] * data[..., i] over all i with that h[i].")
        .origin("MXNet _contrib_count_sketch; Charikar and others 2002")
        .input("data", "(rows, d) or (n, c, rows, d), float.")
        .input("h", "(1, d): places from 0 to out_dim - 1; fractions are cut off. Receives no gradient.")
        .input("s", "(1, d): signs, 1 or -1. Receives no gradient.")
        .shape(sketch_shape)
        .dtype([](const SketchParams&, DTypeInfer& d) {
          d.set_in(0, d.out(0));
          d.set_out(0, d.in(0));
          if (d.in(0) == DType::unknown) return;
          if (!is_float(d.in(0))) d.reject("expected a float dtype");
          for (int i = 1; i < 3; ++i) {
            if (d.in(i) == DType::unknown) d.set_in(i, d.in(0));
          }
        })
        .kernel(sketch_kernel)
        .element_cost(2)
        .grad_needs({1, 2}, {})
        .grad([](const SketchParams&, Grad& g) {
          if (!g.wants(0)) return;
          const Shape& shape = g.in_shape(0);
          const Tensor from = apply("take", {g.out_grad(), reshape_to(g.in(1), {shape.back()})},
                                    {{"axis", shape.ndim() - 1}});
          Shape across = Shape::filled(shape.ndim(), 1);
          across[shape.ndim() - 1] = shape.back();
          g.set(0, from * cast_to(reshape_to(g.in(2), across), g.in_dtype(0)));
        });

}  // namespace
}  // namespace mixgrad::ops::count_sketch
