#include "array/array.h"

#include <cstring>

#include "base/build.h"
#include "base/error.h"
#include "device/api.h"
#include "device/copy.h"

namespace mixgrad {
namespace {

engine::TaskInfo copying(const char* name, size_t bytes, Device from, Device to) {
  engine::TaskInfo info;
  info.name = name;
  info.inline_ok = true;
  info.bytes = bytes;
  info.fork_waits = bytes > 64;  // fewer are over at once
  info.stream = copy_stream(from, to);
  return info;
}

#if MIXGRAD_QUEUES
ArrayRef zeros_on_stream(const ArrayRef& array) {
  const Device device = array->device();
  engine::TaskInfo info;
  info.name = "zeros";
  info.inline_ok = true;
  info.stream = device_api(device).stream(device, StreamKind::compute);
  Chunk* const chunk = &array->chunk();
  engine::Var* const writes[] = {chunk};
  const auto fill = [chunk, stream = info.stream] {
    chunk->ensure(stream);
    if (chunk->bytes() > 0) stream->fill(chunk->data(), 0, chunk->bytes());
  };
  engine::Engine::get().push(fill, {}, writes, info);
  return array;
}
#endif

}  // namespace

Array::~Array() = default;

ArrayRef Array::empty(const Shape& shape, DType dtype, Device device) {
  check_extents(shape, size_of(dtype), "empty");
  const size_t bytes = static_cast<size_t>(shape.size()) * size_of(dtype);
  return Array::make(Chunk::make(device, bytes), 0, shape, dtype);
}

ArrayRef Array::zeros(const Shape& shape, DType dtype, Device device) {
  check_extents(shape, size_of(dtype), "zeros");
#if MIXGRAD_QUEUES
  if (!device.is_host()) return zeros_on_stream(empty(shape, dtype, device));
#endif
  const size_t bytes = static_cast<size_t>(shape.size()) * size_of(dtype);
  return Array::make(Chunk::wrap(storage::allocate_zeroed(device, bytes)), 0, shape, dtype);
}

namespace {

struct Zeros final : ValueSource {
  explicit Zeros(size_t count) : bytes(count) {}
  void write(size_t, void* to) const override {
    if (bytes > 0) std::memset(to, 0, bytes);
  }
  const size_t bytes;
};

}  // namespace

ArrayRef Array::zeros_later(const Shape& shape, DType dtype, Device device) {
  check_extents(shape, size_of(dtype), "zeros");
  if (!device.is_host()) return zeros(shape, dtype, device);
  ArrayRef array = empty(shape, dtype, device);
  array->chunk().make_later(std::make_shared<Zeros>(array->bytes()));
  return array;
}

ArrayRef Array::from_host(const void* data, const Shape& shape, DType dtype, Device device) {
  ArrayRef array = empty(shape, dtype, device);
  if (!device.is_host()) {
    array->copy_from_host(data);
    return array;
  }
  array->chunk_->ensure();
  copy_bytes(nullptr, array->chunk_->data(), data, array->bytes());
  array->chunk_->count_first_write();
  return array;
}

ArrayRef Array::reshaped(const Shape& shape) const {
  if (shape.size() != size()) {
    fail(Status::shape, "[reshape] an array of shape ", shape_, " has ", size(), " elements; shape ", shape,
         " holds ", shape.size());
  }
  chunk_->set_shared();
  return Array::make(chunk_, offset_, shape, dtype_);
}

ArrayRef Array::slice(int64_t begin, int64_t end) const {
  if (shape_.ndim() == 0 || begin < 0 || begin > end || end > shape_[0]) {
    fail(Status::index, "[slice] rows ", begin, " to ", end, " of an array of shape ", shape_);
  }
  chunk_->set_shared();
  Shape shape = shape_;
  shape[0] = end - begin;
  const size_t row = static_cast<size_t>(shape_.size(1, shape_.ndim())) * size_of(dtype_);
  return Array::make(chunk_, offset_ + static_cast<size_t>(begin) * row, shape, dtype_);
}

ArrayRef Array::part(int64_t first, const Shape& shape) const {
  chunk_->set_shared();
  return Array::make(chunk_, offset_ + static_cast<size_t>(first) * size_of(dtype_), shape, dtype_);
}

ArrayRef Array::alias() const {
  chunk_->set_shared();
  return Ref<Array>::first(new Array(chunk_, offset_, shape_, dtype_, sparse_));
}

void Array::wait_to_read() const {
  if constexpr (kQueues) engine::Engine::get().wait_for_var(chunk_.get(), engine::Wait::to_read);
}
void Array::wait_to_write() const {
  if constexpr (kQueues) engine::Engine::get().wait_for_var(chunk_.get(), engine::Wait::to_write);
}

void* Array::host_data() const {
  if (!device().is_host()) {
    fail(Status::unsupported, "[host_data] the host cannot use memory of ", device().name(),
         "; copy the array to cpu(0) first");
  }
  if (chunk_->was_never_written()) wait_to_write();
  chunk_->ensure_for_reading();
  return static_cast<char*>(chunk_->data()) + offset_;
}

void Array::copy_to_host(void* dst) const {
  const size_t size = bytes();
  if (size == 0) return wait_to_read();
  const engine::TaskInfo info = copying("copy_to_host", size, device(), Device::cpu());
  auto copy = [this, dst, size, stream = info.stream] { copy_bytes(stream, dst, data_for_reading(), size); };
  if constexpr (kQueues) {
    if (!info.stream && engine::Engine::get().read_now(chunk_.get(), copy, info)) return;
    // A task of its own, so that no write pushed meanwhile by another thread can come between. Its token tells when it
    // is done, and carries the error if the values could not be computed.
    const Ref<engine::Var> token = engine::make_var();
    engine::Var* const reads[] = {chunk_.get()};
    engine::Var* const writes[] = {token.get()};
    engine::Engine& engine = engine::Engine::get();
    // First the wait that the user may interrupt; the one for the copy may not be, since it holds the caller's memory.
    engine.wait_for_turn(chunk_.get(), engine::Wait::to_read);
    engine.push(copy, reads, writes, info);
    engine.wait_for_var(token.get(), engine::Wait::to_read, engine::Interrupts::ignored);
  } else {
    copy();
  }
}

const void* Array::data_for_reading() const {
  chunk_->ensure_for_reading();
  return static_cast<const char*>(chunk_->data()) + offset_;
}

void Array::copy_from_host(const void* src) {
  const engine::TaskInfo info = copying("copy_from_host", bytes(), Device::cpu(), device());
  const auto copy = [this, src, &info] {
    chunk_->ensure(info.stream);
    copy_bytes(info.stream, static_cast<char*>(chunk_->data()) + offset_, src, bytes());
  };
  if constexpr (kQueues) {
    engine::Var* const chunk[] = {chunk_.get()};
    engine::Engine& engine = engine::Engine::get();
    const Span<engine::Var* const> all(chunk);
    engine.wait_for_turn(chunk_.get(), engine::Wait::to_write);  // as above
    // A part keeps the rest: then the write also reads.
    engine.push(copy, whole_chunk() ? Span<engine::Var* const>() : all, all, info);
    engine.wait_for_var(chunk_.get(), engine::Wait::to_read, engine::Interrupts::ignored);
  } else {
    copy();
    chunk_->count_write();
  }
}

void Array::push_copy_to(const Array& to, const char* name) const {
  if constexpr (kQueues) {
    engine::TaskInfo info = copying(name, bytes(), device(), to.device());
    if (!info.stream) info.cost_ns = bytes() / 8;
    engine::Var* const reads[] = {&chunk()};
    engine::Var* const writes[] = {&to.chunk()};
    if (!to.whole_chunk()) info.parts = writes;
    const auto body = [source = &chunk(), at = offset(), target = &to.chunk(), place = to.offset(),
                       size = bytes(), stream = info.stream] {
      source->ensure_for_reading();
      target->ensure(stream);
      copy_bytes(stream, static_cast<char*>(target->data()) + place,
                 static_cast<const char*>(source->data()) + at, size);
    };
    engine::Engine::get().push(body, reads, writes, info);
  } else {
    chunk_->ensure_for_reading();
    to.chunk_->ensure();
    copy_bytes(nullptr, static_cast<char*>(to.chunk_->data()) + to.offset(),
               static_cast<const char*>(chunk_->data()) + offset_, bytes());
  }
}

void Array::rebind(const Array& other) {
  chunk_ = other.chunk_;
  offset_ = other.offset_;
  shape_ = other.shape_;
  dtype_ = other.dtype_;
  sparse_ = other.sparse_;
}

}  // namespace mixgrad
