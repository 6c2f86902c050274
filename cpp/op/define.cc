#include "op/define.h"

#include <new>

#include "base/load.h"

namespace mixgrad {

namespace {

void shape_of_first(const Op&, const void*, ShapeInfer& s) { infer_like(s, 0); }
void shape_by_broadcasting(const Op&, const void*, ShapeInfer& s) { infer_broadcast(s); }
void one_dtype(const Op&, const void*, DTypeInfer& d) { infer_same_dtype(d); }

}  // namespace

namespace {

// Runs a part of a definition, unless one before it lacked memory: what is not whole will not be used.
template <class Fn>
[[gnu::noinline]] void define_part(Fn fn) {
  if (!load_failed()) at_load(fn);
}

// What definitions describe that will not be registered. Takes no memory.
Op* spare_op() {
  alignas(Op) static unsigned char memory[sizeof(Op)];
  return ::new (memory) Op;
}

}  // namespace

[[gnu::noinline]] Definition::Definition(OpName name, const Schema& schema) {
  define_part([&] {
    op_ = std::make_unique<Op>();
    op_->name = name.text;
    op_->file = name.file;
    op_->outputs.push_back({"out", "", false, false});
    op_->schema = &schema;
    op_->shape_fn = shape_of_first;
    op_->dtype_fn = one_dtype;
  });
  if (!op_) op_.reset(spare_op());
}
Definition::Definition(Definition&& other) noexcept = default;
[[gnu::noinline]] Definition::~Definition() {
  if (load_failed()) static_cast<void>(op_.release());  // it may be the spare one
}

const Op& Definition::done() {
  const Op& op = *op_;
  define_part([&] {
    register_op(std::move(op_));
    if constexpr (kTraining) {
      for (const std::unique_ptr<Op>& begun : numpy_) register_op(finish_numpy_operator(*begun, op));
    }
  });
  return op;
}

void Definition::add_numpy(const char* name, NumpyDTypes dtypes, std::initializer_list<const char*> inputs) {
  define_part([&] {
    if constexpr (kTraining) numpy_.push_back(begin_numpy_operator(name, dtypes, inputs));
  });
}

void Definition::add_alias(const char* name) {
  define_part([&] { op_->aliases.push_back(name); });
}
void Definition::add_input(const char* name) {
  define_part([&] {
    op_->inputs.emplace_back();
    op_->inputs.back().name = name;
  });
}
void Definition::add_state(const char* name, bool auxiliary) {
  define_part([&] {
    add_input(name);
    if (op_->inputs.empty()) return;
    op_->inputs.back().mutates = op_->has_states = true;
    op_->inputs.back().auxiliary = auxiliary;
  });
}
void Definition::set_doc(const char* doc) {
  define_part([&] { op_->doc = doc; });
}
void Definition::set_origin(const char* origin) {
  define_part([&] { op_->origin = origin; });
}
void Definition::set_input_doc(const char* doc) {
  define_part([&] { op_->inputs.back().doc = doc; });
}
void Definition::set_module(const char* name) {
  define_part([&] { op_->python_module = name; });
}
void Definition::set_start(const char* initialiser) {
  define_part([&] { op_->inputs.back().init = initialiser; });
}
[[gnu::noinline]] void Definition::set_variadic(const char* name, const char* count_field) {
  op_->variadic = true;
  op_->count_field = count_field;
  add_input(name);
}
[[gnu::noinline]] void Definition::set_outputs(std::initializer_list<const char*> names) {
  define_part([&] {
    op_->outputs.clear();
    for (const char* name : names) op_->outputs.push_back({name, "", false, false});
  });
}
[[gnu::noinline]] void Definition::set_grad_needs(std::initializer_list<int> in,
                                                  std::initializer_list<int> out) {
  op_->grad_in = op_->grad_out = 0;
  for (int i : in) op_->grad_in |= uint64_t{1} << i;
  for (int i : out) op_->grad_out |= uint64_t{1} << i;
}
[[gnu::noinline]] void Definition::set_pointwise(const Pointwise& loops) noexcept {
  op_->pointwise = loops;
  op_->is_pointwise = op_->by_element = true;
  op_->overwrites = Op::Overwrites::any;
  op_->inplace = true;
}
void Definition::set_broadcasting() noexcept { op_->shape_fn = shape_by_broadcasting; }

void (*define::given_function(const Op& op, UserFn which))() { return op.user_fn[which]; }

namespace {

template <class Fn>
void put(Fn& place, void (*thunk)()) {
  place = reinterpret_cast<Fn>(thunk);
}

}  // namespace

[[gnu::noinline]] void Definition::set_function(define::UserFn which, void (*given)(),
                                                void (*thunk)()) noexcept {
  op_->user_fn[which] = given ? given : thunk;  // not null: the operator has a function of its own
  switch (which) {
    case define::kNumInputs: return put(op_->num_inputs_fn, thunk);
    case define::kNumOutputs: return put(op_->num_outputs_fn, thunk);
    case define::kNumVisible: return put(op_->num_visible_fn, thunk);
    case define::kShape: return put(op_->shape_fn, thunk);
    case define::kDType: return put(op_->dtype_fn, thunk);
    case define::kKernel: return put(op_->kernels[0].forward, thunk);
    case define::kBackward: return put(op_->kernels[0].backward, thunk);
    case define::kGrad: return put(op_->grad_fn, thunk);
    case define::kCost: return put(op_->cost_fn, thunk);
    case define::kLoss: return put(op_->loss_fn, thunk);
    case define::kMakesSparse: return put(op_->makes_sparse_fn, thunk);
    case define::kKept: return put(op_->num_kept_fn, thunk);
    case define::kStandsFor: return put(op_->stands_for_fn, thunk);
    case define::kCudaKernel: return put(op_->kernels[1].forward, thunk);
    case define::kCudaBackward: return put(op_->kernels[1].backward, thunk);
  }
}

}  // namespace mixgrad
