// Walking the tape backwards: newest node first, each freed once it has given its gradients on.
#include <algorithm>
#include <mutex>

#include "base/error.h"
#include "base/fork_mutex.h"
#include "base/warning.h"
#include "exec/imperative/invoke.h"
#include "exec/sparse/sparse.h"
#include "exec/tape/tape.h"
#include "exec/tape/trace.h"

namespace mixgrad {
namespace {

// Nodes carry the state of the pass they are in, so passes run one at a time. A custom function may start another,
// which puts the state it finds aside and restores it.
class PassMutex : ForkedAfresh {
 public:
  PassMutex() : ForkedAfresh(renew) {}
  void lock() {
    mutex_.lock();
    ++held();
  }
  void unlock() {
    --held();
    mutex_.unlock();
  }

 private:
  static int& held() {
    thread_local int times = 0;
    return times;
  }
  // A thread that forks inside a custom function goes on with its pass in the child.
  static void renew(ForkedAfresh* self) {
    if (held() == 0) new (&static_cast<PassMutex*>(self)->mutex_) std::recursive_mutex;
  }
  std::recursive_mutex mutex_;
};

PassMutex& backward_mutex() {
  static PassMutex mutex;
  return mutex;
}

class ModeScope {
 public:
  // Sums of a pass that lack a part are no gradients.
  explicit ModeScope(bool recording) : before_(mode()) {
    mode().recording = recording;
    mode().leaves = Leaves::nothing;
  }
  ~ModeScope() { mode() = before_; }
  ModeScope(const ModeScope&) = delete;
  ModeScope& operator=(const ModeScope&) = delete;

 private:
  Mode before_;
};

// A custom function whose gradient starts another pass, and so on: each level holds a stack frame of the caller's.
constexpr int kDeepestNesting = 32;

class NestingScope {
 public:
  NestingScope() {
    if (depth() >= kDeepestNesting) {
      fail(Status::autograd, "[backward] ", kDeepestNesting,
           " backward passes are nested in one another; does a Function's backward start its own pass?");
    }
    ++depth();
  }
  ~NestingScope() { --depth(); }
  NestingScope(const NestingScope&) = delete;
  NestingScope& operator=(const NestingScope&) = delete;

 private:
  static int& depth() {
    thread_local int levels = 0;
    return levels;
  }
};

// A copy with memory of its own, recorded when gradients of gradients are.
ArrayRef own_copy(Array& array) {
  static const Op& copy = find_op("_copy");
  Array* const in[] = {&array};
  ArrayRef out;
  invoke(copy, copy.defaults, in, Span<ArrayRef>(&out, 1));
  return out;
}

ArrayRef sum_of(Array& a, Array& b) {
  static const Op& add = find_op("elemwise_add");
  Array* const in[] = {&a, &b};
  ArrayRef out;
  invoke(add, add.defaults, in, Span<ArrayRef>(&out, 1));
  return out;
}

class BackwardPass {
 public:
  // `stores`: whether gradients that are found are written where they were asked for.
  explicit BackwardPass(const BackwardOptions& options, bool stores = true)
      : options_(options), stores_(stores), number_(++last_number()) {}

  // Finds what the heads depend on. What it finds there of an outer pass the end of this object puts back, also if this fails.
  void begin(Span<Array* const> heads, Span<Array* const> head_grads) {
    if (!head_grads.empty() && head_grads.size() != heads.size()) {
      fail(Status::invalid_argument, "[backward] ", heads.size(), " heads but ", head_grads.size(),
           " head gradients");
    }
    for (size_t i = 0; i < heads.size(); ++i) {
      if (!heads[i]->link()) {
        fail(Status::autograd, "[backward] head ", i, " of shape ", heads[i]->shape(),
             " was not computed from variables under autograd.record(); call attach_grad() and record first "
             "(w = w - g makes an "
             "array that is no variable, w -= g or w[:] = w - g keeps it one; what an earlier backward pass "
             "has freed counts as constant, and retain_graph=True keeps it)");
      }
      collect(heads[i]->link());
    }
    std::sort(nodes_.begin(), nodes_.end(),
              [](const Ref<TapeNode>& a, const Ref<TapeNode>& b) { return a->sequence() > b->sequence(); });
    for (size_t i = 0; i < heads.size(); ++i) {
      Array* given = head_grads.empty() ? nullptr : head_grads[i];
      if (given) check_size(i, *heads[i], *given);
      add_gradient(heads[i]->link(), heads[i]->link_slot(),
                   given ? like_head(*given, *heads[i]) : ones_like_head(*heads[i]));
    }
  }

  ~BackwardPass() {
    for (const Ref<TapeNode>& node : nodes_) {
      if (!node) continue;
      for (TapeNode::Output& output : node->outputs()) output.gradient = ArrayRef();
    }
    for (LeafAside& l : leaves_) l.leaf->collected = std::move(l.collected);
    for (OutputAside& o : outputs_aside_) o.node->outputs()[o.slot].gradient = std::move(o.gradient);
  }

