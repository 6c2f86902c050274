#include "launch/composed.h"

#include <cstring>
#include <vector>

#include "base/error.h"
#include "kernels/loops/convert.h"
#include "launch/launch.h"

namespace mixgrad {

void Composition::reject_for(std::initializer_list<TextItem> why) const {
  std::string list;
  for (size_t i = 0; i < in_.size(); ++i) list += (i ? ", " : "; got ") + in_[i]->shape().str();
  fail(Status::shape, "[", who_, "] ", join_text(why), list);
}

namespace composed_detail {
namespace {

// A value while a composition runs; without memory while shapes are inferred.
class LocalTensor final : public TensorBase {
 public:
  LocalTensor(const Shape& shape, DType dtype) : shape_(shape), dtype_(dtype) {}
  const Shape& shape() const override { return shape_; }
  DType dtype() const override { return dtype_; }

  Shape shape_;
  DType dtype_;
  void* data = nullptr;
  Scratch owned;    // where it lies, if not in another's memory
  Tensor borrowed;  // whose memory that is
};

LocalTensor& local(const Tensor& tensor) { return *static_cast<LocalTensor*>(tensor.get()); }

View view_of(const LocalTensor& tensor) { return {tensor.data, &tensor.shape_, tensor.dtype_}; }

// Applies operators where they are named: to shapes alone, or to memory.
class LocalBuilder final : public Builder {
 public:
  explicit LocalBuilder(const CallArgs* args) : args_(args) {}

  void call(const Op& named, const ParamsRef& params, Span<const Tensor> inputs,
            Span<Tensor> outputs) override {
    const Op& op = named.variant(params->data());
    std::vector<Shape> in_shapes, out_shapes(outputs.size(), Shape::unknown());
    std::vector<DType> in_dtypes, out_dtypes(outputs.size(), DType::unknown);
    for (const Tensor& input : inputs) {
      in_shapes.push_back(input->shape());
      in_dtypes.push_back(input->dtype());
    }
    ShapeInfer shapes(op, Span<Shape>(in_shapes), Span<Shape>(out_shapes));
    op.shape_fn(op, params->data(), shapes);
    DTypeInfer dtypes(op, Span<DType>(in_dtypes), Span<DType>(out_dtypes));
    op.dtype_fn(op, params->data(), dtypes);
    for (size_t i = 0; i < outputs.size(); ++i)
      outputs[i] = Tensor(new LocalTensor(out_shapes[i], out_dtypes[i]));
    if (!args_) return;
    if (op.same_elements && local(inputs[0]).dtype_ == out_dtypes[0]) {
      local(outputs[0]).borrowed = inputs[0];
      local(outputs[0]).data = local(inputs[0]).data;
      return;
    }
    std::vector<View> in, out;
    for (const Tensor& input : inputs) in.push_back(view_of(local(input)));
    for (const Tensor& output : outputs) {
      LocalTensor& made = local(output);
      made.owned = Scratch(view_of(made).bytes() + 1);  // an address for empty ones, too
      made.data = made.owned.data();
      out.push_back(view_of(made));
    }
    Launch what{&op, params->data(), args_->training};
    what.context = args_->context;
    launch(what, in, out);
  }

 private:
  const CallArgs* args_;  // null: shapes alone
};

// One call of a composition whose gradient is wanted.
struct Step {
  const Op* op;
  ParamsRef params;
  std::vector<Tensor> in, out;
};

// Notes what is applied, and has another builder do it.
class NotingBuilder final : public Builder {
 public:
  NotingBuilder(Builder& to, std::vector<Step>& steps) : to_(to), steps_(steps) {}
  void call(const Op& op, const ParamsRef& params, Span<const Tensor> inputs, Span<Tensor> outputs) override {
    to_.call(op, params, inputs, outputs);
    steps_.push_back({&op.variant(params->data()), params, std::vector<Tensor>(inputs.begin(), inputs.end()),
                      std::vector<Tensor>(outputs.begin(), outputs.end())});
  }

 private:
  Builder& to_;
  std::vector<Step>& steps_;
};

// Gradients of values by identity.
class GradientTable {
 public:
  Tensor find(const Tensor& value) const {
    for (const auto& [known, gradient] : entries_) {
      if (known.get() == value.get()) return gradient;
    }
    return Tensor();
  }
  void add(const Tensor& value, const Tensor& gradient) {
    for (auto& [known, sum] : entries_) {
      if (known.get() == value.get()) {
        sum = sum + gradient;
        return;
      }
    }
    entries_.emplace_back(value, gradient);
  }

