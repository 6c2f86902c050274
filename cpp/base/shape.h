// Shapes and tuples of 64-bit integers, held without allocation.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "base/cpu.h"

namespace mixgrad {

inline constexpr int kMaxDims = 16;

// The extents of an array, outermost first. During inference ndim() may be kUnknownRank and an extent
// kUnknownDim; everywhere else all extents are >= 0.
class Shape {
 public:
  static constexpr int kUnknownRank = -1;
  static constexpr int64_t kUnknownDim = -1;

  Shape() = default;  // 0-d
  Shape(std::initializer_list<int64_t> dims) : Shape(dims.begin(), static_cast<int>(dims.size())) {}
  // Throws Status::shape when ndim is above kMaxDims.
  Shape(const int64_t* dims, int ndim);
  Shape(const Shape& other) noexcept { assign(other); }
  Shape& operator=(const Shape& other) noexcept {
    assign(other);
    return *this;
  }
  static Shape unknown() {
    Shape s;
    s.ndim_ = kUnknownRank;
    return s;
  }
  static Shape filled(int ndim, int64_t value);

  int ndim() const { return ndim_; }
  bool known_rank() const { return ndim_ >= 0; }
  bool known() const;
  int64_t operator[](int i) const { return dims_[i]; }
  int64_t& operator[](int i) { return dims_[i]; }
  int64_t back() const { return dims_[ndim_ - 1]; }
  const int64_t* data() const { return dims_; }
  const int64_t* begin() const { return dims_; }
  const int64_t* end() const { return dims_ + (ndim_ > 0 ? ndim_ : 0); }
  // Number of elements; 1 for 0-d.
  int64_t size() const { return size(0, ndim_); }
  // Product of extents [first, last).
  int64_t size(int first, int last) const {
    int64_t n = 1;
    for (int i = first; i < last; ++i) n *= dims_[i];
    return n;
  }
  void push_back(int64_t extent);
  void insert(int at, int64_t extent);
  void erase(int at);
  bool operator==(const Shape& other) const {
    if (ndim_ != other.ndim_) return false;
    for (int i = 0; i < ndim_; ++i) {
      if (dims_[i] != other.dims_[i]) return false;
    }
    return true;
  }
  bool operator!=(const Shape& other) const { return !(*this == other); }
  // "(2, 3)", "(4,)", "()"; unknown extents are "?".
  std::string str() const;

 private:
  void assign(const Shape& other) {
    ndim_ = other.ndim_;
    for (int i = 0; i < ndim_; ++i) dims_[i] = other.dims_[i];
  }

  int32_t ndim_ = 0;
  int64_t dims_[kMaxDims];
};

// Turns a negative axis into its place counted from the front; throws Status::index, naming who asks.
int normalize_axis(int64_t axis, int ndim, const char* who);

// NumPy's broadcast of two known shapes; throws Status::shape, naming who asks.
Shape broadcast(const Shape& a, const Shape& b, const char* who);

// Throws Status::shape when an extent is negative or the bytes do not fit 63 bits, extents of 0 left out.
void check_extents(const Shape& shape, size_t item_size, const char* who);

}  // namespace mixgrad
