// Which vector instructions this processor has, and compiling one loop for each.
#pragma once

#include <type_traits>

#include "base/build.h"

#if defined(__x86_64__)
#define MIXGRAD_X86 1
#define MIXGRAD_TARGET_AVX2 __attribute__((target("avx2,fma,f16c,bmi2")))
#if defined(__clang__)  // chooses the vector width by itself and refuses GCC's word for it
#define MIXGRAD_TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi2")))
#else
#define MIXGRAD_TARGET_AVX512 \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi2,prefer-vector-width=512")))
#endif
#else
#define MIXGRAD_X86 0
#endif

#if defined(__clang__) && MIXGRAD_COMPACT  // one vector at a time
#define MIXGRAD_VECTORIZE _Pragma("clang loop vectorize(assume_safety) interleave_count(1) unroll(disable)")
#elif defined(__clang__)
#define MIXGRAD_VECTORIZE _Pragma("clang loop vectorize(assume_safety)")
#else
#define MIXGRAD_VECTORIZE _Pragma("GCC ivdep")
#endif
#define MIXGRAD_INLINE inline __attribute__((always_inline))
// On the loops for the least that a machine may have. Few machines of x86 lack AVX2, so compact builds have small loops for
// them.
#if MIXGRAD_COMPACT && MIXGRAD_X86 && defined(__clang__)
#define MIXGRAD_TARGET_BASELINE __attribute__((cold, noinline, minsize))
#elif MIXGRAD_COMPACT && MIXGRAD_X86
#define MIXGRAD_TARGET_BASELINE __attribute__((cold, noinline))
#else
#define MIXGRAD_TARGET_BASELINE
#endif
// The same of loops over vector types. 32-bit NEON flushes denormals to zero, so GCC takes vectors of floats apart for it
// unless told that this does not matter.
#if defined(__arm__) && defined(__ARM_NEON) && !defined(__clang__)
#define MIXGRAD_TARGET_BASELINE_VECTORS \
  __attribute__((optimize("unsafe-math-optimizations", "no-associative-math", "no-reciprocal-math")))
#else
#define MIXGRAD_TARGET_BASELINE_VECTORS MIXGRAD_TARGET_BASELINE
#endif

namespace mixgrad {

// Rows of a tile of sums, two vectors of 16 bytes each, that the baseline's loops keep in registers. Where there are no
// vectors, each takes four scalars.
#if defined(__aarch64__)
inline constexpr int kBaselineRows = 8;
#elif defined(__SSE2__) && !MIXGRAD_COMPACT
inline constexpr int kBaselineRows = 6;
#elif defined(__SSE2__) || defined(__ARM_NEON) || defined(__wasm_simd128__)
inline constexpr int kBaselineRows = 4;
#else
inline constexpr int kBaselineRows = 2;
#endif
// Whether the baseline's loops over elements are worth vectors.
inline constexpr bool kBaselineVectors = !(kCompact && MIXGRAD_X86);
// Whether factors are better read four at a time, to multiply by one lane of a register, than one by one from memory.
#if defined(__aarch64__)
inline constexpr bool kBaselineLanes = true;
#else
inline constexpr bool kBaselineLanes = false;
#endif

// Innermost loops of convolutions for every number of pixels, else of two heights, which products use, too; and loops that
// are no products for each instruction set, else for the least.
inline constexpr bool kAllLoops = MIXGRAD_ALL_LOOPS;

enum class Isa : int { baseline = 0, avx2 = 1, avx512 = 2 };

// The best of this machine, found once, in a function that is not copied into its users. Lowered by
// MIXGRAD_ISA=baseline|avx2 or set_isa, for tests.
__attribute__((noinline)) Isa best_isa();
void set_isa(Isa isa);

// The instruction set for products of T: in compact builds the best only of float32.
template <class T>
MIXGRAD_INLINE Isa product_isa() {
  return kCompact && !std::is_same_v<T, float> ? Isa::baseline : best_isa();
}

// The instruction set for loops over T that matter less than products and convolutions: in compact builds at most AVX2,
// and only of float32. image_isa: of those that stand between convolutions; loop_isa: of all others.
template <class T>
MIXGRAD_INLINE Isa image_isa() {
  if constexpr (!kCompact)
    return best_isa();
  else if constexpr (std::is_same_v<T, float>)
    return best_isa() == Isa::baseline ? Isa::baseline : Isa::avx2;
  else
    return Isa::baseline;
}
template <class T>
MIXGRAD_INLINE Isa loop_isa() {
  if constexpr (!kAllLoops) return Isa::baseline;
  return image_isa<T>();
}
const char* name_of(Isa isa);

}  // namespace mixgrad