 private:
  std::vector<std::pair<Tensor, Tensor>> entries_;
};

// What the gradient of one step sees.
class StepGrad final : public Grad {
 public:
  StepGrad(const Step& step, const std::vector<bool>& wanted, bool training, GradientTable& gradients)
      : step_(step), wanted_(wanted), training_(training), gradients_(gradients) {}
  bool wants(int i) const override { return wanted_[static_cast<size_t>(i)]; }
  Tensor out_grad(int i) const override {
    const Tensor found = gradients_.find(out(i));
    return found ? found : zeros_like(out(i));
  }
  bool has_out_grad(int i) const override { return static_cast<bool>(gradients_.find(out(i))); }
  Tensor in(int i) const override { return step_.in[static_cast<size_t>(i)]; }
  Tensor out(int i) const override { return step_.out[static_cast<size_t>(i)]; }
  const Shape& in_shape(int i) const override { return step_.in[static_cast<size_t>(i)]->shape(); }
  DType in_dtype(int i) const override { return step_.in[static_cast<size_t>(i)]->dtype(); }
  const Shape& out_shape(int i) const override { return step_.out[static_cast<size_t>(i)]->shape(); }
  int num_inputs() const override { return static_cast<int>(step_.in.size()); }
  int num_outputs() const override { return static_cast<int>(step_.out.size()); }
  bool training() const override { return training_; }
  void set(int i, Tensor gradient) override {
    if (wants(i) && gradient) gradients_.add(in(i), gradient);
  }

 private:
  const Step& step_;
  const std::vector<bool>& wanted_;
  const bool training_;
  GradientTable& gradients_;
};

bool holds(const std::vector<Tensor>& values, const Tensor& value) {
  for (const Tensor& one : values) {
    if (one.get() == value.get()) return true;
  }
  return false;
}

}  // namespace

void infer(ComposeFn fn, const void* params, ShapeInfer& s) {
  std::vector<Tensor> in, out(static_cast<size_t>(s.num_outputs()));
  for (int i = 0; i < s.num_inputs(); ++i) {
    if (!s.known(i)) return;
    in.push_back(Tensor(new LocalTensor(s.in(i), DType::float32)));
  }
  LocalBuilder builder(nullptr);
  const Builder::Scope scope(builder);
  Composition composition(s.name(), in, out);
  fn(params, composition);
  for (size_t i = 0; i < out.size(); ++i) s.set_out(static_cast<int>(i), out[i]->shape());
}

void run(ComposeFn fn, const void* params, KernelArgs& args) {
  std::vector<Tensor> in, out(args.out.size());
  for (const View& view : args.in) {
    in.push_back(Tensor(new LocalTensor(view.shape(), view.dtype)));
    local(in.back()).data = view.data;
  }
  LocalBuilder builder(&args);
  const Builder::Scope scope(builder);
  Composition composition(args.name(), in, out);
  fn(params, composition);
  for (size_t i = 0; i < out.size(); ++i) {
    const LocalTensor& value = local(out[i]);
    if (args.out[i].size() > 0)
      convert(value.data, value.dtype_, args.out[i].data, args.out[i].dtype, args.out[i].size());
  }
}

void differentiate(ComposeFn fn, const void* params, Grad& g) {
  std::vector<Tensor> in, out(static_cast<size_t>(g.num_outputs()));
  std::vector<Tensor> reached;  // values that depend on an input whose gradient is wanted
  for (int i = 0; i < g.num_inputs(); ++i) {
    in.push_back(g.in(i));
    if (g.wants(i)) reached.push_back(in.back());
  }
  std::vector<Step> steps;
  {
    NotingBuilder builder(Builder::current(), steps);
    const Builder::Scope scope(builder);
    Composition composition("gradient", in, out);
    fn(params, composition);
  }
  GradientTable gradients;
  for (size_t i = 0; i < out.size(); ++i) {
    if (g.has_out_grad(static_cast<int>(i)))
      gradients.add(out[i], cast_to(g.out_grad(static_cast<int>(i)), out[i]->dtype()));
  }
  std::vector<std::vector<bool>> wanted(steps.size());
  for (size_t k = 0; k < steps.size(); ++k) {
    bool any = false;
    for (const Tensor& input : steps[k].in) {
      wanted[k].push_back(holds(reached, input));
      any |= wanted[k].back();
    }
    if (any && !steps[k].op->zero_gradient)
      reached.insert(reached.end(), steps[k].out.begin(), steps[k].out.end());
  }
  for (size_t k = steps.size(); k-- > 0;) {
    const Step& step = steps[k];
    bool flows = false, any = false;
    for (const Tensor& output : step.out) flows |= static_cast<bool>(gradients.find(output));
    for (const bool wants : wanted[k]) any |= wants;
    if (!flows || !any || step.op->zero_gradient) continue;
    if (!step.op->grad_fn) fail(Status::autograd, "[", step.op->name, "] has no gradient in a composition");
    StepGrad grad(step, wanted[k], g.training(), gradients);
    step.op->grad_fn(*step.op, step.params->data(), grad);
  }
  for (int i = 0; i < g.num_inputs(); ++i) {
    if (!g.wants(i)) continue;
    const Tensor found = gradients.find(in[static_cast<size_t>(i)]);
    g.set(i, found ? found : zeros_like(in[static_cast<size_t>(i)]));
  }
}

}  // namespace composed_detail
}  // namespace mixgrad
