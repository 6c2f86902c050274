// Runs a pointwise operator over arrays: broadcasting, dtype conversion and division over cores around its
// tile functions.
#pragma once

#include "op/op.h"

namespace mixgrad {

// Input shapes broadcast to the output's shape. The output may be one of the inputs if that one is not
// broadcast.
void run_pointwise(const Op& op, const void* params, Span<const View> in, const View& out);

// The type a pointwise operator computes in for operands of that dtype.
ComputeType compute_type_of(const Pointwise& pointwise, DType dtype);
DType dtype_of(ComputeType type);

// The loop of a pointwise operator over elements of one type, which lie one after another; false where there is none.
class TileLoop {
 public:
  TileLoop() = default;
  TileLoop(const Pointwise& pointwise, ComputeType type)
      : fn_(pointwise.tile[type]), element_(kCompact && type == kComputeF64 ? pointwise.element : nullptr) {}
  explicit operator bool() const { return fn_ || (kCompact && element_); }
  // Of `in`, three, the ones that the expression does not read are null. The output may be an input.
  void operator()(const void* const* in, void* out, int64_t n, const void* params) const {
    if constexpr (kCompact)
      run_compact(in, out, n, params);
    else
      fn_(in, out, n, params);
  }

 private:
  void run_compact(const void* const* in, void* out, int64_t n, const void* params) const;

  TileFn fn_ = nullptr;
  ElementFn element_ = nullptr;
};

}  // namespace mixgrad
