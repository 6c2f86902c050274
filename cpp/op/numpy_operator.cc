#include "op/numpy_operator.h"

#include "op/define.h"

namespace mixgrad {
namespace {

// Gives unknown inputs a type; false while none is known.
bool fill_unknown(DTypeInfer& d) {
  DType seen = DType::unknown;
  for (int i = 0; i < d.num_inputs() && seen == DType::unknown; ++i) seen = d.in(i);
  if (seen == DType::unknown && d.num_outputs() > 0 && is_float(d.out(0))) seen = d.out(0);
  if (seen == DType::unknown) return false;
  for (int i = 0; i < d.num_inputs(); ++i) {
    if (d.in(i) == DType::unknown) d.set_in(i, seen);
  }
  return true;
}

void one_of_all(DTypeInfer& d, bool allowed, const char* expected) {
  if (!allowed) d.reject("expected ", expected);
  infer_same_dtype(d);
}

// bool, 8 bits, 32, 64, then floats from the narrowest on.
int dtype_rank(DType t) {
  switch (t) {
    case DType::boolean: return 0;
    case DType::int8:
    case DType::uint8: return 1;
    case DType::int32: return 2;
    case DType::int64: return 3;
    case DType::bfloat16:
    case DType::float16: return 4;
    case DType::float32: return 5;
    default: return 6;
  }
}

// The wider of two types; `mixed`: whether integers of several types go together.
DType wider(DTypeInfer& d, DType a, DType b, bool mixed) {
  if (a == b) return a;
  const bool one_float = is_float(a) || is_float(b);
  if ((!mixed && !one_float) || dtype_rank(a) == dtype_rank(b))
    d.reject("no type holds both; expected a cast before");
  return dtype_rank(a) > dtype_rank(b) ? a : b;
}

void infer_truth(DTypeInfer& d) {
  d.set_out(0, DType::boolean);
  DType seen = DType::unknown;
  for (int i = 0; i < d.num_inputs() && seen == DType::unknown; ++i) seen = d.in(i);
  for (int i = 0; i < d.num_inputs(); ++i) d.set_in(i, seen);
}

void numpy_dtypes_of(const Op& op, const void*, DTypeInfer& d) { infer_numpy_dtypes(op.numpy_dtypes, d); }

// A gradient that computes in the output's dtype, whatever the inputs'.
class NumpyGrad final : public Grad {
 public:
  explicit NumpyGrad(Grad& g) : g_(g), dtype_(g.out_grad()->dtype()) {}
  bool wants(int i) const override { return g_.wants(i); }
  Tensor out_grad(int i) const override { return g_.out_grad(i); }
  bool has_out_grad(int i) const override { return g_.has_out_grad(i); }
  Tensor in(int i) const override { return cast_to(g_.in(i), dtype_); }
  Tensor out(int i) const override { return g_.out(i); }
  const Shape& in_shape(int i) const override { return g_.in_shape(i); }
  DType in_dtype(int) const override { return dtype_; }
  const Shape& out_shape(int i) const override { return g_.out_shape(i); }
  int num_inputs() const override { return g_.num_inputs(); }
  int num_outputs() const override { return g_.num_outputs(); }
  bool training() const override { return g_.training(); }
  void set(int i, Tensor gradient) override { g_.set(i, cast_to(gradient, g_.in_dtype(i))); }

 private:
  Grad& g_;
  const DType dtype_;
};

void numpy_gradient(const Op& op, const void* params, Grad& g) {
  NumpyGrad grad(g);
  op.numpy_of->grad_fn(*op.numpy_of, params, grad);
}

}  // namespace

void infer_numpy_dtypes(NumpyDTypes rule, DTypeInfer& d) {
  if (rule == NumpyDTypes::any) return infer_same_dtype(d);
  if (rule == NumpyDTypes::truth) return infer_truth(d);
  if (!fill_unknown(d)) return;
  const DType first = d.in(0);
  switch (rule) {
    case NumpyDTypes::same: return one_of_all(d, first != DType::boolean, "numbers rather than bool");
    case NumpyDTypes::floats: return one_of_all(d, is_float(first), "a float type");
    case NumpyDTypes::integers: return one_of_all(d, !is_float(first), "an integer type or bool");
    case NumpyDTypes::quotient_scalar: return d.set_out(0, is_float(first) ? first : DType::float32);
    default: break;
  }
  const DType out = wider(d, first, d.in(1), rule == NumpyDTypes::widest);
  if (rule == NumpyDTypes::widest_float && out == DType::boolean)
    d.reject("expected numbers rather than bool");
  d.set_out(0, rule == NumpyDTypes::quotient && !is_float(out) ? DType::float32 : out);
}

std::unique_ptr<Op> begin_numpy_operator(const char* name, NumpyDTypes dtypes,
                                         std::initializer_list<const char*> inputs) {
  auto begun = std::make_unique<Op>();
  begun->name = name;
  begun->numpy_dtypes = dtypes;
  for (const char* input : inputs) {
    begun->inputs.emplace_back();
    begun->inputs.back().name = input;
  }
  return begun;
}

std::unique_ptr<Op> finish_numpy_operator(const Op& begun, const Op& op) {
  auto numpy = std::make_unique<Op>(op);
  numpy->name = begun.name;
  numpy->aliases.clear();
  numpy->python_module.clear();
  for (size_t i = 0; i < begun.inputs.size(); ++i) numpy->inputs[i].name = begun.inputs[i].name;
  numpy->numpy_of = &op;
  numpy->numpy_dtypes = begun.numpy_dtypes;
  numpy->dtype_fn = numpy_dtypes_of;
  numpy->user_fn[define::kDType] = reinterpret_cast<void (*)()>(numpy_dtypes_of);  // has a rule of its own
  if (op.grad_fn) numpy->grad_fn = numpy_gradient;
  return numpy;
}

}  // namespace mixgrad
