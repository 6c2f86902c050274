// Symbols: making, composing and describing them.
#include "c_api/symbol.h"

#include <cstdlib>
#include <memory>
#include <unordered_map>

#include "array/byte_stream.h"
#include "graph/passes/passes.h"
#include "graph/subgraph.h"
#include "graph/symbol_json.h"

namespace api = mixgrad::c_api;
using mixgrad::Attributes;
using mixgrad::Node;
using mixgrad::Status;
using mixgrad::Symbol;
using mixgrad::SymbolInput;

namespace mixgrad::c_api {

char* copy_text(const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (!copy) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

const Symbol& symbol_of(const mg_symbol* symbol, const char* function) {
  require(symbol, function, "symbol");
  return symbol->symbol;
}

mg_symbol* give(Symbol symbol) { return new mg_symbol{std::move(symbol), {}}; }

void check_list(int32_t count, const void* items, const char* function, const char* what) {
  if (count < 0 || (count > 0 && !items))
    fail(Status::invalid_argument, "[", function, "] ", count, " ", what, items ? "" : ", NULL");
}

}  // namespace mixgrad::c_api

namespace {

Attributes attributes_from(int32_t count, const char* const* keys, const char* const* values, bool any_key,
                           const char* function) {
  api::check_list(count, keys, function, "attributes");
  api::check_list(count, values, function, "attributes");
  Attributes attributes;
  for (int32_t i = 0; i < count; ++i) {
    api::require(keys[i], function, "a key");
    api::require(values[i], function, "a value");
    const std::string kept = mixgrad::attribute_key(keys[i]);
    if (kept.empty() && !any_key) {
      mixgrad::fail(Status::invalid_argument, "[", function, "] attribute '", keys[i],
                    "' of an operator; expected a name such as __", keys[i], "__");
    }
    attributes.set(kept.empty() ? keys[i] : kept, values[i]);
  }
  return attributes;
}

std::vector<SymbolInput> inputs_from(int32_t count, const char* const* names, const mg_symbol* const* symbols,
                                     const char* function) {
  api::check_list(count, symbols, function, "inputs");
  std::vector<SymbolInput> inputs;
  for (int32_t i = 0; i < count; ++i)
    inputs.push_back({names && names[i] ? names[i] : "", api::symbol_of(symbols[i], function)});
  return inputs;
}

Node& one_node(const mg_symbol* symbol, const char* function) {
  const Symbol& s = api::symbol_of(symbol, function);
  for (const mixgrad::Entry& e : s.outputs()) {
    if (e.node != s.outputs()[0].node)
      mixgrad::fail(Status::invalid_argument, "[", function, "] a group of symbols has no attributes");
  }
  if (s.size() == 0) mixgrad::fail(Status::invalid_argument, "[", function, "] the symbol is empty");
  return *s.outputs()[0].node;
}

// "convolution0", "convolution1", ...: names of this thread's nodes that were given none.
std::string next_name(std::string op) {
  for (char& letter : op) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  thread_local std::unordered_map<std::string, int64_t> counts;
  const int64_t number = counts[op]++;
  return op + std::to_string(number);
}

}  // namespace

extern "C" {

int32_t mg_string_list_count(const mg_string_list* list) {
  return list ? static_cast<int32_t>(list->items.size()) : 0;
}
const char* mg_string_list_get(const mg_string_list* list, int32_t index) {
  if (!list || index < 0 || static_cast<size_t>(index) >= list->items.size()) return nullptr;
  return list->items[static_cast<size_t>(index)].c_str();
}
void mg_string_list_destroy(mg_string_list* list) { delete list; }

mg_status mg_symbol_create_variable(const char* name, int32_t num_attributes, const char* const* keys,
                                    const char* const* values, mg_symbol** out) {
  return api::guard([&] {
    api::require(name, "Variable", "name");
    api::require(out, "Variable", "out");
    *out = api::give(Symbol::variable(name, attributes_from(num_attributes, keys, values, true, "Variable")));
  });
}

mg_status mg_symbol_call(const mg_op* op, const char* name, int32_t num_inputs,
                         const char* const* input_names, const mg_symbol* const* inputs, int32_t num_params,
                         const char* const* param_names, const mg_value* params, int32_t num_attributes,
                         const char* const* keys, const char* const* values, mg_symbol** out) {
  return api::guard([&] {
    api::require(op, "mg_symbol_call", "op");
    api::require(out, "mg_symbol_call", "out");
    std::vector<mixgrad::NamedValue> storage;
    const auto given = api::named_values(num_params, param_names, params, storage, "mg_symbol_call");
    const char* who = api::unwrap(op)->name.c_str();
    *out = api::give(Symbol::call(*api::unwrap(op), given, name ? name : next_name(who),
                                  attributes_from(num_attributes, keys, values, false, who),
                                  inputs_from(num_inputs, input_names, inputs, who)));
  });
}

mg_status mg_symbol_group(int32_t count, const mg_symbol* const* symbols, mg_symbol** out) {
  return api::guard([&] {
    api::check_list(count, symbols, "Group", "symbols");
    api::require(out, "Group", "out");
    std::vector<Symbol> all;
    for (int32_t i = 0; i < count; ++i) all.push_back(api::symbol_of(symbols[i], "Group"));
    *out = api::give(Symbol::group(all));
  });
}

mg_status mg_symbol_compose(const mg_symbol* symbol, const char* name, int32_t count,
                            const char* const* names, const mg_symbol* const* symbols, mg_symbol** out) {
  return api::guard([&] {
    api::require(out, "compose", "out");
    *out = api::give(api::symbol_of(symbol, "compose")
                         .compose(inputs_from(count, names, symbols, "compose"), name ? name : ""));
  });
}

mg_status mg_symbol_copy(const mg_symbol* symbol, mg_symbol** out) {
  return api::guard([&] {
    api::require(out, "mg_symbol_copy", "out");
    *out = api::give(api::symbol_of(symbol, "mg_symbol_copy").copy());
  });
}

void mg_symbol_destroy(mg_symbol* symbol) { delete symbol; }

int32_t mg_symbol_output_count(const mg_symbol* symbol) {
  return symbol ? static_cast<int32_t>(symbol->symbol.size()) : 0;
}

mg_status mg_symbol_get_output(const mg_symbol* symbol, int32_t index, mg_symbol** out) {
  return api::guard([&] {
    api::require(out, "mg_symbol_get_output", "out");
    const Symbol& s = api::symbol_of(symbol, "mg_symbol_get_output");
    if (index < 0) mixgrad::fail(Status::index, "[symbol] output ", index, " of a symbol with ", s.size());
    *out = api::give(s.output(static_cast<size_t>(index)));
  });
}

mg_status mg_symbol_get_internals(const mg_symbol* symbol, mg_symbol** out) {
  return api::guard([&] {
    api::require(out, "mg_symbol_get_internals", "out");
    *out = api::give(api::symbol_of(symbol, "mg_symbol_get_internals").internals());
  });
}

mg_status mg_symbol_cut(const mg_symbol* symbol, const char* key, const char* value, mg_symbol** inner,
                        mg_symbol** outer, mg_string_list** names) {
  return api::guard([&] {
    api::require(key, "mg_symbol_cut", "key");
    api::require(value, "mg_symbol_cut", "value");
    api::require(inner, "mg_symbol_cut", "inner");
    api::require(outer, "mg_symbol_cut", "outer");
    api::require(names, "mg_symbol_cut", "names");
    mixgrad::CutSubgraph cut = mixgrad::cut_subgraph(api::symbol_of(symbol, "mg_symbol_cut"), key, value);
    mixgrad::Strings found;
    std::vector<mixgrad::Entry> entries;
    for (auto& [name, entry] : cut.outer) {
      found.push_back(name);
      entries.push_back(entry);
    }
    auto list = std::make_unique<mg_string_list>();
    list->items = std::move(found);
    std::unique_ptr<mg_symbol> part(api::give(std::move(cut.inner)));
    *outer = entries.empty() ? nullptr : api::give(Symbol(std::move(entries)));
    *inner = part.release();
    *names = list.release();
  });
}

mg_status mg_symbol_get_children(const mg_symbol* symbol, mg_symbol** out) {
  return api::guard([&] {
    api::require(out, "mg_symbol_get_children", "out");
    Symbol children = api::symbol_of(symbol, "mg_symbol_get_children").children();
    *out = children.size() > 0 ? api::give(std::move(children)) : nullptr;
  });
}

const char* mg_symbol_get_name(const mg_symbol* symbol) {
  if (!symbol || symbol->symbol.size() == 0) return nullptr;
  const auto& outputs = symbol->symbol.outputs();
  for (const mixgrad::Entry& e : outputs) {
    if (e.node != outputs[0].node) return nullptr;
  }
  return outputs[0].node->name.c_str();
}

mg_status mg_symbol_list(const mg_symbol* symbol, int32_t part, mg_string_list** out) {
  return api::guard([&] {
    api::require(out, "mg_symbol_list", "out");
    const Symbol& s = api::symbol_of(symbol, "mg_symbol_list");
    switch (part) {
      case MG_ARGUMENTS: *out = new mg_string_list{s.list_arguments()}; return;
      case MG_OUTPUTS: *out = new mg_string_list{s.list_outputs()}; return;
      case MG_AUXILIARY_STATES: *out = new mg_string_list{s.list_auxiliary_states()}; return;
      case MG_INPUTS: *out = new mg_string_list{s.list_inputs()}; return;
      default: mixgrad::fail(Status::invalid_argument, "[mg_symbol_list] part ", part, "; expected 0 to 3");
    }
  });
}

mg_status mg_symbol_get_attribute(mg_symbol* symbol, const char* key, const char** value) {
  return api::guard([&] {
    api::require(key, "attr", "key");
    api::require(value, "attr", "value");
    const char* found = nullptr;
    for (const Attributes::Item& item : mixgrad::visible_attributes(one_node(symbol, "attr"))) {
      if (item.first != key) continue;
      symbol->text = item.second;
      found = symbol->text.c_str();
    }
    *value = found;
  });
}

mg_status mg_symbol_set_attribute(mg_symbol* symbol, const char* key, const char* value) {
  return api::guard([&] {
    api::require(key, "attr", "key");
    api::require(value, "attr", "value");
    Node& node = one_node(symbol, "attr");
    const std::string kept = mixgrad::attribute_key(key);
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
    auto list = std::make_unique<mg_string_list>();
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
    auto list = std::make_unique<mg_string_list>();
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
    api::require(text, "tojson", "text");
    *text = api::copy_text(mixgrad::write_symbol(api::symbol_of(symbol, "tojson")));
  });
}

mg_status mg_symbol_from_json(const char* text, size_t bytes, const char* source, mg_symbol** out) {
  return api::guard([&] {
    api::require(out, "load_json", "out");
    if (bytes > 0) api::require(text, "load_json", "text");
    *out = api::give(mixgrad::read_symbol({text, bytes}, source ? source : "the text"));
  });
}

mg_status mg_symbol_save(const mg_symbol* symbol, const char* path) {
  return api::guard([&] {
    api::require(path, "save", "path");
    const std::string text = mixgrad::write_symbol(api::symbol_of(symbol, "save"));
    const auto sink = mixgrad::create_file(path);
    sink->write(text.data(), text.size());
    sink->commit();
  });
}

mg_status mg_symbol_load(const char* path, mg_symbol** out) {
  return api::guard([&] {
    api::require(path, "load", "path");
    api::require(out, "load", "out");
    const auto source = mixgrad::open_file(path);
    std::string text(source->remaining(), '\0');
    source->read(text.data(), text.size());
    *out = api::give(mixgrad::read_symbol(text, path));
  });
}

mg_status mg_symbol_debug_text(const mg_symbol* symbol, char** text) {
  return api::guard([&] {
    api::require(text, "debug_str", "text");
    *text = api::copy_text(api::symbol_of(symbol, "debug_str").debug_text());
  });
}

mg_status mg_passes_set(const char* switches) {
  return api::guard([&] {
    api::require(switches, "mg_passes_set", "switches");
    mixgrad::set_default_passes(switches);
  });
}

mg_status mg_passes_get(char** names) {
  return api::guard([&] {
    api::require(names, "mg_passes_get", "names");
    *names = api::copy_text(mixgrad::pass_names(mixgrad::default_pass_options()));
  });
}

}  // extern "C"
