// A string of one word in objects that hold many of them, whose functions are few and shared.
//
// The single file takes it in place of std::string (containers/std.h), which moves, ends and copies its 32
// bytes with code of its own wherever one is used. What is offered has std::string's meaning. No function fails
// (containers/memory.h) but substr, which is asked for a place beyond the end as std::string's is.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "containers/vector.h"

namespace mixgrad::containers {

class string {
  template <typename I>
  using Iterates = std::enable_if_t<!std::is_integral_v<I>>;

 public:
  using value_type = char;
  using size_type = size_t;
  using reference = char&;
  using const_reference = const char&;
  using iterator = char*;
  using const_iterator = const char*;
  static constexpr size_t npos = static_cast<size_t>(-1);

  string() noexcept : text_(kNothing.text) {}
  string(const char* text) noexcept;
  string(const char* text, size_t size) noexcept;
  string(size_t size, char c) noexcept : string() { resize(size, c); }
  template <typename I, typename = Iterates<I>>
  string(I first, I last) : string() {
    append(first, last);
  }
  explicit string(std::string_view text) noexcept : string(text.data(), text.size()) {}
  string(const string& other) noexcept;
  string(string&& other) noexcept : text_(std::exchange(other.text_, kNothing.text)) {}
  ~string();
  string& operator=(const string& other) noexcept { return assign(other); }
  string& operator=(string&& other) noexcept {
    string taken(std::move(other));
    std::swap(text_, taken.text_);
    return *this;
  }
  string& operator=(std::string_view text) noexcept { return assign(text); }
  string& operator=(const char* text) noexcept { return assign(text); }

  size_t size() const { return block().size; }
  size_t length() const { return size(); }
  bool empty() const { return size() == 0; }
  const char* data() const { return text_; }
  const char* c_str() const { return text_; }
  char* data() { return const_cast<char*>(text_); }
  char* begin() { return data(); }
  char* end() { return data() + size(); }
  const char* begin() const { return data(); }
  const char* end() const { return data() + size(); }
  char& operator[](size_t i) { return data()[i]; }
  const char& operator[](size_t i) const { return text_[i]; }
  char& front() { return *data(); }
  const char& front() const { return *text_; }
  char& back() { return data()[size() - 1]; }
  const char& back() const { return text_[size() - 1]; }
  operator std::string_view() const noexcept { return view(); }

  void clear() noexcept { cut(0); }
  void reserve(size_t room) noexcept;
  void resize(size_t size, char c = '\0') noexcept;
  void push_back(char c) noexcept { *this += c; }
  void pop_back() noexcept { cut(size() - 1); }
  string& assign(std::string_view text) noexcept;
  string& assign(const char* text, size_t size) noexcept { return assign(std::string_view(text, size)); }
  string& append(const char* text, size_t size) noexcept;
  string& append(std::string_view text) noexcept { return append(text.data(), text.size()); }
  string& append(size_t count, char c) noexcept {
    resize(size() + count, c);
    return *this;
  }
  template <typename I, typename = Iterates<I>>
  string& append(I first, I last) {
    for (; first != last; ++first) push_back(*first);
    return *this;
  }
  string& operator+=(std::string_view text) noexcept { return append(text.data(), text.size()); }
  string& operator+=(const string& text) noexcept;
  string& operator+=(const char* text) noexcept;
  string& operator+=(char c) noexcept;
  // Places lie in the string or at its end.
  string& insert(size_t place, std::string_view text) noexcept { return replace(place, 0, text); }
  string& erase(size_t place = 0, size_t count = npos) noexcept { return replace(place, count, {}); }
  string& replace(size_t place, size_t count, std::string_view text) noexcept;
  string substr(size_t place = 0, size_t count = npos) const { return string(view().substr(place, count)); }

  size_t find(std::string_view text, size_t from = 0) const noexcept;
  size_t find(char c, size_t from = 0) const noexcept { return find(std::string_view(&c, 1), from); }
  size_t rfind(std::string_view text, size_t from = npos) const noexcept;
  size_t rfind(char c, size_t from = npos) const noexcept { return rfind(std::string_view(&c, 1), from); }
  size_t find_first_of(std::string_view any, size_t from = 0) const noexcept;
  size_t find_first_not_of(std::string_view any, size_t from = 0) const noexcept;
  size_t find_last_of(std::string_view any, size_t from = npos) const noexcept;
  size_t find_last_not_of(std::string_view any, size_t from = npos) const noexcept;
  int compare(std::string_view text) const noexcept;
  int compare(size_t place, size_t count, std::string_view text) const {
    return view().substr(place, count).compare(text);
  }

 private:
  // What lies before a text.
  struct Block {
    size_t size, room;  // room without the ending zero; none: nobody's memory
  };
  struct Nothing {
    Block block;
    char text[1];
  };
  static const Nothing kNothing;

  const Block& block() const { return reinterpret_cast<const Block*>(text_)[-1]; }
  std::string_view view() const noexcept { return {data(), size()}; }
  void cut(size_t size) noexcept;

  const char* text_;  // with a zero at its end; what all that hold nothing share is never written
};

template <>
inline constexpr bool kMovesByBytes<string> = true;

bool operator==(std::string_view a, std::string_view b) noexcept;
bool operator==(const string& a, const char* b) noexcept;
bool operator==(const string& a, const string& b) noexcept;
inline bool operator!=(std::string_view a, std::string_view b) noexcept { return !operator==(a, b); }
inline bool operator!=(const string& a, const char* b) noexcept { return !(a == b); }
inline bool operator!=(const string& a, const string& b) noexcept { return !(a == b); }
bool operator<(std::string_view a, std::string_view b) noexcept;
inline bool operator>(std::string_view a, std::string_view b) noexcept { return operator<(b, a); }

string operator+(std::string_view a, std::string_view b) noexcept;
inline string operator+(string&& a, std::string_view b) noexcept { return std::move(a += b); }
inline string operator+(string&& a, const string& b) noexcept { return std::move(a += b); }
inline string operator+(string&& a, const char* b) noexcept { return std::move(a += b); }
inline string operator+(string a, char b) noexcept { return std::move(a += b); }
inline string operator+(char a, std::string_view b) noexcept { return std::string_view(&a, 1) + b; }

}  // namespace mixgrad::containers

template <>
struct std::hash<mixgrad::containers::string> {
  std::size_t operator()(std::string_view text) const noexcept { return hash<std::string_view>()(text); }
};
