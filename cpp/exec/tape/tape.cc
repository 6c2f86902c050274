#include "exec/tape/tape.h"

#include <atomic>

#include "base/error.h"
#include "device/api.h"
#include "exec/imperative/invoke.h"

namespace mixgrad {
namespace {

std::atomic<uint64_t> next_tape_sequence{1};

constexpr const char* kCopy = "compute on a copy instead";

SavedValue save_value(const Array& array, uint64_t version) {
  return {array.chunk_ref(), array.offset(), version};
}

[[noreturn]] void fail_changed(const char* op, const std::string& what, const SavedValue& saved,
                               const char* advice) {
  fail(Status::autograd, "[", op, "] the gradient needs ", what,
       ", but it was changed in place after the call (version ", saved.version, " then, ",
       saved.chunk->push_version(), " now); ", advice);
}

class OpNode final : public TapeNode {
 public:
  OpNode(const Op& op, ParamsRef params, bool training, int inputs, int outputs)
      : TapeNode(inputs, outputs), op_(op), params_(std::move(params)), training_(training) {}
  const char* name() const override { return op_.name.c_str(); }
  void backward(bool create_graph, Span<ArrayRef> gradients) override;
  const Op* op() const override { return &op_; }
  ParamsRef params() const override { return params_; }
  bool training() const { return training_; }

  // A saved input or output as an array; with its place on the tape when `linked`.
  ArrayRef restore_input(int i, bool linked) const {
    auto& input = const_cast<OpNode*>(this)->inputs()[static_cast<size_t>(i)];
    return restore(input.saved, input.shape, input.dtype, op_.input_name(i),
                   linked ? input.link : Ref<TapeLink>(), input.slot,
                   op_.mutates(i, training_)
                       ? "the operator writes it itself, so its gradient needs an output instead"
                       : kCopy);
  }
  ArrayRef restore_output(int i, bool linked) const {
    auto* self = const_cast<OpNode*>(this);
    auto& output = self->outputs()[static_cast<size_t>(i)];
    return restore(output.saved, output.shape, output.dtype, text("output ", i),
                   linked ? Ref<TapeLink>(self) : Ref<TapeLink>(), static_cast<uint32_t>(i), kCopy);
  }
  // The gradient of output i, zeros where nothing arrived.
  ArrayRef out_gradient(int i) const;

 private:
  ArrayRef restore(const SavedValue& saved, const Shape& shape, DType dtype, const std::string& what,
                   Ref<TapeLink> link, uint32_t slot, const char* advice) const {
    if (!saved.chunk)
      fail(Status::internal, "[", op_.name, "] the gradient asks for ", what,
           ", which was not saved; expected it in grad_needs()");
    if (saved.chunk->push_version() != saved.version) fail_changed(op_.name.c_str(), what, saved, advice);
    ArrayRef array = Array::make(saved.chunk, saved.offset, shape, dtype);
    if (link) array->set_link(std::move(link), slot);
    return array;
  }
  void fused_backward(Span<ArrayRef> gradients);

  const Op& op_;
  ParamsRef params_;
  bool training_;
};

// What a composed gradient sees of one node.
class NodeGrad final : public Grad {
 public:
  NodeGrad(OpNode& node, bool create_graph, Span<ArrayRef> gradients)
      : node_(node), create_graph_(create_graph), gradients_(gradients) {}
  bool wants(int i) const override { return static_cast<bool>(input(i).link); }
  Tensor out_grad(int i) const override { return as_tensor(node_.out_gradient(i)); }
  bool has_out_grad(int i) const override { return static_cast<bool>(output(i).gradient); }
  Tensor in(int i) const override { return as_tensor(node_.restore_input(i, create_graph_)); }
  Tensor out(int i) const override { return as_tensor(node_.restore_output(i, create_graph_)); }
  const Shape& in_shape(int i) const override { return input(i).shape; }
  DType in_dtype(int i) const override { return input(i).dtype; }
  const Shape& out_shape(int i) const override { return output(i).shape; }
  int num_inputs() const override { return static_cast<int>(node_.inputs().size()); }
  int num_outputs() const override { return static_cast<int>(node_.outputs().size()); }
  bool training() const override { return node_.training(); }
  void set(int i, Tensor gradient) override {
    gradients_[static_cast<size_t>(i)] = ArrayRef(as_array(gradient));
  }

