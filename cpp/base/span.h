// A borrowed run of elements: pointer and count (C++17 has no std::span).
#pragma once

#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace mixgrad {

template <class T>
class Span {
 public:
  Span() = default;
  Span(T* data, size_t size) : data_(data), size_(size) {}
  template <size_t N>
  Span(T (&array)[N]) : data_(array), size_(N) {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]>>>
  Span(const Span<U>& other) : data_(other.data()), size_(other.size()) {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<const U (*)[], T (*)[]>>>
  Span(const std::vector<U>& v) : data_(v.data()), size_(v.size()) {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]>>>
  Span(std::vector<U>& v) : data_(v.data()), size_(v.size()) {}
  // From a braced list, as a function argument: the list ends with the full expression.
  template <class U = T, class = std::enable_if_t<std::is_const_v<U>>>
  Span(std::initializer_list<std::remove_const_t<U>> list) {
    data_ = list.begin();
    size_ = list.size();
  }

  T* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }
  Span subspan(size_t first, size_t count) const { return {data_ + first, count}; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace mixgrad
