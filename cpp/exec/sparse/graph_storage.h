// How the values of a graph are stored, and the gradients of its arguments.
#pragma once

#include "array/sparse.h"
#include "graph/graph.h"

namespace mixgrad::sparse {

// Which storage types follow in a graph from those of its variables. Shapes and dtypes are known.
class GraphStorage {
 public:
  // Throws Status::invalid_argument where a variable's attribute __storage_type__ is no storage type.
  explicit GraphStorage(const Graph& graph);

  Storage declared(NodeId variable) const { return values_[graph_.nodes[variable].first_value]; }
  // In place of what a variable's attribute says.
  void declare(NodeId variable, Storage storage) { values_[graph_.nodes[variable].first_value] = storage; }
  void declare(const std::string& name, Storage storage);

  // Fills in what the operators make of the variables. Nothing is computed.
  void infer();
  Storage of(ValueId v) const { return values_[v]; }
  bool any_sparse() const;
  // Per argument, how the gradient is stored that the operators give where heads have gradients that are stored like them. Unless
  // another array is given for it.
  std::vector<Storage> gradients() const;

 private:
  const Graph& graph_;
  std::vector<Storage> values_;
};

}  // namespace mixgrad::sparse
