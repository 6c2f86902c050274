// Writing files of arrays.
#include <cstdlib>
#include <cstring>

#include "base/at_exit.h"
#include "c_api/handle.h"
#include "exec/imperative/invoke.h"
#include "files/params_file.h"
#include "files/safetensors_file.h"

namespace api = mixgrad::c_api;
using mixgrad::Array;
using mixgrad::Status;

namespace {

// The arrays, once they are known to be what safetensors can hold.
const api::vector<Array*>& dense_ones(const api::vector<Array*>& arrays,
                                      const api::vector<api::string>& names, const char* function) {
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (!arrays[i]->sparse()) continue;
    mixgrad::fail(Status::unsupported, "[", function, "] array '", i < names.size() ? names[i] : "",
                  "' is of storage type ", mixgrad::name_of(mixgrad::storage_of(*arrays[i])),
                  "; safetensors holds dense arrays, 'params' holds sparse ones too");
  }
  return arrays;
}

void write_arrays(mixgrad::ByteSink& sink, const char* format, int32_t count, mg_array* const* handles,
                  const char* const* names, const char* function) {
  auto arrays = api::arrays_from(handles, count, function, false, true);
  api::vector<mixgrad::ArrayRef> on_host;  // of those that the host cannot read
  for (auto& array : arrays) {
    if (array->device().is_host()) continue;
    if (array->sparse()) {
      on_host.push_back(mixgrad::empty_sparse(mixgrad::storage_of(*array), array->shape(), array->dtype(),
                                              mixgrad::Device::cpu()));
      mixgrad::copy_array(*array, *on_host.back());
    } else {
      on_host.push_back(Array::empty(array->shape(), array->dtype(), mixgrad::Device::cpu()));
      array->push_copy_to(*on_host.back(), "copy_to_save");
    }
    array = on_host.back().get();
  }
  api::vector<api::string> owned;
  for (int32_t i = 0; names && i < count; ++i) {
    api::require(names[i], function, "a name");
    owned.emplace_back(names[i]);
  }
  for (const api::string& name : owned) {
    if (!mixgrad::is_name(name))
      mixgrad::fail(Status::invalid_argument, "[", function, "] a name is not UTF-8");
  }
  if (std::strcmp(format, "params") == 0)
    mixgrad::write_params(sink, arrays, owned);
  else if (std::strcmp(format, "safetensors") == 0)
    mixgrad::write_safetensors(sink, dense_ones(arrays, owned, function), owned);
  else
    mixgrad::fail(Status::invalid_argument, "[", function, "] format '", format,
                  "'; expected 'params' or 'safetensors'");
}

}  // namespace

extern "C" {

mg_status mg_arrays_save(const char* path, const char* format, int32_t num_arrays, mg_array* const* arrays,
                         const char* const* names) {
  return api::guard([&] {
    api::require(path, "mg_arrays_save", "path");
    api::require(format, "mg_arrays_save", "format");
    const mixgrad::OutsideWork writing;
    const auto sink = mixgrad::create_file(path);
    write_arrays(*sink, format, num_arrays, arrays, names, "mg_arrays_save");
    sink->commit();
  });
}

mg_status mg_arrays_save_buffer(const char* format, int32_t num_arrays, mg_array* const* arrays,
                                const char* const* names, void** data, size_t* bytes) {
  return api::guard([&] {
    api::require(format, "mg_arrays_save_buffer", "format");
    api::require(data, "mg_arrays_save_buffer", "data");
    api::require(bytes, "mg_arrays_save_buffer", "bytes");
    mixgrad::MemorySink sink;
    write_arrays(sink, format, num_arrays, arrays, names, "mg_arrays_save_buffer");
    void* copy = std::malloc(sink.bytes().size() + 1);
    if (!copy) throw std::bad_alloc();
    std::memcpy(copy, sink.bytes().data(), sink.bytes().size());
    *data = copy;
    *bytes = sink.bytes().size();
  });
}

}  // extern "C"
