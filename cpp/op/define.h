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
  MIXGRAD_RARE const Op& done() noexcept(kCompact);
  operator const Op&() { return done(); }

 protected:
  // In compact builds a chain has no way out but its end: a mistake of it ends the process, which is being started then.
  MIXGRAD_RARE Definition(const char* name, const Schema& schema) noexcept(kCompact);
  Definition(Definition&& other) noexcept;
  MIXGRAD_RARE ~Definition();
  MIXGRAD_RARE void add_alias(const char* name) noexcept(kCompact);
  MIXGRAD_RARE void add_input(const char* name) noexcept(kCompact);
  MIXGRAD_RARE void add_state(const char* name, bool auxiliary) noexcept(kCompact);
  void set_texts(const char* doc, const char* origin);  // null: unchanged
  void set_input_text(const char* doc);                 // of the input added last
  MIXGRAD_RARE void set_module(const char* name) noexcept(kCompact);
  MIXGRAD_RARE void set_start(const char* initialiser) noexcept(kCompact);
  MIXGRAD_RARE void set_variadic(const char* name, const char* count_field) noexcept(kCompact);
  MIXGRAD_RARE void set_outputs(std::initializer_list<const char*> names) noexcept(kCompact);
  MIXGRAD_RARE void set_grad_needs(std::initializer_list<int> in, std::initializer_list<int> out);
  MIXGRAD_RARE void set_pointwise(const Pointwise& loops) noexcept;
  MIXGRAD_RARE void set_broadcasting() noexcept;
  // The operator calls `thunk`, a function of the kind of `which`, which calls `given` if that is not null.
  MIXGRAD_RARE void set_function(define::UserFn which, void (*given)(), void (*thunk)()) noexcept;

  std::unique_ptr<Op> op_;
};

template <class P = NoParams>
class Define : public Definition {
 public:
  MIXGRAD_INLINE explicit Define(const char* name) : Definition(name, schema_of<P>()) {}

