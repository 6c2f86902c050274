// Distributions of NumPy's namespace: parameters are numbers or arrays, which broadcast to the output.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/load.h"
#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/strided.h"
#include "kernels/random/random_fill.h"
#include "kernels/random/random_samplers.h"
#include "kernels/scratch.h"
#include "op/define.h"

namespace mixgrad::ops::random_numpy {
namespace {

using random_fill::Standard;

constexpr const char* kCtxDoc =
    "Device such as 'cpu(0)'; only stored in files, calls use the current device.";
constexpr const char* kSizeDoc = "Extents of the output; None means those of the parameters.";

// Up to two parameters, each a number or, where that is None, an input.
struct Sampled {
  std::optional<double> first, second;
  std::optional<Shape> size;
  std::string ctx = "cpu";
  DType dtype = DType::float32;
  bool is_logit = false;
};

// One distribution: names of its parameters, the standard numbers it starts from, what becomes of these, and how the
// result changes with each parameter (null: no gradient). z is a standard number, y the result.
struct Location {
  static constexpr const char *kFirst = "loc", *kSecond = "scale";
  static constexpr bool kRequired = true, kTyped = false;
};
struct TypedLocation : Location {
  static constexpr bool kTyped = true;
};
struct Interval {
  static constexpr const char *kFirst = "low", *kSecond = "high";
  static constexpr bool kRequired = true, kTyped = true;
};
struct Scale {
  static constexpr const char *kFirst = "scale", *kSecond = nullptr;
  static constexpr bool kRequired = false, kTyped = false;
};
struct Exponent {
  static constexpr const char *kFirst = "a", *kSecond = nullptr;
  static constexpr bool kRequired = false, kTyped = false;
};
struct ShapeScale {
  static constexpr const char *kFirst = "shape", *kSecond = "scale";
  static constexpr bool kRequired = true, kTyped = true;
};
struct Chance {
  static constexpr const char *kFirst = "prob", *kSecond = "logit";
  static constexpr bool kRequired = true, kTyped = true;
};

template <class D>
struct Params : Sampled {
  static constexpr bool kIsChance = std::is_same_v<D, Chance>;
  static void fields(Fields<Params>& f) {
    const char* doc = "A number; None: an input holds numbers.";
    if (D::kRequired)
      f.required(D::kFirst, &Params::first, doc);
    else
      f.add(D::kFirst, &Params::first, doc);
    if (D::kSecond) f.required(D::kSecond ? D::kSecond : "", &Params::second, doc);
    f.add("size", &Params::size, kSizeDoc);
    f.add("ctx", &Params::ctx, kCtxDoc);
    if (D::kTyped) f.add("dtype", &Params::dtype, "Element type.");
    if (kIsChance) f.required("is_logit", &Params::is_logit, "Whether logit is given rather than prob.");
  }
  Params() {
    if (std::is_same_v<D, Scale>) first = 1;
  }
};

// Which of the two parameters are inputs, in order.
template <class D>
int inputs_of(const Params<D>& p) {
  if (Params<D>::kIsChance) return p.is_logit ? !p.second : !p.first;
  return int{!p.first} + (D::kSecond ? int{!p.second} : 0);
}

template <class D, bool kStacked>
void sampled_shape(const Params<D>& p, ShapeInfer& s) {
  Shape common;
  for (int i = 0; i < s.num_inputs(); ++i) {
    if (!s.known(i)) return;
    common = broadcast(common, s.in(i), s.name());
  }
  Shape out = common;
  if (p.size && kStacked) {
    for (int i = p.size->ndim() - 1; i >= 0; --i) out.insert(0, (*p.size)[i]);
  } else if (p.size) {
    out = *p.size;
    if (broadcast(out, common, s.name()) != out)
      s.reject("size is ", out, "; expected one that the parameters broadcast to");
  }
  for (int i = 0; i < out.ndim(); ++i) {
    if (out[i] < 0) s.reject("size is ", out, "; expected extents from 0 on");
  }
  for (int i = 0; i < s.num_outputs(); ++i) s.set_out(i, out);
}

// Numbers of a parameter, one per element of the output.
std::vector<double> spread(const View* given, double number, const Shape& out) {
  std::vector<double> numbers(static_cast<size_t>(out.size()), number);
  if (!given || out.size() == 0) return numbers;
  std::vector<double> own(static_cast<size_t>(given->size()));
  convert(given->data, given->dtype, own.data(), DType::float64, given->size());
  copy_strided(own.data(), broadcast_strides(given->shape(), out), numbers.data(), contiguous_strides(out),
               out, sizeof(double));
  return numbers;
}

using Transform = double (*)(double z, double a, double b);
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
double positive(double x) { return x >= 0 ? x : kNan; }

double normal_of(double z, double a, double b) { return a + positive(b) * z; }
double uniform_of(double z, double a, double b) { return a + (b - a) * z; }
double logistic_of(double z, double a, double b) { return a + positive(b) * (std::log(z) - std::log1p(-z)); }
double gumbel_of(double z, double a, double b) { return a - positive(b) * std::log(z); }
double exponential_of(double z, double a, double) { return positive(a) * z; }
double rayleigh_of(double z, double a, double) { return positive(a) * std::sqrt(2 * z); }
double weibull_of(double z, double a, double) { return a > 0 ? std::pow(z, 1 / a) : kNan; }
double pareto_of(double z, double a, double) { return a > 0 ? std::expm1(z / a) : kNan; }
double power_of(double z, double a, double) { return a > 0 ? std::pow(z, 1 / a) : kNan; }

// out, and the standard numbers, which the gradient reads.
template <class D, Standard kStandard, Transform kTransform>
void sample_kernel(const Params<D>& p, KernelArgs& args) {
  const View& out = args.out[0];
  const Shape& shape = out.shape();
  if (out.size() == 0) return;
  size_t next = 0;
  const std::vector<double> a = spread(p.first ? nullptr : &args.in[next++], p.first.value_or(0), shape);
  const std::vector<double> b =
      spread(!D::kSecond || p.second ? nullptr : &args.in[next++], p.second.value_or(0), shape);
  std::vector<double> z(a.size());
  const double zero = 0, one = 1;
  random_fill::fill_standard(kStandard, args.random_key(), {out.size() + 1, &zero, &one, nullptr},
                             {z.data(), &shape, DType::float64});
  std::vector<double> y(z.size());
  for (size_t i = 0; i < z.size(); ++i) {
    if (kStandard == Standard::uniform && z[i] <= 0) z[i] = 0x1p-54;  // logarithms follow
    y[i] = kTransform(z[i], a[i], b[i]);
  }
  convert(y.data(), DType::float64, out.data, out.dtype, out.size());
  convert(z.data(), DType::float64, args.out[1].data, args.out[1].dtype, out.size());
}

void gamma_kernel(const Params<ShapeScale>& p, KernelArgs& args) {
  const View& out = args.out[0];
  if (out.size() == 0) return;
  size_t next = 0;
  const std::vector<double> a =
      spread(p.first ? nullptr : &args.in[next++], p.first.value_or(0), out.shape());
  const std::vector<double> b =
      spread(p.second ? nullptr : &args.in[next++], p.second.value_or(0), out.shape());
  random_fill::fill_samples(random_samplers::sample_gamma, args.random_key(), 1, a.data(), b.data(), out);
}

void bernoulli_kernel(const Params<Chance>& p, KernelArgs& args) {
  const View& out = args.out[0];
  if (out.size() == 0) return;
  const std::optional<double>& number = p.is_logit ? p.second : p.first;
  const std::vector<double> chance = spread(number ? nullptr : &args.in[0], number.value_or(0), out.shape());
  std::vector<double> z(chance.size());
  const double zero = 0, one = 1;
  random_fill::fill_standard(Standard::uniform, args.random_key(), {out.size() + 1, &zero, &one, nullptr},
                             {z.data(), &out.shape(), DType::float64});
  for (size_t i = 0; i < z.size(); ++i) {
    const double c = p.is_logit ? 1 / (1 + std::exp(-chance[i])) : chance[i];
    if (!(c >= 0 && c <= 1)) {
      fail(Status::invalid_argument, "[", args.name(), "] prob holds ", chance[i],
           "; expected numbers from 0 to 1");
    }
    z[i] = z[i] < c ? 1 : 0;
  }
  convert(z.data(), DType::float64, out.data, out.dtype, out.size());
}

// How the result changes with the parameters: by 1 and z (location), 1 - z and z (interval), y / a (scale) and the rest.
template <class D>
void location_grad(const Params<D>& p, Grad& g) {
  const Tensor og = g.out_grad(), y = g.out(0);
  int next = 0;
  Tensor a, b;
  const int first = p.first ? -1 : next++, second = p.second ? -1 : next++;
  if (first >= 0) a = g.in(first);
  if (second >= 0) b = g.in(second);
  if (first >= 0 && g.wants(first)) g.set(first, cast_to(sum_to(og, a->shape()), a->dtype()));
  if (second < 0 || !g.wants(second)) return;
  const Tensor moved = first >= 0 ? y - cast_to(a, y->dtype()) : y - *p.first;
  g.set(second, cast_to(sum_to(og * moved / cast_to(b, y->dtype()), b->shape()), b->dtype()));
}
template <class D>
void interval_grad(const Params<D>& p, Grad& g) {
  const Tensor og = g.out_grad(), z = cast_to(g.out(1), og->dtype());
  int next = 0;
  const int first = p.first ? -1 : next++, second = p.second ? -1 : next++;
  if (first >= 0 && g.wants(first))
    g.set(first, cast_to(sum_to(og * (1.0 - z), g.in_shape(first)), g.in_dtype(first)));
  if (second >= 0 && g.wants(second))
    g.set(second, cast_to(sum_to(og * z, g.in_shape(second)), g.in_dtype(second)));
}
template <class D>
void scale_grad(const Params<D>&, Grad& g) {
  const Tensor a = cast_to(g.in(0), g.out_grad()->dtype());
  g.set(0, cast_to(sum_to(g.out_grad() * g.out(0) / a, g.in_shape(0)), g.in_dtype(0)));
}
// y = z^(1 / a): dy/da = -y ln(y) / a.
template <class D>
void root_grad(const Params<D>&, Grad& g) {
  const Tensor a = cast_to(g.in(0), g.out_grad()->dtype()), y = g.out(0);
  g.set(0, cast_to(sum_to(-(g.out_grad() * y * apply("log", {y}) / a), g.in_shape(0)), g.in_dtype(0)));
}
// y = e^(z / a) - 1: dy/da = -(y + 1) ln(y + 1) / a.
template <class D>
void pareto_grad(const Params<D>&, Grad& g) {
  const Tensor a = cast_to(g.in(0), g.out_grad()->dtype()), y = g.out(0);
  g.set(0,
        cast_to(sum_to(-(g.out_grad() * (y + 1.0) * apply("log1p", {y}) / a), g.in_shape(0)), g.in_dtype(0)));
}

template <class D, bool kStacked>
Define<Params<D>> distribution(const char* name, Text doc, int outputs) {
  Define<Params<D>> define(name);
  define.doc(doc).origin("MXNet np_random").input("input1", "The first parameter that is no number.");
  if (D::kSecond && !Params<D>::kIsChance) define.input("input2", "The second one.");
  if (outputs == 2) define.outputs({"out", "standard"}).num_visible([](const Params<D>&) { return 1; });
  define.num_inputs([](const Params<D>& p) { return inputs_of(p); })
      .shape(sampled_shape<D, kStacked>)
      .dtype([](const Params<D>& p, DTypeInfer& d) {
        d.set_out(0, p.dtype);
        if (d.num_outputs() > 1) d.set_out(1, DType::float64);
      })
      .element_cost(40)
      .random();
  return define;
}

template <class D, Standard kStandard, Transform kTransform, bool kStacked = false>
void add(const char* name, Text doc, define::GradFn<Params<D>> grad) {
  distribution<D, kStacked>(name, doc, 2)
      .kernel(sample_kernel<D, kStandard, kTransform>)
      .grad_needs({0, 1}, {0, 1})
      .grad(grad)
      .done();
}

struct MultinomialParams {
  int64_t n = 0;
  std::optional<Reals> pvals;
  std::optional<Shape> size;
  static void fields(Fields<MultinomialParams>& f) {
    f.required("n", &MultinomialParams::n, "How often it is drawn.", between(0, int64_t{1} << 53))
        .add("pvals", &MultinomialParams::pvals, "Probabilities; None: an input holds them.")
        .add("size", &MultinomialParams::size, "Extents before the last axis.");
  }
};
struct ChoiceParams {
  std::optional<int64_t> a;
  Shape size;
  std::string ctx = "cpu";
  bool replace = true, weighted = false;
  static void fields(Fields<ChoiceParams>& f) {
    f.required("a", &ChoiceParams::a,
               "Numbers are drawn from 0 to a - 1; None: an input, by its first extent.")
        .required("size", &ChoiceParams::size, "Extents of the output.", at_least(0))
        .add("ctx", &ChoiceParams::ctx, kCtxDoc)
        .add("replace", &ChoiceParams::replace, "Whether a number may come again.")
        .add("weighted", &ChoiceParams::weighted, "Whether the last input holds probabilities.");
  }
};

// The place of a uniform number among running sums.
int64_t place_in(const std::vector<double>& sums, double u) {
  const auto at = std::upper_bound(sums.begin(), sums.end(), u * sums.back());
  return std::min<int64_t>(at - sums.begin(), static_cast<int64_t>(sums.size()) - 1);
}
std::vector<double> running_sums(std::vector<double> chances, const char* who) {
  double sum = 0;
  for (double& chance : chances) {
    if (!(chance >= 0))
      fail(Status::invalid_argument, "[", who, "] a probability is ", chance, "; expected numbers from 0 on");
    chance = sum += chance;
  }
  if (!chances.empty() && !(sum > 0))
    fail(Status::invalid_argument, "[", who, "] the probabilities are 0; expected a sum of 1");
  return chances;
}

void multinomial_kernel(const MultinomialParams& p, KernelArgs& args) {
  const View& out = args.out[0];
  std::vector<double> chances;
  if (p.pvals) {
    chances = *p.pvals;
  } else {
    chances.resize(static_cast<size_t>(args.in[0].size()));
    convert(args.in[0].data, args.in[0].dtype, chances.data(), DType::float64, args.in[0].size());
  }
  const std::vector<double> sums = running_sums(chances, args.name());
  if (!sums.empty() && sums.back() > 1 + 1e-5)
    fail(Status::invalid_argument, "[", args.name(), "] the probabilities sum to ", sums.back(),
         "; expected at most 1");
  const auto k = static_cast<int64_t>(sums.size());
  if (k == 0) return;
  // One outcome after another, of the draws that the ones before have left. What is missing to 1 belongs to the last, as in NumPy.
  parallel_for(out.size() / k, loop_grain(1 << 8, {k}), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      int64_t* counts = out.as<int64_t>() + r * k;
      ElementRandom random(args.random_key(), r);
      int64_t left = p.n;
      double rest = 1;
      for (int64_t i = 0; i + 1 < k; ++i) {
        const double chance = chances[static_cast<size_t>(i)];
        counts[i] = left > 0 ? random_samplers::draw_binomial(random, left, std::min(chance / rest, 1.0)) : 0;
        left -= counts[i];
        rest = std::max(rest - chance, 0.0);
      }
      counts[k - 1] = left;
    }
  });
}

