// Files of arrays.
#include <cstdlib>
#include <cstring>

#include "array/params_file.h"
#include "array/safetensors_file.h"
#include "c_api/handle.h"
#include "exec/mode.h"

namespace api = mixgrad::c_api;
using mixgrad::Array;
using mixgrad::Status;

struct mg_array_list {
  mixgrad::NamedArrays content;
};

namespace {

void write_arrays(mixgrad::ByteSink& sink, const char* format, int32_t count, mg_array* const* handles,
                  const char* const* names) {
  const auto arrays = api::arrays_from(handles, count, "save");
  std::vector<std::string> owned;
  for (int32_t i = 0; names && i < count; ++i) {
    api::require(names[i], "save", "a name");
    owned.emplace_back(names[i]);
  }
  for (const std::string& name : owned) {
    if (!mixgrad::is_name(name)) mixgrad::fail(Status::invalid_argument, "[save] a name is not UTF-8");
  }
  if (std::strcmp(format, "params") == 0)
    mixgrad::write_params(sink, arrays, owned);
  else if (std::strcmp(format, "safetensors") == 0)
    mixgrad::write_safetensors(sink, arrays, owned);
  else
    mixgrad::fail(Status::invalid_argument, "[save] format '", format,
                  "'; expected 'params' or 'safetensors'");
}

mg_array_list* read_list(mixgrad::ByteSource& source) {
  return new mg_array_list{mixgrad::read_arrays(source, mixgrad::mode().device)};
}

}  // namespace

extern "C" {

mg_status mg_arrays_save(const char* path, const char* format, int32_t count, mg_array* const* arrays,
                         const char* const* names) {
  return api::guard([&] {
    api::require(path, "save", "path");
    api::require(format, "save", "format");
    const auto sink = mixgrad::create_file(path);
    write_arrays(*sink, format, count, arrays, names);
    sink->commit();
  });
}

mg_status mg_arrays_save_buffer(const char* format, int32_t count, mg_array* const* arrays,
                                const char* const* names, void** data, size_t* bytes) {
  return api::guard([&] {
    api::require(format, "save", "format");
    api::require(data, "save", "data");
    api::require(bytes, "save", "bytes");
    mixgrad::MemorySink sink;
    write_arrays(sink, format, count, arrays, names);
    void* copy = std::malloc(sink.bytes().size() + 1);
    if (!copy) throw std::bad_alloc();
    std::memcpy(copy, sink.bytes().data(), sink.bytes().size());
    *data = copy;
    *bytes = sink.bytes().size();
  });
}

void mg_buffer_destroy(void* data) { std::free(data); }

mg_status mg_arrays_load(const char* path, mg_array_list** out) {
  return api::guard([&] {
    api::require(path, "load", "path");
    api::require(out, "load", "out");
    const auto source = mixgrad::open_file(path);
    *out = read_list(*source);
  });
}

mg_status mg_arrays_load_buffer(const void* data, size_t bytes, mg_array_list** out) {
  return api::guard([&] {
    api::require(out, "load", "out");
    if (bytes > 0) api::require(data, "load", "data");
    const auto source = mixgrad::open_memory(data, bytes);
    *out = read_list(*source);
  });
}

int32_t mg_array_list_count(const mg_array_list* list) {
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
