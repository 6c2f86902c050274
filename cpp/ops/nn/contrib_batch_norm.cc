// Variants of BatchNorm: one that ends with max(x, 0), and one for batches on several devices.
#include <algorithm>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "ops/nn/batch_norm.h"

namespace mixgrad::ops::contrib_batch_norm {
namespace {

using batch_norm::batch_norm_backward;
using batch_norm::batch_norm_dtype;
using batch_norm::batch_norm_grad_of;
using batch_norm::batch_norm_kernel;
using batch_norm::batch_norm_shape;
using batch_norm::BatchNormParams;
using batch_norm::channel_values;
using batch_norm::Channels;
using batch_norm::norm_inputs;
using batch_norm::store_channels;

// max(x, 0) of elements; NaN stays.
void rectify(const View& x) {
  constexpr int64_t kTile = 512;
  parallel_for(x.size(), 16384, [&](int64_t begin, int64_t end) {
    Elements<double> from(x, kTile), to(x, kTile);
    for (int64_t at = begin; at < end; at += kTile) {
      const int64_t n = std::min(kTile, end - at);
      const double* values = from.read(at, n);
      double* results = to.write(at);
      for (int64_t i = 0; i < n; ++i) results[i] = values[i] < 0 ? 0 : values[i];
      to.store(at, n);
    }
  });
}

// dy where y is above 0, else 0.
void pass_positive(const View& dy, const View& y, const View& dx) {
  constexpr int64_t kTile = 512;
  parallel_for(dy.size(), 16384, [&](int64_t begin, int64_t end) {
    Elements<double> heads(dy, kTile), values(y, kTile), results(dx, kTile);
    for (int64_t at = begin; at < end; at += kTile) {
      const int64_t n = std::min(kTile, end - at);
      const double *head = heads.read(at, n), *value = values.read(at, n);
      double* result = results.write(at);
      for (int64_t i = 0; i < n; ++i) result[i] = value[i] > 0 ? head[i] : 0;
      results.store(at, n);
    }
  });
}

const Op& batch_norm_relu =
    norm_inputs(Define<BatchNormParams>("_contrib_BatchNormWithReLU")
                    .module("contrib")
                    .doc("BatchNorm, and of its result what is above 0, 0 elsewhere.")
                    .origin("MXNet _contrib_BatchNormWithReLU"))
        .outputs({"out", "mean", "var"})
        .num_visible([](const BatchNormParams& p) { return p.output_mean_var ? 3 : 1; })
        .shape(batch_norm_shape)
        .dtype(batch_norm_dtype)
        .kernel([](const BatchNormParams& p, KernelArgs& args) {
          batch_norm_kernel(p, args);
          rectify(args.out[0]);
        })
        .grad_needs({0, 1}, {0, 1, 2})
        .grad([](const BatchNormParams& p, Grad& g) {
          const Tensor positive = apply("_greater_scalar", {g.out(0)}, {{"scalar", Value(0.0)}});
          batch_norm_grad_of(p, g, g.out_grad() * positive, 2);
        })
        .backward([](const BatchNormParams& p, BackwardArgs& args) {
          const View& dy = args.out_grad[0];
          const Scratch passed(dy.bytes());
          View head = dy;
          head.data = passed.data();
          pass_positive(dy, args.out[0], head);
          BackwardArgs inner = args;
          inner.out_grad = {&head, 1};
          batch_norm_backward(p, inner);
        })
        .backward_reads({0});

struct SyncParams {
  double eps = 1e-3, momentum = 0.9;
  bool fix_gamma = true, use_global_stats = false, output_mean_var = false;
  int32_t ndev = 1;
  std::string key;
  static void fields(Fields<SyncParams>& f) {
    f.add("eps", &SyncParams::eps, "Added to the variance.", at_least(0))
        .add("momentum", &SyncParams::momentum, "Share of the old value in a moving average.")
        .add("fix_gamma", &SyncParams::fix_gamma, "Takes gamma as 1 and gives it no gradient.")
        .add("use_global_stats", &SyncParams::use_global_stats,
             "Normalises with the moving averages in training too, and leaves them.")
        .add("output_mean_var", &SyncParams::output_mean_var,
             "Also gives mean and variance per channel; they pass no gradient on.")
        .add("ndev", &SyncParams::ndev, "Devices that share a batch; one.")
        .required("key", &SyncParams::key, "Names the layer, so that devices find each other.");
  }
  BatchNormParams norm() const {
    BatchNormParams p;
    p.eps = eps, p.momentum = momentum, p.fix_gamma = fix_gamma, p.use_global_stats = use_global_stats;
    return p;
  }
};

// Outputs of the calls below: out, mean, variance, 1 / sqrt(variance + eps).
constexpr int kSyncInverse = 3;

const Op& sync_batch_norm =
    norm_inputs(Define<SyncParams>("_contrib_SyncBatchNorm")
                    .module("contrib")
                    .doc("BatchNorm whose statistics are those of a batch on all devices. There is one: ndev "
                         "above 1 is "
                         "refused.")
                    .origin("MXNet _contrib_SyncBatchNorm; https://arxiv.org/abs/1803.08904"))
        .outputs({"out", "mean", "var", "inverse"})
        .num_visible([](const SyncParams& p) { return p.output_mean_var ? 3 : 1; })
        .shape([](const SyncParams& p, ShapeInfer& s) {
          if (p.ndev > 1) {
            fail(Status::unsupported, "[", s.name(), "] ndev is ", p.ndev,
                 "; statistics are not shared by devices, expected 1 (or 0)");
          }
          batch_norm_shape(p.norm(), s);
        })
        .dtype([](const SyncParams& p, DTypeInfer& d) { batch_norm_dtype(p.norm(), d); })
        .kernel([](const SyncParams& p, KernelArgs& args) {
          const View outputs[] = {args.out[0], args.out[1], args.out[kSyncInverse]};
          KernelArgs inner = args;
          inner.out = {outputs, 3};
          batch_norm_kernel(p.norm(), inner);
          Channels variance = channel_values(outputs[2]);
          for (double& v : variance) v = 1 / (v * v) - p.eps;
          store_channels(variance, args.out[2]);
        })
        .grad_needs({0, 1}, {1, kSyncInverse})
        .grad(
            [](const SyncParams& p, Grad& g) { batch_norm_grad_of(p.norm(), g, g.out_grad(), kSyncInverse); })
        .backward([](const SyncParams& p, BackwardArgs& args) {
          const View outputs[] = {args.out[0], args.out[1], args.out[kSyncInverse]};
          BackwardArgs inner = args;
          inner.out = {outputs, 3};
          batch_norm_backward(p.norm(), inner);
        })
        .backward_reads({0});

}  // namespace
}  // namespace mixgrad::ops::contrib_batch_norm
