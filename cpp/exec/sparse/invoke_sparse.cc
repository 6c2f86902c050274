// Which way a call with sparse arrays goes, and its place on the tape.
#include <mutex>
#include <unordered_set>

#include "base/error.h"
#include "base/warning.h"
#include "device/work_together.h"
#include "exec/imperative/invoke.h"
#include "exec/sparse/rule.h"
#include "exec/tape/trace.h"

namespace mixgrad::sparse {
namespace {

// Calls are recorded, or not, while it lives.
class RecordingScope {
 public:
  explicit RecordingScope(bool recording) : before_(mode().recording) { mode().recording = recording; }
  ~RecordingScope() { mode().recording = before_; }
  RecordingScope(const RecordingScope&) = delete;
  RecordingScope& operator=(const RecordingScope&) = delete;

 private:
  bool before_;
};

const Rules& rules() {
  static const Rules* const all = [] {
    auto* const made = new Rules;
    add_storage_rules(*made);
    add_elementwise_rules(*made);
    add_product_rules(*made);
    add_shape_rules(*made);
    add_reduce_rules(*made);
    add_update_rules(*made);
    add_graph_rules(*made);
    return made;
  }();
  return *all;
}

// A call on the tape, with what it read.
class SparseNode final : public TapeNode {
 public:
  SparseNode(const SparseRule& rule, const SparseCall& call)
      : TapeNode(static_cast<int>(call.in.size()), 1),
        rule_(rule),
        op_(call.op),
        params_(call.params),
        training_(mode().training) {
    for (size_t i = 0; i < call.in.size(); ++i) {
      Array& array = *call.in[i];
      Input& input = inputs()[i];
      input.link = Ref<TapeLink>(array.link());
      input.slot = array.link_slot();
      input.shape = array.shape();
      input.dtype = array.dtype();
      saved_.push_back(array.sparse() ? sparse_snapshot(array) : array.alias());
      versions_.push_back(array.chunk().push_version());
    }
    Output& output = outputs()[0];
    output.shape = call.out[0]->shape();
    output.dtype = call.out[0]->dtype();
    output.device = call.out[0]->device();
  }
  const char* name() const override { return op_.name.c_str(); }
  bool takes_sparse() const override { return true; }

  void backward(bool create_graph, Span<ArrayRef> gradients) override {
    std::unique_ptr<bool[]> wants(new bool[saved_.size()]()), dense(new bool[saved_.size()]());
    for (size_t i = 0; i < saved_.size(); ++i) {
      TapeLink* const link = inputs()[i].link.get();
      const Leaf* const leaf = as_leaf(link);
      wants[i] = link != nullptr;
      dense[i] =
          leaf ? !leaf->gradient() || !leaf->gradient()->sparse() : link && !as_node(link)->takes_sparse();
      if (!saved_[i]->sparse() && saved_[i]->chunk().push_version() != versions_[i]) {
        fail(Status::autograd, "[", op_.name, "] the gradient needs ", op_.input_name(static_cast<int>(i)),
             ", but it was changed in place after the call; compute on a copy instead");
      }
    }
    if (create_graph || !rule_.backward) return backward_of_dense(create_graph, gradients);
    const Span<const bool> wanted(wants.get(), saved_.size()), dense_only(dense.get(), saved_.size());
    SparseGrad grad{op_, params_, saved_, outputs()[0].gradient, wanted, dense_only, gradients};
    rule_.backward(grad);
    if (grad.by_dense) backward_of_dense(false, gradients);
  }
  void free_saved() override {
    TapeNode::free_saved();
    saved_.clear();
  }

