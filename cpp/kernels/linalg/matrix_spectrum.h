// Singular values, and eigenvalues of matrices without symmetry, of one dense row-major matrix in double.
#pragma once

#include <cstdint>

namespace mixgrad::matrix_spectrum {

// a[m][n], m <= n, = u[m][m] diag(values) v[m][n]: values descend, u is orthogonal, v has orthonormal rows, and the entry of
// largest size in each column of u is positive. a is overwritten. NaN throughout where a is not finite.
void singular_values(double* a, int64_t m, int64_t n, double* u, double* values, double* v);

// Eigenvalues of a[n][n] and, as columns of `vectors` of length 1, its eigenvectors (null: not wanted). False when an
// eigenvalue is not real, or nothing is found.
bool eigen_general(const double* a, int64_t n, double* values, double* vectors);

}  // namespace mixgrad::matrix_spectrum
