// Factorisations and solutions of one dense row-major matrix, C being float or double. Leading dimensions equal the
// number of columns. Large products inside go to the library's matrix product and may use the caller's team.
#pragma once

#include <cstdint>

namespace mixgrad::matrix_kernels {

// dst[rows][columns] from src, which is stored transposed where `transpose`; rows and columns of dst may come in
// reverse order.
template <class C>
void arrange(const C* src, int64_t rows, int64_t columns, bool transpose, bool reverse_rows,
             bool reverse_columns, C* dst);

// b[n][m] = inverse of the lower triangle of a[n][n] times b; `unit`: the diagonal counts as 1.
template <class C>
void solve_lower(const C* a, int64_t n, bool unit, C* b, int64_t m);
// The same for the upper triangle.
template <class C>
void solve_upper(const C* a, int64_t n, C* b, int64_t m);

// a[n][n] becomes the lower L with a = L L^T, zeros above; only the lower triangle is read. Gives -1, or the row at
// which the matrix turns out not to be positive definite.
template <class C>
int64_t cholesky(C* a, int64_t n);

// a[n][n] becomes L (unit, below) and U of P a = L U; row i was swapped with row swaps[i]. Gives the sign of P.
template <class C>
int factor_lu(C* a, int64_t n, int64_t* swaps);

// out[n][n] = inverse of a, which is overwritten. False when a pivot is zero or not a number.
template <class C>
bool invert(C* a, int64_t n, C* out);
// out[n][n] = det(a) times the inverse of a, also where a is singular; a is overwritten.
template <class C>
void adjugate(C* a, int64_t n, C* out);

}  // namespace mixgrad::matrix_kernels
