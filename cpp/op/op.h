// What the library knows about one operator, and the registry of all of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "device/device.h"
#include "kernels/random/random.h"
#include "kernels/scratch.h"
#include "kernels/view.h"
#include "op/numpy_operator.h"
#include "op/tensor.h"

namespace mixgrad {

class Stream;

// Shapes of one call during inference. Inputs and outputs may be partly unknown (graphs); an operator fills
// in what it can and may be asked again. Everything given is checked against what is assigned.
class ShapeInfer {
 public:
  // `open_zeros`: of a graph, where a 0 in a shape given as parameter stands for an extent not known, as in MXNet.
  ShapeInfer(const Op& op, Span<Shape> in, Span<Shape> out, bool open_zeros = false)
      : op_(op), in_(in), out_(out), open_zeros_(open_zeros) {}
  int num_inputs() const { return static_cast<int>(in_.size()); }
  int num_outputs() const { return static_cast<int>(out_.size()); }
  const Shape& in(int i) const { return in_[static_cast<size_t>(i)]; }
  const Shape& out(int i) const { return out_[static_cast<size_t>(i)]; }
  // Unifies with what is known so far; throws Status::shape naming operator, place, both shapes.
  void set_in(int i, const Shape& shape);
  void set_out(int i, const Shape& shape);
  const char* name() const;
  // Throws Status::shape with the operator's name, the text (as of fail()) and all input shapes.
  template <class... Args>
  [[noreturn, gnu::always_inline]] void reject(const Args&... why) const {
    reject_for({TextItem(why)...});
  }
  bool known(int i) const { return in(i).known(); }
  // A shape that a parameter gives.
  Shape given(const Shape& param) const;

 private:
  [[noreturn]] void reject_for(std::initializer_list<TextItem> why) const;

  const Op& op_;
  Span<Shape> in_, out_;
  bool open_zeros_;
};

class DTypeInfer {
 public:
  DTypeInfer(const Op& op, Span<DType> in, Span<DType> out) : op_(op), in_(in), out_(out) {}
  int num_inputs() const { return static_cast<int>(in_.size()); }
  int num_outputs() const { return static_cast<int>(out_.size()); }
  DType in(int i) const { return in_[static_cast<size_t>(i)]; }
  DType out(int i) const { return out_[static_cast<size_t>(i)]; }
  void set_in(int i, DType dtype);
  void set_out(int i, DType dtype);
  const char* name() const;
  template <class... Args>
  [[noreturn, gnu::always_inline]] void reject(const Args&... why) const {
    reject_for({TextItem(why)...});
  }

 private:
  [[noreturn]] void reject_for(std::initializer_list<TextItem> why) const;

  const Op& op_;
  Span<DType> in_, out_;
};

// Values that need not lie in memory, since they can be written anew. Immutable.
class ValueSource {
 public:
  virtual ~ValueSource() = default;
  // Writes all elements of one of the arrays that it serves. Any thread.
  virtual void write(size_t which, void* to) const = 0;
};

// What one call of a planned graph keeps between runs, for operators that declare keeps(). Runs of a call do not overlap.
class CallMemory {
 public:
  std::shared_ptr<void> kept;  // the operator's own; null in the first run
  // Three numbers per input: its memory, where in it, and how often that was written. Equal ones of any calls of this process
  // stand for the same elements, except where the first is 0.
  static constexpr size_t kVersionItems = 3;
  Span<const uint64_t> versions;
  // The elements of an input that the operator declares to keep; its view may have none. Valid until the kernel returns.
  virtual const void* read(size_t input) = 0;
  // The kernel has kept what it needs of that input and reads it again only when its version changes, so the elements need not
  // stay in memory. `source` writes them as number `input`, up to rounding; null: it cannot.
  virtual void let_go(size_t input, std::shared_ptr<const ValueSource> source) = 0;

