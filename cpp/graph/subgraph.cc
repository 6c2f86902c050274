#include "graph/subgraph.h"

#include <unordered_map>

#include "base/error.h"

namespace mixgrad {
namespace {

class Cutter {
 public:
  Cutter(const std::string& key, const std::string& value) : key_(key), value_(value) {}

  CutSubgraph run(const Symbol& symbol) {
    for (Node* node : nodes_in_order(symbol.outputs())) {
      if (is_inside(*node)) add_copy(*node);
    }
    std::vector<Entry> heads;
    for (const Entry& head : symbol.outputs()) {
      if (!is_inside(*head.node)) {
        fail(Status::invalid_argument, "[subgraph] output '", head.node->name, "' has no attribute ", key_,
             " of ", value_, "; expected a node of the part that is cut");
      }
      heads.push_back(moved(head));
    }
    CutSubgraph cut{Symbol(std::move(heads)), {}};
    for (auto& [name, entry] : outer_) cut.outer.emplace_back(name, entry);
    return cut;
  }

 private:
  bool is_inside(const Node& node) const {
    const std::string* found = node.attributes.find(key_);
    return !node.is_variable() && found && *found == value_;
  }

  void add_copy(const Node& node) {
    NodeRef copy(new Node);
    copy->op = node.op;
    copy->params = node.params;
    copy->given = node.given;
    copy->name = node.name;
    copy->attributes = node.attributes;
    for (const Entry& in : node.inputs) copy->inputs.push_back(moved(in));
    copies_.emplace(&node, std::move(copy));
  }

  Entry moved(const Entry& e) {
    if (is_inside(*e.node)) return {copies_.at(e.node.get()), e.index};
    if (e.node->is_variable()) return e;
    std::vector<NodeRef>& made = variables_[e.node.get()];
    made.resize(static_cast<size_t>(e.node->num_outputs()));
    NodeRef& variable = made[e.index];
    if (!variable) {
      variable = Node::variable(e.node->output_name(e.index));
      outer_.emplace_back(variable->name, e);
    }
    return {variable, 0};
  }

  const std::string &key_, &value_;
  std::unordered_map<const Node*, NodeRef> copies_;
  std::unordered_map<const Node*, std::vector<NodeRef>> variables_;
  std::vector<std::pair<std::string, Entry>> outer_;
};

}  // namespace

CutSubgraph cut_subgraph(const Symbol& symbol, const std::string& key, const std::string& value) {
  return Cutter(key, value).run(symbol);
}

std::string subgraph_field(int i) { return "subgraph" + text(i); }

bool is_subgraph_field(const Op& op, const std::string& key) {
  for (int i = 0; i < op.num_subgraphs; ++i) {
    if (key == subgraph_field(i)) return true;
  }
  return false;
}

}  // namespace mixgrad
