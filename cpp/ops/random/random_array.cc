// Distributions whose parameters are arrays: every element of the parameters gives a block of samples.
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/load.h"
#include "kernels/loops/convert.h"
#include "kernels/random/random_fill.h"
#include "kernels/random/random_samplers.h"
#include "op/define.h"

namespace mixgrad::ops::random_array {
namespace {

using random_fill::fill_samples;
using random_fill::fill_standard;
using random_fill::Rows;
using random_fill::Standard;

struct BlockParams {
  Shape shape;
  std::optional<DType> dtype;
  static void fields(Fields<BlockParams>& f) {
    f.add("shape", &BlockParams::shape, "Extents of the block that each element of the parameters gives.",
          at_least(0))
        .add("dtype", &BlockParams::dtype,
             "Element type, a float; by default that of the given output, else float32.");
  }
};

void block_shape(const BlockParams& p, ShapeInfer& s) {
  for (int i = 1; i < s.num_inputs(); ++i) s.set_in(0, s.in(i));
  for (int i = 1; i < s.num_inputs(); ++i) s.set_in(i, s.in(0));
  if (!s.known(0)) return;
  Shape out = s.in(0);
  for (const int64_t extent : p.shape) out.push_back(extent);
  s.set_out(0, out);
}

void block_dtype(const BlockParams& p, DTypeInfer& d) {
  for (int i = 0; i < d.num_inputs(); ++i) d.set_in(i, DType::unknown == d.in(i) ? DType::float32 : d.in(i));
  if (p.dtype || d.out(0) == DType::unknown) d.set_out(0, p.dtype.value_or(DType::float32));
  if (!is_float(d.out(0))) d.reject("output of dtype ", name_of(d.out(0)), "; expected a float dtype");
}

std::vector<double> block_numbers(const View& view) {
  std::vector<double> numbers(static_cast<size_t>(view.size()));
  convert(view.data, view.dtype, numbers.data(), DType::float64, view.size());
  return numbers;
}

// How many samples share parameters; 0 when there are none.
int64_t block_size(const KernelArgs& args) {
  const int64_t rows = args.in[0].size();
  return rows == 0 ? 0 : args.out[0].size() / rows;
}

// NaN where the parameters are outside their range.
template <Standard kWhich>
void block_standard(const BlockParams&, KernelArgs& args) {
  const View& out = args.out[0];
  const int64_t row = block_size(args);
  if (row == 0) return;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> offset = block_numbers(args.in[0]), scale, top;
  const size_t count = offset.size();
  if (kWhich == Standard::exponential) {
    scale.resize(count);
    for (size_t i = 0; i < count; ++i) {
      scale[i] = offset[i] > 0 ? 1 / offset[i] : kNan;
      offset[i] = 0;
    }
  } else {
    scale = block_numbers(args.in[1]);
  }
  if (kWhich == Standard::uniform) {
    top = scale;
    for (size_t i = 0; i < count; ++i) {
      scale[i] = offset[i] <= top[i] ? top[i] - offset[i] : kNan;
      if (offset[i] < top[i]) top[i] = random_fill::largest_below(top[i], out.dtype);
    }
  }
  if (kWhich == Standard::normal) {
    for (double& s : scale) s = s >= 0 ? s : kNan;
  }
  const Rows rows{row, offset.data(), scale.data(), top.empty() ? nullptr : top.data()};
  fill_standard(kWhich, args.random_key(), rows, out);
}

template <random_fill::SampleFn kSample>
void block_samples(const BlockParams&, KernelArgs& args) {
  const int64_t row = block_size(args);
  if (row == 0) return;
  const std::vector<double> a = block_numbers(args.in[0]);
  const std::vector<double> b = args.in.size() > 1 ? block_numbers(args.in[1]) : std::vector<double>();
  fill_samples(kSample, args.random_key(), row, a.data(), b.empty() ? nullptr : b.data(), args.out[0]);
}

struct BlockInput {
  const char* name;
  const char* doc;
};

int define_blocks(const std::string& name, const char* doc, std::initializer_list<BlockInput> inputs,
                  void (*kernel)(const BlockParams&, KernelArgs&), double nanoseconds) {
  const std::string full = "_sample_" + name;
  Define<BlockParams> define(full.c_str());
  define.alias(full.c_str() + 1)
      .doc((std::string(doc) +
            " The output has the parameters' shape followed by `shape`; parameters outside their "
            "range give NaN.")
               .c_str())
      .origin(("MXNet " + full).c_str())
      .module("random");
  for (const BlockInput& input : inputs) define.input(input.name, input.doc);
  define.shape(block_shape)
      .dtype(block_dtype)
      .kernel(kernel)
      .element_cost(nanoseconds)
      .random()
      .grad_needs({}, {})
      .no_gradient()
      .done();
  return 0;
}

const bool kRegistered = at_load([] {
  [[maybe_unused]] const int registered[] = {
      define_blocks("uniform", "Numbers spread evenly over [low, high).",
                    {{"low", "Least values."}, {"high", "Ends of the intervals, of the shape of low."}},
                    block_standard<Standard::uniform>, 1),
      define_blocks("normal", "Numbers of normal distributions.",
                    {{"mu", "Means."}, {"sigma", "Standard deviations, of the shape of mu."}},
                    block_standard<Standard::normal>, 2),
      define_blocks("exponential", "Numbers of exponential distributions.",
                    {{"lam", "Rates, the inverse of the means."}}, block_standard<Standard::exponential>, 2),
      define_blocks(
          "gamma", "Numbers of gamma distributions.",
          {{"alpha", "Shapes."}, {"beta", "Scales, of the shape of alpha: the mean is alpha * beta."}},
          block_samples<random_samplers::sample_gamma>, 80),
      define_blocks("poisson", "Counts of Poisson distributions, as floats.", {{"lam", "Means."}},
                    block_samples<random_samplers::sample_poisson>, 60),
      define_blocks("negative_binomial", "Failures before success number k, as floats.",
                    {{"k", "Successes to wait for."}, {"p", "Probabilities of success, of the shape of k."}},
                    block_samples<random_samplers::sample_negative_binomial>, 150),
      define_blocks("generalized_negative_binomial",
                    "Counts of mean mu and variance mu + alpha * mu^2, as floats.",
                    {{"mu", "Means."}, {"alpha", "Dispersions, of the shape of mu."}},
                    block_samples<random_samplers::sample_generalized_negative_binomial>, 150)};
});

}  // namespace
}  // namespace mixgrad::ops::random_array
