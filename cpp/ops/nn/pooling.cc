// Largest, mean, sum or p-norm of the values under a moving window.
#include "ops/nn/pooling.h"

#include <algorithm>

namespace mixgrad::ops::pooling {
namespace {

// One spatial extent of the output.
int64_t pooled_extent(const PoolingParams& p, int64_t in, int64_t kernel, int64_t stride, int64_t pad) {
  if (p.pooling_convention == Convention::same) return (in + stride - 1) / stride;
  const int64_t span = in + 2 * pad - kernel;
  return (p.pooling_convention == Convention::full ? (span + stride - 1) / stride : span / stride) + 1;
}

}  // namespace

void pooling_shape(const PoolingParams& p, ShapeInfer& s) {
  if (p.pool_type == pool_kernel::Kind::lp && !(p.p_value && *p.p_value >= 1 && *p.p_value <= 3)) {
    s.reject("pool_type lp needs p_value 1, 2 or 3");
  }
  const Shape& data = s.in(0);
  if (!data.known_rank()) return;
  const int axes = data.ndim() - 2, first = pool_last(p) ? 1 : 2;
  if (axes < 1 || axes > 3) s.reject("data needs 3, 4 or 5 axes");
  Shape out = data;
  if (p.global_pool) {
    for (int i = 0; i < axes; ++i) {
      if (data[first + i] == 0) s.reject("the global window is empty");
      out[first + i] = 1;
    }
    return s.set_out(0, out);
  }
  const auto check = [&](const Shape& tuple, int64_t low, const char* name, bool must) {
    if (tuple.ndim() == 0 && !must) return;
    // MXNet leaves out what comes after the last axis.
    bool good = must ? tuple.ndim() == axes : tuple.ndim() >= axes;
    for (int64_t v : tuple) good = good && v >= low && v <= nn_backend::kMostWindow;
    if (!good)
      s.reject(name, " is ", tuple, "; expected ", axes, " numbers from ", low, " to ",
               nn_backend::kMostWindow);
  };
  check(p.kernel, 1, "kernel", true);
  check(p.stride, 1, "stride", false);
  check(p.pad, 0, "pad", false);
  if (p.pooling_convention == Convention::same) {
    for (int64_t pad : p.pad) {
      if (pad != 0)
        s.reject("pad is ", p.pad, "; expected 0 with pooling_convention 'same', which chooses it");
    }
  }
  for (int i = 0; i < axes; ++i) {
    int64_t& extent = out[first + i];
    const int64_t pad = p.pad.ndim() ? p.pad[i] : 0, stride = p.stride.ndim() ? p.stride[i] : 1;
    if (extent < 0) continue;
    if (extent > nn_backend::kMostExtent) {
      s.reject("spatial axis ", i, " has extent ", extent, "; expected at most ", nn_backend::kMostExtent);
    }
    if (p.kernel[i] > extent + 2 * pad) {
      s.reject("kernel ", p.kernel, " is larger than spatial axis ", i, ", which with padding has ",
               extent + 2 * pad);
    }
    extent = pooled_extent(p, extent, p.kernel[i], stride, pad);
  }
  s.set_out(0, out);
}

pool_kernel::PoolShape pool_shape(const PoolingParams& p, const Shape& data, const Shape& out) {
  pool_kernel::PoolShape s;
  const int axes = data.ndim() - 2, first = pool_last(p) ? 1 : 2;
  s.batch = data[0];
  s.channels = data[pool_last(p) ? axes + 1 : 1];
  s.channels_last = pool_last(p);
  s.kind = p.pool_type;
  s.power = p.p_value ? static_cast<int>(*p.p_value) : 1;
  s.count_pad = p.count_include_pad.value_or(true);
  for (int i = 0; i < axes; ++i) {
    const int at = 3 - axes + i;
    s.in[at] = data[first + i];
    s.out[at] = out[first + i];
    s.kernel[at] = p.global_pool ? s.in[at] : p.kernel[i];
    s.stride[at] = p.global_pool || p.stride.ndim() == 0 ? 1 : p.stride[i];
    s.pad[at] = p.global_pool || p.pad.ndim() == 0 ? 0 : p.pad[i];
    if (p.pooling_convention == Convention::same && !p.global_pool) {
      // What the windows need beyond the input, half of it in front.
      s.pad[at] = std::max<int64_t>(0, (s.out[at] - 1) * s.stride[at] + s.kernel[at] - s.in[at]) / 2;
    }
  }
  return s;
}

void pooling_dtype(DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
}

namespace {

void pooling_kernel(const PoolingParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  pool_kernel::forward(data.dtype, pool_shape(p, data.shape(), out.shape()), data.data, out.data);
}

void pooling_backward(const PoolingParams& p, BackwardArgs& args) {
  const View& grad = args.out_grad[0];
  if (!args.wants(0)) return;
  pool_kernel::backward(grad.dtype, pool_shape(p, args.in[0].shape(), grad.shape()), args.in[0].data,
                        args.out[0].data, grad.data, args.in_grad[0].data);
}

double pooling_cost(const PoolingParams& p, Span<const Shape> in) {
  double window = 1;
  for (int64_t k : p.kernel) window *= static_cast<double>(k);
  for (int64_t s : p.stride) window /= static_cast<double>(s);
  return 500 + static_cast<double>(in[0].size()) * (p.global_pool ? 1 : std::max(window, 1.0)) * 0.4;
}

const Op& op =
    Define<PoolingParams>("Pooling")
        .alias("_npx_pooling")
        .alias("Pooling_v1")
        .doc(
            "One value per place of a window that moves over the spatial axes: its largest element, mean, "
            "sum, or (sum of x^p)^(1/p). Padding never is the largest.")
        .origin("MXNet Pooling")
        .input("data", "Float array with one, two or three spatial axes.")
        .shape(pooling_shape)
        .dtype([](const PoolingParams&, DTypeInfer& d) { pooling_dtype(d); })
        .kernel(pooling_kernel)
        .backward(pooling_backward)
        .grad(pooling_grad::compose)
        .grad_needs({0}, {0})
        .cost(pooling_cost);

}  // namespace
}  // namespace mixgrad::ops::pooling
