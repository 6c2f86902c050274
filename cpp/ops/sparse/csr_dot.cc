// The product of a csr matrix, given by its parts, and a dense matrix.
#include "kernels/linalg/csr.h"
#include "op/define.h"

namespace mixgrad::ops::csr_dot {
namespace {

struct CsrDotParams {
  int64_t columns = 0;
  bool transpose = false;
  static void fields(Fields<CsrDotParams>& f) {
    f.required("columns", &CsrDotParams::columns, "Columns of the csr matrix.", at_least(0))
        .add("transpose", &CsrDotParams::transpose, "Multiply by the transpose of the csr matrix.");
  }
};

void infer_shape(const CsrDotParams& p, ShapeInfer& s) {
  for (int i = 0; i < 4; ++i) {
    if (!s.known(i)) return;
    if (s.in(i).ndim() != (i == 3 ? 2 : 1) || (i == 2 && s.in(2)[0] < 1))
      s.reject("expected three vectors, the last of at least one element, and a matrix");
  }
  const int64_t rows = s.in(2)[0] - 1;
  if (s.in(0) != s.in(1)) s.reject("expected as many values as indices");
  if (s.in(3)[0] != (p.transpose ? rows : p.columns)) s.reject("the inner extents differ");
  s.set_out(0, {p.transpose ? p.columns : rows, s.in(3)[1]});
}

void infer_dtype(const CsrDotParams&, DTypeInfer& d) {
  d.set_in(1, DType::int64);
  d.set_in(2, DType::int64);
  d.set_in(3, d.in(0));
  d.set_out(0, d.in(0));
  const DType t = d.in(0);
  const bool computed = t == DType::float32 || t == DType::float64 || t == DType::int32 || t == DType::int64;
  if (t != DType::unknown && !computed) d.reject("expected float32, float64, int32 or int64");
}

void csr_dot(const CsrDotParams& p, KernelArgs& args) {
  const CsrView matrix{args.in[2].size() - 1,    p.columns,
                       args.in[0].size(),        args.in[0].data,
                       args.in[1].as<int64_t>(), args.in[2].as<int64_t>()};
  csr_product("dot", args.out[0].dtype, matrix, p.transpose, args.in[3].data, args.out[0].shape()[1],
              args.out[0].data);
}

const Op& op = Define<CsrDotParams>("_csr_dot")
                   .doc("The product of a csr matrix, or of its transpose, and a dense matrix.")
                   .origin("MXNet dot of a csr and a dense array")
                   .input("values", "The stored elements.")
                   .input("indices", "The column of each.")
                   .input("starts", "Of each row its first element, and after them their number.")
                   .input("dense", "A matrix.")
                   .shape(infer_shape)
                   .dtype(infer_dtype)
                   .kernel(csr_dot)
                   .cost([](const CsrDotParams&, Span<const Shape> in) {
                     const auto stored = static_cast<double>(in[0].size()),
                                wide = static_cast<double>(in[3].back());
                     return stored * (0.5 + 0.05 * wide) + static_cast<double>(in[2].size()) * wide * 0.1;
                   })
                   .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::csr_dot
