// Decoding on the engine.
#include <vector>

#include "base/error.h"
#include "io/decode_lane.h"
#include "io/decoder.h"

namespace mixgrad::io {

Error placed(const Error& error, const std::string& place) {
  constexpr const char* kBegin = "[image] ";
  const std::string& message = error.message();
  if (place.empty() || message.compare(0, 8, kBegin) != 0) return error;
  return Error(error.status(), kBegin + place + ": " + message.substr(8));
}

ArrayRef decode_later(Bytes bytes, const PictureRequest& request, const std::string& name) {
  try {
    const PictureHeader header = probe_picture(bytes);
    const PictureSize size = decoded_size(header, request);
    const ArrayRef out = Array::empty({size.height, size.width, size.channels}, DType::uint8, Device::cpu());
    std::vector<uint8_t> kept(bytes.begin(), bytes.end());
    Chunk* const chunk = &out->chunk();
    engine::TaskInfo info;
    info.name = "decode_picture";
    info.lane = decode_lane(0);
    info.bytes = size.bytes();
    engine::Var* const writes[] = {chunk};
    engine::Engine::get().push(
        [chunk, kept = std::move(kept), header, request, name] {
          chunk->ensure();
          try {
            decode_picture({kept.data(), kept.size()}, header, request, static_cast<uint8_t*>(chunk->data()));
          } catch (const Error& error) {
            throw placed(error, name);
          }
        },
        {}, writes, info);
    return out;
  } catch (const Error& error) {
    throw placed(error, name);
  }
}

}  // namespace mixgrad::io
