// Graphs of operators.
#pragma once

#include <map>

#include "mixgrad/base.hpp"

namespace mx {
/// Outputs of a graph. Default: no symbol.
class Symbol {
 public:
  using Outputs = Symbol;

  Symbol() = default;
  static Symbol own(mg_symbol* handle) {
    Symbol out;
    out.handle_.reset(handle, mg_symbol_destroy);
    return out;
  }
  static Symbol variable(const std::string& name, const std::map<std::string, std::string>& attributes = {}) {
    std::vector<const char*> keys, values;
    for (const auto& [key, value] : attributes) {
      keys.push_back(key.c_str());
      values.push_back(value.c_str());
    }
    mg_symbol* out = nullptr;
    detail::check(
        mg_symbol_create_variable(name.c_str(), detail::count(keys), keys.data(), values.data(), &out));
    return own(out);
  }
  static Symbol group(const std::vector<Symbol>& symbols) {
    std::vector<const mg_symbol*> handles;
    for (const Symbol& symbol : symbols) handles.push_back(symbol.handle());
    mg_symbol* out = nullptr;
    detail::check(mg_symbol_group(detail::count(handles), handles.data(), &out));
    return own(out);
  }
  /// MXNet's JSON, versions 0.7 to 1.9.
  static Symbol load(const std::string& path) {
    mg_symbol* out = nullptr;
    detail::check(mg_symbol_load(path.c_str(), &out));
    return own(out);
  }
  static Symbol from_json(const std::string& text) {
    mg_symbol* out = nullptr;
    detail::check(mg_symbol_from_json(text.data(), text.size(), nullptr, &out));
    return own(out);
  }

  explicit operator bool() const { return handle_ != nullptr; }
  mg_symbol* handle() const { return handle_.get(); }

  std::string to_json() const {
    char* text = nullptr;
    detail::check(mg_symbol_to_json(handle(), &text));
    return detail::take_text(text);
  }
  /// The file appears complete or not at all.
  void save(const std::string& path) const { detail::check(mg_symbol_save(handle(), path.c_str())); }
  /// "" when outputs belong to several nodes.
  std::string name() const {
    const char* name = mg_symbol_get_name(handle());
    return name ? name : "";
  }
  Symbol operator[](int32_t index) const {
    mg_symbol* out = nullptr;
    detail::check(mg_symbol_get_output(handle(), index, &out));
    return own(out);
  }
  int32_t num_outputs() const { return mg_symbol_get_num_outputs(handle()); }
  /// Every output of every node.
  Symbol internals() const {
    mg_symbol* out = nullptr;
    detail::check(mg_symbol_get_internals(handle(), &out));
    return own(out);
  }
  std::vector<std::string> list_arguments() const { return list(MG_PART_ARGUMENTS); }
  std::vector<std::string> list_outputs() const { return list(MG_PART_OUTPUTS); }
  std::vector<std::string> list_auxiliary_states() const { return list(MG_PART_AUXILIARY_STATES); }

  struct Shapes {
    std::vector<Shape> arguments, outputs, auxiliary_states;
  };
  /// What follows from the shapes of some variables; throws when not all follow.
  Shapes infer_shape(const std::map<std::string, Shape>& known) const {
    std::vector<const char*> names;
    std::vector<int32_t> ndims;
    std::vector<const int64_t*> extents;
    for (const auto& [name, shape] : known) {
      names.push_back(name.c_str());
      ndims.push_back(detail::count(shape));
      extents.push_back(shape.data());
    }
    mg_inference* raw = nullptr;
    detail::check(mg_symbol_infer(handle(), detail::count(names), names.data(), ndims.data(), extents.data(),
                                  nullptr, &raw));
    std::unique_ptr<mg_inference, void (*)(mg_inference*)> inference(raw, mg_inference_destroy);
    if (!mg_inference_has_shapes(raw)) {
      throw Error(MG_STATUS_SHAPE,
                  "[infer_shape] the shapes given do not decide all others; give those of more inputs");
    }
    auto part = [&](mg_part which) {
      std::vector<Shape> out(list(which).size());
      for (size_t i = 0; i < out.size(); ++i) {
        int32_t ndim = 0;
        const int64_t* found = nullptr;
        detail::check(mg_inference_get_shape(raw, which, static_cast<int32_t>(i), &ndim, &found));
        out[i].assign(found, found + ndim);
      }
      return out;
    };
    return {part(MG_PART_ARGUMENTS), part(MG_PART_OUTPUTS), part(MG_PART_AUXILIARY_STATES)};
  }

 private:
  std::vector<std::string> list(mg_part part) const {
    mg_string_list* out = nullptr;
    detail::check(mg_symbol_list(handle(), part, &out));
    return detail::take_strings(out);
  }
  std::shared_ptr<mg_symbol> handle_;
};

}  // namespace mx
