// The builder that turns composed gradients into nodes of a flat graph.
#pragma once

#include "graph/graph.h"

namespace mixgrad {

// A value of the graph under construction.
class GraphTensor final : public TensorBase {
 public:
  GraphTensor(ValueId value, PooledShape shape, DType dtype) : value_(value), shape_(shape), dtype_(dtype) {}
  const Shape& shape() const override { return shape_; }
  DType dtype() const override { return dtype_; }
  ValueId value() const { return value_; }

 private:
  ValueId value_;
  PooledShape shape_;
  DType dtype_;
};

// Adds nodes at the end of a graph, each with the shapes and dtypes that follow from its operands. New nodes take device,
// mode and name from the node they serve.
class GraphBuilder final : public Builder {
 public:
  explicit GraphBuilder(Graph& graph) : graph_(graph) {}
  void call(const Op& op, const ParamsRef& params, Span<const Tensor> inputs, Span<Tensor> outputs) override;

  void serve(NodeId node) { served_ = node; }
  // A node with device, mode, source and name of the one served, to be filled and added.
  GraphNode serving() const;

  Tensor tensor(ValueId v) const;
  static ValueId value_of(const Tensor& tensor) { return static_cast<GraphTensor*>(tensor.get())->value(); }
  ValueId add(ValueId a, ValueId b);
  ValueId copy(ValueId v);
  ValueId zeros(const Shape& shape, DType dtype);

 private:
  ValueId filled(const char* op, const Shape& shape, DType dtype);
  NodeId add_call(const Op& op, const ParamsRef& params, Span<const ValueId> operands);
  Graph& graph_;
  NodeId served_ = kNone;
};

}  // namespace mixgrad
