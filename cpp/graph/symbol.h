// Expressions that are built before they run: a list of node outputs, as users compose them.
#pragma once

#include "graph/node.h"

namespace mixgrad {

// An argument of a call or composition: by place when `name` is empty, else by the name of an input or variable.
struct SymbolInput;

// The outputs it stands for; at least one, except of the empty Symbol(). A value: operations give new symbols. Symbols
// share nodes, so an attribute set through one is seen through all.
class Symbol {
 public:
  Symbol() = default;
  explicit Symbol(std::vector<Entry> outputs) : outputs_(std::move(outputs)) {}
  // Throws Status::invalid_argument for an empty name.
  static Symbol variable(std::string name, Attributes attributes = {});
  // Applies an operator; its visible outputs. Inputs not given become variables called name_input ("fc1_weight"). `given`
  // holds the parameters that files shall name, as text. Unknown input names, inputs given twice, and inputs of several outputs throw
  // Status::invalid_argument.
  static Symbol call(const Op& op, ParamsRef params, Attributes given, std::string name,
                     Attributes attributes, Span<const SymbolInput> inputs);
  // The same with parameters as values or text; keys that are attributes (__key__, lr_mult, ctx_group, ...) go to the node.
  // Sets the count of a variadic operator.
  static Symbol call(const Op& op, Span<const NamedValue> params, std::string name, Attributes attributes,
                     Span<const SymbolInput> inputs);
  // All outputs of all symbols, in order.
  static Symbol group(Span<const Symbol> symbols);

  const std::vector<Entry>& outputs() const { return outputs_; }
  size_t size() const { return outputs_.size(); }
  Symbol output(size_t index) const;                  // throws Status::index
  size_t find_output(const std::string& name) const;  // throws Status::not_found naming near ones
  // Every visible output of every node.
  Symbol internals() const;
  // The inputs of the nodes whose outputs these are; empty of variables.
  Symbol children() const;
  // The same graph in nodes of its own.
  Symbol copy() const;
  // A copy with variables replaced: by name, or by place in list_inputs(). A non-empty `name` names the first node.
  Symbol compose(Span<const SymbolInput> inputs, const std::string& name) const;

  Strings list_arguments() const;         // variables that no operator writes
  Strings list_auxiliary_states() const;  // variables that an operator writes
  Strings list_inputs() const;            // both, in order
  Strings list_outputs() const;
  // Name of the one node; empty when there are several.
  std::string name() const;
  std::string debug_text() const;

 private:
  std::vector<Entry> outputs_;
};

struct SymbolInput {
  std::string name;
  Symbol symbol;
};

// Keys that users write plain and nodes keep as __key__: ctx_group, lr_mult, wd_mult, force_mirroring, mirror_stage,
// profiler_scope. Gives the form kept, or "" when the key is no attribute.
std::string attribute_key(const std::string& key);

// The attributes that users see of one node: its parameters in file form, then its attributes, hidden ones under both names.
std::vector<Attributes::Item> visible_attributes(const Node& node);
// Parameters that differ from their defaults or have none, in the string form of files: what nodes made without a user's
// text have as `given`.
Attributes params_as_text(const Op& op, const void* params);

}  // namespace mixgrad
