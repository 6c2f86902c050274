// Texts of kernels that no registered operator holds: loops of gradients, updates of weights, random masks. They list
// themselves when the library is loaded, without memory of their own.
#pragma once

#include "base/fields.h"

namespace mixgrad {

enum class KernelKind {
  pointwise,  // an expression over x, y, z and p: see op/scalar.h
  update,  // a class template with T step(T weight, T grad, T& a, T& b, T& c) const: see kernels/formulas/optimizer_formula.h
  random  // one with void step(uint32_t word, T x, T& factor, T& out) const: see kernels/formulas/dropout_formula.h
};

// A formula, that is a class template F over the number type, stands in ops/<x>_formula.h, in namespace mixgrad::ops::<x>,
// includes nothing else of the library's but headers that device compilers read, too, is copied to the device as it is and has
//   static constexpr const char* kText = "<x>::F";
struct KernelText {
  KernelKind kind = KernelKind::pointwise;
  const char* text = nullptr;
  int operands = 1;            // inputs of an expression, states of an update
  const char* file = nullptr;  // where an expression stands
  int line = 0;
  const Schema& (*schema)() = nullptr;  // of an expression's p
  const KernelText* next = nullptr;
};

inline const KernelText* listed_kernel_texts = nullptr;

// A static object that lists its text.
struct ListedKernelText : KernelText {
  explicit ListedKernelText(const KernelText& given) : KernelText(given) {
    next = listed_kernel_texts;
    listed_kernel_texts = this;
  }
};

// Formulas list themselves where loops are made of them: list_formula<kind, F<float>>().
template <KernelKind kKind, class F>
struct ListedFormula {
  static const ListedKernelText text;
};
template <KernelKind kKind, class F>
const ListedKernelText ListedFormula<kKind, F>::text([] {
  KernelText text;
  text.kind = kKind;
  text.text = F::kText;
  if constexpr (kKind == KernelKind::update) text.operands = F::kStates;
  return text;
}());

template <KernelKind kKind, class F>
inline void list_formula() {
  if constexpr (!kCompact) static_cast<void>(&ListedFormula<kKind, F>::text);
}

}  // namespace mixgrad
