#include "exec/sparse/graph_storage.h"

#include <functional>

#include "base/error.h"
#include "exec/sparse/rule.h"

namespace mixgrad::sparse {
namespace {

// "2" of a variable's __storage_type__; MXNet writes -1 where it is left open.
Storage written_storage(const GraphNode& variable, const std::string& written) {
  if (written == "0" || written == "-1") return Storage::dense;
  if (written == "1") return Storage::row_sparse;
  if (written == "2") return Storage::csr;
  fail(Status::invalid_argument, "[symbol] variable '", variable.name, "' has __storage_type__ '", written,
       "'; expected 0 (default), 1 (row_sparse) or 2 (csr)");
}

// Arrays without memory that stand for the operands of a node.
class NodeOperands {
 public:
  NodeOperands(const Graph& graph, const GraphNode& node, const std::vector<Storage>& storages) {
    for (const ValueId v : graph.operands_of(node)) {
      const GraphValue& value = graph.values[v];
      const Shape shape = value.shape;
      held_.push_back(storages[v] == Storage::dense
                          ? Array::empty(shape, value.dtype, Device())
                          : empty_sparse(storages[v], shape, value.dtype, Device()));
      arrays_.push_back(held_.back().get());
    }
    outputs_.resize(node.num_values);
  }
  SparseCall call(const GraphNode& node, const ParamsRef& params) {
    return {*node.op, params, arrays_, Span<ArrayRef>(outputs_.data(), outputs_.size())};
  }

 private:
  std::vector<ArrayRef> held_, outputs_;
  std::vector<Array*> arrays_;
};

using GradientStorage = std::function<Storage(const SparseCall&, size_t input, Storage out_grad)>;

// How operators store gradients that are not dense; those of which the gradient is zero store it like the input.
const std::unordered_map<const Op*, GradientStorage>& gradient_storages() {
  static const auto* const all = [] {
    auto* const made = new std::unordered_map<const Op*, GradientStorage>;
    const auto add = [&](std::initializer_list<const char*> ops, const GradientStorage& storage) {
      for (const char* op : ops) made->emplace(&find_op(op), storage);
    };
    add({"_copy", "cast_storage", "negative", "_mul_scalar", "_div_scalar", "_scatter_plus_scalar",
         "_scatter_minus_scalar", "elemwise_add", "elemwise_sub", "add_n"},
        [](const SparseCall&, size_t, Storage out_grad) { return out_grad; });
    add({"abs", "square", "relu"}, [](const SparseCall& call, size_t, Storage out_grad) {
      return storage_of(*call.in[0]) == out_grad ? out_grad : Storage::dense;
    });
    add({"_square_sum", "_sparse_retain", "where"}, [](const SparseCall& call, size_t i, Storage) {
      return i == 0 ? storage_of(*call.in[0]) : Storage::dense;
    });
    add({"dot"}, [](const SparseCall& call, size_t i, Storage) {
      const bool transposed = call.integer("transpose_a") != 0 || call.integer("transpose_b") != 0;
      const bool rows =
          i == 1 && !transposed && call.stored(0, Storage::csr) && !call.stored(1, Storage::csr);
      return rows && call.in[1]->shape().ndim() == 2 ? Storage::row_sparse : Storage::dense;
    });
    add({"Embedding"}, [](const SparseCall& call, size_t i, Storage) {
      return i == 1 && call.integer("sparse_grad") != 0 ? Storage::row_sparse : Storage::dense;
    });
    add({"_contrib_SparseEmbedding"},
        [](const SparseCall&, size_t i, Storage) { return i == 1 ? Storage::row_sparse : Storage::dense; });
    return made;
  }();
  return *all;
}

}  // namespace

GraphStorage::GraphStorage(const Graph& graph) : graph_(graph), values_(graph.values.size(), Storage::dense) {
  for (const auto* list : {&graph.arguments, &graph.auxiliaries}) {
    for (const NodeId n : *list) {
      const GraphNode& variable = graph.nodes[n];
      const std::string* const written =
          variable.source ? variable.source->attributes.find("__storage_type__") : nullptr;
      if (written) declare(n, written_storage(variable, *written));
    }
  }
}

void GraphStorage::declare(const std::string& name, Storage storage) {
  for (const auto* list : {&graph_.arguments, &graph_.auxiliaries}) {
    for (const NodeId n : *list) {
      if (graph_.nodes[n].name.str() == name) declare(n, storage);
    }
  }
}

void GraphStorage::infer() {
  for (const GraphNode& node : graph_.nodes) {
    if (!node.is_call()) continue;
    bool any = node.op->makes_sparse(node.params->data());
    for (const ValueId v : graph_.operands_of(node)) any |= values_[v] != Storage::dense;
    if (!any) continue;
    NodeOperands operands(graph_, node, values_);
    const ParamsRef params(node.params);
    const SparseCall call = operands.call(node, params);
    values_[node.first_value] = storage_made(call).value_or(Storage::dense);
  }
}

bool GraphStorage::any_sparse() const {
  for (const Storage storage : values_) {
    if (storage != Storage::dense) return true;
  }
  return false;
}

std::vector<Storage> GraphStorage::gradients() const {
  // What flows into each value; none: nothing does.
  std::vector<std::optional<Storage>> flowing(values_.size());
  const auto add = [&](ValueId v, Storage storage) {
    // Gradients are added up by rows, all others as dense ones.
    const bool rows = storage == Storage::row_sparse && flowing[v] == Storage::row_sparse;
    flowing[v] = flowing[v] && !rows ? Storage::dense : storage;
  };
  for (const ValueId v : graph_.heads) flowing[v] = values_[v];
  for (size_t n = graph_.nodes.size(); n-- > 0;) {
    const GraphNode& node = graph_.nodes[n];
    if (!node.is_call()) continue;
    bool flows = false;
    for (uint32_t i = 0; i < node.num_values; ++i) flows |= flowing[node.first_value + i].has_value();
    if (!flows) continue;
    const Span<const ValueId> inputs = graph_.operands_of(node);
    const auto rule = gradient_storages().find(node.op);
    if (rule == gradient_storages().end() || node.op->zero_gradient) {
      for (const ValueId v : inputs) add(v, node.op->zero_gradient ? values_[v] : Storage::dense);
      continue;
    }
    NodeOperands operands(graph_, node, values_);
    const ParamsRef params(node.params);
    const SparseCall call = operands.call(node, params);
    const Storage arrived = flowing[node.first_value].value_or(Storage::dense);
    for (size_t i = 0; i < inputs.size(); ++i) add(inputs[i], rule->second(call, i, arrived));
  }
  std::vector<Storage> found;
  for (const NodeId n : graph_.arguments)
    found.push_back(flowing[graph_.nodes[n].first_value].value_or(Storage::dense));
  return found;
}

}  // namespace mixgrad::sparse
