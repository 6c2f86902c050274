// Authoring an operator: one chain says all that the library knows about it.
//
//   const Op& op = Define<Params>("name").doc("...").input("data", "...").like(0).kernel(...).grad(...);
//
// The chain is given functions or captureless lambdas that take `const Params&` first.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "op/given.h"
#include "op/numpy_operator.h"
#include "op/op.h"
#include "op/scalar.h"
#include "op/tile.h"

namespace mixgrad {

// Puts a finished operator into the registry; mistakes of the definition throw Status::internal.
const Op& register_op(std::unique_ptr<Op> op);

// The stock inference rules.
void infer_like(ShapeInfer& s, int input);  // all outputs like one input; all unify
void infer_broadcast(ShapeInfer& s);        // NumPy broadcast of all inputs
void infer_same_dtype(DTypeInfer& d);       // all inputs and outputs one dtype
void infer_first_dtype(DTypeInfer& d);      // the first output and the first input one dtype

// The name of an operator that is being defined, and the source file that says it, in builds with texts.
struct OpName {
  OpName(const char* said, Text in = __builtin_FILE()) : text(said), file(in) {}
  const char* text;
  Text file;
};

// What Define does whatever the parameter struct.
class Definition {
 public:
  Definition(const Definition&) = delete;
  Definition& operator=(const Definition&) = delete;
  // Registers what the chain described; a chain bound to a `const Op&` does so by itself.
  const Op& done();
  operator const Op&() { return done(); }

 protected:
  Definition(OpName name, const Schema& schema);
  Definition(Definition&& other) noexcept;
  ~Definition();
  void add_alias(const char* name);
  void add_numpy(const char* name, NumpyDTypes dtypes, std::initializer_list<const char*> inputs);
  void add_input(const char* name);
  void add_state(const char* name, bool auxiliary);
  void set_doc(const char* doc);
  void set_origin(const char* origin);
  void set_input_doc(const char* doc);  // of the input added last
  void set_doc(Ignored) {}
  void set_origin(Ignored) {}
  void set_input_doc(Ignored) {}
  void set_module(const char* name);
  void set_start(const char* initialiser);
  void set_variadic(const char* name, const char* count_field);
  void set_outputs(std::initializer_list<const char*> names);
  void set_grad_needs(std::initializer_list<int> in, std::initializer_list<int> out);
  void set_pointwise(const Pointwise& loops) noexcept;
  void set_broadcasting() noexcept;
  // The operator calls `thunk`, a function of the kind of `which`, which calls `given` if that is not null.
  void set_function(define::UserFn which, void (*given)(), void (*thunk)()) noexcept;

  std::unique_ptr<Op> op_;

 private:
  std::vector<std::unique_ptr<Op>> numpy_;  // what add_numpy has begun
};

template <class P = NoParams>
class Define : public Definition {
 public:
  explicit Define(OpName name) : Definition(name, schema_of<P>()) {}

  Define& alias(const char* name) {
    add_alias(name);
    return *this;
  }
  // The same operator for NumPy's namespace: with a rule of dtypes of its own, gradients in the inputs' dtypes and, where
  // given, other names of inputs. Builds without gradients have none.
  Define& numpy(const char* name, NumpyDTypes dtypes, std::initializer_list<const char*> inputs = {}) {
    if constexpr (kTraining) add_numpy(name, dtypes, inputs);
    return *this;
  }
  Define& doc(Text text) {
    set_doc(text);
    return *this;
  }
  Define& origin(Text text) {
    set_origin(text);
    return *this;
  }
  Define& module(const char* name) {
    set_module(name);
    return *this;
  }
  Define& input(const char* name, Text doc) {
    add_input(name);
    set_input_doc(doc);
    return *this;
  }
  // An input that the kernel also writes, in place.
  Define& state(const char* name, Text doc) {
    add_state(name, false);
    set_input_doc(doc);
    return *this;
  }
  // A state that graphs keep apart from the arguments (moving averages).
  Define& auxiliary(const char* name, Text doc) {
    add_state(name, true);
    set_input_doc(doc);
    return *this;
  }
  // How a graph's variable for the input named last starts when the user names no initialiser.
  Define& starts_as(const char* initialiser) {
    set_start(initialiser);
    return *this;
  }
  // Any number of inputs; `count_field` is the parameter (or null) that states how many.
  Define& variadic(const char* name, Text doc, const char* count_field) {
    set_variadic(name, count_field);
    set_input_doc(doc);
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
    take(fn);
    return *this;
  }
  Define& num_outputs(define::Given<P, define::kNumOutputs, int> fn) {
    take(fn);
    return *this;
  }
  Define& num_visible(define::Given<P, define::kNumVisible, int> fn) {
    take(fn);
    return *this;
  }

