#include <algorithm>

#include "base/build.h"
#include "base/error.h"
#include "base/json.h"
#include "base/names.h"
#include "base/nearest.h"
#include "graph/subgraph.h"
#include "graph/symbol_json.h"

namespace mixgrad {
namespace {

constexpr int kFirstVersion = 800;       // of files that do not say
constexpr int64_t kMostOutputs = 65536;  // of one node: a hostile count must not become memory
constexpr size_t kLongKey = 1000;        // of a parameter: longer than any input's name and attribute

class SymbolReader {
 public:
  SymbolReader(std::string_view text, const std::string& source)
      : source_(source), own_(parse_json(text, source)), root_(own_) {}
  // A part of a file.
  SymbolReader(const Json& part, const std::string& source, int64_t version)
      : source_(source), root_(part), version_(version) {}

  Symbol run() {
    if (!root_.object()) reject("the file", "holds ", root_.kind_name(), "; expected an object");
    version_ = version();
    const Json::Array& nodes = array_of(root_, "nodes", "the file");
    nodes_.reserve(nodes.size());
    for (const Json& node : nodes) read_node(node);
    std::vector<Entry> heads = entries_of(array_of(root_, "heads", "the file"), "the list of heads");
    if (heads.empty()) reject("the file", "has no heads");
    return Symbol(std::move(heads));
  }

 private:
  // `why` as of fail().
  template <class... Args>
  [[noreturn]] void reject(const std::string& where, const Args&... why) const {
    refuse(Status::format, where, why...);
  }
  template <class... Args>
  [[noreturn]] void refuse(Status status, const std::string& where, const Args&... why) const {
    fail(status, "[symbol] ", source_, ": ", where, " ", why...);
  }

  const Json::Array& array_of(const Json& object, const char* key, const std::string& where) const {
    const Json* found = object.find(key);
    if (!found) reject(where, "has no \"", key, "\"");
    if (!found->array()) reject(where, "has ", found->kind_name(), " as \"", key, "\"; expected an array");
    return *found->array();
  }

  const std::string& string_of(const Json& object, const char* key, const std::string& where) const {
    const Json* found = object.find(key);
    if (!found) reject(where, "has no \"", key, "\"");
    if (!found->string()) reject(where, "has ", found->kind_name(), " as \"", key, "\"; expected text");
    if (found->string()->find('\0') != std::string::npos)
      reject(where, "has a zero character in \"", key, "\"; expected text without");
    return *found->string();
  }

  // "attrs": {"mxnet_version": ["int", 10901]}
  int64_t version() const {
    const Json* attrs = root_.find("attrs");
    const Json* pair = attrs ? attrs->find("mxnet_version") : nullptr;
    if (!pair || !pair->array() || pair->array()->size() != 2) return version_;
    const int64_t* number = (*pair->array())[1].integer();
    return number ? *number : version_;
  }

  // [[node, output], ...] or [[node, output, version], ...]
  std::vector<Entry> entries_of(const Json::Array& written, const std::string& where) const {
    std::vector<Entry> entries;
    entries.reserve(written.size());
    for (const Json& item : written) {
      const Json::Array* numbers = item.array();
      const bool fits = numbers && (numbers->size() == 2 || numbers->size() == 3);
      const int64_t* node = fits ? (*numbers)[0].integer() : nullptr;
      const int64_t* index = fits ? (*numbers)[1].integer() : nullptr;
      if (!node || !index)
        reject(where, "has an entry that is not [node, output] or [node, output, version]");
      if (*node < 0 || *node >= static_cast<int64_t>(nodes_.size()))
        reject(where, "refers to node ", *node, "; ", nodes_.size(), " nodes come before it");
      const NodeRef& from = nodes_[static_cast<size_t>(*node)];
      // Outputs that users do not see may have no values.
      if (*index < 0 || *index >= from->num_visible()) {
        reject(where, "refers to output ", *index, " of node ", *node, " '", from->name, "', which has ",
               from->num_visible());
      }
      entries.push_back({from, static_cast<uint32_t>(*index)});
    }
    return entries;
  }

  std::vector<WrittenItem> items_of(const Json& node, const std::string& where) const {
    std::vector<WrittenItem> items;
    const bool split = node.find("param") != nullptr;
    for (const char* key : {"param", "attr", "attrs"}) {
      const Json* found = node.find(key);
      if (!found || found->is_null()) continue;
      if (!found->object())
        reject(where, "has ", found->kind_name(), " as \"", key, "\"; expected an object");
      for (const auto& [name, value] : *found->object()) {
        if (!value.string())
          reject(where, "has ", value.kind_name(), " as parameter \"", name, "\"; expected text");
        items.push_back({name, *value.string(), split && std::string(key) == "attr"});
      }
    }
    return items;
  }

