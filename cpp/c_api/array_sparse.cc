// Arrays of storage types row_sparse and csr.
#include "c_api/handle.h"
#include "exec/tape/trace.h"

namespace api = mixgrad::c_api;
using mixgrad::Array;
using mixgrad::ArrayRef;
using mixgrad::SparseParts;
using mixgrad::Status;
using mixgrad::Storage;

namespace {

Storage sparse_storage(int32_t number, const char* function) {
  if (number != MG_STORAGE_ROW_SPARSE && number != MG_STORAGE_CSR) {
    mixgrad::fail(Status::invalid_argument, "[", function, "] storage ", number,
                  "; expected 1 (row_sparse) or 2 (csr)");
  }
  return static_cast<Storage>(number);
}

std::shared_ptr<const SparseParts> parts_of(mg_array* array, const char* function) {
  api::require(array, function, "array");
  std::shared_ptr<const SparseParts> parts = api::unwrap(array)->chunk().parts();
  if (!parts)
    mixgrad::fail(Status::invalid_argument, "[", function,
                  "] the array is dense; expected row_sparse or csr");
  return parts;
}

}  // namespace

extern "C" {

int32_t mg_array_get_storage(const mg_array* array) {
  return array ? static_cast<int32_t>(mixgrad::storage_of(*api::unwrap(array))) : MG_STORAGE_DENSE;
}

mg_status mg_array_create_sparse(int32_t storage, const int64_t* shape, int32_t ndim, int32_t dtype,
                                 mg_device device, mg_array* values, mg_array* indices, mg_array* starts,
                                 mg_array** out) {
  return api::guard_allocating([&] {
    static constexpr const char* kFunction = "mg_array_create_sparse";
    api::require(out, kFunction, "out");
    mixgrad::refuse_while_tracing("arrays of storage type row_sparse or csr");
    const Storage type = sparse_storage(storage, kFunction);
    const mixgrad::Shape extents = api::shape_from(shape, ndim, kFunction);
    if (!values && !indices && !starts) {
      *out = api::give(
          mixgrad::empty_sparse(type, extents, api::dtype_from(dtype, kFunction), api::device_of(device)));
      return;
    }
    SparseParts parts{type,
                      ArrayRef(&api::dense(values, kFunction, "values")),
                      ArrayRef(&api::dense(indices, kFunction, "indices")),
                      {}};
    if (type == Storage::csr) parts.starts = ArrayRef(&api::dense(starts, kFunction, "starts"));
    for (ArrayRef* part : {&parts.values, &parts.indices, &parts.starts}) {
      if (*part) *part = (*part)->alias();
    }
    *out = api::give(mixgrad::make_sparse(extents, std::move(parts)));
  });
}

mg_status mg_array_get_part(mg_array* array, int32_t part, mg_array** out) {
  return api::guard([&] {
    static constexpr const char* kFunction = "mg_array_get_part";
    api::require(out, kFunction, "out");
    const std::shared_ptr<const SparseParts> parts = parts_of(array, kFunction);
    const ArrayRef* const all[] = {&parts->values, &parts->indices, &parts->starts};
    const int32_t count = parts->starts ? 3 : 2;
    if (part < 0 || part >= count)
      mixgrad::fail(Status::index, "[", kFunction, "] part ", part, " of ", count, " parts");
    *out = api::give((*all[part])->alias());
  });
}

mg_status mg_array_check_sparse(mg_array* array) {
  return api::guard([&] {
    parts_of(array, "mg_array_check_sparse");
    mixgrad::check_sparse(*api::unwrap(array));
  });
}

}  // extern "C"
