#include "launch/pointwise.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/strided.h"

namespace mixgrad {
namespace {

constexpr int kMaxPointwiseInputs = 3;
constexpr int64_t kTileElements = 512;  // 4 KiB of doubles per operand: all tiles stay in L1
constexpr int64_t kLongRow = 128;       // from this length rows are walked in place instead of gathered
// Elements worth a thread; fewer while threads look for work.
constexpr int64_t kParallelElements = 32768, kParallelElementsAwake = 8192;

// How one input is reached from an output position.
struct PointwiseOperand {
  const char* data;
  DType dtype;
  size_t item;
  bool whole;        // same layout as the output
  StridedDims dims;  // strides in elements over the collapsed output extents, 0 where broadcast
};

struct PointwisePlan {
  TileFn fn;
  const void* params;
  DType compute;
  int num_inputs;
  PointwiseOperand in[kMaxPointwiseInputs];
  char* out;
  DType out_dtype;
  size_t out_item;
  int ndim;
  int64_t extents[kMaxDims];
};

// Computes n elements whose operands are contiguous at in[i] in their own dtypes, tile by tile where dtypes
// differ.
void compute_run(const PointwisePlan& plan, const char* const* in, char* out, int64_t n) {
  bool direct = plan.out_dtype == plan.compute;
  for (int i = 0; i < plan.num_inputs; ++i) direct &= plan.in[i].dtype == plan.compute;
  if (direct) {
    const void* operands[kMaxPointwiseInputs] = {in[0], in[1], in[2]};
    plan.fn(operands, out, n, plan.params);
    return;
  }
  alignas(64) char tiles[kMaxPointwiseInputs][kTileElements * 8];
  alignas(64) char result[kTileElements * 8];
  for (int64_t at = 0; at < n; at += kTileElements) {
    const int64_t m = std::min(kTileElements, n - at);
    const void* operands[kMaxPointwiseInputs] = {};
    for (int i = 0; i < plan.num_inputs; ++i) {
      const char* src = in[i] + static_cast<size_t>(at) * plan.in[i].item;
      if (plan.in[i].dtype == plan.compute) {
        operands[i] = src;
      } else {
        convert(src, plan.in[i].dtype, tiles[i], plan.compute, m);
        operands[i] = tiles[i];
      }
    }
    char* dst = out + static_cast<size_t>(at) * plan.out_item;
    if (plan.out_dtype == plan.compute) {
      plan.fn(operands, dst, m, plan.params);
    } else {
      plan.fn(operands, result, m, plan.params);
      convert(result, plan.compute, dst, plan.out_dtype, m);
    }
  }
}

// The same from begin to end of an output whose rows are long: operands are read where they lie, and one that is
// constant along a row is spread over a tile.
void compute_rows(const PointwisePlan& plan, int64_t begin, int64_t end) {
  const int last = plan.ndim - 1;
  const int64_t inner = plan.extents[last];
  alignas(64) char spread[kMaxPointwiseInputs][kTileElements * 8];
  int64_t index[kMaxDims], offset[kMaxPointwiseInputs] = {};
  int64_t rest = begin;
  for (int d = last; d >= 0; --d) {
    index[d] = rest % plan.extents[d];
    rest /= plan.extents[d];
    for (int i = 0; i < plan.num_inputs; ++i) offset[i] += index[d] * plan.in[i].dims.stride[d];
  }
  bool constant[kMaxPointwiseInputs] = {};
  bool pieces = false;
  for (int i = 0; i < plan.num_inputs; ++i) {
    constant[i] = plan.in[i].dims.stride[last] == 0;
    pieces |= constant[i];
  }
  char* out = plan.out + static_cast<size_t>(begin) * plan.out_item;
  for (int64_t at = begin; at < end;) {
    const int64_t n = std::min(end - at, inner - index[last]);
    const char* in[kMaxPointwiseInputs] = {};
    for (int i = 0; i < plan.num_inputs; ++i) {
      const PointwiseOperand& operand = plan.in[i];
      in[i] = operand.data + static_cast<size_t>(offset[i]) * operand.item;
      if (constant[i]) {
        fill_items(spread[i], in[i], operand.item, std::min(n, kTileElements));
        in[i] = spread[i];
      }
    }
    const int64_t step = pieces ? kTileElements : n;
    for (int64_t done = 0; done < n; done += step) {
      const int64_t m = std::min(step, n - done);
      const char* here[kMaxPointwiseInputs] = {};
      for (int i = 0; i < plan.num_inputs; ++i) {
        here[i] = constant[i] ? in[i] : in[i] + static_cast<size_t>(done) * plan.in[i].item;
      }
      compute_run(plan, here, out, m);
      out += static_cast<size_t>(m) * plan.out_item;
    }
    at += n;
    index[last] += n;
    for (int i = 0; i < plan.num_inputs; ++i) offset[i] += n * plan.in[i].dims.stride[last];
    for (int d = last; d > 0 && index[d] == plan.extents[d]; --d) {
      for (int i = 0; i < plan.num_inputs; ++i) {
        offset[i] += plan.in[i].dims.stride[d - 1] - plan.extents[d] * plan.in[i].dims.stride[d];
      }
      index[d] = 0;
      ++index[d - 1];
    }
  }
}

void compute_range(const PointwisePlan& plan, int64_t begin, int64_t end) {
  bool all_whole = true;
  for (int i = 0; i < plan.num_inputs; ++i) all_whole &= plan.in[i].whole;
  const char* in[kMaxPointwiseInputs] = {};
  if (all_whole) {
    for (int i = 0; i < plan.num_inputs; ++i)
      in[i] = plan.in[i].data + static_cast<size_t>(begin) * plan.in[i].item;
    compute_run(plan, in, plan.out + static_cast<size_t>(begin) * plan.out_item, end - begin);
    return;
  }
  const int64_t inner = plan.extents[plan.ndim - 1];
  if (inner >= kLongRow) return compute_rows(plan, begin, end);
  alignas(64) char gathered[kMaxPointwiseInputs][kTileElements * 8];
  for (int64_t at = begin; at < end; at += kTileElements) {
    const int64_t n = std::min(kTileElements, end - at);
    for (int i = 0; i < plan.num_inputs; ++i) {
      const PointwiseOperand& operand = plan.in[i];
      if (operand.whole) {
        in[i] = operand.data + static_cast<size_t>(at) * operand.item;
      } else {
        gather_stretch(operand.data, operand.item, operand.dims, plan.extents, plan.ndim, at, n, gathered[i]);
        in[i] = gathered[i];
      }
    }
    compute_run(plan, in, plan.out + static_cast<size_t>(at) * plan.out_item, n);
  }
}

}  // namespace

ComputeType compute_type_of(const Pointwise& pointwise, DType dtype) {
  const bool integers = pointwise.tile[kComputeI32] != nullptr;
  switch (dtype) {
    case DType::float64: return kComputeF64;
    case DType::int32: return integers ? kComputeI32 : kComputeF64;
    case DType::int64: return integers ? kComputeI64 : kComputeF64;
    case DType::int8:
    case DType::uint8:
    case DType::boolean: return integers ? kComputeI32 : kComputeF32;
    default: return kComputeF32;
  }
}

DType dtype_of(ComputeType type) {
  switch (type) {
    case kComputeF64: return DType::float64;
    case kComputeI32: return DType::int32;
    case kComputeI64: return DType::int64;
    default: return DType::float32;
  }
}

namespace {

// Mixed operands compute in the widest of their types and the output's.
ComputeType compute_type_of(const Pointwise& pointwise, Span<const View> in, DType out) {
  const DType first = in[0].dtype;
  ComputeType type = compute_type_of(pointwise, first);
  for (size_t i = 1; i <= in.size(); ++i) {
    const DType dtype = i < in.size() ? in[i].dtype : out;
    if (dtype == first) continue;
    const ComputeType other = compute_type_of(pointwise, dtype);
    if (other == kComputeF64 || (other == kComputeI64 && type == kComputeI32) ||
        (other == kComputeF32 && (type == kComputeI32 || type == kComputeI64))) {
      type = other;
    }
  }
  return type;
}

// Whether an input's elements lie as those of the output, which has `size`.
bool lies_as(const View& out, const View& in, int64_t size) {
  return in.shape() == out.shape() || (in.size() == size && in.shape().ndim() <= out.shape().ndim());
}

}  // namespace

void run_pointwise(const Op& op, const void* params, Span<const View> in, const View& out) {
  const int64_t size = out.size();
  if (size == 0) return;
  const ComputeType type = compute_type_of(op.pointwise, in, out.dtype);
  const TileFn fn = op.pointwise.tile[type];
  const DType compute = dtype_of(type);
  bool all_whole = true, converts = out.dtype != compute;
  for (const View& operand : in) {
    all_whole &= lies_as(out, operand, size);
    converts |= operand.dtype != compute;
  }
  if (all_whole && !converts && size <= kParallelElements) {  // a plan would cost more than a small call
    const void* operands[kMaxPointwiseInputs] = {};
    for (size_t i = 0; i < in.size(); ++i) operands[i] = in[i].data;
    return fn(operands, out.data, size, params);
  }
  PointwisePlan plan;
  plan.fn = fn;
  plan.params = params;
  plan.compute = compute;
  plan.num_inputs = static_cast<int>(in.size());
  plan.out = static_cast<char*>(out.data);
  plan.out_dtype = out.dtype;
  plan.out_item = size_of(out.dtype);
  for (size_t i = 0; i < in.size(); ++i) {
    PointwiseOperand& operand = plan.in[i];
    operand.data = static_cast<const char*>(in[i].data);
    operand.dtype = in[i].dtype;
    operand.item = size_of(in[i].dtype);
    operand.whole = lies_as(out, in[i], size);
  }
  if (!all_whole) {
    StridedDims dims[kMaxPointwiseInputs];
    for (size_t i = 0; i < in.size(); ++i) dims[i] = broadcast_strides(in[i].shape(), out.shape());
    plan.ndim = collapse_dims(out.shape(), dims, plan.num_inputs, plan.extents);
    for (size_t i = 0; i < in.size(); ++i) plan.in[i].dims = dims[i];
  }
  if (size <= kParallelElements) return compute_range(plan, 0, size);
  parallel_for(size, team_awake() ? kParallelElementsAwake : kParallelElements,
               [&](int64_t begin, int64_t end) { compute_range(plan, begin, end); });
}

}  // namespace mixgrad
