// Diagonals and triangles of square matrices, out and in.
#include "ops/linalg/linalg.h"

namespace mixgrad::ops::linalg_parts {
namespace {

struct DiagonalParams {
  int64_t offset = 0;
  static void fields(Fields<DiagonalParams>& f) {
    f.add("offset", &DiagonalParams::offset, "Which diagonal: above 0 to the right of the main one.");
  }
};

struct TriangleParams {
  int64_t offset = 0;
  bool lower = true;
  static void fields(Fields<TriangleParams>& f) {
    f.add("offset", &TriangleParams::offset,
          "Diagonal at which the triangle begins: above 0 an upper, below 0 a lower one.")
        .add("lower", &TriangleParams::lower, "Which triangle, when offset is 0.");
  }
  bool is_lower() const { return offset < 0 || (offset == 0 && lower); }
};

uint64_t distance(int64_t offset) {
  return offset < 0 ? 0 - static_cast<uint64_t>(offset) : static_cast<uint64_t>(offset);
}

// Length of the diagonal, or side of the triangle, of (n, n) matrices.
template <class P>
int64_t part_side(const P& p, const ShapeInfer& s) {
  linalg::check_matrices(s, 0, true);
  const int64_t n = linalg::columns_of(s.in(0));
  const uint64_t off = distance(p.offset);
  if (off >= static_cast<uint64_t>(std::max<int64_t>(n, 1)))
    s.reject("offset ", p.offset, " lies outside; expected below ", n, " in size");
  return n - static_cast<int64_t>(off);
}

// Where item i of a part lies in its matrix (n, n).
struct DiagonalItems {
  int64_t n, offset;
  int64_t count() const { return std::max<int64_t>(0, n - static_cast<int64_t>(distance(offset))); }
  template <class F>
  void each(F f) const {
    const int64_t first = offset < 0 ? -offset * n : offset;
    for (int64_t i = 0; i < count(); ++i) f(i, first + i * (n + 1));
  }
};
struct TriangleItems {
  int64_t n, offset;
  bool lower;
  int64_t side() const { return std::max<int64_t>(0, n - static_cast<int64_t>(distance(offset))); }
  int64_t count() const { return side() * (side() + 1) / 2; }
  // Row by row of a lower triangle, column by column of an upper one.
  template <class F>
  void each(F f) const {
    const auto off = static_cast<int64_t>(distance(offset));
    int64_t item = 0;
    for (int64_t i = 0; i < side(); ++i) {
      for (int64_t j = 0; j <= i; ++j) f(item++, lower ? (i + off) * n + j : j * n + i + off);
    }
  }
};

DiagonalItems items_of(const DiagonalParams& p, int64_t n) { return {n, p.offset}; }
TriangleItems items_of(const TriangleParams& p, int64_t n) { return {n, p.offset, p.is_lower()}; }

template <class T, class P>
void move_parts(const P& p, const View& matrices, const View& parts, bool out_of) {
  const int64_t n = linalg::columns_of(matrices.shape());
  const auto items = items_of(p, n);
  const int64_t count = items.count(), stack = linalg::stack_of(matrices.shape());
  parallel_for(stack, loop_grain(8192, {n, n}), [&](int64_t first, int64_t last) {
    for (int64_t m = first; m < last; ++m) {
      T *matrix = matrices.as<T>() + m * n * n, *part = parts.as<T>() + m * count;
      if (out_of)
        items.each([&](int64_t i, int64_t at) { part[i] = matrix[at]; });
      else
        items.each([&](int64_t i, int64_t at) { matrix[at] = part[i]; });
    }
  });
}

template <class P>
void move_items(const P& p, const View& matrices, const View& parts, bool out_of) {
  if (matrices.size() == 0) return;
  switch (size_of(matrices.dtype)) {
    case 1: return move_parts<uint8_t>(p, matrices, parts, out_of);
    case 2: return move_parts<uint16_t>(p, matrices, parts, out_of);
    case 4: return move_parts<uint32_t>(p, matrices, parts, out_of);
    default: return move_parts<uint64_t>(p, matrices, parts, out_of);
  }
}

template <class P>
void extract_kernel(const P& p, KernelArgs& args) {
  move_items(p, args.in[0], args.out[0], true);
}
template <class P>
void make_kernel(const P& p, KernelArgs& args) {
  if (args.out[0].size() > 0) std::memset(args.out[0].data, 0, args.out[0].bytes());
  move_items(p, args.out[0], args.in[0], false);
}

Shape with_matrix(const Shape& parts, int64_t n) {
  Shape out = parts;
  out[out.ndim() - 1] = n;
  out.push_back(n);
  return out;
}
Shape with_parts(const Shape& matrices, int64_t n) {
  Shape out = matrices;
  out.erase(out.ndim() - 1);
  out[out.ndim() - 1] = n;
  return out;
}

// Side of the matrix around a part of that side.
template <class P>
int64_t matrix_side(const P& p, int64_t side, const ShapeInfer& s) {
  const uint64_t off = distance(p.offset);
  if (off >= uint64_t{1} << 31) s.reject("offset ", p.offset, " is too large");
  return side + static_cast<int64_t>(off);
}

Tensor call(const char* op, const Tensor& a, const DiagonalParams& p) {
  return apply(op, {a}, {{"offset", p.offset}});
}
Tensor call(const char* op, const Tensor& a, const TriangleParams& p) {
  return apply(op, {a}, {{"offset", p.offset}, {"lower", Value(p.lower)}});
}

const Op& extract_diagonal =
    Define<DiagonalParams>("_linalg_extractdiag")
        .alias("linalg_extractdiag")
        .doc("A diagonal of square matrices, as the last axis.")
        .origin("MXNet linalg_extractdiag")
        .input("A", "(..., n, n).")
        .shape([](const DiagonalParams& p, ShapeInfer& s) {
          if (s.known(0)) s.set_out(0, with_parts(s.in(0), part_side(p, s)));
        })
        .kernel(extract_kernel<DiagonalParams>)
        .grad_needs({}, {})
        .grad([](const DiagonalParams& p, Grad& g) { g.set(0, call("_linalg_makediag", g.out_grad(), p)); });

const Op& make_diagonal = Define<DiagonalParams>("_linalg_makediag")
                              .alias("linalg_makediag")
                              .doc("Square matrices with the given diagonal and zeros elsewhere.")
                              .origin("MXNet linalg_makediag")
                              .input("A", "(..., k), the items of a diagonal.")
                              .shape([](const DiagonalParams& p, ShapeInfer& s) {
                                if (!s.known(0)) return;
                                if (s.in(0).ndim() == 0) s.reject("expected at least one axis");
                                s.set_out(0, with_matrix(s.in(0), matrix_side(p, s.in(0).back(), s)));
                              })
                              .kernel(make_kernel<DiagonalParams>)
                              .grad_needs({}, {})
                              .grad([](const DiagonalParams& p, Grad& g) {
                                g.set(0, call("_linalg_extractdiag", g.out_grad(), p));
                              });

const Op& extract_triangle =
    Define<TriangleParams>("_linalg_extracttrian")
        .alias("linalg_extracttrian")
        .doc(
            "A triangle of square matrices, as the last axis: a lower one row by row, an upper one column by "
            "column.")
        .origin("MXNet linalg_extracttrian")
        .input("A", "(..., n, n).")
        .shape([](const TriangleParams& p, ShapeInfer& s) {
          if (!s.known(0)) return;
          const int64_t side = part_side(p, s);
          s.set_out(0, with_parts(s.in(0), side * (side + 1) / 2));
        })
        .kernel(extract_kernel<TriangleParams>)
        .grad_needs({}, {})
        .grad([](const TriangleParams& p, Grad& g) { g.set(0, call("_linalg_maketrian", g.out_grad(), p)); });

const Op& make_triangle =
    Define<TriangleParams>("_linalg_maketrian")
        .alias("linalg_maketrian")
        .doc("Square matrices with the given triangle and zeros elsewhere.")
        .origin("MXNet linalg_maketrian")
        .input("A", "(..., k (k + 1) / 2), the items of a triangle.")
        .shape([](const TriangleParams& p, ShapeInfer& s) {
          if (!s.known(0)) return;
          if (s.in(0).ndim() == 0) s.reject("expected at least one axis");
          const int64_t items = s.in(0).back();
          int64_t side = 0, sum = 0;
          while (sum < items) sum += ++side;
          if (sum != items) s.reject("the last axis has ", items, " items; a triangle has k (k + 1) / 2");
          s.set_out(0, with_matrix(s.in(0), matrix_side(p, side, s)));
        })
        .kernel(make_kernel<TriangleParams>)
        .grad_needs({}, {})
        .grad([](const TriangleParams& p, Grad& g) {
          g.set(0, call("_linalg_extracttrian", g.out_grad(), p));
        });

}  // namespace
}  // namespace mixgrad::ops::linalg_parts
