#include "graph/node.h"

#include <algorithm>

#include "base/error.h"
#include "base/order.h"
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
  if (!items_) return nullptr;
  const auto at = std::lower_bound(items_->begin(), items_->end(), key, before_key);
  return at != items_->end() && at->first == key ? &at->second : nullptr;
}

void Attributes::set(const std::string& key, std::string value) {
  if (!items_) items_ = std::make_unique<std::vector<Item>>();
  const auto at = std::lower_bound(items_->begin(), items_->end(), key, before_key);
  if (at != items_->end() && at->first == key)
    at->second = std::move(value);
  else
    items_->emplace(at, key, std::move(value));
}

void Attributes::set_all(std::vector<Item> items) {
  if (items.empty()) return;
  std::vector<Item> all;
  if (items_) all.swap(*items_);
  for (Item& item : items) all.push_back(std::move(item));
  std::vector<uint32_t> order = numbers_below(all.size());
  sort_by(order, [&](size_t a, size_t b) { return all[a].first < all[b].first; });
  items_ = std::make_unique<std::vector<Item>>();
  items_->reserve(all.size());
  for (const size_t i : order) {
    if (!items_->empty() && items_->back().first == all[i].first)
      items_->back() = std::move(all[i]);
    else
      items_->push_back(std::move(all[i]));
  }
}

void NodeInputs::reserve(size_t count) {
  if (count <= capacity_) return;
  auto room = std::make_unique<std::vector<Entry>>(count);
  std::move(begin(), end(), room->begin());
  more_ = std::move(room);
  capacity_ = static_cast<uint32_t>(count);
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
  if (visible == 1 && index == 0 && !op->acts) {
    // As in MXNet, where outputs that nobody sees count, unless the operator names them.
    const bool numbered = num_outputs() > 1 && op->outputs[0].name == "output0";
    return name + (numbered ? "_output0" : "_output");
  }
  if (op->outputs.size() == 1) return text(name, "_output", index);
  const std::string& port = index < op->outputs.size() ? op->outputs[index].name : "";
  return name + "_" + (port == "out" ? "output" : port);
}

void Node::destroy() const {
  thread_local const Node* doomed = nullptr;
  thread_local bool at_work = false;
  doomed_ = doomed;
  doomed = this;
  if (at_work) return;
  at_work = true;
  while (const Node* node = doomed) {
    doomed = node->doomed_;
    delete node;
  }
  at_work = false;
}

uint32_t NodeMap::find_page(uintptr_t page, bool add) {
  if (add && 2 * (pages_.size() + 1) > slots_.size()) grow();
  if (slots_.empty()) return kMissing;
  const size_t mask = slots_.size() - 1;
  size_t at = slot_of(page);
  for (; slots_[at] != kMissing; at = (at + 1) & mask) {
    if (pages_[slots_[at]].page == page) return slots_[at];
  }
  if (!add) return kMissing;
  slots_[at] = static_cast<uint32_t>(pages_.size());
  Page& fresh = pages_.emplace_back();
  fresh.page = page;
  std::fill(std::begin(fresh.numbers), std::end(fresh.numbers), kMissing);
  return slots_[at];
}

void NodeMap::grow() {
  slots_.assign(slots_.empty() ? 16 : 4 * slots_.size(), kMissing);
  shift_ = 64;
  for (size_t n = slots_.size(); n > 1; n /= 2) --shift_;
  const size_t mask = slots_.size() - 1;
  for (uint32_t p = 0; p < pages_.size(); ++p) {
    size_t at = slot_of(pages_[p].page);
    while (slots_[at] != kMissing) at = (at + 1) & mask;
    slots_[at] = p;
  }
}

std::vector<Node*> nodes_in_order(Span<const Entry> heads) {
  NodeMap places;
  return nodes_in_order(heads, places);
}

std::vector<Node*> nodes_in_order(Span<const Entry> heads, NodeMap& places) {
  // A node is read when it is met, and not again when all its inputs are in the list.
  struct Visit {
    Node* node;
    const Entry *next, *end;  // inputs to look at
    NodeMap::Spot spot;
  };
  std::vector<Node*> order;
  std::vector<Visit> stack;
  // Nodes made one after another often lie at equal distances: the one to be met in kAhead steps is guessed, and fetched.
  constexpr size_t kAhead = 8;
  uintptr_t met[kAhead] = {};
  size_t count = 0;
  const auto fetch_later = [&](const Node* node) {
    const uintptr_t here = reinterpret_cast<uintptr_t>(node);
    uintptr_t& before = met[count++ % kAhead];
    const char* later = reinterpret_cast<const char*>(2 * here - before);
    before = here;
    __builtin_prefetch(later);
    __builtin_prefetch(later + 64);
  };
  const auto meet = [&](Node* node) {
    const NodeMap::Spot spot = places.spot_of(node);
    if (places.at(spot) != NodeMap::kMissing) return;
    places.set(spot, 0);
    fetch_later(node);
    const NodeInputs& inputs = node->inputs;
    stack.push_back({node, inputs.begin(), inputs.end(), spot});
  };
  for (const Entry& head : heads) {
    meet(head.node.get());
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.next == top.end) {
        places.set(top.spot, static_cast<uint32_t>(order.size()));
        order.push_back(top.node);
        stack.pop_back();
        continue;
      }
      meet((top.next++)->node.get());
    }
  }
  return order;
}

}  // namespace mixgrad
