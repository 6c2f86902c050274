#include "base/json.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "base/names.h"
#include "base/utf8.h"

namespace mixgrad {
namespace {

class JsonReader {
 public:
  JsonReader(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  Json run() {
    if (!is_utf8(text_)) fail(Status::format, "[json] ", source_, " is not UTF-8");
    Json value = read_value(0);
    skip_space();
    if (at_ != text_.size()) reject("the end", "");
    return value;
  }

 private:
  // Text from where reading stopped is quoted, a little of it.
  [[noreturn]] void reject(const char* expected, const char* detail) const {
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at_; ++i) {
      if (text_[i] == '\n')
        ++line, column = 1;
      else
        ++column;
    }
    std::string found(text_.data() + at_, std::min<size_t>(text_.size() - at_, 12));
    for (char& c : found) {
      if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F) c = '?';
    }
    fail(Status::format, "[json] ", source_, ", line ", line, ", column ", column, ": expected ", expected,
         detail, found.empty() ? "; the text ends" : "; got '" + found + "'");
  }

  bool more() const { return at_ < text_.size(); }
  bool is_next(char c) const { return more() && text_[at_] == c; }
  void skip_space() {
    while (more() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
  }
  bool take(char c) {
    skip_space();
    if (!is_next(c)) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    for (size_t i = 0; i < word.size(); ++i) {
      if (at_ + i >= text_.size() || text_[at_ + i] != word[i]) return false;
    }
    at_ += word.size();
    return true;
  }

  Json read_value(int depth) {
    skip_space();
    if (depth > kMaxJsonDepth) reject("less nesting", "");
    if (!more()) reject("a value", "");
    switch (text_[at_]) {
      case '{': ++at_; return read_object(depth);
      case '[': ++at_; return read_array(depth);
      case '"': ++at_; return Json(read_string());
      case 't':
        if (take_word("true")) return true;
        break;
      case 'f':
        if (take_word("false")) return false;
        break;
      case 'n':
        if (take_word("null")) return {};
        break;
      default:
        if (text_[at_] == '-' || is_digit()) return read_number();
    }
    reject("a value", "");
  }

  Json read_array(int depth) {
    Json::Array items;
    if (take(']')) return Json(std::move(items));
    do {
      items.push_back(read_value(depth + 1));
    } while (take(','));
    if (!take(']')) reject("',' or ']'", "");
    return Json(std::move(items));
  }

  Json read_object(int depth) {
    Json::Object items;
    NameTable keys;
    if (take('}')) return Json(std::move(items));
    do {
      skip_space();
      if (!is_next('"')) reject("a key", "");
      const size_t start = at_++;
      std::string key = read_string();
      if (keys.add(key) != items.size()) {
        at_ = start;
        reject("each key once", "");
      }
      if (!take(':')) reject("':'", "");
      Json value = read_value(depth + 1);
      items.emplace_back(std::move(key), std::move(value));
    } while (take(','));
    if (!take('}')) reject("',' or '}'", "");
    return Json(std::move(items));
  }

  std::string read_string() {
    std::string out;
    while (more()) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return out;
      }
      if (static_cast<unsigned char>(c) < 0x20) reject("no control character in text", "");
      if (c == '\\')
        read_escape(out);
      else
        out += c, ++at_;
    }
    reject("'\"'", " at the end of a text");
  }

  void read_escape(std::string& out) {
    static constexpr char kFrom[] = "\"\\/bfnrt", kTo[] = "\"\\/\b\f\n\r\t";
    const size_t start = at_++;
    if (is_next('u')) {
      ++at_;
      uint32_t code = read_hex();
      if (code >= 0xD800 && code < 0xDC00 && take_word("\\u")) {
        const uint32_t low = read_hex();
        code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : 0xD800;
      }
      if (code >= 0xD800 && code < 0xE000) {
        at_ = start;
        reject("a pair of surrogates", "");
      }
      append_utf8(out, code);
      return;
    }
    size_t known = 0;
    while (kFrom[known] && !is_next(kFrom[known])) ++known;
    if (!kFrom[known]) {
      at_ = start;
      reject("an escape of JSON", "");
    }
    out += kTo[known];
    ++at_;
  }

