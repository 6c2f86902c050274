// AdaGrad with one rate per row.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "op/define.h"

namespace mixgrad::ops::optimizer_group {
namespace {

struct GroupParams {
  double lr = 0, rescale_grad = 1, clip_gradient = -1, epsilon = 1e-5;
  static void fields(Fields<GroupParams>& f) {
    f.required("lr", &GroupParams::lr, "Learning rate.")
        .add("rescale_grad", &GroupParams::rescale_grad, "Factor of the gradient.")
        .add("clip_gradient", &GroupParams::clip_gradient,
             "Bound of the gradient's absolute values; none unless above 0.")
        .add("epsilon", &GroupParams::epsilon, "Added to the history before its root is taken.");
  }
};

template <class C>
void update_rows(const GroupParams& p, KernelArgs& args) {
  const View &weight = args.in[0], &grad = args.in[1], &history = args.in[2], &out = args.out[0];
  const int64_t rows = out.shape()[0], columns = out.shape()[1];
  if (columns == 0) return;
  parallel_for(rows, loop_grain(8192, {columns}), [&](int64_t begin, int64_t end) {
    Elements<C> weights(weight, columns), grads(grad, columns), results(out, columns), sums(history, 1);
    ScratchArray<C> scaled(static_cast<size_t>(columns));
    for (int64_t r = begin; r < end; ++r) {
      const C *w = weights.read(r * columns, columns), *g = grads.read(r * columns, columns);
      const C bound = static_cast<C>(p.clip_gradient);
      C square = 0;
      for (int64_t i = 0; i < columns; ++i) {
        C x = g[i] * static_cast<C>(p.rescale_grad);
        if (p.clip_gradient > 0) x = x > bound ? bound : x < -bound ? -bound : x;
        scaled[static_cast<size_t>(i)] = x;
        square += x * x;
      }
      const C sum = *sums.read(r, 1) + square / static_cast<C>(columns);
      *sums.write(r) = sum;
      sums.store(r, 1);
      const C rate = static_cast<C>(p.lr) / std::sqrt(sum + static_cast<C>(p.epsilon));
      C* y = results.write(r * columns);
      for (int64_t i = 0; i < columns; ++i) y[i] = w[i] - rate * scaled[static_cast<size_t>(i)];
      results.store(r * columns, columns);
    }
  });
}

const Op& op = Define<GroupParams>("_contrib_group_adagrad_update")
                   .module("contrib")
                   .overwrites_first()
                   .doc(
                       "history += the mean of g^2 over each row, with g = clip(rescale_grad * grad); the "
                       "new weight is weight - lr * "
                       "g / sqrt(history + epsilon).")
                   .origin("MXNet _contrib_group_adagrad_update; Duchi and others 2011")
                   .input("weight", "(rows, columns), float.")
                   .input("grad", "Gradient, of the shape of weight.")
                   .state("history", "(rows, 1): accumulated mean squares; changed in place.")
                   .shape([](const GroupParams&, ShapeInfer& s) {
                     for (int i = 0; i < 2; ++i) {
                       if (s.in(i).known_rank() && s.in(i).ndim() != 2)
                         s.reject("expected a matrix (rows, columns)");
                       s.set_in(1 - i, s.in(i));
                     }
                     s.set_in(0, s.out(0));
                     s.set_in(1, s.in(0));
                     s.set_out(0, s.in(0));
                     if (s.in(0).known_rank()) s.set_in(2, {s.in(0)[0], 1});
                   })
                   .dtype([](const GroupParams&, DTypeInfer& d) {
                     infer_same_dtype(d);
                     if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
                   })
                   .kernel([](const GroupParams& p, KernelArgs& args) {
                     if (is_wide(args.out[0].dtype)) {
                       update_rows<double>(p, args);
                     } else {
                       update_rows<float>(p, args);
                     }
                   });

}  // namespace
}  // namespace mixgrad::ops::optimizer_group
