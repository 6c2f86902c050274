#include "op/define.h"

namespace mixgrad {

Definition::Definition(const char* name, const Schema& schema) : op_(new Op) {
  op_->name = name;
  op_->schema = &schema;
  op_->shape_fn = [](const Op&, const void*, ShapeInfer& s) { infer_like(s, 0); };
  op_->dtype_fn = [](const Op&, const void*, DTypeInfer& d) { infer_same_dtype(d); };
}
Definition::Definition(Definition&& other) noexcept = default;
Definition::~Definition() = default;

const Op& Definition::done() { return register_op(std::move(op_)); }

void Definition::add_alias(const char* name) { op_->aliases.push_back(name); }
void Definition::add_input(const char* name, const char* doc, bool mutates, bool auxiliary) {
  op_->inputs.push_back({name, doc, mutates, auxiliary});
  op_->has_states |= mutates;
}
void Definition::set_texts(const char* doc, const char* origin) {
  if (doc) op_->doc = doc;
  if (origin) op_->origin = origin;
}
void Definition::set_module(const char* name) { op_->python_module = name; }
void Definition::set_start(const char* initialiser) { op_->inputs.back().init = initialiser; }
void Definition::set_variadic(const char* name, const char* doc, const char* count_field) {
  op_->variadic = true;
  op_->count_field = count_field;
  add_input(name, doc, false, false);
}
void Definition::set_outputs(std::initializer_list<const char*> names) {
  op_->outputs.clear();
  for (const char* name : names) op_->outputs.push_back({name, "", false, false});
}
void Definition::set_grad_needs(std::initializer_list<int> in, std::initializer_list<int> out) {
  op_->grad_in = op_->grad_out = 0;
  for (int i : in) op_->grad_in |= uint64_t{1} << i;
  for (int i : out) op_->grad_out |= uint64_t{1} << i;
}
void Definition::set_pointwise() {
  op_->is_pointwise = op_->by_element = true;
  op_->overwrites = Op::Overwrites::any;
  op_->inplace = true;
}
void Definition::set_broadcasting() {
  op_->shape_fn = [](const Op&, const void*, ShapeInfer& s) { infer_broadcast(s); };
}
void Definition::keep(define::UserFn which, void (*fn)()) { op_->user_fn[which] = fn; }

}  // namespace mixgrad
