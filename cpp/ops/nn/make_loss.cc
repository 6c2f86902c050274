// Ends of a graph: values whose gradient starts here, whatever comes from above.
#include <cstring>

#include "op/define.h"

namespace mixgrad::ops::make_loss {
namespace {

void copy_bytes(const KernelArgs& args) {
  if (args.out[0].data != args.in[0].data) std::memcpy(args.out[0].data, args.in[0].data, args.in[0].bytes());
}

const Op& make_loss = Define<>("make_loss")
                          .doc("A copy whose gradient is 1, whatever gradient arrives.")
                          .origin("MXNet make_loss")
                          .input("data", "The loss.")
                          .kernel([](const NoParams&, KernelArgs& args) { copy_bytes(args); })
                          .element_cost(0.15)
                          .same_elements()
                          .grad([](const NoParams&, Grad& g) { g.set(0, ones_like(g.in(0))); });

enum class Normalize { null, batch, valid };

struct MakeLossParams {
  double grad_scale = 1;
  double valid_thresh = 0;
  Normalize normalization = Normalize::null;
  static void fields(Fields<MakeLossParams>& f) {
    f.add("grad_scale", &MakeLossParams::grad_scale, "The gradient of every element.")
        .add("valid_thresh", &MakeLossParams::valid_thresh, "Elements above it are valid.")
        .choice("normalization", &MakeLossParams::normalization, {"null", "batch", "valid"},
                "Divide the gradient by nothing, by the extent of the first of several axes, or by the "
                "number of valid "
                "elements.");
  }
};

const Op& make_scaled_loss =
    Define<MakeLossParams>("MakeLoss")
        .doc("A copy whose gradient is grad_scale, normalised as asked, whatever gradient arrives.")
        .origin("MXNet MakeLoss")
        .input("data", "The loss.")
        .kernel([](const MakeLossParams&, KernelArgs& args) { copy_bytes(args); })
        .element_cost(0.15)
        .same_elements()
        .grad([](const MakeLossParams& p, Grad& g) {
          const Shape& shape = g.in_shape(0);
          double scale = p.grad_scale;
          if (p.normalization == Normalize::batch && shape.ndim() > 1 && shape[0] > 0) {
            scale /= static_cast<double>(shape[0]);
          }
          const Tensor ones = ones_like(g.in(0)) * scale;
          if (p.normalization != Normalize::valid) return g.set(0, ones);
          const Tensor valid = apply("_greater_scalar", {g.in(0)}, {{"scalar", Value(p.valid_thresh)}});
          Shape axes;
          for (int d = 0; d < shape.ndim(); ++d) axes.push_back(d);
          const Tensor count = shape.ndim() > 0 ? sum_axes(valid, axes, true) : valid;
          g.set(0, ones / apply("_maximum_scalar", {count}, {{"scalar", Value(1.0)}}));
        });

}  // namespace
}  // namespace mixgrad::ops::make_loss
