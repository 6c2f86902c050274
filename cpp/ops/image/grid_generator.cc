// Positions at which a transformed image samples the original.
#include "ops/image/grid.h"

#include "base/parallel.h"
#include "kernels/elements.h"

namespace mixgrad::ops::grid_generator {
namespace {

enum class Transform { affine, warp };

struct GridParams {
  Transform transform_type = Transform::affine;
  Shape target_shape{0, 0};
  static void fields(Fields<GridParams>& f) {
    f.choice("transform_type", &GridParams::transform_type, {"affine", "warp"},
             "Whether data holds matrices or a shift in pixels for each position.", true)
        .add("target_shape", &GridParams::target_shape, "Of affine: height and width of the grid.",
             at_least(0));
  }
  bool affine() const { return transform_type == Transform::affine; }
};

void grid_shape(const GridParams& p, ShapeInfer& s) {
  if (p.affine()) {
    const Shape& target = p.target_shape;
    if (target.ndim() != 2 || target[0] < 1 || target[1] < 1) {
      s.reject("target_shape is ", target, "; expected a height and a width of at least 1");
    }
    int64_t pixels = 0;
    if (__builtin_mul_overflow(target[0], target[1], &pixels))
      s.reject("target_shape ", target, " has too many pixels");
    s.set_in(0, {s.out(0).known_rank() && s.out(0).ndim() == 4 ? s.out(0)[0] : Shape::kUnknownDim, 6});
    s.set_out(0, {s.in(0)[0], 2, target[0], target[1]});
    return s.set_out(1, {3, pixels});
  }
  s.set_in(0, s.out(0));
  if (!s.in(0).known_rank()) return;
  if (s.in(0).ndim() != 4) s.reject("expected shifts (batch, 2, height, width)");
  s.set_in(0, {Shape::kUnknownDim, 2, Shape::kUnknownDim, Shape::kUnknownDim});
  s.set_out(0, s.in(0));
  s.set_out(1, {2, 1, 1});
}

// Positions per pixel of an axis.
double warp_scale(int64_t extent) { return extent > 1 ? 2 / static_cast<double>(extent - 1) : 0; }

template <class C>
void warp(const View& shifts, const View& out, const View& scale) {
  const Shape& s = out.shape();
  const int64_t height = s[2], width = s[3];
  const double factors[2] = {warp_scale(width), warp_scale(height)};
  convert(factors, DType::float64, scale.data, scale.dtype, 2);
  Elements<C> from(shifts, shifts.size()), results(out, out.size());
  const C* x = from.read(0, shifts.size());
  C* y = results.write(0);
  parallel_for(s[0] * 2 * height, loop_grain(8192, {width}), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const bool vertical = row / height % 2 == 1;
      const C factor = static_cast<C>(factors[vertical]);
      for (int64_t i = 0; i < width; ++i) {
        const int64_t at = row * width + i;
        const double place = vertical ? grid::position(row % height, height) : grid::position(i, width);
        y[at] = x[at] * factor + static_cast<C>(place);
      }
    }
  });
  results.store(0, out.size());
}

const Op& op =
    Define<GridParams>("GridGenerator")
        .doc(
            "Grid (batch, 2, height, width) of positions (x, y), where -1 and 1 are the first and the last "
            "pixel of an "
            "axis. affine multiplies 2 x 3 matrices by (x, y, 1) of every pixel; warp adds shifts, in "
            "pixels, to every "
            "pixel's own position.")
        .origin("MXNet GridGenerator; Jaderberg and others 2015")
        .input("data", "affine: (batch, 6), the rows of the matrices. warp: (batch, 2, height, width).")
        .outputs({"output", "grid_dst"})
        .num_visible([](const GridParams&) { return 1; })
        .shape(grid_shape)
        .dtype([](const GridParams&, DTypeInfer& d) {
          infer_same_dtype(d);
          if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
        })
        .kernel([](const GridParams& p, KernelArgs& args) {
          const View &data = args.in[0], &out = args.out[0], &hidden = args.out[1];
          if (p.affine()) {
            grid::affine(data, out);
            grid::base(out.shape()[2], out.shape()[3], hidden);
          } else if (is_wide(out.dtype)) {
            warp<double>(data, out, hidden);
          } else {
            warp<float>(data, out, hidden);
          }
        })
        .element_cost(1)
        .grad_needs({}, {1})
        .grad([](const GridParams& p, Grad& g) {
          g.set(0, p.affine() ? grid::compose_affine(g.out_grad(), g.out(1)) : g.out_grad() * g.out(1));
        });

}  // namespace
}  // namespace mixgrad::ops::grid_generator