  // Also keeps the gradient that arrives at this place of the tape.
  void watch(const Array& array, ArrayRef* result) {
    if (TapeNode* node = as_node(array.link())) watched_.push_back({node, array.link_slot(), result});
  }

  void run() {
    for (Ref<TapeNode>& node : nodes_) {
      bool flows = false;
      if (node->watch) call_hooks(*node);
      if (node->freed()) {
        fail(Status::autograd, "[", node->name(),
             "] its part of the gradient graph was freed while a backward pass ",
             "was in it; pass retain_graph=True to the inner one");
      }
      for (TapeNode::Output& output : node->outputs()) flows |= static_cast<bool>(output.gradient);
      for (const Watched& w : watched_) {
        if (w.node == node.get()) *w.result = node->outputs()[w.slot].gradient;
      }
      if (node->watch && stores_) keep_gradients(*node);
      if (flows) pass_node(*node);
      for (TapeNode::Output& output : node->outputs()) output.gradient = ArrayRef();
      if (!options_.retain_graph) node->free_saved();
      node = Ref<TapeNode>();
    }
  }

  // Has the hooks of a variable see what was collected for it.
  static void call_hooks(Leaf& leaf) {
    if (leaf.watch && leaf.collected) leaf.collected = leaf.watch->call("variable", 0, leaf.collected);
  }

  // Calls fn(leaf) of all variables reached.
  template <class Fn>
  void for_leaves(Fn fn) const {
    for (const LeafAside& l : leaves_) fn(*l.leaf);
  }

 private:
  // What an outer pass had collected.
  struct LeafAside {
    Ref<Leaf> leaf;
    ArrayRef collected;
  };
  struct OutputAside {
    Ref<TapeNode> node;
    uint32_t slot;
    ArrayRef gradient;
  };
  struct Watched {
    TapeNode* node;
    uint32_t slot;
    ArrayRef* result;
  };

  // Has the hooks of a call's outputs see their gradients, which are complete now.
  static void call_hooks(TapeNode& node) {
    for (uint32_t slot = 0; slot < node.outputs().size(); ++slot) {
      const ArrayRef gradient = node.outputs()[slot].gradient;
      if (gradient) node.outputs()[slot].gradient = node.watch->call(node.name(), slot, gradient);
    }
  }

  // Adds gradients of outputs to what is kept of them.
  static void keep_gradients(TapeNode& node) {
    for (uint32_t slot = 0; slot < node.outputs().size(); ++slot) {
      const ArrayRef& gradient = node.outputs()[slot].gradient;
      ArrayRef* const kept = node.watch->kept(slot);
      if (!gradient || !kept) continue;
      *kept = *kept ? sum_of(**kept, *gradient) : own_copy(*gradient);
    }
  }

  static uint64_t& last_number() {
    static uint64_t number = 0;
    return number;
  }

  // All nodes and leaves that a link leads to.
  void collect(TapeLink* first) {
    std::vector<TapeLink*> stack{first};
    while (!stack.empty()) {
      TapeLink* link = stack.back();
      stack.pop_back();
      if (Leaf* leaf = as_leaf(link)) {
        if (leaf->visited != number_) {
          leaves_.push_back({Ref<Leaf>(leaf), ArrayRef()});
          std::swap(leaves_.back().collected, leaf->collected);
        }
        leaf->visited = number_;
        continue;
      }
      auto* node = static_cast<TapeNode*>(link);
      if (node->visited == number_) continue;
      node->visited = number_;
      if (node->freed()) {
        fail(Status::autograd, "[", node->name(),
             "] its part of the gradient graph was freed by an earlier backward; pass retain_graph=True "
             "there");
      }
      nodes_.emplace_back(node);
      for (uint32_t slot = 0; slot < node->outputs().size(); ++slot) {
        ArrayRef& gradient = node->outputs()[slot].gradient;
        if (!gradient) continue;
        outputs_aside_.push_back({Ref<TapeNode>(node), slot, ArrayRef()});
        std::swap(outputs_aside_.back().gradient, gradient);
      }
      for (TapeNode::Input& input : node->inputs()) {
        if (input.link) stack.push_back(input.link.get());
      }
    }
  }

  static ArrayRef ones_like_head(Array& head) {
    const ModeScope quiet(false);
    if (head.sparse()) {
      const ArrayRef zeros = zeros_of(head.shape(), head.dtype(), head.device());
      return ones_like_head(*zeros);
    }
    static const Op& ones = find_op("ones_like");
    Array* const in[] = {&head};
    ArrayRef out;
    invoke(ones, ones.defaults, in, Span<ArrayRef>(&out, 1));
    return out;
  }

