#include "record.h"

#include <pybind11/stl.h>

#include <climits>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange.h"
#include "turn.h"

namespace py = pybind11;
namespace mp = mixgrad_python;

namespace {

using mp::call_unlocked, mp::check_status, mp::Turns;

void release_python(void* context) {
  const mp::Inside inside;
  if (inside) Py_DECREF(static_cast<PyObject*>(context));  // else its interpreter has taken it down
}

// Bytes of an object, held while they are read without the interpreter's lock.
class HeldBytes {
 public:
  explicit HeldBytes(const py::handle& object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) == 0) return;
    PyErr_Clear();
    throw py::type_error(std::string("[record] got ") + Py_TYPE(object.ptr())->tp_name +
                         "; expected bytes, or anything with one piece of memory that holds them");
  }
  ~HeldBytes() { PyBuffer_Release(&view_); }
  HeldBytes(const HeldBytes&) = delete;
  HeldBytes& operator=(const HeldBytes&) = delete;
  const void* data() const { return view_.buf; }
  size_t size() const { return static_cast<size_t>(view_.len); }

 private:
  Py_buffer view_{};
};

py::object bytes_or_none(const void* data, size_t bytes) {
  if (!data) return py::none();
  PyObject* const made =
      PyBytes_FromStringAndSize(static_cast<const char*>(data), static_cast<Py_ssize_t>(bytes));
  if (!made) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

class Source {
 public:
  explicit Source(mg_source* source) : source_(source) {}
  ~Source() {
    const mp::Outside outside;
    mg_source_destroy(source_);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  static std::unique_ptr<Source> open(const std::string& path, const std::string& who) {
    mg_source* out = nullptr;
    call_unlocked([&] { return mg_source_open(mp::path_text(path), who.c_str(), &out); });
    return std::make_unique<Source>(out);
  }
  // `fetch(offset, bytes)` gives an object with so many bytes.
  static std::unique_ptr<Source> of_function(const py::function& fetch, uint64_t bytes,
                                             const std::string& name, const std::string& who) {
    auto fetcher = std::make_unique<Fetcher>(Fetcher{fetch, name});
    const mg_source_callbacks callbacks{sizeof callbacks, fetcher.get(), &fetch_python,
                                        name.c_str(),     bytes,         &release_fetcher};
    mg_source* out = nullptr;
    check_status(mg_source_create(&callbacks, who.c_str(), &out));
    static_cast<void>(fetcher.release());
    return std::make_unique<Source>(out);
  }
  py::bytes read(uint64_t offset, size_t bytes) const {
    PyObject* const made = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(bytes));
    if (!made) throw py::error_already_set();
    auto out = py::reinterpret_steal<py::bytes>(made);
    call_unlocked([&] { return mg_source_read(source_, offset, PyBytes_AS_STRING(made), bytes); });
    return out;
  }
  uint64_t bytes() const { return mg_source_get_bytes(source_); }
  std::string name() const { return mg_source_get_name(source_); }
  mg_source* handle() const { return source_; }

 private:
  struct Fetcher {
    py::function function;
    std::string name;
  };
  static void release_fetcher(void* context) {
    const mp::Inside inside;
    if (inside) delete static_cast<Fetcher*>(context);  // else its interpreter has taken the function down
  }
  static mg_status fetch_python(void* context, uint64_t offset, void* out, size_t bytes) {
    return mp::CallbackScope::guard([&] {
      const auto& fetcher = *static_cast<const Fetcher*>(context);
      const mp::SourceRead read(fetcher.name, offset);
      const py::object got = mp::call_python(fetcher.function, {py::int_(offset), py::int_(bytes)});
      const HeldBytes held(got);
      if (held.size() != bytes) {
        throw py::value_error("[source] a function gave " + std::to_string(held.size()) +
                              " bytes; expected " + std::to_string(bytes));
      }
      std::memcpy(out, held.data(), bytes);
    });
  }

  mg_source* const source_;
};

class RecordWriter {
 public:
  explicit RecordWriter(mg_record_writer* writer) : writer_(writer) {}
  ~RecordWriter() {
    const mp::Outside outside;
    mg_record_writer_destroy(writer_);
  }
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  static std::unique_ptr<RecordWriter> open(const std::string& path, const std::string& who) {
    mg_record_writer* out = nullptr;
    call_unlocked([&] { return mg_record_writer_open(mp::path_text(path), who.c_str(), &out); });
    return std::make_unique<RecordWriter>(out);
  }
  // `write` gets the next bytes.
  static std::unique_ptr<RecordWriter> of_function(const py::function& write, const std::string& who) {
    const mg_record_sink sink{sizeof sink, write.ptr(), &write_python, nullptr, &release_python};
    mg_record_writer* out = nullptr;
    check_status(mg_record_writer_create(&sink, who.c_str(), &out));
    Py_INCREF(write.ptr());
    return std::make_unique<RecordWriter>(out);
  }
  uint64_t write(const py::object& data) {
    const HeldBytes held(data);
    const Turns::Turn turn(turns_);
    uint64_t offset = 0;
    call_unlocked([&] { return mg_record_writer_write(writer_, held.data(), held.size(), &offset); });
    return offset;
  }
  uint64_t tell() const {
    const Turns::Turn turn(turns_);
    return mg_record_writer_tell(writer_);
  }
  void flush() {
    const Turns::Turn turn(turns_);
    call_unlocked([&] { return mg_record_writer_flush(writer_); });
  }
  void commit() {
    const Turns::Turn turn(turns_);
    call_unlocked([&] { return mg_record_writer_commit(writer_); });
  }
  void keep_checksums() { check_status(mg_record_writer_keep_checksums(writer_)); }
  py::object checksums() const {
    const Turns::Turn turn(turns_);
    void* data = nullptr;
    size_t bytes = 0;
    call_unlocked([&] { return mg_record_writer_get_checksums(writer_, &data, &bytes); });
    const std::unique_ptr<void, void (*)(void*)> owned(data, mg_buffer_destroy);
    return bytes_or_none(data, bytes);
  }

 private:
  static mg_status write_python(void* context, const void* data, size_t bytes) {
    return mp::CallbackScope::guard(
        [&] { mp::call_python(static_cast<PyObject*>(context), {bytes_or_none(data, bytes)}); });
  }

  mg_record_writer* const writer_;
  mutable Turns turns_{"record writer"};
};

class RecordReader {
 public:
  static std::unique_ptr<RecordReader> make(const Source& source, const std::string& who, bool skips,
                                            int32_t part_index, int32_t num_parts,
                                            const py::object& checksums) {
    mg_record_options options{};
    options.size = sizeof options;
    options.damaged = skips ? MG_DAMAGED_SKIP : MG_DAMAGED_RAISE;
    options.part_index = part_index;
    options.num_parts = num_parts;
    std::optional<HeldBytes> held;
    if (!checksums.is_none()) {
      held.emplace(checksums);
      options.checksums = held->data();
      options.checksums_bytes = held->size();
    }
    mg_record_reader* out = nullptr;
    call_unlocked([&] { return mg_record_reader_create(source.handle(), who.c_str(), &options, &out); });
    return std::make_unique<RecordReader>(out);
  }
  explicit RecordReader(mg_record_reader* reader) : reader_(reader) {}
  ~RecordReader() {
    const mp::Outside outside;
    mg_record_reader_destroy(reader_);
  }
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  py::object next() {
    const Turns::Turn turn(turns_);
    const void* data = nullptr;
    size_t bytes = 0;
    call_unlocked([&] { return mg_record_reader_next(reader_, nullptr, &data, &bytes); });
    return bytes_or_none(data, bytes);
  }
  py::object read_at(uint64_t offset) {
    const Turns::Turn turn(turns_);
    const void* data = nullptr;
    size_t bytes = 0;
    call_unlocked([&] { return mg_record_reader_read_at(reader_, offset, &data, &bytes); });
    return bytes_or_none(data, bytes);
  }
  // The record of a key, whose offset `index` holds. None where more is to be known: no such key, nothing that may be a key or an
  // offset, or another process than the reader's own.
  py::object read_key(const py::handle& index, const py::handle& key) {
    if (process_ != mp::fork_number() || !PyDict_Check(index.ptr())) return py::none();
    PyObject* const found = PyDict_GetItemWithError(index.ptr(), key.ptr());
    if (!found && PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();
    const unsigned long long offset =
        found && PyLong_Check(found) ? PyLong_AsUnsignedLongLong(found) : ULLONG_MAX;
    if (offset != ULLONG_MAX) return read_at(offset);
    PyErr_Clear();  // the longer way says what is wrong
    return py::none();
  }
  py::list read_batch(const std::vector<uint64_t>& offsets) {
    if (offsets.size() > INT32_MAX)
      throw py::value_error("[read_batch] more than 2147483647 records at once");
    const Turns::Turn turn(turns_);
    mg_record_batch* batch = nullptr;
    call_unlocked([&] {
      return mg_record_reader_read_batch(reader_, static_cast<int32_t>(offsets.size()), offsets.data(),
                                         &batch);
    });
    const std::unique_ptr<mg_record_batch, void (*)(mg_record_batch*)> owned(batch, mg_record_batch_destroy);
    py::list out(offsets.size());
    for (size_t i = 0; i < offsets.size(); ++i) {
      const void* data = nullptr;
      size_t bytes = 0;
      check_status(mg_record_batch_get(batch, static_cast<int32_t>(i), &data, &bytes));
      PyList_SET_ITEM(out.ptr(), static_cast<Py_ssize_t>(i), bytes_or_none(data, bytes).release().ptr());
    }
    return out;
  }
  std::vector<uint64_t> scan() {
    const Turns::Turn turn(turns_);
    uint64_t* offsets = nullptr;
    size_t bytes = 0;
    call_unlocked([&] { return mg_record_reader_scan(reader_, &offsets, &bytes); });
    const std::unique_ptr<void, void (*)(void*)> owned(offsets, mg_buffer_destroy);
    return std::vector<uint64_t>(offsets, offsets + bytes / sizeof *offsets);
  }
  void seek(uint64_t offset) {
    const Turns::Turn turn(turns_);
    check_status(mg_record_reader_seek(reader_, offset));
  }
  uint64_t tell() const {
    const Turns::Turn turn(turns_);
    return mg_record_reader_tell(reader_);
  }
  // (records, bytes, what was wrong first)
  py::tuple skipped() const {
    const Turns::Turn turn(turns_);
    mg_record_skipped skipped{};
    skipped.size = sizeof skipped;
    check_status(mg_record_reader_get_skipped(reader_, &skipped));
    return py::make_tuple(skipped.records, skipped.bytes, std::string(skipped.first));
  }

 private:
  mg_record_reader* const reader_;
  const unsigned process_ = mp::fork_number();
  mutable Turns turns_{"record reader"};
};

}  // namespace

mg_source* mixgrad_python::source_handle(const py::handle& source) {
  return py::cast<const Source&>(source).handle();
}

void mixgrad_python::add_records(py::module_& m) {
  py::class_<Source>(m, "Source")
      .def_static("open", &Source::open)
      .def_static("of_function", &Source::of_function)
      .def("read", &Source::read)
      .def_property_readonly("bytes", &Source::bytes)
      .def_property_readonly("name", &Source::name);
  py::class_<RecordWriter>(m, "RecordWriter")
      .def_static("open", &RecordWriter::open)
      .def_static("of_function", &RecordWriter::of_function)
      .def("write", &RecordWriter::write)
      .def("tell", &RecordWriter::tell)
      .def("flush", &RecordWriter::flush)
      .def("commit", &RecordWriter::commit)
      .def("keep_checksums", &RecordWriter::keep_checksums)
      .def("checksums", &RecordWriter::checksums);
  py::class_<RecordReader> reader(m, "RecordReader");
  mp::define_init(reader, &RecordReader::make);
  reader.def("next", &RecordReader::next)
      .def("read_at", &RecordReader::read_at)
      .def("read_key", &RecordReader::read_key)
      .def("read_batch", &RecordReader::read_batch)
      .def("scan", &RecordReader::scan)
      .def("seek", &RecordReader::seek)
      .def("tell", &RecordReader::tell)
      .def("skipped", &RecordReader::skipped);
}
