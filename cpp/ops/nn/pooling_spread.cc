// Operators that the gradient of Pooling is made of.
#include "ops/nn/pooling.h"

namespace mixgrad::ops::pooling_spread {
namespace {

using pooling::pool_shape;
using pooling::pooling_dtype;
using pooling::pooling_shape;
using pooling::PoolingParams;
using pooling_grad::pool_call;

struct SpreadParams : PoolingParams {
  Shape shape;
  static void fields(Fields<SpreadParams>& f) {
    add_to(f).required("shape", &SpreadParams::shape, "Extents of what was pooled.", at_least(0));
  }
};

const Op& spread_op =
    Define<SpreadParams>("_pooling_spread")
        .doc(
            "Transpose of Pooling by avg or sum: every value is spread over its window in an array of the "
            "given shape.")
        .input("data", "Of the shape that Pooling gives for `shape`.")
        .shape([](const SpreadParams& p, ShapeInfer& s) {
          if (p.pool_type != pool_kernel::Kind::avg && p.pool_type != pool_kernel::Kind::sum)
            s.reject("pool_type must be avg or sum");
          Shape whole = p.shape, pooled = Shape::unknown();
          ShapeInfer inner(find_op("Pooling"), Span<Shape>(&whole, 1), Span<Shape>(&pooled, 1));
          pooling_shape(p, inner);
          s.set_in(0, pooled);
          s.set_out(0, p.shape);
        })
        .dtype([](const SpreadParams&, DTypeInfer& d) { pooling_dtype(d); })
        .kernel([](const SpreadParams& p, KernelArgs& args) {
          const View &grad = args.in[0], &out = args.out[0];
          pool_kernel::backward(out.dtype, pool_shape(p, p.shape, grad.shape()), nullptr, nullptr, grad.data,
                                out.data);
        })
        .element_cost(4)
        .grad_needs({}, {})
        .grad([](const SpreadParams& p, Grad& g) {
          g.set(0, pool_call("Pooling", p, g.out_grad(), p.pool_type, nullptr));
        });

const Op& places_op = Define<PoolingParams>("_pooling_places")
                          .doc(
                              "Where Pooling by max finds the largest elements: positions in the image, "
                              "counted in row-major order.")
                          .input("data", "Float array with one, two or three spatial axes.")
                          .shape(pooling_shape)
                          .dtype([](const PoolingParams&, DTypeInfer& d) {
                            if (d.in(0) != DType::unknown && !is_float(d.in(0)))
                              d.reject("expected a float dtype");
                            d.set_out(0, DType::int64);
                          })
                          .kernel([](const PoolingParams& p, KernelArgs& args) {
                            const View &data = args.in[0], &out = args.out[0];
                            pool_kernel::largest(data.dtype, pool_shape(p, data.shape(), out.shape()),
                                                 data.data, out.as<int64_t>());
                          })
                          .element_cost(4)
                          .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::pooling_spread
