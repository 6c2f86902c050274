#include "kernels/linalg/matrix_spectrum.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "kernels/linalg/matrix_rows.h"

namespace mixgrad::matrix_spectrum {
namespace {

using matrix_rows::row_loops;

// Fills row r of v[m][n], orthogonal to those before it, of length 1.
void complete_row(double* v, int64_t r, int64_t n) {
  double* row = v + r * n;
  for (int64_t unit = 0; unit < n; ++unit) {
    std::fill(row, row + n, 0.0);
    row[unit] = 1;
    for (int pass = 0; pass < 2; ++pass) {
      for (int64_t k = 0; k < r; ++k)
        row_loops<double>().subtract(row, v + k * n, row_loops<double>().dot(row, v + k * n, n), n);
    }
    const double length = std::sqrt(row_loops<double>().dot(row, row, n));
    if (length < 0.1 / std::sqrt(static_cast<double>(n))) continue;
    for (int64_t j = 0; j < n; ++j) row[j] /= length;
    return;
  }
}

using Complex = std::complex<double>;

// h[n][n] becomes upper triangular, u[n][n] the unitary matrix with a = u h u^H. Shifted QR steps on a Hessenberg matrix.
bool make_schur(std::vector<Complex>& h, std::vector<Complex>& u, int64_t n) {
  const auto at = [n](int64_t i, int64_t j) { return static_cast<size_t>(i * n + j); };
  // Rotation of rows p and p + 1 that makes (x, y) into (r, 0): [c s; -conj(s) c].
  const auto rotate = [&](int64_t p, int64_t q, Complex x, Complex y) {
    const double size = std::hypot(std::abs(x), std::abs(y));
    if (size == 0) return;
    const Complex a = std::conj(x) / size, b = std::conj(y) / size;
    for (int64_t j = 0; j < n; ++j) {
      const Complex s = h[at(p, j)], t = h[at(q, j)];
      h[at(p, j)] = a * s + b * t;
      h[at(q, j)] = -std::conj(b) * s + std::conj(a) * t;
    }
    for (int64_t i = 0; i < n; ++i) {
      const Complex s = h[at(i, p)], t = h[at(i, q)];
      h[at(i, p)] = s * std::conj(a) + t * std::conj(b);
      h[at(i, q)] = -s * b + t * a;
      const Complex v = u[at(i, p)], w = u[at(i, q)];
      u[at(i, p)] = v * std::conj(a) + w * std::conj(b);
      u[at(i, q)] = -v * b + w * a;
    }
  };
  for (int64_t k = 0; k + 2 < n; ++k) {
    for (int64_t i = n - 1; i > k + 1; --i) {
      rotate(i - 1, i, h[at(i - 1, k)], h[at(i, k)]);
      h[at(i, k)] = 0;
    }
  }
  int tries = 0;
  for (int64_t last = n - 1; last > 0;) {
    int64_t first = last;
    while (first > 0) {
      const double near = std::abs(h[at(first, first)]) + std::abs(h[at(first - 1, first - 1)]);
      if (std::abs(h[at(first, first - 1)]) <= std::numeric_limits<double>::epsilon() * near) break;
      --first;
    }
    if (first > 0) h[at(first, first - 1)] = 0;
    if (first == last) {
      --last;
      tries = 0;
      continue;
    }
    if (++tries > 300) return false;
    // The eigenvalue of the last 2 x 2 block that is nearer to its corner; now and then another, against cycles.
    const Complex a = h[at(last - 1, last - 1)], b = h[at(last - 1, last)], c = h[at(last, last - 1)],
                  d = h[at(last, last)];
    const Complex half = (a - d) * 0.5, root = std::sqrt(half * half + b * c);
    const Complex one = d + half + root, two = d + half - root;
    Complex shift = std::abs(one - d) < std::abs(two - d) ? one : two;
    if (tries % 20 == 0) shift = d + std::abs(c);
    Complex x = h[at(first, first)] - shift, y = h[at(first + 1, first)];
    for (int64_t k = first; k < last; ++k) {
      rotate(k, k + 1, x, y);
      if (k > first) h[at(k + 1, k - 1)] = 0;
      if (k + 1 < last) {
        x = h[at(k + 1, k)];
        y = h[at(k + 2, k)];
      }
    }
  }
  return true;
}

}  // namespace

void singular_values(double* a, int64_t m, int64_t n, double* u, double* values, double* v) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (!std::all_of(a, a + m * n, [](double x) { return std::isfinite(x); })) {
    std::fill(u, u + m * m, kNan);
    std::fill(values, values + m, kNan);
    std::fill(v, v + m * n, kNan);
    return;
  }
  // Rotations of pairs of rows until all are orthogonal; u collects them by columns, here turned: rows of j.
  std::vector<double> j(static_cast<size_t>(m * m), 0.0);
  for (int64_t i = 0; i < m; ++i) j[static_cast<size_t>(i * m + i)] = 1;
  bool turned = m > 1;
  for (int sweep = 0; turned && sweep < 60; ++sweep) {
    turned = false;
    for (int64_t p = 0; p < m; ++p) {
      for (int64_t q = p + 1; q < m; ++q) {
        double *x = a + p * n, *y = a + q * n;
        const double xx = row_loops<double>().dot(x, x, n), yy = row_loops<double>().dot(y, y, n);
        const double xy = row_loops<double>().dot(x, y, n);
        if (std::fabs(xy) <= 1e-15 * std::sqrt(xx * yy)) continue;
        turned = true;
        const double zeta = (yy - xx) / (2 * xy);
        const double t = std::copysign(1.0, zeta) / (std::fabs(zeta) + std::hypot(1.0, zeta));
        const double c = 1 / std::hypot(1.0, t), s = -c * t;
        row_loops<double>().rotate(x, y, c, s, n);
        row_loops<double>().rotate(j.data() + p * m, j.data() + q * m, c, s, m);
      }
    }
  }
  std::vector<double> lengths;
  std::vector<int64_t> order;
  for (int64_t i = 0; i < m; ++i) {
    lengths.push_back(std::sqrt(row_loops<double>().dot(a + i * n, a + i * n, n)));
    order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](int64_t p, int64_t q) {
    return lengths[static_cast<size_t>(p)] > lengths[static_cast<size_t>(q)];
  });
  const double least = lengths.empty() ? 0 : lengths[static_cast<size_t>(order[0])] * 1e-300;
  for (int64_t r = 0; r < m; ++r) {
    const int64_t from = order[static_cast<size_t>(r)];
    const double length = lengths[static_cast<size_t>(from)];
    const double* turn = j.data() + from * m;
    const double* top =
        std::max_element(turn, turn + m, [](double x, double y) { return std::fabs(x) < std::fabs(y); });
    const double sign = *top < 0 ? -1 : 1;
    values[r] = length;
    for (int64_t i = 0; i < m; ++i) u[i * m + r] = sign * turn[i];
    if (length > least) {
      for (int64_t i = 0; i < n; ++i) v[r * n + i] = sign * a[from * n + i] / length;
    } else {
      complete_row(v, r, n);
    }
  }
}

