// Applying an operator to symbols, and the attributes of nodes.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/nearest.h"
#include "graph/subgraph.h"
#include "graph/symbol_json.h"

namespace mixgrad {
namespace {

constexpr const char* kAttributeKeys[] = {"ctx_group",       "lr_mult",      "wd_mult",
                                          "force_mirroring", "mirror_stage", "profiler_scope"};

bool is_marked(const std::string& key) {
  return key.size() > 4 && key.compare(0, 2, "__") == 0 && key.compare(key.size() - 2, 2, "__") == 0;
}

// Input i of a node: a new variable that inherits the node's attributes and the text of its parameters, as files have them.
Entry missing_input(const Op& op, const Node& node, int i) {
  Attributes attributes = node.attributes;
  for (const Attributes::Item& item : node.given.items()) {
    if (!is_subgraph_field(op, item.first)) attributes.set(item.first, item.second);
  }
  const size_t port = static_cast<size_t>(i);
  if (!op.variadic && port < op.inputs.size() && !op.inputs[port].init.empty())
    attributes.set("__init__", op.inputs[port].init);
  return {Node::variable(node.name + "_" + op.input_name(i), std::move(attributes)), 0};
}

int find_input(const Op& op, const std::string& name, int count) {
  for (int i = 0; i < count; ++i) {
    if (op.input_name(i) == name) return i;
  }
  Strings known;
  for (int i = 0; i < count; ++i) known.push_back(op.input_name(i));
  fail(Status::invalid_argument, "[", op.name, "] has no input '", name, "'", nearest_names(name, known));
}

// A value of text form for one field: "None" clears an optional one whatever its type.
Value field_value(const Field& field, const Value& value) {
  const bool none = value.kind == ValueKind::string && std::strcmp(value.string, "None") == 0;
  return none && field.optional ? Value() : value;
}

}  // namespace

std::string attribute_key(const std::string& key) {
  if (is_marked(key)) return key;
  for (const char* known : kAttributeKeys) {
    if (key == known) return "__" + key + "__";
  }
  return "";
}

Attributes params_as_text(const Op& op, const void* params) {
  Attributes text;
  for (const Field& field : op.schema->fields) {
    const OwnedValue value = field.get(params);
    const bool usual =
        !field.required && op.defaults && field.get(op.defaults->data()).get().str() == value.get().str();
    if (!usual) text.set(field.name, value.get().file_str());
  }
  if (op.schema->others) {
    for (const NamedText& other : op.schema->others(const_cast<void*>(params)))
      text.set(other.name, other.text);
  }
  return text;
}

std::vector<Attributes::Item> visible_attributes(const Node& node) {
  std::vector<Attributes::Item> items;
  for (const Attributes::Item& item : node.given.items()) {
    if (!node.op || !is_subgraph_field(*node.op, item.first)) items.push_back(item);
  }
  for (const Attributes::Item& item : node.attributes.items()) {
    items.push_back(item);
    for (const char* known : kAttributeKeys) {
      if (item.first == "__" + std::string(known) + "__") items.emplace_back(known, item.second);
    }
  }
  return items;
}

Symbol Symbol::call(const Op& named, ParamsRef params, Attributes given, std::string name,
                    Attributes attributes, Span<const SymbolInput> inputs) {
  const NodeRef node(new Node);
  const Op& op = named.variant(params->data());
  node->op = &op;
  node->params = std::move(params);
  node->given = std::move(given);
  node->name = std::move(name);
  node->attributes = std::move(attributes);
  int count = op.num_inputs(node->param_data());
  if (count < 0) count = static_cast<int>(inputs.size());
  if (count == 0 && op.variadic)
    fail(Status::invalid_argument, "[", op.name, "] got no inputs; expected at least 1");
  node->inputs.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) node->inputs.push_back({});
  int place = 0;
  for (const SymbolInput& in : inputs) {
    const int i = in.name.empty() ? place++ : find_input(op, in.name, count);
    if (i >= count) {
      fail(Status::invalid_argument, "[", op.name, "] '", node->name, "' got more inputs than the ", count,
           " it takes");
    }
    if (in.symbol.size() != 1) {
      fail(Status::invalid_argument, "[", op.name, "] input '", op.input_name(i), "' of '", node->name,
           "' has ", in.symbol.size(), " outputs; expected one (choose with [i])");
    }
    Entry& entry = node->inputs[static_cast<size_t>(i)];
    if (entry.node)
      fail(Status::invalid_argument, "[", op.name, "] input '", op.input_name(i), "' is given twice");
    entry = in.symbol.outputs()[0];
  }
  for (int i = 0; i < count; ++i) {
    Entry& entry = node->inputs[static_cast<size_t>(i)];
    if (!entry.node) entry = missing_input(op, *node, i);
  }
  constexpr int kMostOutputs = 65536;
  if (node->num_outputs() < 1 || node->num_outputs() > kMostOutputs) {
    fail(Status::invalid_argument, "[", op.name, "] '", node->name, "' would have ", node->num_outputs(),
         " outputs; expected 1 to ", kMostOutputs);
  }
  std::vector<Entry> outputs;
  for (int i = 0; i < node->num_visible(); ++i) outputs.push_back({node, static_cast<uint32_t>(i)});
  return Symbol(std::move(outputs));
}

Symbol Symbol::call(const Op& op, Span<const NamedValue> params, std::string name, Attributes attributes,
                    Span<const SymbolInput> inputs) {
  std::vector<NamedValue> values;
  Attributes given;
  Strings parts;  // graphs as files have them
  parts.reserve(static_cast<size_t>(op.num_subgraphs));
  const auto add = [&](const char* key, const Value& value) {
    const int field = op.schema->index_of(key);
    if (field < 0) {
      const std::string kept = attribute_key(key);
      if (!kept.empty()) return attributes.set(kept, value.file_str());
      if (op.schema->others) {
        values.push_back({key, value});
        return given.set(key, value.file_str());
      }
      Strings known;
      for (const Field& f : op.schema->fields) known.push_back(f.name);
      fail(Status::invalid_argument, "[", op.name, "] '", name, "' has no parameter '", key, "'",
           nearest_names(key, known));
    }
    if (parts.size() < static_cast<size_t>(op.num_subgraphs) && is_subgraph_field(op, key)) {
      parts.push_back(write_symbol(read_symbol(value.file_str(), "'" + name + "'")));
      values.push_back({key, Value(parts.back().c_str())});
      given.set(key, parts.back());
      return;
    }
    values.push_back({key, field_value(op.schema->fields[static_cast<size_t>(field)], value)});
    given.set(key, value.file_str());
  };
  for (const NamedValue& p : params) add(p.name, p.value);
  const int count_field = op.count_field ? op.schema->index_of(op.count_field) : -1;
  if (count_field >= 0 && !given.find(op.count_field))
    add(op.count_field, Value(static_cast<int64_t>(inputs.size())));
  return call(op, make_params(op, values), std::move(given), std::move(name), std::move(attributes), inputs);
}

}  // namespace mixgrad