 private:
  // The gradient of the same call on dense copies, which are on the tape where gradients of gradients are wanted.
  void backward_of_dense(bool create_graph, Span<ArrayRef> gradients) {
    const bool training = mode().training;
    const RecordingScope recording(true);
    std::vector<ArrayRef> held;
    std::vector<Array*> in;
    for (size_t i = 0; i < saved_.size(); ++i) {
      const ArrayRef array = saved_[i]->sparse() ? sparse_snapshot(*saved_[i]) : saved_[i]->alias();
      const Ref<TapeLink>& link = inputs()[i].link;
      if (create_graph && link) array->set_link(link, inputs()[i].slot);
      held.push_back(to_storage(*array, Storage::dense));
      if (!create_graph && link) held[i]->set_link(Ref<TapeLink>(new Leaf({}, GradientRequest::write)), 0);
      in.push_back(held[i].get());
    }
    ArrayRef made;
    mode().training = training_;
    try {
      mixgrad::invoke_dense(op_, params_, in, Span<ArrayRef>(&made, 1));
    } catch (...) {
      mode().training = training;
      throw;
    }
    mode().training = training;
    TapeNode* const node = as_node(made->link());
    if (!node) return;
    node->outputs()[made->link_slot()].gradient = to_storage(*outputs()[0].gradient, Storage::dense);
    const RecordingScope as_asked(create_graph);
    node->backward(create_graph, gradients);
  }

  const SparseRule& rule_;
  const Op& op_;
  ParamsRef params_;
  bool training_;
  std::vector<ArrayRef> saved_;
  std::vector<uint64_t> versions_;
};

// The inputs of a call with the parts that sparse ones have now: another thread may give them others while the call goes on. What an
// update writes in place stays the caller's own.
class Snapshots {
 public:
  Snapshots(const Op& op, const SparseRule* rule, Span<Array* const> given)
      : arrays_(given.begin(), given.end()) {
    for (size_t i = 0; i < arrays_.size(); ++i) {
      Array*& array = arrays_[i];
      const bool written = rule && rule->updates && (i == 0 || op.mutates(static_cast<int>(i)));
      if (!array->sparse() || written) continue;
      held_.push_back(sparse_snapshot(*array));
      if (array->link()) held_.back()->set_link(Ref<TapeLink>(array->link()), array->link_slot());
      array = held_.back().get();
    }
  }
  Span<Array* const> arrays() const { return {arrays_.data(), arrays_.size()}; }

 private:
  std::vector<Array*> arrays_;
  std::vector<ArrayRef> held_;
};

// Says once per operator that its sparse inputs are made dense.
void warn_of_fallback(const SparseCall& call) {
  bool any = false;
  for (const Array* array : call.in) any |= array->sparse();
  if (!any) return;
  static std::mutex mutex;
  static auto* const told = new std::unordered_set<const Op*>;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (!told->insert(&call.op).second) return;
  }
  std::string types;
  for (size_t i = 0; i < call.in.size(); ++i)
    types += (i > 0 ? ", " : "") + std::string(name_of(storage_of(*call.in[i])));
  warn(text("[", call.op.name, "] is not written for inputs of storage types (", types,
            "); works on dense copies of them"));
}

// Refuses the shapes that the operator refuses of dense arrays.
void check_shapes(const SparseCall& call) {
  std::vector<Shape> in, out(call.out.size(), Shape::unknown());
  for (const Array* array : call.in) in.push_back(array->shape());
  ShapeInfer infer(call.op, {in.data(), in.size()}, {out.data(), out.size()});
  call.op.shape_fn(call.op, call.params->data(), infer);
}

// What was computed goes where the caller wants it.
void deliver(const Op& op, Span<ArrayRef> out, size_t i, const ArrayRef& made) {
  if (!out[i]) {
    out[i] = made;
    return;
  }
  if (out[i].get() == made.get()) return;
  const Array& given = *out[i];
  if (given.shape() != made->shape() || given.dtype() != made->dtype()) {
    fail(given.shape() != made->shape() ? Status::shape : Status::dtype, "[", op.name, "] output ", i,
         " is of shape ", given.shape(), " and ", name_of(given.dtype()), "; expected ", made->shape(),
         " and ", name_of(made->dtype()));
  }
  if (!work_together(given.device(), made->device())) {
    fail(Status::invalid_argument, "[", op.name, "] inputs are on ", made->device().name(),
         " but the output is on ", given.device().name(), "; expected one device");
  }
  copy_array(*made, *out[i]);
}

// The operator on dense copies; recorded like any call. `given`: the inputs as the caller has them.
void call_dense(const SparseCall& call, Span<Array* const> given, Span<ArrayRef> out,
                std::optional<Storage> storage) {
  std::vector<ArrayRef> held, results(out.size());
  std::vector<Array*> in;
  for (Array* array : call.in) {
    held.push_back(array->sparse() ? to_storage(*array, Storage::dense) : ArrayRef(array));
    in.push_back(held.back().get());
  }
  for (size_t i = 0; i < out.size(); ++i) {
    if (!out[i]) continue;
    results[i] = out[i]->sparse() ? Array::empty(out[i]->shape(), out[i]->dtype(), out[i]->device()) : out[i];
  }
  mixgrad::invoke_dense(call.op, call.params, in, Span<ArrayRef>(results.data(), results.size()));
  for (size_t i = 0; i < call.in.size(); ++i) {
    if (given[i]->sparse() && call.op.mutates(static_cast<int>(i))) assign(*held[i], *given[i]);
  }
  if (storage && *storage != Storage::dense && !out[0]) results[0] = to_storage(*results[0], *storage);
  for (size_t i = 0; i < out.size(); ++i) deliver(call.op, out, i, results[i]);
}

}  // namespace

