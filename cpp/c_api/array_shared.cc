// Arrays that several processes have at once.
#include "array/shared.h"
#include "c_api/handle.h"
#include "exec/tape/trace.h"

namespace api = mixgrad::c_api;

extern "C" {

mg_status mg_array_share_memory(int32_t num_arrays, mg_array* const* arrays) {
  return api::guard_allocating([&] {
    const auto list = api::arrays_from(arrays, num_arrays, "mg_array_share_memory");
    for (const mixgrad::Array* array : list) mixgrad::refuse_traced(*array, "sharing the memory of an array");
    mixgrad::share_memory({list.data(), list.size()});
  });
}

int32_t mg_array_is_shared(const mg_array* array) { return array && mixgrad::is_shared(*api::unwrap(array)); }

mg_status mg_array_get_shared_place(mg_array* array, int32_t* fd, uint64_t* offset) {
  return api::guard_allocating([&] {
    api::require(array, "mg_array_get_shared_place", "array");
    api::require(fd, "mg_array_get_shared_place", "fd");
    api::require(offset, "mg_array_get_shared_place", "offset");
    const mixgrad::SharedPlace place = mixgrad::place_in_shared_memory(*api::unwrap(array));
    *fd = place.fd;
    *offset = place.offset;
  });
}

mg_status mg_array_attach_shared(int32_t fd, uint64_t offset, const int64_t* shape, int32_t ndim,
                                 int32_t dtype, mg_device device, mg_array** out) {
  return api::guard([&] {
    api::require(out, "mg_array_attach_shared", "out");
    *out = api::give(mixgrad::attach_shared(
        fd, static_cast<size_t>(offset), api::shape_from(shape, ndim, "mg_array_attach_shared"),
        api::dtype_from(dtype, "mg_array_attach_shared"), api::device_of(device)));
  });
}

}  // extern "C"
