// Model files: writing.
#include "base/at_exit.h"
#include "c_api/handle.h"
#include "files/model_file.h"

namespace api = mixgrad::c_api;
using mixgrad::Status;

extern "C" {

mg_status mg_model_save(const char* path, int32_t num_texts, const char* const* text_names,
                        const char* const* texts, const size_t* text_bytes, int32_t num_arrays,
                        mg_array* const* arrays, const char* const* array_names, const char* weights) {
  return api::guard([&] {
    const char* function = "mg_model_save";
    api::require(path, function, "path");
    api::require(weights, function, "weights");
    if (num_texts < 0)
      mixgrad::fail(Status::invalid_argument, "[", function, "] ", num_texts, " texts; expected 0 or more");
    mixgrad::ModelFile model;
    model.form = mixgrad::weight_form_named(weights);
    for (int32_t i = 0; i < num_texts; ++i) {
      api::require(text_names, function, "text_names");
      api::require(texts, function, "texts");
      api::require(text_bytes, function, "text_bytes");
      api::require(text_names[i], function, "a name");
      api::require(texts[i], function, "a text");
      model.texts.emplace_back(text_names[i], api::string(texts[i], text_bytes[i]));
    }
    for (mixgrad::Array* array : api::arrays_from(arrays, num_arrays, function)) {
      model.arrays.arrays.emplace_back(array);
    }
    for (int32_t i = 0; i < num_arrays; ++i) {
      api::require(array_names, function, "array_names");
      api::require(array_names[i], function, "a name");
      model.arrays.names.emplace_back(array_names[i]);
      if (!mixgrad::is_name(model.arrays.names.back()))
        mixgrad::fail(Status::invalid_argument, "[", function, "] a name is not UTF-8");
    }
    const mixgrad::OutsideWork writing;
    const auto sink = mixgrad::create_file(path);
    mixgrad::write_model(*sink, model);
    sink->commit();
  });
}

}  // extern "C"
