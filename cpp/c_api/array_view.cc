// Arrays over the memory of others, and copies between arrays.
#include "c_api/handle.h"
#include "exec/imperative/invoke.h"
#include "op/reshape_codes.h"

namespace api = mixgrad::c_api;
using mixgrad::Shape;
using mixgrad::Status;

extern "C" {

mg_status mg_array_reshape(mg_array* array, const int64_t* shape, int32_t ndim, mg_array** out) {
  return api::guard([&] {
    api::dense(array, "mg_array_reshape", "array");
    api::require(out, "mg_array_reshape", "out");
    *out = api::give(
        mixgrad::reshape_view(*api::unwrap(array), api::shape_from(shape, ndim, "mg_array_reshape")));
  });
}

mg_status mg_shape_resolve(const int64_t* shape, int32_t ndim, const int64_t* codes, int32_t num_codes,
                           int32_t reverse, int64_t* out, int32_t* out_ndim) {
  return api::guard([&] {
    api::require(out, "mg_shape_resolve", "out");
    api::require(out_ndim, "mg_shape_resolve", "out_ndim");
    if (num_codes < 0 || (num_codes > 0 && !codes))
      mixgrad::fail(Status::shape, "[mg_shape_resolve] ", num_codes, " codes", codes ? "" : ", NULL");
    const Shape resolved = mixgrad::resolve_reshape(api::shape_from(shape, ndim, "mg_shape_resolve"),
                                                    Shape(codes, num_codes), reverse != 0, "reshape");
    for (int i = 0; i < resolved.ndim(); ++i) out[i] = resolved[i];
    *out_ndim = resolved.ndim();
  });
}

mg_status mg_array_slice(mg_array* array, int64_t begin, int64_t end, mg_array** out) {
  return api::guard([&] {
    api::dense(array, "mg_array_slice", "array");
    api::require(out, "mg_array_slice", "out");
    *out = api::give(mixgrad::slice_rows(*api::unwrap(array), begin, end));
  });
}

mg_status mg_array_detach(mg_array* array, mg_array** out) {
  return api::guard([&] {
    api::require(array, "mg_array_detach", "array");
    api::require(out, "mg_array_detach", "out");
    *out = api::give(mixgrad::detached_view(*api::unwrap(array)));
  });
}

mg_status mg_array_copy(mg_array* src, mg_array* dst) {
  return api::guard([&] {
    api::require(src, "mg_array_copy", "src");
    api::require(dst, "mg_array_copy", "dst");
    mixgrad::copy_array(*api::unwrap(src), *api::unwrap(dst));
  });
}

}  // extern "C"
