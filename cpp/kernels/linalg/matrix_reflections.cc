#include "kernels/linalg/matrix_reflections.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "kernels/linalg/matrix_product.h"
#include "kernels/linalg/matrix_rows.h"

namespace mixgrad::matrix_reflections {
namespace {

using matrix_product::product;
using matrix_product::subtract_product;
using matrix_rows::row_loops;

constexpr int64_t kReflections = 32;  // that are applied at once

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
  const C factor = tau * (row[0] + row_loops<C>().dot(row + 1, v + 1, n - 1));
  row[0] -= factor;
  row_loops<C>().subtract(row + 1, v + 1, factor, n - 1);
}

// Several reflections, whose vectors are rows of v[count][n] with a 1 on the diagonal and zeros before it:
// H0 H1 ... = I - v^T t v, and ... H1 H0 = I - v^T t^T v.
template <class C>
class Reflections {
 public:
  // The vectors lie in rows of a from its diagonal on, their 1 not stored; factors are in tau.
  Reflections(const C* a, int64_t lda, const C* tau, int64_t count, int64_t n)
      : count_(count), n_(n), v_(static_cast<size_t>(count * n)), t_(static_cast<size_t>(count * count)) {
    for (int64_t i = 0; i < count; ++i) {
      C* v = v_.data() + i * n;
      std::copy(a + i * lda + i + 1, a + i * lda + n, v + i + 1);
      v[i] = 1;
      // t[0..i)[i] = -tau[i] t[0..i)[0..i) (v[0..i) . v[i])
      std::vector<C> dots(static_cast<size_t>(i));
      for (int64_t j = 0; j < i; ++j)
        dots[static_cast<size_t>(j)] = row_loops<C>().dot(v_.data() + j * n + i, v + i, n - i);
      for (int64_t j = 0; j < i; ++j)
        t(j, i) = -tau[i] * row_loops<C>().dot(&t(j, j), dots.data() + j, i - j);
      t(i, i) = tau[i];
    }
  }

  // rows[m][n] times H0 H1 ..., or times ... H1 H0 where `reversed`.
  void apply(C* rows, int64_t m, int64_t ld, bool reversed) const {
    if (m == 0) return;
    std::vector<C> w(static_cast<size_t>(m * count_)), wt(w.size());
    product(m, count_, n_, rows, ld, v_.data(), n_, true, w.data(), count_);
    product(m, count_, count_, w.data(), count_, t_.data(), count_, reversed, wt.data(), count_);
    subtract_product(m, n_, count_, wt.data(), count_, v_.data(), n_, false, rows, ld);
  }

 private:
  C& t(int64_t i, int64_t j) { return t_[static_cast<size_t>(i * count_ + j)]; }
  int64_t count_, n_;
  std::vector<C> v_, t_;
};

// q[count][n], an identity with zeros beside it, becomes H(count-1) ... H1 H0, whose vectors lie in rows of a[count][n] from
// its diagonal on. The blocks behind leave the rows before theirs as they are.
template <class C>
void apply_reversed(const C* a, int64_t lda, const C* tau, int64_t count, int64_t n, C* q, int64_t ldq) {
  for (int64_t k = (count - 1) / kReflections * kReflections; k >= 0; k -= kReflections) {
    const int64_t size = std::min(kReflections, count - k);
    const Reflections<C> block(a + k * lda + k, lda, tau + k, size, n - k);
    block.apply(q + k * ldq + k, count - k, ldq, true);
  }
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
    for (int64_t i = 0; i < m; ++i)
      p[static_cast<size_t>(i)] = tau[k] * row_loops<double>().dot(rest + i * n, v, m);
    const double half = tau[k] / 2 * row_loops<double>().dot(p.data(), v, m);
    row_loops<double>().subtract(p.data(), v, half, m);
    for (int64_t i = 0; i < m; ++i) {
      row_loops<double>().subtract(rest + i * n, p.data(), v[i], m);
      row_loops<double>().subtract(rest + i * n, v, p[static_cast<size_t>(i)], m);
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
void factor_lq(C* a, int64_t m, int64_t n, C* q, C* l) {
  std::vector<C> tau(static_cast<size_t>(m));
  for (int64_t k = 0; k < m; k += kReflections) {
    const int64_t end = std::min(m, k + kReflections);
    for (int64_t j = k; j < end; ++j) {
      C* v = a + j * n + j;
      tau[static_cast<size_t>(j)] = make_reflection(v, n - j);
      for (int64_t i = j + 1; i < end; ++i) reflect_row(a + i * n + j, v, tau[static_cast<size_t>(j)], n - j);
    }
    if (end == m) break;
    const Reflections<C> block(a + k * n + k, n, tau.data() + k, end - k, n - k);
    block.apply(a + end * n + k, m - end, n, false);
  }
  std::fill(l, l + m * m, C(0));
  std::fill(q, q + m * n, C(0));
  for (int64_t i = 0; i < m; ++i) {
    std::copy(a + i * n, a + i * n + i + 1, l + i * m);
    q[i * n + i] = 1;
  }
  apply_reversed(a, n, tau.data(), m, n, q, n);
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
  for (int64_t i = 0; i < n; ++i) rows[static_cast<size_t>(i * n + i)] = 1;
  // Reflection k has its 1 in column k + 1, so that beside the first column it is one of m rows and columns.
  const int64_t m = n - 1;
  if (m > 0) apply_reversed(a + 1, n, tau.data(), m, m, rows.data() + n + 1, n);
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

template void factor_lq(float*, int64_t, int64_t, float*, float*);
template void factor_lq(double*, int64_t, int64_t, double*, double*);

}  // namespace mixgrad::matrix_reflections
