// Operators that make arrays, as only older programs and NumPy's names in MXNet call them.
#include "kernels/loops/strided.h"
#include "op/define.h"

namespace mixgrad::ops::init_old {
namespace {

struct ZerosParams {
  Shape shape;
  std::string ctx;
  int32_t dtype = -1;
  static void fields(Fields<ZerosParams>& f) {
    f.add("shape", &ZerosParams::shape, "Extents of the output.", at_least(0))
        .add("ctx", &ZerosParams::ctx,
             "Device such as 'cpu(0)'; only stored in files, calls use the current device.")
        .add("dtype", &ZerosParams::dtype,
             "Number of the element type; -1: that of the given output, else float32.");
  }
};

const Op& zeros_without_dtype =
    Define<ZerosParams>("_zeros_without_dtype")
        .doc("Array of zeros whose element type may follow from where it is used.")
        .origin("MXNet _zeros_without_dtype")
        .shape([](const ZerosParams& p, ShapeInfer& s) { s.set_out(0, s.given(p.shape)); })
        .dtype([](const ZerosParams& p, DTypeInfer& d) {
          if (p.dtype == -1) {
            if (d.out(0) == DType::unknown) d.set_out(0, DType::float32);
            return;
          }
          if (!is_dtype(p.dtype)) {
            fail(Status::invalid_argument, "[", d.name(), "] dtype is ", p.dtype,
                 "; expected -1 or the number of an element type");
          }
          d.set_out(0, static_cast<DType>(p.dtype));
        })
        .kernel([](const ZerosParams&, KernelArgs& args) { fill_view(args.out[0], 0); })
        .element_cost(0.1)
        .no_gradient();

struct SetValueParams {
  double src = 0;
  static void fields(Fields<SetValueParams>& f) { f.add("src", &SetValueParams::src, "Every element."); }
};

const Op& set_value =
    Define<SetValueParams>("_set_value")
        .doc("One value everywhere in the given output.")
        .origin("MXNet _set_value")
        .shape([](const SetValueParams&, ShapeInfer& s) { s.set_out(0, s.out(0)); })
        .dtype([](const SetValueParams&, DTypeInfer& d) {
          if (d.out(0) == DType::unknown) d.set_out(0, DType::float32);
        })
        .kernel([](const SetValueParams& p, KernelArgs& args) { fill_view(args.out[0], p.src); })
        .element_cost(0.1)
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::init_old
