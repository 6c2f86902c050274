#include "exchange.h"

#include <memory>

namespace py = pybind11;

namespace mixgrad_python {
namespace {

thread_local CallbackScope* innermost = nullptr;

}  // namespace

void check_status(mg_status status) {
  if (status == MG_STATUS_OK) return;
  raise_status(status);
  throw py::error_already_set();
}

const char* path_text(const std::string& path) {
  if (path.find('\0') != std::string::npos) throw py::value_error("[file] the path contains a zero byte");
  return path.c_str();
}

std::string take_text(char* text) {
  const std::unique_ptr<char, void (*)(void*)> owned(text, mg_buffer_destroy);
  return std::string(text);
}

py::object own_array(mg_array* array, PyTypeObject* cls) {
  if (!array) return py::none();
  PyObject* object = wrap_array(array, cls);
  if (!object) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(object);
}

mg_array* array_handle(const py::handle& object, const char* who) {
  if (!is_array(object.ptr()))
    throw py::type_error(std::string("[") + who + "] got " + Py_TYPE(object.ptr())->tp_name +
                         "; expected NDArray");
  return handle_of(object.ptr());
}

std::vector<mg_array*> array_handles(const Objects& objects, const char* who, bool allow_none) {
  std::vector<mg_array*> out;
  for (const py::object& object : objects)
    out.push_back(allow_none && object.is_none() ? nullptr : array_handle(object, who));
  return out;
}

bool is_constructed(PyObject* self) {
  return reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder().holder_constructed();
}

CallbackScope::CallbackScope() : outer_(innermost) { innermost = this; }

CallbackScope::~CallbackScope() { innermost = outer_; }

void CallbackScope::check(mg_status status) const {
  if (status != MG_STATUS_OK && kept_) std::rethrow_exception(kept_);
  check_status(status);
}

mg_status CallbackScope::keep(const std::exception& error) {
  mg_set_error(error.what());
  if (innermost) innermost->kept_ = std::current_exception();
  return MG_STATUS_INVALID_ARGUMENT;
}

mg_status CallbackScope::no_interpreter() {
  mg_set_error("[callback] the interpreter of this function has ended");
  return MG_STATUS_STOPPED;
}

}  // namespace mixgrad_python
