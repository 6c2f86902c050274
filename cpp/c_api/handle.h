// Between the C header and the floors below: handles, values, and turning errors into statuses.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "array/sparse.h"
#include "base/build.h"
#include "base/error.h"
#include "exec/imperative/room.h"
#include "mixgrad/mixgrad.h"
#include "op/op.h"

namespace mixgrad::c_api {

// Containers as the build has them (containers/std.h), for functions of the header, which lie outside of the namespace.
using std::make_shared;
using std::make_unique;
using std::string;
using std::unordered_map;
using std::vector;

// Message of the calling thread's last failure, valid until its next one.
const char* last_error() noexcept;
// Keeps the message, of which only the beginning if there is no memory for all of it.
void set_last_error(const char* message) noexcept;
mg_status report(Status status, const char* message) noexcept;

inline Array* unwrap(mg_array* array) { return reinterpret_cast<Array*>(array); }
inline const Array* unwrap(const mg_array* array) { return reinterpret_cast<const Array*>(array); }
// The same of an array that must be there and dense.
Array& dense(mg_array* array, const char* function, const char* what);
// Gives the reference to the caller.
inline mg_array* give(ArrayRef array) { return reinterpret_cast<mg_array*>(array.detach()); }
inline const Op* unwrap(const mg_op* op) { return reinterpret_cast<const Op*>(op); }
inline Device device_of(mg_device d) { return Device::from_numbers(d.kind, d.id); }

static_assert(sizeof(mg_value) == sizeof(Value), "mg_value and Value share one layout");
inline const Value& unwrap(const mg_value& v) { return reinterpret_cast<const Value&>(v); }

// Runs fn; its error becomes a status.
mg_status guarded(void (*run)(void* fn), void* fn) noexcept;
template <class Fn>
void call_guarded(void* fn) {
  (*static_cast<Fn*>(fn))();
}
template <class Fn>
mg_status guard(Fn&& fn) noexcept {
  return guarded(&call_guarded<std::remove_reference_t<Fn>>,
                 const_cast<void*>(static_cast<const void*>(&fn)));
}

// The same for what takes memory, and can be done again when that was refused: once the client's garbage collector has been
// asked it is.
mg_status guarded_allocating(void (*run)(void* fn), void* fn) noexcept;
template <class Fn>
mg_status guard_allocating(Fn&& fn) noexcept {
  return guarded_allocating(&call_guarded<std::remove_reference_t<Fn>>,
                            const_cast<void*>(static_cast<const void*>(&fn)));
}

// To be called before so much is taken at once.
inline void watch_room(Device device, size_t bytes) {
  if constexpr (kQueues) {
    if (bytes >= storage::watched_bytes.load(std::memory_order_relaxed)) make_room(device, bytes);
  }
}

// Throws Status::invalid_argument when a pointer that must be given is NULL.
void require(const void* pointer, const char* function, const char* what);

Shape shape_from(const int64_t* extents, int32_t ndim, const char* function);
DType dtype_from(int32_t number, const char* function);
std::vector<Array*> arrays_from(mg_array* const* handles, int32_t count, const char* function,
                                bool allow_null = false, bool allow_sparse = false);
// Pairs of names and values; `storage` owns them.
Span<const NamedValue> named_values(int32_t count, const char* const* names, const mg_value* values,
                                    std::vector<NamedValue>& storage, const char* function);

}  // namespace mixgrad::c_api
