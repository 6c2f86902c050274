// What a kernel sees of an array: where its elements lie, how many, of which type. Elements are contiguous,
// row-major.
#pragma once

#include "base/dtype.h"
#include "base/shape.h"

namespace mixgrad {

struct View {
  void* data = nullptr;
  const Shape* shape_ref = nullptr;  // outlives the kernel call
  DType dtype = DType::float32;

  const Shape& shape() const { return *shape_ref; }
  int64_t size() const { return shape_ref->size(); }
  size_t bytes() const { return static_cast<size_t>(size()) * size_of(dtype); }
  template <class T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

}  // namespace mixgrad
