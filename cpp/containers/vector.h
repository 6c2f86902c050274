// A vector whose work is done by functions that all types of elements share.
//
// The single file takes it in place of std::vector (containers/std.h): the standard one makes every
// function anew for every type, which is a quarter of a small library. What is offered has std::vector's meaning.
// vector<bool> is no special case here: its elements are bools. A vector is one word, as objects hold and move many
// of them: its size lies before its elements, and data() of an empty one is no null pointer. What is called in many
// places is never inlined. No function fails (containers/memory.h); elements whose copies or defaults fail end the process.
#pragma once

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "containers/algorithm.h"
#include "containers/memory.h"

namespace mixgrad::containers {

// What the shared functions do to one element. A null function stands for copying bytes, or for nothing to end.
using CopyFn = void (*)(void* to, const void* from) noexcept;  // constructs *to as a copy
using MoveFn = void (*)(void* to, void* from) noexcept;        // constructs *to out of *from and ends *from
using EndFn = void (*)(void* element) noexcept;
using MakeFn = void (*)(void* to) noexcept;  // constructs *to with its type's default

// Whether an object may be moved by copying its bytes and forgetting the old ones. Classes of other floors say so by
// a member of this name.
template <typename T, typename = void>
inline constexpr bool kSaysMovesByBytes = false;
template <typename T>
inline constexpr bool kSaysMovesByBytes<T, std::void_t<decltype(T::kMovesByBytes)>> = T::kMovesByBytes;
template <typename T>
inline constexpr bool kMovesByBytes = std::is_trivially_copyable_v<T> || kSaysMovesByBytes<T>;
template <typename T>
inline constexpr bool kMovesByBytes<std::unique_ptr<T>> = true;
template <typename A, typename B>
inline constexpr bool kMovesByBytes<std::pair<A, B>> = kMovesByBytes<A>&& kMovesByBytes<B>;

template <typename T>
void copy_element(void* to, const void* from) noexcept {
  new (to) T(*static_cast<const T*>(from));
}
template <typename T>
void move_element(void* to, void* from) noexcept {
  T* old = static_cast<T*>(from);
  new (to) T(std::move(*old));
  old->~T();
}
template <typename T>
void end_element(void* element) noexcept {
  static_cast<T*>(element)->~T();
}
template <typename T>
void make_element(void* to) noexcept {
  new (to) T();
}

template <typename T>
constexpr CopyFn copy_of() {
  if constexpr (std::is_trivially_copyable_v<T>) {
    return nullptr;
  } else {
    return copy_element<T>;
  }
}
template <typename T>
constexpr MoveFn move_of() {
  static_assert(alignof(T) <= kMostAlignment && sizeof(T) > 0, "elements lie where vectors put them");
  static_assert(std::is_nothrow_move_constructible_v<T>, "elements are moved when there is no way back");
  if constexpr (kMovesByBytes<T>) {
    return nullptr;
  } else {
    return move_element<T>;
  }
}
template <typename T>
constexpr EndFn end_of() {
  if constexpr (std::is_trivially_destructible_v<T>) {
    return nullptr;
  } else {
    return end_element<T>;
  }
}

// The elements of a vector, by their size in bytes.
class VectorBase {
 public:
  [[gnu::always_inline]] VectorBase() noexcept : data_(nothing()) {}
  VectorBase(const VectorBase&) = delete;
  VectorBase& operator=(const VectorBase&) = delete;

  size_t size() const { return block().size; }
  size_t capacity() const { return block().room; }
  bool empty() const { return size() == 0; }

 protected:
  // What lies before the elements.
  struct Block {
    size_t size, room;  // no room: nobody's memory, which is never written
  };
  static const Block kNothing;
  static char* nothing() { return const_cast<char*>(reinterpret_cast<const char*>(&kNothing + 1)); }

