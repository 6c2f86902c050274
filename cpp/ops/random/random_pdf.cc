// Densities of distributions at given samples: _random_pdf_<name>.
#include <cmath>
#include <string>
#include <vector>

#include "base/load.h"
#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/math/math_special.h"
#include "op/define.h"

namespace mixgrad::ops::random_pdf {
namespace {

struct PdfParams {
  bool is_log = false;
  static void fields(Fields<PdfParams>& f) {
    f.add("is_log", &PdfParams::is_log, "Whether to give the logarithm of the density.");
  }
};

// x * log(y), 0 for x = 0.
double times_log(double x, double y) { return x == 0 ? 0 : x * std::log(y); }

// Logarithms of densities at x with parameters a and b.
double log_uniform(double, double low, double high) { return -std::log(high - low); }
double log_normal(double x, double mu, double sigma) {
  const double z = (x - mu) / sigma;
  return -0.5 * z * z - std::log(sigma) - 0.9189385332046727;  // log(sqrt(2 pi))
}
double log_gamma(double x, double alpha, double beta) {
  return times_log(alpha, beta) + times_log(alpha - 1, x) - beta * x - math::gammaln(alpha);
}
double log_exponential(double x, double lam, double) { return std::log(lam) - lam * x; }
double log_poisson(double x, double lam, double) { return times_log(x, lam) - math::gammaln(x + 1) - lam; }
double log_negative_binomial(double x, double k, double p) {
  return math::gammaln(x + k) - math::gammaln(x + 1) - math::gammaln(k) + times_log(k, p) +
         times_log(x, 1 - p);
}
double log_generalized_negative_binomial(double x, double mu, double alpha) {
  if (alpha == 0) return log_poisson(x, mu, 0);
  return log_negative_binomial(x, 1 / alpha, 1 / (mu * alpha + 1));
}
using LogDensity = double (*)(double, double, double);

double number_at(const View& view, int64_t i) {
  double value = 0;
  convert(view.as<char>() + static_cast<size_t>(i) * size_of(view.dtype), view.dtype, &value, DType::float64,
          1);
  return value;
}
void put_number(double value, const View& view, int64_t i) {
  convert(&value, DType::float64, view.as<char>() + static_cast<size_t>(i) * size_of(view.dtype), view.dtype,
          1);
}

// Whether the first axes of `whole` are those of `part`.
bool begins_with(const Shape& whole, int axes, const Shape& part, int part_axes) {
  if (part_axes > axes) return false;
  for (int i = 0; i < part_axes; ++i) {
    if (whole[i] != part[i]) return false;
  }
  return true;
}

void pdf_shape(const PdfParams&, ShapeInfer& s) {
  for (int i = 1; i < s.num_inputs(); ++i) {
    if (s.num_inputs() > 2) s.set_in(i, s.in(3 - i));  // two parameters have one shape
    if (s.known(0) && s.known(i) && !begins_with(s.in(0), s.in(0).ndim(), s.in(i), s.in(i).ndim()))
      s.reject("the shape of sample must begin with that of the parameters");
  }
  if (s.known(0)) s.set_out(0, s.in(0));
}

template <LogDensity kLog>
void pdf_kernel(const PdfParams& p, KernelArgs& args) {
  const View &sample = args.in[0], &out = args.out[0];
  if (out.size() == 0) return;
  const int64_t run = out.size() / args.in[1].size();  // samples of one set of parameters
  parallel_for(out.size(), 1024, [&](int64_t begin, int64_t end) {
    double a = 0, b = 0;
    for (int64_t i = begin; i < end; ++i) {
      if (i == begin || i % run == 0) {
        a = number_at(args.in[1], i / run);
        b = args.in.size() > 2 ? number_at(args.in[2], i / run) : 0;
      }
      const double log = kLog(number_at(sample, i), a, b);
      put_number(p.is_log ? log : std::exp(log), out, i);
    }
  });
}

Tensor log_of(const Tensor& x) { return apply("log", {x}); }
Tensor digamma_of(const Tensor& x) { return apply("_polygamma", {x}, {{"n", Value(0)}}); }

// A parameter with an axis of extent 1 for every axis that only the sample has.
Tensor beside_sample(const Tensor& param, const Shape& sample) {
  Shape shape = param->shape();
  while (shape.ndim() < sample.ndim()) shape.push_back(1);
  return reshape_to(param, shape);
}

// The derivatives of the logarithm, null where they are 0.
struct Slopes {
  Tensor sample, a, b;
};
using SlopesFn = Slopes (*)(const Tensor& x, const Tensor& a, const Tensor& b);

Slopes uniform_slopes(const Tensor&, const Tensor& low, const Tensor& high) {
  const Tensor inverse = ones_like(low) / (high - low);
  return {Tensor(), inverse, -inverse};
}
Slopes normal_slopes(const Tensor& x, const Tensor& mu, const Tensor& sigma) {
  const Tensor z = (x - mu) / sigma, up = z / sigma;
  return {-up, up, (z * z - 1.0) / sigma};
}
Slopes gamma_slopes(const Tensor& x, const Tensor& alpha, const Tensor& beta) {
  return {(alpha - 1.0) / x - beta, log_of(beta) + log_of(x) - digamma_of(alpha), alpha / beta - x};
}
Slopes exponential_slopes(const Tensor& x, const Tensor& lam, const Tensor&) {
  return {-lam + zeros_like(x), ones_like(lam) / lam - x, Tensor()};
}
Slopes poisson_slopes(const Tensor& x, const Tensor& lam, const Tensor&) {
  return {Tensor(), x / lam - 1.0, Tensor()};
}
Slopes negative_binomial_slopes(const Tensor& x, const Tensor& k, const Tensor& p) {
  return {Tensor(), digamma_of(x + k) - digamma_of(k) + log_of(p), k / p - x / (1.0 - p)};
}
// With k = 1 / alpha and p = 1 / (mu alpha + 1).
Slopes generalized_slopes(const Tensor& x, const Tensor& mu, const Tensor& alpha) {
  const Tensor k = ones_like(alpha) / alpha, p = ones_like(mu) / (mu * alpha + 1.0);
  return {Tensor(), p * (x / mu - 1.0),
          p * k * (x - mu) - k * k * (digamma_of(x + k) - digamma_of(k) + log_of(p))};
}

template <SlopesFn kSlopes>
void pdf_grad(const PdfParams& p, Grad& g) {
  const Shape& shape = g.in_shape(0);
  const bool two = g.num_inputs() > 2;
  const Tensor a = beside_sample(g.in(1), shape), b = two ? beside_sample(g.in(2), shape) : a;
  const Slopes slopes = kSlopes(g.in(0), a, b);
  const Tensor head = p.is_log ? g.out_grad() : g.out_grad() * g.out(0);
  const Tensor slope[] = {slopes.sample, slopes.a, slopes.b};
  for (int i = 0; i < g.num_inputs(); ++i) {
    if (!g.wants(i)) continue;
    if (!slope[i]) {
      g.set(i, zeros_like(g.in(i)));
      continue;
    }
    const Tensor full = head * slope[i];
    g.set(i, i == 0 ? full : reshape_to(sum_to(full, a->shape()), g.in_shape(i)));
  }
}

// Dirichlet: alpha (s..., k), sample (s..., m..., k), output (s..., m...).

void dirichlet_shape(const PdfParams&, ShapeInfer& s) {
  if (!s.known(0) || !s.known(1)) return;
  const Shape &sample = s.in(0), &alpha = s.in(1);
  const int n = sample.ndim(), m = alpha.ndim();
  if (n == 0 || m == 0 || sample.back() != alpha.back() || !begins_with(sample, n - 1, alpha, m - 1)) {
    s.reject(
        "sample and alpha need last axes of one extent, and the other axes of sample must begin with those "
        "of alpha");
  }
  s.set_out(0, n == 1 ? Shape{1} : Shape(sample.data(), n - 1));
}

void dirichlet_kernel(const PdfParams& p, KernelArgs& args) {
  const View &sample = args.in[0], &alpha = args.in[1], &out = args.out[0];
  if (out.size() == 0) return;
  const int64_t k = sample.shape().back(),
                run = out.size() / std::max<int64_t>(1, k > 0 ? alpha.size() / k : 1);
  parallel_for(out.size(), loop_grain(1024, {k}), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      double log = 0, sum = 0;
      for (int64_t j = 0; j < k; ++j) {
        const double a = number_at(alpha, i / run * k + j);
        log += times_log(a - 1, number_at(sample, i * k + j)) - math::gammaln(a);
        sum += a;
      }
      log += math::gammaln(sum);
      put_number(p.is_log ? log : std::exp(log), out, i);
    }
  });
}

