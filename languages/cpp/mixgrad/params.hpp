// Parameters of operators.
#pragma once

#include <initializer_list>
#include <utility>

#include "mixgrad/base.hpp"

namespace mx {
/// A parameter's value: none, a number, a truth value, text, a dtype, or a list of numbers.
class Value {
 public:
  Value() { value_.kind = MG_VALUE_NONE; }
  Value(bool truth) {
    value_.kind = MG_VALUE_BOOLEAN;
    value_.as.integer = truth;
  }
  Value(int number) : Value(static_cast<int64_t>(number)) {}
  Value(int64_t number) {
    value_.kind = MG_VALUE_INTEGER;
    value_.as.integer = number;
  }
  Value(double number) {
    value_.kind = MG_VALUE_REAL;
    value_.as.real = number;
  }
  Value(const char* text) : Value(std::string(text)) {}
  Value(std::string text) : text_(std::move(text)) { value_.kind = MG_VALUE_STRING; }
  Value(DType dtype) : Value(name_of(dtype)) {}
  Value(const Ints& numbers) : Value(numbers.begin(), numbers.end()) {}
  Value(const Reals& numbers) : Value(numbers.begin(), numbers.end()) {}

  /// What the C header takes; valid while this lives and is not moved.
  mg_value view() const {
    mg_value out = value_;
    if (value_.kind == MG_VALUE_STRING) out.as.string = text_.c_str();
    if (value_.kind == MG_VALUE_TUPLE) {
      out.num_items = static_cast<int32_t>(items_.size());
      out.as.items = items_.data();
    }
    return out;
  }

 private:
  template <class Iterator>
  Value(Iterator first, Iterator last) {
    value_.kind = MG_VALUE_TUPLE;
    for (; first != last; ++first) items_.push_back(Value(*first).value_);
  }
  mg_value value_{};
  std::string text_;
  std::vector<mg_value> items_;
};

/// Parameters by name, as operators take them.
class Params {
 public:
  Params() = default;
  Params(std::initializer_list<std::pair<std::string, Value>> items) : items_(items) {}
  void set(std::string name, Value value) { items_.emplace_back(std::move(name), std::move(value)); }
  /// Calls use(count, names, values) with what the C header takes.
  template <class Use>
  void with(Use use) const {
    std::vector<const char*> names;
    std::vector<mg_value> values;
    for (const auto& [name, value] : items_) {
      names.push_back(name.c_str());
      values.push_back(value.view());
    }
    use(detail::count(names), names.data(), values.data());
  }

 private:
  std::vector<std::pair<std::string, Value>> items_;
};

/// Parameters of one operator; `name` is that of the node, on symbols.
template <class Self>
class Options {
 public:
  Self& name(std::string value) {
    name_ = std::move(value);
    return static_cast<Self&>(*this);
  }
  const std::string& node_name() const { return name_; }
  const Params& params() const { return params_; }

 protected:
  Self& set(const char* name, Value value) {
    params_.set(name, std::move(value));
    return static_cast<Self&>(*this);
  }

 private:
  std::string name_;
  Params params_;
};
class NoOptions : public Options<NoOptions> {};

}  // namespace mx
