#include "c_api/executor.h"
#include "c_api/sized.h"
#include "c_api/symbol.h"
#include "exec/imperative/invoke.h"
#include "exec/imperative/mode.h"
#include "exec/tape/tape.h"

namespace api = mixgrad::c_api;
using mixgrad::Array;
using mixgrad::ArrayRef;
using mixgrad::Span;
using mixgrad::Status;

namespace {

mg_status set_flag(bool mixgrad::Mode::*flag, int32_t on, int32_t* previous) {
  if (previous) *previous = mixgrad::mode().*flag;
  mixgrad::mode().*flag = on != 0;
  return MG_STATUS_OK;
}

// Releases the caller's function once, whatever fails before the tape has it.
template <class Function>
class OwnedCallback {
 public:
  explicit OwnedCallback(const Function& function) : function_(function) {}
  OwnedCallback(OwnedCallback&& other) noexcept : function_(other.function_) {
    other.function_.release = nullptr;
  }
  OwnedCallback(const OwnedCallback&) = delete;
  OwnedCallback& operator=(const OwnedCallback&) = delete;
  ~OwnedCallback() {
    if (function_.release) function_.release(function_.context);
  }
  const Function* operator->() const { return &function_; }

 private:
  Function function_;
};
using OwnedFunction = OwnedCallback<mg_custom_function>;
using OwnedHook = OwnedCallback<mg_gradient_hook>;

// What a function of the caller's left where it failed.
[[noreturn]] void throw_status(mg_status status) {
  const bool known = status > MG_STATUS_OK && status <= MG_STATUS_STOPPED;
  throw mixgrad::Error(known ? static_cast<mixgrad::Status>(status) : mixgrad::Status::internal,
                       api::last_error());
}

// A reference that the caller has made and given away.
ArrayRef taken(mg_array* array) {
  ArrayRef owned(api::unwrap(array));
  if (array) api::unwrap(array)->release();
  return owned;
}

// The caller's function as the tape knows it.
class CallbackGradient final : public mixgrad::CustomGradient {
 public:
  explicit CallbackGradient(OwnedFunction function) : function_(std::move(function)) {}
  void backward(Span<const ArrayRef> out_grads, Span<ArrayRef> in_grads) override {
    api::vector<mg_array*> given, made(in_grads.size(), nullptr);
    for (const ArrayRef& g : out_grads) given.push_back(reinterpret_cast<mg_array*>(g.get()));
    const mg_status status =
        function_->backward(function_->context, static_cast<int32_t>(given.size()), given.data(),
                            static_cast<int32_t>(made.size()), made.data());
    for (size_t i = 0; i < made.size(); ++i) in_grads[i] = taken(made[i]);
    if (status != MG_STATUS_OK) throw_status(status);
  }

 private:
  OwnedFunction function_;
};

class CallbackHook final : public mixgrad::GradientHook {
 public:
  explicit CallbackHook(OwnedHook hook) : hook_(std::move(hook)) {}
  ArrayRef call(const ArrayRef& gradient) override {
    mg_array* made = nullptr;
    const mg_status status = hook_->call(hook_->context, reinterpret_cast<mg_array*>(gradient.get()), &made);
    ArrayRef replacement = taken(made);
    if (status != MG_STATUS_OK) throw_status(status);
    return replacement;
  }

 private:
  OwnedHook hook_;
};

}  // namespace

