// Model files: reading.
#include "c_api/handle.h"
#include "exec/imperative/mode.h"
#include "files/mapped_file.h"
#include "files/model_file.h"

namespace api = mixgrad::c_api;
using mixgrad::Status;

struct mg_model {
  mixgrad::ModelFile content;
};

namespace {

template <class List>
bool is_place(const List& list, int32_t index) {
  return index >= 0 && static_cast<size_t>(index) < list.size();
}

}  // namespace

extern "C" {

mg_status mg_model_load(const char* path, mg_model** out) {
  return api::guard_allocating([&] {
    api::require(path, "mg_model_load", "path");
    api::require(out, "mg_model_load", "out");
    const auto source = mixgrad::map_file(path);
    *out = new mg_model{mixgrad::read_model(*source, mixgrad::mode().device)};
  });
}

mg_status mg_model_load_buffer(const void* data, size_t bytes, mg_model** out) {
  return api::guard_allocating([&] {
    api::require(out, "mg_model_load_buffer", "out");
    if (bytes > 0) api::require(data, "mg_model_load_buffer", "data");
    const auto source = mixgrad::open_memory(data, bytes);
    *out = new mg_model{mixgrad::read_model(*source, mixgrad::mode().device)};
  });
}

void mg_model_destroy(mg_model* model) { delete model; }

mg_status mg_model_get_text(const mg_model* model, const char* name, const char** text, size_t* bytes) {
  return api::guard([&] {
    api::require(model, "mg_model_get_text", "model");
    api::require(name, "mg_model_get_text", "name");
    api::require(text, "mg_model_get_text", "text");
    const api::string* found = model->content.text(name);
    if (!found) mixgrad::fail(Status::not_found, "[mg_model_get_text] the model has no text '", name, "'");
    *text = found->c_str();
    if (bytes) *bytes = found->size();
  });
}

int32_t mg_model_get_num_texts(const mg_model* model) {
  return model ? static_cast<int32_t>(model->content.texts.size()) : 0;
}

const char* mg_model_get_text_name(const mg_model* model, int32_t index) {
  if (!model || !is_place(model->content.texts, index)) return nullptr;
  return model->content.texts[static_cast<size_t>(index)].first.c_str();
}

const char* mg_model_get_weights(const mg_model* model) {
  return model ? mixgrad::name_of(model->content.form) : nullptr;
}

int32_t mg_model_get_num_arrays(const mg_model* model) {
  return model ? static_cast<int32_t>(model->content.arrays.arrays.size()) : 0;
}

mg_status mg_model_get_array(const mg_model* model, int32_t index, mg_array** out) {
  return api::guard([&] {
    api::require(model, "mg_model_get_array", "model");
    api::require(out, "mg_model_get_array", "out");
    const auto& arrays = model->content.arrays.arrays;
    if (!is_place(arrays, index))
      mixgrad::fail(Status::index, "[mg_model_get_array] ", index, " of ", arrays.size(), " arrays");
    *out = api::give(arrays[static_cast<size_t>(index)]);
  });
}

const char* mg_model_get_array_name(const mg_model* model, int32_t index) {
  if (!model || !is_place(model->content.arrays.names, index)) return nullptr;
  return model->content.arrays.names[static_cast<size_t>(index)].c_str();
}

}  // extern "C"