 protected:
  ~CallMemory() = default;
};

// Where a kernel runs.
struct KernelContext {
  Device device;  // of the operands
  Processor processor = Processor::host;
  Stream* stream = nullptr;        // to which the kernel gives its work; null: the calling thread does it
  Workspace* workspace = nullptr;  // memory of the device; null: the calling thread's own
};
inline constexpr KernelContext kOnHost{};

// What kernels and fused gradients are given alike.
struct CallArgs {
  const Op* op = nullptr;
  bool training = false;
  const KernelContext* context = &kOnHost;
  const char* name() const;
  // Working memory of the device that the kernel runs on, until the object ends.
  template <class T>
  Scratch scratch(int64_t count) const {
    return Scratch::of<T>(count, context->workspace);
  }
};

// One call of a kernel. Output memory is written in full; inputs are read only, unless the operator declares
// them mutable. Random numbers of the call come from (seed, stream), so they do not depend on scheduling.
struct KernelArgs : CallArgs {
  Span<const View> in;
  Span<const View> out;
  uint64_t seed = 0, stream = 0;
  RandomKey random_key() const { return {seed, stream}; }
  CallMemory* memory = nullptr;  // null outside planned graphs
};

// A fused first-order gradient: `in` holds output gradients, then the inputs and outputs the operator saves,
// and `out` one view per input, with data == nullptr where no gradient is wanted.
struct BackwardArgs : CallArgs {
  Span<const View> out_grad, in, out, in_grad;  // in/out entries that are not saved have data == nullptr
  bool wants(int i) const { return in_grad[static_cast<size_t>(i)].data != nullptr; }
};

// One gradient being composed. in(i)/out(i) give values that the operator declared with grad_needs.
class Grad {
 public:
  virtual ~Grad() = default;
  virtual bool wants(int i) const = 0;
  virtual Tensor out_grad(int i = 0) const = 0;  // zeros where nothing flows back
  virtual bool has_out_grad(int i) const = 0;
  virtual Tensor in(int i) const = 0;
  virtual Tensor out(int i) const = 0;
  virtual const Shape& in_shape(int i) const = 0;
  virtual DType in_dtype(int i) const = 0;
  virtual const Shape& out_shape(int i = 0) const = 0;
  virtual int num_inputs() const = 0;
  virtual int num_outputs() const = 0;
  virtual bool training() const = 0;
  virtual void set(int i, Tensor gradient) = 0;
};

// The types in which pointwise loops compute; other dtypes are converted tile by tile.
enum ComputeType { kComputeF32, kComputeF64, kComputeI32, kComputeI64, kNumComputeTypes };
// Computes n elements; inputs and output are contiguous in the compute type, and output may be an input.
using TileFn = void (*)(const void* const* in, void* out, int64_t n, const void* params);

struct Pointwise {
  TileFn tile[kNumComputeTypes] = {};  // for the best instruction set of this machine; null where not defined
  const char* expression = nullptr;    // the scalar expression's text, over x, y, z and p
};

struct Port {
  std::string name, doc;
  bool mutates = false;    // the kernel also writes this input (optimiser and auxiliary states)
  bool auxiliary = false;  // a state that graphs keep beside the arguments, written in training only
  std::string init = "";   // how a variable made for this input starts: MXNet's initialiser text
};

class Op {
 public:
  Op();
  Op(Op&& other) noexcept;
  explicit Op(const Op& other);
  ~Op();

  std::string name;
  Strings aliases;
  std::string doc;
  std::string origin;  // paper or MXNet function that defines what is computed
  Text file = "";      // the source file that defines it, as the compiler was given it
  std::vector<Port> inputs;
  std::vector<Port> outputs{{"out", "", false, false}};
  bool variadic = false;              // any number of inputs, all like inputs[0]
  const char* count_field = nullptr;  // parameter that holds the number of inputs of a variadic operator
  int group_size = 0;                 // inputs of a variadic operator that belong together, 0 when none do
  uint32_t group_states = 0;          // bit m: the kernel also writes member m of every group
  bool has_states = false;            // the kernel also writes some input
  int num_subgraphs = 0;              // the first parameters are graphs as JSON text: "subgraph0", ...
  const Schema* schema = nullptr;
  ParamsRef defaults;  // null when a field is required

  // All take the parameter struct; set through Define, which knows its type.
  int (*num_inputs_fn)(const Op&, const void*) = nullptr;
  int (*num_outputs_fn)(const Op&, const void*) = nullptr;
  int (*num_visible_fn)(const Op&,
                        const void*) = nullptr;  // outputs a user sees; the rest serve the gradient
  void (*shape_fn)(const Op&, const void*, ShapeInfer&) = nullptr;
  void (*dtype_fn)(const Op&, const void*, DTypeInfer&) = nullptr;
  // Per processor; null where the operator has none. Loops over elements (`pointwise`) are the host's.
  struct Kernels {
    void (*forward)(const Op&, const void*, KernelArgs&) = nullptr;
    void (*backward)(const Op&, const void*, BackwardArgs&) = nullptr;
  };
  Kernels kernels[kNumProcessors];
  // The operator that these parameters mean, where they say which inputs and outputs there are: with the same parameters it
  // takes the place of this one in calls and graphs, under the same name.
  const Op& (*variant_fn)(const Op&, const void*) = nullptr;
  // The operator that does the work of this one, with its default parameters.
  const Op& (*stands_for_fn)(const Op&, const void*) = nullptr;
  void (*grad_fn)(const Op&, const void*, Grad&) = nullptr;
  double (*cost_fn)(const Op&, const void*, Span<const Shape>) = nullptr;  // nanoseconds on one core, roughly
  // How many inputs, from the second on, its kernel keeps in KernelArgs::memory.
  int (*num_kept_fn)(const Op&, const void*) = nullptr;
  // Whether the gradient does not depend on that of the outputs: the operator gives a loss.
  bool (*loss_fn)(const Op&, const void*) = nullptr;
  // Whether calls on dense arrays give sparse ones, or have sparse gradients (exec/sparse).
  bool (*makes_sparse_fn)(const Op&, const void*) = nullptr;
  // The user's functions behind those thunks, in the same order.
  void (*user_fn[15])() = {};