  static void check_size(size_t i, const Array& head, const Array& given) {
    static FirstTime first;
    const int64_t wanted = head.shape().size(), there = given.shape().size();
    if (wanted == there) return;
    const std::string seen = text("[backward] head ", i, " is ", head.shape(), " ", name_of(head.dtype()),
                                  " but its head gradient ", given.shape(), " ", name_of(given.dtype()),
                                  "; expected as many elements");
    if (there < wanted) fail(Status::shape, seen);
    if (first.now()) warn(seen + ". Those behind the first are left out; this is said once");
  }

  // The gradient that was given, dense, in the head's dtype and shape.
  static ArrayRef like_head(Array& given, const Array& head) {
    const ArrayRef dense = sparse::to_storage(given, Storage::dense);
    Tensor fitting = cast_to(as_tensor(dense), head.dtype());
    if (given.shape().size() > head.shape().size()) {
      fitting = apply("slice_axis", {reshape_to(fitting, {given.shape().size()})},
                      {{"axis", Value(0)}, {"begin", Value(0)}, {"end", Value(head.shape().size())}});
    }
    return ArrayRef(as_array(reshape_to(fitting, head.shape())));
  }

  void pass_node(TapeNode& node) {
    const size_t n = node.inputs().size();
    if (scratch_.size() < n) scratch_.resize(n);
    const Span<ArrayRef> gradients(scratch_.data(), n);
    node.backward(options_.create_graph, gradients);
    for (size_t i = 0; i < n; ++i) {
      TapeNode::Input& input = node.inputs()[i];
      ArrayRef gradient = std::move(scratch_[i]);
      scratch_[i] = ArrayRef();
      if (!gradient || !input.link) continue;
      if (gradient->shape() != input.shape || gradient->dtype() != input.dtype) {
        fail(Status::shape, "[", node.name(), "] gradient ", i, " is ", gradient->shape(), " ",
             name_of(gradient->dtype()), "; its input is ", input.shape, " ", name_of(input.dtype));
      }
      add_gradient(input.link.get(), input.slot, std::move(gradient));
    }
  }

  void add_gradient(TapeLink* link, uint32_t slot, ArrayRef gradient) {
    if (Leaf* leaf = as_leaf(link)) {
      const Device device = leaf->gradient() ? leaf->gradient()->device() : gradient->device();
      return accumulate(leaf->collected, on_device(std::move(gradient), device));
    }
    auto* const node = static_cast<TapeNode*>(link);
    TapeNode::Output& output = node->outputs()[slot];
    if (!node->takes_sparse()) gradient = sparse::to_storage(*gradient, Storage::dense);
    accumulate(output.gradient, on_device(std::move(gradient), output.device));
  }

  // Where the value lies that it is the gradient of: that of a copy to another device comes from there.
  static ArrayRef on_device(ArrayRef gradient, Device device) {
    if (gradient->device() == device) return gradient;
    ArrayRef there = gradient->sparse()
                         ? empty_sparse(storage_of(*gradient), gradient->shape(), gradient->dtype(), device)
                         : Array::empty(gradient->shape(), gradient->dtype(), device);
    copy_array(*gradient, *there);
    return there;
  }

  void accumulate(ArrayRef& sum, ArrayRef more) {
    if (!sum) {
      sum = std::move(more);
      return;
    }
    static const Op& add = find_op("elemwise_add");
    Array* const in[] = {sum.get(), more.get()};
    ArrayRef out;
    // A sum that only this pass holds is added to where it lies.
    if (!options_.create_graph && sum->unique() && !sum->chunk().shared() && sum->whole_chunk()) out = sum;
    invoke(add, add.defaults, in, Span<ArrayRef>(&out, 1));
    sum = std::move(out);
  }

