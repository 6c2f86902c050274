// The threshold of 8-bit numbers that keeps most of what a histogram tells.
#include <limits>

#include "ops/quantization/quantize.h"

namespace mixgrad::ops::calibrate_entropy {
namespace {

struct EntropyParams {
  int64_t num_quantized_bins = 255;
  static void fields(Fields<EntropyParams>& f) {
    f.add("num_quantized_bins", &EntropyParams::num_quantized_bins, "Bins that 8-bit numbers have.",
          between(1, 1 << 20));
  }
};

// Takes a little of what is not zero and gives it to what is; false where there is too little.
bool smooth(float* p, int64_t n) {
  constexpr float kEps = 1e-4f;
  int64_t zeros = 0;
  for (int64_t i = 0; i < n; ++i) zeros += p[i] == 0;
  if (zeros == n) return false;
  const float taken = kEps * static_cast<float>(zeros) / static_cast<float>(n - zeros);
  if (taken >= 1) return false;
  for (int64_t i = 0; i < n; ++i) p[i] = p[i] == 0 ? kEps : p[i] - taken;
  return true;
}

// Kullback-Leibler divergence of two histograms.
float divergence_of(const float* p, const float* q, int64_t n) {
  double of_p = 0, of_q = 0, sum = 0;
  for (int64_t i = 0; i < n; ++i) of_p += static_cast<double>(p[i]), of_q += static_cast<double>(q[i]);
  for (int64_t i = 0; i < n; ++i) {
    const double a = static_cast<double>(p[i]) / of_p, b = static_cast<double>(q[i]) / of_q;
    if (a > 0 && b > 0) sum += a * std::log(a / b);
  }
  return static_cast<float>(sum);
}

// Of the middle 2 half + 1 bins, what lies outside added to the first and last, against the same in `bins` bins.
float divergence_at(const float* hist, int64_t n, int64_t half, int64_t bins, float* p, float* q) {
  const int64_t first = n / 2 - half, count = 2 * half + 1;
  const float* inner = hist + first;
  std::copy(inner, inner + count, p);
  p[0] = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (i <= first) p[0] += hist[i];
    if (i >= first + count) p[count - 1] += hist[i];
  }
  std::fill(q, q + count, 0.0f);
  const int64_t merged = count / bins;
  for (int64_t bin = 0; bin < bins; ++bin) {
    const int64_t begin = bin * merged, end = bin == bins - 1 ? count : begin + merged;
    float sum = 0;
    int64_t used = 0;
    for (int64_t i = std::max<int64_t>(begin, 1); i < end; ++i) sum += inner[i], used += inner[i] != 0;
    for (int64_t i = begin; i < end && used > 0; ++i)
      q[i] = p[i] != 0 ? sum / static_cast<float>(used) : 0.0f;
  }
  if (!smooth(p, count) || !smooth(q, count)) return std::numeric_limits<float>::infinity();
  return divergence_of(p, q, count);
}

void entropy_kernel(const EntropyParams& params, KernelArgs& args) {
  const auto *hist = args.in[0].as<float>(), *edges = args.in[1].as<float>();
  const int64_t n = args.in[0].size(), least = params.num_quantized_bins / 2, widths = n / 2 - least + 1;
  ScratchArray<float> found(static_cast<size_t>(widths));
  parallel_for(widths, loop_grain(100000, {n, 8}), [&](int64_t begin, int64_t end) {
    ScratchArray<float> p(static_cast<size_t>(n)), q(static_cast<size_t>(n));
    for (int64_t i = begin; i < end; ++i) {
      found[static_cast<size_t>(i)] =
          divergence_at(hist, n, least + i, params.num_quantized_bins, p.data(), q.data());
    }
  });
  size_t best = 0;
  for (size_t i = 1; i < found.size(); ++i) {
    if (found[i] < found[best]) best = i;
  }
  args.out[0].as<float>()[0] = edges[n / 2 + least + static_cast<int64_t>(best) + 1];
  args.out[1].as<float>()[0] = std::min(found[best], std::numeric_limits<float>::max());
}

const Op& calibrate_entropy_op =
    Define<EntropyParams>("_contrib_calibrate_entropy")
        .doc(
            "Where to cut values before they become 8-bit numbers: of all thresholds, the one whose "
            "histogram "
            "in num_quantized_bins bins has the least Kullback-Leibler divergence from the whole one.")
        .origin("MXNet _contrib_calibrate_entropy; Migacz 2017, 8-bit inference with TensorRT")
        .input("hist", "float32 (n,): counts in bins that are symmetric about 0; n is odd.")
        .input("hist_edges", "float32 (n + 1,): where the bins begin and end.")
        .outputs({"threshold", "divergence"})
        .shape([](const EntropyParams& p, ShapeInfer& s) {
          s.set_out(0, {1});
          s.set_out(1, {1});
          if (!s.in(0).known_rank()) return;
          if (s.in(0).ndim() != 1) s.reject("hist needs one axis");
          const int64_t n = s.in(0)[0];
          if (n < 0) return;
          if (n % 2 == 0) s.reject("hist has ", n, " bins; expected an odd number");
          if (n < p.num_quantized_bins)
            s.reject("hist has ", n, " bins; expected at least ", p.num_quantized_bins);
          s.set_in(1, {n + 1});
        })
        .dtype([](const EntropyParams&, DTypeInfer& d) {
          for (int i = 0; i < 2; ++i) d.set_in(i, DType::float32), d.set_out(i, DType::float32);
        })
        .kernel(entropy_kernel)
        .cost([](const EntropyParams& p, Span<const Shape> in) {
          const auto n = static_cast<double>(in[0].size());
          return 100 + n * std::max(n - static_cast<double>(p.num_quantized_bins), 1.0) * 3;
        })
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::calibrate_entropy
