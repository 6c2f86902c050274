#include "graph/passes/graph_builder.h"

#include "base/error.h"

namespace mixgrad {

GraphNode GraphBuilder::serving() const {
  GraphNode node;
  if (served_ == kNone) return node;
  const GraphNode& served = graph_.nodes[served_];
  node.training = served.training;
  node.device = served.device;
  node.source = served.source;
  node.name = graph_.ending(served.name, "_backward");
  return node;
}

Tensor GraphBuilder::tensor(ValueId v) const {
  return Tensor(new GraphTensor(v, graph_.values[v].shape, graph_.values[v].dtype));
}

NodeId GraphBuilder::add_call(const Op& op, const ParamsRef& params, Span<const ValueId> operands) {
  const size_t outputs = static_cast<size_t>(op.num_outputs(params->data()));
  std::vector<Shape> shapes(operands.size() + outputs, Shape::unknown());
  std::vector<DType> dtypes(operands.size() + outputs, DType::unknown);
  for (size_t i = 0; i < operands.size(); ++i) {
    shapes[i] = graph_.values[operands[i]].shape;
    dtypes[i] = graph_.values[operands[i]].dtype;
  }
  const size_t n = operands.size();
  ShapeInfer shape_info(op, Span<Shape>(shapes.data(), n), Span<Shape>(shapes.data() + n, outputs));
  op.shape_fn(op, params->data(), shape_info);
  DTypeInfer dtype_info(op, Span<DType>(dtypes.data(), n), Span<DType>(dtypes.data() + n, outputs));
  op.dtype_fn(op, params->data(), dtype_info);
  GraphNode node = serving();
  node.kind = GraphNodeKind::forward;
  node.op = &op;
  node.params = params == op.defaults ? params.get() : graph_.pool->keep(params);
  if (op.needs_random) node.random_slot = graph_.num_random_slots++;
  const NodeId id = graph_.add(std::move(node), operands, static_cast<uint32_t>(outputs));
  for (size_t i = 0; i < outputs; ++i) {
    GraphValue& value = graph_.values[graph_.nodes[id].first_value + i];
    value.shape = graph_.pool->keep(shapes[n + i]);
    value.dtype = dtypes[n + i];
    if (!value.shape.known() || value.dtype == DType::unknown) {
      fail(Status::internal, "[", op.name, "] shape ", value.shape, " and dtype ", name_of(value.dtype),
           " of output ", i, " do not follow from the inputs of a gradient");
    }
  }
  return id;
}

void GraphBuilder::call(const Op& op, const ParamsRef& params, Span<const Tensor> inputs,
                        Span<Tensor> outputs) {
  static const Op *zeros = &find_op("zeros_like"), *ones = &find_op("ones_like");
  if (&op == zeros || &op == ones) {  // the input's value does not count: do not keep it alive
    const char* name = &op == zeros ? "_zeros" : "_ones";
    outputs[0] = tensor(filled(name, inputs[0]->shape(), inputs[0]->dtype()));
    return;
  }
  std::vector<ValueId> operands;
  for (const Tensor& t : inputs) operands.push_back(value_of(t));
  const NodeId id = add_call(op, params, operands);
  const ValueId first = graph_.nodes[id].first_value;
  for (size_t i = 0; i < outputs.size(); ++i) outputs[i] = tensor(first + static_cast<ValueId>(i));
}

ValueId GraphBuilder::add(ValueId a, ValueId b) {
  static const Op& op = find_op("elemwise_add");
  const ValueId operands[] = {a, b};
  return graph_.nodes[add_call(op, op.defaults, operands)].first_value;
}

ValueId GraphBuilder::copy(ValueId v) {
  static const Op& op = find_op("_copy");
  return graph_.nodes[add_call(op, op.defaults, Span<const ValueId>(&v, 1))].first_value;
}

ValueId GraphBuilder::zeros(const Shape& shape, DType dtype) { return filled("_zeros", shape, dtype); }

ValueId GraphBuilder::filled(const char* name, const Shape& shape, DType dtype) {
  const TupleValue extents(shape);
  const NamedValue values[] = {{"shape", extents}, {"dtype", Value(name_of(dtype))}};
  const Op& op = find_op(name);
  return graph_.nodes[add_call(op, make_params(op, values), {})].first_value;
}

}  // namespace mixgrad