  BackwardOptions options_;
  bool stores_;
  uint64_t number_;
  std::vector<Ref<TapeNode>> nodes_;
  std::vector<LeafAside> leaves_;
  std::vector<OutputAside> outputs_aside_;
  std::vector<Watched> watched_;
  std::vector<ArrayRef> scratch_;
};

void copy_into(Array& dst, Array& src) {
  static const Op& copy = find_op("_copy");
  Array* const in[] = {&src};
  ArrayRef out(&dst);
  invoke(copy, copy.defaults, in, Span<ArrayRef>(&out, 1));
}

// Whether nobody else can see the array or its memory.
bool exclusive(const Array& array) {
  return array.unique() && !array.chunk().shared() && array.whole_chunk();
}

// Where the gradient that was asked for, or the one that came, is sparse.
void store_sparse(Array& target, Array& source, GradientRequest req) {
  ArrayRef sum(&source);
  if (req == GradientRequest::add) {
    static const Op& add = find_op("elemwise_add");
    Array* const in[] = {&target, &source};
    sum = ArrayRef();
    invoke(add, add.defaults, in, Span<ArrayRef>(&sum, 1));
  }
  sparse::assign(*sum, target);
}

void store_gradient(Leaf& leaf, bool create_graph) {
  Array& target = *leaf.gradient();
  leaf.fresh = true;
  ArrayRef source = std::move(leaf.collected);
  leaf.collected = ArrayRef();
  const bool adds = leaf.req() == GradientRequest::add && !leaf.forgotten;
  if (!source) {
    if (leaf.req() == GradientRequest::add) return;
    static const Op& zeros = find_op("zeros_like");
    Array* const in[] = {&target};
    ArrayRef out(&target);
    invoke(zeros, zeros.defaults, in, Span<ArrayRef>(&out, 1));
    return;
  }
  leaf.forgotten = false;
  if (source->sparse() || target.sparse())
    return store_sparse(target, *source, adds ? GradientRequest::add : GradientRequest::write);
  if (adds) {
    static const Op& add = find_op("elemwise_add");
    Array* const in[] = {&target, source.get()};
    ArrayRef out = create_graph ? ArrayRef() : ArrayRef(&target);
    const LeavesScope scope(Leaves::changed);  // what earlier passes added
    invoke(add, add.defaults, in, Span<ArrayRef>(&out, 1));
    if (!create_graph) return;
    source = std::move(out);
  }
  if (create_graph && !exclusive(*source)) source = own_copy(*source);
  if (create_graph && !source->link()) link_constant(*source, Ref<TapeLink>(&leaf), 0);
  const bool stealable = exclusive(*source) && !target.chunk().shared() && target.whole_chunk();
  if (stealable || create_graph) {
    // Nobody else can see either piece of memory, so the array changes hands instead of being copied.
    target.rebind(*source);
    target.set_link(Ref<TapeLink>(create_graph ? source->link() : nullptr), source->link_slot());
  } else {
    copy_into(target, *source);
  }
}

}  // namespace

void run_backward(Span<Array* const> heads, Span<Array* const> head_grads, const BackwardOptions& options) {
  refuse_while_tracing("backward()");
  const std::lock_guard<PassMutex> lock(backward_mutex());
  const NestingScope nesting;
  const ModeScope scope(options.create_graph);
  const Builder::Scope builder(imperative_builder());
  BackwardPass pass(options);
  pass.begin(heads, head_grads);
  pass.run();
  pass.for_leaves([](Leaf& leaf) { BackwardPass::call_hooks(leaf); });
  pass.for_leaves([&](Leaf& leaf) { store_gradient(leaf, options.create_graph); });
}

std::vector<ArrayRef> run_gradients(Span<Array* const> heads, Span<Array* const> head_grads,
                                    Span<Array* const> variables, const BackwardOptions& options) {
  refuse_while_tracing("backward()");
  const std::lock_guard<PassMutex> lock(backward_mutex());
  const NestingScope nesting;
  const ModeScope scope(options.create_graph);
  const Builder::Scope builder(imperative_builder());
  std::vector<ArrayRef> results(variables.size());
  for (size_t i = 0; i < variables.size(); ++i) {
    if (!variables[i]->link()) {
      fail(Status::autograd, "[grad] variable ", i, " of shape ", variables[i]->shape(),
           " is not on the tape; call attach_grad() before recording");
    }
  }
  BackwardPass pass(options, false);
  pass.begin(heads, head_grads);
  for (size_t i = 0; i < variables.size(); ++i) pass.watch(*variables[i], &results[i]);
  pass.run();
  for (size_t i = 0; i < variables.size(); ++i) {
    Leaf* leaf = as_leaf(variables[i]->link());
    if (leaf) BackwardPass::call_hooks(*leaf);
    if (leaf && leaf->collected) results[i] = std::move(leaf->collected);
    if (leaf) leaf->collected = ArrayRef();
    for (size_t j = 0; !results[i] && j < i; ++j) {  // asked for twice
      const bool same = variables[j]->link() == variables[i]->link() &&
                        variables[j]->link_slot() == variables[i]->link_slot();
      if (same) results[i] = results[j];
    }
    if (results[i]) continue;
    static const Op& zeros = find_op("zeros_like");
    Array* const in[] = {variables[i]};
    invoke(zeros, zeros.defaults, in, Span<ArrayRef>(&results[i], 1));
  }
  // What the caller gets is its own: not another result, nor a head gradient it gave.
  for (size_t i = 0; i < results.size(); ++i) {
    if (!exclusive(*results[i])) results[i] = own_copy(*results[i]);
    // That of a linear function is constant; its own gradient is 0.
    if (options.create_graph && !results[i]->link())
      link_constant(*results[i], Ref<TapeLink>(variables[i]->link()), variables[i]->link_slot());
  }
  return results;
}

}  // namespace mixgrad
