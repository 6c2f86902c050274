// UTF-8: what names in files must be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mixgrad {

// True for well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);
// Appends one code point below 0x110000.
void append_utf8(std::string& out, uint32_t code_point);

}  // namespace mixgrad
