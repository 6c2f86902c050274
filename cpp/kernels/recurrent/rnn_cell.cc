#include "kernels/recurrent/rnn_cell.h"

#include <limits>

#include "base/cpu.h"
#include "kernels/math/math_exp.h"

namespace mixgrad::rnn_cell {
namespace {

template <int kMode, class C>
MIXGRAD_INLINE void cell_forward(const CellForward<C>& a, int64_t n, const CellClip<C>& clip) {
  C* g = a.gates;
  const C* by = a.by_state;
  C* state = a.state;
  if constexpr (kMode == 0) {
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) {
      const C x = g[i] + by[i];
      state[i] = g[i] = x <= 0 ? C(0) : x;
    }
  } else if constexpr (kMode == 1) {
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) state[i] = g[i] = math::tanh(g[i] + by[i]);
  } else if constexpr (kMode == 2) {
    const C* before = a.previous;
    C* cell = a.cell;
    constexpr C kFar = std::numeric_limits<C>::infinity();
    const C low = clip.on ? clip.low : -kFar, high = clip.on ? clip.high : kFar;
    const C for_nan = clip.on && clip.nan ? clip.low : std::numeric_limits<C>::quiet_NaN();
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) {
      const C in = math::sigmoid(g[i] + by[i]), forget = math::sigmoid(g[n + i] + by[n + i]);
      const C fresh = math::tanh(g[2 * n + i] + by[2 * n + i]),
              out = math::sigmoid(g[3 * n + i] + by[3 * n + i]);
      C c = forget * before[i] + in * fresh;
      c = c < low ? low : c;
      c = c > high ? high : c;
      c = c == c ? c : for_nan;
      g[i] = in, g[n + i] = forget, g[2 * n + i] = fresh, g[3 * n + i] = out;
      cell[i] = c;
      state[i] = out * math::tanh(c);
    }
  } else {
    const C* before = a.previous;
    C* kept = a.kept;
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) {
      const C reset = math::sigmoid(g[i] + by[i]), update = math::sigmoid(g[n + i] + by[n + i]);
      const C fresh = math::tanh(g[2 * n + i] + reset * by[2 * n + i]);
      kept[i] = by[2 * n + i];
      g[i] = reset, g[n + i] = update, g[2 * n + i] = fresh;
      state[i] = fresh + update * (before[i] - fresh);
    }
  }
}

template <int kMode, class C>
MIXGRAD_INLINE void cell_backward(const CellBackward<C>& a, int64_t n, const CellClip<C>& clip) {
  const C *g = a.gates, *grad = a.grad;
  C* to = a.gates_grad;
  if constexpr (kMode == 0) {
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) to[i] = g[i] > 0 ? grad[i] : C(0);
  } else if constexpr (kMode == 1) {
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) to[i] = grad[i] * (1 - g[i] * g[i]);
  } else if constexpr (kMode == 2) {
    const C *before = a.previous, *cell = a.cell;
    C* cell_grad = a.cell_grad;
    constexpr C kFar = std::numeric_limits<C>::infinity();
    const C low = clip.on ? clip.low : -kFar, high = clip.on ? clip.high : kFar;
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) {
      const C in = g[i], forget = g[n + i], fresh = g[2 * n + i], out = g[3 * n + i];
      const C t = math::tanh(cell[i]);
      C dc = cell_grad[i] + grad[i] * out * (1 - t * t);
      dc = cell[i] <= low ? C(0) : dc;
      dc = cell[i] >= high ? C(0) : dc;
      to[i] = dc * fresh * in * (1 - in);
      to[n + i] = dc * before[i] * forget * (1 - forget);
      to[2 * n + i] = dc * in * (1 - fresh * fresh);
      to[3 * n + i] = grad[i] * t * out * (1 - out);
      cell_grad[i] = dc * forget;
    }
  } else {
    const C *before = a.previous, *kept = a.kept;
    C *by = a.by_state_grad, *previous = a.previous_grad;
    MIXGRAD_VECTORIZE
    for (int64_t i = 0; i < n; ++i) {
      const C reset = g[i], update = g[n + i], fresh = g[2 * n + i];
      const C df = grad[i] * (1 - update) * (1 - fresh * fresh);
      const C dr = df * kept[i] * reset * (1 - reset);
      const C du = grad[i] * (before[i] - fresh) * update * (1 - update);
      to[i] = dr, to[n + i] = du, to[2 * n + i] = df;
      by[i] = dr, by[n + i] = du, by[2 * n + i] = df * reset;
      previous[i] = grad[i] * update;
    }
  }
}

