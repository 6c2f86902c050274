#include "base/error.h"

#include <cinttypes>
#include <cstdio>

#include "base/shape.h"

namespace mixgrad {
namespace {

template <class T>
const T& at(uint64_t word) {
  return *reinterpret_cast<const T*>(static_cast<uintptr_t>(word));
}

void append_word(std::string& out, TextKind kind, uint64_t word) {
  char digits[32] = {};
  switch (kind) {
    case TextKind::string: out += at<std::string>(word); return;
    case TextKind::view: out += at<std::string_view>(word); return;
    case TextKind::shape: out += at<Shape>(word).str(); return;
    case TextKind::object: out += at<TextObject>(word).str(at<TextObject>(word).object); return;
    case TextKind::chars: out += &at<char>(word); return;
    case TextKind::character: digits[0] = static_cast<char>(word); break;
    case TextKind::address:
      std::snprintf(digits, sizeof digits, "%p", static_cast<const void*>(&at<char>(word)));
      break;
    case TextKind::integer:
      std::snprintf(digits, sizeof digits, "%" PRId64, static_cast<int64_t>(word));
      break;
    case TextKind::natural: std::snprintf(digits, sizeof digits, "%" PRIu64, word); break;
    default: {
      double real;
      std::memcpy(&real, &word, sizeof real);
      std::snprintf(digits, sizeof digits, "%g", real);
    }
  }
  out += digits;
}

}  // namespace

std::string join_words(uint64_t kinds, va_list words) noexcept(kCompact) {
  std::string out;
  for (; kinds; kinds >>= kTextKindBits) {
    const auto kind = static_cast<TextKind>(kinds & ((1 << kTextKindBits) - 1));
    append_word(out, kind, va_arg(words, uint64_t));
  }
  return out;
}

std::string join_text(uint64_t kinds, ...) noexcept(kCompact) {
  va_list words;
  va_start(words, kinds);
  std::string out = join_words(kinds, words);
  va_end(words);
  return out;
}

void throw_error(Status status, uint64_t kinds, ...) {
  va_list words;
  va_start(words, kinds);
  std::string message = join_words(kinds, words);
  va_end(words);
  throw Error(status, std::move(message));
}

}  // namespace mixgrad
