#include "io/jpeg_warnings.h"

#include <cstdlib>
#include <cstring>

namespace mixgrad::io {
namespace {

constexpr const char* kHarmless[] = {"Warning: unknown JFIF revision number",
                                     "Unknown Adobe color transform code",
                                     "Invalid SOS parameters for sequential JPEG"};
constexpr const char* kEarlyEnd = "Premature end of JPEG file";
constexpr const char* kBeforeMarker = " extraneous bytes before marker 0x";
constexpr long kEndOfImage = 0xd9;

}  // namespace

bool is_benign_jpeg_warning(const char* text, JpegStage stage) {
  if (std::strcmp(text, kEarlyEnd) == 0) return stage != JpegStage::scans;
  for (const char* const harmless : kHarmless) {
    if (std::strncmp(text, harmless, std::strlen(harmless)) == 0) return true;
  }
  const char* const before = std::strstr(text, kBeforeMarker);
  if (!before) return false;
  return stage == JpegStage::header ||
         std::strtol(before + std::strlen(kBeforeMarker), nullptr, 16) == kEndOfImage;
}

}  // namespace mixgrad::io
