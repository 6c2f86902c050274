// A window of images, of a given size or that of another image.
#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::crop {
namespace {

struct CropParams {
  int32_t num_args = 0;
  Shape offset{0, 0}, h_w{0, 0};
  bool center_crop = false;
  static void fields(Fields<CropParams>& f) {
    f.add("num_args", &CropParams::num_args,
          "Number of inputs, 1 or 2; 0 takes as many as are given. With 2, the second one gives the size.",
          between(0, 2))
        .add("offset", &CropParams::offset, "First row and column of the window.", at_least(0))
        .add("h_w", &CropParams::h_w, "Height and width of the window; only with one input.", at_least(0))
        .add("center_crop", &CropParams::center_crop, "Put the window into the middle instead of at offset.");
  }
};

// First row or column of a window of `size` in `extent`.
int64_t crop_begin(const CropParams& p, int axis, int64_t extent, int64_t size) {
  return p.center_crop ? (extent - size) / 2 : p.offset[axis];
}

void crop_shape(const CropParams& p, ShapeInfer& s) {
  const bool like = s.num_inputs() == 2;
  if (p.offset.ndim() != 2 || p.h_w.ndim() != 2) {
    s.reject("offset is ", p.offset, " and h_w is ", p.h_w, "; expected two numbers each");
  }
  if (!like && (p.h_w[0] < 1 || p.h_w[1] < 1)) {
    s.reject("h_w is ", p.h_w, "; expected a height and a width of at least 1");
  }
  for (int i = 0; i < s.num_inputs(); ++i) {
    if (s.in(i).known_rank() && s.in(i).ndim() != 4)
      s.reject("expected images (batch, channels, height, width)");
  }
  const Shape& data = s.in(0);
  if (!data.known_rank() || (like && !s.in(1).known_rank())) return;
  Shape out = data;
  for (int axis = 0; axis < 2; ++axis) {
    const int64_t size = like ? s.in(1)[2 + axis] : p.h_w[axis], extent = data[2 + axis];
    out[2 + axis] = size;
    if (size < 0 || extent < 0) continue;
    const int64_t begin = crop_begin(p, axis, extent, size);
    if (size > extent || begin > extent - size) {
      s.reject("the window takes ", size, " of axis ", 2 + axis, " from ", begin, " on; data has ", extent);
    }
  }
  s.set_out(0, out);
}

void crop_kernel(const CropParams& p, KernelArgs& args) {
  const Shape &data = args.in[0].shape(), &out = args.out[0].shape();
  Shape begin = Shape::filled(4, 0);
  for (int axis = 0; axis < 2; ++axis) begin[2 + axis] = crop_begin(p, axis, data[2 + axis], out[2 + axis]);
  read_region(args.in[0], region_of(data, begin, Shape::filled(4, 1), out, args.name()), args.out[0].data);
}

void crop_grad(const CropParams& p, Grad& g) {
  if (!g.wants(0)) return;
  const Shape &data = g.in_shape(0), &out = g.out_shape();
  Shape pads = Shape::filled(8, 0);
  for (int axis = 0; axis < 2; ++axis) {
    const int64_t extent = data[2 + axis], size = out[2 + axis], begin = crop_begin(p, axis, extent, size);
    pads[4 + 2 * axis] = begin;
    pads[5 + 2 * axis] = extent - size - begin;
  }
  g.set(0, apply("Pad", {g.out_grad()}, {{"mode", "constant"}, {"pad_width", TupleValue(pads)}}));
}

const Op& op =
    Define<CropParams>("Crop")
        .doc(
            "The window (batch, channels, h, w) of images at an offset or in the middle. Its size is "
            "h_w, or "
            "with two inputs the height and width of the second one, which passes no gradient on.")
        .origin("MXNet Crop")
        .variadic("data", "Images (batch, channels, height, width) of any dtype.", "num_args")
        .input("crop_like", "Optional second image, whose height and width are taken.")
        .num_inputs([](const CropParams& p) { return p.num_args > 0 ? static_cast<int>(p.num_args) : -1; })
        .shape(crop_shape)
        .dtype([](const CropParams&, DTypeInfer& d) { infer_same_dtype(d); })
        .kernel(crop_kernel)
        .element_cost(0.3)
        .grad_needs({}, {})
        .grad(crop_grad);

}  // namespace
}  // namespace mixgrad::ops::crop
