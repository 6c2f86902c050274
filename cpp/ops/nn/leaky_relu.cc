// Rectifiers that let something through below 0: leaky, parametric, randomised, exponential, scaled, Gaussian.
#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "kernels/formulas/leaky_relu_formula.h"
#include "kernels/loops/convert.h"
#include "kernels/math/math_special.h"
#include "kernels/random/random.h"
#include "ops/unary_table.h"

namespace mixgrad::ops::leaky_relu {
namespace {

enum class Leak { elu, gelu, leaky, prelu, rrelu, selu };

struct LeakyParams {
  Leak act_type = Leak::leaky;
  double slope = 0.25;
  double lower_bound = 0.125, upper_bound = 0.334;
  static void fields(Fields<LeakyParams>& f) {
    f.choice("act_type", &LeakyParams::act_type, {"elu", "gelu", "leaky", "prelu", "rrelu", "selu"},
             "Which function.")
        .add("slope", &LeakyParams::slope, "Slope below 0 of leaky, scale below 0 of elu.")
        .add("lower_bound", &LeakyParams::lower_bound, "Smallest slope that rrelu draws.")
        .add("upper_bound", &LeakyParams::upper_bound, "Largest slope that rrelu draws.");
  }
};

// Klambauer et al. 2017, arXiv:1706.02515
constexpr double kSeluScale = 1.0507009873554805, kSeluAlpha = 1.6732632423543772;

// Functions of x alone, and their gradients over x = output gradient, y = input.
const Op& leak_loop(Leak leak) {
  static const Op& elu =
      make_loop<LeakyParams>(MG_SCALAR(x > 0 ? x : static_cast<T>(p.slope) * math::expm1(x > 0 ? T(0) : x)));
  static const Op& gelu = make_loop<LeakyParams>(MG_SCALAR(math::gelu(x)));
  static const Op& leaky = make_loop<LeakyParams>(MG_SCALAR(x > 0 ? x : static_cast<T>(p.slope) * x));
  static const Op& selu = make_loop<LeakyParams>(
      MG_SCALAR(static_cast<T>(1.0507009873554805) *
                (x > 0 ? x : static_cast<T>(1.6732632423543772) * math::expm1(x > 0 ? T(0) : x))));
  return leak == Leak::elu ? elu : leak == Leak::gelu ? gelu : leak == Leak::leaky ? leaky : selu;
}
const Op& leak_gradient_loop(Leak leak) {
  static const Op& elu = make_loop<LeakyParams>(
      MG_SCALAR(y > 0 ? x : x * static_cast<T>(p.slope) * math::exp(y > 0 ? T(0) : y)));
  static const Op& gelu = make_loop<LeakyParams>(MG_SCALAR(x * math::gelu_slope(y)));
  static const Op& leaky = make_loop<LeakyParams>(MG_SCALAR(y > 0 ? x : x * static_cast<T>(p.slope)));
  static const Op& selu = make_loop<LeakyParams>(
      MG_SCALAR(x * static_cast<T>(1.0507009873554805) *
                (y > 0 ? T(1) : static_cast<T>(1.6732632423543772) * math::exp(y > 0 ? T(0) : y))));
  return leak == Leak::elu ? elu : leak == Leak::gelu ? gelu : leak == Leak::leaky ? leaky : selu;
}

// gamma in a shape that broadcasts to the data: one number, one per channel (axis 1; axis 0 of a vector), or an array along
// the data's first axes.
Shape gamma_shape(const Shape& gamma, const Shape& data) {
  if (gamma.ndim() > 1) {
    Shape shape = gamma;
    while (shape.ndim() < data.ndim()) shape.push_back(1);
    return shape;
  }
  if (gamma.size() == 1 || data.ndim() < 2) return gamma;
  Shape shape = Shape::filled(data.ndim(), 1);
  shape[1] = gamma[0];
  return shape;
}

constexpr int64_t kSlopeTile = 512;  // whole groups of random words

// The factor of every element: 1 above 0, below it one slope, drawn in training.
void fill_factors(const LeakyParams& p, const KernelArgs& args, const View& data, const View& factors) {
  list_formula<KernelKind::random, RandomLeak<float>>();
  const RandomLeak<double> formula = {p.lower_bound, p.upper_bound - p.lower_bound};
  const RandomKey key = {args.seed, args.stream};
  const size_t item = size_of(data.dtype);
  const int64_t size = data.size(), tiles = (size + kSlopeTile - 1) / kSlopeTile;
  parallel_for(tiles, 16384 / kSlopeTile, [&](int64_t first, int64_t last) {
    uint32_t words[kSlopeTile];
    double tile[kSlopeTile], product;
    std::fill(words, words + kSlopeTile, kMeanWord);
    for (int64_t t = first; t < last; ++t) {
      const int64_t at = t * kSlopeTile, n = std::min(kSlopeTile, size - at);
      const size_t offset = static_cast<size_t>(at) * item;
      if (args.training) random_words(key, at, kSlopeTile, words);
      convert(data.as<char>() + offset, data.dtype, tile, DType::float64, n);
      for (int64_t i = 0; i < n; ++i) formula.step(words[i], tile[i], tile[i], product);
      convert(tile, DType::float64, factors.as<char>() + offset, data.dtype, n);
    }
  });
}

void run_leaky(const LeakyParams& p, KernelArgs& args) {
  if (p.act_type == Leak::prelu) {
    static const Op& loop = make_loop<LeakyParams>(MG_SCALAR(x > 0 ? x : x * y));
    const Shape shape = gamma_shape(args.in[1].shape(), args.in[0].shape());
    const View in[] = {args.in[0], {args.in[1].data, &shape, args.in[1].dtype}};
    return run_pointwise(loop, &p, in, args.out[0]);
  }
  if (p.act_type == Leak::rrelu) {
    static const Op& loop = make_loop<LeakyParams>(MG_SCALAR(x * y));
    fill_factors(p, args, args.in[0], args.out[1]);
    const View in[] = {args.in[0], args.out[1]};
    return run_pointwise(loop, &p, in, args.out[0]);
  }
  run_pointwise(leak_loop(p.act_type), &p, args.in, args.out[0]);
}

// Sums head * data where data <= 0 per channel.
void run_gamma_gradient(const View& head, const View& data, const View& out) {
  const Shape& shape = data.shape();
  const int64_t channels = out.size();
  const int axis = shape.ndim() < 2 ? 0 : 1;
  int64_t outer = 1, inner = 1;
  for (int d = 0; d < axis; ++d) outer *= shape[d];
  for (int d = axis + 1; d < shape.ndim(); ++d) inner *= shape[d];
  if (channels == 1) outer = 1, inner = data.size();
  const size_t item = size_of(data.dtype);
  parallel_for(channels, 1, [&](int64_t begin, int64_t end) {
    double h[kSlopeTile], x[kSlopeTile];
    for (int64_t c = begin; c < end; ++c) {
      double sum = 0;
      for (int64_t o = 0; o < outer; ++o) {
        for (int64_t at = 0; at < inner; at += kSlopeTile) {
          const int64_t n = std::min(kSlopeTile, inner - at);
          const size_t offset = static_cast<size_t>((o * channels + c) * inner + at) * item;
          convert(head.as<char>() + offset, data.dtype, h, DType::float64, n);
          convert(data.as<char>() + offset, data.dtype, x, DType::float64, n);
          for (int64_t i = 0; i < n; ++i) sum += x[i] > 0 ? 0 : h[i] * x[i];
        }
      }
      convert(&sum, DType::float64, out.as<char>() + static_cast<size_t>(c) * item, out.dtype, 1);
    }
  });
}

// The same for a gamma along several axes; each of its numbers serves all of an axis along which it has one.
void run_spread_gradient(const View& head, const View& data, const View& out) {
  const Shape &shape = data.shape(), gamma = gamma_shape(out.shape(), shape);
  const int ndim = shape.ndim();
  int64_t stride[kMaxDims] = {}, at[kMaxDims] = {};
  for (int64_t d = ndim - 1, step = 1; d >= 0; step *= gamma[static_cast<int>(d--)])
    stride[d] = gamma[static_cast<int>(d)] == 1 ? 0 : step;
  std::vector<double> sums(static_cast<size_t>(out.size()), 0);
  double h[kSlopeTile], x[kSlopeTile];
  int64_t place = 0;
  for (int64_t begin = 0; begin < data.size(); begin += kSlopeTile) {
    const int64_t n = std::min(kSlopeTile, data.size() - begin);
    const size_t offset = static_cast<size_t>(begin) * size_of(data.dtype);
    convert(head.as<char>() + offset, data.dtype, h, DType::float64, n);
    convert(data.as<char>() + offset, data.dtype, x, DType::float64, n);
    for (int64_t i = 0; i < n; ++i) {
      sums[static_cast<size_t>(place)] += x[i] > 0 ? 0 : h[i] * x[i];
      for (int d = ndim - 1; d >= 0; --d) {
        place += stride[d];
        if (++at[d] < shape[d]) break;
        place -= stride[d] * shape[d];
        at[d] = 0;
      }
    }
  }
  convert(sums.data(), DType::float64, out.data, out.dtype, out.size());
}

void run_leaky_gradient(const LeakyParams& p, BackwardArgs& args) {
  if (p.act_type == Leak::prelu) {
    if (args.wants(0)) {
      static const Op& loop = make_loop<LeakyParams>(MG_SCALAR(y > 0 ? x : x * z));
      const Shape shape = gamma_shape(args.in[1].shape(), args.in[0].shape());
      const View in[] = {args.out_grad[0], args.in[0], {args.in[1].data, &shape, args.in[1].dtype}};
      run_pointwise(loop, &p, in, args.in_grad[0]);
    }
    const auto gradient = args.in[1].shape().ndim() > 1 ? run_spread_gradient : run_gamma_gradient;
    if (args.wants(1)) gradient(args.out_grad[0], args.in[0], args.in_grad[1]);
    return;
  }
  if (p.act_type == Leak::rrelu) {
    static const Op& loop = make_loop<LeakyParams>(MG_SCALAR(x * y));
    return run_gradient(loop, &p, args, args.out[1]);
  }
  run_gradient(leak_gradient_loop(p.act_type), &p, args, args.in[0]);
}

// The slope at every element, from operators.
Tensor slope_of(const LeakyParams& p, const Grad& g) {
  const Tensor x = g.in(0);
  if (p.act_type == Leak::rrelu) return g.out(1);
  if (p.act_type == Leak::gelu) {
    const Tensor half = (apply("erf", {x * 0.7071067811865476}) + 1.0) * 0.5;
    return half + x * apply("exp", {apply("square", {x}) * -0.5}) * 0.3989422804014327;
  }
  const Tensor above = apply("_greater_scalar", {x}, {{"scalar", Value(0.0)}});
  if (p.act_type == Leak::leaky) return above * (1 - p.slope) + p.slope;
  if (p.act_type == Leak::prelu) {
    return select(
        above, ones_like(x),
        broadcast_to(reshape_to(g.in(1), gamma_shape(g.in_shape(1), g.in_shape(0))), g.in_shape(0)));
  }
  // Below 0, elu and selu are their own slope but for a constant.
  const double at_zero = p.act_type == Leak::elu ? p.slope : kSeluScale * kSeluAlpha;
  const double beyond = p.act_type == Leak::elu ? 1 : kSeluScale;
  return select(above, ones_like(x) * beyond, g.out(0) + at_zero);
}

const Op& leaky_relu =
    Define<LeakyParams>("LeakyReLU")
        .alias("_npx_leaky_relu")
        .doc(
            "max(data, 0) plus something below 0: slope * data (leaky), gamma * data (prelu), slope * "
            "(e^data - 1) (elu), "
            "a scaled elu (selu), data times a random slope in training and the mean slope otherwise "
            "(rrelu), or "
            "data * Phi(data) with the normal distribution's Phi (gelu). rrelu also returns the factors it "
            "applied.")
        .origin("MXNet LeakyReLU")
        .input("data", "Any float array.")
        .input("gamma",
               "Of prelu alone: one slope, one per channel (axis 1), or an array that broadcasts along "
               "data's first axes.")
        .starts_as("[\"Constant\", {\"value\": 0.25}]")
        .outputs({"out", "mask"})
        .num_inputs([](const LeakyParams& p) { return p.act_type == Leak::prelu ? 2 : 1; })
        .num_outputs([](const LeakyParams& p) { return p.act_type == Leak::rrelu ? 2 : 1; })
        .shape([](const LeakyParams& p, ShapeInfer& s) {
          s.set_in(0, s.out(0));
          for (int i = 0; i < s.num_outputs(); ++i) s.set_out(i, s.in(0));
          const Shape& data = s.in(0);
          if (p.act_type != Leak::prelu || !data.known_rank()) return;
          const int axis = data.ndim() < 2 ? 0 : 1;
          const int64_t channels = data.ndim() == 0 ? 1 : data[axis];
          if (channels < 0) return;
          if (!s.in(1).known_rank()) s.set_in(1, Shape({channels}));
          const Shape& gamma = s.in(1);
          bool fits = gamma.ndim() == 1 ? gamma[0] < 0 || gamma[0] == channels || gamma[0] == 1
                                        : gamma.ndim() > 1 && gamma.ndim() <= data.ndim();
          for (int i = 0; gamma.ndim() > 1 && fits && i < gamma.ndim(); ++i)
            fits = gamma[i] < 0 || data[i] < 0 || gamma[i] == data[i] || gamma[i] == 1;
          if (!fits) {
            s.reject("gamma must have shape (1,) or (", channels,
                     ",), or extents along data's first axes, each that of data or 1");
          }
        })
        .kernel(run_leaky)
        .element_cost(0.5)
        .random()
        .depends_on_mode()
        .grad_needs({0, 1}, {0, 1})
        .grad([](const LeakyParams& p, Grad& g) {
          if (g.wants(0)) g.set(0, g.out_grad() * slope_of(p, g));
          if (p.act_type != Leak::prelu || !g.wants(1)) return;
          const Tensor below = apply("_lesser_equal_scalar", {g.in(0)}, {{"scalar", Value(0.0)}});
          const Shape shape = gamma_shape(g.in_shape(1), g.in_shape(0));
          g.set(1, reshape_to(sum_to(g.out_grad() * g.in(0) * below, shape), g.in_shape(1)));
        })
        .backward(run_leaky_gradient);

}  // namespace
}  // namespace mixgrad::ops::leaky_relu
