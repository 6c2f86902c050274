// The name of a value in a store: a whole number or text.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/value.h"

namespace mixgrad::kvstore {

class Key {
 public:
  Key(int64_t number) : number_(number) {}
  Key(std::string text) : text_(std::move(text)), is_text_(true) {}
  // Throws Status::invalid_argument unless the value is a whole number or text.
  static Key from(const Value& value);

  bool is_text() const { return is_text_; }
  // As Python prints it: 3 or 'fc1_weight'.
  std::string str() const { return value().str(); }
  // Borrows the text from this key.
  Value value() const { return is_text_ ? Value(text_.c_str()) : Value(number_); }

  bool operator==(const Key& other) const {
    return is_text_ == other.is_text_ && number_ == other.number_ && text_ == other.text_;
  }
  bool operator<(const Key& other) const {
    if (is_text_ != other.is_text_) return other.is_text_;
    return is_text_ ? text_ < other.text_ : number_ < other.number_;
  }

 private:
  int64_t number_ = 0;
  std::string text_;
  bool is_text_ = false;
};

}  // namespace mixgrad::kvstore
