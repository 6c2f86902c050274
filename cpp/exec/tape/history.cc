// What was recorded, as a graph.
#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "base/error.h"
#include "exec/tape/tape.h"

namespace mixgrad {
namespace {

// The nodes that a link leads to, oldest first, so that inputs come before their users.
std::vector<TapeNode*> recorded_nodes(TapeNode* last) {
  std::vector<TapeNode*> found, waiting;
  std::unordered_map<const TapeNode*, bool> met;
  const auto meet = [&](TapeNode* node) {
    if (node && met.emplace(node, true).second) waiting.push_back(node);
  };
  meet(last);
  while (!waiting.empty()) {
    TapeNode* node = waiting.back();
    waiting.pop_back();
    found.push_back(node);
    for (const TapeNode::Input& input : node->inputs()) meet(as_node(input.link.get()));
  }
  std::sort(found.begin(), found.end(),
            [](const TapeNode* a, const TapeNode* b) { return a->sequence() < b->sequence(); });
  return found;
}

class History {
 public:
  void add(TapeNode& from) {
    if (from.freed()) {
      fail(Status::autograd, "[get_symbol] what led to the output of '", from.name(),
           "' was freed by a backward pass; ask before, or pass retain_graph=True there");
    }
    if (const Symbol* graph = from.graph()) return add_graph(from, *graph);
    if (!from.op()) {
      fail(Status::unsupported, "[get_symbol] '", from.name(),
           "' is no operator but a function of the program; its calls are not part of a symbol");
    }
    NodeRef node(new Node);
    node->op = from.op();
    node->params = from.params();
    node->given = params_as_text(*node->op, node->params->data());
    node->name = node->op->name;
    for (char& c : node->name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    node->name += text(counts_[node->name]++);
    for (const TapeNode::Input& input : from.inputs())
      node->inputs.push_back(entry(input.link.get(), input.slot));
    nodes_.emplace(&from, std::move(node));
  }

  Entry entry(TapeLink* link, uint32_t slot) {
    if (TapeNode* node = as_node(link)) {
      const auto graph = graphs_.find(node);
      return graph == graphs_.end() ? Entry{nodes_.at(node), slot} : graph->second.outputs()[slot];
    }
    if (!link) return {variable(), 0};
    NodeRef& leaf = nodes_[link];
    if (!leaf) leaf = variable();
    return {leaf, 0};
  }

 private:
  // The nodes of a graph that was called, with what it was called with in place of its arguments.
  void add_graph(TapeNode& from, const Symbol& graph) {
    const Strings names = graph.list_arguments();
    std::vector<SymbolInput> inputs;
    for (size_t i = 0; i < names.size(); ++i) {
      const TapeNode::Input& input = from.inputs()[i];
      inputs.push_back({names[i], Symbol({entry(input.link.get(), input.slot)})});
    }
    graphs_.emplace(&from, graph.compose(inputs, ""));
  }

  NodeRef variable() { return Node::variable(text("var", variables_++)); }

  std::unordered_map<const TapeLink*, NodeRef> nodes_;
  std::unordered_map<const TapeNode*, Symbol> graphs_;
  std::unordered_map<std::string, int> counts_;
  int variables_ = 0;
};

}  // namespace

Symbol history_of(const Array& array) {
  if (!array.link()) {
    fail(Status::autograd, "[get_symbol] the array of shape ", array.shape(),
         " was not computed from variables under autograd.record()");
  }
  History history;
  if (TapeNode* last = as_node(array.link())) {
    for (TapeNode* node : recorded_nodes(last)) history.add(*node);
  }
  return Symbol({history.entry(array.link(), array.link_slot())});
}

}  // namespace mixgrad
