// Whether two arrays are equal up to a tolerance.
#include <atomic>
#include <cmath>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "op/define.h"

namespace mixgrad::ops::allclose {
namespace {

struct AllcloseParams {
  float rtol = 1e-5f, atol = 1e-8f;
  bool equal_nan = true;
  static void fields(Fields<AllcloseParams>& f) {
    f.add("rtol", &AllcloseParams::rtol, "Tolerance as a part of the element of b.")
        .add("atol", &AllcloseParams::atol, "Tolerance that is added.")
        .add("equal_nan", &AllcloseParams::equal_nan, "Whether NaN equals NaN.");
  }
};

constexpr int64_t kCloseGrain = 16384, kCloseTile = 1024;

bool are_close(const AllcloseParams& p, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return p.equal_nan && std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::fabs(a - b) <= static_cast<double>(p.atol) + static_cast<double>(p.rtol) * std::fabs(b);
}

void allclose_kernel(const AllcloseParams& p, KernelArgs& args) {
  const View &a = args.in[0], &b = args.in[1];
  std::atomic<bool> close{true};
  parallel_for(a.size(), kCloseGrain, [&](int64_t begin, int64_t end) {
    Elements<double> left(a, kCloseTile), right(b, kCloseTile);
    for (int64_t at = begin; at < end && close.load(std::memory_order_relaxed); at += kCloseTile) {
      const int64_t n = std::min(kCloseTile, end - at);
      const double *x = left.read(at, n), *y = right.read(at, n);
      for (int64_t i = 0; i < n; ++i) {
        if (!are_close(p, x[i], y[i])) close.store(false, std::memory_order_relaxed);
      }
    }
  });
  *args.out[0].as<uint8_t>() = close.load() ? 1 : 0;
}

const Op& op = Define<AllcloseParams>("_contrib_allclose")
                   .module("contrib")
                   .doc(
                       "1 where |a - b| <= atol + rtol |b| for all elements, else 0. Infinities are equal to "
                       "themselves alone.")
                   .origin("MXNet _contrib_allclose")
                   .input("a", "Any array.")
                   .input("b", "Of the same shape and dtype.")
                   .shape([](const AllcloseParams&, ShapeInfer& s) {
                     s.set_in(0, s.in(1));
                     s.set_in(1, s.in(0));
                     s.set_out(0, {});
                   })
                   .dtype([](const AllcloseParams&, DTypeInfer& d) {
                     d.set_in(0, d.in(1));
                     d.set_in(1, d.in(0));
                     d.set_out(0, DType::uint8);
                   })
                   .kernel(allclose_kernel)
                   .grad_needs({}, {})
                   .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::allclose
