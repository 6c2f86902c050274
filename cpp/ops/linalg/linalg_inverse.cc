// Inverses and determinants of square matrices.
#include <cmath>
#include <vector>

#include "kernels/linalg/matrix_kernels.h"
#include "ops/linalg/linalg.h"

namespace mixgrad::ops::linalg_inverse {
namespace {

using linalg::columns_of;
using linalg::product;

void square_shape(const NoParams&, ShapeInfer& s) {
  infer_like(s, 0);
  if (s.known(0)) linalg::check_matrices(s, 0, true);
}
void numbers_shape(const NoParams&, ShapeInfer& s) {
  if (!s.known(0)) return;
  linalg::check_matrices(s, 0, true);
  for (int i = 0; i < s.num_outputs(); ++i) s.set_out(i, linalg::per_matrix(s.in(0)));
}
double cube_cost(const NoParams&, Span<const Shape> in) {
  return linalg::loop_cost(static_cast<double>(in[0].size()) * static_cast<double>(columns_of(in[0])));
}

// f(matrix as C, n, which of the stack); the matrix may be overwritten.
template <class F>
void for_squares(const View& in, F f) {
  const int64_t n = columns_of(in.shape());
  linalg::for_matrices(linalg::stack_of(in.shape()), n * n * n, [&](int64_t first, int64_t last) {
    linalg::with_float(in.dtype, [&](auto* tag) {
      using C = std::remove_pointer_t<decltype(tag)>;
      const Scratch workspace = Scratch::of<C>(n * n);
      for (int64_t i = first; i < last; ++i) {
        linalg::load(in, i * n * n, n * n, workspace.as<C>());
        f(workspace.as<C>(), n, i);
      }
    });
  });
}

// f(matrix, n, result) for every matrix; false when there is no result.
template <class F>
void square_kernel(KernelArgs& args, F f) {
  const View& out = args.out[0];
  if (out.size() == 0) return;
  const char* who = args.name();
  for_squares(args.in[0], [&](auto* a, int64_t n, int64_t which) {
    using C = std::remove_pointer_t<decltype(a)>;
    const Scratch workspace = Scratch::of<C>(n * n);
    if (!f(a, n, workspace.template as<C>())) {
      fail(Status::invalid_argument, "[", who, "] matrix ", which, " of shape (", n, ", ", n,
           ") is singular; expected one with an inverse");
    }
    linalg::store(workspace.template as<C>(), out, which * n * n, n * n);
  });
}

// The determinant as its sign and the logarithm of its size, or as it is.
struct Determinant {
  double sign = 1, log = 0, value = 1;
};
template <class C>
Determinant determinant_of(C* a, int64_t n) {
  std::vector<int64_t> swaps(static_cast<size_t>(n));
  Determinant d;
  d.sign = d.value = matrix_kernels::factor_lu(a, n, swaps.data());
  for (int64_t i = 0; i < n; ++i) {
    const auto pivot = static_cast<double>(a[i * n + i]);
    d.value *= pivot;
    d.log += std::log(std::fabs(pivot));
    d.sign = pivot == 0 ? 0 : pivot < 0 ? -d.sign : d.sign;
  }
  return d;
}

// One item per matrix, as an axis pair of extent 1 that broadcasts against the matrices.
Tensor beside_matrices(const Tensor& numbers, const Shape& matrices) {
  Shape shape(matrices.data(), matrices.ndim() - 2);
  shape.push_back(1);
  shape.push_back(1);
  return reshape_to(numbers, shape);
}

const Op& inverse = Define<>("_linalg_inverse")
                        .alias("_npi_inv")
                        .alias("linalg_inverse")
                        .doc("Inverses of square matrices.")
                        .origin("MXNet linalg_inverse")
                        .input("A", "(..., n, n), a float dtype.")
                        .shape(square_shape)
                        .dtype([](const NoParams&, DTypeInfer& d) { linalg::float_dtype(d); })
                        .kernel([](const NoParams&, KernelArgs& args) {
                          square_kernel(args, [](auto* a, int64_t n, auto* out) {
                            return matrix_kernels::invert(a, n, out);
                          });
                        })
                        .cost(cube_cost)
                        .grad_needs({}, {0})
                        .grad([](const NoParams&, Grad& g) {
                          const Tensor b = g.out(0);
                          g.set(0, product(product(b, true, g.out_grad(), false, -1), false, b, true));
                        });

const Op& adjugate = Define<>("_linalg_adjugate")
                         .alias("linalg_adjugate")
                         .doc(
                             "Adjugates of square matrices: determinant times inverse, which exists for "
                             "singular matrices too. Its own "
                             "gradient divides by the determinant.")
                         .input("A", "(..., n, n), a float dtype.")
                         .shape(square_shape)
                         .dtype([](const NoParams&, DTypeInfer& d) { linalg::float_dtype(d); })
                         .kernel([](const NoParams&, KernelArgs& args) {
                           square_kernel(args, [](auto* a, int64_t n, auto* out) {
                             matrix_kernels::adjugate(a, n, out);
                             return true;
                           });
                         })
                         .cost(cube_cost)
                         .grad_needs({0}, {0})
                         .grad([](const NoParams&, Grad& g) {
                           // dB = tr(B dA) B / det - B dA B / det for B = det * inverse.
                           const Tensor b = g.out(0), grad = g.out_grad();
                           const int n = b->shape().ndim();
                           const Tensor size = beside_matrices(apply("_linalg_det", {g.in(0)}), b->shape());
                           const Tensor along = sum_axes(grad * b, Shape{n - 2, n - 1}, true);
                           const Tensor mixed = product(product(b, true, grad, false), false, b, true);
                           g.set(0, (apply("broadcast_mul", {linalg::swap_last(b), along}) - mixed) / size);
                         });

const Op& det = Define<>("_linalg_det")
                    .alias("linalg_det")
                    .doc("Determinants of square matrices.")
                    .origin("MXNet linalg_det")
                    .input("A", "(..., n, n), a float dtype.")
                    .shape(numbers_shape)
                    .dtype([](const NoParams&, DTypeInfer& d) { linalg::float_dtype(d); })
                    .kernel([](const NoParams&, KernelArgs& args) {
                      const View& out = args.out[0];
                      for_squares(args.in[0], [&](auto* a, int64_t n, int64_t which) {
                        const double value = determinant_of(a, n).value;
                        linalg::store(&value, out, which, 1);
                      });
                    })
                    .cost(cube_cost)
                    .grad([](const NoParams&, Grad& g) {
                      const Tensor b = apply("_linalg_adjugate", {g.in(0)});
                      g.set(0, linalg::swap_last(b) * beside_matrices(g.out_grad(), b->shape()));
                    });

const Op& slogdet =
    Define<>("_linalg_slogdet")
        .alias("linalg_slogdet")
        .doc(
            "Signs of the determinants of square matrices and the logarithms of their sizes; 0 and -inf "
            "for singular matrices, whose gradient is 0.")
        .origin("MXNet linalg_slogdet")
        .input("A", "(..., n, n), a float dtype.")
        .outputs({"sign", "logabsdet"})
        .num_outputs([](const NoParams&) { return 2; })
        .shape(numbers_shape)
        .dtype([](const NoParams&, DTypeInfer& d) { linalg::float_dtype(d); })
        .kernel([](const NoParams&, KernelArgs& args) {
          for_squares(args.in[0], [&](auto* a, int64_t n, int64_t which) {
            const Determinant d = determinant_of(a, n);
            linalg::store(&d.sign, args.out[0], which, 1);
            linalg::store(&d.log, args.out[1], which, 1);
          });
        })
        .cost(cube_cost)
        .grad_needs({0}, {0})
        .grad([](const NoParams&, Grad& g) {
          // The unit matrix stands for a singular one, so that the others of the stack have their gradient.
          const Tensor a = g.in(0), sizes = beside_matrices(apply("abs", {g.out(0)}), a->shape());
          const NamedValue unit[] = {{"N", Value(columns_of(a->shape()))},
                                     {"dtype", Value(name_of(a->dtype()))}};
          const Tensor rest = apply("broadcast_mul", {1.0 - sizes, apply("_eye", {}, unit)});
          const Tensor b = apply("_linalg_inverse", {apply("broadcast_mul", {a, sizes}) + rest});
          g.set(0, linalg::swap_last(b) * beside_matrices(g.out_grad(1), b->shape()) * sizes);
        });

const Op& sum_log_diagonal =
    Define<>("_linalg_sumlogdiag")
        .alias("linalg_sumlogdiag")
        .doc("Sums of the logarithms of the diagonals of square matrices.")
        .origin("MXNet linalg_sumlogdiag")
        .input("A", "(..., n, n), a float dtype.")
        .shape(numbers_shape)
        .dtype([](const NoParams&, DTypeInfer& d) { linalg::float_dtype(d); })
        .kernel([](const NoParams&, KernelArgs& args) {
          const View& in = args.in[0];
          const int64_t n = columns_of(in.shape());
          linalg::for_matrices(linalg::stack_of(in.shape()), 20 * n, [&](int64_t first, int64_t last) {
            for (int64_t m = first; m < last; ++m) {
              double sum = 0;
              for (int64_t i = 0; i < n; ++i) {
                double item = 0;
                linalg::load(in, (m * n + i) * n + i, 1, &item);
                sum += std::log(item);
              }
              linalg::store(&sum, args.out[0], m, 1);
            }
          });
        })
        .element_cost(20)
        .grad([](const NoParams&, Grad& g) {
          const Tensor values = linalg::diagonal_values(g.in(0));
          Shape shape = values->shape();
          shape[shape.ndim() - 1] = 1;
          g.set(0, linalg::diagonal_matrix(reshape_to(g.out_grad(), shape) / values));
        });

}  // namespace
}  // namespace mixgrad::ops::linalg_inverse
