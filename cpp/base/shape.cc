#include "base/shape.h"

#include "base/error.h"

namespace mixgrad {

Shape::Shape(const int64_t* dims, int ndim) : ndim_(ndim) {
  if (ndim > kMaxDims) fail(Status::shape, "[shape] ", ndim, " axes; at most ", kMaxDims, " are supported");
  for (int i = 0; i < ndim; ++i) dims_[i] = dims[i];
}

Shape Shape::filled(int ndim, int64_t value) {
  Shape s;
  for (int i = 0; i < ndim; ++i) s.push_back(value);
  return s;
}

bool Shape::known() const {
  if (ndim_ < 0) return false;
  for (int i = 0; i < ndim_; ++i) {
    if (dims_[i] < 0) return false;
  }
  return true;
}

void Shape::push_back(int64_t extent) {
  if (ndim_ >= kMaxDims) fail(Status::shape, "[shape] more than ", kMaxDims, " axes");
  dims_[ndim_++] = extent;
}

void Shape::insert(int at, int64_t extent) {
  if (ndim_ >= kMaxDims) fail(Status::shape, "[shape] more than ", kMaxDims, " axes");
  for (int i = ndim_; i > at; --i) dims_[i] = dims_[i - 1];
  dims_[at] = extent;
  ++ndim_;
}

void Shape::erase(int at) {
  for (int i = at; i + 1 < ndim_; ++i) dims_[i] = dims_[i + 1];
  --ndim_;
}

std::string Shape::str() const {
  if (ndim_ < 0) return "(unknown)";
  std::string s = "(";
  for (int i = 0; i < ndim_; ++i) {
    if (i) s += ", ";
    s += dims_[i] < 0 ? "?" : text(dims_[i]);
  }
  return s + (ndim_ == 1 ? ",)" : ")");
}

int normalize_axis(int64_t axis, int ndim, const char* who) {
  const int64_t a = axis < 0 ? axis + ndim : axis;
  if (a < 0 || a >= ndim) {
    fail(Status::index, "[", who, "] axis ", axis, " is outside an array of ", ndim, " axes; expected ",
         -ndim, " to ", ndim - 1);
  }
  return static_cast<int>(a);
}

Shape broadcast(const Shape& a, const Shape& b, const char* who) {
  const int n = a.ndim() > b.ndim() ? a.ndim() : b.ndim();
  Shape out = Shape::filled(n, 1);
  for (int i = 0; i < n; ++i) {
    const int ia = i - (n - a.ndim()), ib = i - (n - b.ndim());
    const int64_t da = ia < 0 ? 1 : a[ia], db = ib < 0 ? 1 : b[ib];
    if (da != db && da != 1 && db != 1) {
      fail(Status::shape, "[", who, "] shapes ", a, " and ", b,
           " do not broadcast together: each axis must agree or be 1");
    }
    out[i] = da == 1 ? db : da;
  }
  return out;
}

void check_extents(const Shape& shape, size_t item_size, const char* who) {
  ptrdiff_t bytes = static_cast<ptrdiff_t>(item_size);
  for (int64_t extent : shape) {
    if (extent < 0) fail(Status::shape, "[", who, "] shape ", shape, " has a negative extent");
    // Extents of 0 are left out, as in NumPy, so that no product of some of the extents overflows either.
    if (extent > 0 && __builtin_mul_overflow(bytes, extent, &bytes)) {
      fail(Status::shape, "[", who, "] shape ", shape, " asks for more bytes than ", 8 * sizeof(bytes),
           " bits can count");
    }
  }
}

}  // namespace mixgrad
