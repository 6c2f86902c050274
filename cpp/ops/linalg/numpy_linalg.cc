// Factorisations, solutions and norms of matrices in NumPy's namespace.
#include <cmath>
#include <string>
#include <vector>

#include "base/load.h"
#include "kernels/linalg/matrix_kernels.h"
#include "kernels/linalg/matrix_spectrum.h"
#include "launch/composed.h"
#include "ops/linalg/linalg.h"

namespace mixgrad::ops::numpy_linalg {
namespace {

using linalg::columns_of;
using linalg::product;
using linalg::rows_of;
using linalg::swap_last;

Shape leading(const Shape& s, int axes = 2) { return Shape(s.data(), s.ndim() - axes); }

double cube_cost(Span<const Shape> in) {
  return linalg::loop_cost(20 * static_cast<double>(in[0].size()) * static_cast<double>(columns_of(in[0])));
}

// Integers are computed, and given, in float64.
void wide_dtype(DTypeInfer& d) {
  if (d.in(0) == DType::unknown) return;
  const DType out = is_float(d.in(0)) ? d.in(0) : DType::float64;
  for (int i = 0; i < d.num_outputs(); ++i) d.set_out(i, out);
}

void svd_kernel(const NoParams&, KernelArgs& args) {
  const Shape& s = args.in[0].shape();
  const int64_t m = rows_of(s), n = columns_of(s);
  if (args.in[0].size() == 0) return;
  ScratchArray<double> a(static_cast<size_t>(m * n)), u(static_cast<size_t>(m * m)), v(a),
      values(static_cast<size_t>(m));
  for (int64_t i = 0; i < linalg::stack_of(s); ++i) {
    linalg::load(args.in[0], i * m * n, m * n, a.data());
    matrix_spectrum::singular_values(a.data(), m, n, u.data(), values.data(), v.data());
    linalg::store(u.data(), args.out[0], i * m * m, m * m);
    linalg::store(values.data(), args.out[1], i * m, m);
    linalg::store(v.data(), args.out[2], i * m * n, m * n);
  }
}

// Townsend, "Differentiating the singular value decomposition" (2016), with V by rows.
void svd_grad(const NoParams&, Grad& g) {
  const Tensor u = g.out(0), values = g.out(1), v = g.out(2);
  Shape column = values->shape(), row = column;
  column.push_back(1);
  row.insert(row.ndim() - 1, 1);
  const Tensor by_row = reshape_to(values, row), by_column = reshape_to(values, column);
  const Tensor gap = apply("square", {by_row}) - apply("square", {by_column});
  const Tensor equal = apply("_equal_scalar", {gap}, {{"scalar", 0.0}});
  const auto skew = [&](const Tensor& x) {
    return select(equal, zeros_like(gap), (x - swap_last(x)) / (gap + equal));
  };
  const Tensor gu = g.out_grad(0), gv = g.out_grad(2);
  const Tensor inner = skew(product(u, true, gu, false)) * by_row +
                       by_column * skew(product(v, false, gv, true)) + linalg::diagonal_matrix(g.out_grad(1));
  const Tensor zero = apply("_equal_scalar", {by_column}, {{"scalar", 0.0}});
  const Tensor scaled = select(broadcast_to(zero, gv->shape()), zeros_like(gv), gv / (by_column + zero));
  const Tensor outside = scaled - product(product(scaled, false, v, true), false, v, false);
  g.set(0, product(u, false, product(inner, false, v, false) + outside, false));
}

template <bool kVectors>
void eig_kernel(const NoParams&, KernelArgs& args) {
  const Shape& s = args.in[0].shape();
  const int64_t n = columns_of(s);
  if (args.in[0].size() == 0) return;
  ScratchArray<double> a(static_cast<size_t>(n * n)), vectors(a), values(static_cast<size_t>(n));
  for (int64_t i = 0; i < linalg::stack_of(s); ++i) {
    linalg::load(args.in[0], i * n * n, n * n, a.data());
    if (!matrix_spectrum::eigen_general(a.data(), n, values.data(), kVectors ? vectors.data() : nullptr)) {
      fail(Status::invalid_argument, "[", args.name(), "] matrix ", i, " of shape (", n, ", ", n,
           ") has eigenvalues that are not real; expected real ones");
    }
    linalg::store(values.data(), args.out[0], i * n, n);
    if (kVectors) linalg::store(vectors.data(), args.out[1], i * n * n, n * n);
  }
}
void eig_shape(ShapeInfer& s) {
  if (!s.known(0)) return;
  linalg::check_matrices(s, 0, true);
  s.set_out(0, leading(s.in(0), 1));
  if (s.num_outputs() > 1) s.set_out(1, s.in(0));
}

// B may be one vector for each matrix.
bool solves_vector(const Shape& a, const Shape& b) { return b.ndim() == a.ndim() - 1; }

void solve_shape(const NoParams&, ShapeInfer& s) {
  if (!s.known(0) || !s.known(1)) return;
  linalg::check_matrices(s, 0, true);
  const Shape &a = s.in(0), &b = s.in(1);
  const bool vector = solves_vector(a, b);
  if (!vector && b.ndim() != a.ndim()) s.reject("expected B with as many axes as A, or one fewer");
  for (int i = 0; i < a.ndim() - 1; ++i) {
    if (a[i] != b[i]) s.reject("A and B differ on axis ", i);
  }
  s.set_out(0, b);
}
void solve_kernel(const NoParams&, KernelArgs& args) {
  const Shape &sa = args.in[0].shape(), &sb = args.in[1].shape();
  const int64_t n = columns_of(sa), m = solves_vector(sa, sb) ? 1 : columns_of(sb);
  if (args.out[0].size() == 0) return;
  linalg::with_float(args.in[0].dtype, [&](auto* tag) {
    using C = std::remove_pointer_t<decltype(tag)>;
    ScratchArray<C> a(static_cast<size_t>(n * n)), b(static_cast<size_t>(n * m));
    std::vector<int64_t> swaps(static_cast<size_t>(n));
    for (int64_t i = 0; i < linalg::stack_of(sa); ++i) {
      linalg::load(args.in[0], i * n * n, n * n, a.data());
      linalg::load(args.in[1], i * n * m, n * m, b.data());
      matrix_kernels::factor_lu(a.data(), n, swaps.data());
      for (int64_t r = 0; r < n; ++r) {
        const C pivot = a[static_cast<size_t>(r * n + r)];
        if (pivot == 0 || pivot != pivot) {
          fail(Status::invalid_argument, "[", args.name(), "] matrix ", i, " of shape (", n, ", ", n,
               ") is singular; expected one with an inverse");
        }
        const int64_t with = swaps[static_cast<size_t>(r)];
        if (with != r) std::swap_ranges(b.data() + r * m, b.data() + (r + 1) * m, b.data() + with * m);
      }
      matrix_kernels::solve_lower(a.data(), n, true, b.data(), m);
      matrix_kernels::solve_upper(a.data(), n, b.data(), m);
      linalg::store(b.data(), args.out[0], i * n * m, n * m);
    }
  });
}
// X = A^-1 B: dB = A^-T dX, dA = -dB X^T.
void solve_grad(const NoParams&, Grad& g) {
  const Tensor db = apply("_npi_solve", {swap_last(g.in(0)), g.out_grad()});
  if (g.wants(1)) g.set(1, db);
  if (!g.wants(0)) return;
  Shape matrix = g.in_shape(1);
  if (solves_vector(g.in_shape(0), matrix)) matrix.push_back(1);
  g.set(0, product(reshape_to(db, matrix), false, reshape_to(g.out(0), matrix), true, -1));
}

struct TriangleParams {
  std::string uplo = "L";
  static void fields(Fields<TriangleParams>& f) {
    f.add("UPLO", &TriangleParams::uplo, "Which triangle is read: 'L' the lower, 'U' the upper one.");
  }
};
// The eigenvectors by rows, and the eigenvalues.
std::vector<Tensor> symmetric_parts(const TriangleParams& p, const Composition& c) {
  const Shape& s = c.shape(0);
  if (p.uplo != "L" && p.uplo != "U") c.reject("UPLO is ", p.uplo, "; expected L or U");
  if (s.ndim() < 2 || rows_of(s) != columns_of(s)) c.reject("expected square matrices");
  Tensor a = c.in(0);
  if (!is_float(a->dtype())) a = cast_to(a, DType::float64);
  const Tensor in[] = {p.uplo == "U" ? swap_last(a) : a};
  return apply_all("_linalg_syevd", in, {});
}

struct CutParams {
  bool hermitian = false;
  static void fields(Fields<CutParams>& f) {
    f.add("hermitian", &CutParams::hermitian, "Whether A is symmetric.");
  }
};
struct CutNumberParams {
  double rcond = 1e-15;
  bool hermitian = false;
  static void fields(Fields<CutNumberParams>& f) {
    f.add("rcond", &CutNumberParams::rcond, "Singular values up to this part of the largest count as 0.")
        .add("hermitian", &CutNumberParams::hermitian, "Whether A is symmetric.");
  }
};
Tensor pseudo_inverse(const Tensor& a, const Tensor& cut, const Composition& c) {
  const Shape& s = a->shape();
  if (s.ndim() < 2) c.reject("expected at least two axes");
  const bool tall = rows_of(s) > columns_of(s);
  const Tensor in[] = {tall ? swap_last(a) : a};
  const std::vector<Tensor> parts = apply_all("_npi_svd", in, {});  // u, values, v
  const Tensor &u = parts[0], &values = parts[1], &v = parts[2];
  const Tensor largest =
      apply("_np_max", {values}, {{"axis", TupleValue(Shape{-1})}, {"keepdims", Value(true)}});
  Shape beside = cut->shape();
  beside.push_back(1);
  const Tensor kept = apply("broadcast_greater", {values, largest * reshape_to(cut, beside)});
  const Tensor inverse =
      select(kept, 1.0 * apply("reciprocal", {select(kept, values, ones_like(values))}), zeros_like(values));
  Shape column = values->shape();
  column.push_back(1);
  const Tensor result = product(v * reshape_to(inverse, column), true, u, true);
  return tall ? swap_last(result) : result;
}

struct NormParams {
  double ord = 2;
  std::optional<Shape> axis;
  bool keepdims = false;
  int32_t flag = -2;
  static void fields(Fields<NormParams>& f) {
    f.add("ord", &NormParams::ord, "Order of the norm.")
        .add("axis", &NormParams::axis, "One axis of vectors or two of matrices; None means all.")
        .add("keepdims", &NormParams::keepdims, "Keeps reduced axes, with extent 1.")
        .add("flag", &NormParams::flag,
             "What is asked for: 0 a norm of matrices by ord, 1 Frobenius, 2 the sum of singular values, -1 "
             "a norm of "
             "vectors by ord, -2 the length of all elements.");
  }
};
Tensor reduced(const char* op, const Tensor& x, const std::optional<Shape>& axis, bool keepdims) {
  if (!axis) return apply(op, {x}, {{"keepdims", Value(keepdims)}});
  return apply(op, {x}, {{"axis", TupleValue(*axis)}, {"keepdims", Value(keepdims)}});
}
Tensor powered(const Tensor& x, double by) { return apply("_power_scalar", {x}, {{"scalar", by}}); }
Tensor norm_of(const NormParams& p, const Composition& c) {
  const Tensor x = c.in(0);
  const int ndim = x->shape().ndim();
  const auto length = [&](const std::optional<Shape>& axis) {
    return apply("sqrt", {reduced("_np_sum", apply("square", {x}), axis, p.keepdims)});
  };
  if (p.flag == -2) return length(std::nullopt);
  if (p.flag == 1) return length(p.axis);
  const Tensor size = apply("abs", {x});
  if (p.flag == -1) {
    if (p.axis && p.axis->ndim() != 1) c.reject("axis is ", *p.axis, "; expected one axis");
    if (p.ord == 0)
      return reduced("_np_sum", apply("_not_equal_scalar", {x}, {{"scalar", 0.0}}), p.axis, p.keepdims);
    if (p.ord == 1) return reduced("_np_sum", size, p.axis, p.keepdims);
    if (p.ord == 2) return length(p.axis);
    if (std::isinf(p.ord)) return reduced(p.ord > 0 ? "_np_max" : "_np_min", size, p.axis, p.keepdims);
    return powered(reduced("_np_sum", powered(size, p.ord), p.axis, p.keepdims), 1 / p.ord);
  }
  if (p.flag != 0 && p.flag != 2) c.reject("flag is ", p.flag, "; expected one from -2 to 2");
  const Shape axes = p.axis.value_or(Shape{-2, -1});
  if (axes.ndim() != 2 || ndim < 2) c.reject("expected matrices on two axes");
  const int rows = normalize_axis(axes[0], ndim, c.name()), columns = normalize_axis(axes[1], ndim, c.name());
  if (rows == columns) c.reject("axis names an axis twice");
  Tensor result;
  Shape kept = x->shape();
  kept[rows] = kept[columns] = 1;
  Shape left;
  for (int i = 0; i < ndim; ++i) {
    if (i != rows && i != columns) left.push_back(x->shape()[i]);
  }
  if (p.flag == 0 && (std::fabs(p.ord) == 1 || std::isinf(p.ord))) {
    const int summed = std::isinf(p.ord) ? columns : rows, searched = std::isinf(p.ord) ? rows : columns;
    result = reduced(p.ord > 0 ? "_np_max" : "_np_min", reduced("_np_sum", size, Shape{summed}, true),
                     Shape{searched}, true);
  } else {
    if (p.flag == 0 && std::fabs(p.ord) != 2)
      c.reject("ord is ", p.ord, "; expected 1, -1, 2, -2 or an infinity");
    Shape order;
    for (int i = 0; i < ndim; ++i) {
      if (i != rows && i != columns) order.push_back(i);
    }
    const bool tall = x->shape()[rows] > x->shape()[columns];
    order.push_back(tall ? columns : rows);
    order.push_back(tall ? rows : columns);
    const Tensor in[] = {transpose_axes(x, order)};
    const Tensor values = apply_all("_npi_svd", in, {})[1];
    result = reduced(p.flag == 2 ? "_np_sum" : p.ord > 0 ? "_np_max" : "_np_min", values, Shape{-1}, false);
  }
  return reshape_to(result, p.keepdims ? kept : left);
}

struct TensorInverseParams {
  int32_t ind = 2;
  static void fields(Fields<TensorInverseParams>& f) {
    f.add("ind", &TensorInverseParams::ind, "How many axes are the rows.", at_least(1));
  }
};
struct TensorSolveParams {
  Shape a_axes;
  static void fields(Fields<TensorSolveParams>& f) {
    f.add("a_axes", &TensorSolveParams::a_axes, "Axes of a that go behind the others first.");
  }
};

template <class P>
Define<P> matrices(const char* name, const char* input, Text doc) {
  Define<P> define(name);
  define.doc(doc).origin("MXNet numpy linalg").input(input, "(..., m, n), a float dtype.");
  return define;
}

const Op& svd = Define<>("_npi_svd")
                    .doc("A = UT diag(L) V: UT orthogonal, V with orthonormal rows, L descending.")
                    .origin("MXNet _npi_svd; Hestenes 1958")
                    .input("A", "(..., m, n) with m at most n, a float dtype.")
                    .outputs({"UT", "L", "V"})
                    .shape([](const NoParams&, ShapeInfer& s) {
                      if (!s.known(0)) return;
                      linalg::check_matrices(s, 0, false);
                      Shape u = s.in(0);
                      if (rows_of(u) > columns_of(u)) s.reject("expected at most as many rows as columns");
                      s.set_out(2, u);
                      u[u.ndim() - 1] = rows_of(u);
                      s.set_out(0, u);
                      s.set_out(1, leading(u, 1));
                    })
                    .dtype([](const NoParams&, DTypeInfer& d) { linalg::float_dtype(d); })
                    .kernel(svd_kernel)
                    .cost([](const NoParams&, Span<const Shape> in) { return cube_cost(in); })
                    .grad_needs({}, {0, 1, 2})
                    .grad(svd_grad);

const Op& eig = Define<>("_npi_eig")
                    .doc("Eigenvalues of square matrices, which must be real, and eigenvectors as columns.")
                    .origin("MXNet _npi_eig; Francis 1961")
                    .input("A", "(..., n, n)")
                    .outputs({"w", "v"})
                    .shape([](const NoParams&, ShapeInfer& s) { eig_shape(s); })
                    .dtype([](const NoParams&, DTypeInfer& d) { wide_dtype(d); })
                    .kernel(eig_kernel<true>)
                    .cost([](const NoParams&, Span<const Shape> in) { return cube_cost(in); })
                    .grad_needs({}, {})
                    .no_gradient();

const Op& eigvals = Define<>("_npi_eigvals")
                        .doc("Eigenvalues of square matrices, which must be real.")
                        .origin("MXNet _npi_eigvals; Francis 1961")
                        .input("A", "(..., n, n)")
                        .shape([](const NoParams&, ShapeInfer& s) { eig_shape(s); })
                        .dtype([](const NoParams&, DTypeInfer& d) { wide_dtype(d); })
                        .kernel(eig_kernel<false>)
                        .cost([](const NoParams&, Span<const Shape> in) { return cube_cost(in); })
                        .grad_needs({}, {})
                        .no_gradient();

const Op& solve = Define<>("_npi_solve")
                      .doc("X of A X = B, for a matrix or a vector B.")
                      .origin("MXNet _npi_solve")
                      .input("A", "(..., n, n), a float dtype.")
                      .input("B", "(..., n, m) or (..., n).")
                      .shape(solve_shape)
                      .dtype([](const NoParams&, DTypeInfer& d) { linalg::float_dtype(d); })
                      .kernel(solve_kernel)
                      .cost([](const NoParams&, Span<const Shape> in) { return cube_cost(in); })
                      .grad_needs({0}, {0})
                      .grad(solve_grad);

const bool kRegistered = at_load([] {
  const auto wide = [](const TriangleParams&, DTypeInfer& d) { wide_dtype(d); };
  Define<TriangleParams> eigh("_npi_eigh");
  eigh.doc("Eigenvalues of symmetric matrices, ascending, and eigenvectors as columns.")
      .origin("MXNet _npi_eigh")
      .input("A", "(..., n, n)")
      .outputs({"w", "v"});
  composed(eigh,
           [](const TriangleParams& p, Composition& c) {
             const std::vector<Tensor> parts = symmetric_parts(p, c);
             c.set(0, parts[1]);
             c.set(1, swap_last(parts[0]));
           })
      .dtype(wide)
      .done();
  Define<TriangleParams> eigvalsh =
      matrices<TriangleParams>("_npi_eigvalsh", "A", "Eigenvalues of symmetric matrices, ascending.");
  composed(eigvalsh, [](const TriangleParams& p, Composition& c) { c.set(0, symmetric_parts(p, c)[1]); })
      .dtype(wide)
      .done();

  Define<> det = matrices<NoParams>("_npi_det", "A", "Determinants of square matrices.");
  composed(det, [](const NoParams&, Composition& c) {
    if (c.shape(0).ndim() < 2) c.reject("expected at least two axes");
    c.set(0, reshape_to(apply("_linalg_det", {c.in(0)}), leading(c.shape(0))));
  }).done();
  Define<> slogdet =
      matrices<NoParams>("_npi_slogdet", "A", "Signs of determinants, and logarithms of their sizes.");
  slogdet.outputs({"sign", "logabsdet"});
  composed(slogdet, [](const NoParams&, Composition& c) {
    if (c.shape(0).ndim() < 2) c.reject("expected at least two axes");
    const Tensor in[] = {c.in(0)};
    const std::vector<Tensor> parts = apply_all("_linalg_slogdet", in, {});
    for (int i = 0; i < 2; ++i) c.set(i, reshape_to(parts[static_cast<size_t>(i)], leading(c.shape(0))));
  }).done();

  Define<CutParams> pinv = matrices<CutParams>("_npi_pinv", "A", "Moore and Penrose's inverses.");
  pinv.input("rcond",
             "Singular values up to this part of the largest count as 0; broadcasts to the matrices.");
  composed(pinv, [](const CutParams&, Composition& c) {
    c.set(0, pseudo_inverse(c.in(0), c.in(1), c));
  }).done();
  Define<CutNumberParams> pinv_number =
      matrices<CutNumberParams>("_npi_pinv_scalar_rcond", "A", "Moore and Penrose's inverses.");
  composed(pinv_number, [](const CutNumberParams& p, Composition& c) {
    const Tensor rcond =
        apply("_full", {},
              {{"shape", TupleValue(Shape())}, {"dtype", name_of(c.in(0)->dtype())}, {"value", p.rcond}});
    c.set(0, pseudo_inverse(c.in(0), rcond, c));
  }).done();
  Define<NormParams> norm = matrices<NormParams>("_npi_norm", "data", "Norms of vectors and matrices.");
  composed(norm, [](const NormParams& p, Composition& c) { c.set(0, norm_of(p, c)); }).done();

  Define<TensorInverseParams> inverse =
      matrices<TensorInverseParams>("_npi_tensorinv", "a", "The inverse of an array seen as a matrix.");
  composed(inverse, [](const TensorInverseParams& p, Composition& c) {
    const Shape& s = c.shape(0);
    if (p.ind >= s.ndim()) c.reject("ind is ", p.ind, "; expected fewer than there are axes");
    const int64_t rows = s.size(0, p.ind), columns = s.size(p.ind, s.ndim());
    if (rows != columns) c.reject("the first ", p.ind, " axes and the others differ in size");
    Shape turned;
    for (int i = 0; i < s.ndim(); ++i) turned.push_back(s[(i + p.ind) % s.ndim()]);
    c.set(0, reshape_to(apply("_linalg_inverse", {reshape_to(c.in(0), {rows, rows})}), turned));
  }).done();
  Define<TensorSolveParams> tensorsolve =
      matrices<TensorSolveParams>("_npi_tensorsolve", "a", "x of a x = b, with arrays seen as matrices.");
  tensorsolve.input("b", "Any shape; its size squared is that of a.");
  composed(tensorsolve, [](const TensorSolveParams& p, Composition& c) {
    const int n = c.shape(0).ndim();
    bool behind[kMaxDims] = {};
    Shape order;
    for (const int64_t a : p.a_axes) behind[normalize_axis(a, n, c.name())] = true;
    for (int i = 0; i < n; ++i) {
      if (!behind[i]) order.push_back(i);
    }
    for (const int64_t a : p.a_axes) order.push_back(normalize_axis(a, n, c.name()));
    const Tensor a = p.a_axes.ndim() > 0 ? transpose_axes(c.in(0), order) : c.in(0);
    const Shape& s = a->shape();
    const int64_t size = c.shape(1).size();
    if (s.size() != size * size) c.reject("expected a of the size of b squared");
    Shape out;
    const int m =
        c.shape(1).ndim();  // as in NumPy, which counts from the front where b has as many axes or more
    for (int i = n > m ? m : m - n; i < n; ++i) out.push_back(s[i]);
    if (out.size() != size) c.reject("expected axes of a that b does not have to be of the size of b");
    c.set(0,
          reshape_to(apply("_npi_solve", {reshape_to(a, {size, size}), reshape_to(c.in(1), {size})}), out));
  }).done();
});

}  // namespace
}  // namespace mixgrad::ops::numpy_linalg
