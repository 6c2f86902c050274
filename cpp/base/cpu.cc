#include "base/cpu.h"

#include <cstdlib>
#include <cstring>
#include <initializer_list>

#if MIXGRAD_X86
#include <cpuid.h>
#endif

namespace mixgrad {
namespace {

#if MIXGRAD_X86
bool has_bits(unsigned int value, std::initializer_list<int> bits) {
  bool all = true;
  for (int bit : bits) all = all && (value >> bit & 1) != 0;
  return all;
}

// Of the processor and the system: which instructions there are, and whose registers a change of threads keeps. The
// compiler's own test knows every processor by name, which takes more room.
Isa machine_isa() {
  unsigned int a = 0, b = 0, c = 0, d = 0;
  constexpr int kFma = 12, kKeepsRegisters = 27, kAvx = 28, kF16c = 29;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !has_bits(c, {kFma, kKeepsRegisters, kAvx, kF16c}))
    return Isa::baseline;
  unsigned int kept = 0;
  __asm__("xgetbv" : "=a"(kept), "=d"(d) : "c"(0));
  constexpr int kAvx2 = 5, kBmi2 = 8, kAvx512F = 16, kAvx512Dq = 17, kAvx512Bw = 30, kAvx512Vl = 31;
  if (!has_bits(kept, {1, 2}) || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !has_bits(b, {kAvx2, kBmi2}))
    return Isa::baseline;
  const bool wide = has_bits(kept, {5, 6, 7}) && has_bits(b, {kAvx512F, kAvx512Dq, kAvx512Bw, kAvx512Vl});
  return wide ? Isa::avx512 : Isa::avx2;
}
#endif

Isa detect_isa() {
#if MIXGRAD_X86
  Isa isa = machine_isa();
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
