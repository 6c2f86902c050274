// The inner loops of matrix factorisations over contiguous rows, for the best instruction set of this machine.
#pragma once

#include <cstdint>

namespace mixgrad::matrix_rows {

template <class C>
struct RowLoops {
  C (*dot)(const C* x, const C* y, int64_t n);
  void (*subtract)(C* y, const C* x, C factor, int64_t n);  // y -= factor * x
  void (*rotate)(C* x, C* y, C c, C s, int64_t n);          // x, y = c x + s y, c y - s x
};

template <class C>
const RowLoops<C>& row_loops();

}  // namespace mixgrad::matrix_rows
