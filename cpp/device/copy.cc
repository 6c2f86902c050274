#include "device/copy.h"

#include <cstring>
#include <utility>

#include "device/api.h"

namespace mixgrad {

Stream* copy_stream(Device from, Device to) {
  const Device card = to.is_host() ? from : to;
  if (card.is_host()) return nullptr;
  return device_api(card).stream(card, from == to ? StreamKind::compute : StreamKind::copy);
}

void copy_bytes(Stream* stream, void* dst, const void* src, std::size_t bytes,
                std::shared_ptr<const void> keep) {
  if (bytes == 0) return;
  if (stream) return stream->copy(dst, src, bytes, std::move(keep));
  std::memcpy(dst, src, bytes);
}

}  // namespace mixgrad
