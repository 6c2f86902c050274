// Mean and variance over axes.

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/strided.h"
#include "kernels/reduce/reduce.h"
#include "kernels/scratch.h"
#include "op/define.h"

namespace mixgrad::ops::moments {
namespace {

struct MomentsParams {
  std::optional<Shape> axes;
  bool keepdims = false;
  static void fields(Fields<MomentsParams>& f) {
    f.add("axes", &MomentsParams::axes, "Axes to reduce; None means all.")
        .add("keepdims", &MomentsParams::keepdims, "Keeps reduced axes, with extent 1.");
  }
};

AxisSet moments_axes(const MomentsParams& p, const Shape& shape) {
  return axis_set(p.axes, false, shape.ndim(), "moments");
}

// Two passes: the mean first, then the mean of squared distances from it, both in double.
void moments_kernel(const MomentsParams& p, KernelArgs& args) {
  const View& x = args.in[0];
  const AxisSet axes = moments_axes(p, x.shape());
  const Shape kept = reduced_shape(x.shape(), axes, true);
  ScratchArray<double> mean(static_cast<size_t>(kept.size()));
  ScratchArray<double> centred(static_cast<size_t>(x.size()));
  ScratchArray<double> spread(static_cast<size_t>(x.size()));
  const View mean_view{mean.data(), &kept, DType::float64};
  const View centred_view{centred.data(), &x.shape(), DType::float64};
  reduce_axes(Reduce::sum, ReduceFinish::mean, x, axes, mean_view);
  if (x.size() > 0) {
    copy_strided(mean.data(), broadcast_strides(kept, x.shape()), spread.data(),
                 contiguous_strides(x.shape()), x.shape(), sizeof(double));
  }
  constexpr int64_t kGrain = 32768;
  parallel_for(x.size(), kGrain, [&](int64_t begin, int64_t end) {
    double* c = centred.data();
    convert(x.as<char>() + static_cast<size_t>(begin) * size_of(x.dtype), x.dtype, c + begin, DType::float64,
            end - begin);
    for (int64_t i = begin; i < end; ++i) c[i] -= spread[static_cast<size_t>(i)];
  });
  convert(mean.data(), DType::float64, args.out[0].data, args.out[0].dtype, kept.size());
  reduce_axes(Reduce::sum_square, ReduceFinish::mean, centred_view, axes, args.out[1]);
}

void moments_grad(const MomentsParams& p, Grad& g) {
  const Shape& shape = g.in_shape(0);
  const AxisSet axes = moments_axes(p, shape);
  const Shape kept = reduced_shape(shape, axes, true);
  const int64_t n = reduced_count(shape, axes);
  const double each = 1.0 / static_cast<double>(n > 0 ? n : 1);
  Tensor total;
  if (g.has_out_grad(0)) total = broadcast_to(reshape_to(g.out_grad(0) * each, kept), shape);
  if (g.has_out_grad(1)) {
    const Tensor distance = g.in(0) - reshape_to(g.out(0), kept);
    const Tensor of_variance = distance * reshape_to(g.out_grad(1) * (2 * each), kept);
    total = total ? total + of_variance : of_variance;
  }
  g.set(0, total ? total : zeros_like(g.in(0)));
}

const Op& moments = Define<MomentsParams>("moments")
                        .doc("Mean and variance over axes; the variance divides by the number of elements.")
                        .origin("MXNet moments")
                        .input("data", "Floats.")
                        .outputs({"output0", "output1"})
                        .shape([](const MomentsParams& p, ShapeInfer& s) {
                          if (!s.known(0)) return;
                          const Shape out = reduced_shape(s.in(0), moments_axes(p, s.in(0)), p.keepdims);
                          s.set_out(0, out);
                          s.set_out(1, out);
                        })
                        .kernel(moments_kernel)
                        .cost([](const MomentsParams&, Span<const Shape> in) {
                          return 500 + 3.0 * static_cast<double>(in[0].size());
                        })
                        .grad_needs({0}, {0})
                        .grad(moments_grad);

}  // namespace
}  // namespace mixgrad::ops::moments