template <int kMode, class C>
MIXGRAD_TARGET_BASELINE void forward_baseline(const CellForward<C>& a, int64_t n, const CellClip<C>& clip) {
  cell_forward<kMode>(a, n, clip);
}
template <int kMode, class C>
MIXGRAD_TARGET_BASELINE void backward_baseline(const CellBackward<C>& a, int64_t n, const CellClip<C>& clip) {
  cell_backward<kMode>(a, n, clip);
}
#if MIXGRAD_X86
template <int kMode, class C>
MIXGRAD_TARGET_AVX2 void forward_avx2(const CellForward<C>& a, int64_t n, const CellClip<C>& clip) {
  cell_forward<kMode>(a, n, clip);
}
template <int kMode, class C>
MIXGRAD_TARGET_AVX2 void backward_avx2(const CellBackward<C>& a, int64_t n, const CellClip<C>& clip) {
  cell_backward<kMode>(a, n, clip);
}
template <int kMode, class C>
MIXGRAD_TARGET_AVX512 void forward_avx512(const CellForward<C>& a, int64_t n, const CellClip<C>& clip) {
  cell_forward<kMode>(a, n, clip);
}
template <int kMode, class C>
MIXGRAD_TARGET_AVX512 void backward_avx512(const CellBackward<C>& a, int64_t n, const CellClip<C>& clip) {
  cell_backward<kMode>(a, n, clip);
}
#endif

}  // namespace

template <class C>
const CellForwardFn<C>* cell_forward_loops() {
  static constexpr CellForwardFn<C> baseline[] = {forward_baseline<0, C>, forward_baseline<1, C>,
                                                  forward_baseline<2, C>, forward_baseline<3, C>};
#if MIXGRAD_X86
  static constexpr CellForwardFn<C> avx2[] = {forward_avx2<0, C>, forward_avx2<1, C>, forward_avx2<2, C>,
                                              forward_avx2<3, C>};
  static constexpr CellForwardFn<C> avx512[] = {forward_avx512<0, C>, forward_avx512<1, C>,
                                                forward_avx512<2, C>, forward_avx512<3, C>};
  if (loop_isa<C>() == Isa::avx512) return avx512;
  if (loop_isa<C>() == Isa::avx2) return avx2;
#endif
  return baseline;
}
template const CellForwardFn<float>* cell_forward_loops<float>();
template const CellForwardFn<double>* cell_forward_loops<double>();

template <class C>
const CellBackwardFn<C>* cell_backward_loops() {
  static constexpr CellBackwardFn<C> baseline[] = {backward_baseline<0, C>, backward_baseline<1, C>,
                                                   backward_baseline<2, C>, backward_baseline<3, C>};
#if MIXGRAD_X86
  static constexpr CellBackwardFn<C> avx2[] = {backward_avx2<0, C>, backward_avx2<1, C>, backward_avx2<2, C>,
                                               backward_avx2<3, C>};
  static constexpr CellBackwardFn<C> avx512[] = {backward_avx512<0, C>, backward_avx512<1, C>,
                                                 backward_avx512<2, C>, backward_avx512<3, C>};
  if (loop_isa<C>() == Isa::avx512) return avx512;
  if (loop_isa<C>() == Isa::avx2) return avx2;
#endif
  return baseline;
}
template const CellBackwardFn<float>* cell_backward_loops<float>();
template const CellBackwardFn<double>* cell_backward_loops<double>();

}  // namespace mixgrad::rnn_cell
