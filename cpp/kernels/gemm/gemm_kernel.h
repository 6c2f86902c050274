// The innermost loop of the matrix product: one tile of C held in registers.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/cpu.h"

namespace mixgrad {

inline constexpr int kGemmMaxRows = 14;
inline constexpr int kGemmMaxCols = 32;  // of any kernel, in elements

// Files cut to networks have one loop for products and convolutions (kernels/convolution/conv_tile.h): a packed panel of A then is A's
// rows, t.a_row apart, and B is packed.
template <class T>
inline constexpr bool kGemmByRows = !kAllLoops && std::is_same_v<T, float>;

// `rows` x kernel.cols elements of C; functions are told the rows. A packed panel of A holds `rows` elements per
// step of k one after another; a plain A is walked by its strides. B gives kernel.cols elements per step of k.
template <class T>
struct GemmTile {
  int64_t k;
  const T* a;
  int64_t a_row, a_step;  // plain A only; by rows a_row alone
  const T* b;
  int64_t b_step;
  T* c;
  int64_t c_row;
  bool add;  // to what C holds
};

template <class T>
struct GemmKernel {
  using Fn = void (*)(const GemmTile<T>&, int rows);
  int rows = 0, cols = 0;        // of the largest tile
  Fn packed[kGemmMaxRows] = {};  // by rows - 1
  Fn plain[kGemmMaxRows] = {};
  void run(const GemmTile<T>& tile, int64_t count, bool is_plain) const {
    if constexpr (kGemmByRows<T>)
      run_by_rows(tile, count);
    else
      (is_plain ? plain : packed)[count - 1](tile, static_cast<int>(count));
  }
  void run_by_rows(const GemmTile<T>& tile, int64_t count) const;
};

// For the best instruction set of this machine.
template <class T>
const GemmKernel<T>& gemm_kernel();

}  // namespace mixgrad
