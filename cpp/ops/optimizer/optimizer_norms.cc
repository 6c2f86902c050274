// What large-batch training asks of many arrays at once: sums of squares, whether all is finite, layer-wise rates.
#include <atomic>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "op/define.h"

namespace mixgrad::ops::optimizer_norms {
namespace {

constexpr int64_t kNormBlock = 16384;  // elements summed by one thread; fixes the order of additions
constexpr int64_t kNormTile = 1024;

MIXGRAD_INLINE double norm_square_body(const float* x, int64_t n) {
  // Independent sums that fit the vector registers.
  float sums[32] = {};
  int64_t i = 0;
  for (; i + 32 <= n; i += 32) {
    for (int k = 0; k < 32; ++k) sums[k] += x[i + k] * x[i + k];
  }
  double total = 0;
  for (const float s : sums) total += static_cast<double>(s);
  for (; i < n; ++i) total += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return total;
}

// All exponent bits set means infinite or NaN.
MIXGRAD_INLINE bool norm_finite_body(const float* x, int64_t n) {
  uint32_t bad = 0;
  for (int64_t i = 0; i < n; ++i) {
    uint32_t bits;
    std::memcpy(&bits, x + i, 4);
    bad |= static_cast<uint32_t>((bits & 0x7f800000u) == 0x7f800000u);
  }
  return bad == 0;
}

struct NormLoops {
  double (*square)(const float*, int64_t);
  bool (*finite)(const float*, int64_t);
};

double norm_square_baseline(const float* x, int64_t n) { return norm_square_body(x, n); }
bool norm_finite_baseline(const float* x, int64_t n) { return norm_finite_body(x, n); }
#if MIXGRAD_X86
MIXGRAD_TARGET_AVX2 double norm_square_avx2(const float* x, int64_t n) { return norm_square_body(x, n); }
MIXGRAD_TARGET_AVX2 bool norm_finite_avx2(const float* x, int64_t n) { return norm_finite_body(x, n); }
MIXGRAD_TARGET_AVX512 double norm_square_avx512(const float* x, int64_t n) { return norm_square_body(x, n); }
MIXGRAD_TARGET_AVX512 bool norm_finite_avx512(const float* x, int64_t n) { return norm_finite_body(x, n); }
#endif

NormLoops norm_loops() {
#if MIXGRAD_X86
  if (loop_isa<float>() == Isa::avx512) return {&norm_square_avx512, &norm_finite_avx512};
  if (loop_isa<float>() == Isa::avx2) return {&norm_square_avx2, &norm_finite_avx2};
#endif
  return {&norm_square_baseline, &norm_finite_baseline};
}

const char* norm_place(const View& view, int64_t i) {
  return view.as<char>() + static_cast<size_t>(i) * size_of(view.dtype);
}

// Sum of squares of elements [begin, end).
double norm_square_range(const NormLoops& loops, const View& view, int64_t begin, int64_t end) {
  double total = 0;
  if (view.dtype == DType::float32) return loops.square(view.as<float>() + begin, end - begin);
  if (view.dtype == DType::float64) {
    for (const double* x = view.as<double>() + begin; x < view.as<double>() + end; ++x) total += *x * *x;
    return total;
  }
  float tile[kNormTile];
  for (int64_t i = begin; i < end; i += kNormTile) {
    const int64_t n = std::min(kNormTile, end - i);
    convert(norm_place(view, i), view.dtype, tile, DType::float32, n);
    total += loops.square(tile, n);
  }
  return total;
}

double norm_square(const View& view) {
  const NormLoops loops = norm_loops();
  const int64_t n = view.size(), blocks = (n + kNormBlock - 1) / kNormBlock;
  std::vector<double> parts(static_cast<size_t>(blocks));
  parallel_for(blocks, 2, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      parts[static_cast<size_t>(b)] =
          norm_square_range(loops, view, b * kNormBlock, std::min(n, (b + 1) * kNormBlock));
    }
  });
  double total = 0;
  for (const double part : parts) total += part;
  return total;
}

bool norm_all_finite(const View& view) {
  if (!is_float(view.dtype)) return true;
  const NormLoops loops = norm_loops();
  std::atomic<bool> finite{true};
  parallel_for(view.size(), kNormBlock, [&](int64_t begin, int64_t end) {
    float tile[kNormTile];
    for (int64_t i = begin; i < end && finite.load(std::memory_order_relaxed); i += kNormTile) {
      const int64_t n = std::min(kNormTile, end - i);
      bool good = true;
      if (view.dtype == DType::float32) {
        good = loops.finite(view.as<float>() + i, n);
      } else if (view.dtype == DType::float64) {
        for (int64_t k = i; k < i + n; ++k) good &= std::isfinite(view.as<double>()[k]);
      } else {
        convert(norm_place(view, i), view.dtype, tile, DType::float32, n);
        good = loops.finite(tile, n);
      }
      if (!good) finite.store(false, std::memory_order_relaxed);
    }
  });
  return finite.load();
}

void norm_finite_kernel(KernelArgs& args, bool fresh) {
  float& out = *args.out[0].as<float>();
  bool finite = fresh || out != 0;
  for (const View& view : args.in) finite = finite && norm_all_finite(view);
  out = finite ? 1.0f : 0.0f;
}

