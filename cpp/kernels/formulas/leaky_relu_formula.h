// What rrelu does to one element; also read by devices whose kernels are compiled at run time.
#pragma once

#include <cstdint>

#include "base/cpu.h"

namespace mixgrad::ops::leaky_relu {

// The word that stands for the mean slope.
inline constexpr uint32_t kMeanWord = uint32_t{1} << 31;

// A formula of KernelKind::random: 1 above 0, below it a slope in [low, low + width), of 24 bits of the word.
template <class T>
struct RandomLeak {
  static constexpr const char* kText = "leaky_relu::RandomLeak";
  T low, width;
  void step(uint32_t word, T x, T& factor, T& out) const {
    const T place = static_cast<T>(word >> 8) * static_cast<T>(0x1p-24);
    factor = x > 0 ? T(1) : low + width * place;
    out = x * factor;
  }
};

}  // namespace mixgrad::ops::leaky_relu
