// A handful of operands, shapes or views without allocation.
#pragma once

#include <cstddef>
#include <new>

#include "base/span.h"

namespace mixgrad {

constexpr size_t kFewOperands = 12;

// A small array on the stack, or on the heap when it is larger. Of the room on the stack only what is used is made and
// ended. Numbers and pointers start without a value, as do the extents of shapes.
template <class T>
class FewOf {
 public:
  explicit FewOf(size_t n) : size_(n), data_(n > kFewOperands ? new T[n] : reinterpret_cast<T*>(room_)) {
    for (size_t i = 0; n <= kFewOperands && i < n; ++i) ::new (data_ + i) T;
  }
  FewOf(const FewOf&) = delete;
  FewOf& operator=(const FewOf&) = delete;
  ~FewOf() {
    if (size_ > kFewOperands) {
      delete[] data_;
    } else {
      for (size_t i = 0; i < size_; ++i) data_[i].~T();
    }
  }
  T* data() { return data_; }
  Span<T> span() { return {data_, size_}; }
  T& operator[](size_t i) { return data_[i]; }

 private:
  size_t size_;
  T* data_;
  alignas(T) unsigned char room_[kFewOperands * sizeof(T)];
};

}  // namespace mixgrad
