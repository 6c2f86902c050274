// What Dropout does to one element; also read by devices whose kernels are compiled at run time.
#pragma once

#include <cstdint>

#include "base/cpu.h"

namespace mixgrad::ops::dropout {

// A formula of KernelKind::random. `last`: the largest random word whose element stays.
template <class T>
struct Dropout {
  static constexpr const char* kText = "dropout::Dropout";
  uint32_t last;
  T scale;
  void step(uint32_t word, T x, T& factor, T& out) const {
    const T value = x * scale;
    const bool stays = word <= last;
    factor = stays ? scale : T(0);
    out = stays ? value : T(0);
  }
};

}  // namespace mixgrad::ops::dropout
