#include "exec/sparse/stepwise.h"

#include <algorithm>

#include "base/error.h"
#include "exec/imperative/invoke.h"
#include "exec/sparse/graph_storage.h"
#include "exec/sparse/sparse.h"
#include "exec/tape/tape.h"
#include "graph/passes/placement.h"

namespace mixgrad::sparse {
namespace {

class ModeScope {
 public:
  ModeScope(bool recording, bool training, Device device) : before_(mode()) {
    mode() = {recording, training, device};
  }
  ~ModeScope() { mode() = before_; }
  ModeScope(const ModeScope&) = delete;
  ModeScope& operator=(const ModeScope&) = delete;

 private:
  const Mode before_;
};

ArrayRef copy_of(Array& array) {
  if (array.sparse()) return sparse_snapshot(array);
  ArrayRef copy = Array::empty(array.shape(), array.dtype(), array.device());
  copy_array(array, *copy);
  return copy;
}

// A copy on another device, on the tape; dense where the tape could not follow a sparse one.
ArrayRef copy_on(Array& array, Device device) {
  const ArrayRef from =
      mode().recording && array.link() ? to_storage(array, Storage::dense) : ArrayRef(&array);
  const ArrayRef there = from->sparse()
                             ? empty_sparse(storage_of(*from), from->shape(), from->dtype(), device)
                             : Array::empty(from->shape(), from->dtype(), device);
  copy_array(*from, *there);
  return there;
}

class Steps final : public StepwiseRun {
 public:
  Steps(const Graph& graph, const GraphStorage& storage) : graph_(graph) {
    for (ValueId v = 0; v < graph.values.size(); ++v) storages_.push_back(storage.of(v));
    find_last_readers();
  }

  Storage storage_of(ValueId v) const override { return storages_[v]; }
  void forward(bool training, bool gradients, const ExecutorArrays& arrays, const Outputs& outputs,
               Watch& watch) override;
  void backward(const ExecutorArrays& arrays, Span<Array* const> head_gradients) override;
  bool has_gradients() const override { return recorded_; }

 private:
  void find_last_readers();
  void give_arrays(const ExecutorArrays& arrays);
  void run(const GraphNode& node);
  void show_inputs(const GraphNode& node, Watch& watch) const;
  void show_outputs(const GraphNode& node, Watch& watch) const;
  bool reads_head_gradient(size_t head, const ExecutorArrays& arrays);