  uint32_t read_hex() {
    uint32_t code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = more() ? text_[at_] : '\0';
      const bool digit = c >= '0' && c <= '9';
      if (!digit && !(c >= 'a' && c <= 'f') && !(c >= 'A' && c <= 'F')) reject("four hexadecimal digits", "");
      code = code << 4 | static_cast<uint32_t>(digit ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return code;
  }

  bool is_digit() const { return more() && text_[at_] >= '0' && text_[at_] <= '9'; }
  void read_digits() {
    if (!is_digit()) reject("a digit", "");
    while (is_digit()) ++at_;
  }

  Json read_number() {
    const size_t start = at_;
    bool whole = true;
    if (is_next('-')) ++at_;
    if (is_next('0'))
      ++at_;
    else
      read_digits();
    if (is_next('.')) {
      whole = false;
      ++at_;
      read_digits();
    }
    if (is_next('e') || is_next('E')) {
      whole = false;
      ++at_;
      if (is_next('+') || is_next('-')) ++at_;
      read_digits();
    }
    const std::string digits(text_.data() + start, at_ - start);
    if (whole && digits != "-0") {
      errno = 0;
      const long long value = std::strtoll(digits.c_str(), nullptr, 10);
      if (errno == 0) return static_cast<int64_t>(value);
    }
    const double value = std::strtod(digits.c_str(), nullptr);
    if (!std::isfinite(value)) {
      at_ = start;
      reject("a number that a double holds", "");
    }
    return value;
  }

  std::string_view text_;
  const std::string& source_;
  size_t at_ = 0;
};

class JsonWriter {
 public:
  explicit JsonWriter(int indent) : indent_(indent) {}

  void write(const Json& value, int level) {
    double real = 0;
    if (value.is_null()) {
      out_ += "null";
    } else if (const bool* b = value.boolean()) {
      out_ += *b ? "true" : "false";
    } else if (const int64_t* i = value.integer()) {
      out_ += text(*i);
    } else if (value.number(&real)) {
      write_real(real);
    } else if (const std::string* s = value.string()) {
      write_string(*s);
    } else if (const Json::Array* items = value.array()) {
      write_items(*items, '[', ']', level, [&](const Json& item) { write(item, level + 1); });
    } else if (const Json::Object* members = value.object()) {
      write_items(*members, '{', '}', level, [&](const auto& member) {
        write_string(member.first);
        out_ += indent_ < 0 ? ":" : ": ";
        write(member.second, level + 1);
      });
    }
  }
  std::string take() { return std::move(out_); }

 private:
  template <class Items, class Fn>
  void write_items(const Items& items, char open, char close, int level, Fn&& one) {
    out_ += open;
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += ',';
      first = false;
      new_line(level + 1);
      one(item);
    }
    if (!items.empty()) new_line(level);
    out_ += close;
  }
  void new_line(int level) {
    if (indent_ < 0) return;
    out_ += '\n';
    out_.append(static_cast<size_t>(level * indent_), ' ');
  }
  void write_real(double value) {
    if (!std::isfinite(value))
      fail(Status::invalid_argument, "[json] ", value, " cannot be written; expected a finite number");
    char digits[32];
    for (int precision = 15; precision <= 17; ++precision) {
      std::snprintf(digits, sizeof digits, "%.*g", precision, value);
      if (std::strtod(digits, nullptr) == value) break;
    }
    out_ += digits;
    // So that it is read again as what it was.
    if (std::string_view(digits).find_first_of(".e") == std::string_view::npos) out_ += ".0";
  }
  void write_string(const std::string& value) {
    static constexpr char kHex[] = "0123456789abcdef";
    out_ += '"';
    for (const char c : value) {
      const auto code = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (c == '\n') {
        out_ += "\\n";
      } else if (c == '\t') {
        out_ += "\\t";
      } else if (code < 0x20) {
        out_ += "\\u00";
        out_ += kHex[code >> 4];
        out_ += kHex[code & 15];
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }

  int indent_;
  std::string out_;
};

}  // namespace

bool Json::number(double* out) const {
  if (const int64_t* i = integer()) {
    *out = static_cast<double>(*i);
    return true;
  }
  const double* d = std::get_if<double>(&value_);
  if (d) *out = *d;
  return d != nullptr;
}

const Json* Json::find(std::string_view key) const {
  if (!object()) return nullptr;
  for (const auto& [name, value] : *object()) {
    if (name == key) return &value;
  }
  return nullptr;
}

const char* Json::kind_name() const {
  static constexpr const char* kNames[] = {"null", "true or false", "a number", "a number",
                                           "text", "an array",      "an object"};
  return kNames[value_.index()];
}

std::string Json::dump(int indent) const {
  JsonWriter writer(indent);
  writer.write(*this, 0);
  return writer.take();
}

Json parse_json(std::string_view text, const std::string& source) { return JsonReader(text, source).run(); }

}  // namespace mixgrad
