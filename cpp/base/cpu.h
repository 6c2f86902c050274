// Which vector instructions this processor has, and compiling one loop for each.
#pragma once

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

#if defined(__clang__)
#define MIXGRAD_VECTORIZE _Pragma("clang loop vectorize(assume_safety)")
#else
#define MIXGRAD_VECTORIZE _Pragma("GCC ivdep")
#endif
#define MIXGRAD_INLINE inline __attribute__((always_inline))

namespace mixgrad {

enum class Isa : int { baseline = 0, avx2 = 1, avx512 = 2 };

// The best of this machine, found once. Lowered by MIXGRAD_ISA=baseline|avx2 or set_isa, for tests.
Isa best_isa();
void set_isa(Isa isa);
const char* name_of(Isa isa);

}  // namespace mixgrad