  Graph graph_;
  std::vector<Storage> storages_;
  std::vector<std::vector<ValueId>> last_read_;  // by node: values that no later node reads
  // Of the run that goes on, or of the last one.
  std::vector<ArrayRef> values_;
  std::vector<Ref<Leaf>> leaves_;  // per argument; null: no gradient is asked for
  std::vector<ArrayRef> heads_;
  bool recorded_ = false;
  std::vector<NodeId> head_gradients_;  // Graph::head_gradients, once somebody asked
};

void Steps::find_last_readers() {
  std::vector<NodeId> last(graph_.values.size(), kNone);
  for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
    for (uint32_t i = 0; i < graph_.nodes[n].num_values; ++i) last[graph_.nodes[n].first_value + i] = n;
    for (const ValueId v : graph_.operands_of(graph_.nodes[n])) last[v] = n;
  }
  for (const ValueId v : graph_.heads) last[v] = kNone;
  last_read_.resize(graph_.nodes.size());
  for (ValueId v = 0; v < last.size(); ++v) {
    if (last[v] != kNone) last_read_[last[v]].push_back(v);
  }
}

void Steps::give_arrays(const ExecutorArrays& arrays) {
  values_.assign(graph_.values.size(), ArrayRef());
  leaves_.assign(graph_.arguments.size(), Ref<Leaf>());
  const auto give = [&](NodeId n, const ArrayRef& array) {
    return values_[graph_.nodes[n].first_value] = array->alias();
  };
  for (size_t i = 0; i < graph_.arguments.size(); ++i) {
    const ArrayRef argument = give(graph_.arguments[i], arrays.arguments[i]);
    if (!recorded_ || arrays.requests[i] == GradientRequest::null) continue;
    mark_variable(*argument, arrays.gradients[i], arrays.requests[i]);
    leaves_[i] = Ref<Leaf>(as_leaf(argument->link()));
  }
  for (size_t i = 0; i < graph_.auxiliaries.size(); ++i) give(graph_.auxiliaries[i], arrays.auxiliaries[i]);
}

void Steps::run(const GraphNode& node) {
  std::vector<ArrayRef> held;  // operands, or their copies on the node's device
  std::vector<Array*> in;
  const Span<const ValueId> operands = graph_.operands_of(node);
  for (uint32_t i = 0; i < operands.size(); ++i) {
    const ValueId v = operands[i];
    if (node.mutates(i)) check_state_device(graph_, node, v);
    const bool there = values_[v]->device() == node.device;
    held.push_back(there ? values_[v] : copy_on(*values_[v], node.device));
    in.push_back(held.back().get());
  }
  try {
    mixgrad::invoke(*node.op, ParamsRef(node.params), in,
                    {values_.data() + node.first_value, node.num_values});
  } catch (const Error& error) {
    std::string arrived;
    for (size_t i = 0; i < in.size(); ++i) {
      const Storage storage = mixgrad::storage_of(*in[i]);
      arrived +=
          text(i > 0 ? ", " : "", in[i]->shape(), " ", name_of(in[i]->dtype()),
               storage == Storage::dense ? "" : " ", storage == Storage::dense ? "" : name_of(storage));
    }
    fail(error.status(), error.message(), "; at node '", node.name, "' (", node.op->name, ") with operands ",
         arrived);
  }
}

void Steps::show_inputs(const GraphNode& node, Watch& watch) const {
  const Span<const ValueId> operands = graph_.operands_of(node);
  for (size_t i = 0; i < operands.size(); ++i) {
    const GraphNode& from = graph_.nodes[graph_.values[operands[i]].node];
    const ArrayRef copy = copy_of(*values_[operands[i]]);
    if (!from.is_call()) watch.show(from.name.str(), copy);
    watch.show(node.name.str() + "_" + node.op->input_name(static_cast<int>(i)), copy);
  }
}

void Steps::show_outputs(const GraphNode& node, Watch& watch) const {
  const auto visible = static_cast<uint32_t>(node.op->num_visible(node.params->data()));
  for (uint32_t i = 0; i < visible; ++i)
    watch.show(value_name(graph_, node.first_value + i), copy_of(*values_[node.first_value + i]));
}

void Steps::forward(bool training, bool gradients, const ExecutorArrays& arrays, const Outputs& outputs,
                    Watch& watch) {
  recorded_ = gradients;
  heads_.clear();
  for (GraphNode& node : graph_.nodes) node.training = training;
  const ModeScope quiet(false, training, outputs.device);
  give_arrays(arrays);
  for (NodeId n = 0; n < graph_.nodes.size(); ++n) {
    const GraphNode& node = graph_.nodes[n];
    if (!node.is_call()) continue;
    if (watch.shows_inputs()) show_inputs(node, watch);
    {
      const ModeScope scope(gradients, training, node.device);
      run(node);
    }
    if (watch.is_set()) show_outputs(node, watch);
    for (const ValueId v : last_read_[n]) values_[v] = ArrayRef();
  }
  for (size_t i = 0; i < graph_.heads.size(); ++i) {
    Array& made = *values_[graph_.heads[i]];
    heads_.emplace_back(&made);
    Array& target = *outputs.arrays[i];
    if (&made.chunk() != &target.chunk()) copy_array(made, target);
  }
  values_.clear();
}

// Whether anything reads the gradient of a head, which must be given then.
bool Steps::reads_head_gradient(size_t head, const ExecutorArrays& arrays) {
  if (head_gradients_.empty()) head_gradients_ = gradient(graph_, {arrays.requests}).head_gradients;
  return head_gradients_[head] != kNone;
}

void Steps::backward(const ExecutorArrays& arrays, Span<Array* const> head_gradients) {
  std::vector<Array*> heads, given;
  for (size_t i = 0; i < heads_.size(); ++i) {
    if (!heads_[i]->link() || !reads_head_gradient(i, arrays)) {
      if (!heads_[i]->link()) continue;
      heads.push_back(heads_[i].get());
      given.push_back(nullptr);
      continue;
    }
    Array* const gradient = i < head_gradients.size() ? head_gradients[i] : nullptr;
    check_head_gradient(i, *heads_[i], gradient);
    heads.push_back(heads_[i].get());
    given.push_back(gradient);
  }
  BackwardOptions options;
  options.retain_graph = true;  // called again it gives the same
  if (!heads.empty()) run_backward(heads, given, options);
  for (size_t i = 0; i < leaves_.size(); ++i) {
    if (!leaves_[i] || leaves_[i]->visited != 0 || arrays.requests[i] != GradientRequest::write) continue;
    Array& gradient = *arrays.gradients[i];
    const ArrayRef zeros = gradient.sparse()
                               ? empty_sparse(mixgrad::storage_of(gradient), gradient.shape(),
                                              gradient.dtype(), gradient.device())
                               : zeros_of(gradient.shape(), gradient.dtype(), gradient.device());
    const ModeScope quiet(false, false, gradient.device());
    copy_array(*zeros, gradient);
  }
}

bool is_sparse(const ArrayRef& array) { return array && array->sparse(); }

}  // namespace

void refuse_updates() {
  fail(Status::unsupported,
       "[set_updates] the graph has arrays of storage type row_sparse or csr; expected an optimizer that "
       "updates outside of the graph");
}

std::unique_ptr<StepwiseRun> make_stepwise(const Graph& graph, const ExecutorArrays& arrays) {
  GraphStorage storage(graph);
  bool any = false;
  for (size_t i = 0; i < graph.arguments.size(); ++i) {
    storage.declare(graph.arguments[i], storage_of(*arrays.arguments[i]));
    any |= is_sparse(arrays.arguments[i]) || is_sparse(arrays.gradients[i]);
  }
  for (size_t i = 0; i < graph.auxiliaries.size(); ++i) {
    storage.declare(graph.auxiliaries[i], storage_of(*arrays.auxiliaries[i]));
    any |= is_sparse(arrays.auxiliaries[i]);
  }
  storage.infer();
  if (!any && !storage.any_sparse()) return {};
  if (!arrays.updates.empty()) refuse_updates();
  return std::make_unique<Steps>(graph, storage);
}

}  // namespace mixgrad::sparse
