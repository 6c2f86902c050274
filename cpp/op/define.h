// Authoring an operator: one chain says all that the library knows about it.
//
//   const Op& op = Define<Params>("name").doc("...").input("data", "...").like(0).kernel(...).grad(...);
//
// The chain is given functions or captureless lambdas that take `const Params&` first. What a build leaves out (texts,
// gradients) is inlined, so that nothing is left of it.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <utility>

#include "base/build.h"
#include "base/error.h"
#include "op/op.h"
#include "op/scalar.h"

namespace mixgrad {

// Puts a finished operator into the registry; mistakes of the definition throw Status::internal.
const Op& register_op(std::unique_ptr<Op> op);

namespace define {

enum UserFn {
  kNumInputs,
  kNumOutputs,
  kNumVisible,
  kShape,
  kDType,
  kKernel,
  kBackward,
  kGrad,
  kCost,
  kLoss,
  kKept
};

// What the chain is given, as an operator calls it: a function of (const P&, Args...), which the operator keeps, or a
// captureless lambda, which is called in place.
template <class P, UserFn kWhich, class R, class... Args>
class Given {
 public:
  using Function = R (*)(const P&, Args...);
  // Inlined, so that nothing is left of what a build ignores.
  MIXGRAD_INLINE Given(Function fn) : function(reinterpret_cast<void (*)()>(fn)), thunk(&call_function) {}
  template <class F, class = std::enable_if_t<std::is_class_v<F>>>
  MIXGRAD_INLINE Given(F) : thunk(&call_lambda<F>) {}

  void (*function)() = nullptr;
  R (*thunk)(const Op&, const void*, Args...);

 private:
  static R call_function(const Op& op, const void* params, Args... args) {
    return reinterpret_cast<Function>(op.user_fn[kWhich])(*static_cast<const P*>(params), args...);
  }
  template <class F>
  static R call_lambda(const Op&, const void* params, Args... args) {
    return tile::stateless<F>()(*static_cast<const P*>(params), args...);
  }
};

}  // namespace define

// The stock inference rules.
void infer_like(ShapeInfer& s, int input);  // all outputs like one input; all unify
void infer_broadcast(ShapeInfer& s);        // NumPy broadcast of all inputs
void infer_same_dtype(DTypeInfer& d);       // all inputs and outputs one dtype

// What Define does whatever the parameter struct.
class Definition {
 public:
  Definition(const Definition&) = delete;
  Definition& operator=(const Definition&) = delete;
  // Registers what the chain described; a chain bound to a `const Op&` does so by itself.
  MIXGRAD_RARE const Op& done();
  operator const Op&() { return done(); }

 protected:
  MIXGRAD_RARE Definition(const char* name, const Schema& schema);
  Definition(Definition&& other) noexcept;
  MIXGRAD_RARE ~Definition();
  MIXGRAD_RARE void add_alias(const char* name);
  MIXGRAD_RARE void add_input(const char* name, const char* doc, bool mutates, bool auxiliary);
  void set_texts(const char* doc, const char* origin);  // null: unchanged
  MIXGRAD_RARE void set_module(const char* name);
  MIXGRAD_RARE void set_start(const char* initialiser);
  MIXGRAD_RARE void set_variadic(const char* name, const char* doc, const char* count_field);
  MIXGRAD_RARE void set_outputs(std::initializer_list<const char*> names);
  MIXGRAD_RARE void set_grad_needs(std::initializer_list<int> in, std::initializer_list<int> out);
  MIXGRAD_RARE void set_pointwise();
  MIXGRAD_RARE void set_broadcasting();
  MIXGRAD_RARE void keep(define::UserFn which, void (*fn)());

  std::unique_ptr<Op> op_;
};

template <class P = NoParams>
class Define : public Definition {
 public:
  explicit Define(const char* name) : Definition(name, schema_of<P>()) {}

  Define& alias(const char* name) {
    add_alias(name);
    return *this;
  }
  MIXGRAD_INLINE Define& doc(const char* text) {
    if constexpr (kTexts) set_texts(text, nullptr);
    return *this;
  }
  MIXGRAD_INLINE Define& origin(const char* text) {
    if constexpr (kTexts) set_texts(nullptr, text);
    return *this;
  }
  Define& module(const char* name) {
    set_module(name);
    return *this;
  }
  MIXGRAD_INLINE Define& input(const char* name, const char* doc) {
    add_input(name, kTexts ? doc : "", false, false);
    return *this;
  }
  // An input that the kernel also writes, in place.
  MIXGRAD_INLINE Define& state(const char* name, const char* doc) {
    add_input(name, kTexts ? doc : "", true, false);
    return *this;
  }
  // A state that graphs keep apart from the arguments (moving averages).
  MIXGRAD_INLINE Define& auxiliary(const char* name, const char* doc) {
    add_input(name, kTexts ? doc : "", true, true);
    return *this;
  }
  // How a graph's variable for the input named last starts when the user names no initialiser.
  Define& starts_as(const char* initialiser) {
    set_start(initialiser);
    return *this;
  }
  // Any number of inputs; `count_field` is the parameter (or null) that states how many.
  Define& variadic(const char* name, const char* doc, const char* count_field) {
    set_variadic(name, kTexts ? doc : "", count_field);
    return *this;
  }
  // Of a variadic operator whose inputs come in groups of `size`: bit m of `members` says that the kernel also
  // writes member m of every group.
  Define& group_states(int size, uint32_t members) {
    op_->group_size = size;
    op_->group_states = members;
    op_->has_states = members != 0;
    return *this;
  }
  // The parameters subgraph0, ... hold graphs, which files have beside the parameters.
  Define& subgraphs(int count) {
    op_->num_subgraphs = count;
    return *this;
  }
  // Names the outputs; without a call there is one, "out".
  Define& outputs(std::initializer_list<const char*> names) {
    set_outputs(names);
    return *this;
  }

