// Operators on arrays and symbols.
#pragma once

#include "mixgrad/ndarray.hpp"
#include "mixgrad/params.hpp"
#include "mixgrad/symbol.hpp"

namespace mx {
template <class T>
using Single = T;
template <class T>
using Several = typename T::Outputs;
namespace detail {
template <class T>
struct Identity {
  using type = T;
};
}  // namespace detail
template <class T>
using Same = typename detail::Identity<T>::type;  // takes part in no deduction

/// An operator of the registry, found once and applied often. The functions of mixgrad.hpp are made of it.
class Operator {
 public:
  explicit Operator(const char* name) { detail::check(mg_op_find(name, &op_)); }

  template <class T, class O = NoOptions>
  typename T::Outputs apply(const std::vector<T>& inputs, const O& options = {}) const {
    return call(inputs, options.params(), options.node_name());
  }
  template <class T, class O = NoOptions>
  T apply_one(const std::vector<T>& inputs, const O& options = {}) const {
    if constexpr (std::is_same_v<T, Symbol>) {
      return apply(inputs, options);
    } else {
      return std::move(apply(inputs, options)[0]);
    }
  }
  /// Into an array that exists.
  void apply_to(const std::vector<NDArray>& inputs, const Params& params, const NDArray& out) const {
    mg_array* target = out.handle();
    int32_t room = 1;
    const std::vector<mg_array*> handles = handles_of(inputs);
    params.with([&](int32_t count, const char* const* names, const mg_value* values) {
      detail::check(
          mg_op_call(op_, detail::count(handles), handles.data(), count, names, values, &room, &target));
    });
  }
  std::vector<NDArray> call(const std::vector<NDArray>& inputs, const Params& params,
                            const std::string& = {}) const {
    std::vector<NDArray> out;
    const std::vector<mg_array*> handles = handles_of(inputs);
    params.with([&](int32_t count, const char* const* names, const mg_value* values) {
      int32_t num_inputs = 0, num_outputs = 0;
      detail::check(mg_op_arity(op_, count, names, values, &num_inputs, &num_outputs));
      std::vector<mg_array*> results(static_cast<size_t>(num_outputs), nullptr);
      detail::check(mg_op_call(op_, detail::count(handles), handles.data(), count, names, values,
                               &num_outputs, results.data()));
      for (mg_array* result : results) out.push_back(NDArray::own(result));
    });
    return out;
  }
  /// Inputs that are no symbol become variables.
  Symbol call(const std::vector<Symbol>& inputs, const Params& params, const std::string& name = {}) const {
    std::vector<const mg_symbol*> handles;
    std::vector<const char*> names_of_inputs;
    std::vector<std::string> storage(inputs.size());
    const bool variadic = mg_op_has(op_, "variadic");
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i] && !variadic) continue;
      handles.push_back(inputs[i].handle());
      if (variadic) continue;
      mg_port_info info{};
      info.size = sizeof info;
      detail::check(mg_op_get_input(op_, static_cast<int32_t>(i), &info));
      storage[i] = info.name;
      names_of_inputs.push_back(storage[i].c_str());
    }
    mg_symbol* out = nullptr;
    params.with([&](int32_t count, const char* const* names, const mg_value* values) {
      detail::check(mg_symbol_call(op_, name.empty() ? nullptr : name.c_str(), detail::count(handles),
                                   variadic ? nullptr : names_of_inputs.data(), handles.data(), count, names,
                                   values, 0, nullptr, nullptr, &out));
    });
    return Symbol::own(out);
  }

 private:
  // Absent arrays at the end are left out.
  static std::vector<mg_array*> handles_of(const std::vector<NDArray>& inputs) {
    std::vector<mg_array*> out;
    for (const NDArray& input : inputs) out.push_back(input.handle());
    while (!out.empty() && out.back() == nullptr) out.pop_back();
    return out;
  }
  const mg_op* op_ = nullptr;
};

namespace detail {
template <class T>
inline constexpr bool is_operand = std::is_same_v<T, NDArray> || std::is_same_v<T, Symbol>;
template <class T>
T with_scalar(const Operator& op, const T& a, double scalar) {
  const Params params{{"scalar", scalar}};
  if constexpr (std::is_same_v<T, Symbol>) {
    return op.call(std::vector<Symbol>{a}, params);
  } else {
    return std::move(op.call(std::vector<NDArray>{a}, params)[0]);
  }
}
}  // namespace detail

#define MG_HPP_BINARY(symbol, array_op, scalar_op, reverse_op)        \
  template <class T, class = std::enable_if_t<detail::is_operand<T>>> \
  T operator symbol(const T& a, const T& b) {                         \
    static const Operator op(array_op);                               \
    return op.apply_one<T>({a, b});                                   \
  }                                                                   \
  template <class T, class = std::enable_if_t<detail::is_operand<T>>> \
  T operator symbol(const T& a, double b) {                           \
    static const Operator op(scalar_op);                              \
    return detail::with_scalar(op, a, b);                             \
  }                                                                   \
  template <class T, class = std::enable_if_t<detail::is_operand<T>>> \
  T operator symbol(double a, const T& b) {                           \
    static const Operator op(reverse_op);                             \
    return detail::with_scalar(op, b, a);                             \
  }
MG_HPP_BINARY(+, "broadcast_add", "_plus_scalar", "_plus_scalar")
MG_HPP_BINARY(-, "broadcast_sub", "_minus_scalar", "_rminus_scalar")
MG_HPP_BINARY(*, "broadcast_mul", "_mul_scalar", "_mul_scalar")
MG_HPP_BINARY(/, "broadcast_div", "_div_scalar", "_rdiv_scalar")
#undef MG_HPP_BINARY
template <class T, class = std::enable_if_t<detail::is_operand<T>>>
T operator-(const T& a) {
  static const Operator op("negative");
  return op.apply_one<T>({a});
}

}  // namespace mx
