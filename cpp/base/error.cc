#include "base/error.h"

#include <cstdio>

namespace mixgrad {

void TextItem::write_chars(std::string& out, Value v) { out += static_cast<const char*>(v.pointer); }
void TextItem::write_string(std::string& out, Value v) { out += *static_cast<const std::string*>(v.pointer); }
void TextItem::write_view(std::string& out, Value v) {
  out += *static_cast<const std::string_view*>(v.pointer);
}
void TextItem::write_address(std::string& out, Value v) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%p", v.pointer);
  out += digits;
}
void TextItem::write_character(std::string& out, Value v) { out += static_cast<char>(v.integer); }
void TextItem::write_integer(std::string& out, Value v) { out += std::to_string(v.integer); }
void TextItem::write_natural(std::string& out, Value v) { out += std::to_string(v.natural); }
void TextItem::write_real(std::string& out, Value v) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", v.real);
  out += digits;
}

std::string join_text(const TextItem* items, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) items[i].append_to(out);
  return out;
}

void throw_error(Status status, const TextItem* items, size_t count) {
  throw Error(status, join_text(items, count));
}

}  // namespace mixgrad
