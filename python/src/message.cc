// Messages of the library as Python's users read them.
#include <string_view>

#include "core.h"

namespace mixgrad_python {
namespace {

struct Renamed {
  std::string_view in_c;
  const char* in_python;
};
constexpr Renamed kRenamed[] = {{"assign", "setitem"},
                                {"group", "Group"},
                                {"index", "getitem"},
                                {"mg_array_attach_grad", "attach_grad"},
                                {"mg_array_reshape", "reshape"},
                                {"mg_arrays_load", "load"},
                                {"mg_arrays_load_buffer", "load"},
                                {"mg_arrays_map", "load"},
                                {"mg_arrays_save", "save"},
                                {"mg_arrays_save_buffer", "save"},
                                {"mg_autograd_backward", "backward"},
                                {"mg_autograd_grad", "grad"},
                                {"mg_engine_set_num_threads", "set_num_threads"},
                                {"mg_executor_backward", "backward"},
                                {"mg_executor_bind", "bind"},
                                {"mg_executor_forward", "forward"},
                                {"mg_executor_reshape", "reshape"},
                                {"mg_executor_set_rates", "set_rates"},
                                {"mg_executor_set_updates", "set_updates"},
                                {"mg_graph_call", "jit"},
                                {"mg_inference_bind", "bind"},
                                {"mg_model_load", "load_model"},
                                {"mg_model_load_buffer", "load_model"},
                                {"mg_model_save", "save_model"},
                                {"mg_shape_resolve", "reshape"},
                                {"mg_symbol_compose", "compose"},
                                {"mg_symbol_create_variable", "Variable"},
                                {"mg_symbol_from_json", "load_json"},
                                {"mg_symbol_get_attribute", "attr"},
                                {"mg_symbol_get_output", "symbol"},
                                {"mg_symbol_group", "Group"},
                                {"mg_symbol_load", "load"},
                                {"mg_symbol_save", "save"},
                                {"mg_symbol_set_attribute", "attr"},
                                {"mg_symbol_to_json", "tojson"},
                                {"trace", "jit"},
                                {"variable", "Variable"}};

// Names of files in messages need not be UTF-8.
PyObject* decoded(std::string_view text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
}

}  // namespace

PyObject* last_message() {
  const std::string_view message = mg_last_error();
  const size_t end = message.find(']');
  const std::string_view name = end == message.npos || message[0] != '[' ? "" : message.substr(1, end - 1);
  for (const Renamed& known : kRenamed) {
    if (known.in_c != name) continue;
    PyObject* const rest = decoded(message.substr(end));
    PyObject* const text = rest ? PyUnicode_FromFormat("[%s%U", known.in_python, rest) : nullptr;
    Py_XDECREF(rest);
    return text;
  }
  return decoded(message);
}

}  // namespace mixgrad_python
