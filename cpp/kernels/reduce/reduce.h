// Reduction of any set of axes: which axes an operator's parameters mean, and the loop over them.
#pragma once

#include <optional>

#include "kernels/reduce/reduce_kernels.h"
#include "kernels/view.h"

namespace mixgrad {

// Axes of one array, as marks.
struct AxisSet {
  bool has[kMaxDims] = {};
};

// The axes that `axis` names: all for None and (), negative ones counted from the end. `exclude` turns a
// non-empty list around. Throws Status::index or invalid_argument, naming who asks.
AxisSet axis_set(const std::optional<Shape>& axis, bool exclude, int ndim, const char* who);
// What is left of `shape`. Without keepdims the axes vanish; an array that had axes keeps one, as in MXNet.
Shape reduced_shape(const Shape& shape, const AxisSet& axes, bool keepdims);
// Elements that meet in one output.
int64_t reduced_count(const Shape& shape, const AxisSet& axes);

// What is done with a joined value before it is stored.
enum class ReduceFinish { none, mean, root };

// Reduces `axes` of src into dst, of src's shape without them. Halves are joined in float, integers in int64
// (float64 for sum_abs and sum_square).
void reduce_axes(Reduce kind, ReduceFinish finish, const View& src, const AxisSet& axes, const View& dst);

}  // namespace mixgrad
