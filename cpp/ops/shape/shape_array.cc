// Shapes and sizes as arrays.
#include "op/define.h"

namespace mixgrad::ops::shape_array {
namespace {

void int64_out(const NoParams&, DTypeInfer& d) { d.set_out(0, DType::int64); }

const Op& shape_array = Define<>("shape_array")
                            .alias("_npx_shape_array")
                            .doc("The extents of an array as int64.")
                            .origin("MXNet shape_array")
                            .input("data", "Any array; its elements are not read.")
                            .shape([](const NoParams&, ShapeInfer& s) {
                              if (s.in(0).known_rank()) s.set_out(0, {s.in(0).ndim()});
                            })
                            .dtype(int64_out)
                            .kernel([](const NoParams&, KernelArgs& args) {
                              const Shape& shape = args.in[0].shape();
                              for (int i = 0; i < shape.ndim(); ++i) args.out[0].as<int64_t>()[i] = shape[i];
                            })
                            .grad_needs({}, {})
                            .no_gradient();

const Op& size_array =
    Define<>("size_array")
        .doc("The number of elements of an array as int64, shape (1,).")
        .origin("MXNet size_array")
        .input("data", "Any array; its elements are not read.")
        .shape([](const NoParams&, ShapeInfer& s) { s.set_out(0, {1}); })
        .dtype(int64_out)
        .kernel([](const NoParams&, KernelArgs& args) { args.out[0].as<int64_t>()[0] = args.in[0].size(); })
        .grad_needs({}, {})
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::shape_array
