// What the chain of an operator's definition takes: functions, and texts where a build has them.
#pragma once

#include <type_traits>

#include "base/build.h"

namespace mixgrad {

class Grad;
class Op;

namespace define {

enum UserFn {
  kNumInputs,
  kNumOutputs,
  kNumVisible,
  kShape,
  kDType,
  kKernel,
  kBackward,
  kGrad,
  kCost,
  kLoss,
  kKept,
  kStandsFor,
  kMakesSparse,
  kCudaKernel,
  kCudaBackward
};

// Whether this build calls functions of that kind: costs decide what is queued.
constexpr bool is_called(UserFn which) {
  if (which == kCost) return kQueues;
  if (which == kCudaKernel || which == kCudaBackward) return !kCompact;
  return kTraining || (which != kGrad && which != kBackward && which != kLoss && which != kMakesSparse);
}

// The function of an operator that Given holds.
void (*given_function(const Op& op, UserFn which))();

// A function of (const P&, Args...), which the operator keeps, or a captureless lambda, which is called in place.
template <class P, UserFn kWhich, class R, class... Args>
class GivenFunction {
 public:
  using Function = R (*)(const P&, Args...);
  static constexpr UserFn kKind = kWhich;
  GivenFunction(Function fn) : function(reinterpret_cast<void (*)()>(fn)), thunk(&call_function) {}
  template <class F, class = std::enable_if_t<std::is_class_v<F>>>
  GivenFunction(F) : thunk(&call_lambda<F>) {}

  void (*function)() = nullptr;
  R (*thunk)(const Op&, const void*, Args...);

 private:
  static R call_function(const Op& op, const void* params, Args... args) {
    return reinterpret_cast<Function>(given_function(op, kWhich))(*static_cast<const P*>(params), args...);
  }
  template <class F>
  static R call_lambda(const Op&, const void* params, Args... args) {
    // A captureless lambda has no state, so it is made from nothing.
    static_assert(sizeof(F) == 1, "a function of an operator captures nothing");
    static const char nothing = 0;
    return reinterpret_cast<const F&>(nothing)(*static_cast<const P*>(params), args...);
  }
};

template <class P, UserFn kWhich, class R, class... Args>
using Given = std::conditional_t<is_called(kWhich), GivenFunction<P, kWhich, R, Args...>, Ignored>;

// A gradient on its way to Define::grad.
template <class P>
using GradFn = std::conditional_t<is_called(kGrad), void (*)(const P&, Grad&), Ignored>;

}  // namespace define
}  // namespace mixgrad
