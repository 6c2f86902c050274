#include "containers/string.h"

#include <cstdint>
#include <cstring>

#include "containers/memory.h"

namespace mixgrad::containers {

const string::Nothing string::kNothing = {{0, 0}, ""};

string::string(const char* text) noexcept : string(text, std::strlen(text)) {}
string::string(const char* text, size_t size) noexcept : string() {
  if (size > 0) append(text, size);
}
string::string(const string& other) noexcept : string(other.text_, other.size()) {}

string::~string() {
  if (block().room > 0) give_memory_back(const_cast<Block*>(&block()));
}

void string::reserve(size_t room) noexcept {
  const size_t had = block().room;
  if (room <= had) return;
  if (room < 2 * had) room = 2 * had;
  const size_t beside = sizeof(Block) + 1;
  Block* block = static_cast<Block*>(take_memory(room <= SIZE_MAX - beside ? room + beside : room, 1));
  *block = {size(), room};
  std::memcpy(block + 1, text_, block->size + 1);
  this->~string();
  text_ = reinterpret_cast<char*>(block + 1);
}

void string::cut(size_t size) noexcept {
  if (block().room == 0) return;
  const_cast<Block&>(block()).size = size;
  data()[size] = '\0';
}

void string::resize(size_t size, char c) noexcept {
  const size_t had = this->size();
  if (size > had) {
    reserve(size);
    std::memset(data() + had, c, size - had);
  }
  cut(size);
}

string& string::append(const char* from, size_t count) noexcept {
  const size_t had = size();
  const bool own = from >= text_ && from <= text_ + had;  // a part of this string, which may move
  const size_t place = own ? static_cast<size_t>(from - text_) : 0;
  reserve(had + count);
  if (count > 0) std::memmove(data() + had, own ? text_ + place : from, count);
  cut(had + count);
  return *this;
}
string& string::operator+=(const string& text) noexcept { return append(text.text_, text.size()); }
string& string::operator+=(const char* text) noexcept { return append(text, std::strlen(text)); }
string& string::operator+=(char c) noexcept { return append(&c, 1); }

string& string::assign(std::string_view text) noexcept {
  const char* here = data();
  if (text.data() >= here && text.data() <= here + size()) return *this = string(text);
  clear();
  return append(text.data(), text.size());
}

string& string::replace(size_t place, size_t count, std::string_view text) noexcept {
  const std::string_view before = view().substr(0, place), after = view().substr(place);
  string made(before);
  made.append(text);
  made.append(count < after.size() ? after.substr(count) : std::string_view());
  return *this = std::move(made);
}

size_t string::find(std::string_view text, size_t from) const noexcept { return view().find(text, from); }
size_t string::rfind(std::string_view text, size_t from) const noexcept { return view().rfind(text, from); }
size_t string::find_first_of(std::string_view any, size_t from) const noexcept {
  return view().find_first_of(any, from);
}
size_t string::find_first_not_of(std::string_view any, size_t from) const noexcept {
  return view().find_first_not_of(any, from);
}
size_t string::find_last_of(std::string_view any, size_t from) const noexcept {
  return view().find_last_of(any, from);
}
size_t string::find_last_not_of(std::string_view any, size_t from) const noexcept {
  return view().find_last_not_of(any, from);
}
int string::compare(std::string_view text) const noexcept { return view().compare(text); }

bool operator==(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && a.compare(b) == 0;
}
bool operator==(const string& a, const char* b) noexcept { return a.compare(b) == 0; }
bool operator==(const string& a, const string& b) noexcept { return a.compare(b) == 0; }
bool operator<(std::string_view a, std::string_view b) noexcept { return a.compare(b) < 0; }

string operator+(std::string_view a, std::string_view b) noexcept {
  string made;
  made.reserve(a.size() + b.size());
  made.append(a);
  made.append(b);
  return made;
}

}  // namespace mixgrad::containers