const Field& SparseCall::field(const char* name) const {
  return op.schema->fields[static_cast<size_t>(op.schema->index_of(name))];
}
const Field& SparseGrad::field(const char* name) const {
  return op.schema->fields[static_cast<size_t>(op.schema->index_of(name))];
}

ArrayRef SparseCall::apply_to(std::initializer_list<ArrayRef> inputs) const {
  std::vector<Array*> arrays;
  for (const ArrayRef& input : inputs) arrays.push_back(input.get());
  ArrayRef made;
  mixgrad::invoke(op, params, arrays, Span<ArrayRef>(&made, 1));
  return made;
}

void Rules::add(const char* op, const SparseRule& rule) { rules_[&find_op(op)] = rule; }

const SparseRule* Rules::find(const Op& op) const {
  const auto at = rules_.find(&op);
  return at == rules_.end() ? nullptr : &at->second;
}

std::optional<Storage> storage_made(const SparseCall& call) {
  const SparseRule* const rule = rules().find(call.op);
  return rule ? rule->infer(call) : std::nullopt;
}

bool invoke(const Op& op, const ParamsRef& params, Span<Array* const> given, Span<ArrayRef> out) {
  bool any = false;
  for (const Array* array : given) any |= array->sparse();
  for (const ArrayRef& array : out) any |= array && array->sparse();
  const SparseRule* const rule = rules().find(op);
  const Snapshots in(op, rule, given);
  SparseCall call{op, params, in.arrays(), out};
  std::optional<Storage> storage;
  if (rule) storage = rule->infer(call);
  if (!any && !storage) return false;
  std::vector<ArrayRef> made(out.begin(), out.end());
  call.out = Span<ArrayRef>(made.data(), made.size());
  if (Trace::active()) refuse_while_tracing("arrays of storage type row_sparse or csr");
  bool linked = false;
  for (const Array* array : given) linked |= mode().recording && array->link();
  for (const ArrayRef& array : out) {
    if (mode().recording && array && (linked || array->link())) check_recorded_write(op, *array);
  }
  if (!storage || !rule->forward) {
    if (!storage && any) warn_of_fallback(call);
    call_dense(call, given, out, storage);
    return true;
  }
  Ref<TapeNode> node;
  {
    const Unrecorded quiet;
    check_shapes(call);
    rule->forward(call);
    if (linked && out.size() == 1) node = Ref<TapeNode>(new SparseNode(*rule, call));
    for (size_t i = 0; i < out.size(); ++i) deliver(op, out, i, made[i]);
  }
  if (mode().recording) link_outputs(node, Span<const ArrayRef>(out.data(), out.size()));
  return true;
}

}  // namespace mixgrad::sparse
