#include "base/error.h"

#include <cinttypes>
#include <cstdio>

namespace mixgrad {
namespace {

template <class T>
void append_formatted(std::string& out, const char* format, T value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, format, value);
  out += digits;
}

}  // namespace

void TextItem::append_chars(const TextItem& item, std::string& out) {
  out += static_cast<const char*>(item.pointer_);
}
void TextItem::append_string(const TextItem& item, std::string& out) {
  out += *static_cast<const std::string*>(item.pointer_);
}
void TextItem::append_view(const TextItem& item, std::string& out) {
  out += *static_cast<const std::string_view*>(item.pointer_);
}
void TextItem::append_address(const TextItem& item, std::string& out) {
  append_formatted(out, "%p", item.pointer_);
}
void TextItem::append_character(const TextItem& item, std::string& out) {
  out += static_cast<char>(item.integer_);
}
void TextItem::append_integer(const TextItem& item, std::string& out) {
  append_formatted(out, "%" PRId64, item.integer_);
}
void TextItem::append_natural(const TextItem& item, std::string& out) {
  append_formatted(out, "%" PRIu64, static_cast<uint64_t>(item.integer_));
}
void TextItem::append_real(const TextItem& item, std::string& out) {
  append_formatted(out, "%g", item.real_);
}

std::string join_text(std::initializer_list<TextItem> items) {
  std::string out;
  for (const TextItem& item : items) item.append_to(out);
  return out;
}

void throw_error(Status status, std::initializer_list<TextItem> message) {
  throw Error(status, join_text(message));
}

}  // namespace mixgrad
