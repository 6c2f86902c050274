#include "io/decoder.h"

#include <atomic>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "base/fork_mutex.h"
#include "io/jpeg_library.h"
#include "io/jpeg_rows.h"
#include "io/orientation.h"
#include "kernels/scratch.h"

namespace mixgrad::io {
namespace {

constexpr int64_t kMostExtent = 1 << 20;
constexpr uint64_t kMostPixels = 1ull << 28;

using DecoderList = std::vector<std::shared_ptr<Decoder>>;

// Never destroyed: tasks decode to the very end.
struct DecoderRegistry {
  ForkMutex mutex;
  std::shared_ptr<const DecoderList> decoders = std::make_shared<DecoderList>();  // the newest last
  std::atomic<uint64_t> most_pixels{kMostPixels};
};
DecoderRegistry& decoder_registry() {
  static auto* registry = new DecoderRegistry;
  return *registry;
}

std::shared_ptr<const DecoderList> registered_decoders() {
  DecoderRegistry& registry = decoder_registry();
  const std::lock_guard<ForkMutex> guard(registry.mutex);
  return registry.decoders;
}

// Whether libturbojpeg, or libjpeg, reads it to grey or to three colours.
const JpegFunctions* jpeg_library_for(const PictureHeader& header, int channels) {
  const bool fits = header.format == PictureFormat::jpeg && header.bits == 8 &&
                    (header.components == 1 || header.components == 3) && (channels == 1 || channels == 3);
  return fits ? jpeg_functions() : nullptr;
}

int64_t scaled(int64_t extent, int eighths) { return (extent * eighths + 7) / 8; }

// `size`: before it is turned.
void decode_stored(Bytes bytes, const PictureHeader& header, const PictureRequest& request,
                   const PictureSize& size, uint8_t* out) {
  const int channels = size.channels;
  if (const JpegFunctions* library = jpeg_library_for(header, channels))
    return decode_jpeg(*library, bytes, request, size, out);
  if (header.format == PictureFormat::png) check_png(bytes);
  const std::shared_ptr<const DecoderList> decoders = registered_decoders();
  for (size_t i = decoders->size(); i-- > 0;) {
    if ((*decoders)[i]->decode(bytes, header, channels, request.bgr, out)) return;
  }
  std::string asked;
  for (const auto& decoder : *decoders) asked += (asked.empty() ? "" : ", ") + decoder->name();
  fail(Status::unsupported, "[image] no decoder reads this ", name_of(header.format), " to ", channels,
       " channels (asked: ", asked.empty() ? "none" : asked.c_str(),
       "); libturbojpeg reads JPEG, mg_image_decoder_register adds others");
}

}  // namespace

void register_decoder(std::shared_ptr<Decoder> decoder) {
  DecoderRegistry& registry = decoder_registry();
  const std::lock_guard<ForkMutex> guard(registry.mutex);
  auto list = std::make_shared<DecoderList>(*registry.decoders);
  list->push_back(std::move(decoder));
  registry.decoders = std::move(list);
}

uint64_t most_pixels() { return decoder_registry().most_pixels.load(std::memory_order_relaxed); }
void set_most_pixels(uint64_t pixels) {
  decoder_registry().most_pixels.store(pixels, std::memory_order_relaxed);
}

PictureHeader probe_picture(Bytes bytes) {
  PictureHeader header = read_picture_header(bytes);
  if (header.format == PictureFormat::unknown) {
    const std::shared_ptr<const DecoderList> decoders = registered_decoders();
    bool known = false;
    for (size_t i = decoders->size(); i-- > 0 && !known;) known = (*decoders)[i]->probe(bytes, &header);
    if (!known)
      fail(Status::format, "[image] ", bytes.size(),
           " bytes are no picture of a known format; expected JPEG, PNG or what a registered decoder reads");
  }
  if (header.width < 1 || header.height < 1 || header.width > kMostExtent || header.height > kMostExtent ||
      static_cast<uint64_t>(header.width * header.height) > most_pixels())
    fail(Status::format, "[image] ", name_of(header.format), " of ", header.width, " x ", header.height,
         " pixels in ", bytes.size(), " bytes; expected at most ", most_pixels(),
         " pixels (mg_image_set_most_pixels)");
  return header;
}

bool can_scale(const PictureHeader& header) { return jpeg_library_for(header, 3) != nullptr; }

PictureSize decoded_size(const PictureHeader& header, const PictureRequest& request) {
  if (request.eighths < 1 || request.eighths > 8)
    fail(Status::invalid_argument, "[image] a scale of ", request.eighths, " eighths; expected 1 to 8");
  if (request.eighths != 8 && !can_scale(header))
    fail(Status::unsupported, "[image] a ", name_of(header.format),
         " cannot be decoded at a smaller scale; expected JPEG, and libturbojpeg or libjpeg");
  const int channels = request.channels ? request.channels : header.channels;
  const bool turned = request.oriented && header.orientation >= 5;
  const int64_t width = scaled(header.width, request.eighths),
                height = scaled(header.height, request.eighths);
  return {turned ? height : width, turned ? width : height, channels};
}

std::unique_ptr<picture::PictureRows> decode_rows(Bytes bytes, const PictureHeader& header,
                                                  const PictureRequest& request, const PicturePart& part) {
  if (request.oriented && header.orientation != 1) return nullptr;
  const PictureSize size = decoded_size(header, request);
  const JpegFunctions* const library = jpeg_library_for(header, size.channels);
  if (!library || !library->parts) return nullptr;
  return open_jpeg_rows(*library->parts, bytes, header, request, size, part);
}

void decode_picture(Bytes bytes, const PictureHeader& header, const PictureRequest& request, uint8_t* out) {
  PictureRequest as_stored = request;
  as_stored.oriented = false;
  const PictureSize size = decoded_size(header, as_stored);
  if (!request.oriented || header.orientation == 1) return decode_stored(bytes, header, request, size, out);
  const Scratch stored(size.bytes());
  decode_stored(bytes, header, request, size, stored.as<uint8_t>());
  orient_picture(stored.as<uint8_t>(), size.width, size.height, size.channels, header.orientation, out);
}

}  // namespace mixgrad::io
