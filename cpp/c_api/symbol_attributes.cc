// Symbols: attributes, and writing them down.
#include "base/at_exit.h"
#include "c_api/symbol.h"
#include "files/byte_stream.h"
#include "graph/symbol_json.h"

namespace api = mixgrad::c_api;
using mixgrad::Attributes;
using mixgrad::Node;
using mixgrad::Status;
using mixgrad::Symbol;

namespace {

Node& one_node(const mg_symbol* symbol, const char* function) {
  const Symbol& s = api::symbol_of(symbol, function);
  for (const mixgrad::Entry& e : s.outputs()) {
    if (e.node != s.outputs()[0].node)
      mixgrad::fail(Status::invalid_argument, "[", function, "] a group of symbols has no attributes");
  }
  if (s.size() == 0) mixgrad::fail(Status::invalid_argument, "[", function, "] the symbol is empty");
  return *s.outputs()[0].node;
}

}  // namespace

extern "C" {

mg_status mg_symbol_get_attribute(mg_symbol* symbol, const char* key, const char** value) {
  return api::guard([&] {
    api::require(key, "mg_symbol_get_attribute", "key");
    api::require(value, "mg_symbol_get_attribute", "value");
    const char* found = nullptr;
    for (const Attributes::Item& item :
         mixgrad::visible_attributes(one_node(symbol, "mg_symbol_get_attribute"))) {
      if (item.first != key) continue;
      symbol->text = item.second;
      found = symbol->text.c_str();
    }
    *value = found;
  });
}

mg_status mg_symbol_set_attribute(mg_symbol* symbol, const char* key, const char* value) {
  return api::guard([&] {
    api::require(key, "mg_symbol_set_attribute", "key");
    api::require(value, "mg_symbol_set_attribute", "value");
    Node& node = one_node(symbol, "mg_symbol_set_attribute");
    const api::string kept = mixgrad::attribute_key(key);
    if (kept.empty() && node.op) {
      mixgrad::fail(Status::invalid_argument, "[", node.op->name, "] '", node.name, "': attribute '", key,
                    "' of an operator; expected a name such as __", key, "__");
    }
    node.attributes.set(kept.empty() ? key : kept, value);
  });
}

mg_status mg_symbol_list_attributes(const mg_symbol* symbol, mg_string_list** out) {
  return api::guard([&] {
    api::require(out, "mg_symbol_list_attributes", "out");
    auto list = api::make_unique<mg_string_list>();
    for (Attributes::Item& item :
         mixgrad::visible_attributes(one_node(symbol, "mg_symbol_list_attributes"))) {
      list->items.push_back(std::move(item.first));
      list->items.push_back(std::move(item.second));
    }
    *out = list.release();
  });
}

mg_status mg_symbol_list_all_attributes(const mg_symbol* symbol, mg_string_list** out) {
  return api::guard([&] {
    api::require(out, "mg_symbol_list_all_attributes", "out");
    auto list = api::make_unique<mg_string_list>();
    const Symbol& s = api::symbol_of(symbol, "mg_symbol_list_all_attributes");
    for (const Node* node : mixgrad::nodes_in_order(s.outputs())) {
      for (Attributes::Item& item : mixgrad::visible_attributes(*node)) {
        list->items.push_back(node->name);
        list->items.push_back(std::move(item.first));
        list->items.push_back(std::move(item.second));
      }
    }
    *out = list.release();
  });
}

mg_status mg_symbol_to_json(const mg_symbol* symbol, char** text) {
  return api::guard([&] {
    api::require(text, "mg_symbol_to_json", "text");
    *text = api::copy_text(mixgrad::write_symbol(api::symbol_of(symbol, "mg_symbol_to_json")));
  });
}

mg_status mg_symbol_save(const mg_symbol* symbol, const char* path) {
  return api::guard([&] {
    api::require(path, "mg_symbol_save", "path");
    const api::string text = mixgrad::write_symbol(api::symbol_of(symbol, "mg_symbol_save"));
    const mixgrad::OutsideWork writing;
    const auto sink = mixgrad::create_file(path);
    sink->write(text.data(), text.size());
    sink->commit();
  });
}

mg_status mg_symbol_debug_text(const mg_symbol* symbol, char** text) {
  return api::guard([&] {
    api::require(text, "mg_symbol_debug_text", "text");
    *text = api::copy_text(api::symbol_of(symbol, "mg_symbol_debug_text").debug_text());
  });
}

}  // extern "C"