  void read_node(const Json& json) {
    std::string where = text("node ", nodes_.size());
    if (!json.object()) reject(where, "is ", json.kind_name(), "; expected an object");
    const std::string& name = string_of(json, "name", where);
    const std::string& op_name = string_of(json, "op", where);
    where += " '" + name.substr(0, 100) + "'";
    const std::vector<WrittenItem> items = items_of(json, where);
    NodeRef node(new Node);
    node->name = name;
    for (Entry& input : entries_of(array_of(json, "inputs", where), where))
      node->inputs.push_back(std::move(input));
    if (op_name == "null") {
      if (!node->inputs.empty()) reject(where, "is a variable with inputs");
      std::vector<Attributes::Item> attributes;
      for (const WrittenItem& item : items) {
        const std::string kept = attribute_key(item.key);
        attributes.emplace_back(kept.empty() ? item.key : kept, item.value);
      }
      node->attributes.set_all(std::move(attributes));
    } else if (NodeRef layer = fused_layer({op_name, *node, items, json, source_, version_}, where)) {
      node = layer;
    } else {
      read_call(*node, op_name, items, subgraphs_of(json, where), where);
    }
    nodes_.push_back(std::move(node));
  }

  NodeRef fused_layer(const WrittenNode& written, const std::string& where) const {
    if (!expand_fused_layer) return {};
    try {
      return expand_fused_layer(written);
    } catch (const Error& error) {
      refuse(error.status(), where, error.message());
    }
  }

  // As text of their own, which is what their operator takes.
  Strings subgraphs_of(const Json& node, const std::string& where) const {
    Strings parts;
    const Json* found = node.find("subgraphs");
    if (!found || found->is_null()) return parts;
    if (!write_subgraph) fail(Status::unsupported, "[symbol] this build has no operators with graphs inside");
    for (const Json& part : array_of(node, "subgraphs", where)) {
      const std::string source = text(source_, ": ", where, ": subgraph ", parts.size());
      parts.push_back(write_subgraph(SymbolReader(part, source, version_).run()));
    }
    return parts;
  }

  void read_call(Node& node, const std::string& op_name, const std::vector<WrittenItem>& items,
                 const Strings& subgraphs, const std::string& where) {
    try {
      node.op = &find_op(op_name);
    } catch (const Error& error) {
      refuse(error.status(), where, error.message());
    }
    const Op& op = *node.op;
    std::vector<NamedValue> values;
    std::vector<WrittenItem> of_inputs;
    std::vector<Attributes::Item> attributes;
    Strings subgraph_names;
    if (static_cast<int>(subgraphs.size()) != op.num_subgraphs) {
      reject(where, "(", op.name, ") has ", subgraphs.size(), " subgraphs; expected ", op.num_subgraphs);
    }
    for (size_t i = 0; i < subgraphs.size(); ++i)
      subgraph_names.push_back(subgraph_field(static_cast<int>(i)));
    for (size_t i = 0; i < subgraphs.size(); ++i) {
      values.push_back({subgraph_names[i].c_str(), Value(subgraphs[i].c_str())});
      node.given.set(subgraph_names[i], subgraphs[i]);
    }
    for (const WrittenItem& item : items) {
      const int field = op.schema->index_of(item.key.c_str());
      if (field >= 0 && !(is_subgraph_field(op, item.key))) {
        if (is_outdated(op, item)) continue;
        const bool clears = item.value == "None" && op.schema->fields[static_cast<size_t>(field)].optional;
        values.push_back({item.key.c_str(), clears ? Value() : Value(item.value.c_str())});
        node.given.set(item.key, item.value);
        continue;
      }
      const std::string kept = attribute_key(item.key);
      if (kTraining && kept.empty() && op.schema->others) {
        values.push_back({item.key.c_str(), Value(item.value.c_str())});
        node.given.set(item.key, item.value);
        continue;
      }
      const bool of_input = kept.empty() && !ends_in_attribute(item.key).empty();
      // MXNet does not look at what operators without parameters are given: zeros_like(dtype='float32').
      if (kept.empty() && !of_input && !item.lenient && !op.schema->fields.empty()) {
        Strings known;
        for (const Field& f : op.schema->fields) {
          if (kTexts) known.push_back(f.name);
        }
        refuse(Status::invalid_argument, where, "(", op.name, ") has an unknown parameter '", item.key, "'",
               nearest_names(item.key, known));
      }
      if (of_input)
        of_inputs.push_back(item);
      else
        attributes.emplace_back(kept.empty() ? item.key : kept, item.value);
    }
    node.attributes.set_all(std::move(attributes));
    try {
      node.params = make_params(op, values);
      if constexpr (kTraining) node.op = &op.variant(node.params->data());
    } catch (const Error& error) {
      refuse(error.status(), where, error.message());
    }
    complete_inputs(node, where);
    if (node.num_outputs() < 1 || node.num_outputs() > kMostOutputs)
      reject(where, "(", op.name, ") has ", node.num_outputs(), " outputs; expected 1 to ", kMostOutputs);
    if (!of_inputs.empty()) set_input_attributes(node, of_inputs);
    if (version_ < 904) set_initialisers(node);
  }

