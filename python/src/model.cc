#include "model.h"

#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "exchange.h"

namespace py = pybind11;
namespace mp = mixgrad_python;

namespace {

using Texts = std::vector<std::pair<std::string, std::string>>;

void save_model(const std::string& path, const Texts& texts, const mp::Objects& arrays,
                const std::vector<std::string>& names, const std::string& weights) {
  const std::vector<mg_array*> handles = mp::array_handles(arrays, "save_model");
  if (arrays.size() != names.size()) throw py::value_error("[save_model] expects a name for each array");
  std::vector<const char*> text_names, values, array_names;
  std::vector<size_t> sizes;
  for (const auto& [name, value] : texts) {
    text_names.push_back(mp::path_text(name));
    values.push_back(value.data());
    sizes.push_back(value.size());
  }
  for (const std::string& name : names) array_names.push_back(mp::path_text(name));
  const char* place = mp::path_text(path);
  mp::call_unlocked([&] {
    return mg_model_save(place, static_cast<int32_t>(texts.size()), text_names.data(), values.data(),
                         sizes.data(), static_cast<int32_t>(handles.size()), handles.data(),
                         array_names.data(), weights.c_str());
  });
}

// ([(name, bytes)], arrays, names, form of the weights)
py::tuple load_model(const std::string& path) {
  mg_model* model = nullptr;
  const char* place = mp::path_text(path);
  mp::call_unlocked([&] { return mg_model_load(place, &model); });
  const py::capsule owner(model, [](void* held) { mg_model_destroy(static_cast<mg_model*>(held)); });
  py::list texts, arrays, names;
  for (int32_t i = 0; i < mg_model_get_num_texts(model); ++i) {
    const char* name = mg_model_get_text_name(model, i);
    const char* text = nullptr;
    size_t bytes = 0;
    mp::check_status(mg_model_get_text(model, name, &text, &bytes));
    texts.append(py::make_tuple(py::str(name), py::bytes(text, bytes)));
  }
  for (int32_t i = 0; i < mg_model_get_num_arrays(model); ++i) {
    mg_array* array = nullptr;
    mp::check_status(mg_model_get_array(model, i, &array));
    arrays.append(mp::own_array(array));
    names.append(py::str(mg_model_get_array_name(model, i)));
  }
  return py::make_tuple(texts, arrays, names, py::str(mg_model_get_weights(model)));
}

}  // namespace

void mixgrad_python::add_model(py::module_& m) {
  m.def("save_model", &save_model);
  m.def("load_model", &load_model);
}