  // Of an operator of NumPy's namespace: whose gradient it has, and how dtypes follow.
  const Op* numpy_of = nullptr;
  NumpyDTypes numpy_dtypes = NumpyDTypes::any;

  Pointwise pointwise;
  bool is_pointwise = false;
  bool zero_gradient = false;  // piecewise constant: no gradient flows
  bool needs_random = false;
  // The kernel does more than give its outputs (it runs functions of the program): graphs never run a call again to have its
  // outputs once more.
  bool acts = false;
  bool depends_on_mode = false;  // differs between training and prediction
  // Which inputs an output given by the caller may be, exactly (same memory, shape, dtype). `any` is implied by inplace.
  enum class Overwrites : uint8_t { none, first, any } overwrites = Overwrites::none;
  bool inplace = false;  // output 0 may take the memory of an input of the same bytes
  bool same_elements =
      false;  // output 0 holds the elements of input 0 in their order: planned graphs need no copy
  bool across_devices =
      false;  // copies the elements of input 0 to the output, which may be on another device
  bool grad_inplace =
      false;  // the fused backward's gradient 0 may take the memory of an operand of the same bytes
  // Element i of every output depends on element i of the inputs, once these are broadcast to its shape, so the kernel may
  // run on any stretch of elements as vectors of one length; true of pointwise operators. Likewise the fused backward.
  bool by_element = false, backward_by_element = false;
  double element_cost = 0.5;          // nanoseconds per element of inputs and outputs when cost_fn is absent
  uint64_t grad_in = ~uint64_t{0};    // which inputs the gradient reads (bit 63: all from 63 on)
  uint64_t grad_out = 0;              // which outputs it reads
  uint64_t grad_head = ~uint64_t{0};  // which output gradients the fused backward reads
  std::string python_module = "";     // "", "random", "contrib", ...: where the Python function lives

  // Whether a call runs functions of the program, also in graphs that the operator holds. Such calls never run in the thread
  // that makes them, whose locks the functions may need.
  bool runs_program(const void* params) const {
    return acts || (num_subgraphs > 0 && subgraphs_run_program(params));
  }
  const Op& variant(const void* params) const { return variant_fn ? variant_fn(*this, params) : *this; }
  int num_inputs(const void* params) const;
  int num_outputs(const void* params) const;
  int num_visible(const void* params) const;
  int num_kept(const void* params) const { return num_kept_fn ? num_kept_fn(*this, params) : 0; }
  // Estimated nanoseconds of a forward call on one core.
  double cost(const void* params, Span<const Shape> in, int64_t out_elements) const;
  bool makes_sparse(const void* params) const { return makes_sparse_fn && makes_sparse_fn(*this, params); }
  bool is_loss(const void* params) const { return loss_fn && loss_fn(*this, params); }
  const Kernels& on(Processor processor) const { return kernels[static_cast<size_t>(processor)]; }
  bool has_backward(Processor processor) const { return on(processor).backward || stands_for_fn; }
  bool has_gradient() const { return grad_fn || has_backward(Processor::host) || zero_gradient; }
  bool grad_needs_in(int i) const { return (grad_in >> (i > 63 ? 63 : i)) & 1; }
  bool grad_needs_out(int i) const { return (grad_out >> (i > 63 ? 63 : i)) & 1; }
  bool grad_needs_head(int i) const { return (grad_head >> (i > 63 ? 63 : i)) & 1; }
  // Whether the kernel also writes input i: auxiliary states move in training only.
  bool mutates(int i, bool training = true) const {
    if (!has_states) return false;
    if (group_size > 0) return (group_states >> (i % group_size)) & 1;
    if (static_cast<size_t>(i) >= inputs.size()) return false;
    const Port& port = inputs[static_cast<size_t>(i)];
    return port.mutates && (training || !port.auxiliary);
  }
  // Name of input i in messages and of its variable in graphs: "data", or "arg3" of a variadic operator. A variadic one
  // may name inputs after the first.
  std::string input_name(int i) const;

 private:
  bool subgraphs_run_program(const void* params) const;
};

// Finds an operator by name or alias; throws Status::not_found naming the nearest known names.
const Op& find_op(std::string_view name);
const Op* find_op_or_null(std::string_view name);
// All operators in order of name, without aliases.
const std::vector<const Op*>& all_ops();

// Parameters from tagged values by field name; unknown names, missing required fields and bad values throw
// Status::invalid_argument naming the operator.
ParamsRef make_params(const Op& op, Span<const NamedValue> values);

// Parameters whose type the caller knows.
template <class P>
ParamsRef box_params(P params) {
  const Ref<ParamsBox> box = ParamsBox::make(schema_of<P>(), nullptr);
  *static_cast<P*>(box->mutable_data()) = std::move(params);
  return ParamsRef(box.get());
}

}  // namespace mixgrad
