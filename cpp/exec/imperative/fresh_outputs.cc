#include "exec/imperative/fresh_outputs.h"

#include <cstdint>

namespace mixgrad {

void fill_apart(Span<const View> operands, Span<const View> outputs) {
  for (const View& out : outputs) {
    if (!out.data) continue;
    const auto begin = reinterpret_cast<uintptr_t>(out.data), end = begin + out.bytes();
    bool apart = true;
    for (const View& in : operands) {
      const auto at = reinterpret_cast<uintptr_t>(in.data);
      apart &= !in.data || at >= end || begin >= at + in.bytes();
    }
    if (apart) fill_fresh(out.data, out.bytes());
  }
}

}  // namespace mixgrad
