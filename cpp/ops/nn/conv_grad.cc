// Gradients of convolutions made of operators: what higher orders and graphs use.
#include "ops/nn/conv.h"

namespace mixgrad::ops::conv_grad {
namespace {

// Moves the channel axis of a channels-last array to place 1.
Tensor channels_first(const Tensor& x) {
  const int n = x->shape().ndim();
  Shape axes{0, n - 1};
  for (int i = 1; i < n - 1; ++i) axes.push_back(i);
  return transpose_axes(x, axes);
}

Tensor channels_back(const Tensor& x) {
  Shape axes{0};
  for (int i = 2; i < x->shape().ndim(); ++i) axes.push_back(i);
  axes.push_back(1);
  return transpose_axes(x, axes);
}

// (n, groups * c, ...) to (groups, c, n, ...) or, with `inner`, to (c, groups, n, ...).
Tensor split_groups(const Tensor& x, int64_t groups, bool inner) {
  const Shape& from = x->shape();
  Shape apart{from[0], groups, from[1] / groups}, axes{inner ? 2 : 1, inner ? 1 : 2, 0};
  for (int i = 2; i < from.ndim(); ++i) {
    apart.push_back(from[i]);
    axes.push_back(i + 1);
  }
  return transpose_axes(reshape_to(x, apart), axes);
}

// Joins axes `first` and `first` + 1.
Tensor join_axes(const Tensor& x, int first) {
  Shape to = x->shape();
  to[first] *= to[first + 1];
  to.erase(first + 1);
  return reshape_to(x, to);
}

}  // namespace
}  // namespace mixgrad::ops::conv_grad

namespace mixgrad::ops::conv {

Tensor convolve(const char* op, const Window& w, const Tensor& data, const Tensor& weight, const Shape* adj) {
  const TupleValue kernel(w.kernel), stride(w.stride), dilate(w.dilate), pad(w.pad);
  const TupleValue adjust(adj ? *adj : Shape());
  const NamedValue values[] = {{"kernel", kernel},
                               {"stride", stride},
                               {"dilate", dilate},
                               {"pad", pad},
                               {"num_filter", Value(w.num_filter)},
                               {"num_group", Value(w.num_group)},
                               {"no_bias", Value(true)},
                               {"layout", Value(kLayoutNames[static_cast<size_t>(w.layout)])},
                               {"adj", adjust}};
  const Tensor in[] = {data, weight};
  return apply(op, in, Span<const NamedValue>(values, adj ? 9 : 8));
}

// The sum over batch and output positions is itself a convolution, in which batch and channels change places, the
// output gradient is the kernel, and stride and dilation change places.
Tensor weight_grad_of(const Window& w, const Tensor& data, const Tensor& out_grad, const Shape& weight) {
  using namespace conv_grad;
  const bool last = w.channels_last();
  const Tensor x = last ? channels_first(data) : data, dy = last ? channels_first(out_grad) : out_grad;
  Window transposed = w;
  transposed.layout = Layout::none;
  transposed.stride = w.dilate;
  transposed.dilate = w.stride;
  for (int i = 0; i < w.axes(); ++i) transposed.kernel[i] = dy->shape()[2 + i];
  transposed.num_filter = dy->shape()[1];
  Tensor result = convolve("Convolution", transposed, join_axes(split_groups(x, w.num_group, true), 1),
                           join_axes(split_groups(dy, w.num_group, false), 0), nullptr);
  // Positions of the input that no window reached add columns behind the kernel's own.
  for (int i = 0; i < w.axes(); ++i) {
    if (result->shape()[2 + i] == w.kernel[i]) continue;
    result = apply("slice_axis", {result},
                   {{"axis", Value(2 + i)}, {"begin", Value(0)}, {"end", Value(w.kernel[i])}});
  }
  Shape axes{1, 0};
  for (int i = 0; i < w.axes(); ++i) axes.push_back(2 + i);
  result = transpose_axes(result, axes);
  return reshape_to(last ? channels_back(result) : result, weight);
}

Tensor bias_grad_of(const Window& w, const Tensor& out_grad) {
  Shape axes;
  for (int i = 0; i < w.axes() + 2; ++i) {
    if (i != w.channel_axis()) axes.push_back(i);
  }
  return sum_axes(out_grad, axes, false);
}

}  // namespace mixgrad::ops::conv
