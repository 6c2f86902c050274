// An executor for other shapes over the arrays of an earlier one.
#include "base/error.h"
#include "exec/planned/executor.h"
#include "graph/passes/infer.h"

namespace mixgrad {
namespace {

struct Reshaping {
  const std::vector<std::pair<std::string, Shape>>& named;
  bool partial_shaping, allow_up_sizing;

  bool names(const std::string& name) const {
    for (const auto& item : named) {
      if (item.first == name) return true;
    }
    return false;
  }

  // The array of a variable in its new shape.
  ArrayRef adapt(const ArrayRef& array, const std::string& name, const Shape& shape, Device lies) const {
    if (!array || array->shape() == shape) return array;
    if (!names(name) && !partial_shaping) {
      fail(Status::shape, "[reshape] '", name, "' would change from ", array->shape(), " to ", shape,
           " without being named; pass partial_shaping=True to allow that");
    }
    if (shape.size() > array->size() && !array->sparse()) {
      if (!allow_up_sizing) {
        fail(Status::shape, "[reshape] '", name, "' would grow from ", array->shape(), " to ", shape,
             "; pass allow_up_sizing=True to allow new memory");
      }
      const auto make = lies.is_here() ? Array::zeros : Array::zeros_later;
      return make(shape, array->dtype(), array->device());
    }
    if constexpr (kTraining) {
      if (array->sparse()) return empty_sparse(storage_of(*array), shape, array->dtype(), array->device());
    }
    array->chunk().set_shared();
    return Array::make(array->chunk_ref(), array->offset(), shape, array->dtype());
  }
};

}  // namespace

std::unique_ptr<Executor> Executor::reshape(const std::vector<std::pair<std::string, Shape>>& shapes,
                                            bool partial_shaping, bool allow_up_sizing) const {
  Graph graph = flatten(symbol_);
  const auto dtype_of = [&](const std::vector<NodeId>& variables, const std::vector<ArrayRef>& arrays) {
    for (size_t i = 0; i < variables.size(); ++i)
      graph.values[graph.nodes[variables[i]].first_value].dtype = arrays[i]->dtype();
  };
  dtype_of(graph.arguments, arrays_.arguments);
  dtype_of(graph.auxiliaries, arrays_.auxiliaries);
  for (const auto& [name, shape] : shapes) graph.set_shape(find_variable(graph, name), shape);
  InferOptions kept;
  for (size_t i = 0; i < graph.arguments.size(); ++i)
    kept.shape_if_open.emplace_back(graph.nodes[graph.arguments[i]].first_value,
                                    arrays_.arguments[i]->shape());
  graph = infer(std::move(graph), kept);
  const Reshaping rule{shapes, partial_shaping, allow_up_sizing};
  ExecutorArrays arrays;
  arrays.requests = requests_;
  arrays.updates = arrays_.updates;
  for (size_t i = 0; i < graph.arguments.size(); ++i) {
    const GraphNode& node = graph.nodes[graph.arguments[i]];
    const Shape& shape = graph.values[node.first_value].shape;
    const Device lies = base_.nodes[base_.arguments[i]].device;
    arrays.arguments.push_back(rule.adapt(arrays_.arguments[i], node.name, shape, lies));
    arrays.gradients.push_back(rule.adapt(arrays_.gradients[i], node.name, shape, lies));
  }
  for (size_t i = 0; i < graph.auxiliaries.size(); ++i) {
    const GraphNode& node = graph.nodes[graph.auxiliaries[i]];
    arrays.auxiliaries.push_back(rule.adapt(arrays_.auxiliaries[i], node.name,
                                            graph.values[node.first_value].shape,
                                            base_.nodes[base_.auxiliaries[i]].device));
  }
  auto made =
      std::make_unique<Executor>(symbol_, device_, std::move(arrays), this, options_, std::move(graph));
  made->update_params_ = update_params_;
  // Outputs share memory too, where they fit; the two executors take turns.
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const Array& before = *outputs_[i];
    const Array& after = *made->outputs_[i];
    const bool fits =
        after.dtype() == before.dtype() && after.device() == before.device() && after.size() <= before.size();
    if (!fits || made->base_.nodes[made->base_.values[made->base_.heads[i]].node].op == nullptr) continue;
    before.chunk().set_shared();
    made->replace_output(i, Array::make(before.chunk_ref(), before.offset(), after.shape(), after.dtype()));
  }
  return made;
}

}  // namespace mixgrad
