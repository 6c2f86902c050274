// Diagonals of matrices, and matrices from diagonals.
#include <algorithm>

#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::diag {
namespace {

struct DiagParams {
  int64_t k = 0, axis1 = 0, axis2 = 1;
  static void fields(Fields<DiagParams>& f) {
    f.add("k", &DiagParams::k, "Which diagonal: above the main one if positive, below it if negative.")
        .add("axis1", &DiagParams::axis1, "Axis of the matrices' rows.")
        .add("axis2", &DiagParams::axis2, "Axis of the matrices' columns.");
  }
};

struct Diagonal {
  int rows, columns;      // axes
  int64_t begin, length;  // first element within a row-major matrix, number of elements
};

Diagonal diagonal_of(const DiagParams& p, const Shape& shape, const char* who) {
  Diagonal d;
  d.rows = normalize_axis(p.axis1, shape.ndim(), who);
  d.columns = normalize_axis(p.axis2, shape.ndim(), who);
  if (d.rows == d.columns) {
    fail(Status::invalid_argument, "[", who, "] axis1 ", p.axis1, " and axis2 ", p.axis2,
         " are one axis of shape ", shape);
  }
  const int64_t r = shape[d.rows], c = shape[d.columns];
  d.length =
      std::max<int64_t>(0, p.k >= 0 ? std::min(r, c - std::min(p.k, c)) : std::min(c, r + std::max(p.k, -r)));
  d.begin = d.length == 0 ? 0 : p.k >= 0 ? p.k : -p.k * c;
  return d;
}

int64_t matrix_side(const DiagParams& p, int64_t n, const char* who) {
  int64_t side = 0;
  if (p.k == INT64_MIN || __builtin_add_overflow(n, p.k < 0 ? -p.k : p.k, &side)) {
    fail(Status::invalid_argument, "[", who, "] k ", p.k, " is too far from the main diagonal");
  }
  return side;
}

// Axes in order without the matrices', which come last.
Shape matrix_last_axes(const Diagonal& d, int ndim) {
  Shape axes;
  for (int a = 0; a < ndim; ++a) {
    if (a != d.rows && a != d.columns) axes.push_back(a);
  }
  axes.push_back(d.rows);
  axes.push_back(d.columns);
  return axes;
}

void infer_diag(const DiagParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  const Shape& in = s.in(0);
  if (in.ndim() == 0) s.reject("expected at least one axis");
  if (in.ndim() == 1) {
    const int64_t side = matrix_side(p, in[0], s.name());
    return s.set_out(0, {side, side});
  }
  const Diagonal d = diagonal_of(p, in, s.name());
  Shape out = in;
  out.erase(std::max(d.rows, d.columns));
  out.erase(std::min(d.rows, d.columns));
  out.push_back(d.length);
  s.set_out(0, out);
}

void diag_kernel(const DiagParams& p, KernelArgs& args) {
  const View &in = args.in[0], &out = args.out[0];
  const Shape& shape = in.shape();
  if (shape.ndim() == 1) {
    const int64_t side = out.shape()[0];
    Region region;
    region.offset = p.k >= 0 ? p.k : -p.k * side;
    region.strides.stride[0] = side + 1;
    region.extents = shape;
    fill_elements(out, 0);
    return write_region(in.data, contiguous_strides(shape), out, region);
  }
  const Diagonal d = diagonal_of(p, shape, args.name());
  const StridedDims strides = contiguous_strides(shape);
  Region region;
  region.extents = out.shape();
  if (d.length == 0) return;
  region.offset = p.k >= 0 ? p.k * strides.stride[d.columns] : -p.k * strides.stride[d.rows];
  int axis = 0;
  for (int a = 0; a < shape.ndim(); ++a) {
    if (a != d.rows && a != d.columns) region.strides.stride[axis++] = strides.stride[a];
  }
  region.strides.stride[axis] = strides.stride[d.rows] + strides.stride[d.columns];
  read_region(in, region, out.data);
}

// Of a matrix stored row by row a diagonal is every (columns + 1)-th element: placed so, then put in the shape of
// the input.
void diag_grad(const DiagParams& p, Grad& g) {
  const Shape& shape = g.in_shape(0);
  const Tensor grad = g.out_grad();
  if (shape.ndim() == 1) return g.set(0, apply("diag", {grad}, {{"k", p.k}}));
  const Diagonal d = diagonal_of(p, shape, "diag");
  const Shape axes = matrix_last_axes(d, shape.ndim());
  const int64_t rows = shape[d.rows], columns = shape[d.columns];
  Shape moved, back = axes;
  for (int i = 0; i < axes.ndim(); ++i) {
    moved.push_back(shape[static_cast<int>(axes[i])]);
    back[static_cast<int>(axes[i])] = i;
  }
  Shape flat = moved, begin, step;
  flat.erase(flat.ndim() - 1);
  flat[flat.ndim() - 1] = rows * columns;
  begin = Shape::filled(flat.ndim(), 0);
  step = Shape::filled(flat.ndim(), 1);
  begin[begin.ndim() - 1] = d.begin;
  step[step.ndim() - 1] = columns + 1;
  const Tensor placed =
      apply("_strided_slice_place", {grad},
            {{"begin", TupleValue(begin)}, {"step", TupleValue(step)}, {"shape", TupleValue(flat)}});
  g.set(0, transpose_axes(reshape_to(placed, moved), back));
}

const Op& diag = Define<DiagParams>("diag")
                     .doc(
                         "The k-th diagonal of the matrices along two axes, as a new last axis; of a 1-d "
                         "array the square matrix with "
                         "that diagonal and zeros elsewhere.")
                     .origin("MXNet diag")
                     .input("data", "At least one axis.")
                     .shape(infer_diag)
                     .kernel(diag_kernel)
                     .grad_needs({}, {})
                     .grad(diag_grad);

}  // namespace
}  // namespace mixgrad::ops::diag
