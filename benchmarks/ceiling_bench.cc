// What this machine can do: memory read and copied at several sizes, and float32 multiply-adds in registers.
// The figures are ceilings for fractions, so each is the best of its repeats; the spread follows.
//   ceiling_bench [threads] [repeats]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/cpu.h"

#if MIXGRAD_X86
#include <immintrin.h>
#endif

namespace {

constexpr std::size_t kMega = 1000000;
volatile float sink;

// Runs body(thread) on all threads at once, `rounds` times each, between two barriers. Returns the seconds of
// one round.
double seconds_of(int threads, int rounds, const std::function<void(int)>& body) {
  std::atomic<int> ready{0};
  std::atomic<bool> go{false};
  std::vector<std::thread> team;
  for (int t = 0; t < threads; ++t) {
    team.emplace_back([&, t] {
      body(t);  // pages and caches warm
      ready.fetch_add(1);
      while (!go.load()) std::this_thread::yield();
      for (int r = 0; r < rounds; ++r) body(t);
    });
  }
  while (ready.load() < threads) std::this_thread::yield();
  const auto start = std::chrono::steady_clock::now();
  go.store(true);
  for (std::thread& thread : team) thread.join();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / rounds;
}

MIXGRAD_INLINE float sum_of(const float* data, std::size_t count) {
  float lanes[64] = {};
  for (std::size_t i = 0; i + 64 <= count; i += 64) {
    for (int k = 0; k < 64; ++k) lanes[k] += data[i + k];
  }
  float total = 0;
  for (float lane : lanes) total += lane;
  return total;
}

float sum_baseline(const float* data, std::size_t count) { return sum_of(data, count); }

#if MIXGRAD_X86
MIXGRAD_TARGET_AVX2 float sum_avx2(const float* data, std::size_t count) { return sum_of(data, count); }
MIXGRAD_TARGET_AVX512 float sum_avx512(const float* data, std::size_t count) { return sum_of(data, count); }

constexpr int kChains = 16;  // independent multiply-adds in flight
constexpr int kSteps = 100000;

MIXGRAD_TARGET_AVX2 float fma_avx2() {
  __m256 acc[kChains];
  for (auto& a : acc) a = _mm256_set1_ps(1.0f);
  const __m256 x = _mm256_set1_ps(0.999f), y = _mm256_set1_ps(0.001f);
  for (int i = 0; i < kSteps; ++i) {
    for (auto& a : acc) a = _mm256_fmadd_ps(a, x, y);
  }
  __m256 total = acc[0];
  for (int k = 1; k < kChains; ++k) total = _mm256_add_ps(total, acc[k]);
  return _mm256_cvtss_f32(total);
}

MIXGRAD_TARGET_AVX512 float fma_avx512() {
  __m512 acc[kChains];
  for (auto& a : acc) a = _mm512_set1_ps(1.0f);
  const __m512 x = _mm512_set1_ps(0.999f), y = _mm512_set1_ps(0.001f);
  for (int i = 0; i < kSteps; ++i) {
    for (auto& a : acc) a = _mm512_fmadd_ps(a, x, y);
  }
  __m512 total = acc[0];
  for (int k = 1; k < kChains; ++k) total = _mm512_add_ps(total, acc[k]);
  return _mm512_cvtss_f32(total);
}
#endif

using Sum = float (*)(const float*, std::size_t);

Sum best_sum() {
#if MIXGRAD_X86
  if (mixgrad::best_isa() == mixgrad::Isa::avx512) return sum_avx512;
  if (mixgrad::best_isa() == mixgrad::Isa::avx2) return sum_avx2;
#endif
  return sum_baseline;
}

// `amount`: bytes or operations, in units of 1e9.
void report(const char* what, const char* unit, double amount, int repeats,
            const std::function<double()>& run) {
  std::vector<double> rates;
  for (int i = 0; i < repeats; ++i) rates.push_back(amount / run());
  std::sort(rates.begin(), rates.end());
  std::printf("%-24s %9.1f %s  (%.1f to %.1f)\n", what, rates.back(), unit, rates.front(), rates.back());
  std::fflush(stdout);
}

void report_memory(int threads, int repeats, std::size_t bytes) {
  const std::size_t count = bytes / sizeof(float), half = count / 2, share = half / threads;
  const std::unique_ptr<float[]> data(new float[count]);
  std::fill_n(data.get(), count, 1.0f);
  const int rounds = static_cast<int>(std::max<std::size_t>(3, 500 * kMega / bytes));
  const Sum sum = best_sum();
  char name[40];
  std::snprintf(name, sizeof name, "read %zu MB", bytes / kMega);
  report(name, "GB/s", static_cast<double>(bytes) * 1e-9, repeats, [&] {
    return seconds_of(threads, rounds, [&](int t) { sink = sum(data.get() + 2 * share * t, 2 * share); });
  });
  std::snprintf(name, sizeof name, "copy %zu MB", bytes / kMega);
  report(name, "GB/s", static_cast<double>(bytes) * 1e-9, repeats, [&] {
    return seconds_of(threads, rounds, [&](int t) {
      std::memcpy(data.get() + half + share * t, data.get() + share * t, share * sizeof(float));
    });
  });
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = std::max(1, argc > 1 ? std::atoi(argv[1]) : 2);
  const int repeats = std::max(1, argc > 2 ? std::atoi(argv[2]) : 7);
  for (const std::size_t mega : {1, 4, 16, 32, 48, 100, 400}) report_memory(threads, repeats, mega * kMega);
#if MIXGRAD_X86
  using mixgrad::Isa;
  if (mixgrad::best_isa() != Isa::baseline) {
    const bool wide = mixgrad::best_isa() == Isa::avx512;
    const double flops = 2.0 * kChains * kSteps * (wide ? 16 : 8) * threads;
    report("multiply-add float32", "GFLOP/s", flops * 1e-9, repeats,
           [&] { return seconds_of(threads, 3, [&](int) { sink = wide ? fma_avx512() : fma_avx2(); }); });
  }
#endif
  return 0;
}