int64_t population(const ChoiceParams& p, const Shape* first, const char* who) {
  const int64_t n = p.a ? *p.a : first->ndim() > 0 ? (*first)[0] : 0;
  if (n < 1)
    fail(Status::invalid_argument, "[", who, "] there is nothing to draw from; expected a of at least 1");
  check_extents(p.size, sizeof(int64_t), who);
  if (!p.replace && p.size.size() > n)
    fail(Status::invalid_argument, "[", who, "] size ", p.size, " of ", n,
         " numbers without replacement; expected at most as many");
  return n;
}
// Numbers of which each has a place in memory while some are drawn.
constexpr int64_t kMostKept = int64_t{1} << 32;

void choice_kernel(const ChoiceParams& p, KernelArgs& args) {
  const View& out = args.out[0];
  const int64_t n = population(p, args.in.empty() ? nullptr : &args.in[0].shape(), args.name());
  ElementRandom random(args.random_key(), 0);
  int64_t* drawn = out.as<int64_t>();
  if (p.replace && !p.weighted) {
    for (int64_t i = 0; i < out.size(); ++i)
      drawn[i] = static_cast<int64_t>(random.below(static_cast<uint64_t>(n)));
    return;
  }
  if (n > kMostKept)
    fail(Status::out_of_memory, "[", args.name(), "] ", n, " numbers to choose from; expected at most ",
         kMostKept, " without replacement or with probabilities");
  std::vector<double> chances(static_cast<size_t>(n), 1.0);
  if (p.weighted) {
    const View& given = args.in[args.in.size() - 1];
    if (given.size() != n)
      fail(Status::shape, "[", args.name(), "] ", given.size(), " probabilities for ", n,
           " numbers; expected one each");
    convert(given.data, given.dtype, chances.data(), DType::float64, n);
    // They must sum to 1, as closely as half the digits of their type tell.
    const std::vector<double> sums = running_sums(chances, args.name());
    const double tolerance = given.dtype == DType::float64    ? 1.5e-8
                             : given.dtype == DType::float16  ? 0.04
                             : given.dtype == DType::bfloat16 ? 0.09
                                                              : 3.5e-4;
    if (!(std::fabs(sums.back() - 1) <= tolerance))
      fail(Status::invalid_argument, "[", args.name(), "] the probabilities sum to ", sums.back(),
           "; expected 1");
    const int64_t possible = n - std::count(chances.begin(), chances.end(), 0.0);
    if (!p.replace && possible < out.size())
      fail(Status::invalid_argument, "[", args.name(), "] ", possible, " probabilities above 0 for ",
           out.size(), " numbers without replacement; expected at least as many");
  }
  if (p.replace) {
    const std::vector<double> sums = running_sums(std::move(chances), args.name());
    for (int64_t i = 0; i < out.size(); ++i) drawn[i] = place_in(sums, random.uniform());
    return;
  }
  // Without replacement: the smallest of exponential numbers divided by the chances (Efraimidis and Spirakis 2006).
  std::vector<std::pair<double, int64_t>> keys;
  for (int64_t i = 0; i < n; ++i) {
    const double chance = chances[static_cast<size_t>(i)], key = -std::log(random.uniform());
    keys.emplace_back(chance > 0 ? key / chance : std::numeric_limits<double>::infinity(), i);
  }
  std::partial_sort(keys.begin(), keys.begin() + out.size(), keys.end());
  for (int64_t i = 0; i < out.size(); ++i) drawn[i] = keys[static_cast<size_t>(i)].second;
}

