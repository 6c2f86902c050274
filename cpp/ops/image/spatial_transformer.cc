// Images under affine maps that a network may learn.
#include "ops/image/grid.h"

#include <optional>

#include "kernels/scratch.h"

namespace mixgrad::ops::spatial_transformer {
namespace {

enum class Map { affine };
enum class Interpolation { bilinear };

struct TransformerParams {
  Shape target_shape{0, 0};
  Map transform_type = Map::affine;
  Interpolation sampler_type = Interpolation::bilinear;
  std::optional<bool> cudnn_off;
  static void fields(Fields<TransformerParams>& f) {
    f.add("target_shape", &TransformerParams::target_shape, "Height and width of the output.", at_least(0))
        .choice("transform_type", &TransformerParams::transform_type, {"affine"}, "Kind of map.", true)
        .choice("sampler_type", &TransformerParams::sampler_type, {"bilinear"}, "Kind of interpolation.",
                true)
        .add("cudnn_off", &TransformerParams::cudnn_off, "Accepted for MXNet's scripts; has no effect.");
  }
};

void transformer_shape(const TransformerParams& p, ShapeInfer& s) {
  const Shape& target = p.target_shape;
  constexpr int64_t kAny = Shape::kUnknownDim;
  if (target.ndim() != 2 || target[0] < 1 || target[1] < 1) {
    s.reject("target_shape is ", target, "; expected a height and a width of at least 1");
  }
  if (s.in(0).known_rank() && s.in(0).ndim() != 4)
    s.reject("data must be images (batch, channels, height, width)");
  s.set_in(0, {kAny, kAny, kAny, kAny});
  s.set_in(1, {s.in(0)[0], 6});
  s.set_in(0, {s.in(1)[0], kAny, kAny, kAny});
  s.set_out(0, {s.in(0)[0], s.in(0)[1], target[0], target[1]});
  s.set_out(1, {s.in(0)[0], 2, target[0], target[1]});
}

void transformer_grad(const TransformerParams& p, Grad& g) {
  const TupleValue target(p.target_shape);
  const std::vector<Tensor> grids =
      apply_all("GridGenerator", std::vector<Tensor>{g.in(1)},
                std::vector<NamedValue>{{"transform_type", "affine"}, {"target_shape", target}});
  const grid::SampleGrads grads =
      grid::compose_sample(g.out_grad(), g.in(0), grids[0], g.wants(0), g.wants(1));
  if (g.wants(0)) g.set(0, grads.data);
  if (g.wants(1)) g.set(1, grid::compose_affine(grads.positions, grids[1]));
}

void transformer_backward(const TransformerParams&, BackwardArgs& args) {
  const View& positions = args.out[1];
  View grad;
  Scratch workspace;
  if (args.wants(1)) {
    grad = positions;
    grad.dtype = grad.dtype == DType::float64 ? DType::float64 : DType::float32;
    workspace = Scratch(grad.bytes());
    grad.data = workspace.data();
  }
  grid::sample_backward(args.out_grad[0], args.in[0], positions, args.in_grad[0], grad);
  if (args.wants(1)) grid::affine_backward(grad, args.in_grad[1]);
}

const Op& op =
    Define<TransformerParams>("SpatialTransformer")
        .doc(
            "BilinearSampler of data at the grid that GridGenerator makes of the maps: (batch, channels, "
            "rows, columns).")
        .origin("MXNet SpatialTransformer; Jaderberg and others 2015")
        .input("data", "Images (batch, channels, height, width), float.")
        .input("loc",
               "(batch, 6): the rows of 2 x 3 matrices, from (x, y, 1) in the output to (x, y) in data.")
        .outputs({"output", "grid"})
        .num_visible([](const TransformerParams&) { return 1; })
        .shape(transformer_shape)
        .dtype([](const TransformerParams&, DTypeInfer& d) {
          infer_same_dtype(d);
          if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
        })
        .kernel([](const TransformerParams&, KernelArgs& args) {
          grid::affine(args.in[1], args.out[1]);
          grid::sample(args.in[0], args.out[1], args.out[0]);
        })
        .cost([](const TransformerParams& p, Span<const Shape> in) {
          return grid::sample_cost(in[0], p.target_shape.size());
        })
        .grad_needs({0, 1}, {1})
        .backward_reads({0})
        .grad(transformer_grad)
        .backward(transformer_backward);

}  // namespace
}  // namespace mixgrad::ops::spatial_transformer
