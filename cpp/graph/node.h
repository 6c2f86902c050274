// What symbols are made of: variables and applied operators, linked from outputs to inputs.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/intrusive.h"
#include "op/op.h"

namespace mixgrad {

class Node;
using NodeRef = Ref<Node>;

// One output of a node.
struct Entry {
  NodeRef node;
  uint32_t index = 0;
};

// Text by key, sorted by key: what users attach to nodes (ctx_group, __mirror_stage__, __shape__, __lr_mult__, ...).
class Attributes {
 public:
  using Item = std::pair<std::string, std::string>;
  // Null when there is none.
  const std::string* find(const std::string& key) const;
  void set(const std::string& key, std::string value);
  // The same for all of them in turn, in time that does not grow with the square of their number.
  void set_all(std::vector<Item> items);
  bool empty() const { return !items_; }
  Span<const Item> items() const { return items_ ? Span<const Item>(*items_) : Span<const Item>(); }

  Attributes() = default;
  Attributes(const Attributes& other)
      : items_(other.items_ ? std::make_unique<std::vector<Item>>(*other.items_) : nullptr) {}
  Attributes(Attributes&&) noexcept = default;
  Attributes& operator=(Attributes other) noexcept {
    items_.swap(other.items_);
    return *this;
  }
  ~Attributes() = default;

 private:
  std::unique_ptr<std::vector<Item>> items_;  // null where there are none, as in most nodes
};

// By key, then value. There are few.
void sort_attributes(std::vector<Attributes::Item>& items);

// What a node reads. Up to three entries lie in the node itself, so that walks wait for nodes only.
class NodeInputs {
 public:
  NodeInputs() = default;
  NodeInputs(const NodeInputs&) = delete;  // nor moves: they stay in their node
  NodeInputs& operator=(const NodeInputs&) = delete;

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Entry* begin() { return more_ ? more_->data() : inside_; }
  Entry* end() { return begin() + size_; }
  const Entry* begin() const { return more_ ? more_->data() : inside_; }
  const Entry* end() const { return begin() + size_; }
  Entry& operator[](size_t i) { return begin()[i]; }
  const Entry& operator[](size_t i) const { return begin()[i]; }
  operator Span<const Entry>() const { return {begin(), size_}; }
  // Room for so many, to be pushed.
  void reserve(size_t count);
  void push_back(Entry entry) {
    if (size_ == capacity_) reserve(2 * size_t{size_});
    begin()[size_++] = std::move(entry);
  }

 private:
  static constexpr uint32_t kInside = 3;
  uint32_t size_ = 0, capacity_ = kInside;
  Entry inside_[kInside];
  std::unique_ptr<std::vector<Entry>> more_;  // all of them, where there are more
};

// A variable or one application of an operator. Shared by all symbols that reach it, so only its name and attributes
// change once it has users. A chain of any length is let go of without recursion. Threads: the count is atomic; changing
// a node while another thread reads it is the caller's to avoid.
class Node {
 public:
  const Op* op = nullptr;  // null: a variable
  ParamsRef params;        // null of variables
  NodeInputs inputs;       // as many as the operator takes under these params
  Attributes attributes;
  Attributes given;  // parameters as the user wrote them: what files and attr() show
  std::string name;

  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  static NodeRef variable(std::string name, Attributes attributes = {});
  bool is_variable() const { return op == nullptr; }
  const void* param_data() const { return params ? params->data() : nullptr; }
  // 1 of variables.
  int num_outputs() const { return op ? op->num_outputs(param_data()) : 1; }
  int num_visible() const { return op ? op->num_visible(param_data()) : 1; }
  // "fc1_output", "bn_mean", "split0_output1"; a variable's is its name.
  std::string output_name(uint32_t index) const;

  void retain() const { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy();
  }

 private:
  ~Node() = default;
  void destroy() const;
  mutable std::atomic<int> count_{0};
};

// All nodes that the entries reach, inputs before users: depth first, inputs in order. Every list of arguments and every
// file follows this order, which is MXNet's.
std::vector<Node*> nodes_in_order(Span<const Entry> heads);

// The same, and the place of each in the list.
class NodeMap;
std::vector<Node*> nodes_in_order(Span<const Entry> heads, NodeMap& places);

}  // namespace mixgrad