  // Other is empty afterwards; what was here must have been dropped.
  void take(VectorBase& other) noexcept { data_ = std::exchange(other.data_, nothing()); }
  [[gnu::noinline]] void release() noexcept;  // for elements that need no end, in memory that is not aligned
  [[gnu::noinline]] void drop(size_t bytes, EndFn end) noexcept;
  [[gnu::noinline]] void cut(size_t size, size_t bytes, EndFn end) noexcept;
  void reserve(size_t room, size_t bytes, MoveFn move) noexcept;
  [[gnu::noinline]] void settle(size_t room, size_t bytes, MoveFn move) noexcept;
  // Where the next elements are to be constructed; counts them.
  [[gnu::noinline]] char* grow(size_t count, size_t bytes, MoveFn move) noexcept;
  void* slot(size_t bytes, MoveFn move) noexcept;  // where the next element is to be constructed; counts it
  void make(size_t size, size_t bytes, MakeFn make, MoveFn move) noexcept;  // up to `size` elements
  void fill(size_t size, const void* value, size_t bytes, CopyFn copy,
            MoveFn move) noexcept;  // up to `size` elements
  void append(const void* from, size_t count, size_t bytes, CopyFn copy, MoveFn move) noexcept;
  void assign(const void* from, size_t count, size_t bytes, CopyFn copy, MoveFn move, EndFn end) noexcept;
  void* open(size_t place, size_t count, size_t bytes,
             MoveFn move) noexcept;  // room in the middle; counts it
  void close(size_t place, size_t count, size_t bytes,
             MoveFn move) noexcept;  // of elements that have been ended
  void fit(size_t bytes, MoveFn move) noexcept;

  const Block& block() const { return reinterpret_cast<const Block*>(data_)[-1]; }
  Block& block() { return reinterpret_cast<Block*>(data_)[-1]; }

  char* data_;
};

template <typename T>
class vector : public VectorBase {
  static constexpr bool kPlain = std::is_trivially_copyable_v<T>;
  template <typename I>
  using Iterates = std::enable_if_t<!std::is_integral_v<I>>;

 public:
  using value_type = T;
  using size_type = size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using const_pointer = const T*;
  using iterator = T*;
  using const_iterator = const T*;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;

  [[gnu::always_inline]] vector() noexcept {}
  explicit vector(size_t size) noexcept : vector() { resize(size); }
  vector(size_t size, const T& value) noexcept : vector() { resize(size, value); }
  vector(std::initializer_list<T> values) noexcept : vector() { append_all(values.begin(), values.end()); }
  template <typename I, typename = Iterates<I>>
  vector(I first, I last) noexcept : vector() {
    append_all(first, last);
  }
  vector(const vector& other) noexcept : vector() { add(other.data_, other.size()); }
  vector(vector&& other) noexcept : vector() { std::swap(data_, other.data_); }
  [[gnu::always_inline]] ~vector() { end_all(); }
  vector& operator=(const vector& other) noexcept {
    if (this != &other)
      VectorBase::assign(other.data_, other.size(), sizeof(T), copy_of<T>(), move_of<T>(), end_of<T>());
    return *this;
  }
  vector& operator=(vector&& other) noexcept {
    char* const data = std::exchange(other.data_, nothing());  // first: `other` may lie in an element of this
    end_all();
    data_ = data;
    return *this;
  }
  vector& operator=(std::initializer_list<T> values) {
    assign(values.begin(), values.end());
    return *this;
  }