 private:
  const TapeNode::Input& input(int i) const { return node_.inputs()[static_cast<size_t>(i)]; }
  const TapeNode::Output& output(int i) const { return node_.outputs()[static_cast<size_t>(i)]; }
  OpNode& node_;
  bool create_graph_;
  Span<ArrayRef> gradients_;
};

void OpNode::backward(bool create_graph, Span<ArrayRef> gradients) {
  if (op_.zero_gradient) return;
  if (op_.has_backward(processor_of(outputs()[0].device)) && (!create_graph || !op_.grad_fn)) {
    if (create_graph) {
      fail(Status::autograd, "[", op_.name,
           "] has no second-order gradient; create_graph=True cannot pass through it");
    }
    return fused_backward(gradients);
  }
  if (!op_.grad_fn) fail(Status::autograd, "[", op_.name, "] has no gradient");
  NodeGrad grad(*this, create_graph, gradients);
  op_.grad_fn(op_, params_->data(), grad);
}

ArrayRef OpNode::out_gradient(int i) const {
  const Output& output = const_cast<OpNode*>(this)->outputs()[static_cast<size_t>(i)];
  if (output.gradient) return output.gradient;
  return zeros_of(output.shape, output.dtype, output.device);
}

void OpNode::fused_backward(Span<ArrayRef> gradients) {
  const size_t outs = outputs().size(), ins = inputs().size();
  std::vector<ArrayRef> held(outs + ins + outs);
  std::vector<Operand> operands(outs + ins + outs + ins);
  for (size_t i = 0; i < outs; ++i) held[i] = out_gradient(static_cast<int>(i));
  for (size_t i = 0; i < ins; ++i) {
    operands[outs + i].shape = &inputs()[i].shape;
    operands[outs + i].dtype = inputs()[i].dtype;
    if (op_.grad_needs_in(static_cast<int>(i))) held[outs + i] = restore_input(static_cast<int>(i), false);
  }
  for (size_t i = 0; i < outs; ++i) {
    operands[outs + ins + i].shape = &outputs()[i].shape;
    operands[outs + ins + i].dtype = outputs()[i].dtype;
    if (op_.grad_needs_out(static_cast<int>(i)))
      held[outs + ins + i] = restore_output(static_cast<int>(i), false);
  }
  for (size_t i = 0; i < held.size(); ++i) {
    if (held[i]) operands[i] = Operand(*held[i]);
  }
  const Device device = outputs()[0].device;
  for (size_t i = 0; i < ins; ++i) {
    Operand& operand = operands[outs + ins + outs + i];
    operand.shape = &inputs()[i].shape;
    operand.dtype = inputs()[i].dtype;
    if (!inputs()[i].link) continue;
    gradients[i] = Array::empty(inputs()[i].shape, inputs()[i].dtype, device);
    operand = Operand(*gradients[i]);
  }
  CallFrame frame;
  frame.op = &op_;
  frame.params = params_.get();
  frame.kind = CallKind::backward;
  frame.training = training_;
  frame.num_out_grads = static_cast<int>(outs);
  frame.num_inputs = static_cast<int>(ins);
  frame.num_saved_outputs = static_cast<int>(outs);
  frame.num_outputs = static_cast<int>(ins);
  frame.num_operands = static_cast<int>(operands.size());
  frame.operands = operands.data();
  std::vector<Shape> shapes;
  for (const Input& input : inputs()) shapes.push_back(input.shape);
  // A gradient costs about twice its forward call.
  push_call(frame, op_.name.c_str(), 2 * op_.cost(params_->data(), shapes, outputs()[0].shape.size()));
}

class CustomNode final : public TapeNode {
 public:
  CustomNode(std::string name, std::unique_ptr<CustomGradient> gradient, int inputs, int outputs)
      : TapeNode(inputs, outputs), name_(std::move(name)), gradient_(std::move(gradient)) {}
  const char* name() const override { return name_.c_str(); }
  const Symbol* graph() const override { return gradient_ ? gradient_->graph() : nullptr; }
  void backward(bool create_graph, Span<ArrayRef> gradients) override {
    (void)create_graph;  // the user's function runs under the caller's mode and is recorded like any code
    std::vector<ArrayRef> out_grads;
    for (Output& output : outputs()) {
      out_grads.push_back(output.gradient ? output.gradient
                                          : zeros_of(output.shape, output.dtype, output.device));
    }
    gradient_->backward(out_grads, gradients);
  }
  void free_saved() override {
    TapeNode::free_saved();
    gradient_.reset();
  }