  // Files before 0.9.5 wrote -1 where later ones leave the axis of argmax out.
  bool is_outdated(const Op& op, const WrittenItem& item) const {
    const bool arg = op.name == "argmax" || op.name == "argmin";
    return version_ < 905 && arg && item.key == "axis" && item.value == "-1";
  }

  // "lr_mult" of "weight_lr_mult"; "" of other keys.
  static std::string ends_in_attribute(const std::string& key) {
    if (key.size() > kLongKey) return "";
    for (size_t at = key.find('_'); at != std::string::npos; at = key.find('_', at + 1)) {
      const std::string tail = key.substr(at + 1);
      if (at > 0 && tail.compare(0, 2, "__") != 0 && !attribute_key(tail).empty()) return tail;
    }
    return "";
  }

  // "weight_lr_mult" of a layer is lr_mult of its variable.
  static void set_input_attributes(Node& node, const std::vector<WrittenItem>& items) {
    NameTable names;  // of inputs, in order
    for (size_t i = 0; i < node.inputs.size(); ++i) names.add(node.op->input_name(static_cast<int>(i)));
    std::vector<Attributes::Item> others;
    for (const WrittenItem& item : items) {
      const std::string tail = ends_in_attribute(item.key);
      const uint32_t i = names.find(std::string_view(item.key).substr(0, item.key.size() - tail.size() - 1));
      if (i < node.inputs.size() && node.inputs[i].node->is_variable())
        node.inputs[i].node->attributes.set(attribute_key(tail), item.value);
      else
        others.emplace_back(item.key, item.value);
    }
    node.attributes.set_all(std::move(others));
  }

  // Files before 0.9 leave out states, which become variables.
  void complete_inputs(Node& node, const std::string& where) const {
    const Op& op = *node.op;
    const int wanted = op.num_inputs(node.param_data()), got = static_cast<int>(node.inputs.size());
    if (wanted < 0 ? got > 0 : got == wanted) return;
    if (got > wanted || version_ >= 900 || op.variadic) {
      refuse(Status::invalid_argument, where, "(", op.name, ") has ", got, " inputs; expected ",
             wanted < 0 ? std::string("at least 1") : text(wanted));
    }
    for (int i = got; i < wanted; ++i)
      node.inputs.push_back({Node::variable(node.name + "_" + op.input_name(i)), 0});
  }

  static void set_initialisers(Node& node) {
    for (size_t i = 0; i < node.inputs.size() && i < node.op->inputs.size() && !node.op->variadic; ++i) {
      Node& input = *node.inputs[i].node;
      const std::string& init = node.op->inputs[i].init;
      if (input.is_variable() && !init.empty() && !input.attributes.find("__init__"))
        input.attributes.set("__init__", init);
    }
  }

  const std::string& source_;
  const Json own_;
  const Json& root_;
  int64_t version_ = kFirstVersion;
  std::vector<NodeRef> nodes_;
};

}  // namespace

std::string (*write_subgraph)(const Symbol& symbol) = nullptr;
NodeRef (*expand_fused_layer)(const WrittenNode& layer) = nullptr;

Symbol read_symbol(std::string_view text, const std::string& source) {
  return SymbolReader(text, source).run();
}

Symbol read_subgraph(const Json& graph, const std::string& source, int64_t version) {
  return SymbolReader(graph, source, version).run();
}

}  // namespace mixgrad
