// Joining the partial results that a vectorised loop keeps side by side.
#pragma once

#include <cstring>

#include "base/cpu.h"

namespace mixgrad {

// Vectors of 16 bytes exist everywhere, so that the compiler neither takes them apart nor turns their loops into
// scalars.
template <class C>
struct SmallVector {
  typedef C type __attribute__((vector_size(16)));
};

template <int kVectors, class V, class Join>
MIXGRAD_INLINE void join_vectors(V* v, Join join) {
  if constexpr (kVectors > 1) {
    for (int i = 0; i < kVectors / 2; ++i) v[i] = join(v[i], v[i + kVectors / 2]);
    join_vectors<kVectors / 2>(v, join);
  }
}

// The kLanes values at `lane`, joined in a fixed order. `join` takes two scalars or two vectors.
template <int kLanes, class C, class Join>
MIXGRAD_INLINE C join_lanes(const C* lane, Join join) {
  using V = typename SmallVector<C>::type;
  constexpr int kVectors = kLanes * static_cast<int>(sizeof(C)) / 16;
  V v[kVectors];
  std::memcpy(v, lane, sizeof v);
  join_vectors<kVectors>(v, join);
  C result = v[0][0];
  for (int l = 1; l < static_cast<int>(16 / sizeof(C)); ++l) result = join(result, static_cast<C>(v[0][l]));
  return result;
}

}  // namespace mixgrad
