// Normalisation of each channel over a batch, with moving averages for prediction.
#include "ops/nn/batch_norm.h"

#include <cmath>

#include "kernels/loops/convert.h"
#include "kernels/normalization/channel_norm.h"
#include "ops/nn/norm_grad.h"

namespace mixgrad::ops::batch_norm {
namespace {

using channel_norm::Layout;

Layout batch_layout(const BatchNormParams& p, const Shape& s) {
  const int axis = normalize_axis(p.axis, s.ndim(), "BatchNorm");
  return {s.size(0, axis), s[axis], s.size(axis + 1, s.ndim())};
}

Channels batch_gamma(const BatchNormParams& p, const View& gamma) {
  return p.fix_gamma ? Channels(static_cast<size_t>(gamma.size()), 1.0) : channel_values(gamma);
}

// Only the statistics of the batch depend on the data.
bool batch_statistics(const BatchNormParams& p, bool training) {
  return kTraining && training && !p.use_global_stats;
}

}  // namespace

void BatchNormParams::fields(Fields<BatchNormParams>& f) {
  f.add("eps", &BatchNormParams::eps, "Added to the variance.", at_least(0))
      .add("momentum", &BatchNormParams::momentum, "Share of the old value in a moving average.")
      .add("fix_gamma", &BatchNormParams::fix_gamma, "Takes gamma as 1 and gives it no gradient.")
      .add("use_global_stats", &BatchNormParams::use_global_stats,
           "Normalises with the moving averages in training too, and leaves them.")
      .add("output_mean_var", &BatchNormParams::output_mean_var,
           "Also gives mean and 1 / sqrt(variance + eps) per channel; they pass no gradient on.")
      .add("axis", &BatchNormParams::axis, "Axis of the channels.")
      .add("cudnn_off", &BatchNormParams::cudnn_off, "Accepted for MXNet's sake; changes nothing.")
      .add("min_calib_range", &BatchNormParams::min_calib_range,
           "Accepted for MXNet's sake; changes nothing.")
      .add("max_calib_range", &BatchNormParams::max_calib_range,
           "Accepted for MXNet's sake; changes nothing.");
}

Channels channel_values(const View& v) {
  Channels values(static_cast<size_t>(v.size()));
  convert(v.data, v.dtype, values.data(), DType::float64, v.size());
  return values;
}
void store_channels(const Channels& values, const View& v) {
  convert(values.data(), DType::float64, v.data, v.dtype, v.size());
}

void batch_norm_kernel(const BatchNormParams& p, KernelArgs& args) {
  const View& x = args.in[0];
  const Layout l = batch_layout(p, x.shape());
  Channels mean = channel_values(args.in[3]), variance = channel_values(args.in[4]);
  const bool moves = kTraining && args.training && !p.use_global_stats && l.count() > 0;
  Channels moving_mean, moving_variance;
  if (moves) {
    moving_mean = mean, moving_variance = variance;
    channel_norm::statistics(x, l, mean.data(), variance.data());
    const double keep = p.momentum;
    for (size_t c = 0; c < mean.size(); ++c) {
      moving_mean[c] = keep * moving_mean[c] + (1 - keep) * mean[c];
      moving_variance[c] = keep * moving_variance[c] + (1 - keep) * variance[c];
    }
  }
  Channels& inverse = variance;
  for (double& v : inverse) v = 1 / std::sqrt(v + p.eps);
  store_channels(mean, args.out[1]);
  store_channels(inverse, args.out[2]);
  if (x.size() == 0) return;  // nor do states move
  // What is computed again from the statistics stored shall be the same.
  mean = channel_values(args.out[1]);
  inverse = channel_values(args.out[2]);
  Channels scale = batch_gamma(p, args.in[1]);
  for (size_t c = 0; c < scale.size(); ++c) scale[c] *= inverse[c];
  channel_norm::affine(x, args.out[0], l, mean.data(), scale.data(), channel_values(args.in[2]).data());
  if (!moves) return;
  // Last: a call that fails leaves the states as they were.
  store_channels(moving_mean, args.in[3]);
  store_channels(moving_variance, args.in[4]);
}

void batch_norm_backward(const BatchNormParams& p, BackwardArgs& args) {
  const View &dy = args.out_grad[0], &x = args.in[0];
  const Layout l = batch_layout(p, x.shape());
  const Channels mean = channel_values(args.out[1]), inverse = channel_values(args.out[2]);
  const size_t channels = mean.size();
  Channels sum(channels, 0.0), along(channels, 0.0);
  if (x.size() > 0) channel_norm::dots(dy, x, l, mean.data(), sum.data(), along.data());
  if (args.wants(0) && x.size() > 0) {
    Channels a = batch_gamma(p, args.in[1]), b(channels, 0.0), c(channels, 0.0);
    const double n = static_cast<double>(l.count());
    for (size_t k = 0; k < channels; ++k) {
      a[k] *= inverse[k];
      if (!batch_statistics(p, args.training)) continue;
      b[k] = -a[k] * inverse[k] * inverse[k] * along[k] / n;
      c[k] = -a[k] * sum[k] / n;
    }
    channel_norm::linear(dy, x, args.in_grad[0], l, mean.data(), a.data(), b.data(), c.data());
  }
  for (size_t k = 0; k < channels; ++k) along[k] = p.fix_gamma ? 0 : along[k] * inverse[k];
  if (args.wants(1)) store_channels(along, args.in_grad[1]);
  if (args.wants(2)) store_channels(sum, args.in_grad[2]);
  for (int i : {3, 4}) {
    if (args.wants(i)) store_channels(Channels(channels, 0.0), args.in_grad[static_cast<size_t>(i)]);
  }
}

void batch_norm_grad_of(const BatchNormParams& p, Grad& g, const Tensor& dy, int place) {
  const Shape& shape = g.in_shape(0);
  const int axis = normalize_axis(p.axis, shape.ndim(), "BatchNorm");
  Shape across = Shape::filled(shape.ndim(), 1), axes;
  across[axis] = shape[axis];
  for (int i = 0; i < shape.ndim(); ++i) {
    if (i != axis) axes.push_back(i);
  }
  const DType dtype = g.in_dtype(0);
  const auto spread = [&](const Tensor& t) { return cast_to(reshape_to(t, across), dtype); };
  const int64_t count = shape[axis] > 0 ? shape.size() / shape[axis] : 0;
  const bool of_batch = batch_statistics(p, g.training()) && axes.ndim() > 0;
  const norm_grad::Whitened w =
      of_batch
          ? norm_grad::whiten(g.in(0), axes, count, p.eps)
          : norm_grad::Whitened{(g.in(0) - spread(g.out(1))) * spread(g.out(place)), spread(g.out(place))};
  if (g.wants(0)) {
    const Tensor scaled = p.fix_gamma ? dy : dy * spread(g.in(1));
    g.set(0, of_batch ? norm_grad::whiten_gradient(w, scaled, axes, count) : scaled * w.scale);
  }
  const auto gather = [&](const Tensor& t) {
    return cast_to(reshape_to(sum_to(t, across), g.in_shape(1)), g.in_dtype(1));
  };
  if (g.wants(1)) g.set(1, p.fix_gamma ? zeros_like(g.in(1)) : gather(dy * w.out));
  if (g.wants(2)) g.set(2, gather(dy));
  for (int i : {3, 4}) {
    if (g.wants(i)) g.set(i, zeros_like(g.out(1)));
  }
}
void batch_norm_shape(const BatchNormParams& p, ShapeInfer& s) {
  s.set_in(0, s.out(0));
  s.set_out(0, s.in(0));
  if (!s.in(0).known_rank()) return;
  const Shape& data = s.in(0);
  if (data.ndim() == 0) s.reject("data needs an axis");
  const Shape channels{data[normalize_axis(p.axis, data.ndim(), s.name())]};
  for (int i = 1; i < 5; ++i) s.set_in(i, channels);
  for (int i = 1; i < s.num_outputs(); ++i) s.set_out(i, channels);
}

// Parameters of half data are float32 unless given otherwise.
void batch_norm_dtype(const BatchNormParams&, DTypeInfer& d) {
  if (d.in(0) == DType::unknown) d.set_in(0, d.out(0));
  const DType data = d.in(0);
  if (data == DType::unknown) return;
  if (!is_float(data)) d.reject("data must be of a float dtype");
  d.set_out(0, data);
  DType weights = DType::unknown;
  for (int i = 1; i < 5 && weights == DType::unknown; ++i) weights = d.in(i);
  if (weights == DType::unknown) weights = is_half(data) ? DType::float32 : data;
  if (!is_float(weights)) d.reject("gamma must be of a float dtype");
  for (int i = 1; i < 5; ++i) d.set_in(i, weights);
  for (int i = 1; i < d.num_outputs(); ++i) d.set_out(i, weights);
}

namespace {

void batch_norm_grad(const BatchNormParams& p, Grad& g) { batch_norm_grad_of(p, g, g.out_grad(), 2); }

const Op& batch_norm =
    norm_inputs(
        Define<BatchNormParams>("BatchNorm")
            .alias("_npx_batch_norm")
            .alias("BatchNorm_v1")
            .doc("Each channel shifted and scaled to mean 0 and variance 1, then times gamma plus beta. In "
                 "training the statistics are those of the batch (its variance divides by the number of "
                 "elements), and the moving averages move towards them in the same call; in prediction the "
                 "moving averages serve.")
            .origin("MXNet BatchNorm; https://arxiv.org/abs/1502.03167"))
        .outputs({"out", "mean", "var"})
        .num_visible([](const BatchNormParams& p) { return p.output_mean_var ? 3 : 1; })
        .shape(batch_norm_shape)
        .dtype(batch_norm_dtype)
        .kernel(batch_norm_kernel)
        .inplace()
        .grad_needs({0, 1}, {1, 2})
        .grad(batch_norm_grad)
        .backward(batch_norm_backward)
        .backward_inplace()
        .backward_reads({0});

struct AgainParams {
  bool fix_gamma = true;
  int32_t axis = 1;
  static void fields(Fields<AgainParams>& f) {
    f.add("fix_gamma", &AgainParams::fix_gamma, "Takes gamma as 1.")
        .add("axis", &AgainParams::axis, "Axis of the channels.");
  }
};

[[maybe_unused]] const GradientOp& batch_norm_again =
    DefineForGradients<AgainParams>("_batch_norm_again")
        .doc(
            "BatchNorm of training with the statistics that a call on the same data has found. Graphs get it "
            "where the "
            "backward part computes values again; it has no gradient.")
        .input("data", "Floats; axis 1, or `axis`, holds the channels.")
        .input("gamma", "(C,): scale; taken as 1 while fix_gamma is set.")
        .input("beta", "(C,): shift.")
        .input("mean", "(C,): BatchNorm's second output.")
        .input("inverse", "(C,): its third, 1 / sqrt(variance + eps).")
        .shape([](const AgainParams& p, ShapeInfer& s) {
          s.set_in(0, s.out(0));
          s.set_out(0, s.in(0));
          if (!s.in(0).known_rank()) return;
          if (s.in(0).ndim() == 0) s.reject("data needs an axis");
          const Shape channels{s.in(0)[normalize_axis(p.axis, s.in(0).ndim(), s.name())]};
          for (int i = 1; i < 5; ++i) s.set_in(i, channels);
        })
        .dtype([](const AgainParams&, DTypeInfer& d) {
          if (d.in(0) == DType::unknown) d.set_in(0, d.out(0));
          if (d.in(0) == DType::unknown) return;
          if (!is_float(d.in(0))) d.reject("data must be of a float dtype");
          d.set_out(0, d.in(0));
          for (int i = 1; i < 5; ++i) {
            if (d.in(i) == DType::unknown) d.set_in(i, is_half(d.in(0)) ? DType::float32 : d.in(0));
          }
        })
        .kernel([](const AgainParams& p, KernelArgs& args) {
          const View& x = args.in[0];
          if (x.size() == 0) return;
          BatchNormParams norm;
          norm.fix_gamma = p.fix_gamma;
          norm.axis = p.axis;
          Channels scale = batch_gamma(norm, args.in[1]);
          const Channels inverse = channel_values(args.in[4]);
          for (size_t c = 0; c < scale.size(); ++c) scale[c] *= inverse[c];
          channel_norm::affine(x, args.out[0], batch_layout(norm, x.shape()),
                               channel_values(args.in[3]).data(), scale.data(),
                               channel_values(args.in[2]).data());
        })
        .element_cost(0.12)
        .inplace();

}  // namespace
}  // namespace mixgrad::ops::batch_norm
