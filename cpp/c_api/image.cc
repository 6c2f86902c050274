// Pictures behind the C header.

#include "c_api/sized.h"
#include "engine/caller.h"
#include "io/decoder.h"
#include "io/jpeg_library.h"
#include "io/png_filter.h"

namespace api = mixgrad::c_api;
namespace io = mixgrad::io;
using mixgrad::Status;

namespace {

io::Bytes borrow_picture(const void* data, size_t bytes, const char* function) {
  if (bytes > 0) api::require(data, function, "data");
  return {static_cast<const uint8_t*>(data), bytes};
}

mg_image_info info_of(const io::PictureHeader& header) {
  mg_image_info info{};
  info.size = sizeof info;
  info.width = header.width;
  info.height = header.height;
  info.format = static_cast<int32_t>(header.format);
  info.channels = header.channels;
  info.orientation = header.orientation;
  info.can_scale = io::can_scale(header);
  return info;
}

// The program's struct; its context is released once, if ever.
class CallerDecoder final : public io::Decoder {
 public:
  explicit CallerDecoder(const mg_image_decoder& given) : Decoder(given.name), given_(given) {}
  ~CallerDecoder() override {
    if (given_.release) given_.release(given_.context);
  }
  bool probe(io::Bytes bytes, io::PictureHeader* out) override {
    mg_image_info info{};
    info.size = sizeof info;
    info.channels = 3;
    info.orientation = 1;
    const mixgrad::engine::ProgramScope scope;
    if (!taken(given_.probe(given_.context, bytes.data(), bytes.size(), &info))) return false;
    if ((info.channels != 1 && info.channels != 3 && info.channels != 4) || info.orientation < 1 ||
        info.orientation > 8)
      mixgrad::fail(Status::format, "[image] ", name(), ": a picture of ", info.channels,
                    " channels and orientation ", info.orientation,
                    "; expected 1, 3 or 4 channels and orientation 1 to 8");
    out->width = info.width;
    out->height = info.height;
    out->channels = info.channels;
    out->orientation = info.orientation;
    return true;
  }
  bool decode(io::Bytes bytes, const io::PictureHeader& header, int channels, bool bgr,
              uint8_t* out) override {
    const mg_image_info info = info_of(header);
    const mixgrad::engine::ProgramScope scope;
    return taken(given_.decode(given_.context, bytes.data(), bytes.size(), &info, channels, bgr, out));
  }

 private:
  bool taken(mg_status status) const {
    if (status == MG_STATUS_OK) return true;
    if (status == MG_STATUS_UNSUPPORTED) return false;
    const bool known = status > MG_STATUS_OK && status <= MG_STATUS_STOPPED;
    // What a function of the program refuses is the picture's fault, not that of our caller's arguments.
    const Status kind =
        !known || status == MG_STATUS_INVALID_ARGUMENT ? Status::format : static_cast<Status>(status);
    throw mixgrad::Error(kind, mixgrad::text("[image] ", name(), ": ", api::last_error()));
  }
  const mg_image_decoder given_;
};

}  // namespace

extern "C" {

mg_status mg_image_probe(const void* data, size_t bytes, mg_image_info* out) {
  return api::guard([&] {
    api::require(out, "mg_image_probe", "out");
    const auto header = io::probe_picture(borrow_picture(data, bytes, "mg_image_probe"));
    api::write_struct(out, info_of(header), "mg_image_info", &mg_image_info::orientation, "mg_image_probe");
  });
}

mg_status mg_image_set_most_pixels(uint64_t pixels) {
  return api::guard([&] {
    if (pixels < 1)
      mixgrad::fail(Status::invalid_argument, "[mg_image_set_most_pixels] 0 pixels; expected at least 1");
    io::set_most_pixels(pixels);
  });
}

uint64_t mg_image_get_most_pixels(void) { return io::most_pixels(); }

mg_status mg_image_decode(const void* data, size_t bytes, const mg_image_options* options, mg_array** out) {
  return api::guard([&] {
    api::require(out, "mg_image_decode", "out");
    io::PictureRequest request;
    const char* name = nullptr;
    if (options) {
      const auto given =
          api::read_struct(options, "mg_image_options", &mg_image_options::eighths, "mg_image_decode");
      if (given.channels != 0 && given.channels != 1 && given.channels != 3 && given.channels != 4)
        mixgrad::fail(Status::invalid_argument, "[mg_image_decode] channels=", given.channels,
                      "; expected 0, 1, 3 or 4");
      request.channels = given.channels;
      request.bgr = given.is_bgr != 0;
      request.oriented = given.is_stored == 0;
      if (given.eighths) request.eighths = given.eighths;
      name = given.name;
    }
    *out = api::give(
        io::decode_later(borrow_picture(data, bytes, "mg_image_decode"), request, name ? name : ""));
  });
}

mg_status mg_image_load_jpeg(const char* path) {
  return api::guard([&] { io::load_jpeg_library(path); });
}

mg_status mg_image_unfilter_png(const void* lines, size_t rows, size_t row_bytes, int32_t pixel_bytes,
                                void* out) {
  return api::guard([&] {
    if (pixel_bytes < 1 || pixel_bytes > static_cast<int32_t>(io::kMostPngPixelBytes) ||
        row_bytes % static_cast<size_t>(pixel_bytes) != 0)
      mixgrad::fail(Status::invalid_argument, "[mg_image_unfilter_png] pixel_bytes=", pixel_bytes,
                    " in rows of ", row_bytes, " bytes; expected 1 to ", io::kMostPngPixelBytes,
                    " that divide these");
    if (rows == 0) return;
    api::require(lines, "mg_image_unfilter_png", "lines");
    api::require(out, "mg_image_unfilter_png", "out");
    io::unfilter_png(static_cast<const uint8_t*>(lines), rows, row_bytes, static_cast<size_t>(pixel_bytes),
                     static_cast<uint8_t*>(out));
  });
}

mg_status mg_image_decoder_register(const mg_image_decoder* decoder) {
  return api::guard([&] {
    const auto given =
        api::read_struct(decoder, "mg_image_decoder", &mg_image_decoder::decode, "mg_image_decoder_register");
    struct Release {
      const mg_image_decoder* given;
      ~Release() {
        if (given && given->release) given->release(given->context);
      }
    } release{&given};
    api::require(given.name, "mg_image_decoder_register", "name");
    api::require(reinterpret_cast<const void*>(given.probe), "mg_image_decoder_register", "probe");
    api::require(reinterpret_cast<const void*>(given.decode), "mg_image_decoder_register", "decode");
    auto made = api::make_shared<CallerDecoder>(given);
    release.given = nullptr;
    io::register_decoder(std::move(made));
  });
}

}  // extern "C"