  Define& num_inputs(define::Given<P, define::kNumInputs, int> fn) {
    op_->num_inputs_fn = taken(fn);
    return *this;
  }
  Define& num_outputs(define::Given<P, define::kNumOutputs, int> fn) {
    op_->num_outputs_fn = taken(fn);
    return *this;
  }
  Define& num_visible(define::Given<P, define::kNumVisible, int> fn) {
    op_->num_visible_fn = taken(fn);
    return *this;
  }

  Define& shape(define::Given<P, define::kShape, void, ShapeInfer&> fn) {
    op_->shape_fn = taken(fn);
    return *this;
  }
  Define& dtype(define::Given<P, define::kDType, void, DTypeInfer&> fn) {
    op_->dtype_fn = taken(fn);
    return *this;
  }
  // Inputs broadcast together.
  Define& broadcasts() {
    set_broadcasting();
    return *this;
  }

  Define& kernel(define::Given<P, define::kKernel, void, KernelArgs&> fn) {
    op_->kernel_fn = taken(fn);
    return *this;
  }
  // The kernel as a scalar expression of the inputs, at most three; any strides of broadcasting, any dtype.
  template <class S>
  Define& pointwise(S scalar) {
    return pointwise_of<false>(scalar);
  }
  // The same, with integer dtypes computed as integers rather than through float.
  template <class S>
  Define& pointwise_int(S scalar) {
    return pointwise_of<true>(scalar);
  }

  // The gradient, composed of operators; it may ask for the inputs and outputs declared by grad_needs.
  MIXGRAD_INLINE Define& grad(define::Given<P, define::kGrad, void, Grad&> fn) {
    if constexpr (kTraining) {
      op_->grad_fn = taken(fn);
    } else {
      static_cast<void>(fn);
    }
    return *this;
  }
  // A faster first-order gradient.
  MIXGRAD_INLINE Define& backward(define::Given<P, define::kBackward, void, BackwardArgs&> fn) {
    if constexpr (kTraining) {
      op_->backward_fn = taken(fn);
    } else {
      static_cast<void>(fn);
    }
    return *this;
  }
  // Which inputs and outputs grad and backward read; the default is all inputs and no outputs.
  Define& grad_needs(std::initializer_list<int> in, std::initializer_list<int> out) {
    set_grad_needs(in, out);
    return *this;
  }
  // backward reads all outputs, too.
  Define& grad_reads_outputs() {
    op_->grad_out = ~uint64_t{0};
    return *this;
  }
  // Which output gradients backward reads, when not all: those of hidden outputs are always zero.
  Define& backward_reads(std::initializer_list<int> heads) {
    op_->grad_head = 0;
    for (int i : heads) op_->grad_head |= uint64_t{1} << i;
    return *this;
  }
  // A loss under these parameters: the gradient is the same whatever arrives from above, so backward gets no memory for
  // the outputs' gradients in a planned graph.
  Define& loss(define::Given<P, define::kLoss, bool> fn) {
    op_->loss_fn = taken(fn);
    return *this;
  }
  // Piecewise constant: the gradient is zero everywhere.
  Define& no_gradient() {
    op_->zero_gradient = true;
    return *this;
  }

  Define& cost(define::Given<P, define::kCost, double, Span<const Shape>> fn) {
    op_->cost_fn = taken(fn);
    return *this;
  }
  Define& element_cost(double nanoseconds) {
    op_->element_cost = nanoseconds;
    return *this;
  }
  // The kernel also works when an output is input 0 itself (it then changes only a part), ...
  Define& overwrites_first() {
    op_->overwrites = Op::Overwrites::first;
    return *this;
  }
  // ... or when an output is any one input, element by element.
  Define& overwrites_any() {
    op_->overwrites = Op::Overwrites::any;
    return *this;
  }
  Define& inplace() {
    op_->overwrites = Op::Overwrites::any;
    op_->inplace = true;
    return *this;
  }
  // Output 0 is input 0 under another shape or name.
  Define& same_elements() {
    op_->same_elements = true;
    return inplace();
  }
  // Element i of backward's gradient 0 depends on what the whole call has read before and on element i of operands of its
  // size, so it may be written over one of these.
  Define& backward_inplace() {
    op_->grad_inplace = true;
    return *this;
  }
  // The kernel, or the fused backward, may run on any stretch of elements: see Op::by_element.
  Define& by_element() {
    op_->by_element = true;
    return *this;
  }
  Define& backward_by_element() {
    op_->backward_by_element = true;
    return *this;
  }
  Define& random() {
    op_->needs_random = true;
    return *this;
  }
  // The kernel keeps so many inputs, from the second on, from run to run of a planned graph: see CallMemory.
  Define& keeps(define::Given<P, define::kKept, int> fn) {
    op_->num_kept_fn = taken(fn);
    return *this;
  }
  Define& depends_on_mode() {
    op_->depends_on_mode = true;
    return *this;
  }

 private:
  template <define::UserFn kWhich, class R, class... Args>
  auto taken(const define::Given<P, kWhich, R, Args...>& given) {
    keep(kWhich, given.function);
    return given.thunk;
  }

  template <bool kIntegers, class S>
  Define& pointwise_of(S scalar) {
    mixgrad::set_pointwise<kIntegers, P>(op_->pointwise, scalar);
    set_pointwise();
    return *this;
  }
};

}  // namespace mixgrad
