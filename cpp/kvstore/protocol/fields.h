// The small values of a message as bytes and back. A struct that travels lists its members once, in
// `template <class F> void fields(F& f) { f(a, b, c); }`, for both directions.
//
// Numbers are little-endian and as wide as their type; text and lists begin with a 32-bit count. Reading never throws: what
// does not fit makes the reader fail, and it allocates no more than the bytes that are there can fill.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace mixgrad::kvstore::protocol {

// The first byte of every message's fields. A node refuses other versions.
constexpr uint8_t kProtocolVersion = 3;

class FieldWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (one(values), ...);
  }
  template <class E>
  void choice(const E& value, E) {
    one(static_cast<uint8_t>(value));
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  void one(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      bytes_.push_back(value ? 1 : 0);
    } else if constexpr (std::is_integral_v<T>) {
      uint64_t rest = static_cast<uint64_t>(value);
      for (size_t i = 0; i < sizeof(T); ++i, rest >>= 8) bytes_.push_back(static_cast<char>(rest & 0xff));
    } else {
      const_cast<T&>(value).fields(*this);
    }
  }
  void one(const std::string& text) {
    one(static_cast<uint32_t>(text.size()));
    bytes_ += text;
  }
  template <class T>
  void one(const std::vector<T>& list) {
    one(static_cast<uint32_t>(list.size()));
    for (const T& item : list) one(item);
  }

  std::string bytes_;
};

class FieldReader {
 public:
  FieldReader(const void* data, size_t bytes) : at_(static_cast<const uint8_t*>(data)), left_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (one(values), ...);
  }
  // A number that must not be beyond the last value of its enumeration.
  template <class E>
  void choice(E& value, E last) {
    uint8_t number = 0;
    one(number);
    if (number > static_cast<uint8_t>(last)) failed_ = true;
    value = failed_ ? E{} : static_cast<E>(number);
  }
  // Whether everything could be read and nothing is left.
  bool complete() const { return !failed_ && left_ == 0; }

 private:
  template <class T>
  void one(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      uint8_t byte = 0;
      one(byte);
      if (byte > 1) failed_ = true;
      value = byte == 1;
    } else if constexpr (std::is_integral_v<T>) {
      value = 0;
      if (!has(sizeof(T))) return;
      uint64_t number = 0;
      for (size_t i = 0; i < sizeof(T); ++i) number |= uint64_t{at_[i]} << (8 * i);
      value = static_cast<T>(number);
      skip(sizeof(T));
    } else {
      value.fields(*this);
    }
  }
  void one(std::string& text) {
    uint32_t bytes = 0;
    one(bytes);
    text.clear();
    if (!has(bytes)) return;
    text.assign(reinterpret_cast<const char*>(at_), bytes);
    skip(bytes);
  }
  template <class T>
  void one(std::vector<T>& list) {
    uint32_t count = 0;
    one(count);
    list.clear();
    if (!has(count)) return;  // an item has a byte at least
    for (uint32_t i = 0; i < count && !failed_; ++i) one(list.emplace_back());
    if (failed_) list.clear();
  }
  bool has(size_t bytes) {
    if (!failed_ && bytes <= left_) return true;
    failed_ = true;
    return false;
  }
  void skip(size_t bytes) {
    at_ += bytes;
    left_ -= bytes;
  }

  const uint8_t* at_;
  size_t left_;
  bool failed_ = false;
};

template <class T>
std::string encoded(const T& value) {
  FieldWriter writer;
  writer(kProtocolVersion, value);
  return writer.take();
}

// Whether the bytes are exactly one T of this version. What `value` holds is undefined if not.
template <class T>
bool decode(const void* data, size_t bytes, T& value) {
  FieldReader reader(data, bytes);
  uint8_t version = 0;
  reader(version);
  if (version != kProtocolVersion) return false;
  reader(value);
  return reader.complete();
}

}  // namespace mixgrad::kvstore::protocol