  [[gnu::always_inline]] T* data() { return reinterpret_cast<T*>(data_); }
  [[gnu::always_inline]] const T* data() const { return reinterpret_cast<const T*>(data_); }
  T* begin() { return data(); }
  T* end() { return data() + size(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  const T* cbegin() const { return begin(); }
  const T* cend() const { return end(); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& front() { return *data(); }
  const T& front() const { return *data(); }
  T& back() { return data()[size() - 1]; }
  const T& back() const { return data()[size() - 1]; }

  void reserve(size_t room) noexcept { VectorBase::reserve(room, sizeof(T), move_of<T>()); }
  void shrink_to_fit() { VectorBase::fit(sizeof(T), move_of<T>()); }
  void clear() noexcept { cut(0, sizeof(T), end_of<T>()); }
  // The values may be elements of this vector: they are taken before memory moves.
  void push_back(T value) noexcept { new (slot(sizeof(T), move_of<T>())) T(std::move(value)); }
  template <typename... Args>
  T& emplace_back(Args&&... args) {
    T value(std::forward<Args>(args)...);
    return *new (slot(sizeof(T), move_of<T>())) T(std::move(value));
  }
  void pop_back() noexcept { cut(size() - 1, sizeof(T), end_of<T>()); }
  void resize(size_t size) noexcept {
    if (size < this->size()) return cut(size, sizeof(T), end_of<T>());
    if constexpr (kPlain) {
      const T value{};
      VectorBase::fill(size, &value, sizeof(T), nullptr, nullptr);
    } else {
      VectorBase::make(size, sizeof(T), make_element<T>, move_of<T>());
    }
  }
  void resize(size_t size, const T& given) noexcept {
    if (size < this->size()) return cut(size, sizeof(T), end_of<T>());
    const T value = given;
    VectorBase::fill(size, &value, sizeof(T), copy_of<T>(), move_of<T>());
  }
  void assign(size_t size, const T& given) noexcept {
    const T value = given;
    clear();
    VectorBase::fill(size, &value, sizeof(T), copy_of<T>(), move_of<T>());
  }
  template <typename I, typename = Iterates<I>>
  void assign(I first, I last) {
    *this = vector(first, last);
  }
  iterator insert(const_iterator place, T value) {
    return new (open(static_cast<size_t>(place - begin()), 1, sizeof(T), move_of<T>())) T(std::move(value));
  }
  template <typename... Args>
  iterator emplace(const_iterator place, Args&&... args) {
    return insert(place, T(std::forward<Args>(args)...));
  }
  iterator insert(const_iterator place, std::initializer_list<T> values) {
    return put(place, vector(values));
  }
  iterator insert(const_iterator place, size_t count, const T& value) {
    return put(place, vector(count, value));
  }
  template <typename I, typename = Iterates<I>>
  iterator insert(const_iterator place, I first, I last) {
    return put(place, vector(first, last));
  }
  iterator erase(const_iterator first, const_iterator last) {
    const size_t place = static_cast<size_t>(first - begin());
    for (T* element = begin() + place; element != last; ++element) element->~T();
    close(place, static_cast<size_t>(last - first), sizeof(T), move_of<T>());
    return begin() + place;
  }
  iterator erase(const_iterator place) { return erase(place, place + 1); }
  void swap(vector& other) noexcept { std::swap(*this, other); }

  friend bool operator==(const vector& a, const vector& b) {
    if (a.size() != b.size()) return false;
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>) {
      return a.size() == 0 || std::memcmp(a.data_, b.data_, a.size() * sizeof(T)) == 0;
    } else {
      for (size_t i = 0; i < a.size(); ++i) {
        if (!(a[i] == b[i])) return false;
      }
      return true;
    }
  }
  friend bool operator!=(const vector& a, const vector& b) { return !(a == b); }
  friend bool operator<(const vector& a, const vector& b) {
    for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
      if (a[i] < b[i]) return true;
      if (b[i] < a[i]) return false;
    }
    return a.size() < b.size();
  }

 private:
  // A function of its own for every type would take more room than the call inside.
  [[gnu::always_inline]] void end_all() {
    MIXGRAD_SLIM_FRAME;
    if constexpr (std::is_trivially_destructible_v<T> && !is_aligned(sizeof(T))) {
      release();
    } else {
      drop(sizeof(T), end_of<T>());
    }
  }
  void add(const void* from, size_t count) { append(from, count, sizeof(T), copy_of<T>(), move_of<T>()); }
  template <typename I>
  void append_all(I first, I last) {
    if constexpr (std::is_same_v<I, T*> || std::is_same_v<I, const T*>) {
      add(first, static_cast<size_t>(last - first));
    } else {
      for (; first != last; ++first) emplace_back(*first);
    }
  }
  iterator put(const_iterator place, vector values) {
    const size_t at = static_cast<size_t>(place - begin());
    T* to = static_cast<T*>(open(at, values.size(), sizeof(T), move_of<T>()));
    for (T& value : values) new (to++) T(std::move(value));
    return begin() + at;
  }
};

template <typename T>
inline constexpr bool kMovesByBytes<vector<T>> = true;

}  // namespace mixgrad::containers
