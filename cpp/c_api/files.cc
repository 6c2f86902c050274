// Reading files of arrays.
#include "c_api/handle.h"
#include "exec/imperative/mode.h"
#include "files/mapped_file.h"
#include "files/named_arrays.h"

namespace api = mixgrad::c_api;
using mixgrad::Status;

struct mg_array_list {
  mixgrad::NamedArrays content;
};

namespace {

mg_array_list* read_list(mixgrad::ByteSource& source) {
  api::watch_room(mixgrad::mode().device, source.remaining());
  return new mg_array_list{
      mixgrad::read_arrays(source, mixgrad::mode().device, mixgrad::SparseEntries::kept)};
}

}  // namespace

extern "C" {

mg_status mg_arrays_load(const char* path, mg_array_list** out) {
  return api::guard_allocating([&] {
    api::require(path, "mg_arrays_load", "path");
    api::require(out, "mg_arrays_load", "out");
    const auto source = mixgrad::open_file(path);
    *out = read_list(*source);
  });
}

mg_status mg_arrays_map(const char* path, mg_array_list** out) {
  return api::guard_allocating([&] {
    api::require(path, "mg_arrays_map", "path");
    api::require(out, "mg_arrays_map", "out");
    const auto source = mixgrad::map_file(path);
    *out = read_list(*source);
  });
}

mg_status mg_arrays_load_buffer(const void* data, size_t bytes, mg_array_list** out) {
  return api::guard_allocating([&] {
    api::require(out, "mg_arrays_load_buffer", "out");
    if (bytes > 0) api::require(data, "mg_arrays_load_buffer", "data");
    const auto source = mixgrad::open_memory(data, bytes);
    *out = read_list(*source);
  });
}

mg_status mg_mapping_set(int32_t mapping) {
  return api::guard([&] {
    if (mapping < MG_MAPPING_NEVER || mapping > MG_MAPPING_ALWAYS)
      mixgrad::fail(Status::invalid_argument, "[mg_mapping_set] mapping ", mapping, "; expected 0 to 2");
    mixgrad::set_file_mapping(static_cast<mixgrad::FileMapping>(mapping));
  });
}

int32_t mg_mapping_get(void) { return static_cast<int32_t>(mixgrad::file_mapping()); }

int32_t mg_array_list_get_num_arrays(const mg_array_list* list) {
  return list ? static_cast<int32_t>(list->content.arrays.size()) : 0;
}

mg_status mg_array_list_get(const mg_array_list* list, int32_t index, mg_array** out) {
  return api::guard([&] {
    api::require(list, "mg_array_list_get", "list");
    api::require(out, "mg_array_list_get", "out");
    const auto& arrays = list->content.arrays;
    if (index < 0 || static_cast<size_t>(index) >= arrays.size()) {
      mixgrad::fail(Status::index, "[mg_array_list_get] ", index, " of ", arrays.size(), " arrays");
    }
    *out = api::give(arrays[static_cast<size_t>(index)]);
  });
}

const char* mg_array_list_get_name(const mg_array_list* list, int32_t index) {
  if (!list) return nullptr;
  const auto& names = list->content.names;
  return index >= 0 && static_cast<size_t>(index) < names.size() ? names[static_cast<size_t>(index)].c_str()
                                                                 : nullptr;
}

void mg_array_list_destroy(mg_array_list* list) { delete list; }

}  // extern "C"
