#include "exec/tape/trace.h"

#include <algorithm>

#include "base/error.h"
#include "exec/imperative/mode.h"

namespace mixgrad {

Trace::Trace(Span<Array* const> inputs) : recording_(mode().recording), training_(mode().training) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    held_.emplace_back(inputs[i]);
    // An array given twice is one variable.
    values_.emplace(inputs[i], Entry{Node::variable(text("input", i)), 0});
  }
}

Trace*& Trace::current() {
  thread_local Trace* trace = nullptr;
  return trace;
}

Entry Trace::entry_of(Array& array) {
  const auto found = values_.find(&array);
  if (found != values_.end()) return found->second;
  const Entry entry{Node::variable(text("captured", captured_.size())), 0};
  // Both or none: a caller may go on without the memory that one of them lacks.
  if (captured_.size() == captured_.capacity()) captured_.reserve(2 * captured_.size() + 4);
  values_.emplace(&array, entry);
  captured_.emplace_back(&array);
  return entry;
}

Entry Trace::blocked(const Entry& entry) {
  if (quiet_.count(entry.node.get()) > 0) return entry;
  NodeRef& block = blocks_[{entry.node.get(), entry.index}];
  if (!block) {
    static const Op& op = find_op("BlockGrad");
    block = NodeRef(new Node);
    block->op = &op;
    block->params = op.defaults;
    block->name = text("blockgrad", counts_["blockgrad"]++);
    block->inputs.push_back(entry);
  }
  return {block, 0};
}

NodeRef Trace::node_of(const Op& op, const ParamsRef& params, Span<Array* const> in) {
  NodeRef node(new Node);
  node->op = &op;
  node->params = params;
  node->given = params_as_text(op, params->data());
  std::string name = op.name;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  const int number = counts_[name]++;
  node->name = text(name, number);
  if (mode().training != training_) node->attributes.set("__training__", mode().training ? "1" : "0");
  const bool quiet = recording_ && !mode().recording;
  if (quiet) quiet_.emplace(node.get(), node);
  for (size_t i = 0; i < in.size(); ++i) {
    const Entry entry = entry_of(*in[i]);
    const bool mutated = op.mutates(static_cast<int>(i));
    if (mutated && !entry.node->is_variable()) {
      fail(Status::unsupported, "[trace] ", op.name, " changes ", op.input_name(static_cast<int>(i)),
           ", which the function has computed itself; expected an array made outside");
    }
    node->inputs.push_back(quiet && !mutated ? blocked(entry) : entry);
  }
  return node;
}

void Trace::record_view(const Op& op, const ParamsRef& params, Array& base, const ArrayRef& view) {
  Array* const in[] = {&base};
  const NodeRef node = node_of(op, params, in);
  held_.push_back(view);
  values_[view.get()] = Entry{node, 0};
  views_.insert(&base);
  views_.insert(view.get());
}

void Trace::record(const Op& op, const ParamsRef& params, Span<Array* const> in, Span<const ArrayRef> out) {
  const NodeRef node = node_of(op, params, in);
  for (size_t i = 0; i < out.size(); ++i) {
    const auto before = values_.find(out[i].get());
    const bool fresh = before == values_.end();
    if (fresh && out[i]->chunk().push_version() > 0) {
      fail(Status::unsupported, "[trace] ", op.name,
           " writes into an array made outside the function; return the new value");
    }
    if (!fresh && (before->second.node->is_variable() || views_.count(out[i].get()) > 0)) {
      fail(Status::unsupported, "[trace] ", op.name, " writes in place into ",
           before->second.node->is_variable() ? "an array made outside the function"
                                              : "memory that a view shares",
           "; return the new value or write to a copy");
    }
    if (fresh) held_.push_back(out[i]);
    values_[out[i].get()] = Entry{node, static_cast<uint32_t>(i)};
  }
}

Symbol Trace::finish(Span<Array* const> outputs) {
  std::vector<Entry> heads;
  for (Array* array : outputs) heads.push_back(entry_of(*array));
  return Symbol(std::move(heads));
}

void refuse_while_tracing(const char* what) {
  if (!Trace::active()) return;
  fail(Status::unsupported, "[trace] ", what,
       " inside a function that is being traced, where nothing is computed yet; do it outside the function");
}

}  // namespace mixgrad