void dirichlet_grad(const PdfParams& p, Grad& g) {
  const Shape &sample = g.in_shape(0), &alpha = g.in_shape(1);
  const int n = sample.ndim(), m = alpha.ndim();
  Shape wide(alpha.data(), m - 1), head_shape(sample.data(), n - 1);
  while (wide.ndim() < n - 1) wide.push_back(1);
  wide.push_back(alpha.back());
  head_shape.push_back(1);
  const Tensor a = reshape_to(g.in(1), wide), x = g.in(0);
  const Tensor head = reshape_to(p.is_log ? g.out_grad() : g.out_grad() * g.out(0), head_shape);
  if (g.wants(0)) g.set(0, head * ((a - 1.0) / x));
  if (!g.wants(1)) return;
  const Tensor slope = log_of(x) - digamma_of(a) + digamma_of(sum_axes(a, {n - 1}, true));
  g.set(1, reshape_to(sum_to(head * slope, wide), alpha));
}

constexpr const char* kSampleDoc = "Samples; their shape begins with that of the parameters. A float dtype.";

void pdf_dtype(const PdfParams&, DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
}

struct PdfInput {
  const char* name;
  const char* doc;
};

int define_pdf(const std::string& name, const char* doc, const char* sample_doc,
               std::initializer_list<PdfInput> inputs, void (*shape)(const PdfParams&, ShapeInfer&),
               void (*kernel)(const PdfParams&, KernelArgs&), void (*grad)(const PdfParams&, Grad&)) {
  const std::string full = "_random_pdf_" + name;
  Define<PdfParams> define(full.c_str());
  define.alias(full.c_str() + 1)
      .doc(doc)
      .origin(("MXNet " + full).c_str())
      .module("random")
      .input("sample", sample_doc);
  for (const PdfInput& input : inputs) define.input(input.name, input.doc);
  define.shape(shape)
      .dtype(pdf_dtype)
      .kernel(kernel)
      .element_cost(40)
      .grad_needs({0, 1, 2}, {0})
      .grad(grad)
      .done();
  return 0;
}

