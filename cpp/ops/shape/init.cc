// Operators that make arrays from nothing or from another's shape.
#include "kernels/loops/convert.h"
#include "kernels/loops/strided.h"
#include "op/define.h"
#include "op/full.h"

namespace mixgrad::ops::init {
namespace {

struct ShapeParams {
  Shape shape;
  std::string ctx;
  DType dtype = DType::float32;
  static void fields(Fields<ShapeParams>& f) {
    f.add("shape", &ShapeParams::shape, "Extents of the output; in a graph 0 or -1 is one that follows.",
          at_least(-1))
        .add("ctx", &ShapeParams::ctx,
             "Device such as 'cpu(0)'; only stored in files, calls use the current device.")
        .add("dtype", &ShapeParams::dtype, "Element type.");
  }
};

template <class P>
void shape_of_params(const P& p, ShapeInfer& s) {
  s.set_out(0, s.given(p.shape));
}
template <class P>
void dtype_of_params(const P& p, DTypeInfer& d) {
  d.set_out(0, p.dtype);
}

const Op& zeros = Define<ShapeParams>("_zeros")
                      .doc("Array of zeros.")
                      .shape(shape_of_params)
                      .dtype(dtype_of_params)
                      .kernel([](const ShapeParams&, KernelArgs& args) { fill_view(args.out[0], 0); })
                      .element_cost(0.1)
                      .no_gradient();

const Op& ones = Define<ShapeParams>("_ones")
                     .doc("Array of ones.")
                     .shape(shape_of_params)
                     .dtype(dtype_of_params)
                     .kernel([](const ShapeParams&, KernelArgs& args) { fill_view(args.out[0], 1); })
                     .element_cost(0.1)
                     .no_gradient();

const Op& full = Define<FullParams>("_full")
                     .alias("_npi_full")
                     .doc("Array with one value everywhere.")
                     .shape(shape_of_params)
                     .dtype(dtype_of_params)
                     .kernel([](const FullParams& p, KernelArgs& args) { fill_view(args.out[0], p.value); })
                     .element_cost(0.1)
                     .no_gradient();

const Op& zeros_like = Define<>("zeros_like")
                           .doc("Zeros with the shape and dtype of the input.")
                           .origin("MXNet zeros_like")
                           .input("data", "Any array.")
                           .kernel([](const NoParams&, KernelArgs& args) { fill_view(args.out[0], 0); })
                           .element_cost(0.1)
                           .grad_needs({}, {})
                           .no_gradient();

const Op& ones_like = Define<>("ones_like")
                          .doc("Ones with the shape and dtype of the input.")
                          .origin("MXNet ones_like")
                          .input("data", "Any array.")
                          .kernel([](const NoParams&, KernelArgs& args) { fill_view(args.out[0], 1); })
                          .element_cost(0.1)
                          .grad_needs({}, {})
                          .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::init
