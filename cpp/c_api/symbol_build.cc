// Symbols: making and composing them.
#include <memory>
#include <unordered_map>

#include "base/error.h"
#include "base/per_thread.h"
#include "c_api/symbol.h"
#include "graph/subgraph.h"

namespace api = mixgrad::c_api;
using mixgrad::Attributes;
using mixgrad::Status;
using mixgrad::Symbol;
using mixgrad::SymbolInput;

namespace {

Attributes attributes_from(int32_t count, const char* const* keys, const char* const* values, bool any_key,
                           const char* function) {
  api::check_list(count, keys, function, "attributes");
  api::check_list(count, values, function, "attributes");
  Attributes attributes;
  for (int32_t i = 0; i < count; ++i) {
    api::require(keys[i], function, "a key");
    api::require(values[i], function, "a value");
    const api::string kept = mixgrad::attribute_key(keys[i]);
    if (kept.empty() && !any_key) {
      mixgrad::fail(Status::invalid_argument, "[", function, "] attribute '", keys[i],
                    "' of an operator; expected a name such as __", keys[i], "__");
    }
    attributes.set(kept.empty() ? keys[i] : kept, values[i]);
  }
  return attributes;
}

api::vector<SymbolInput> inputs_from(int32_t count, const char* const* names, const mg_symbol* const* symbols,
                                     const char* function) {
  api::check_list(count, symbols, function, "inputs");
  api::vector<SymbolInput> inputs;
  for (int32_t i = 0; i < count; ++i)
    inputs.push_back({names && names[i] ? names[i] : "", api::symbol_of(symbols[i], function)});
  return inputs;
}

struct NameCounts {
  api::unordered_map<api::string, int64_t> of_op;
};

// "convolution0", "convolution1", ...: names of this thread's nodes that were given none.
api::string next_name(api::string op) {
  for (char& letter : op) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  const int64_t number = mixgrad::per_thread<NameCounts>().of_op[op]++;
  return op + mixgrad::text(number);
}

}  // namespace

extern "C" {

mg_status mg_symbol_create_variable(const char* name, int32_t num_attributes, const char* const* keys,
                                    const char* const* values, mg_symbol** out) {
  return api::guard([&] {
    api::require(name, "mg_symbol_create_variable", "name");
    api::require(out, "mg_symbol_create_variable", "out");
    *out = api::give(Symbol::variable(
        name, attributes_from(num_attributes, keys, values, true, "mg_symbol_create_variable")));
  });
}

mg_status mg_symbol_call(const mg_op* op, const char* name, int32_t num_inputs,
                         const char* const* input_names, const mg_symbol* const* inputs, int32_t num_params,
                         const char* const* param_names, const mg_value* params, int32_t num_attributes,
                         const char* const* keys, const char* const* values, mg_symbol** out) {
  return api::guard([&] {
    api::require(op, "mg_symbol_call", "op");
    api::require(out, "mg_symbol_call", "out");
    api::vector<mixgrad::NamedValue> storage;
    const auto given = api::named_values(num_params, param_names, params, storage, "mg_symbol_call");
    const char* who = api::unwrap(op)->name.c_str();
    *out = api::give(Symbol::call(*api::unwrap(op), given, name ? name : next_name(who),
                                  attributes_from(num_attributes, keys, values, false, who),
                                  inputs_from(num_inputs, input_names, inputs, who)));
  });
}

mg_status mg_symbol_group(int32_t num_symbols, const mg_symbol* const* symbols, mg_symbol** out) {
  return api::guard([&] {
    api::check_list(num_symbols, symbols, "mg_symbol_group", "symbols");
    api::require(out, "mg_symbol_group", "out");
    api::vector<Symbol> all;
    for (int32_t i = 0; i < num_symbols; ++i) all.push_back(api::symbol_of(symbols[i], "mg_symbol_group"));
    *out = api::give(Symbol::group(all));
  });
}

mg_status mg_symbol_compose(const mg_symbol* symbol, const char* name, int32_t num_symbols,
                            const char* const* names, const mg_symbol* const* symbols, mg_symbol** out) {
  return api::guard([&] {
    api::require(out, "mg_symbol_compose", "out");
    *out = api::give(
        api::symbol_of(symbol, "mg_symbol_compose")
            .compose(inputs_from(num_symbols, names, symbols, "mg_symbol_compose"), name ? name : ""));
  });
}

mg_status mg_symbol_copy(const mg_symbol* symbol, mg_symbol** out) {
  return api::guard([&] {
    api::require(out, "mg_symbol_copy", "out");
    *out = api::give(api::symbol_of(symbol, "mg_symbol_copy").copy());
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
    api::vector<mixgrad::Entry> entries;
    for (auto& [name, entry] : cut.outer) {
      found.push_back(name);
      entries.push_back(entry);
    }
    auto list = api::make_unique<mg_string_list>();
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

}  // extern "C"
