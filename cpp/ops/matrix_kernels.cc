#include "ops/matrix_kernels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/dtype.h"
#include "op/nn_backend.h"
#include "ops/matrix_rows.h"

namespace mixgrad::ops::matrix_kernels {
namespace {

using matrix_rows::row_loops;

constexpr int64_t kMatrixBlock = 64;  // rows that are worked on without the matrix product

// c[m][n] -= op(a) op(b)
template <class C>
void subtract_product(int64_t m, int64_t n, int64_t k, const C* a, int64_t lda, const C* b, int64_t ldb,
                      bool transpose_b, C* c, int64_t ldc) {
  if (m == 0 || n == 0 || k == 0) return;
  Gemm g;
  g.m = m, g.n = n, g.k = k;
  g.a = a, g.lda = lda, g.b = b, g.ldb = ldb, g.transpose_b = transpose_b;
  g.c = c, g.ldc = ldc;
  g.accumulate = true;
  g.alpha = -1;
  nn_backend::matrix_product(dtype_of<C>(), g);
}

// y -= factor * x
template <class C>
void subtract_row(C* y, const C* x, C factor, int64_t n) {
  row_loops<C>().subtract(y, x, factor, n);
}
template <class C>
C row_dot(const C* x, const C* y, int64_t n) {
  return row_loops<C>().dot(x, y, n);
}

template <class C>
double row_norm(const C* x, int64_t n) {
  double largest = 0, sum = 0;
  for (int64_t i = 0; i < n; ++i) largest = std::max(largest, std::fabs(static_cast<double>(x[i])));
  if (!(largest > 0) || std::isinf(largest)) return largest;
  for (int64_t i = 0; i < n; ++i) {
    const double part = static_cast<double>(x[i]) / largest;
    sum += part * part;
  }
  return largest * std::sqrt(sum);
}

// The reflection I - tau v v^T that takes x[n] to (beta, 0, ...); v[0] is 1 and not stored, the rest replaces x[1:],
// beta replaces x[0]. tau is 0 where x[1:] is zero already.
template <class C>
C make_reflection(C* x, int64_t n) {
  const double tail = row_norm(x + 1, n - 1);
  if (tail == 0) return 0;
  const double alpha = static_cast<double>(x[0]), beta = -std::copysign(std::hypot(alpha, tail), alpha);
  for (int64_t i = 1; i < n; ++i) x[i] = static_cast<C>(static_cast<double>(x[i]) / (alpha - beta));
  x[0] = static_cast<C>(beta);
  return static_cast<C>((beta - alpha) / beta);
}

// row[n] times the reflection whose v has its tail in v[1:].
template <class C>
void reflect_row(C* row, const C* v, C tau, int64_t n) {
  const C factor = tau * (row[0] + row_dot(row + 1, v + 1, n - 1));
  row[0] -= factor;
  subtract_row(row + 1, v + 1, factor, n - 1);
}

// a[n][n], symmetric and full, becomes tridiagonal (d, and e beside it) under reflections of rows and columns; row k
// then holds the reflection of step k from column k + 1 on, with its factor in tau[k].
void make_tridiagonal(double* a, int64_t n, double* d, double* e, double* tau) {
  std::vector<double> p(static_cast<size_t>(n));
  for (int64_t k = 0; k + 1 < n; ++k) {
    d[k] = a[k * n + k];
    double* v = a + k * n + k + 1;
    const int64_t m = n - k - 1;
    tau[k] = make_reflection(v, m);
    e[k] = v[0];
    if (tau[k] == 0) continue;
    v[0] = 1;
    double* rest = a + (k + 1) * n + k + 1;
    for (int64_t i = 0; i < m; ++i) p[static_cast<size_t>(i)] = tau[k] * row_dot(rest + i * n, v, m);
    const double half = tau[k] / 2 * row_dot(p.data(), v, m);
    subtract_row(p.data(), v, half, m);
    for (int64_t i = 0; i < m; ++i) {
      subtract_row(rest + i * n, p.data(), v[i], m);
      subtract_row(rest + i * n, v, p[static_cast<size_t>(i)], m);
    }
  }
  if (n > 0) d[n - 1] = a[n * n - 1];
}

// One step of the QR iteration on d[first..last], e between them, with Wilkinson's shift; u's rows follow.
void tridiagonal_step(double* d, double* e, int64_t first, int64_t last, double* u, int64_t n) {
  const double half = (d[last - 1] - d[last]) / 2, side = e[last - 1];
  const double shift = d[last] - side * side / (half + std::copysign(std::hypot(half, side), half));
  double x = d[first] - shift, z = e[first];
  for (int64_t k = first; k < last; ++k) {
    const double r = std::hypot(x, z), c = r == 0 ? 1 : x / r, s = r == 0 ? 0 : z / r;
    if (k > first) e[k - 1] = r;
    const double a = d[k], b = d[k + 1], off = e[k];
    d[k] = c * c * a + 2 * c * s * off + s * s * b;
    d[k + 1] = s * s * a - 2 * c * s * off + c * c * b;
    e[k] = c * s * (b - a) + (c * c - s * s) * off;
    if (k + 1 < last) {
      x = e[k];
      z = s * e[k + 1];
      e[k + 1] *= c;
    }
    row_loops<double>().rotate(u + k * n, u + (k + 1) * n, c, s, n);
  }
}

void solve_tridiagonal(double* d, double* e, double* u, int64_t n) {
  const auto negligible = [&](int64_t i) {
    return std::fabs(e[i]) <= 0x1p-53 * (std::fabs(d[i]) + std::fabs(d[i + 1])) || std::fabs(e[i]) < 1e-300;
  };
  int64_t steps = 60 * n;  // far more than the iteration needs
  for (int64_t last = n - 1; last > 0;) {
    if (negligible(last - 1) || --steps < 0) {
      --last;
      continue;
    }
    int64_t first = last - 1;
    while (first > 0 && !negligible(first - 1)) --first;
    tridiagonal_step(d, e, first, last, u, n);
  }
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

template <class C>
int factor_lu(C* a, int64_t n, int64_t* swaps) {
  int sign = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t best = k;
    for (int64_t i = k + 1; i < n; ++i) {
      if (std::fabs(a[i * n + k]) > std::fabs(a[best * n + k])) best = i;
    }
    swaps[k] = best;
    if (best != k) {
      std::swap_ranges(a + k * n, a + (k + 1) * n, a + best * n);
      sign = -sign;
    }
    const C pivot = a[k * n + k];
    if (pivot == 0) continue;
    for (int64_t i = k + 1; i < n; ++i) {
      const C factor = a[i * n + k] /= pivot;
      if (factor != 0) subtract_row(a + i * n + k + 1, a + k * n + k + 1, factor, n - k - 1);
    }
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

template <class C>
void factor_lq(C* a, int64_t m, int64_t n, C* q, C* l) {
  std::vector<C> tau(static_cast<size_t>(m));
  std::fill(l, l + m * m, C(0));
  for (int64_t k = 0; k < m; ++k) {
    C* v = a + k * n + k;
    tau[static_cast<size_t>(k)] = make_reflection(v, n - k);
    for (int64_t i = k + 1; i < m; ++i) reflect_row(a + i * n + k, v, tau[static_cast<size_t>(k)], n - k);
    std::copy(a + k * n, a + k * n + k + 1, l + k * m);
  }
  std::fill(q, q + m * n, C(0));
  for (int64_t i = 0; i < m; ++i) {
    q[i * n + i] = 1;
    for (int64_t k = i; k >= 0; --k)
      reflect_row(q + i * n + k, a + k * n + k, tau[static_cast<size_t>(k)], n - k);
  }
}

void eigen_symmetric(double* a, int64_t n, double* u, double* values) {
  bool finite = true;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      a[j * n + i] = a[i * n + j];
      finite = finite && std::isfinite(a[i * n + j]);
    }
  }
  if (!finite) {
    std::fill(u, u + n * n, std::nan(""));
    return std::fill(values, values + n, std::nan(""));
  }
  std::vector<double> d(static_cast<size_t>(n)), e(d), tau(d), rows(static_cast<size_t>(n * n));
  make_tridiagonal(a, n, d.data(), e.data(), tau.data());
  for (int64_t i = 0; i < n; ++i) {
    double* row = rows.data() + i * n;
    row[i] = 1;
    for (int64_t k = n - 2; k >= 0; --k) {
      if (tau[static_cast<size_t>(k)] != 0)
        reflect_row(row + k + 1, a + k * n + k + 1, tau[static_cast<size_t>(k)], n - k - 1);
    }
  }
  solve_tridiagonal(d.data(), e.data(), rows.data(), n);
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t x, int64_t y) {
    return d[static_cast<size_t>(x)] < d[static_cast<size_t>(y)];
  });
  for (int64_t i = 0; i < n; ++i) {
    const int64_t from = order[static_cast<size_t>(i)];
    const double* row = rows.data() + from * n;
    values[i] = d[static_cast<size_t>(from)];
    double largest = 0;
    for (int64_t j = 0; j < n; ++j) largest = std::max(largest, std::fabs(row[j]));
    double sign = 1;
    for (int64_t j = 0; j < n; ++j) {
      if (std::fabs(row[j]) < largest * (1 - 1e-6))
        continue;  // the first of those that are equal but for rounding
      sign = row[j] < 0 ? -1 : 1;
      break;
    }
    for (int64_t j = 0; j < n; ++j) u[i * n + j] = sign * row[j];
  }
}

template void arrange(const float*, int64_t, int64_t, bool, bool, bool, float*);
template void solve_lower(const float*, int64_t, bool, float*, int64_t);
template void solve_upper(const float*, int64_t, float*, int64_t);
template int64_t cholesky(float*, int64_t);
template int factor_lu(float*, int64_t, int64_t*);
template bool invert(float*, int64_t, float*);
template void adjugate(float*, int64_t, float*);
template void factor_lq(float*, int64_t, int64_t, float*, float*);
template void arrange(const double*, int64_t, int64_t, bool, bool, bool, double*);
template void solve_lower(const double*, int64_t, bool, double*, int64_t);
template void solve_upper(const double*, int64_t, double*, int64_t);
template int64_t cholesky(double*, int64_t);
template int factor_lu(double*, int64_t, int64_t*);
template bool invert(double*, int64_t, double*);
template void adjugate(double*, int64_t, double*);
template void factor_lq(double*, int64_t, int64_t, double*, double*);

}  // namespace mixgrad::ops::matrix_kernels
