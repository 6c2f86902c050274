#include "kernels/linalg/matrix_kernels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "kernels/linalg/matrix_product.h"
#include "kernels/linalg/matrix_rows.h"

namespace mixgrad::matrix_kernels {
namespace {

using matrix_product::subtract_product;
using matrix_rows::row_loops;

constexpr int64_t kMatrixBlock = 64;  // rows that are worked on without the matrix product
constexpr int64_t kPanel = 32;        // columns, which have all rows

// y -= factor * x
template <class C>
void subtract_row(C* y, const C* x, C factor, int64_t n) {
  row_loops<C>().subtract(y, x, factor, n);
}
template <class C>
C row_dot(const C* x, const C* y, int64_t n) {
  return row_loops<C>().dot(x, y, n);
}

}  // namespace

template <class C>
void arrange(const C* src, int64_t rows, int64_t columns, bool transpose, bool reverse_rows,
             bool reverse_columns, C* dst) {
  const int64_t row_step = transpose ? 1 : columns, column_step = transpose ? rows : 1;
  for (int64_t r = 0; r < rows; ++r) {
    const C* from = src + (reverse_rows ? rows - 1 - r : r) * row_step;
    C* to = dst + r * columns;
    if (reverse_columns) {
      for (int64_t c = 0; c < columns; ++c) to[c] = from[(columns - 1 - c) * column_step];
    } else {
      for (int64_t c = 0; c < columns; ++c) to[c] = from[c * column_step];
    }
  }
}

template <class C>
void solve_lower(const C* a, int64_t n, bool unit, C* b, int64_t m) {
  for (int64_t k = 0; k < n; k += kMatrixBlock) {
    const int64_t end = std::min(n, k + kMatrixBlock);
    subtract_product(end - k, m, k, a + k * n, n, b, m, false, b + k * m, m);
    for (int64_t i = k; i < end; ++i) {
      C* row = b + i * m;
      for (int64_t j = k; j < i; ++j) subtract_row(row, b + j * m, a[i * n + j], m);
      if (unit) continue;
      const C pivot = a[i * n + i];
      for (int64_t c = 0; c < m; ++c) row[c] /= pivot;
    }
  }
}

template <class C>
void solve_upper(const C* a, int64_t n, C* b, int64_t m) {
  for (int64_t end = n; end > 0; end -= std::min(end, kMatrixBlock)) {
    const int64_t k = std::max<int64_t>(0, end - kMatrixBlock);
    subtract_product(end - k, m, n - end, a + k * n + end, n, b + end * m, m, false, b + k * m, m);
    for (int64_t i = end; i-- > k;) {
      C* row = b + i * m;
      for (int64_t j = i + 1; j < end; ++j) subtract_row(row, b + j * m, a[i * n + j], m);
      const C pivot = a[i * n + i];
      for (int64_t c = 0; c < m; ++c) row[c] /= pivot;
    }
  }
}

template <class C>
int64_t cholesky(C* a, int64_t n) {
  for (int64_t k = 0; k < n; k += kMatrixBlock) {
    const int64_t end = std::min(n, k + kMatrixBlock);
    // Everything below and in the block loses what the finished columns account for.
    subtract_product(n - k, end - k, k, a + k * n, n, a + k * n, n, true, a + k * n + k, n);
    for (int64_t i = k; i < n; ++i) {
      C* row = a + i * n + k;
      for (int64_t j = k; j < std::min(i, end); ++j) {
        const C* other = a + j * n + k;
        row[j - k] = (row[j - k] - row_dot(row, other, j - k)) / other[j - k];
      }
      if (i >= end) continue;
      const C rest = row[i - k] - row_dot(row, row, i - k);
      if (!(rest > 0)) return i;
      row[i - k] = std::sqrt(rest);
    }
  }
  for (int64_t i = 0; i < n; ++i) std::fill(a + i * n + i + 1, a + (i + 1) * n, C(0));
  return -1;
}

// Factors the columns [k, end) of rows k and below; swaps whole rows.
template <class C>
int factor_lu_panel(C* a, int64_t n, int64_t k, int64_t end, int64_t* swaps) {
  int sign = 1;
  for (int64_t j = k; j < end; ++j) {
    int64_t best = j;
    for (int64_t i = j + 1; i < n; ++i) {
      if (std::fabs(a[i * n + j]) > std::fabs(a[best * n + j])) best = i;
    }
    swaps[j] = best;
    if (best != j) {
      std::swap_ranges(a + j * n, a + (j + 1) * n, a + best * n);
      sign = -sign;
    }
    const C pivot = a[j * n + j];
    if (pivot == 0) continue;
    for (int64_t i = j + 1; i < n; ++i) {
      const C factor = a[i * n + j] /= pivot;
      if (factor != 0) subtract_row(a + i * n + j + 1, a + j * n + j + 1, factor, end - j - 1);
    }
  }
  return sign;
}

template <class C>
int factor_lu(C* a, int64_t n, int64_t* swaps) {
  int sign = 1;
  for (int64_t k = 0; k < n; k += kPanel) {
    const int64_t end = std::min(n, k + kPanel), left = n - end;
    sign *= factor_lu_panel(a, n, k, end, swaps);
    for (int64_t i = k + 1; i < end && left > 0; ++i) {
      for (int64_t j = k; j < i; ++j) subtract_row(a + i * n + end, a + j * n + end, a[i * n + j], left);
    }
    subtract_product(left, left, end - k, a + end * n + k, n, a + k * n + end, n, false, a + end * n + end,
                     n);
  }
  return sign;
}

template <class C>
bool invert(C* a, int64_t n, C* out) {
  std::vector<int64_t> swaps(static_cast<size_t>(n));
  factor_lu(a, n, swaps.data());
  std::fill(out, out + n * n, C(0));
  for (int64_t i = 0; i < n; ++i) {
    if (!(std::fabs(a[i * n + i]) > 0)) return false;
    out[i * n + i] = 1;
  }
  for (int64_t i = 0; i < n; ++i) {
    const int64_t other = swaps[static_cast<size_t>(i)];
    if (other != i) std::swap_ranges(out + i * n, out + (i + 1) * n, out + other * n);
  }
  solve_lower(a, n, true, out, n);
  solve_upper(a, n, out, n);
  return true;
}

// With the largest pivots first, P a Q = L U and only the last pivot d can vanish alone. Then, with U = [V w; 0 d],
// adj(a) = det(P) det(Q) det(V) Q [V^-1 (d T - w t); t], T and t being the first rows and the last of L^-1 P.
template <class C>
void adjugate(C* a, int64_t n, C* out) {
  if (n == 0) return;
  std::vector<int64_t> columns(static_cast<size_t>(n));
  std::iota(columns.begin(), columns.end(), 0);
  std::fill(out, out + n * n, C(0));
  for (int64_t i = 0; i < n; ++i) out[i * n + i] = 1;
  C scale = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t row = k, column = k;
    for (int64_t i = k; i < n; ++i) {
      for (int64_t j = k; j < n; ++j) {
        if (std::fabs(a[i * n + j]) > std::fabs(a[row * n + column])) row = i, column = j;
      }
    }
    if (row != k) {
      std::swap_ranges(a + k * n, a + (k + 1) * n, a + row * n);
      std::swap_ranges(out + k * n, out + (k + 1) * n, out + row * n);
      scale = -scale;
    }
    if (column != k) {
      for (int64_t i = 0; i < n; ++i) std::swap(a[i * n + k], a[i * n + column]);
      std::swap(columns[static_cast<size_t>(k)], columns[static_cast<size_t>(column)]);
      scale = -scale;
    }
    const C pivot = a[k * n + k];
    if (k + 1 == n) break;
    if (pivot == 0) return std::fill(out, out + n * n, C(0));  // two pivots vanish, and every minor
    scale *= pivot;
    for (int64_t i = k + 1; i < n; ++i) {
      const C factor = a[i * n + k] /= pivot;
      subtract_row(a + i * n + k + 1, a + k * n + k + 1, factor, n - k - 1);
    }
  }
  solve_lower(a, n, true, out, n);
  const C d = a[n * n - 1];
  const C* t = out + (n - 1) * n;
  std::vector<C> v(static_cast<size_t>((n - 1) * (n - 1)));
  for (int64_t i = 0; i + 1 < n; ++i) {
    std::copy(a + i * n, a + i * n + n - 1, v.data() + i * (n - 1));
    for (int64_t j = 0; j < n; ++j) out[i * n + j] = d * out[i * n + j] - a[i * n + n - 1] * t[j];
  }
  solve_upper(v.data(), n - 1, out, n);
  std::vector<C> ordered(static_cast<size_t>(n * n));
  for (int64_t i = 0; i < n; ++i) {
    C* to = ordered.data() + columns[static_cast<size_t>(i)] * n;
    for (int64_t j = 0; j < n; ++j) to[j] = scale * out[i * n + j];
  }
  std::copy(ordered.begin(), ordered.end(), out);
}

template void arrange(const float*, int64_t, int64_t, bool, bool, bool, float*);
template void solve_lower(const float*, int64_t, bool, float*, int64_t);
template void solve_upper(const float*, int64_t, float*, int64_t);
template int64_t cholesky(float*, int64_t);
template int factor_lu(float*, int64_t, int64_t*);
template bool invert(float*, int64_t, float*);
template void adjugate(float*, int64_t, float*);
template void arrange(const double*, int64_t, int64_t, bool, bool, bool, double*);
template void solve_lower(const double*, int64_t, bool, double*, int64_t);
template void solve_upper(const double*, int64_t, double*, int64_t);
template int64_t cholesky(double*, int64_t);
template int factor_lu(double*, int64_t, int64_t*);
template bool invert(double*, int64_t, double*);
template void adjugate(double*, int64_t, double*);

}  // namespace mixgrad::matrix_kernels