const bool kRegistered = at_load([] {
  [[maybe_unused]] const int registered[] = {
      define_pdf("uniform", "Density 1 / (high - low), wherever the samples lie.", kSampleDoc,
                 {{"low", "Ends of the intervals."}, {"high", "The other ends."}}, pdf_shape,
                 pdf_kernel<log_uniform>, pdf_grad<uniform_slopes>),
      define_pdf("normal", "Density of the normal distribution.", kSampleDoc,
                 {{"mu", "Means."}, {"sigma", "Standard deviations."}}, pdf_shape, pdf_kernel<log_normal>,
                 pdf_grad<normal_slopes>),
      define_pdf("gamma", "Density of the gamma distribution, here of rate beta: the mean is alpha / beta.",
                 kSampleDoc,
                 {{"alpha", "Shapes."}, {"beta", "Rates, the inverse of the scales that samplers take."}},
                 pdf_shape, pdf_kernel<log_gamma>, pdf_grad<gamma_slopes>),
      define_pdf("exponential", "Density of the exponential distribution, wherever the samples lie.",
                 kSampleDoc, {{"lam", "Rates."}}, pdf_shape, pdf_kernel<log_exponential>,
                 pdf_grad<exponential_slopes>),
      define_pdf(
          "poisson", "Probability of a count under the Poisson distribution; its gradient by the count is 0.",
          kSampleDoc, {{"lam", "Means."}}, pdf_shape, pdf_kernel<log_poisson>, pdf_grad<poisson_slopes>),
      define_pdf("negative_binomial",
                 "Probability of so many failures before success number k; its gradient by the count is 0.",
                 kSampleDoc, {{"k", "Successes to wait for."}, {"p", "Probabilities of success."}}, pdf_shape,
                 pdf_kernel<log_negative_binomial>, pdf_grad<negative_binomial_slopes>),
      define_pdf(
          "generalized_negative_binomial",
          "Probability of a count of mean mu and variance mu + alpha * mu^2; its gradient by the count is 0.",
          kSampleDoc, {{"mu", "Means."}, {"alpha", "Dispersions."}}, pdf_shape,
          pdf_kernel<log_generalized_negative_binomial>, pdf_grad<generalized_slopes>),
      define_pdf("dirichlet", "Density of the Dirichlet distribution at vectors along the last axis.",
                 "(s..., m..., k): vectors that sum to 1. A float dtype.",
                 {{"alpha", "(s..., k): concentrations."}}, dirichlet_shape, dirichlet_kernel,
                 dirichlet_grad)};
});

}  // namespace
}  // namespace mixgrad::ops::random_pdf