// Without a fresh start there must be an output to go on from.
void finite_shape(bool fresh, ShapeInfer& s) {
  if (!fresh && !s.out(0).known()) s.reject("init_output=False needs a given output");
  s.set_out(0, Shape{1});
}

struct SumSqParams {
  int32_t num_arrays = 1;
  static void fields(Fields<SumSqParams>& f) {
    f.required("num_arrays", &SumSqParams::num_arrays, "Number of arrays.", at_least(1));
  }
};

struct FiniteParams {
  bool init_output = true;
  static void fields(Fields<FiniteParams>& f) {
    f.add("init_output", &FiniteParams::init_output,
          "False keeps a 0 that the given output holds, so that several calls add up.");
  }
};

struct ManyFiniteParams {
  int32_t num_arrays = 1;
  bool init_output = true;
  static void fields(Fields<ManyFiniteParams>& f) {
    f.add("num_arrays", &ManyFiniteParams::num_arrays, "Number of arrays.", at_least(1))
        .add("init_output", &ManyFiniteParams::init_output,
             "False keeps a 0 that the given output holds, so that several calls add up.");
  }
};

struct LarsParams {
  double eta = 0, eps = 0, rescale_grad = 1;
  static void fields(Fields<LarsParams>& f) {
    f.required("eta", &LarsParams::eta, "Factor of the rates.")
        .required("eps", &LarsParams::eps, "Added to the divisor.")
        .add("rescale_grad", &LarsParams::rescale_grad, "Factor of the gradients.");
  }
};

const Op& multi_sum_sq =
    Define<SumSqParams>("multi_sum_sq")
        .doc("Sum of squares of each array, as a float32 array of num_arrays elements.")
        .origin("MXNet multi_sum_sq")
        .variadic("data", "Arrays of any shape and dtype.", "num_arrays")
        .num_inputs([](const SumSqParams& p) { return static_cast<int>(p.num_arrays); })
        .shape([](const SumSqParams&, ShapeInfer& s) { s.set_out(0, Shape{s.num_inputs()}); })
        .dtype([](const SumSqParams&, DTypeInfer& d) { d.set_out(0, DType::float32); })
        .kernel([](const SumSqParams&, KernelArgs& args) {
          for (size_t i = 0; i < args.in.size(); ++i) {
            args.out[0].as<float>()[i] = static_cast<float>(norm_square(args.in[i]));
          }
        });

const Op& all_finite =
    Define<FiniteParams>("all_finite")
        .doc("1 if no element is infinite or NaN, else 0; float32 of shape (1,).")
        .origin("MXNet all_finite")
        .input("data", "Any array.")
        .shape([](const FiniteParams& p, ShapeInfer& s) { finite_shape(p.init_output, s); })
        .dtype([](const FiniteParams&, DTypeInfer& d) { d.set_out(0, DType::float32); })
        .kernel([](const FiniteParams& p, KernelArgs& args) { norm_finite_kernel(args, p.init_output); })
        .element_cost(0.1)
        .no_gradient();

const Op& multi_all_finite =
    Define<ManyFiniteParams>("multi_all_finite")
        .doc("1 if no element of any array is infinite or NaN, else 0; float32 of shape (1,).")
        .origin("MXNet multi_all_finite")
        .variadic("data", "Arrays of any shape and dtype.", "num_arrays")
        .num_inputs([](const ManyFiniteParams& p) { return static_cast<int>(p.num_arrays); })
        .shape([](const ManyFiniteParams& p, ShapeInfer& s) { finite_shape(p.init_output, s); })
        .dtype([](const ManyFiniteParams&, DTypeInfer& d) { d.set_out(0, DType::float32); })
        .kernel([](const ManyFiniteParams& p, KernelArgs& args) { norm_finite_kernel(args, p.init_output); })
        .element_cost(0.1)
        .no_gradient();

const Op& multi_lars =
    Define<LarsParams>("multi_lars")
        .doc(
            "Rate of each layer: with the norms w and g of weight and scaled gradient, lr * eta * w / (g + "
            "wd * w + eps) "
            "where both are above 0, else lr.")
        .origin("MXNet multi_lars; You and others 2017")
        .input("lrs", "Learning rate of each layer.")
        .input("weights_sum_sq", "Sum of squares of each weight.")
        .input("grads_sum_sq", "Sum of squares of each gradient.")
        .input("wds", "Weight decay of each layer.")
        .dtype([](const LarsParams&, DTypeInfer& d) {
          for (int i = 0; i < 4; ++i) d.set_in(i, DType::float32);
          d.set_out(0, DType::float32);
        })
        .kernel([](const LarsParams& p, KernelArgs& args) {
          for (int64_t i = 0; i < args.out[0].size(); ++i) {
            const double lr = static_cast<double>(args.in[0].as<float>()[i]);
            const double w = std::sqrt(static_cast<double>(args.in[1].as<float>()[i]));
            const double g = std::sqrt(static_cast<double>(args.in[2].as<float>()[i])) * p.rescale_grad;
            const double decay = static_cast<double>(args.in[3].as<float>()[i]) * w;
            args.out[0].as<float>()[i] =
                static_cast<float>(w > 0 && g > 0 ? lr * p.eta * w / (g + decay + p.eps) : lr);
          }
        });

}  // namespace
}  // namespace mixgrad::ops::optimizer_norms
