// Updates of weights: one loop for every formula. A formula is a class template over the number type, built from the
// parameters, with
//   static constexpr int kStates;                          how many states it keeps per weight, at most 3
//   T step(T weight, T grad, T& a, T& b, T& c) const;      the new weight; changes the first kStates of a, b, c
#pragma once

#include <cmath>
#include <limits>

#include "base/cpu.h"
#include "op/define.h"

namespace mixgrad::ops::optimizer {

inline constexpr int kMaxStates = 3;

// Arrays of one update, all of one size. `out` may be `weight`; `copy` (data may be null) receives the new weight too.
struct Update {
  View weight, grad, out, copy;
  View states[kMaxStates];
  int num_states = 0;
};

// n elements in the formula's type. Rows: weight, grad, out, states; out may be weight.
using UpdateFn = void (*)(void* const* rows, int64_t n, const void* formula);

// Runs over all elements: converts what is not of dtype `compute` tile by tile, divides the work over cores.
void run_update(UpdateFn fn, const void* formula, DType compute, const Update& update);

template <class T, class F>
MIXGRAD_INLINE void update_body(void* const* rows, int64_t n, const void* formula) {
  const F f = *static_cast<const F*>(formula);
  const T* weight = static_cast<const T*>(rows[0]);
  const T* grad = static_cast<const T*>(rows[1]);
  T* out = static_cast<T*>(rows[2]);
  T* a = static_cast<T*>(rows[3]);
  T* b = static_cast<T*>(rows[4]);
  T* c = static_cast<T*>(rows[5]);
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) {
    T x = 0, y = 0, z = 0;
    if constexpr (F::kStates > 0) x = a[i];
    if constexpr (F::kStates > 1) y = b[i];
    if constexpr (F::kStates > 2) z = c[i];
    out[i] = f.step(weight[i], grad[i], x, y, z);
    if constexpr (F::kStates > 0) a[i] = x;
    if constexpr (F::kStates > 1) b[i] = y;
    if constexpr (F::kStates > 2) c[i] = z;
  }
}

template <class T, class F>
MIXGRAD_PLAIN void update_baseline(void* const* rows, int64_t n, const void* formula) {
  update_body<T, F>(rows, n, formula);
}
#if MIXGRAD_X86
template <class T, class F>
MIXGRAD_TARGET_AVX2 void update_avx2(void* const* rows, int64_t n, const void* formula) {
  update_body<T, F>(rows, n, formula);
}
template <class T, class F>
MIXGRAD_TARGET_AVX512 void update_avx512(void* const* rows, int64_t n, const void* formula) {
  update_body<T, F>(rows, n, formula);
}
#endif

template <class T, class F>
UpdateFn pick_update() {
#if MIXGRAD_X86
  if (loop_isa<T>() == Isa::avx512) return &update_avx512<T, F>;
  if (loop_isa<T>() == Isa::avx2) return &update_avx2<T, F>;
#endif
  return &update_baseline<T, F>;
}

// Computes in double for double weights, in float otherwise.
template <template <class> class F, class P>
void apply_update(const P& p, const Update& update) {
  if (update.weight.dtype == DType::float64) {
    const F<double> formula(p);
    run_update(pick_update<double, F<double>>(), &formula, DType::float64, update);
  } else {
    const F<float> formula(p);
    run_update(pick_update<float, F<float>>(), &formula, DType::float32, update);
  }
}

// Kernel of an operator with inputs weight, grad and the states.
template <template <class> class F, class P>
void plain_update(const P& p, KernelArgs& args) {
  Update update;
  update.weight = args.in[0];
  update.grad = args.in[1];
  update.out = args.out[0];
  update.num_states = F<float>::kStates;
  for (int i = 0; i < update.num_states; ++i) update.states[i] = args.in[static_cast<size_t>(2 + i)];
  apply_update<F>(p, update);
}

// The same with a last input weight32: the weight proper, of which the output is a rounded copy.
template <template <class> class F, class P>
void mixed_update(const P& p, KernelArgs& args) {
  Update update;
  update.num_states = F<float>::kStates;
  update.weight = update.out = args.in[static_cast<size_t>(2 + update.num_states)];
  update.grad = args.in[1];
  update.copy = args.out[0];
  for (int i = 0; i < update.num_states; ++i) update.states[i] = args.in[static_cast<size_t>(2 + i)];
  apply_update<F>(p, update);
}

// All arrays of one float dtype.
void infer_update_dtype(DTypeInfer& d);
// weight, grad and output of one float dtype; states and weight32 in float32.
void infer_mixed_dtype(DTypeInfer& d);

template <class P>
void update_dtype(const P&, DTypeInfer& d) {
  infer_update_dtype(d);
}
template <class P>
void mixed_dtype(const P&, DTypeInfer& d) {
  infer_mixed_dtype(d);
}

// What is done to a gradient before it is used. A negative limit does not bound; NaN stays.
template <class T>
struct Bounded {
  T scale, limit;
  Bounded(double rescale, double clip)
      : scale(static_cast<T>(rescale)),
        limit(clip < 0 ? std::numeric_limits<T>::infinity() : static_cast<T>(clip)) {}
  MIXGRAD_INLINE T clip(T x) const { return x > limit ? limit : x < -limit ? -limit : x; }
  MIXGRAD_INLINE T operator()(T grad) const { return clip(scale * grad); }
};

// Parameters that every update has.
struct CommonParams {
  double lr = 0, wd = 0, rescale_grad = 1, clip_gradient = -1;
};

// Text of shared parameters and inputs.
inline constexpr const char* kLrDoc = "Learning rate.";
inline constexpr const char* kWdDoc = "Weight decay: its multiple of the weight is added to the gradient.";
inline constexpr const char* kRescaleDoc = "Factor of the gradient, applied first.";
inline constexpr const char* kClipDoc =
    "The gradient is bounded to plus and minus this; a negative value does not bound.";
inline constexpr const char* kLazyDoc = "Accepted for MXNet's sparse gradients; has no effect.";
inline constexpr const char* kWeightDoc = "Weights, any float dtype.";
inline constexpr const char* kGradDoc = "Gradient, of the weight's shape.";
inline constexpr const char* kWeight32Doc = "The weight in float32; updated in place.";

}  // namespace mixgrad::ops::optimizer
