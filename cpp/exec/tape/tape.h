// The gradient tape: what was recorded, and walking it backwards.
#pragma once

#include <memory>
#include <vector>

#include "exec/imperative/call.h"
#include "exec/tape/watch.h"
#include "graph/passes/gradient.h"
#include "graph/symbol.h"

namespace mixgrad {

// A variable whose gradient is asked for. It owns the array the gradient is written to.
class Leaf final : public TapeLink {
 public:
  Leaf(ArrayRef gradient, GradientRequest req)
      : TapeLink(Kind::leaf), gradient_(std::move(gradient)), req_(req) {}
  const ArrayRef& gradient() const { return gradient_; }
  GradientRequest req() const { return req_; }
  // Whether a backward pass has written the gradient since the client last said that it knows it.
  bool fresh = false;
  // Whether what it holds is forgotten: the next pass writes where it would add. Who asks before gets zeros.
  bool forgotten = false;
  // Where a backward pass collects what flows here, and the number of the pass that saw it last.
  ArrayRef collected;
  uint64_t visited = 0;
  std::unique_ptr<GradientWatch> watch;  // null: nobody asked

 private:
  ArrayRef gradient_;
  GradientRequest req_;
};

// A value kept for the gradient: memory and the version it had.
struct SavedValue {
  Ref<Chunk> chunk;
  size_t offset = 0;
  uint64_t version = 0;
};

class TapeNode : public TapeLink {
 public:
  struct Input {
    Ref<TapeLink> link;  // null: no gradient wanted
    uint32_t slot = 0;
    Shape shape;
    DType dtype = DType::float32;
    SavedValue saved;
  };
  struct Output {
    Shape shape;
    DType dtype = DType::float32;
    Device device;
    SavedValue saved;
    ArrayRef gradient;  // during a backward pass
  };

  TapeNode(int inputs, int outputs);
  virtual const char* name() const = 0;
  // Whether backward() takes gradients of outputs that are sparse; else they arrive as dense ones.
  virtual bool takes_sparse() const { return false; }
  // Null where the node is no operator's call.
  virtual const Op* op() const { return nullptr; }
  virtual ParamsRef params() const { return {}; }
  // Of a call of a graph: the graph, whose arguments are the node's inputs; else null.
  virtual const Symbol* graph() const { return nullptr; }
  // Computes gradients[i] of every input with a link from outputs()[].gradient; entries may stay null (zero).
  virtual void backward(bool create_graph, Span<ArrayRef> gradients) = 0;
  // Lets go of everything; a later backward pass through this node is an error.
  virtual void free_saved();

  Span<Input> inputs() { return {inputs_.get(), static_cast<size_t>(num_inputs_)}; }
  Span<Output> outputs() { return {outputs_.get(), static_cast<size_t>(num_outputs_)}; }
  uint64_t sequence() const { return sequence_; }
  bool freed() const { return freed_; }
  uint64_t visited = 0;                  // number of the backward pass that saw this node last
  std::unique_ptr<GradientWatch> watch;  // null: nobody asked for gradients of the outputs

 protected:
  ~TapeNode() override = default;
  void destroy() override;  // without recursion, however long the tape

 private:
  std::unique_ptr<Input[]> inputs_;
  std::unique_ptr<Output[]> outputs_;
  int num_inputs_, num_outputs_;
  uint64_t sequence_;
  TapeNode* doomed_ = nullptr;  // the next of those whose last reference has gone
  bool freed_ = false;
};

// Records one call of an operator that is about to be pushed: what its gradient needs and where its inputs come from.
Ref<TapeNode> record_call(const Op& op, const ParamsRef& params, bool training, Span<Array* const> in,
                          Span<const ArrayRef> out);

// Gives outputs their place on the tape; with a null node they have none.
void link_outputs(const Ref<TapeNode>& node, Span<const ArrayRef> out);

// Whether gradients flow to what the array was computed from. What a backward pass has let go of counts as a constant.
bool on_tape(const Array& array);

// Gives an array without history the place of a function of `of` that is constant: its gradient is 0.
void link_constant(Array& value, Ref<TapeLink> of, uint32_t slot);

// A function of the user's: `backward` gets one gradient per output (never null) and returns one per input.
class CustomGradient {
 public:
  virtual ~CustomGradient() = default;
  virtual void backward(Span<const ArrayRef> out_grads, Span<ArrayRef> in_grads) = 0;
  // As TapeNode has it.
  virtual const Symbol* graph() const { return nullptr; }
};
void record_custom(const std::string& name, std::unique_ptr<CustomGradient> gradient, Span<Array* const> in,
                   Span<const ArrayRef> out);

// Declares a variable. `gradient` has its shape and dtype.
void mark_variable(Array& variable, ArrayRef gradient, GradientRequest req);
// The gradient array of a variable, or what a computed array keeps, or null. One that was forgotten is cleared.
ArrayRef gradient_of(const Array& array);
// Has a gradient count as zeros, which are written only where someone can see them before the next backward pass.
void forget_gradient(Leaf& leaf);
// The calls that led to a value, as a graph; variables of the tape, and then arrays that were none, are called var0, var1, ...
Symbol history_of(const Array& array);
// Null when the link is null or of the other kind.
Leaf* as_leaf(TapeLink* link);
TapeNode* as_node(TapeLink* link);

struct BackwardOptions {
  bool retain_graph = false;
  bool create_graph = false;
};
// Gradients of the heads (weighted by head_grads; null entries are ones) into all variables they depend on.
void run_backward(Span<Array* const> heads, Span<Array* const> head_grads, const BackwardOptions& options);
// The same for chosen arrays, given back instead of written; variables' own gradients stay untouched.
std::vector<ArrayRef> run_gradients(Span<Array* const> heads, Span<Array* const> head_grads,
                                    Span<Array* const> variables, const BackwardOptions& options);

}  // namespace mixgrad