extern "C" {

mg_status mg_autograd_set_recording(int32_t on, int32_t* previous) {
  return set_flag(&mixgrad::Mode::recording, on, previous);
}
mg_status mg_autograd_set_training(int32_t on, int32_t* previous) {
  return set_flag(&mixgrad::Mode::training, on, previous);
}
int32_t mg_autograd_is_recording(void) { return mixgrad::mode().recording; }
int32_t mg_autograd_is_training(void) { return mixgrad::mode().training; }

mg_status mg_autograd_backward(int32_t num_heads, mg_array* const* heads, mg_array* const* head_grads,
                               int32_t retain_graph, int32_t create_graph) {
  return api::guard([&] {
    const auto h = api::arrays_from(heads, num_heads, "mg_autograd_backward", false, true);
    api::vector<Array*> g;
    if (head_grads) g = api::arrays_from(head_grads, num_heads, "mg_autograd_backward", true, true);
    mixgrad::run_backward(h, g, {retain_graph != 0, create_graph != 0});
  });
}

mg_status mg_autograd_grad(int32_t num_heads, mg_array* const* heads, mg_array* const* head_grads,
                           int32_t num_variables, mg_array* const* variables, int32_t retain_graph,
                           int32_t create_graph, mg_array** gradients) {
  return api::guard([&] {
    const auto h = api::arrays_from(heads, num_heads, "mg_autograd_grad", false, true);
    const auto v = api::arrays_from(variables, num_variables, "mg_autograd_grad", false, true);
    if (!v.empty()) api::require(gradients, "mg_autograd_grad", "gradients");
    api::vector<Array*> g;
    if (head_grads) g = api::arrays_from(head_grads, num_heads, "mg_autograd_grad", true, true);
    auto results = mixgrad::run_gradients(h, g, v, {retain_graph != 0, create_graph != 0});
    for (size_t i = 0; i < results.size(); ++i) gradients[i] = api::give(std::move(results[i]));
  });
}

mg_status mg_autograd_record_custom(const mg_custom_function* function, int32_t num_inputs,
                                    mg_array* const* inputs, int32_t num_outputs, mg_array* const* outputs) {
  return api::guard([&] {
    const auto given = api::read_struct(function, "mg_custom_function", &mg_custom_function::backward,
                                        "mg_autograd_record_custom");
    OwnedFunction owned(given);  // from here on it is released
    api::require(given.name, "mg_autograd_record_custom", "name");
    api::require(reinterpret_cast<const void*>(given.backward), "mg_autograd_record_custom", "backward");
    const auto in = api::arrays_from(inputs, num_inputs, "mg_autograd_record_custom", false, true);
    api::vector<ArrayRef> out;
    for (Array* array : api::arrays_from(outputs, num_outputs, "mg_autograd_record_custom"))
      out.emplace_back(array);
    mixgrad::record_custom(given.name, api::make_unique<CallbackGradient>(std::move(owned)), in, out);
  });
}

mg_status mg_array_attach_grad(mg_array* array, mg_array* gradient, int32_t grad_req) {
  return api::guard([&] {
    api::require(array, "mg_array_attach_grad", "array");
    const mixgrad::GradientRequest request = api::request_from(grad_req, "mg_array_attach_grad");
    Array& variable = *api::unwrap(array);
    ArrayRef grad(api::unwrap(gradient));
    if (!grad && request != mixgrad::GradientRequest::null)
      grad = variable.sparse() ? mixgrad::empty_sparse(mixgrad::storage_of(variable), variable.shape(),
                                                       variable.dtype(), variable.device())
                               : mixgrad::zeros_of(variable.shape(), variable.dtype(), variable.device());
    mixgrad::mark_variable(variable, std::move(grad), request);
  });
}

mg_status mg_array_get_grad(mg_array* array, mg_array** out) {
  return api::guard([&] {
    api::require(array, "mg_array_get_grad", "array");
    api::require(out, "mg_array_get_grad", "out");
    *out = api::give(mixgrad::gradient_of(*api::unwrap(array)));
  });
}

int32_t mg_array_is_recorded(const mg_array* array) { return array && api::unwrap(array)->link() != nullptr; }

int32_t mg_array_is_variable(const mg_array* array) {
  return array && mixgrad::as_leaf(api::unwrap(array)->link()) != nullptr;
}

int32_t mg_array_is_grad_fresh(const mg_array* array) {
  const mixgrad::Leaf* leaf = array ? mixgrad::as_leaf(api::unwrap(array)->link()) : nullptr;
  return leaf && leaf->fresh;
}

mg_status mg_array_set_grad_fresh(mg_array* array, int32_t fresh) {
  return api::guard([&] {
    api::require(array, "mg_array_set_grad_fresh", "array");
    mixgrad::Leaf* leaf = mixgrad::as_leaf(api::unwrap(array)->link());
    if (!leaf) {
      mixgrad::fail(Status::autograd, "[mg_array_set_grad_fresh] the array of shape ",
                    api::unwrap(array)->shape(), " is no variable; call attach_grad() first");
    }
    if (fresh < 0) return mixgrad::forget_gradient(*leaf);
    leaf->fresh = fresh != 0;
  });
}

mg_status mg_array_retain_grad(mg_array* array) {
  return api::guard([&] {
    api::require(array, "mg_array_retain_grad", "array");
    mixgrad::keep_gradient(*api::unwrap(array));
  });
}

int32_t mg_array_is_grad_retained(const mg_array* array) {
  return array && mixgrad::keeps_gradient(*api::unwrap(array));
}

mg_status mg_array_add_gradient_hook(mg_array* array, const mg_gradient_hook* hook, uint64_t* number) {
  return api::guard([&] {
    const auto given =
        api::read_struct(hook, "mg_gradient_hook", &mg_gradient_hook::call, "mg_array_add_gradient_hook");
    OwnedHook owned(given);  // from here on it is released
    api::require(array, "mg_array_add_gradient_hook", "array");
    api::require(reinterpret_cast<const void*>(given.call), "mg_array_add_gradient_hook", "call");
    api::require(number, "mg_array_add_gradient_hook", "number");
    *number =
        mixgrad::add_gradient_hook(*api::unwrap(array), api::make_unique<CallbackHook>(std::move(owned)));
  });
}

mg_status mg_array_remove_gradient_hook(mg_array* array, uint64_t number) {
  return api::guard([&] {
    api::require(array, "mg_array_remove_gradient_hook", "array");
    mixgrad::remove_gradient_hook(*api::unwrap(array), number);
  });
}

mg_status mg_autograd_get_symbol(mg_array* head, mg_symbol** out) {
  return api::guard([&] {
    api::require(head, "mg_autograd_get_symbol", "head");
    api::require(out, "mg_autograd_get_symbol", "out");
    *out = api::give(mixgrad::history_of(*api::unwrap(head)));
  });
}

}  // extern "C"
