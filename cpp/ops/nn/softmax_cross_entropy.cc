// Cross entropy of scores and class numbers.
#include <cmath>

#include "kernels/loops/convert.h"
#include "kernels/softmax/softmax_loop.h"
#include "op/define.h"

namespace mixgrad::ops::softmax_cross_entropy {
namespace {

void cross_entropy_kernel(const NoParams&, KernelArgs& args) {
  const View &x = args.in[0], &label = args.in[1];
  const int64_t rows = x.shape()[0], classes = x.shape()[1];
  const std::unique_ptr<double[]> logs(new double[static_cast<size_t>(std::max<int64_t>(1, x.size()))]);
  const std::unique_ptr<double[]> labels(new double[static_cast<size_t>(std::max<int64_t>(1, rows))]);
  softmax_loop::forward(x, {logs.get(), &x.shape(), DType::float64}, {rows, classes, 1}, true, 1, nullptr);
  convert(label.data, label.dtype, labels.get(), DType::float64, rows);
  double loss = 0;
  for (int64_t r = 0; r < rows; ++r) {
    const double of = labels[static_cast<size_t>(r)];
    if (!(of >= 0 && of < static_cast<double>(classes))) {
      fail(Status::index, "[softmax_cross_entropy] label ", of, " of row ", r, " is outside 0 .. ",
           classes - 1);
    }
    loss -= logs[static_cast<size_t>(r * classes + static_cast<int64_t>(of))];
  }
  convert(&loss, DType::float64, args.out[0].data, args.out[0].dtype, 1);
}

void cross_entropy_grad(const NoParams&, Grad& g) {
  const Tensor x = g.in(0), label = g.in(1);
  if (g.wants(0)) {
    const Tensor target =
        apply("one_hot", {label}, {{"depth", Value(x->shape()[1])}, {"dtype", Value(name_of(x->dtype()))}});
    const Tensor head = broadcast_to(reshape_to(g.out_grad(), Shape{1, 1}), x->shape());
    g.set(0, (apply("softmax", {x}) - target) * head);
  }
  if (g.wants(1)) g.set(1, zeros_like(label));
}

const Op& softmax_cross_entropy =
    Define<>("softmax_cross_entropy")
        .doc("Sum over rows of -log(softmax(data)[label]). The label receives no gradient.")
        .origin("MXNet softmax_cross_entropy")
        .input("data", "(N, C), scores of C classes.")
        .input("label", "(N,), class numbers from 0 to C - 1.")
        .shape([](const NoParams&, ShapeInfer& s) {
          s.set_out(0, Shape{1});
          if (!s.known(0)) return;
          if (s.in(0).ndim() != 2) s.reject("data must have two axes");
          s.set_in(1, Shape{s.in(0)[0]});
        })
        .dtype([](const NoParams&, DTypeInfer& d) {
          if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("data must be of a float dtype");
          if (d.in(1) == DType::unknown) d.set_in(1, d.in(0));
          d.set_out(0, d.in(0));
        })
        .kernel(cross_entropy_kernel)
        .cost([](const NoParams&, Span<const Shape> in) {
          return 300 + 3.0 * static_cast<double>(in[0].size());
        })
        .grad(cross_entropy_grad);

}  // namespace
}  // namespace mixgrad::ops::softmax_cross_entropy
