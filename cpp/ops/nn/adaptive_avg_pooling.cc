// Means over windows, as many as asked for, whatever the size of the image.
#include "kernels/image/resample.h"
#include "op/define.h"

namespace mixgrad::ops::adaptive_avg_pooling {
namespace {

struct AdaptiveParams {
  Shape output_size;
  static void fields(Fields<AdaptiveParams>& f) {
    f.add("output_size", &AdaptiveParams::output_size,
          "Height and width of the output, one number for both; 1 when empty.", at_least(1));
  }
};

void adaptive_shape(const AdaptiveParams& p, ShapeInfer& s) {
  if (p.output_size.ndim() > 2) s.reject("output_size is ", p.output_size, "; expected one or two numbers");
  if (!s.known(0)) return;
  Shape out = s.in(0);
  if (out.ndim() != 4) s.reject("expected images (batch, channels, height, width)");
  if (out[2] < 1 || out[3] < 1) s.reject("expected images of at least one pixel");
  const int n = p.output_size.ndim();
  out[2] = n > 0 ? p.output_size[0] : 1;
  out[3] = n > 0 ? p.output_size[n - 1] : 1;
  s.set_out(0, out);
}

void adaptive_dtype(const AdaptiveParams&, DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
}

const Op& pooling =
    Define<AdaptiveParams>("_contrib_AdaptiveAvgPooling2D")
        .doc("Means over windows that cover the image, so many that the output has the size asked for.")
        .origin("MXNet _contrib_AdaptiveAvgPooling2D")
        .input("data", "(batch, channels, height, width).")
        .shape(adaptive_shape)
        .dtype(adaptive_dtype)
        .kernel([](const AdaptiveParams&, KernelArgs& args) {
          const Shape &in = args.in[0].shape(), &out = args.out[0].shape();
          resample::apply(resample::mean_taps(in[2], out[2]), resample::mean_taps(in[3], out[3]), args.in[0],
                          args.out[0]);
        })
        .grad_needs({}, {})
        .backward([](const AdaptiveParams&, BackwardArgs& args) {
          const Shape &in = args.in_grad[0].shape(), &out = args.out_grad[0].shape();
          resample::apply_transposed(resample::mean_taps(in[2], out[2]), resample::mean_taps(in[3], out[3]),
                                     args.out_grad[0], args.in_grad[0]);
        })
        .element_cost(1);

}  // namespace
}  // namespace mixgrad::ops::adaptive_avg_pooling