const bool kRegistered = at_load([] {
  add<TypedLocation, Standard::normal, normal_of>("_npi_normal", "Numbers of normal distributions.",
                                                  location_grad<TypedLocation>);
  add<TypedLocation, Standard::normal, normal_of, true>(
      "_npi_normal_n", "Numbers of normal distributions: blocks of `size`, each of the parameters' shape.",
      location_grad<TypedLocation>);
  add<Interval, Standard::uniform, uniform_of>("_npi_uniform", "Numbers spread evenly over [low, high).",
                                               interval_grad<Interval>);
  add<Interval, Standard::uniform, uniform_of, true>(
      "_npi_uniform_n",
      "Numbers spread evenly over [low, high): blocks of `size`, each of the parameters' shape.",
      interval_grad<Interval>);
  add<Location, Standard::uniform, logistic_of>("_npi_logistic", "Numbers of logistic distributions.",
                                                location_grad<Location>);
  add<Location, Standard::exponential, gumbel_of>("_npi_gumbel", "Numbers of Gumbel's distributions.",
                                                  location_grad<Location>);
  add<Scale, Standard::exponential, exponential_of>(
      "_npi_exponential", "Numbers of exponential distributions.", scale_grad<Scale>);
  add<Scale, Standard::exponential, rayleigh_of>("_npi_rayleigh", "Numbers of Rayleigh's distributions.",
                                                 scale_grad<Scale>);
  add<Exponent, Standard::exponential, weibull_of>(
      "_npi_weibull", "Numbers of Weibull's distributions of scale 1.", root_grad<Exponent>);
  add<Exponent, Standard::exponential, pareto_of>(
      "_npi_pareto", "Numbers of Pareto's distributions, from 0 on.", pareto_grad<Exponent>);
  add<Exponent, Standard::uniform, power_of>("_npi_powerd", "Numbers between 0 and 1 of density a x^(a - 1).",
                                             root_grad<Exponent>);
  distribution<ShapeScale, false>("_npi_gamma", "Numbers of gamma distributions.", 1)
      .kernel(gamma_kernel)
      .grad_needs({}, {})
      .no_gradient()
      .done();
  distribution<Chance, false>("_npi_bernoulli", "1 with a probability, else 0.", 1)
      .kernel(bernoulli_kernel)
      .grad_needs({}, {})
      .no_gradient()
      .done();
});

