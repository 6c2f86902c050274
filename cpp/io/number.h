// Reading decimal numbers out of text that does not end with a zero byte.
#pragma once

#include <cstdint>

namespace mixgrad::io {

// Each reads the longest number that begins at `p`, at most to `end`, and returns the place behind it; null when no number
// begins there, or an integer does not fit 64 bits. The locale does not matter.
const char* read_integer(const char* p, const char* end, int64_t* out);
// Also "inf", "infinity" and "nan", case ignored. Beyond the range of a double: infinity or 0.
const char* read_real(const char* p, const char* end, double* out);

}  // namespace mixgrad::io
