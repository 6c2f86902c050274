// Distributions whose parameters are numbers: _random_<name> of a given shape, _random_<name>_like another array.
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/load.h"
#include "kernels/random/random_fill.h"
#include "kernels/random/random_samplers.h"
#include "op/define.h"

namespace mixgrad::ops::random_number {
namespace {

using random_fill::fill_samples;
using random_fill::fill_standard;
using random_fill::Standard;

constexpr const char* kShapeDoc = "Extents of the output; by default those of the given output.";
constexpr const char* kCtxDoc =
    "Device such as 'cpu(0)'; only stored in files, calls use the current device.";
constexpr const char* kDTypeDoc = "Element type, a float; by default that of the given output, else float32.";

struct Place {
  std::optional<Shape> shape;
  std::string ctx;
  std::optional<DType> dtype;
};

void random_shape(const Place& place, ShapeInfer& s) {
  if (s.num_inputs() == 1) {
    infer_like(s, 0);
  } else if (place.shape) {
    s.set_out(0, s.given(*place.shape));
  }
}

void random_dtype(const Place& place, DTypeInfer& d) {
  if (d.num_inputs() == 1) {
    infer_same_dtype(d);
  } else if (place.dtype || d.out(0) == DType::unknown) {
    d.set_out(0, place.dtype.value_or(DType::float32));
  }
  if (d.out(0) != DType::unknown && !is_float(d.out(0))) {
    d.reject("output of dtype ", name_of(d.out(0)), "; expected a float dtype");
  }
}

// Each distribution: its parameters, what is wrong with them (null when nothing is), and how to fill an array.
struct Uniform : Place {
  double low = 0, high = 1;
  static constexpr const char* kNames[] = {"low", "high"};
  static constexpr const char* kDocs[] = {"Least value.", "End of the interval, itself never drawn."};
  static constexpr double Uniform::*kMembers[] = {&Uniform::low, &Uniform::high};
  const char* wrong() const { return low <= high ? nullptr : "low must not be above high"; }
  void fill(const RandomKey& key, const View& out) const {
    const double widest = out.dtype == DType::float64 ? std::numeric_limits<double>::max()
                                                      : double{std::numeric_limits<float>::max()};
    if (!(high - low <= widest)) {
      fail(Status::invalid_argument, "[uniform] the interval from ", low, " to ", high, " is wider than ",
           name_of(out.dtype), " can express");
    }
    const double scale = high - low, top = low < high ? random_fill::largest_below(high, out.dtype) : high;
    fill_standard(Standard::uniform, key, {out.size() + 1, &low, &scale, &top}, out);
  }
};

struct Normal : Place {
  double loc = 0, scale = 1;
  static constexpr const char* kNames[] = {"loc", "scale"};
  static constexpr const char* kDocs[] = {"Mean.", "Standard deviation."};
  static constexpr double Normal::*kMembers[] = {&Normal::loc, &Normal::scale};
  const char* wrong() const { return scale >= 0 ? nullptr : "scale must be at least 0"; }
  void fill(const RandomKey& key, const View& out) const {
    fill_standard(Standard::normal, key, {out.size() + 1, &loc, &scale, nullptr}, out);
  }
};

struct Exponential : Place {
  double lam = 1;
  static constexpr const char* kNames[] = {"lam"};
  static constexpr const char* kDocs[] = {"Rate, the inverse of the mean."};
  static constexpr double Exponential::*kMembers[] = {&Exponential::lam};
  const char* wrong() const { return lam > 0 ? nullptr : "lam must be above 0"; }
  void fill(const RandomKey& key, const View& out) const {
    const double offset = 0, scale = 1 / lam;
    fill_standard(Standard::exponential, key, {out.size() + 1, &offset, &scale, nullptr}, out);
  }
};

struct Gamma : Place {
  double alpha = 1, beta = 1;
  static constexpr const char* kNames[] = {"alpha", "beta"};
  static constexpr const char* kDocs[] = {"Shape.", "Scale: the mean is alpha * beta."};
  static constexpr double Gamma::*kMembers[] = {&Gamma::alpha, &Gamma::beta};
  const char* wrong() const { return alpha > 0 && beta > 0 ? nullptr : "alpha and beta must be above 0"; }
  void fill(const RandomKey& key, const View& out) const {
    fill_samples(random_samplers::sample_gamma, key, out.size() + 1, &alpha, &beta, out);
  }
};

struct Poisson : Place {
  double lam = 1;
  static constexpr const char* kNames[] = {"lam"};
  static constexpr const char* kDocs[] = {"Mean."};
  static constexpr double Poisson::*kMembers[] = {&Poisson::lam};
  const char* wrong() const { return lam >= 0 ? nullptr : "lam must be at least 0"; }
  void fill(const RandomKey& key, const View& out) const {
    fill_samples(random_samplers::sample_poisson, key, out.size() + 1, &lam, nullptr, out);
  }
};

struct NegativeBinomial : Place {
  double k = 1, p = 1;
  static constexpr const char* kNames[] = {"k", "p"};
  static constexpr const char* kDocs[] = {"Successes to wait for.", "Probability of success."};
  static constexpr double NegativeBinomial::*kMembers[] = {&NegativeBinomial::k, &NegativeBinomial::p};
  const char* wrong() const {
    return k >= 0 && p >= 0 && p <= 1 ? nullptr : "k must be at least 0 and p between 0 and 1";
  }
  void fill(const RandomKey& key, const View& out) const {
    fill_samples(random_samplers::sample_negative_binomial, key, out.size() + 1, &k, &p, out);
  }
};

struct GeneralizedNegativeBinomial : Place {
  double mu = 1, alpha = 1;
  static constexpr const char* kNames[] = {"mu", "alpha"};
  static constexpr const char* kDocs[] = {"Mean.", "Dispersion: the variance is mu + alpha * mu^2."};
  static constexpr double GeneralizedNegativeBinomial::*kMembers[] = {&GeneralizedNegativeBinomial::mu,
                                                                      &GeneralizedNegativeBinomial::alpha};
  const char* wrong() const { return mu >= 0 && alpha >= 0 ? nullptr : "mu and alpha must be at least 0"; }
  void fill(const RandomKey& key, const View& out) const {
    fill_samples(random_samplers::sample_generalized_negative_binomial, key, out.size() + 1, &mu, &alpha,
                 out);
  }
};

// The parameters of the two operators of a distribution.
template <class D>
struct Shaped : D {
  static void fields(Fields<Shaped>& f) {
    for (size_t i = 0; i < std::size(D::kNames); ++i) f.add(D::kNames[i], D::kMembers[i], D::kDocs[i]);
    f.add("shape", &Shaped::shape, kShapeDoc, at_least(0))
        .add("ctx", &Shaped::ctx, kCtxDoc)
        .add("dtype", &Shaped::dtype, kDTypeDoc);
  }
};
template <class D>
struct Like : D {
  static void fields(Fields<Like>& f) {
    for (size_t i = 0; i < std::size(D::kNames); ++i) f.add(D::kNames[i], D::kMembers[i], D::kDocs[i]);
  }
};

// Scripts expect these errors where the numbers are read, not at the call.
template <class P>
void check_range(const P& p, const char* name) {
  const char* wrong = p.wrong();
  if (!wrong) return;
  std::string got;
  for (size_t i = 0; i < std::size(P::kNames); ++i)
    got += text(i ? ", " : "", P::kNames[i], " = ", p.*P::kMembers[i]);
  fail(Status::invalid_argument, "[", name, "] ", wrong, "; got ", got);
}

template <class P>
Define<P>& finish(Define<P>& define, const char* doc, const std::string& origin, double nanoseconds) {
  return define.doc(doc)
      .origin(("MXNet " + origin).c_str())
      .module("random")
      .shape([](const P& p, ShapeInfer& s) { random_shape(p, s); })
      .dtype([](const P& p, DTypeInfer& d) { random_dtype(p, d); })
      .kernel([](const P& p, KernelArgs& args) {
        check_range(p, args.name());
        p.fill(args.random_key(), args.out[0]);
      })
      .element_cost(nanoseconds)
      .random()
      .grad_needs({}, {})
      .no_gradient();
}

// Registers _random_<name>, alias random_<name> and, where given, another alias, and _random_<name>_like.
template <class D>
int define_distribution(const std::string& name, const char* doc, double nanoseconds,
                        const char* short_name = nullptr) {
  const std::string full = "_random_" + name;
  Define<Shaped<D>> shaped(full.c_str());
  shaped.alias(full.c_str() + 1);
  if (short_name) shaped.alias(short_name);
  finish(shaped, doc, full, nanoseconds).done();
  Define<Like<D>> like((full + "_like").c_str());
  like.input("data", "Gives the output's shape and dtype.");
  finish(like, doc, full + "_like", nanoseconds).done();
  return 0;
}

const bool kRegistered = at_load([] {
  [[maybe_unused]] const int registered[] = {
      define_distribution<Uniform>("uniform", "Numbers spread evenly over [low, high).", 1, "uniform"),
      define_distribution<Normal>("normal", "Numbers of the normal distribution.", 2, "normal"),
      define_distribution<Exponential>("exponential", "Numbers of the exponential distribution of rate lam.",
                                       2),
      define_distribution<Gamma>("gamma", "Numbers of the gamma distribution of shape alpha and scale beta.",
                                 80),
      define_distribution<Poisson>("poisson", "Counts of the Poisson distribution of mean lam, as floats.",
                                   60),
      define_distribution<NegativeBinomial>(
          "negative_binomial",
          "Failures before success number k, each trial succeeding with probability p, as floats.", 150),
      define_distribution<GeneralizedNegativeBinomial>(
          "generalized_negative_binomial", "Counts of mean mu and variance mu + alpha * mu^2, as floats.",
          150)};
});

}  // namespace
}  // namespace mixgrad::ops::random_number
