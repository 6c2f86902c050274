#include "file.h"

#include <memory>
#include <string>

#include "exchange.h"
#include "turn.h"

namespace py = pybind11;

namespace mixgrad_python {
namespace {

class FileWriter {
 public:
  FileWriter(const std::string& path, const std::string& who) {
    call_unlocked([&] { return mg_file_writer_open(path_text(path), who.c_str(), &writer_); });
  }
  ~FileWriter() {
    const Outside outside;
    mg_file_writer_destroy(writer_);
  }
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(const py::buffer& data) {
    const py::buffer_info info = data.request();
    if (!PyBuffer_IsContiguous(info.view(), 'C'))
      throw py::value_error("[file] bytes with gaps between them; expected one after another");
    const Turns::Turn turn(turns_);
    const auto bytes = static_cast<size_t>(info.size * info.itemsize);
    call_unlocked([&] { return mg_file_writer_write(writer_, info.ptr, bytes); });
  }
  void commit() {
    const Turns::Turn turn(turns_);
    call_unlocked([&] { return mg_file_writer_commit(writer_); });
  }

 private:
  mg_file_writer* writer_ = nullptr;
  Turns turns_{"file writer"};
};

}  // namespace

void add_files(py::module_& m) {
  py::class_<FileWriter> writer(m, "FileWriter");
  define_init(
      writer, +[](const std::string& path, const std::string& who) {
        return std::make_unique<FileWriter>(path, who);
      });
  writer.def("write", &FileWriter::write).def("commit", &FileWriter::commit);
}

}  // namespace mixgrad_python
