// Updates of weights: one loop for every formula of optimizer_formula.h.
#pragma once

#include "base/cpu.h"
#include "kernel_source/kernel_text.h"
#include "kernels/formulas/optimizer_formula.h"
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

// One of several updates that are made together.
struct UpdateJob {
  UpdateFn fn = nullptr;
  const void* formula = nullptr;
  DType compute = DType::float32;
  Update update;
};

// All of them in one loop, with results as of run_update one after another. Each thread has the same part of every array,
// which is what products that made the gradients gave it.
void run_updates(Span<const UpdateJob> jobs);

// One loop of fixed length, which a rest is copied into: a second one for the rest might round otherwise, and results
// would depend on where ranges end.
template <class T, class F>
MIXGRAD_INLINE void update_body(void* const* rows, int64_t n, const void* formula) {
  constexpr int kRows = 3 + F::kStates;
  constexpr int64_t kStep = 64;
  const F f = *static_cast<const F*>(formula);
  alignas(64) T rest[kRows][kStep] = {};
  for (int64_t at = 0; at < n; at += kStep) {
    T* row[3 + kMaxStates] = {};
    const int64_t count = n - at;
    for (int r = 0; r < kRows; ++r) {
      row[r] = static_cast<T*>(rows[r]) + at;
      if (count >= kStep) continue;
      for (int64_t i = 0; i < count; ++i) rest[r][i] = row[r][i];
      row[r] = rest[r];
    }
    const T *weight = row[0], *grad = row[1];
    T *out = row[2], *a = row[3], *b = row[4], *c = row[5];
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < kStep; ++i) {
      T x = 0, y = 0, z = 0;
      if constexpr (F::kStates > 0) x = a[i];
      if constexpr (F::kStates > 1) y = b[i];
      if constexpr (F::kStates > 2) z = c[i];
      out[i] = f.step(weight[i], grad[i], x, y, z);
      if constexpr (F::kStates > 0) a[i] = x;
      if constexpr (F::kStates > 1) b[i] = y;
      if constexpr (F::kStates > 2) c[i] = z;
    }
    for (int r = 2; count < kStep && r < kRows; ++r) {
      for (int64_t i = 0; i < count; ++i) static_cast<T*>(rows[r])[at + i] = rest[r][i];
    }
  }
}

template <class T, class F>
MIXGRAD_TARGET_BASELINE void update_baseline(void* const* rows, int64_t n, const void* formula) {
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
  if constexpr (std::is_same_v<T, float>) list_formula<KernelKind::update, F>();
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

// Updates with the parameters of each, gathered first and then run together.
template <template <class> class F>
class UpdateList {
 public:
  explicit UpdateList(size_t most) {
    single_.reserve(most);
    double_.reserve(most);
    jobs_.reserve(most);
  }
  template <class P>
  void add(const P& p, const Update& update) {
    UpdateJob job;
    job.update = update;
    if (update.weight.dtype == DType::float64) {
      double_.emplace_back(p);
      job.fn = pick_update<double, F<double>>();
      job.formula = &double_.back();
      job.compute = DType::float64;
    } else {
      single_.emplace_back(p);
      job.fn = pick_update<float, F<float>>();
      job.formula = &single_.back();
    }
    jobs_.push_back(job);
  }
  void run() const { run_updates(jobs_); }

 private:
  std::vector<F<float>> single_;  // never moved: jobs point to them
  std::vector<F<double>> double_;
  std::vector<UpdateJob> jobs_;
};

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

// Parameters that every update has.
struct CommonParams {
  double lr = 0, wd = 0, rescale_grad = 1, clip_gradient = -1;
};

// Text of shared parameters and inputs.
inline constexpr const char* kLrDoc = "Learning rate.";
inline constexpr const char* kWdDoc = "Weight decay: its multiple of the weight is added to the gradient.";
inline constexpr const char* kRescaleDoc = "Factor of the gradient, applied first.";
// How many weights one call may have; each has several inputs, which an int counts.
inline constexpr Range kWeightCount = {1, 1 << 24};
inline constexpr const char* kClipDoc =
    "The gradient is bounded to plus and minus this; a negative value does not bound.";
inline constexpr const char* kLazyDoc = "Accepted for MXNet's sparse gradients; has no effect.";
inline constexpr const char* kWeightDoc = "Weights, any float dtype.";
inline constexpr const char* kGradDoc = "Gradient, of the weight's shape.";
inline constexpr const char* kWeight32Doc = "The weight in float32; updated in place.";

}  // namespace mixgrad::ops::optimizer
