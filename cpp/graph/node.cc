#include "graph/node.h"

#include <algorithm>

#include "base/error.h"
#include "graph/node_map.h"

namespace mixgrad {
namespace {

bool before_key(const Attributes::Item& item, const std::string& key) { return item.first < key; }

}  // namespace

void sort_attributes(std::vector<Attributes::Item>& items) {
  for (size_t i = 1; i < items.size(); ++i) {
    for (size_t j = i; j > 0 && items[j] < items[j - 1]; --j) items[j].swap(items[j - 1]);
  }
}

const std::string* Attributes::find(const std::string& key) const {
  const auto at = std::lower_bound(items_.begin(), items_.end(), key, before_key);
  return at != items_.end() && at->first == key ? &at->second : nullptr;
}

void Attributes::set(const std::string& key, std::string value) {
  const auto at = std::lower_bound(items_.begin(), items_.end(), key, before_key);
  if (at != items_.end() && at->first == key)
    at->second = std::move(value);
  else
    items_.emplace(at, key, std::move(value));
}

NodeRef Node::variable(std::string name, Attributes attributes) {
  NodeRef node(new Node);
  node->name = std::move(name);
  node->attributes = std::move(attributes);
  return node;
}

std::string Node::output_name(uint32_t index) const {
  if (!op) return name;
  const int visible = num_visible();
  if (visible == 1 && index == 0) return name + "_output";
  if (op->outputs.size() == 1) return text(name, "_output", index);
  const std::string& port = index < op->outputs.size() ? op->outputs[index].name : "";
  return name + "_" + (port == "out" ? "output" : port);
}

void Node::destroy() const {
  thread_local std::vector<const Node*>* doomed = nullptr;
  if (doomed) {
    doomed->push_back(this);
    return;
  }
  std::vector<const Node*> list{this};
  doomed = &list;
  while (!list.empty()) {
    const Node* node = list.back();
    list.pop_back();
    delete node;
  }
  doomed = nullptr;
}

std::vector<Node*> nodes_in_order(Span<const Entry> heads) {
  NodeMap numbers;
  NodePlaces places{{}, &numbers};
  return nodes_in_order(heads, places);
}

uint32_t NodePlaces::of(const Node* node) const { return places[numbers->at(node)]; }

std::vector<Node*> nodes_in_order(Span<const Entry> heads, NodePlaces& found) {
  struct Visit {
    Node* node;
    uint32_t number;
    uint32_t next = 0;  // input to look at
  };
  std::vector<Node*> order;
  NodeMap& seen = *found.numbers;
  std::vector<Visit> stack;
  const auto meet = [&](Node* node) {
    const uint32_t number = static_cast<uint32_t>(seen.size());
    if (!seen.insert(node, number)) return;
    found.places.push_back(0);
    stack.push_back({node, number});
  };
  for (const Entry& head : heads) {
    meet(head.node.get());
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.next == top.node->inputs.size()) {
        found.places[top.number] = static_cast<uint32_t>(order.size());
        order.push_back(top.node);
        stack.pop_back();
        continue;
      }
      meet(top.node->inputs[top.next++].node.get());
    }
  }
  return order;
}

}  // namespace mixgrad
