// Working memory of a kernel call, kept by the calling thread for its next calls.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mixgrad {

// Uninitialised, 64-byte aligned, freed with the object, which stays in the thread that made it. Throws
// Status::out_of_memory. A thread keeps a few idle blocks of ordinary size, so that a call seldom asks the system.
class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(size_t bytes);
  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&& other) noexcept;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  // Room for `count` elements.
  template <class T>
  static Scratch of(int64_t count) {
    return Scratch(bytes_of(count, sizeof(T)));
  }
  void* data() const { return data_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  // Throws Status::out_of_memory for what no memory holds.
  static size_t bytes_of(int64_t count, size_t each);

  void* data_ = nullptr;  // null when nothing was asked for
  size_t capacity_ = 0;
};

}  // namespace mixgrad
