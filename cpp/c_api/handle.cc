#include "c_api/handle.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "base/per_thread.h"

namespace mixgrad::c_api {
namespace {

struct LastError {
  ~LastError() { std::free(all); }
  char few[256] = "";
  char* all = nullptr;  // a message longer than that; null: none
};

const char* text_of(const LastError& last) { return last.all ? last.all : last.few; }
LastError& last_message() { return per_thread<LastError>(); }

}  // namespace

const char* last_error() noexcept { return text_of(last_message()); }

void set_last_error(const char* message) noexcept {
  LastError& last = last_message();
  if (message == text_of(last)) return;
  const size_t size = std::strlen(message), fitting = std::min(size, sizeof last.few - 1);
  std::free(last.all);
  last.all = nullptr;
  std::memcpy(last.few, message, fitting);
  last.few[fitting] = '\0';
  if (size == fitting) return;
  last.all = static_cast<char*>(std::malloc(size + 1));
  if (last.all) std::memcpy(last.all, message, size + 1);
}

mg_status report(Status status, const char* message) noexcept {
  set_last_error(message);
  return static_cast<mg_status>(status);
}

mg_status guarded(void (*run)(void* fn), void* fn) noexcept {
  try {
    run(fn);
    return MG_STATUS_OK;
  } catch (const Error& e) {
    return report(e.status(), e.what());
  } catch (const std::bad_alloc&) {
    return report(Status::out_of_memory, "[memory] the host is out of memory");
  } catch (const std::exception& e) {
    return report(Status::internal, e.what());
  } catch (...) {
    return report(Status::internal, "[mixgrad] an exception of unknown type");
  }
}

mg_status guarded_allocating(void (*run)(void* fn), void* fn) noexcept {
  const mg_status status = guarded(run, fn);
  if constexpr (kQueues) {
    if (status == MG_STATUS_OUT_OF_MEMORY && make_room_after_refusal()) return guarded(run, fn);
  }
  return status;
}

void require(const void* pointer, const char* function, const char* what) {
  if (!pointer) fail(Status::invalid_argument, "[", function, "] ", what, " is NULL");
}

Array& dense(mg_array* array, const char* function, const char* what) {
  require(array, function, what);
  if constexpr (kTraining) expect_dense(*unwrap(array), function);
  return *unwrap(array);
}

Shape shape_from(const int64_t* extents, int32_t ndim, const char* function) {
  if (ndim < 0 || (ndim > 0 && !extents)) {
    fail(Status::shape, "[", function, "] ", ndim, " axes", extents ? "" : " and no extents");
  }
  Shape shape(extents, ndim);
  for (int64_t extent : shape) {
    if (extent < 0) fail(Status::shape, "[", function, "] shape ", shape, " has a negative extent");
  }
  return shape;
}

DType dtype_from(int32_t number, const char* function) {
  if (!is_dtype(number)) fail(Status::dtype, "[", function, "] no dtype has the number ", number);
  return static_cast<DType>(number);
}

std::vector<Array*> arrays_from(mg_array* const* handles, int32_t count, const char* function,
                                bool allow_null, bool allow_sparse) {
  if (count < 0 || (count > 0 && !handles))
    fail(Status::invalid_argument, "[", function, "] ", count, " arrays");
  std::vector<Array*> arrays;
  for (int32_t i = 0; i < count; ++i) {
    if (!handles[i] && !allow_null) fail(Status::invalid_argument, "[", function, "] array ", i, " is NULL");
    arrays.push_back(unwrap(handles[i]));
    if constexpr (kTraining) {
      if (handles[i] && !allow_sparse) expect_dense(*arrays.back(), function);
    }
  }
  return arrays;
}

namespace {

// Throws unless the value can be read: a known kind, text and items that are there, tuples in tuples to a depth.
void check_value(const mg_value& value, const char* name, const char* function, int depth) {
  if (value.kind < MG_VALUE_NONE || value.kind > MG_VALUE_TUPLE || depth > 8) {
    fail(Status::invalid_argument, "[", function, "] parameter '", name, "' has a value of kind ", value.kind,
         depth > 8 ? ", nested too deep" : "; expected 0 to 5");
  }
  if (value.kind == MG_VALUE_STRING && !value.as.string)
    fail(Status::invalid_argument, "[", function, "] parameter '", name, "' has the string NULL");
  if (value.kind != MG_VALUE_TUPLE) return;
  if (value.num_items < 0) {
    fail(Status::invalid_argument, "[", function, "] parameter '", name, "' has ", value.num_items,
         " items; expected 0 or more");
  }
  if (value.num_items > 0 && !value.as.items)
    fail(Status::invalid_argument, "[", function, "] parameter '", name, "' has the items NULL");
  for (int32_t i = 0; i < value.num_items; ++i) check_value(value.as.items[i], name, function, depth + 1);
}

}  // namespace

Span<const NamedValue> named_values(int32_t count, const char* const* names, const mg_value* values,
                                    std::vector<NamedValue>& storage, const char* function) {
  if (count < 0 || (count > 0 && (!names || !values))) {
    fail(Status::invalid_argument, "[", function, "] ", count, " parameters without names or values");
  }
  for (int32_t i = 0; i < count; ++i) {
    if (!names[i]) fail(Status::invalid_argument, "[", function, "] the name of parameter ", i, " is NULL");
    check_value(values[i], names[i], function, 0);
    storage.push_back({names[i], unwrap(values[i])});
  }
  return storage;
}

}  // namespace mixgrad::c_api