bool eigen_general(const double* a, int64_t n, double* values, double* vectors) {
  const auto count = static_cast<size_t>(n * n);
  if (!std::all_of(a, a + count, [](double x) { return std::isfinite(x); })) return false;
  std::vector<Complex> h(a, a + count), u(count, 0);
  const auto at = [n](int64_t i, int64_t j) { return static_cast<size_t>(i * n + j); };
  double scale = 0;
  for (size_t i = 0; i < count; ++i) scale = std::max(scale, std::fabs(a[i]));
  for (int64_t i = 0; i < n; ++i) u[at(i, i)] = 1;
  if (!make_schur(h, u, n)) return false;
  for (int64_t k = 0; k < n; ++k) {
    const Complex value = h[at(k, k)];
    if (std::fabs(value.imag()) > 1e-7 * scale) return false;
    values[k] = value.real();
    if (!vectors) continue;
    // (T - value) y = 0 with y[k] = 1; then u y, turned so that its largest entry is real.
    std::vector<Complex> y(static_cast<size_t>(n), 0), x(static_cast<size_t>(n), 0);
    y[static_cast<size_t>(k)] = 1;
    for (int64_t i = k - 1; i >= 0; --i) {
      Complex sum = 0;
      for (int64_t c = i + 1; c <= k; ++c) sum += h[at(i, c)] * y[static_cast<size_t>(c)];
      Complex gap = value - h[at(i, i)];
      if (std::abs(gap) < std::numeric_limits<double>::epsilon() * scale)
        gap = std::numeric_limits<double>::epsilon() * scale;
      y[static_cast<size_t>(i)] = sum / gap;
    }
    Complex largest = 0;
    for (int64_t i = 0; i < n; ++i) {
      Complex& entry = x[static_cast<size_t>(i)];
      for (int64_t c = 0; c <= k; ++c) entry += u[at(i, c)] * y[static_cast<size_t>(c)];
      if (std::abs(entry) > std::abs(largest)) largest = entry;
    }
    const Complex turn = std::conj(largest) / std::abs(largest);
    double length = 0;
    for (Complex& entry : x) {
      entry *= turn;
      length += entry.real() * entry.real();
    }
    for (int64_t i = 0; i < n; ++i) vectors[i * n + k] = x[static_cast<size_t>(i)].real() / std::sqrt(length);
  }
  return true;
}

}  // namespace mixgrad::matrix_spectrum
