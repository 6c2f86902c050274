// Arrays: made, read and written.
#include "c_api/handle.h"
#include "exec/tape/trace.h"

namespace api = mixgrad::c_api;
using mixgrad::Array;
using mixgrad::ArrayRef;
using mixgrad::Shape;
using mixgrad::Status;

namespace {

void check_bytes(const Array& array, size_t bytes, const char* function) {
  if (bytes != array.bytes()) {
    mixgrad::fail(Status::invalid_argument, "[", function, "] the array holds ", array.bytes(),
                  " bytes; got ", bytes);
  }
}

// Calls fn with the array, or with each part of a sparse one.
template <class Fn>
void for_memory(const Array& array, Fn fn) {
  if constexpr (!mixgrad::kTraining) return fn(array);
  if (!array.sparse()) return fn(array);
  const auto held = array.chunk().parts();
  const mixgrad::SparseParts& parts = *held;
  for (const ArrayRef* part : {&parts.values, &parts.indices, &parts.starts}) {
    if (*part) fn(**part);
  }
}

}  // namespace

extern "C" {

mg_status mg_array_create(const int64_t* shape, int32_t ndim, int32_t dtype, mg_device device,
                          mg_array** out) {
  return api::guard_allocating([&] {
    api::require(out, "mg_array_create", "out");
    ArrayRef array = Array::empty(api::shape_from(shape, ndim, "mg_array_create"),
                                  api::dtype_from(dtype, "mg_array_create"), api::device_of(device));
    api::watch_room(array->device(), array->bytes());
    array->chunk().ensure();
    *out = api::give(std::move(array));
  });
}

mg_status mg_array_create_later(const int64_t* shape, int32_t ndim, int32_t dtype, mg_device device,
                                mg_array** out) {
  return api::guard([&] {
    api::require(out, "mg_array_create_later", "out");
    *out = api::give(Array::zeros_later(api::shape_from(shape, ndim, "mg_array_create_later"),
                                        api::dtype_from(dtype, "mg_array_create_later"),
                                        api::device_of(device)));
  });
}

mg_status mg_array_create_from(const void* data, const int64_t* shape, int32_t ndim, int32_t dtype,
                               mg_device device, mg_array** out) {
  return api::guard_allocating([&] {
    api::require(out, "mg_array_create_from", "out");
    const Shape s = api::shape_from(shape, ndim, "mg_array_create_from");
    const mixgrad::DType t = api::dtype_from(dtype, "mg_array_create_from");
    mixgrad::check_extents(s, mixgrad::size_of(t), "mg_array_create_from");
    if (s.size() > 0) api::require(data, "mg_array_create_from", "data");
    api::watch_room(api::device_of(device), static_cast<size_t>(s.size()) * mixgrad::size_of(t));
    *out = api::give(Array::from_host(data, s, t, api::device_of(device)));
  });
}

mg_status mg_array_wrap(void* data, const int64_t* shape, int32_t ndim, int32_t dtype, mg_device device,
                        void (*release)(void*), void* context, mg_array** out) {
  return api::guard([&] {
    api::require(out, "mg_array_wrap", "out");
    const Shape s = api::shape_from(shape, ndim, "mg_array_wrap");
    const mixgrad::DType t = api::dtype_from(dtype, "mg_array_wrap");
    mixgrad::check_extents(s, mixgrad::size_of(t), "mg_array_wrap");
    const size_t bytes = static_cast<size_t>(s.size()) * mixgrad::size_of(t);
    if (bytes > 0) api::require(data, "mg_array_wrap", "data");
    const auto chunk = mixgrad::Chunk::make(api::device_of(device), bytes);
    ArrayRef array(new Array(chunk, 0, s, t));
    // Last: a call that fails does not release the caller's memory.
    chunk->hold(mixgrad::storage::wrap(api::device_of(device), data, bytes, [release, context] {
      if (release) release(context);
    }));
    chunk->set_exposed();  // the owner may write without a task
    *out = api::give(std::move(array));
  });
}

void mg_array_destroy(mg_array* array) {
  if (array) api::unwrap(array)->release();
}

void mg_array_retain(mg_array* array) {
  if (array) api::unwrap(array)->retain();
}

int32_t mg_array_get_ndim(const mg_array* array) { return array ? api::unwrap(array)->shape().ndim() : 0; }

const int64_t* mg_array_get_shape(const mg_array* array) {
  return array ? api::unwrap(array)->shape().data() : nullptr;
}

int64_t mg_array_get_size(const mg_array* array) { return array ? api::unwrap(array)->size() : 0; }

int32_t mg_array_get_dtype(const mg_array* array) {
  return array ? static_cast<int32_t>(api::unwrap(array)->dtype()) : -1;
}

mg_device mg_array_get_device(const mg_array* array) {
  if (!array) return {0, 0};
  const mixgrad::Device device = api::unwrap(array)->device();
  return {static_cast<int32_t>(device.kind), device.id};
}

uint64_t mg_array_get_version(const mg_array* array) {
  return array ? api::unwrap(array)->chunk().push_version() : 0;
}

int32_t mg_array_shares_memory(const mg_array* a, const mg_array* b) {
  return a && b && &api::unwrap(a)->chunk() == &api::unwrap(b)->chunk();
}

mg_status mg_array_wait_to_read(mg_array* array) {
  return api::guard([&] {
    api::require(array, "mg_array_wait_to_read", "array");
    for_memory(*api::unwrap(array), [](const Array& piece) { piece.wait_to_read(); });
  });
}

mg_status mg_array_wait_to_write(mg_array* array) {
  return api::guard([&] {
    api::require(array, "mg_array_wait_to_write", "array");
    for_memory(*api::unwrap(array), [](const Array& piece) { piece.wait_to_write(); });
  });
}

mg_status mg_array_get_data(mg_array* array, void** data) {
  return api::guard_allocating([&] {
    api::dense(array, "mg_array_get_data", "array");
    mixgrad::refuse_traced(*api::unwrap(array), "reading the values of an array");
    api::require(data, "mg_array_get_data", "data");
    const Array* a = api::unwrap(array);
    a->wait_to_read();
    a->chunk().set_shared();
    a->chunk().set_exposed();
    *data = a->host_data();
  });
}

mg_status mg_array_copy_to(mg_array* array, void* dst, size_t bytes) {
  return api::guard([&] {
    api::dense(array, "mg_array_copy_to", "array");
    mixgrad::refuse_traced(*api::unwrap(array), "reading the values of an array");
    check_bytes(*api::unwrap(array), bytes, "mg_array_copy_to");
    if (bytes > 0) api::require(dst, "mg_array_copy_to", "dst");
    api::unwrap(array)->copy_to_host(dst);
  });
}

mg_status mg_array_copy_from(mg_array* array, const void* src, size_t bytes) {
  return api::guard_allocating([&] {
    api::dense(array, "mg_array_copy_from", "array");
    mixgrad::refuse_traced(*api::unwrap(array), "writing values of the host");
    check_bytes(*api::unwrap(array), bytes, "mg_array_copy_from");
    if (bytes > 0) api::require(src, "mg_array_copy_from", "src");
    api::unwrap(array)->copy_from_host(src);
  });
}

}  // extern "C"
