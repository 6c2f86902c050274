// Working memory of a kernel call: on the host kept by the calling thread for its next calls, on devices from their pools.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace mixgrad {

// Where a device's kernels take working memory from.
class Workspace {
 public:
  // Uninitialised, 64-byte aligned. Throws Status::out_of_memory.
  virtual void* take(size_t bytes) = 0;
  // The work that the kernel has given to its stream by then may still use it.
  virtual void give(void* data) noexcept = 0;

 protected:
  ~Workspace() = default;
};

// Uninitialised, 64-byte aligned, freed with the object, which stays in the thread that made it. Throws
// Status::out_of_memory. A thread keeps a few idle blocks of ordinary size, so that a call seldom asks the system.
class Scratch {
 public:
  Scratch() = default;
  // `from`: null for the host's memory, of the calling thread.
  explicit Scratch(size_t bytes, Workspace* from = nullptr);
  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&& other) noexcept;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[gnu::noinline]] ~Scratch();

  // Workspace for `count` elements.
  template <class T>
  static Scratch of(int64_t count, Workspace* from = nullptr) {
    return Scratch(bytes_of(count, sizeof(T)), from);
  }
  void* data() const { return data_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  // Throws Status::out_of_memory for what no memory holds.
  static size_t bytes_of(int64_t count, size_t each);
  void take_new(size_t bytes);  // from the system

  void* data_ = nullptr;  // null when nothing was asked for
  size_t capacity_ = 0;
  Workspace* from_ = nullptr;
};

// As many numbers as a kernel's operands ask for, of a type that needs no constructor, in such memory.
template <class T>
class ScratchArray {
 public:
  ScratchArray() = default;
  explicit ScratchArray(size_t size, T value = T())
      : workspace_(Scratch::of<T>(static_cast<int64_t>(size))), size_(size) {
    std::fill(begin(), end(), value);
  }
  ScratchArray(const ScratchArray& other)
      : workspace_(Scratch::of<T>(static_cast<int64_t>(other.size_))), size_(other.size_) {
    std::copy(other.begin(), other.end(), begin());
  }
  ScratchArray(ScratchArray&& other) noexcept
      : workspace_(std::move(other.workspace_)), size_(std::exchange(other.size_, 0)) {}
  ScratchArray& operator=(ScratchArray other) noexcept {
    workspace_ = std::move(other.workspace_);
    std::swap(size_, other.size_);
    return *this;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return workspace_.as<T>(); }
  const T* data() const { return workspace_.as<T>(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }

 private:
  Scratch workspace_;
  size_t size_ = 0;
};

}  // namespace mixgrad
