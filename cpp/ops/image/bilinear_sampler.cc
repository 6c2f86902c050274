// Images sampled at the positions of a grid, between pixels linearly.
#include "ops/image/grid.h"

#include <optional>

namespace mixgrad::ops::bilinear_sampler {
namespace {

struct SamplerParams {
  std::optional<bool> cudnn_off;
  static void fields(Fields<SamplerParams>& f) {
    f.add("cudnn_off", &SamplerParams::cudnn_off, "Accepted for MXNet's scripts; has no effect.");
  }
};

void sampler_shape(const SamplerParams&, ShapeInfer& s) {
  constexpr int64_t kAny = Shape::kUnknownDim;
  for (int i = 0; i < 2; ++i) {
    if (s.in(i).known_rank() && s.in(i).ndim() != 4)
      s.reject("expected images (batch, channels, height, width) and a grid (batch, 2, height, width)");
  }
  s.set_in(0, {kAny, kAny, kAny, kAny});
  s.set_in(1, {s.in(0)[0], 2, kAny, kAny});
  s.set_in(0, {s.in(1)[0], kAny, kAny, kAny});
  s.set_out(0, {s.in(0)[0], s.in(0)[1], s.in(1)[2], s.in(1)[3]});
}

const Op& op =
    Define<SamplerParams>("BilinearSampler")
        .doc(
            "(batch, channels, rows, columns): data at the positions of the grid, weighing the four pixels "
            "around each. "
            "What lies outside of the image counts as 0.")
        .origin("MXNet BilinearSampler; Jaderberg and others 2015")
        .input("data", "Images (batch, channels, height, width), float.")
        .input("grid",
               "(batch, 2, rows, columns): x, then y; -1 is the first pixel of the axis and 1 the last.")
        .shape(sampler_shape)
        .dtype([](const SamplerParams&, DTypeInfer& d) {
          infer_same_dtype(d);
          if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
        })
        .kernel(
            [](const SamplerParams&, KernelArgs& args) { grid::sample(args.in[0], args.in[1], args.out[0]); })
        .cost([](const SamplerParams&, Span<const Shape> in) {
          return grid::sample_cost(in[0], in[1][2] * in[1][3]);
        })
        .grad([](const SamplerParams&, Grad& g) {
          const grid::SampleGrads grads =
              grid::compose_sample(g.out_grad(), g.in(0), g.in(1), g.wants(0), g.wants(1));
          if (g.wants(0)) g.set(0, grads.data);
          if (g.wants(1)) g.set(1, grads.positions);
        })
        .backward([](const SamplerParams&, BackwardArgs& args) {
          grid::sample_backward(args.out_grad[0], args.in[0], args.in[1], args.in_grad[0], args.in_grad[1]);
        });

}  // namespace
}  // namespace mixgrad::ops::bilinear_sampler