  Define& shape(define::Given<P, define::kShape, void, ShapeInfer&> fn) {
    take(fn);
    return *this;
  }
  Define& dtype(define::Given<P, define::kDType, void, DTypeInfer&> fn) {
    take(fn);
    return *this;
  }
  // Inputs broadcast together.
  Define& broadcasts() {
    set_broadcasting();
    return *this;
  }

  Define& kernel(define::Given<P, define::kKernel, void, KernelArgs&> fn) {
    take(fn);
    return *this;
  }
  Define& cuda_kernel(define::Given<P, define::kCudaKernel, void, KernelArgs&> fn) {
    take(fn);
    return *this;
  }
  // In place of kernels: the work is that of another operator, with its default parameters. It has a fused gradient.
  Define& stands_for(define::Given<P, define::kStandsFor, const Op&> fn) {
    take(fn);
    return *this;
  }
  // The kernel as a scalar expression of the inputs, at most three; any strides of broadcasting, any dtype.
  template <class S>
  Define& pointwise(S scalar) {
    return pointwise_of<false>(scalar);
  }
  Define& pointwise(const Pointwise& loops) {
    set_pointwise(loops);
    return *this;
  }
  // The same, with integer dtypes computed as integers rather than through float.
  template <class S>
  Define& pointwise_int(S scalar) {
    return pointwise_of<true>(scalar);
  }

  // The gradient, composed of operators; it may ask for the inputs and outputs declared by grad_needs.
  Define& grad(define::Given<P, define::kGrad, void, Grad&> fn) {
    take(fn);
    return *this;
  }
  // A faster first-order gradient.
  Define& backward(define::Given<P, define::kBackward, void, BackwardArgs&> fn) {
    take(fn);
    return *this;
  }
  Define& cuda_backward(define::Given<P, define::kCudaBackward, void, BackwardArgs&> fn) {
    take(fn);
    return *this;
  }
  // Which inputs and outputs grad and backward read; the default is all inputs and no outputs.
  Define& grad_needs(std::initializer_list<int> in, std::initializer_list<int> out) {
    if constexpr (define::is_called(define::kGrad)) set_grad_needs(in, out);
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
    take(fn);
    return *this;
  }
  // Piecewise constant: the gradient is zero everywhere.
  Define& no_gradient() {
    op_->zero_gradient = true;
    return *this;
  }

  Define& cost(define::Given<P, define::kCost, double, Span<const Shape>> fn) {
    take(fn);
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
  // The output holds the elements of input 0, and may lie on another device.
  Define& across_devices() {
    op_->across_devices = true;
    return *this;
  }
  // Output 0 is input 0 under another shape or name.
  Define& same_elements() {
    op_->same_elements = true;
    return inplace();
  }
  // These parameters ask for sparse results of dense arrays, or for sparse gradients.
  Define& makes_sparse(define::Given<P, define::kMakesSparse, bool> fn) {
    take(fn);
    return *this;
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
    take(fn);
    return *this;
  }
  // Which operator is meant depends on the parameters: see Op::variant_fn. Its calls act.
  Define& variants(const Op& (*fn)(const Op&, const void*)) {
    op_->variant_fn = fn;
    op_->acts = true;
    return *this;
  }
  Define& depends_on_mode() {
    op_->depends_on_mode = true;
    return *this;
  }

 private:
  template <class Given>
  void take(const Given& given) {
    set_function(Given::kKind, given.function, reinterpret_cast<void (*)()>(given.thunk));
  }
  void take(Ignored) {}

  template <bool kIntegers, class S>
  Define& pointwise_of(S scalar) {
    set_pointwise(pointwise_loops<kIntegers, P>(scalar));
    return *this;
  }
};

// Takes what describes an operator, and defines none.
class Undefined {
 public:
  explicit Undefined(const char*) {}
  Undefined& doc(Ignored) { return *this; }
  Undefined& origin(Ignored) { return *this; }
  Undefined& input(const char*, Ignored) { return *this; }
  Undefined& num_inputs(Ignored) { return *this; }
  Undefined& shape(Ignored) { return *this; }
  Undefined& dtype(Ignored) { return *this; }
  Undefined& kernel(Ignored) { return *this; }
  Undefined& inplace() { return *this; }
  Undefined& cost(Ignored) { return *this; }
  Undefined& element_cost(double) { return *this; }
  Undefined& grad(Ignored) { return *this; }
  Undefined& grad_needs(std::initializer_list<int>, std::initializer_list<int>) { return *this; }
};

// An operator that only gradients are composed of: builds without gradients have none.
//   const GradientOp& op = DefineForGradients<Params>("_name")...;
template <class P = NoParams>
using DefineForGradients = std::conditional_t<kTraining, Define<P>, Undefined>;
using GradientOp = std::conditional_t<kTraining, Op, Undefined>;

}  // namespace mixgrad
