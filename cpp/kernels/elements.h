// Elements of an array in the type a kernel computes in.
#pragma once

#include <algorithm>

#include "kernels/loops/convert.h"
#include "kernels/scratch.h"
#include "kernels/view.h"

namespace mixgrad {

// Gives runs of an array's elements as C: in place, or converted in a buffer that belongs to the object. The view
// outlives it; one thread uses it, and the next call overwrites what the last one gave.
template <class C>
class Elements {
 public:
  Elements(const View& view, int64_t most) : view_(view), direct_(view.dtype == dtype_of<C>()) {
    if (!direct_) buffer_ = Scratch::of<C>(std::max<int64_t>(1, most));
  }
  // n elements from `at` on, to read.
  const C* read(int64_t at, int64_t n) {
    if (direct_) return view_.as<C>() + at;
    convert(place(at), view_.dtype, buffer_.as<C>(), dtype_of<C>(), n);
    return buffer_.as<C>();
  }
  // Where to write n elements from `at` on; they are stored by `store`.
  C* write(int64_t at) { return direct_ ? view_.as<C>() + at : buffer_.as<C>(); }
  void store(int64_t at, int64_t n) {
    if (!direct_) convert(buffer_.as<C>(), dtype_of<C>(), place(at), view_.dtype, n);
  }
  // n rows of `width` elements, `step` apart; they come `step(width, stride)` apart.
  const C* read_rows(int64_t at, int64_t n, int64_t width, int64_t step) {
    if (direct_) return view_.as<C>() + at;
    for (int64_t r = 0; r < n; ++r)
      convert(place(at + r * step), view_.dtype, buffer_.as<C>() + r * width, dtype_of<C>(), width);
    return buffer_.as<C>();
  }
  void store_rows(int64_t at, int64_t n, int64_t width, int64_t step) {
    if (direct_) return;
    for (int64_t r = 0; r < n; ++r)
      convert(buffer_.as<C>() + r * width, dtype_of<C>(), place(at + r * step), view_.dtype, width);
  }
  int64_t step(int64_t width, int64_t stride) const { return direct_ ? stride : width; }

 private:
  char* place(int64_t at) const { return view_.as<char>() + static_cast<size_t>(at) * size_of(view_.dtype); }
  const View& view_;
  bool direct_;
  Scratch buffer_;
};

}  // namespace mixgrad
