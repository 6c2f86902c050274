#include "base/cpu.h"

#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace mixgrad {
namespace {

Isa detect_isa() {
#if MIXGRAD_X86
  Isa isa = Isa::baseline;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) isa = Isa::avx2;
  if (isa == Isa::avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    isa = Isa::avx512;
  }
  if (const char* wanted = std::getenv("MIXGRAD_ISA")) {
    for (Isa lower : {Isa::baseline, Isa::avx2}) {
      if (std::strcmp(wanted, name_of(lower)) == 0 && lower < isa) isa = lower;
    }
  }
  return isa;
#else
  return Isa::baseline;
#endif
}

Isa& current_isa() {
  static Isa isa = detect_isa();
  return isa;
}

}  // namespace

Isa best_isa() { return current_isa(); }

void set_isa(Isa isa) {
  static const Isa machine = detect_isa();
  current_isa() = isa < machine ? isa : machine;
}

const char* name_of(Isa isa) {
  switch (isa) {
    case Isa::baseline: return "baseline";
    case Isa::avx2: return "avx2";
    case Isa::avx512: return "avx512";
  }
  return "unknown";
}

}  // namespace mixgrad
