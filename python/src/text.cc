#include "text.h"

#include <string>

#include "exchange.h"

namespace py = pybind11;
namespace mp = mixgrad_python;

namespace {

// A C-contiguous buffer of bytes, held while it is read without the interpreter's lock.
class TextBuffer {
 public:
  explicit TextBuffer(const py::buffer& data) : info_(data.request()) {}
  const char* data() const { return static_cast<const char*>(info_.ptr); }
  size_t bytes() const { return static_cast<size_t>(info_.size * info_.itemsize); }

 private:
  py::buffer_info info_;
};

py::object parse_csv(const py::buffer& data, const std::string& name, int64_t columns, int dtype) {
  const TextBuffer text(data);
  mg_array* out = nullptr;
  mp::call_unlocked(
      [&] { return mg_csv_parse(text.data(), text.bytes(), name.c_str(), columns, dtype, &out); });
  return mp::own_array(out);
}

py::tuple parse_libsvm(const py::buffer& data, const std::string& name, int64_t columns) {
  const TextBuffer text(data);
  mg_array *rows = nullptr, *labels = nullptr;
  mp::call_unlocked(
      [&] { return mg_libsvm_parse_csr(text.data(), text.bytes(), name.c_str(), columns, &rows, &labels); });
  const py::object first = mp::own_array(rows);
  return py::make_tuple(first, mp::own_array(labels));
}

}  // namespace

void mixgrad_python::add_text(py::module_& m) {
  m.def("parse_csv", &parse_csv);
  m.def("parse_libsvm", &parse_libsvm);
}
