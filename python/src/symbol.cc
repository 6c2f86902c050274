// _core.SymbolHandle and the functions that make symbols.
#include "symbol.h"

#include <pybind11/stl.h>
#include <cstdlib>

#include <optional>
#include <string>
#include <vector>

#include "exchange.h"

namespace py = pybind11;

namespace mixgrad_python {
namespace {

using Handles = std::vector<const SymbolHandle*>;
using Names = std::vector<std::optional<std::string>>;
using Extents = std::vector<int64_t>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

std::vector<const mg_symbol*> symbols_of(const Handles& handles) {
  std::vector<const mg_symbol*> out;
  for (const SymbolHandle* h : handles) {
    if (!h) throw py::type_error("expected Symbol; got None");
    out.push_back(h->get());
  }
  return out;
}

std::vector<const char*> texts_of(const Names& names) {
  std::vector<const char*> out;
  for (const auto& n : names) out.push_back(n ? n->c_str() : nullptr);
  return out;
}

// Keys and values of attributes as the C header takes them.
struct AttributeArrays {
  explicit AttributeArrays(const Pairs& pairs) {
    for (const auto& [key, value] : pairs) {
      keys.push_back(key.c_str());
      values.push_back(value.c_str());
    }
  }
  int32_t size() const { return static_cast<int32_t>(keys.size()); }
  std::vector<const char*> keys, values;
};

int32_t count_of(size_t n) { return static_cast<int32_t>(n); }

py::object own(mg_symbol* symbol) { return own_object<SymbolHandle>(symbol); }

std::vector<std::string> texts_in(const mg_string_list* list) {
  std::vector<std::string> out;
  for (int32_t i = 0; i < mg_string_list_get_num_strings(list); ++i)
    out.emplace_back(mg_string_list_get(list, i));
  return out;
}
std::vector<std::string> take_list(mg_string_list* list) {
  const Owner<mg_string_list, mg_string_list_destroy> owned(list);
  return texts_in(list);
}

py::object variable(const std::string& name, const Pairs& attributes) {
  const AttributeArrays a(attributes);
  mg_symbol* out = nullptr;
  check_status(mg_symbol_create_variable(name.c_str(), a.size(), a.keys.data(), a.values.data(), &out));
  return own(out);
}

// `params`: (name, value) pairs, values as in calls on arrays.
py::object call_operator(const std::string& op_name, const std::string& name, const Names& input_names,
                         const Handles& inputs, const py::list& params, const Pairs& attributes) {
  const mg_op* op = nullptr;
  check_status(mg_op_find(op_name.c_str(), &op));
  ValuePool pool;
  std::vector<std::string> names;
  std::vector<mg_value> values;
  for (const py::handle item : params) {
    const auto pair = py::reinterpret_borrow<py::tuple>(item);
    names.push_back(pair[0].cast<std::string>());
    mg_value value;
    const py::object given = pair[1];
    if (!value_from(given.ptr(), &value, pool, op_name.c_str(), names.back().c_str()))
      throw py::error_already_set();
    values.push_back(value);
  }
  std::vector<const char*> keys;
  for (const std::string& n : names) keys.push_back(n.c_str());
  const auto symbols = symbols_of(inputs);
  const auto places = texts_of(input_names);
  const AttributeArrays a(attributes);
  mg_symbol* out = nullptr;
  check_status(mg_symbol_call(op, name.c_str(), count_of(symbols.size()), places.data(), symbols.data(),
                              count_of(keys.size()), keys.data(), values.data(), a.size(), a.keys.data(),
                              a.values.data(), &out));
  return own(out);
}

py::object group(const Handles& handles) {
  const auto symbols = symbols_of(handles);
  mg_symbol* out = nullptr;
  check_status(mg_symbol_group(count_of(symbols.size()), symbols.data(), &out));
  return own(out);
}

py::object compose(const SymbolHandle& self, const std::string& name, const Names& names,
                   const Handles& handles) {
  const auto symbols = symbols_of(handles);
  const auto places = texts_of(names);
  mg_symbol* out = nullptr;
  check_status(mg_symbol_compose(self.get(), name.c_str(), count_of(symbols.size()), places.data(),
                                 symbols.data(), &out));
  return own(out);
}

std::vector<std::string> list_part(const SymbolHandle& self, int part) {
  mg_string_list* out = nullptr;
  check_status(mg_symbol_list(self.get(), part, &out));
  return take_list(out);
}

std::optional<std::string> attribute(const SymbolHandle& self, const std::string& key) {
  const char* value = nullptr;
  check_status(mg_symbol_get_attribute(self.get(), key.c_str(), &value));
  return value ? std::optional<std::string>(value) : std::nullopt;
}

// Extents with -1 for unknown ones; None when the rank is unknown.
py::object shape_of(const mg_inference* inference, int part, int index) {
  int32_t ndim = 0;
  const int64_t* extents = nullptr;
  check_status(mg_inference_get_shape(inference, part, index, &ndim, &extents));
  if (ndim < 0) return py::none();
  py::tuple shape(ndim);
  for (int32_t i = 0; i < ndim; ++i) shape[static_cast<size_t>(i)] = py::int_(extents[i]);
  return std::move(shape);
}

// Known shapes and dtypes of variables as the C header takes them; borrows.
struct KnownVariables {
  KnownVariables(const std::vector<std::string>& names,
                 const std::optional<std::vector<std::optional<Extents>>>& shapes,
                 const std::optional<std::vector<int32_t>>& dtypes) {
    for (const std::string& n : names) keys.push_back(n.c_str());
    if (shapes) {
      if (shapes->size() != names.size()) throw py::value_error("[infer] one shape per name is needed");
      for (const auto& shape : *shapes) {
        ndims.push_back(shape ? count_of(shape->size()) : -1);
        extents.push_back(shape ? shape->data() : nullptr);
      }
      has_shapes = true;
    }
    if (!dtypes) return;
    if (dtypes->size() != names.size()) throw py::value_error("[infer] one dtype per name is needed");
    types = dtypes->data();
  }
  int32_t size() const { return count_of(keys.size()); }
  const int32_t* ranks() const { return has_shapes ? ndims.data() : nullptr; }
  const int64_t* const* shapes_or_null() const { return has_shapes ? extents.data() : nullptr; }
  std::vector<const char*> keys;
  std::vector<int32_t> ndims;
  std::vector<const int64_t*> extents;
  const int32_t* types = nullptr;
  bool has_shapes = false;
};

using Infer = mg_status (*)(const mg_symbol*, int32_t, const char* const*, const int32_t*,
                            const int64_t* const*, const int32_t*, mg_inference**);

template <Infer run>
py::object infer(const SymbolHandle& self, const std::vector<std::string>& names,
                 const std::optional<std::vector<std::optional<Extents>>>& shapes,
                 const std::optional<std::vector<int32_t>>& dtypes) {
  const KnownVariables known(names, shapes, dtypes);
  mg_inference* out = nullptr;
  check_status(run(self.get(), known.size(), known.keys.data(), known.ranks(), known.shapes_or_null(),
                   known.types, &out));
  return own_object<InferenceHandle>(out);
}

// (names, shapes, dtypes) of the variables or outputs of a part.
py::tuple inferred_part(const InferenceHandle& self, int part) {
  mg_string_list* list = nullptr;
  check_status(mg_inference_list(self.get(), part, &list));
  const std::vector<std::string> names = take_list(list);
  py::list shapes, dtypes;
  for (int i = 0; i < static_cast<int>(names.size()); ++i) {
    shapes.append(shape_of(self.get(), part, i));
    int32_t dtype = -1;
    check_status(mg_inference_get_dtype(self.get(), part, i, &dtype));
    dtypes.append(dtype);
  }
  return py::make_tuple(names, shapes, dtypes);
}

// Storage types of a part; of variables also as `known` says.
std::vector<int32_t> inferred_storages(const InferenceHandle& self, int part, int count,
                                       const std::vector<std::pair<std::string, int32_t>>& known) {
  std::vector<const char*> names;
  std::vector<int32_t> given, found(static_cast<size_t>(count));
  for (const auto& [name, storage] : known) {
    names.push_back(name.c_str());
    given.push_back(storage);
  }
  check_status(mg_inference_list_storages(self.get(), part, count_of(names.size()), names.data(),
                                          given.data(), found.data()));
  return found;
}

std::string dump_graph(const SymbolHandle& self, const std::vector<std::string>& names,
                       const std::optional<std::vector<std::optional<Extents>>>& shapes,
                       const std::optional<std::vector<int32_t>>& dtypes, bool gradients) {
  const KnownVariables known(names, shapes, dtypes);
  char* out = nullptr;
  check_status(mg_symbol_dump_graph(self.get(), known.size(), known.keys.data(), known.ranks(),
                                    known.shapes_or_null(), known.types, gradients, passes_now().c_str(),
                                    &out));
  return take_text(out);
}

std::string resolved_passes(const std::string& switches) {
  char* names = nullptr;
  check_status(mg_passes_resolve(switches.c_str(), &names));
  return take_text(names);
}

}  // namespace

std::string passes_now() {
  const char* merging = std::getenv("MXNET_ELIMINATE_COMMON_EXPR");
  const bool off = merging && std::string(merging) == "0";
  return graph_settings().passes + (off ? ",-common" : "");
}

namespace {

template <mg_status (*get)(const mg_symbol*, mg_symbol**)>
py::object derived(const SymbolHandle& self) {
  mg_symbol* out = nullptr;
  check_status(get(self.get(), &out));
  return out ? own(out) : py::object(py::none());
}

template <mg_status (*get)(const mg_symbol*, mg_string_list**)>
std::vector<std::string> listed(const SymbolHandle& self) {
  mg_string_list* out = nullptr;
  check_status(get(self.get(), &out));
  return take_list(out);
}

template <mg_status (*get)(const mg_symbol*, char**)>
std::string written(const SymbolHandle& self) {
  char* out = nullptr;
  check_status(get(self.get(), &out));
  return take_text(out);
}

}  // namespace

GraphSettings& graph_settings() {
  static GraphSettings settings;
  return settings;
}

void add_symbol(py::module_& m) {
  py::class_<SymbolHandle>(m, "SymbolHandle")
      .def("__len__", [](const SymbolHandle& self) { return mg_symbol_get_num_outputs(self.get()); })
      .def("output",
           [](const SymbolHandle& self, int index) {
             mg_symbol* out = nullptr;
             check_status(mg_symbol_get_output(self.get(), index, &out));
             return own(out);
           })
      .def("compose", &compose)
      .def("copy", &derived<mg_symbol_copy>)
      .def("internals", &derived<mg_symbol_get_internals>)
      .def("cut",
           [](const SymbolHandle& self, const std::string& key, const std::string& value) {
             mg_symbol *inner = nullptr, *outer = nullptr;
             mg_string_list* names = nullptr;
             check_status(mg_symbol_cut(self.get(), key.c_str(), value.c_str(), &inner, &outer, &names));
             const Owner<mg_string_list, mg_string_list_destroy> list(names);
             Owner<mg_symbol, mg_symbol_destroy> rest(outer);
             auto part = own(inner);
             return py::make_tuple(part, outer ? own(rest.release()) : py::object(py::none()),
                                   texts_in(names));
           })
      .def("children", &derived<mg_symbol_get_children>)
      .def("name",
           [](const SymbolHandle& self) -> std::optional<std::string> {
             const char* name = mg_symbol_get_name(self.get());
             return name ? std::optional<std::string>(name) : std::nullopt;
           })
      .def("names", &list_part)
      .def("attribute", &attribute)
      .def("set_attribute",
           [](const SymbolHandle& self, const std::string& key, const std::string& value) {
             check_status(mg_symbol_set_attribute(self.get(), key.c_str(), value.c_str()));
           })
      .def("attributes", &listed<mg_symbol_list_attributes>)
      .def("all_attributes", &listed<mg_symbol_list_all_attributes>)
      .def("infer", &infer<mg_symbol_infer>)
      .def("infer_arrays", &infer<mg_symbol_infer_arrays>)
      .def("dump_graph", &dump_graph)
      .def("to_json", &written<mg_symbol_to_json>)
      .def("debug_text", &written<mg_symbol_debug_text>)
      .def("save", [](const SymbolHandle& self, const std::string& path) {
        const char* text = path_text(path);
        call_unlocked([&] { return mg_symbol_save(self.get(), text); });
      });
  py::class_<InferenceHandle>(m, "InferenceHandle")
      .def("has_shapes", [](const InferenceHandle& self) { return mg_inference_has_shapes(self.get()) != 0; })
      .def("has_dtypes", [](const InferenceHandle& self) { return mg_inference_has_dtypes(self.get()) != 0; })
      .def("part", &inferred_part)
      .def("storages", &inferred_storages);
  m.def("symbol_variable", &variable);
  m.def("symbol_call", &call_operator);
  m.def("symbol_group", &group);
  m.def("recorded_symbol", [](const py::object& array) {
    mg_symbol* out = nullptr;
    check_status(mg_autograd_get_symbol(array_handle(array, "get_symbol"), &out));
    return own(out);
  });
  m.def("symbol_from_json", [](const std::string& text, const std::string& source) {
    mg_symbol* out = nullptr;
    check_status(mg_symbol_from_json(text.data(), text.size(), source.c_str(), &out));
    return own(out);
  });
  m.def("symbol_load", [](const std::string& path) {
    mg_symbol* out = nullptr;
    const char* text = path_text(path);
    call_unlocked([&] { return mg_symbol_load(text, &out); });
    return own(out);
  });
  m.def("set_passes", [](const std::string& switches) {
    const std::string names = resolved_passes(graph_settings().passes + "," + switches);
    graph_settings().passes = "none," + names;
  });
  m.def("passes", [] { return resolved_passes(passes_now()); });
}

}  // namespace mixgrad_python
