// Fourier transforms of real rows, and back.
#include "base/parallel.h"
#include "kernels/elements.h"
#include "kernels/linalg/fourier.h"
#include "op/define.h"

namespace mixgrad::ops::fourier_transform {
namespace {

struct FourierParams {
  int32_t compute_size = 128;
  static void fields(Fields<FourierParams>& f) {
    f.add("compute_size", &FourierParams::compute_size, "Accepted for MXNet's sake; changes nothing.");
  }
};

constexpr int64_t kMostLength = int64_t{1} << 40;

// The last axis times `times`, divided by `parts`.
void fourier_shape(ShapeInfer& s, int64_t times, int64_t parts) {
  if (!s.in(0).known_rank()) return;
  const int ndim = s.in(0).ndim();
  if (ndim != 2 && ndim != 4) s.reject("expected data of 2 or 4 axes");
  Shape out = s.in(0);
  int64_t& last = out[ndim - 1];
  if (last > kMostLength) s.reject("expected rows of at most ", kMostLength, " numbers");
  if (last >= 0) last = last * times / parts;
  s.set_out(0, out);
}

void fourier_dtype(const FourierParams&, DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
}

double fourier_cost(const FourierParams&, Span<const Shape> in) {
  return 500 + 40 * static_cast<double>(in[0].size());
}

// Rows of complex numbers: real ones on one side, pairs on the other.
void transform(const View& in, const View& out, bool inverse) {
  if (in.size() == 0 || out.size() == 0) return;
  const int64_t from = in.shape().back(), to = out.shape().back(), length = inverse ? to : from;
  const fourier::Plan plan(length);
  parallel_for(in.size() / from, loop_grain(2048, {length}), [&](int64_t begin, int64_t end) {
    Elements<double> rows(in, from), results(out, to);
    std::vector<fourier::Complex> x(static_cast<size_t>(length)), work;
    for (int64_t r = begin; r < end; ++r) {
      const double* row = rows.read(r * from, from);
      for (int64_t n = 0; n < length; ++n)
        x[static_cast<size_t>(n)] =
            inverse ? fourier::Complex(row[2 * n], row[2 * n + 1]) : fourier::Complex(row[n]);
      plan.run(x.data(), inverse, work);
      double* y = results.write(r * to);
      for (int64_t n = 0; n < length; ++n) {
        const fourier::Complex& z = x[static_cast<size_t>(n)];
        if (inverse) {
          y[n] = z.real();
        } else {
          y[2 * n] = z.real();
          y[2 * n + 1] = z.imag();
        }
      }
      results.store(r * to, to);
    }
  });
}

// Each is the other's adjoint.
const Op& fft =
    Define<FourierParams>("_contrib_fft")
        .module("contrib")
        .doc(
            "The Fourier transform of each row of real numbers: (real part, imaginary part) of every "
            "frequency, "
            "side by side.")
        .origin("MXNet _contrib_fft")
        .input("data", "(rows, d) or (n, c, rows, d), float.")
        .shape([](const FourierParams&, ShapeInfer& s) { fourier_shape(s, 2, 1); })
        .dtype(fourier_dtype)
        .kernel([](const FourierParams&, KernelArgs& args) { transform(args.in[0], args.out[0], false); })
        .cost(fourier_cost)
        .grad_needs({}, {})
        .grad([](const FourierParams&, Grad& g) { g.set(0, apply("_contrib_ifft", {g.out_grad()})); });

const Op& ifft =
    Define<FourierParams>("_contrib_ifft")
        .module("contrib")
        .doc(
            "The real part of the inverse Fourier transform of each row of pairs (real part, imaginary "
            "part), not divided "
            "by the length.")
        .origin("MXNet _contrib_ifft")
        .input("data", "(rows, 2 d) or (n, c, rows, 2 d), float.")
        .shape([](const FourierParams&, ShapeInfer& s) {
          if (s.in(0).known_rank() && s.in(0).ndim() > 0 && s.in(0).back() > 0 && s.in(0).back() % 2 != 0)
            s.reject("expected pairs of numbers along the last axis");
          fourier_shape(s, 1, 2);
        })
        .dtype(fourier_dtype)
        .kernel([](const FourierParams&, KernelArgs& args) { transform(args.in[0], args.out[0], true); })
        .cost(fourier_cost)
        .grad_needs({}, {})
        .grad([](const FourierParams&, Grad& g) { g.set(0, apply("_contrib_fft", {g.out_grad()})); });

}  // namespace
}  // namespace mixgrad::ops::fourier_transform