const Op& multinomial =
    Define<MultinomialParams>("_npi_multinomial")
        .doc("How often each of several outcomes comes in n draws, int64.")
        .origin("MXNet _npi_multinomial")
        .input("a", "Probabilities, one axis.")
        .num_inputs([](const MultinomialParams& p) { return p.pvals ? 0 : 1; })
        .shape([](const MultinomialParams& p, ShapeInfer& s) {
          if (!p.pvals && !s.known(0)) return;
          if (!p.pvals && s.in(0).ndim() != 1) s.reject("expected probabilities along one axis");
          Shape out = p.size.value_or(Shape());
          out.push_back(p.pvals ? static_cast<int64_t>(p.pvals->size()) : s.in(0)[0]);
          s.set_out(0, out);
        })
        .dtype([](const MultinomialParams&, DTypeInfer& d) { d.set_out(0, DType::int64); })
        .kernel(multinomial_kernel)
        .element_cost(100)
        .random()
        .grad_needs({}, {})
        .no_gradient();

const Op& choice = Define<ChoiceParams>("_npi_choice")
                       .doc("Numbers drawn from those below a, or indices of an array, int64.")
                       .origin("MXNet _npi_choice")
                       .input("input1", "The array, or the probabilities where a is a number.")
                       .input("input2", "The probabilities.")
                       .num_inputs([](const ChoiceParams& p) { return int{!p.a} + int{p.weighted}; })
                       .shape([](const ChoiceParams& p, ShapeInfer& s) {
                         if (!p.a && !s.known(0)) return;
                         population(p, s.num_inputs() > 0 ? &s.in(0) : nullptr, s.name());
                         s.set_out(0, p.size);
                       })
                       .dtype([](const ChoiceParams&, DTypeInfer& d) { d.set_out(0, DType::int64); })
                       .kernel(choice_kernel)
                       .element_cost(100)
                       .random()
                       .grad_needs({}, {})
                       .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::random_numpy
