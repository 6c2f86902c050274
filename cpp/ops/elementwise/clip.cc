// Values held within bounds.
#include "kernels/math/math.h"
#include "ops/elementwise/integer_limits.h"
#include "ops/unary_table.h"

namespace mixgrad::ops::clip {
namespace {

struct ClipParams {
  double a_min = 0, a_max = 0;
  static void fields(Fields<ClipParams>& f) {
    f.required("a_min", &ClipParams::a_min, "Smallest value of the output.")
        .required("a_max", &ClipParams::a_max, "Largest value of the output.");
  }
};

const Op& clip =
    Define<ClipParams>("clip")
        .alias("_npi_clip")
        .doc("Values below a_min become a_min, values above a_max become a_max; NaN stays.")
        .origin("MXNet clip")
        .input("data", "Any array.")
        .dtype([](const ClipParams& p, DTypeInfer& d) {
          infer_same_dtype(d);
          check_extreme(d, p.a_min, true);
          check_extreme(d, p.a_max, false);
        })
        .pointwise_int(MG_SCALAR(math::clip(x, math::number<T>(p.a_min), math::number<T>(p.a_max))))
        .element_cost(0.15)
        .grad([](const ClipParams& p, Grad& g) {
          const Tensor inside = apply("_greater_equal_scalar", {g.in(0)}, {{"scalar", Value(p.a_min)}}) *
                                apply("_lesser_equal_scalar", {g.in(0)}, {{"scalar", Value(p.a_max)}});
          g.set(0, g.out_grad() * inside);
        })
        .backward([](const ClipParams& p, BackwardArgs& args) {
          static const Op& loop = make_loop<ClipParams>(
              MG_SCALAR(((y >= static_cast<T>(p.a_min)) & (y <= static_cast<T>(p.a_max))) ? x : T(0)));
          run_gradient(loop, &p, args, args.in[0]);
        })
        .backward_by_element();

}  // namespace
}  // namespace mixgrad::ops::clip
