// Planned graphs over arrays.
#pragma once

#include "mixgrad/operator.hpp"

namespace mx {
/// A planned graph over arrays.
class Executor {
 public:
  /// Binds to arrays by name; every argument and auxiliary state needs one. `grad_req` says what happens to gradients of the
  /// arguments (those in `without_grad`: none), which are made here.
  Executor(const Symbol& symbol, const std::map<std::string, NDArray>& arguments,
           const std::map<std::string, NDArray>& auxiliary_states = {},
           mg_grad_req grad_req = MG_GRAD_REQ_WRITE, const std::vector<std::string>& without_grad = {},
           Device device = cpu())
      : arguments_(symbol.list_arguments()), auxiliary_states_(symbol.list_auxiliary_states()) {
    const std::vector<NDArray> args = pick(arguments_, arguments),
                               aux = pick(auxiliary_states_, auxiliary_states);
    std::vector<NDArray> grads(args.size());
    std::vector<int32_t> reqs(args.size(), MG_GRAD_REQ_NULL);
    for (size_t i = 0; i < args.size(); ++i) {
      bool wanted = grad_req != MG_GRAD_REQ_NULL;
      for (const std::string& name : without_grad) wanted = wanted && name != arguments_[i];
      if (!wanted) continue;
      grads[i] = Operator("zeros_like").apply_one<NDArray>({args[i]});
      reqs[i] = grad_req;
    }
    const auto arg_handles = handles(args), grad_handles = handles(grads), aux_handles = handles(aux);
    mg_executor_arrays arrays{};
    arrays.size = sizeof arrays;
    arrays.num_arguments = detail::count(args);
    arrays.arguments = arg_handles.data();
    arrays.gradients = grad_handles.data();
    arrays.grad_reqs = reqs.data();
    arrays.num_auxiliaries = detail::count(aux);
    arrays.auxiliaries = aux_handles.data();
    mg_executor* out = nullptr;
    detail::check(mg_executor_bind(symbol.handle(), &arrays, device, nullptr, &out));
    handle_.reset(out, mg_executor_destroy);
  }
  /// Makes arrays of zeros for every variable, with the shapes that follow from those given.
  static Executor simple_bind(const Symbol& symbol, const std::map<std::string, Shape>& shapes,
                              mg_grad_req grad_req = MG_GRAD_REQ_WRITE, Device device = cpu()) {
    const Symbol::Shapes all = symbol.infer_shape(shapes);
    std::map<std::string, NDArray> arguments, auxiliary_states;
    std::vector<std::string> data;
    for (const auto& item : shapes) data.push_back(item.first);
    fill(symbol.list_arguments(), all.arguments, device, arguments);
    fill(symbol.list_auxiliary_states(), all.auxiliary_states, device, auxiliary_states);
    return Executor(symbol, arguments, auxiliary_states, grad_req, data, device);
  }

  void forward(bool training = false) { detail::check(mg_executor_forward(handle_.get(), training)); }
  /// `heads`: one per output, or none when the outputs are losses.
  void backward(const std::vector<NDArray>& heads = {}) {
    const auto head_handles = handles(heads);
    detail::check(mg_executor_backward(handle_.get(), detail::count(heads), head_handles.data()));
  }

  std::vector<NDArray> outputs() const {
    std::vector<NDArray> out;
    for (int32_t i = 0; i < mg_executor_get_num_outputs(handle_.get()); ++i)
      out.push_back(get(MG_PART_OUTPUTS, i));
    return out;
  }
  std::map<std::string, NDArray> arg_dict() const { return dict(MG_PART_ARGUMENTS, arguments_); }
  /// Arguments without a gradient are left out.
  std::map<std::string, NDArray> grad_dict() const { return dict(MG_PART_GRADIENTS, arguments_); }
  std::map<std::string, NDArray> aux_dict() const {
    return dict(MG_PART_AUXILIARY_STATES, auxiliary_states_);
  }
  NDArray argument(const std::string& name) const {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i] == name) return get(MG_PART_ARGUMENTS, static_cast<int32_t>(i));
    }
    throw Error(MG_STATUS_NOT_FOUND, "[Executor] there is no argument " + name);
  }
  /// Copies values in by name; names that the graph lacks are an error unless `allow_extra`.
  void copy_params_from(const std::map<std::string, NDArray>& params, bool allow_extra = false) {
    const auto arguments = arg_dict(), auxiliary_states = aux_dict();
    for (const auto& [key, value] : params) {
      const std::string name =
          key.compare(0, 4, "arg:") == 0 || key.compare(0, 4, "aux:") == 0 ? key.substr(4) : key;
      auto found = arguments.find(name);
      if (found == arguments.end()) found = auxiliary_states.find(name);
      if (found == auxiliary_states.end()) {
        if (allow_extra) continue;
        throw Error(MG_STATUS_NOT_FOUND, "[copy_params_from] the graph has no variable " + name);
      }
      value.copy_to(found->second);
    }
  }
  /// Nodes, memory plan and totals.
  std::string debug_str() const {
    char* text = nullptr;
    detail::check(mg_executor_debug_text(handle_.get(), &text));
    return detail::take_text(text);
  }

 private:
  static std::vector<mg_array*> handles(const std::vector<NDArray>& arrays) {
    std::vector<mg_array*> out;
    for (const NDArray& array : arrays) out.push_back(array.handle());
    return out;
  }
  static std::vector<NDArray> pick(const std::vector<std::string>& names,
                                   const std::map<std::string, NDArray>& from) {
    std::vector<NDArray> out;
    for (const std::string& name : names) {
      const auto found = from.find(name);
      if (found == from.end()) throw Error(MG_STATUS_NOT_FOUND, "[Executor] no array is given for " + name);
      out.push_back(found->second);
    }
    return out;
  }
  static void fill(const std::vector<std::string>& names, const std::vector<Shape>& shapes, Device device,
                   std::map<std::string, NDArray>& into) {
    for (size_t i = 0; i < names.size(); ++i) into.emplace(names[i], NDArray(shapes[i], 0.f, device));
  }
  NDArray get(int32_t part, int32_t index) const {
    mg_array* out = nullptr;
    detail::check(mg_executor_get_array(handle_.get(), part, index, &out));
    return NDArray::own(out);
  }
  std::map<std::string, NDArray> dict(int32_t part, const std::vector<std::string>& names) const {
    std::map<std::string, NDArray> out;
    for (size_t i = 0; i < names.size(); ++i) {
      NDArray array = get(part, static_cast<int32_t>(i));
      if (array) out.emplace(names[i], std::move(array));
    }
    return out;
  }
  std::vector<std::string> arguments_, auxiliary_states_;
  std::shared_ptr<mg_executor> handle_;
};

}  // namespace mx
