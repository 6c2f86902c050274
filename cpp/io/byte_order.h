// Numbers out of bytes, whatever the machine's order and alignment.
#pragma once

#include <cstdint>

namespace mixgrad::io {

inline uint32_t big16(const uint8_t* p) { return uint32_t{p[0]} << 8 | p[1]; }
inline uint32_t big32(const uint8_t* p) { return big16(p) << 16 | big16(p + 2); }
inline uint32_t little16(const uint8_t* p) { return uint32_t{p[1]} << 8 | p[0]; }
inline uint32_t little32(const uint8_t* p) { return little16(p + 2) << 16 | little16(p); }

}  // namespace mixgrad::io
