// Images of another size, by straight lines between pixels.
#include <cmath>
#include <cstring>
#include <optional>

#include "kernels/image/resample.h"
#include "op/define.h"

namespace mixgrad::ops::bilinear_resize {
namespace {

enum class ResizeMode { size, odd_scale, like, to_even_down, to_even_up, to_odd_down, to_odd_up };

struct ResizeParams {
  int32_t height = 1, width = 1;
  std::optional<float> scale_height, scale_width;
  ResizeMode mode = ResizeMode::size;
  bool align_corners = true;
  static void fields(Fields<ResizeParams>& f) {
    f.add("height", &ResizeParams::height, "Height of the output, without scale.", between(1, 10000))
        .add("width", &ResizeParams::width, "Width of the output, without scale.", between(1, 10000))
        .add("scale_height", &ResizeParams::scale_height, "Factor of the height.")
        .add("scale_width", &ResizeParams::scale_width, "Factor of the width.")
        .choice(
            "mode", &ResizeParams::mode,
            {"size", "odd_scale", "like", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up"},
            "'size' takes numbers or factors; 'odd_scale' factors that keep the first and last pixel of odd "
            "extents; 'like' the size of a second input; the others the next even or odd number.")
        .add("align_corners", &ResizeParams::align_corners,
             "Whether the middles of corner pixels stay in place, rather than the corners.");
  }
};

int64_t resized(const ResizeParams& p, ShapeInfer& s, int64_t in, int64_t like, int32_t size,
                const std::optional<float>& scale) {
  const double factor = scale ? *scale : 1;
  if (!(factor > 0)) s.reject("a scale is ", factor, "; expected more than 0");
  constexpr double kMost = 0x1p62;  // what is added stays within int64
  const auto scaled = [&](int64_t n) {
    const double pixels =
        static_cast<double>(static_cast<float>(n) * static_cast<float>(factor));  // 10 * 0.7f is 7
    if (!(pixels < kMost))
      s.reject("a scale of ", factor, " makes ", pixels, " pixels of ", n, "; expected fewer than 2^62");
    return static_cast<int64_t>(pixels);
  };
  switch (p.mode) {
    case ResizeMode::size: return scale ? scaled(in) : size;
    case ResizeMode::odd_scale: return in % 2 == 0 ? scaled(in) : scaled(in - 1) + 1;
    case ResizeMode::like: return like;
    case ResizeMode::to_even_down: return in - in % 2;
    case ResizeMode::to_even_up: return in + in % 2;
    case ResizeMode::to_odd_down: return in % 2 == 0 ? in - 1 : in;
    case ResizeMode::to_odd_up: return in % 2 == 0 ? in + 1 : in;
  }
  return in;
}

void resize_shape(const ResizeParams& p, ShapeInfer& s) {
  const bool like = p.mode == ResizeMode::like;
  for (int i = 0; i < s.num_inputs(); ++i) {
    if (!s.known(i)) return;
    if (s.in(i).ndim() != 4) s.reject("expected images (batch, channels, height, width)");
  }
  if (p.mode == ResizeMode::odd_scale && (!p.scale_height || !p.scale_width))
    s.reject("mode 'odd_scale' needs scale_height and scale_width");
  Shape out = s.in(0);
  const Shape& other = s.in(like ? 1 : 0);
  out[2] = resized(p, s, out[2], other[2], p.height, p.scale_height);
  out[3] = resized(p, s, out[3], other[3], p.width, p.scale_width);
  if (s.in(0)[2] < 1 || s.in(0)[3] < 1 || out[2] < 1 || out[3] < 1)
    s.reject("the output would be ", out, "; expected at least one pixel on both sides");
  s.set_out(0, out);
}

void resize_dtype(const ResizeParams&, DTypeInfer& d) {
  d.set_out(0, d.in(0));
  d.set_in(0, d.out(0));
  if (d.num_inputs() > 1 && d.in(1) == DType::unknown) d.set_in(1, d.in(0));
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
}

resample::Taps resize_taps(const ResizeParams& p, const Shape& in, const Shape& out, int axis) {
  return resample::linear_taps(in[axis], out[axis], p.align_corners);
}

const Op& resize =
    Define<ResizeParams>("_contrib_BilinearResize2D")
        .doc("Images of another size, by straight lines between neighbouring pixels.")
        .origin("MXNet _contrib_BilinearResize2D")
        .input("data", "(batch, channels, height, width).")
        .input("like", "With mode 'like': images whose height and width are taken.")
        .num_inputs([](const ResizeParams& p) { return p.mode == ResizeMode::like ? 2 : 1; })
        .shape(resize_shape)
        .dtype(resize_dtype)
        .kernel([](const ResizeParams& p, KernelArgs& args) {
          const Shape &in = args.in[0].shape(), &out = args.out[0].shape();
          resample::apply(resize_taps(p, in, out, 2), resize_taps(p, in, out, 3), args.in[0], args.out[0]);
        })
        .grad_needs({}, {})
        .backward([](const ResizeParams& p, BackwardArgs& args) {
          if (args.in_grad.size() > 1 && args.wants(1) && args.in_grad[1].bytes() > 0)
            std::memset(args.in_grad[1].data, 0, args.in_grad[1].bytes());
          if (!args.wants(0)) return;
          const Shape &in = args.in_grad[0].shape(), &out = args.out_grad[0].shape();
          resample::apply_transposed(resize_taps(p, in, out, 2), resize_taps(p, in, out, 3), args.out_grad[0],
                                     args.in_grad[0]);
        })
        .element_cost(1);

}  // namespace
}  // namespace mixgrad::ops::bilinear_resize
