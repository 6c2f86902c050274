#include <algorithm>

#include "base/error.h"
#include "op/define.h"

namespace mixgrad {
namespace {

// Merges what is known of one shape into another; false, and nothing changes, when they contradict.
bool unify_shape(Shape& known, const Shape& more) {
  if (!more.known_rank()) return true;
  if (!known.known_rank()) {
    known = more;
    return true;
  }
  if (known.ndim() != more.ndim()) return false;
  for (int i = 0; i < known.ndim(); ++i) {
    if (more[i] >= 0 && known[i] >= 0 && known[i] != more[i]) return false;
  }
  for (int i = 0; i < known.ndim(); ++i) {
    if (known[i] < 0) known[i] = more[i];
  }
  return true;
}

// Broadcast of shapes known in part: an extent above 1 decides; beside 1, an unknown one stays unknown.
Shape broadcast_open(const Shape& a, const Shape& b, const char* who) {
  const int n = std::max(a.ndim(), b.ndim());
  Shape out = Shape::filled(n, 1);
  for (int i = 0; i < n; ++i) {
    const int ia = i - (n - a.ndim()), ib = i - (n - b.ndim());
    const int64_t da = ia < 0 ? 1 : a[ia], db = ib < 0 ? 1 : b[ib];
    if (da >= 0 && db >= 0)
      out[i] = broadcast(Shape{da}, Shape{db}, who)[0];
    else
      out[i] = std::max(da, db) == 1 ? Shape::kUnknownDim : std::max(da, db);
  }
  return out;
}

std::string list_shapes(const Op& op, Span<Shape> in) {
  std::string s;
  for (size_t i = 0; i < in.size(); ++i)
    s += (i ? ", " : "") + op.input_name(static_cast<int>(i)) + " " + in[i].str();
  return s;
}

// What arrived, to follow a reason; nothing when the operator has no inputs.
std::string arrived(const std::string& list) { return list.empty() ? list : "; got " + list; }

std::string with_inputs(const std::string& list) { return list.empty() ? list : " with inputs " + list; }

std::string list_dtypes(const Op& op, Span<DType> in) {
  std::string s;
  for (size_t i = 0; i < in.size(); ++i) {
    s += (i ? ", " : "") + op.input_name(static_cast<int>(i)) + " " + name_of(in[i]);
  }
  return s;
}

}  // namespace

void ShapeInfer::set_in(int i, const Shape& shape) {
  if (!unify_shape(in_[static_cast<size_t>(i)], shape)) {
    fail(Status::shape, "[", op_.name, "] ", op_.input_name(i), " has shape ", in(i), "; expected ", shape,
         with_inputs(list_shapes(op_, in_)));
  }
}

void ShapeInfer::set_out(int i, const Shape& shape) {
  if (!unify_shape(out_[static_cast<size_t>(i)], shape)) {
    fail(Status::shape, "[", op_.name, "] output ", i, " must have shape ", out(i), " but would be ", shape,
         with_inputs(list_shapes(op_, in_)));
  }
}

Shape ShapeInfer::given(const Shape& param) const {
  Shape shape = param;
  for (int i = 0; i < shape.ndim(); ++i) {
    if (open_zeros_ && shape[i] <= 0) shape[i] = Shape::kUnknownDim;
    if (!open_zeros_ && shape[i] < 0) reject("shape is ", param, "; expected extents from 0 on");
  }
  return shape;
}

const char* ShapeInfer::name() const { return op_.name.c_str(); }
void ShapeInfer::reject_for(std::initializer_list<TextItem> why) const {
  fail(Status::shape, "[", op_.name, "] ", join_text(why), arrived(list_shapes(op_, in_)));
}

void DTypeInfer::set_in(int i, DType dtype) {
  DType& known = in_[static_cast<size_t>(i)];
  if (known == DType::unknown) known = dtype;
  if (dtype != DType::unknown && known != dtype) {
    fail(Status::dtype, "[", op_.name, "] ", op_.input_name(i), " is ", name_of(known), "; expected ",
         name_of(dtype), with_inputs(list_dtypes(op_, in_)));
  }
}

void DTypeInfer::set_out(int i, DType dtype) {
  DType& known = out_[static_cast<size_t>(i)];
  if (known == DType::unknown) known = dtype;
  if (dtype != DType::unknown && known != dtype) {
    fail(Status::dtype, "[", op_.name, "] output ", i, " must be ", name_of(known), " but would be ",
         name_of(dtype), with_inputs(list_dtypes(op_, in_)));
  }
}

const char* DTypeInfer::name() const { return op_.name.c_str(); }
void DTypeInfer::reject_for(std::initializer_list<TextItem> why) const {
  fail(Status::dtype, "[", op_.name, "] ", join_text(why), arrived(list_dtypes(op_, in_)));
}

void infer_like(ShapeInfer& s, int input) {
  for (int i = 0; i < s.num_inputs(); ++i) s.set_in(input, s.in(i));
  for (int i = 0; i < s.num_outputs(); ++i) s.set_in(input, s.out(i));
  for (int i = 0; i < s.num_inputs(); ++i) s.set_in(i, s.in(input));
  for (int i = 0; i < s.num_outputs(); ++i) s.set_out(i, s.in(input));
}

void infer_broadcast(ShapeInfer& s) {
  bool all = true;
  for (int i = 0; i < s.num_inputs(); ++i) {
    if (!s.in(i).known_rank()) return;
    all &= s.known(i);
  }
  Shape out = s.num_inputs() > 0 ? s.in(0) : Shape();
  for (int i = 1; i < s.num_inputs(); ++i)
    out = all ? broadcast(out, s.in(i), s.name()) : broadcast_open(out, s.in(i), s.name());
  s.set_out(0, out);
}

void infer_first_dtype(DTypeInfer& d) {
  d.set_out(0, d.in(0));
  d.set_in(0, d.out(0));
}

void infer_same_dtype(DTypeInfer& d) {
  DType seen = DType::unknown;
  for (int i = 0; i < d.num_inputs() && seen == DType::unknown; ++i) seen = d.in(i);
  for (int i = 0; i < d.num_outputs() && seen == DType::unknown; ++i) seen = d.out(i);
  for (int i = 0; i < d.num_inputs(); ++i) d.set_in(i, seen);
  for (int i = 0; i < d.num_outputs(); ++i) d.set_out(i, seen);
}

}  // namespace mixgrad
