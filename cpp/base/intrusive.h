// Reference counting inside the object: one word, no control block, safe across threads.
#pragma once

#include <atomic>
#include <utility>

#include "base/cpu.h"

namespace mixgrad {

// The count of a T that is made by new and ends with its last reference: `class T : public Counted<T>`.
template <class T>
class Counted {
 public:
  MIXGRAD_INLINE void retain() const { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete static_cast<const T*>(this);
  }

 private:
  mutable std::atomic<int> count_{0};
};

// Owns one reference to a T that has retain() and release().
template <class T>
class Ref {
 public:
  static constexpr bool kMovesByBytes = true;  // into new memory, the old forgotten

  MIXGRAD_INLINE Ref() noexcept {}
  // Takes over a reference the caller already owns.
  static Ref adopt(T* object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  // The first reference to an object that no other thread has seen.
  static Ref first(T* object) {
    object->count_first();
    return adopt(object);
  }
  MIXGRAD_INLINE explicit Ref(T* object) noexcept : object_(object) {
    if (object_) object_->retain();
  }
  MIXGRAD_INLINE Ref(const Ref& other) noexcept : object_(other.object_) {
    if (object_) object_->retain();
  }
  MIXGRAD_INLINE Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) object_->release();
  }
  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  // Gives the reference to the caller.
  T* detach() { return std::exchange(object_, nullptr); }
  bool operator==(const Ref& other) const { return object_ == other.object_; }
  bool operator!=(const Ref& other) const { return object_ != other.object_; }

 private:
  T* object_ = nullptr;
};

}  // namespace mixgrad
