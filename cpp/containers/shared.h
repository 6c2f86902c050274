// Objects with several owners, counted by functions that all types share.
//
// The single file takes these names in place of the standard library's (containers/std.h), which make a class
// with a table of virtual functions and a type's name for every type owned. What is offered has the standard
// meaning; an object's memory does not fail (containers/memory.h), what makes the object may.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "containers/memory.h"
#include "containers/vector.h"

namespace mixgrad::containers {

// Who counts on an object: lies before it, or beside it where it came from a unique_ptr.
class SharedCount {
 public:
  using End = void (*)(SharedCount* count) noexcept;  // ends the object, and keeps the count
  explicit SharedCount(End end) noexcept : end_(end) {}

  // Of a null count they do nothing.
  static void keep(SharedCount* count) noexcept;
  static void drop(SharedCount* count) noexcept;
  static void watch(SharedCount* count) noexcept;
  static void forget(SharedCount* count) noexcept;
  // Keeps it if somebody still does.
  static bool keep_again(SharedCount* count) noexcept;

  auto owners() const noexcept { return owners_.load(); }

 private:
  End end_;
  std::atomic<int> owners_{1};
  std::atomic<int> watchers_{1};  // and one for all owners; who leaves last frees the memory
};

// Memory for a count and what lies behind it, given back unless it was taken.
class SharedMemory {
 public:
  explicit SharedMemory(size_t bytes) noexcept : data_(take_memory(bytes, 1)) {}
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { give_memory_back(data_); }
  void* data() const noexcept { return data_; }
  void taken() noexcept { data_ = nullptr; }

 private:
  void* data_;
};

template <class T>
struct SharedObject : SharedCount {
  static_assert(alignof(T) <= alignof(std::max_align_t));
  template <class... Args>
  explicit SharedObject(Args&&... args) : SharedCount(end), object(std::forward<Args>(args)...) {}
  static void end(SharedCount* count) noexcept { static_cast<SharedObject*>(count)->object.~T(); }
  T object;
};

template <class T>
struct SharedOwner : SharedCount {
  explicit SharedOwner(T* object) noexcept : SharedCount(end), owned(object) {}
  static void end(SharedCount* count) noexcept { delete static_cast<SharedOwner*>(count)->owned; }
  T* owned;
};

template <class T>
class shared_ptr {
 public:
  using element_type = T;
  template <class U>
  using Converts = std::enable_if_t<std::is_convertible_v<U*, T*>>;

  [[gnu::always_inline]] shared_ptr() noexcept {}
  shared_ptr(std::nullptr_t) noexcept {}
  shared_ptr(T* object, SharedCount* count) noexcept
      : object_(object), count_(count) {}  // takes over a reference
  shared_ptr(const shared_ptr& other) noexcept : object_(other.object_), count_(other.count_) {
    SharedCount::keep(count_);
  }
  [[gnu::always_inline]] shared_ptr(shared_ptr&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)), count_(std::exchange(other.count_, nullptr)) {}
  template <class U, class = Converts<U>>
  shared_ptr(const shared_ptr<U>& other) noexcept : object_(other.object_), count_(other.count_) {
    SharedCount::keep(count_);
  }
  template <class U, class = Converts<U>>
  shared_ptr(shared_ptr<U>&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)), count_(std::exchange(other.count_, nullptr)) {}
  template <class U, class = Converts<U>>
  shared_ptr(std::unique_ptr<U> other) noexcept : object_(other.get()) {
    if (object_) count_ = new (take_memory(sizeof(SharedOwner<U>), 1)) SharedOwner<U>(other.release());
  }
  long use_count() const noexcept { return count_ ? static_cast<long>(count_->owners()) : 0; }
  ~shared_ptr() { SharedCount::drop(count_); }
  shared_ptr& operator=(shared_ptr other) noexcept {
    std::swap(object_, other.object_);
    std::swap(count_, other.count_);
    return *this;
  }
  void reset() noexcept { *this = shared_ptr(); }
  void swap(shared_ptr& other) noexcept { std::swap(*this, other); }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  std::add_lvalue_reference_t<T> operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  friend bool operator==(const shared_ptr& a, const shared_ptr& b) noexcept { return a.object_ == b.object_; }
  friend bool operator!=(const shared_ptr& a, const shared_ptr& b) noexcept { return a.object_ != b.object_; }

 private:
  template <class U>
  friend class shared_ptr;
  T* object_ = nullptr;
  SharedCount* count_ = nullptr;
};

template <class T>
class weak_ptr {
 public:
  weak_ptr(T* object, SharedCount* count) noexcept : object_(object), count_(count) {
    SharedCount::watch(count_);
  }
  weak_ptr(const weak_ptr& other) noexcept : weak_ptr(other.object_, other.count_) {}
  weak_ptr& operator=(weak_ptr other) noexcept {
    std::swap(object_, other.object_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~weak_ptr() { SharedCount::forget(count_); }
  shared_ptr<T> lock() const noexcept {
    return SharedCount::keep_again(count_) ? shared_ptr<T>(object_, count_) : shared_ptr<T>();
  }

 private:
  T* object_;
  SharedCount* count_;
};

// For objects that make_shared made, and nobody else.
template <class T>
class enable_shared_from_this {
 public:
  shared_ptr<T> shared_from_this() noexcept { return weak_from_this().lock(); }
  weak_ptr<T> weak_from_this() noexcept { return weak_ptr<T>(static_cast<T*>(this), count_); }

 protected:
  enable_shared_from_this() noexcept = default;
  enable_shared_from_this(const enable_shared_from_this&) noexcept {}
  enable_shared_from_this& operator=(const enable_shared_from_this&) noexcept { return *this; }

 private:
  template <class U, class... Args>
  friend shared_ptr<U> make_shared(Args&&... args);
  SharedCount* count_ = nullptr;
};

template <class T, class... Args>
shared_ptr<T> make_shared(Args&&... args) {
  using Object = SharedObject<std::remove_const_t<T>>;
  SharedMemory memory(sizeof(Object));
  Object* made = new (memory.data()) Object(std::forward<Args>(args)...);
  memory.taken();
  if constexpr (std::is_base_of_v<enable_shared_from_this<T>, T>) made->object.count_ = made;
  return shared_ptr<T>(&made->object, made);
}

template <class T>
inline constexpr bool kMovesByBytes<shared_ptr<T>> = true;

}  // namespace mixgrad::containers
