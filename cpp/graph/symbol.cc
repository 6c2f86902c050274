#include "graph/symbol.h"

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "base/nearest.h"
#include "graph/node_map.h"
#include "graph/subgraph.h"

namespace mixgrad {
namespace {

// Copies of all nodes; variables in `replaced` become the entry given.
std::vector<Entry> copy_entries(const std::vector<Entry>& heads,
                                const std::unordered_map<const Node*, Entry>& replaced) {
  std::unordered_map<const Node*, NodeRef> copies;
  const auto moved = [&](const Entry& e) {
    const auto given = replaced.find(e.node.get());
    return given != replaced.end() ? given->second : Entry{copies.at(e.node.get()), e.index};
  };
  for (const Node* node : nodes_in_order(heads)) {
    if (replaced.count(node)) continue;
    NodeRef copy(new Node);
    copy->op = node->op;
    copy->params = node->params;
    copy->given = node->given;
    copy->name = node->name;
    copy->attributes = node->attributes;
    copy->inputs.reserve(node->inputs.size());
    for (const Entry& in : node->inputs) copy->inputs.push_back(moved(in));
    copies.emplace(node, std::move(copy));
  }
  std::vector<Entry> out;
  for (const Entry& head : heads) out.push_back(moved(head));
  return out;
}

std::vector<Node*> variables_of(const std::vector<Entry>& heads) {
  std::vector<Node*> variables;
  for (Node* node : nodes_in_order(heads)) {
    if (node->is_variable()) variables.push_back(node);
  }
  return variables;
}

// Variables that no node writes, or those that one does.
Strings variable_names(const std::vector<Entry>& heads, bool written) {
  NodeMap places;
  const std::vector<Node*> order = nodes_in_order(heads, places);
  std::vector<bool> is_written(order.size(), false);
  std::vector<const Node*> variables;
  for (const Node* node : order) {
    if (node->is_variable()) variables.push_back(node);
    if (!node->op || !node->op->has_states) continue;
    for (size_t i = 0; i < node->inputs.size(); ++i) {
      if (node->op->mutates(static_cast<int>(i))) is_written[places.at(node->inputs[i].node.get())] = true;
    }
  }
  Strings names;
  for (const Node* variable : variables) {
    if (is_written[places.at(variable)] == written) names.push_back(variable->name);
  }
  return names;
}

}  // namespace

Symbol Symbol::variable(std::string name, Attributes attributes) {
  if (name.empty()) fail(Status::invalid_argument, "[variable] a variable needs a name");
  return Symbol({Entry{Node::variable(std::move(name), std::move(attributes)), 0}});
}

Symbol Symbol::group(Span<const Symbol> symbols) {
  std::vector<Entry> all;
  for (const Symbol& s : symbols) all.insert(all.end(), s.outputs_.begin(), s.outputs_.end());
  if (all.empty()) fail(Status::invalid_argument, "[group] expected at least one symbol");
  return Symbol(std::move(all));
}

Symbol Symbol::output(size_t index) const {
  if (index >= size())
    fail(Status::index, "[symbol] output ", index, " of a symbol with ", size(), " outputs");
  return Symbol({outputs_[index]});
}

size_t Symbol::find_output(const std::string& name) const {
  const Strings names = list_outputs();
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    fail(Status::not_found, "[symbol] no output is called '", name, "'", nearest_names(name, names));
  if (std::find(at + 1, names.end(), name) != names.end())
    fail(Status::invalid_argument, "[symbol] several outputs are called '", name, "'; choose one by number");
  return static_cast<size_t>(at - names.begin());
}

Symbol Symbol::internals() const {
  std::vector<Entry> all;
  for (Node* node : nodes_in_order(outputs_)) {
    const uint32_t n = static_cast<uint32_t>(node->num_visible());
    for (uint32_t i = 0; i < n; ++i) all.push_back({NodeRef(node), i});
  }
  return Symbol(std::move(all));
}

Symbol Symbol::children() const {
  std::vector<Entry> all;
  std::vector<const Node*> seen;
  for (const Entry& head : outputs_) {
    if (std::find(seen.begin(), seen.end(), head.node.get()) != seen.end()) continue;
    seen.push_back(head.node.get());
    all.insert(all.end(), head.node->inputs.begin(), head.node->inputs.end());
  }
  return Symbol(std::move(all));
}

Symbol Symbol::copy() const { return Symbol(copy_entries(outputs_, {})); }

Symbol Symbol::compose(Span<const SymbolInput> inputs, const std::string& name) const {
  const std::vector<Node*> variables = variables_of(outputs_);
  std::unordered_map<std::string, std::vector<const Node*>> by_name;
  for (const Node* v : variables) by_name[v->name].push_back(v);
  std::unordered_map<const Node*, Entry> replaced;
  size_t place = 0;
  for (const SymbolInput& in : inputs) {
    const std::string shown = in.name.empty() ? text("argument ", place) : text("argument '", in.name, "'");
    if (in.symbol.size() != 1)
      fail(Status::invalid_argument, "[compose] ", shown, " has ", in.symbol.size(),
           " outputs; expected one");
    std::vector<const Node*> targets;
    if (in.name.empty()) {
      if (place >= variables.size())
        fail(Status::invalid_argument, "[compose] more arguments than the ", variables.size(), " variables");
      targets.push_back(variables[place++]);
    } else {
      const auto found = by_name.find(in.name);
      if (found == by_name.end()) {
        fail(Status::invalid_argument, "[compose] the symbol has no variable '", in.name, "'",
             nearest_names(in.name, list_inputs()));
      }
      targets = found->second;
    }
    for (const Node* target : targets) {
      if (!replaced.emplace(target, in.symbol.outputs()[0]).second)
        fail(Status::invalid_argument, "[compose] ", shown, " replaces '", target->name, "' a second time");
    }
  }
  Symbol result(copy_entries(outputs_, replaced));
  if (!name.empty() && !outputs_.empty() && !outputs_[0].node->is_variable())
    result.outputs_[0].node->name = name;
  return result;
}

Strings Symbol::list_arguments() const { return variable_names(outputs_, false); }
Strings Symbol::list_auxiliary_states() const { return variable_names(outputs_, true); }

Strings Symbol::list_inputs() const {
  Strings names;
  for (const Node* v : variables_of(outputs_)) names.push_back(v->name);
  return names;
}

Strings Symbol::list_outputs() const {
  Strings names;
  for (const Entry& e : outputs_) names.push_back(e.node->output_name(e.index));
  return names;
}

std::string Symbol::name() const {
  for (const Entry& e : outputs_) {
    if (e.node != outputs_[0].node) return "";
  }
  return outputs_.empty() ? "" : outputs_[0].node->name;
}

std::string Symbol::debug_text() const {
  std::string out;
  const bool lone = outputs_.size() == 1 && outputs_[0].node->is_variable();
  if (!lone) {
    out += "Symbol Outputs:\n";
    for (size_t i = 0; i < outputs_.size(); ++i)
      out += text("\toutput[", i, "]=", outputs_[i].node->name, '(', outputs_[i].index, ")\n");
  }
  for (const Node* node : nodes_in_order(outputs_)) {
    if (node->is_variable()) {
      out += text("Variable:", node->name, '\n');
      continue;
    }
    out += text("--------------------\nOp:", node->op->name, ", Name=", node->name, "\nInputs:\n");
    for (size_t i = 0; i < node->inputs.size(); ++i)
      out += text("\targ[", i, "]=", node->inputs[i].node->name, '(', node->inputs[i].index, ")\n");
    std::vector<Attributes::Item> shown;
    for (const Attributes::Item& item : node->given.items()) {
      if (!is_subgraph_field(*node->op, item.first)) shown.push_back(item);
    }
    shown.insert(shown.end(), node->attributes.items().begin(), node->attributes.items().end());
    sort_attributes(shown);
    if (!shown.empty()) out += "Attrs:\n";
    for (const Attributes::Item& item : shown) out += text('\t', item.first, '=', item.second, '\n');
  }
  return out;
}

}  // namespace mixgrad
