// Reading, writing and adding rows at places that arrays of indices name: the kernels behind take, Embedding,
// gather_nd, pick and indexing with arrays.
#pragma once

#include <vector>

#include "base/span.h"
#include "kernels/view.h"

namespace mixgrad {

// What an index outside [0, n) means: `python` counts negatives from the end and refuses the rest, `clip` takes
// the nearest place, `wrap` continues periodically, `raise` refuses.
enum class IndexMode : int32_t { python, clip, wrap, raise };

// Where the rows lie, in elements of the indexed array. Rows are numbered (lead, index position, rest), each of
// `inner` contiguous elements; row (l, i, r) begins at l * lead_stride + offsets[i] + rest[r].
struct IndexPlan {
  std::vector<int64_t> offsets;
  std::vector<int64_t> rest{0};
  int64_t lead = 1, lead_stride = 0, inner = 1;
  int64_t positions() const { return static_cast<int64_t>(offsets.size()); }
  int64_t num_rows() const { return lead * positions() * static_cast<int64_t>(rest.size()); }
};

// Whether ascending axes follow one another without a gap; then the indices' axes take their place in the result,
// else they come first (NumPy's rule).
bool adjacent_axes(const Shape& axes);
// The shape of whole[..., indices, ...]; `axes` ascend, index arrays have broadcast to `index_shape`.
Shape gathered_shape(const Shape& whole, const Shape& axes, const Shape& index_shape);

// Adds `stride` times each index, taken by `mode` in an axis of `extent`, to n offsets. Indices of any dtype are
// truncated to integers. Throws Status::index, naming `who`, the index and the extent.
void add_index_offsets(const void* indices, DType dtype, int64_t n, int64_t extent, int64_t stride,
                       IndexMode mode, const char* who, int64_t* offsets);
// One array of indices per axis; arrays broadcast to `index_shape`.
IndexPlan plan_indices(const Shape& whole, const Shape& axes, Span<const View> indices,
                       const Shape& index_shape, IndexMode mode, const char* who);

// dst row by row, contiguous, from the planned rows of src.
void gather_rows(const IndexPlan& plan, const void* src, void* dst, size_t item_size);
// The planned rows of dst (whole_size elements) from src row by row; of rows that meet, the last one stays.
void scatter_rows(const IndexPlan& plan, const void* src, void* dst, int64_t whole_size, size_t item_size);
// Adds src row by row to the planned rows of dst, in order, whatever the number of threads. Half types and small
// integers are summed in wider ones.
void scatter_add_rows(const IndexPlan& plan, const void* src, const View& dst);

}  // namespace mixgrad