  MIXGRAD_INLINE Define& alias(const char* name) {
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
  MIXGRAD_INLINE Define& module(const char* name) {
    if constexpr (kTraining) set_module(name);
    return *this;
  }
  MIXGRAD_INLINE Define& input(const char* name, const char* doc) {
    add_input(name);
    if constexpr (kTexts) set_input_text(doc);
    return *this;
  }
  // An input that the kernel also writes, in place.
  MIXGRAD_INLINE Define& state(const char* name, const char* doc) {
    add_state(name, false);
    if constexpr (kTexts) set_input_text(doc);
    return *this;
  }
  // A state that graphs keep apart from the arguments (moving averages).
  MIXGRAD_INLINE Define& auxiliary(const char* name, const char* doc) {
    add_state(name, true);
    if constexpr (kTexts) set_input_text(doc);
    return *this;
  }
  // How a graph's variable for the input named last starts when the user names no initialiser.
  MIXGRAD_INLINE Define& starts_as(const char* initialiser) {
    set_start(initialiser);
    return *this;
  }
  // Any number of inputs; `count_field` is the parameter (or null) that states how many.
  MIXGRAD_INLINE Define& variadic(const char* name, const char* doc, const char* count_field) {
    set_variadic(name, count_field);
    if constexpr (kTexts) set_input_text(doc);
    return *this;
  }
  // Of a variadic operator whose inputs come in groups of `size`: bit m of `members` says that the kernel also
  // writes member m of every group.
  MIXGRAD_INLINE Define& group_states(int size, uint32_t members) {
    op_->group_size = size;
    op_->group_states = members;
    op_->has_states = members != 0;
    return *this;
  }
  // The parameters subgraph0, ... hold graphs, which files have beside the parameters.
  MIXGRAD_INLINE Define& subgraphs(int count) {
    op_->num_subgraphs = count;
    return *this;
  }
  // Names the outputs; without a call there is one, "out".
  MIXGRAD_INLINE Define& outputs(std::initializer_list<const char*> names) {
    set_outputs(names);
    return *this;
  }

  MIXGRAD_INLINE Define& num_inputs(define::Given<P, define::kNumInputs, int> fn) {
    take(fn);
    return *this;
  }
  MIXGRAD_INLINE Define& num_outputs(define::Given<P, define::kNumOutputs, int> fn) {
    take(fn);
    return *this;
  }
  MIXGRAD_INLINE Define& num_visible(define::Given<P, define::kNumVisible, int> fn) {
    take(fn);
    return *this;
  }

  MIXGRAD_INLINE Define& shape(define::Given<P, define::kShape, void, ShapeInfer&> fn) {
    take(fn);
    return *this;
  }
  MIXGRAD_INLINE Define& dtype(define::Given<P, define::kDType, void, DTypeInfer&> fn) {
    take(fn);
    return *this;
  }
  // Inputs broadcast together.
  MIXGRAD_INLINE Define& broadcasts() {
    set_broadcasting();
    return *this;
  }

  MIXGRAD_INLINE Define& kernel(define::Given<P, define::kKernel, void, KernelArgs&> fn) {
    take(fn);
    return *this;
  }
  // The kernel as a scalar expression of the inputs, at most three; any strides of broadcasting, any dtype.
  template <class S>
  MIXGRAD_INLINE Define& pointwise(S scalar) {
    return pointwise_of<false>(scalar);
  }
  MIXGRAD_INLINE Define& pointwise(const Pointwise& loops) {
    set_pointwise(loops);
    return *this;
  }
  // The same, with integer dtypes computed as integers rather than through float.
  template <class S>
  MIXGRAD_INLINE Define& pointwise_int(S scalar) {
    return pointwise_of<true>(scalar);
  }

  // The gradient, composed of operators; it may ask for the inputs and outputs declared by grad_needs.
  MIXGRAD_INLINE Define& grad(define::Given<P, define::kGrad, void, Grad&> fn) {
    if constexpr (kTraining) {
      take(fn);
    } else {
      static_cast<void>(fn);
    }
    return *this;
  }
  // A faster first-order gradient.
  MIXGRAD_INLINE Define& backward(define::Given<P, define::kBackward, void, BackwardArgs&> fn) {
    if constexpr (kTraining) {
      take(fn);
    } else {
      static_cast<void>(fn);
    }
    return *this;
  }
  // Which inputs and outputs grad and backward read; the default is all inputs and no outputs.
  MIXGRAD_INLINE Define& grad_needs(std::initializer_list<int> in, std::initializer_list<int> out) {
    if constexpr (kTraining) {
      set_grad_needs(in, out);
    }
    return *this;
  }
  // backward reads all outputs, too.
  MIXGRAD_INLINE Define& grad_reads_outputs() {
    if constexpr (kTraining) {
      op_->grad_out = ~uint64_t{0};
    }
    return *this;
  }
  // Which output gradients backward reads, when not all: those of hidden outputs are always zero.
  MIXGRAD_INLINE Define& backward_reads(std::initializer_list<int> heads) {
    if constexpr (kTraining) {
      op_->grad_head = 0;
      for (int i : heads) op_->grad_head |= uint64_t{1} << i;
    }
    return *this;
  }
  // A loss under these parameters: the gradient is the same whatever arrives from above, so backward gets no memory for
  // the outputs' gradients in a planned graph.
  MIXGRAD_INLINE Define& loss(define::Given<P, define::kLoss, bool> fn) {
    if constexpr (kTraining) {
      take(fn);
    }
    return *this;
  }
  // Piecewise constant: the gradient is zero everywhere.
  MIXGRAD_INLINE Define& no_gradient() {
    if constexpr (kTraining) {
      op_->zero_gradient = true;
    }
    return *this;
  }

  MIXGRAD_INLINE Define& cost(define::Given<P, define::kCost, double, Span<const Shape>> fn) {
    if constexpr (kQueues) take(fn);
    return *this;
  }
  MIXGRAD_INLINE Define& element_cost(double nanoseconds) {
    op_->element_cost = nanoseconds;
    return *this;
  }
  // The kernel also works when an output is input 0 itself (it then changes only a part), ...
  MIXGRAD_INLINE Define& overwrites_first() {
    op_->overwrites = Op::Overwrites::first;
    return *this;
  }
  // ... or when an output is any one input, element by element.
  MIXGRAD_INLINE Define& overwrites_any() {
    op_->overwrites = Op::Overwrites::any;
    return *this;
  }
  MIXGRAD_INLINE Define& inplace() {
    op_->overwrites = Op::Overwrites::any;
    op_->inplace = true;
    return *this;
  }
  // Output 0 is input 0 under another shape or name.
  Define& across_devices() {
    op_->across_devices = true;
    return *this;
  }
  MIXGRAD_INLINE Define& same_elements() {
    op_->same_elements = true;
    return inplace();
  }
  // Element i of backward's gradient 0 depends on what the whole call has read before and on element i of operands of its
  // size, so it may be written over one of these.
  MIXGRAD_INLINE Define& backward_inplace() {
    if constexpr (kTraining) {
      op_->grad_inplace = true;
    }
    return *this;
  }
  // The kernel, or the fused backward, may run on any stretch of elements: see Op::by_element.
  MIXGRAD_INLINE Define& by_element() {
    op_->by_element = true;
    return *this;
  }
  MIXGRAD_INLINE Define& backward_by_element() {
    if constexpr (kTraining) {
      op_->backward_by_element = true;
    }
    return *this;
  }
  MIXGRAD_INLINE Define& random() {
    op_->needs_random = true;
    return *this;
  }
  // The kernel keeps so many inputs, from the second on, from run to run of a planned graph: see CallMemory.
  MIXGRAD_INLINE Define& keeps(define::Given<P, define::kKept, int> fn) {
    take(fn);
    return *this;
  }
  MIXGRAD_INLINE Define& depends_on_mode() {
    op_->depends_on_mode = true;
    return *this;
  }

 private:
  template <define::UserFn kWhich, class R, class... Args>
  MIXGRAD_INLINE void take(const define::Given<P, kWhich, R, Args...>& given) {
    set_function(kWhich, given.function, reinterpret_cast<void (*)()>(given.thunk));
  }

  template <bool kIntegers, class S>
  MIXGRAD_INLINE Define& pointwise_of(S scalar) {
    set_pointwise(pointwise_loops<kIntegers, P>(scalar));
    return *this;
  }
};

}  // namespace mixgrad
