// Pictures: mg_image_* as functions of _core, and the decoders of Python packages (mixgrad/_decoders.py), which are imported when
// the library first asks for them.
#include "picture.h"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <tuple>

#include "exchange.h"

namespace py = pybind11;

namespace mixgrad_python {
namespace {

py::object read_only(const void* bytes, size_t size) {
  return py::memoryview::from_memory(bytes, static_cast<py::ssize_t>(size));
}

std::atomic<int> importing{0};  // threads that are inside of an import

py::module_ decoders_module() {
  struct Importing {
    Importing() { importing.fetch_add(1); }
    ~Importing() { importing.fetch_sub(1); }
  } now;
  return py::module_::import("mixgrad._decoders");
}

// Functions of mixgrad._decoders give None for a picture that is not theirs to read.
mg_status probe_by_packages(void*, const void* bytes, size_t size, mg_image_info* info) {
  bool taken = false;
  const mg_status status = CallbackScope::guard([&] {
    const py::object probe = decoders_module().attr("probe");
    const py::object found = call_python(probe, {read_only(bytes, size)});
    taken = !found.is_none();
    if (!taken) return;
    const auto numbers = found.cast<std::tuple<int64_t, int64_t, int32_t>>();
    info->width = std::get<0>(numbers);
    info->height = std::get<1>(numbers);
    info->channels = std::get<2>(numbers);
  });
  return status == MG_STATUS_OK && !taken ? MG_STATUS_UNSUPPORTED : status;
}

mg_status decode_by_packages(void*, const void* bytes, size_t size, const mg_image_info* info,
                             int32_t channels, int32_t is_bgr, uint8_t* out) {
  bool taken = false;
  const mg_status status = CallbackScope::guard([&] {
    const py::object decode = decoders_module().attr("decode");
    const auto room = py::memoryview::from_memory(
        static_cast<void*>(out), static_cast<py::ssize_t>(info->width * info->height * channels));
    taken = !call_python(decode, {read_only(bytes, size), py::int_(info->format), py::int_(info->width),
                                  py::int_(info->height), py::int_(channels), py::bool_(is_bgr != 0), room})
                 .is_none();
  });
  return status == MG_STATUS_OK && !taken ? MG_STATUS_UNSUPPORTED : status;
}

std::atomic<bool> pictures_expected{false};

// Before Python takes its lock of imports, which a fork holds.
void import_packages() {
  if (!pictures_expected.load()) return;
  decoders_module();
  while (importing.load() >
         0) {  // a task that was first has the module, and is still to let go of its own locks
    const Outside outside;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void register_packages() {
  static bool registered = false;  // once in a process; under the interpreter's lock
  if (registered) return;
  const mg_image_decoder decoder{sizeof(mg_image_decoder),
                                 "Python's simplejpeg and Pillow",
                                 nullptr,
                                 probe_by_packages,
                                 decode_by_packages,
                                 nullptr};
  check_status(mg_image_decoder_register(&decoder));
  py::module_::import("os").attr("register_at_fork")(py::arg("before") = py::cpp_function(import_packages));
  registered = true;
}

struct Buffer {
  py::buffer_info info;
  explicit Buffer(const py::buffer& data) : info(data.request()) {
    if (!PyBuffer_IsContiguous(info.view(), 'C'))
      throw py::value_error("[image] bytes with gaps between them; expected one after another");
  }
  size_t bytes() const { return static_cast<size_t>(info.size * info.itemsize); }
};

// (format, width, height, channels, orientation, whether it can be decoded at a smaller scale)
py::tuple image_probe(const py::buffer& data) {
  const Buffer picture(data);
  expect_pictures();
  mg_image_info info{};
  info.size = sizeof info;
  call_unlocked([&] { return mg_image_probe(picture.info.ptr, picture.bytes(), &info); });
  static const char* const names[] = {"", "jpeg", "png", "gif", "bmp", "webp", "tiff", "pnm"};
  return py::make_tuple(names[info.format], info.width, info.height, info.channels, info.orientation,
                        info.can_scale != 0);
}

py::object image_decode(const py::buffer& data, int channels, bool bgr, bool oriented, int eighths,
                        const std::string& name) {
  const Buffer picture(data);
  expect_pictures();
  const mg_image_options options{
      sizeof(mg_image_options), channels, bgr, !oriented, eighths, name.empty() ? nullptr : name.c_str()};
  mg_array* out = nullptr;
  call_unlocked([&] { return mg_image_decode(picture.info.ptr, picture.bytes(), &options, &out); });
  return own_array(out);
}

// Rows of bytes, of lines that begin with their filter.
py::bytes image_unfilter_png(const py::buffer& lines, size_t rows, int pixel_bytes) {
  const Buffer given(lines);
  const size_t bytes = given.bytes();
  if (rows == 0 || bytes == 0 || bytes % rows != 0)
    throw py::value_error("[image_unfilter_png] " + std::to_string(rows) + " lines in " +
                          std::to_string(bytes) + " bytes; expected lines of one length, at least one");
  const size_t row_bytes = bytes / rows - 1;
  const auto out = py::reinterpret_steal<py::bytes>(
      PyBytes_FromStringAndSize(nullptr, static_cast<py::ssize_t>(rows * row_bytes)));
  if (!out) throw py::error_already_set();
  void* const to = PyBytes_AS_STRING(out.ptr());
  call_unlocked([&] { return mg_image_unfilter_png(given.info.ptr, rows, row_bytes, pixel_bytes, to); });
  return out;
}

}  // namespace

void expect_pictures() { pictures_expected.store(true); }

void add_picture(py::module_& m) {
  register_packages();
  m.def("image_probe", &image_probe);
  m.def("image_decode", &image_decode, py::arg("data"), py::arg("channels") = 3, py::arg("bgr") = false,
        py::arg("oriented") = true, py::arg("eighths") = 8, py::arg("name") = "");
  m.def("image_load_jpeg", [](const std::string& path) {
    check_status(mg_image_load_jpeg(path.empty() ? nullptr : path_text(path)));
  });
  m.def("image_unfilter_png", &image_unfilter_png);
  m.def("image_set_most_pixels", [](uint64_t pixels) { check_status(mg_image_set_most_pixels(pixels)); });
  m.def("image_most_pixels", &mg_image_get_most_pixels);
}

}  // namespace mixgrad_python
