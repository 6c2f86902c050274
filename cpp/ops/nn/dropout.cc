// Dropout: zeros at random places while training.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "base/parallel.h"
#include "kernel_source/kernel_text.h"
#include "kernels/formulas/dropout_formula.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/strided.h"
#include "kernels/random/random_fill.h"
#include "launch/pointwise.h"
#include "op/define.h"

namespace mixgrad::ops::dropout {
namespace {

enum class DropoutMode : int32_t { training, always };

struct DropoutParams {
  double p = 0.5;
  DropoutMode mode = DropoutMode::training;
  Shape axes;
  std::optional<bool> cudnn_off = false;
  static void fields(Fields<DropoutParams>& f) {
    f.add("p", &DropoutParams::p, "Part of the elements that become 0.", between(0, 1))
        .choice("mode", &DropoutParams::mode, {"training", "always"}, "Whether to drop also when predicting.")
        .add("axes", &DropoutParams::axes, "Axes along which elements share one decision.")
        .add("cudnn_off", &DropoutParams::cudnn_off, "Accepted for MXNet's scripts; has no effect.");
  }
};

bool drops(const DropoutParams& p, bool training) { return training || p.mode == DropoutMode::always; }

constexpr int64_t kDropoutTile = 1024;

// An element stays when its word is below `keep`, which is 2^32 at most.
struct DropoutRule {
  uint64_t keep;
  double scale;
  explicit DropoutRule(double p)
      : keep(static_cast<uint64_t>(std::llround((1 - p) * 0x1p32))), scale(p < 1 ? 1 / (1 - p) : 0) {}
};

template <class T>
MIXGRAD_INLINE void dropout_body(const uint32_t* words, const T* x, int64_t n, const Dropout<T>& formula,
                                 T* mask, T* out) {
  const Dropout<T> f = formula;
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) f.step(words[i], x[i], mask[i], out[i]);
}

template <class T>
using DropoutFn = void (*)(const uint32_t*, const T*, int64_t, const Dropout<T>&, T*, T*);

template <class T>
MIXGRAD_TARGET_BASELINE void dropout_baseline(const uint32_t* words, const T* x, int64_t n,
                                              const Dropout<T>& formula, T* mask, T* out) {
  dropout_body(words, x, n, formula, mask, out);
}
#if MIXGRAD_X86
template <class T>
MIXGRAD_TARGET_AVX2 void dropout_avx2(const uint32_t* words, const T* x, int64_t n, const Dropout<T>& formula,
                                      T* mask, T* out) {
  dropout_body(words, x, n, formula, mask, out);
}
template <class T>
MIXGRAD_TARGET_AVX512 void dropout_avx512(const uint32_t* words, const T* x, int64_t n,
                                          const Dropout<T>& formula, T* mask, T* out) {
  dropout_body(words, x, n, formula, mask, out);
}
#endif

template <class T>
DropoutFn<T> pick_dropout() {
  if constexpr (std::is_same_v<T, float>) list_formula<KernelKind::random, Dropout<T>>();
#if MIXGRAD_X86
  if (loop_isa<T>() == Isa::avx512) return &dropout_avx512<T>;
  if (loop_isa<T>() == Isa::avx2) return &dropout_avx2<T>;
#endif
  return &dropout_baseline<T>;
}

char* dropout_place(const View& view, int64_t i) {
  return view.as<char>() + static_cast<size_t>(i) * size_of(view.dtype);
}

// mask and out of x; for the mask alone x and out are null.
template <class T>
void dropout_elements(const DropoutRule& rule, const RandomKey& key, const View* x, const View& mask,
                      const View* out) {
  const DropoutFn<T> fn = pick_dropout<T>();
  const Dropout<T> formula = {static_cast<uint32_t>(rule.keep - 1), static_cast<T>(rule.scale)};  // keep > 0
  const int64_t size = mask.size(), tiles = (size + kDropoutTile - 1) / kDropoutTile;
  const bool native = mask.dtype == dtype_of<T>();
  parallel_for(tiles, 8, [&](int64_t first, int64_t last) {
    alignas(64) uint32_t words[kDropoutTile];
    alignas(64) T given[kDropoutTile] = {}, masks[kDropoutTile], results[kDropoutTile];
    for (int64_t t = first; t < last; ++t) {
      const int64_t begin = t * kDropoutTile, n = std::min(kDropoutTile, size - begin);
      random_words(key, begin, kDropoutTile, words);
      const T* source = given;
      if (x && native) source = x->as<T>() + begin;
      if (x && !native) convert(dropout_place(*x, begin), x->dtype, given, dtype_of<T>(), n);
      T* to_mask = native ? mask.as<T>() + begin : masks;
      T* to_out = out && native ? out->as<T>() + begin : results;
      fn(words, source, n, formula, to_mask, to_out);
      if (native) continue;
      convert(masks, dtype_of<T>(), dropout_place(mask, begin), mask.dtype, n);
      if (out) convert(results, dtype_of<T>(), dropout_place(*out, begin), out->dtype, n);
    }
  });
}

void dropout_kernel(const DropoutParams& p, KernelArgs& args) {
  const View &x = args.in[0], &out = args.out[0], &mask = args.out[1];
  if (!drops(p, args.training)) {  // the gradient does not read the mask then
    parallel_for(static_cast<int64_t>(x.bytes()), 1 << 18, [&](int64_t begin, int64_t end) {
      std::memmove(out.as<char>() + begin, x.as<char>() + begin, static_cast<size_t>(end - begin));
    });
    return;
  }
  const DropoutRule rule(p.p);
  const RandomKey key = args.random_key();
  if (rule.keep == 0) {
    fill_view(out, 0);
    fill_view(mask, 0);
    return;
  }
  const bool shared = mask.shape() != x.shape();
  if (is_wide(x.dtype)) {
    dropout_elements<double>(rule, key, shared ? nullptr : &x, mask, shared ? nullptr : &out);
  } else {
    dropout_elements<float>(rule, key, shared ? nullptr : &x, mask, shared ? nullptr : &out);
  }
  if (!shared) return;
  static const Op& multiply = find_op("broadcast_mul");
  const View factors[] = {x, mask};
  run_pointwise(multiply, multiply.defaults->data(), factors, out);
}

const Op& dropout = Define<DropoutParams>("Dropout")
                        .alias("_npx_dropout")
                        .doc(
                            "While training, each element becomes 0 with probability p and is divided by 1 - "
                            "p otherwise; when "
                            "predicting, unless mode is 'always', the output is the input.")
                        .origin("MXNet Dropout; Srivastava and others 2014")
                        .input("data", "Any float array.")
                        .outputs({"out", "mask"})
                        .num_visible([](const DropoutParams&) { return 1; })
                        .shape([](const DropoutParams& p, ShapeInfer& s) {
                          s.set_in(0, s.out(0));
                          s.set_out(0, s.in(0));
                          if (!s.in(0).known_rank()) return;
                          Shape mask = s.in(0);
                          for (const int64_t axis : p.axes)
                            mask[normalize_axis(axis, mask.ndim(), s.name())] = 1;
                          s.set_out(1, mask);
                        })
                        .dtype([](const DropoutParams&, DTypeInfer& d) {
                          infer_same_dtype(d);
                          if (d.in(0) != DType::unknown && !is_float(d.in(0)))
                            d.reject("expected a float dtype");
                        })
                        .kernel(dropout_kernel)
                        .inplace()
                        .grad_needs({}, {1})
                        .grad([](const DropoutParams& p, Grad& g) {
                          g.set(0, drops(p, g.training()) ? g.out_grad(0) * g.out(1) : g.out_grad(0));
                        })
                        .element_cost(0.4)
                        .random()
                        .depends_on_mode();

}  // namespace
}  // namespace mixgrad::ops::dropout
