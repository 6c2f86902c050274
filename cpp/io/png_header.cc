// Headers and chunks of PNG files.
#include <cstring>

#include "base/error.h"
#include "io/byte_order.h"
#include "io/picture_header.h"

namespace mixgrad::io {
namespace {

constexpr size_t kSignature = 8, kChunkFrame = 12;  // length, kind, checksum

// Eight tables: a checksum of eight bytes at a time.
struct PngTables {
  uint32_t table[8][256];
  PngTables() {
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
      table[0][i] = c;
    }
    for (uint32_t i = 0; i < 256; ++i) {
      for (int k = 1; k < 8; ++k) table[k][i] = table[0][table[k - 1][i] & 255] ^ (table[k - 1][i] >> 8);
    }
  }
};

uint32_t png_checksum(const uint8_t* p, size_t bytes) {
  static const PngTables tables;
  const auto& t = tables.table;
  uint32_t c = 0xffffffffu;
  for (; bytes >= 8; p += 8, bytes -= 8) {
    const uint32_t low = c ^ little32(p), high = little32(p + 4);
    c = t[7][low & 255] ^ t[6][low >> 8 & 255] ^ t[5][low >> 16 & 255] ^ t[4][low >> 24] ^ t[3][high & 255] ^
        t[2][high >> 8 & 255] ^ t[1][high >> 16 & 255] ^ t[0][high >> 24];
  }
  for (; bytes > 0; ++p, --bytes) c = t[0][(c ^ *p) & 255] ^ (c >> 8);
  return c ^ 0xffffffffu;
}

struct Chunk {
  const uint8_t* kind;
  Bytes data;
  bool is(const char* name) const { return std::memcmp(kind, name, 4) == 0; }
};

Chunk chunk_at(Bytes bytes, size_t at) {
  if (at + kChunkFrame > bytes.size())
    fail(Status::format, "[image] PNG ends before its IEND, after ", bytes.size(), " bytes");
  const size_t length = big32(bytes.data() + at);
  if (length > bytes.size() - at - kChunkFrame)
    fail(Status::format, "[image] PNG chunk of ", length, " bytes at ", at, ", of ", bytes.size(),
         " bytes; expected a whole file");
  return {bytes.data() + at + 4, bytes.subspan(at + 8, length)};
}

int samples_of(int color) {
  switch (color) {
    case 0: return 1;
    case 2: return 3;
    case 3: return 1;  // a palette
    case 4: return 2;
    case 6: return 4;
    default: return 0;
  }
}

}  // namespace

PictureHeader read_png_header(Bytes bytes) {
  if (bytes.size() < kSignature + kChunkFrame)
    fail(Status::format, "[image] PNG ends inside its header, after ", bytes.size(), " bytes");
  const Chunk first = chunk_at(bytes, kSignature);
  if (!first.is("IHDR") || first.data.size() != 13)
    fail(Status::format, "[image] PNG does not begin with an IHDR of 13 bytes");
  const uint8_t* const p = first.data.data();
  PictureHeader header;
  header.format = PictureFormat::png;
  header.width = big32(p);
  header.height = big32(p + 4);
  header.bits = p[8];
  const int color = p[9], samples = samples_of(color);
  if (samples == 0 || header.bits < 1 || header.bits > 16)
    fail(Status::format, "[image] PNG with colour type ", color, " and ", header.bits, " bits per sample");
  if (header.width > INT32_MAX || header.height > INT32_MAX)
    fail(Status::format, "[image] PNG of ", header.width, " x ", header.height, " pixels; expected at most ",
         INT32_MAX, " each way");
  header.channels = color == 0 ? 1 : color == 2 || color == 3 ? 3 : 4;
  size_t at = kSignature + kChunkFrame + 13;
  while (at < bytes.size()) {
    const Chunk chunk = chunk_at(bytes, at);
    if (chunk.is("tRNS") && color == 3) header.channels = 4;
    if (chunk.is("IDAT") || chunk.is("IEND")) break;
    at += kChunkFrame + chunk.data.size();
  }
  // One byte of a deflate stream stands for 1,032 at most.
  const double pixels = static_cast<double>(header.width) * static_cast<double>(header.height);
  if (pixels * samples * header.bits / 8 > 1032.0 * static_cast<double>(bytes.size()))
    fail(Status::format, "[image] PNG of ", header.width, " x ", header.height, " pixels in ", bytes.size(),
         " bytes, which cannot hold them; expected a whole file");
  return header;
}

void check_png(Bytes bytes) {
  for (size_t at = kSignature;;) {
    const Chunk chunk = chunk_at(bytes, at);
    const uint8_t* const sum = chunk.data.data() + chunk.data.size();
    if (png_checksum(chunk.kind, 4 + chunk.data.size()) != big32(sum))
      fail(Status::format, "[image] PNG chunk at byte ", at, " is damaged: its checksum is wrong");
    if (chunk.is("IEND")) return;
    at += kChunkFrame + chunk.data.size();
  }
}

}  // namespace mixgrad::io
