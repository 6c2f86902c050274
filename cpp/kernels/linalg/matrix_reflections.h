// Factorisations by reflections of one dense row-major matrix: LQ, and eigenvectors of symmetric matrices. Large products
// inside may use the caller's team.
#pragma once

#include <cstdint>

namespace mixgrad::matrix_reflections {

// a[m][n], m <= n, = l[m][m] q[m][n] with orthonormal rows in q and l lower triangular; a is overwritten.
template <class C>
void factor_lq(C* a, int64_t m, int64_t n, C* q, C* l);

// Eigenvalues of a symmetric a[n][n], of which the lower triangle is read, in ascending order, and the eigenvectors as
// rows of u, the entry of largest size positive; a is overwritten. NaN throughout where a is not finite.
void eigen_symmetric(double* a, int64_t n, double* u, double* values);

}  // namespace mixgrad::matrix_reflections
