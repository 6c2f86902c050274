// Pooling: parameters and shapes that the operator and its gradient share.
#pragma once

#include <optional>

#include "kernels/pooling/pool_kernel.h"
#include "ops/nn/conv.h"

namespace mixgrad::ops::pooling {

enum class Convention { full, same, valid };
inline constexpr const char* kKindNames[] = {"avg", "lp", "max", "sum"};
inline constexpr const char* kConventionNames[] = {"full", "same", "valid"};

struct PoolingParams {
  Shape kernel;
  pool_kernel::Kind pool_type = pool_kernel::Kind::max;
  bool global_pool = false, cudnn_off = false;
  Convention pooling_convention = Convention::valid;
  Shape stride, pad;
  std::optional<int64_t> p_value;
  std::optional<bool> count_include_pad;
  conv::Layout layout = conv::Layout::none;
  static void fields(Fields<PoolingParams>& f) { add_to(f); }
  template <class P>
  static Fields<P>& add_to(Fields<P>& f) {
    return f.add("kernel", &P::kernel, "Extents of the window: (w,), (h, w) or (d, h, w).")
        .choice("pool_type", static_cast<pool_kernel::Kind P::*>(&P::pool_type), kKindNames,
                "What is taken of a window.")
        .add("global_pool", &P::global_pool,
             "The window is the whole image; kernel, stride and pad are ignored.")
        .add("cudnn_off", &P::cudnn_off, "Accepted and ignored.")
        .choice("pooling_convention", static_cast<Convention P::*>(&P::pooling_convention), kConventionNames,
                "Rounding of output extents: valid rounds down, full up, same gives ceil(in / stride).")
        .add("stride", &P::stride, "Steps of the window; empty means ones.")
        .add("pad", &P::pad, "Elements added at both ends of each axis; empty means none.")
        .add("p_value", &P::p_value, "Power of the norm, 1, 2 or 3; for pool_type lp.")
        .add("count_include_pad", &P::count_include_pad, "Whether avg also counts padding; None is True.")
        .choice("layout", static_cast<conv::Layout P::*>(&P::layout), conv::kLayoutNames,
                "Order of axes; None is channels first.");
  }
};

// Spatial axes come before the channels, not after them.
inline bool pool_last(const PoolingParams& p) { return p.layout >= conv::Layout::ndhwc; }
void pooling_shape(const PoolingParams& p, ShapeInfer& s);
// Of complete shapes.
pool_kernel::PoolShape pool_shape(const PoolingParams& p, const Shape& data, const Shape& out);
void pooling_dtype(DTypeInfer& d);

}  // namespace mixgrad::ops::pooling

namespace mixgrad::ops::pooling_grad {

// The gradient as operators, for higher orders.
void compose(const pooling::PoolingParams& p, Grad& g);
// Applies an operator that takes Pooling's parameters, and `shape` where one is given.
Tensor pool_call(const char* op, const pooling::PoolingParams& p, const Tensor& x, pool_kernel::Kind kind,
                 const Shape* shape);

}  // namespace mixgrad::ops::pooling_grad
