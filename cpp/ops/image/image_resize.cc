// Pictures with channels last, of another size.
#include "kernels/image/interpolate.h"
#include "op/define.h"
#include "ops/image/image_pixels.h"

namespace mixgrad::ops::image_resize {
namespace {

constexpr int64_t kMostPixels = int64_t{1} << 31;

struct ResizeParams {
  Shape size;
  bool keep_ratio = false;
  int32_t interp = 1;
  static void fields(Fields<ResizeParams>& f) {
    f.add("size", &ResizeParams::size, "(width, height), or one number for both.")
        .add("keep_ratio", &ResizeParams::keep_ratio,
             "With one number: it is the shorter side, and the other keeps the ratio.")
        .add("interp", &ResizeParams::interp,
             "0: nearest pixel, 1: straight lines, 2: cubic curves, 3: means of areas, 4: Lanczos' window of "
             "8 pixels.",
             between(0, 4));
  }
};

void resize_shape(const ResizeParams& p, ShapeInfer& s) {
  if (p.size.ndim() != 1 && p.size.ndim() != 2)
    s.reject("size is ", p.size, "; expected one number or (width, height)");
  for (const int64_t side : p.size) {
    if (side < 1 || side > kMostPixels) s.reject("size is ", p.size, "; expected numbers from 1 to 2^31");
  }
  image_pixels::check_picture(s, true);
  if (!s.in(0).known_rank()) return;
  Shape out = s.in(0);
  int64_t& height = out[out.ndim() - 3];
  int64_t& width = out[out.ndim() - 2];
  for (const int64_t side : {height, width}) {
    if (side == 0 || side > kMostPixels) s.reject("expected pictures with pixels, at most 2^31 a side");
  }
  if (p.size.ndim() == 2 || !p.keep_ratio) {
    width = p.size[0];
    height = p.size[p.size.ndim() - 1];
  } else if (height < 0 || width < 0) {
    height = width = Shape::kUnknownDim;
  } else if (height > width) {
    height = height * p.size[0] / width;
    width = p.size[0];
  } else {
    width = width * p.size[0] / height;
    height = p.size[0];
  }
  s.set_out(0, out);
}

interpolate::Method method_of(const ResizeParams& p) { return static_cast<interpolate::Method>(p.interp); }

const Op& resize =
    Define<ResizeParams>("_image_resize")
        .alias("_npx__image_resize")
        .doc("A picture, or a batch of pictures, of another size. Integer dtypes are rounded and saturate.")
        .origin("MXNet _image_resize")
        .input("data", "(height, width, channels) or (batch, height, width, channels).")
        .shape(resize_shape)
        .kernel([](const ResizeParams& p, KernelArgs& args) {
          interpolate::resize(method_of(p), args.in[0], args.out[0]);
        })
        .grad_needs({}, {})
        .backward([](const ResizeParams& p, BackwardArgs& args) {
          if (args.wants(0)) interpolate::resize_gradient(method_of(p), args.out_grad[0], args.in_grad[0]);
        })
        .element_cost(4);

struct SizeParams {
  int32_t w = 1, h = 1, interp = 1;
  static void fields(Fields<SizeParams>& f) {
    f.required("w", &SizeParams::w, "Columns of the result.", at_least(1))
        .required("h", &SizeParams::h, "Rows of the result.", at_least(1))
        .add("interp", &SizeParams::interp,
             "0: nearest pixel, 1: straight lines, 2: cubic curves, 3: means of areas, 4: Lanczos' window of "
             "8 pixels.",
             between(0, 4));
  }
};

void one_picture_shape(const SizeParams& p, ShapeInfer& s) {
  image_pixels::check_picture(s, false);
  if (!s.in(0).known_rank()) return;
  Shape out = s.in(0);
  for (const int64_t side : {out[0], out[1]}) {
    if (side == 0 || side > kMostPixels) s.reject("expected a picture with pixels, at most 2^31 a side");
  }
  out[0] = p.h;
  out[1] = p.w;
  s.set_out(0, out);
}

const Op& resize_one =
    Define<SizeParams>("_cvimresize")
        .alias("_npi_cvimresize")
        .doc("A picture of another size. Integer dtypes are rounded and saturate.")
        .origin("MXNet _cvimresize")
        .input("src", "(height, width, channels), any dtype.")
        .shape(one_picture_shape)
        .kernel([](const SizeParams& p, KernelArgs& args) {
          interpolate::resize(static_cast<interpolate::Method>(p.interp), args.in[0], args.out[0]);
        })
        .grad_needs({}, {})
        .backward([](const SizeParams& p, BackwardArgs& args) {
          if (!args.wants(0)) return;
          interpolate::resize_gradient(static_cast<interpolate::Method>(p.interp), args.out_grad[0],
                                       args.in_grad[0]);
        })
        .element_cost(4);

}  // namespace
}  // namespace mixgrad::ops::image_resize
