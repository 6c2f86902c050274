// NDArray's core: a typed, contiguous, row-major piece of a chunk. Creating one never blocks; its values arrive through
// the engine.
#pragma once

#include "array/chunk.h"
#include "op/tensor.h"

namespace mixgrad {

// What ties an array to the gradient tape; the tape itself is on the floor above.
class TapeLink {
 public:
  enum class Kind : uint8_t { leaf, node };
  explicit TapeLink(Kind kind) : kind_(kind) {}
  TapeLink(const TapeLink&) = delete;
  TapeLink& operator=(const TapeLink&) = delete;
  Kind kind() const { return kind_; }
  void retain() { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy();
  }

 protected:
  virtual ~TapeLink() = default;
  virtual void destroy() { delete this; }

 private:
  std::atomic<int> count_{0};
  const Kind kind_;
};

// Threads: an Array object belongs to one thread at a time, as in NumPy; the memory behind it may be used from many,
// ordered by the engine.
class Array final : public TensorBase {
 public:
  Array(Ref<Chunk> chunk, size_t offset, const Shape& shape, DType dtype, bool sparse = false)
      : chunk_(std::move(chunk)), offset_(offset), shape_(shape), dtype_(dtype), sparse_(sparse) {}
  ~Array() override;
  static Ref<Array> make(Ref<Chunk> chunk, size_t offset, const Shape& shape, DType dtype) {
    return Ref<Array>::first(new Array(std::move(chunk), offset, shape, dtype));
  }

  // Uninitialised memory, taken at the first write. Throws Status::shape for impossible extents.
  static Ref<Array> empty(const Shape& shape, DType dtype, Device device);
  // Memory of zeros, at once.
  static Ref<Array> zeros(const Shape& shape, DType dtype, Device device);
  // Zeros that take memory when they are first needed, or written. On the host.
  static Ref<Array> zeros_later(const Shape& shape, DType dtype, Device device);
  // Copies `bytes` bytes of host memory, at once.
  static Ref<Array> from_host(const void* data, const Shape& shape, DType dtype, Device device);

  const Shape& shape() const override { return shape_; }
  DType dtype() const override { return dtype_; }
  Device device() const { return chunk_->device(); }
  Chunk& chunk() const { return *chunk_; }
  const Ref<Chunk>& chunk_ref() const { return chunk_; }
  size_t offset() const { return offset_; }  // bytes into the chunk
  int64_t size() const { return shape_.size(); }
  size_t bytes() const { return static_cast<size_t>(shape_.size()) * size_of(dtype_); }
  bool sparse() const { return sparse_; }  // array/sparse.h
  bool whole_chunk() const { return offset_ == 0 && bytes() == chunk_->bytes(); }

  // Arrays over the same memory, without a place on the tape.
  Ref<Array> reshaped(const Shape& shape) const;       // throws Status::shape when sizes differ
  Ref<Array> slice(int64_t begin, int64_t end) const;  // of the leading axis, 0 <= begin <= end <= extent
  Ref<Array> part(int64_t first, const Shape& shape) const;  // elements from `first` on, all inside
  Ref<Array> alias() const;

  // Blocks until the values are there (read) or until nothing else uses the memory (write); throws what failed.
  void wait_to_read() const;
  void wait_to_write() const;
  // Address of the first element, valid after waiting; allocates an array that was never written.
  void* host_data() const;
  // Blocks, then copies all elements to host memory of bytes() bytes.
  void copy_to_host(void* dst) const;
  // Blocks until the memory is free, then overwrites all elements.
  void copy_from_host(const void* src);

  // Pushes a copy of all elements to an array of as many bytes, on whatever device. `name`: of the task, static.
  void push_copy_to(const Array& to, const char* name) const;

  // Makes this object stand for another piece of memory; used where results are stolen instead of copied.
  void rebind(const Array& other);

  TapeLink* link() const { return link_.get(); }
  uint32_t link_slot() const { return link_slot_; }
  void set_link(Ref<TapeLink> link, uint32_t slot) {
    link_ = std::move(link);
    link_slot_ = slot;
  }

 private:
  const void* data_for_reading() const;

  Ref<Chunk> chunk_;
  size_t offset_;
  Shape shape_;
  DType dtype_;
  bool sparse_;
  uint32_t link_slot_ = 0;
  Ref<TapeLink> link_;
};

using ArrayRef = Ref<Array>;

inline Array* as_array(const Tensor& t) { return static_cast<Array*>(t.get()); }
inline Tensor as_tensor(const ArrayRef& a) { return Tensor(a.get()); }

}  // namespace mixgrad