 private:
  std::string name_;
  std::unique_ptr<CustomGradient> gradient_;
};

class ConstantNode final : public TapeNode {
 public:
  ConstantNode() : TapeNode(1, 1) {}
  const char* name() const override { return "constant"; }
  void backward(bool, Span<ArrayRef>) override {}
};

// Fills what a node knows of its inputs and outputs.
void describe_node(TapeNode& node, Span<Array* const> in, Span<const ArrayRef> out) {
  for (size_t i = 0; i < in.size(); ++i) {
    TapeNode::Input& input = node.inputs()[i];
    input.shape = in[i]->shape();
    input.dtype = in[i]->dtype();
    if (on_tape(*in[i])) input.link = Ref<TapeLink>(in[i]->link());
    input.slot = in[i]->link_slot();
  }
  for (size_t i = 0; i < out.size(); ++i) {
    TapeNode::Output& output = node.outputs()[i];
    output.shape = out[i]->shape();
    output.dtype = out[i]->dtype();
    output.device = out[i]->device();
  }
}

}  // namespace

TapeNode::TapeNode(int inputs, int outputs)
    : TapeLink(Kind::node),
      inputs_(new Input[static_cast<size_t>(inputs)]),
      outputs_(new Output[static_cast<size_t>(outputs)]),
      num_inputs_(inputs),
      num_outputs_(outputs),
      sequence_(next_tape_sequence.fetch_add(1, std::memory_order_relaxed)) {}

void TapeNode::free_saved() {
  freed_ = true;
  for (Input& input : inputs()) {
    input.saved = SavedValue();
    input.link = Ref<TapeLink>();
  }
  for (Output& output : outputs()) output.saved = SavedValue();
  if (watch) watch->remove_all();  // none can be called again
}

void TapeNode::destroy() {
  thread_local TapeNode* doomed = nullptr;
  thread_local bool at_work = false;
  doomed_ = doomed;
  doomed = this;
  if (at_work) return;
  at_work = true;
  while (TapeNode* node = doomed) {
    doomed = node->doomed_;
    delete node;
  }
  at_work = false;
}

Ref<TapeNode> record_call(const Op& op, const ParamsRef& params, bool training, Span<Array* const> in,
                          Span<const ArrayRef> out) {
  Ref<TapeNode> node(
      new OpNode(op, params, training, static_cast<int>(in.size()), static_cast<int>(out.size())));
  if (!op.zero_gradient) {
    for (size_t i = 0; i < in.size(); ++i) {
      if (op.grad_needs_in(static_cast<int>(i))) {
        node->inputs()[i].saved = save_value(*in[i], in[i]->chunk().push_version());
      }
    }
    // This call is the one write between now and the value the gradient wants.
    for (size_t i = 0; i < out.size(); ++i) {
      if (op.grad_needs_out(static_cast<int>(i))) {
        node->outputs()[i].saved = save_value(*out[i], out[i]->chunk().push_version() + 1);
      }
    }
  }
  describe_node(*node, in, out);
  return node;
}

void link_outputs(const Ref<TapeNode>& node, Span<const ArrayRef> out) {
  for (size_t i = 0; i < out.size(); ++i)
    out[i]->set_link(Ref<TapeLink>(node.get()), static_cast<uint32_t>(i));
}

void record_custom(const std::string& name, std::unique_ptr<CustomGradient> gradient, Span<Array* const> in,
                   Span<const ArrayRef> out) {
  bool linked = false;
  for (Array* array : in) linked |= on_tape(*array);
  if (!linked) return;
  const Ref<TapeNode> node(
      new CustomNode(name, std::move(gradient), static_cast<int>(in.size()), static_cast<int>(out.size())));
  describe_node(*node, in, out);
  link_outputs(node, out);
}

bool on_tape(const Array& array) {
  const TapeNode* node = as_node(array.link());
  return node ? !node->freed() : array.link() != nullptr;
}

void link_constant(Array& value, Ref<TapeLink> of, uint32_t slot) {
  const Ref<TapeNode> node(new ConstantNode);
  const ArrayRef out(&value);
  describe_node(*node, {}, Span<const ArrayRef>(&out, 1));
  node->inputs()[0].link = std::move(of);
  node->inputs()[0].slot = slot;
  link_outputs(node, Span<const ArrayRef>(&out, 1));
}

Leaf* as_leaf(TapeLink* link) {
  return link && link->kind() == TapeLink::Kind::leaf ? static_cast<Leaf*>(link) : nullptr;
}
TapeNode* as_node(TapeLink* link) {
  return link && link->kind() == TapeLink::Kind::node ? static_cast<TapeNode*>(link) : nullptr;
}

void mark_variable(Array& variable, ArrayRef gradient, GradientRequest req) {
  if (gradient && (gradient->shape() != variable.shape() || gradient->dtype() != variable.dtype())) {
    fail(Status::shape, "[attach_grad] the variable is ", variable.shape(), " ", name_of(variable.dtype()),
         " but its gradient ", gradient->shape(), " ", name_of(gradient->dtype()), "; expected the same");
  }
  variable.set_link(
      req == GradientRequest::null ? Ref<TapeLink>() : Ref<TapeLink>(new Leaf(std::move(gradient), req)), 0);
}

namespace {

void clear(Array& gradient) {
  static const Op& zeros = find_op("zeros_like");
  const Unrecorded quiet;
  Array* const in[] = {&gradient};
  ArrayRef out(&gradient);
  invoke(zeros, zeros.defaults, in, Span<ArrayRef>(&out, 1));
}

}  // namespace

ArrayRef gradient_of(const Array& array) {
  Leaf* leaf = as_leaf(array.link());
  if (!leaf) {
    TapeNode* node = as_node(array.link());
    ArrayRef* kept = node && node->watch ? node->watch->kept(array.link_slot()) : nullptr;
    return kept ? *kept : ArrayRef();
  }
  if (leaf->forgotten) {
    leaf->forgotten = false;
    clear(*leaf->gradient());
  }
  return leaf->gradient();
}

void forget_gradient(Leaf& leaf) {
  leaf.fresh = false;
  const ArrayRef& gradient = leaf.gradient();
  if (!gradient) return;
  // Only an array that no client holds, with memory that no other array has, can wait.
  leaf.forgotten = gradient->unique() && !gradient->sparse() && !gradient->chunk().shared();
  if (!leaf.forgotten) clear(*gradient);
}

}  // namespace mixgrad
