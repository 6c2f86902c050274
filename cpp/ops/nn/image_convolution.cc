// Convolution of images that may lie in blocks of 16 channels, with its gradients: what the pass `layout` makes of
// Convolution in training.
#include "ops/nn/conv.h"
#include "ops/nn/conv_blocked.h"
#include "ops/nn/image_shape.h"

namespace mixgrad::ops::image_convolution {
namespace {

using image_shape::plain_shape;

struct ImageConvParams {
  Shape kernel, stride, dilate, pad;
  int64_t num_filter = 0, num_group = 1;
  bool no_bias = false;
  ConvLayout data_layout = ConvLayout::plain, out_layout = ConvLayout::plain;
  static void fields(Fields<ImageConvParams>& f) {
    using P = ImageConvParams;
    f.required("kernel", &P::kernel, "Extents of the window: (h, w).")
        .required("stride", &P::stride, "Steps of the window.")
        .required("dilate", &P::dilate, "Distance of the input elements under neighbouring weights.")
        .required("pad", &P::pad, "Zeros added at both ends of each axis.")
        .required("num_filter", &P::num_filter, "Channels of the output.",
                  between(1, nn_backend::kMostWindow))
        .add("num_group", &P::num_group, "Groups of channels that are convolved apart.",
             between(1, nn_backend::kMostWindow))
        .add("no_bias", &P::no_bias, "There is no bias among the inputs.")
        .choice("data_layout", &P::data_layout, {"plain", "blocked"},
                "blocked: data is (n, channels / 16, in..., 16), a multiple of 16 channels.")
        .choice("out_layout", &P::out_layout, {"plain", "blocked"}, "The same of the output.");
  }
};

void image_conv_shape(const ImageConvParams& p, ShapeInfer& s) {
  if (!s.in(0).known() || !s.in(1).known()) return;
  for (const Shape* tuple : {&p.kernel, &p.stride, &p.dilate, &p.pad}) {
    const int64_t least = tuple == &p.pad ? 0 : 1;
    bool fits = tuple->ndim() == 2;
    for (int64_t n : *tuple) fits = fits && n >= least && n <= nn_backend::kMostWindow;
    if (!fits) s.reject("a window has ", *tuple, "; expected 2 numbers from ", least);
  }
  const Shape data = plain_shape(s.in(0), p.data_layout, 2, s);
  const bool to_blocked = p.out_layout == ConvLayout::blocked;
  if (data[1] == 0 || data[1] % p.num_group != 0 || p.num_filter % p.num_group != 0 ||
      (to_blocked && p.num_filter % kConvBlock != 0))
    s.reject(data[1], " channels and ", p.num_filter, " filters do not fit groups or blocks");
  Shape out{data[0], p.num_filter}, weight{p.num_filter, data[1] / p.num_group};
  for (int i = 0; i < 2; ++i) {
    const int64_t over = data[2 + i] + 2 * p.pad[i] - p.dilate[i] * (p.kernel[i] - 1) - 1;
    if (over < 0) s.reject("the kernel is larger than spatial axis ", i, " with its padding");
    out.push_back(over / p.stride[i] + 1);
    weight.push_back(p.kernel[i]);
  }
  s.set_in(1, weight);
  if (!p.no_bias) s.set_in(2, {p.num_filter});
  s.set_out(0, image_shape::shape_in(out, p.out_layout));
}

nn_backend::ConvShape shape_of(const ImageConvParams& p, const View& data, const View& out) {
  const conv::Window w{p.kernel, p.stride, p.dilate, p.pad, p.num_filter, p.num_group, conv::Layout::none};
  nn_backend::ConvShape s =
      conv::conv_shape(w, plain_shape(data.shape(), p.data_layout), plain_shape(out.shape(), p.out_layout));
  s.data_blocked = p.data_layout == ConvLayout::blocked;
  s.out_blocked = p.out_layout == ConvLayout::blocked;
  return s;
}

void image_conv_kernel(const ImageConvParams& p, KernelArgs& args) {
  conv::forward(DType::float32, shape_of(p, args.in[0], args.out[0]), args.in[0].data, args.in[1].data,
                p.no_bias ? nullptr : args.in[2].data, args.out[0].data);
}

void image_conv_backward(const ImageConvParams& p, BackwardArgs& args) {
  const View& grad = args.out_grad[0];
  const nn_backend::ConvShape s = shape_of(p, args.in[0], grad);
  if (args.wants(0)) {
    conv::data_grad(DType::float32, s, grad.data, args.in[1].data, nullptr, args.in_grad[0].data);
  }
  if (args.wants(1)) {
    conv::weight_grad(DType::float32, s, args.in[0].data, grad.data, args.in_grad[1].data);
  }
  if (p.no_bias || !args.wants(2)) return;
  if (s.out_blocked) {
    conv_blocked::bias_grad(grad.as<float>(), s.batch, s.filters, s.out_size(), args.in_grad[2].as<float>());
  } else {
    conv::bias_grad(grad, false, args.in_grad[2]);
  }
}

double image_conv_cost(const ImageConvParams& p, Span<const Shape> in) {
  const Shape data = plain_shape(in[0], p.data_layout);
  double positions = static_cast<double>(data[0]);
  for (int i = 0; i < 2; ++i) {
    const int64_t over = data[2 + i] + 2 * p.pad[i] - p.dilate[i] * (p.kernel[i] - 1) - 1;
    positions *= static_cast<double>(over / p.stride[i] + 1);
  }
  return 1000 + nn_backend::products_cost(positions * static_cast<double>(in[1].size()));
}

const Op& op =
    Define<ImageConvParams>("_image_convolution")
        .doc(
            "Convolution of float32 images whose layouts, plain or in blocks of 16 channels, the parameters "
            "name. Graphs get it from the pass `layout` in training.")
        .input("data", "The image.")
        .input("weight", "(num_filter, channels / num_group, window...).")
        .input("bias", "(num_filter,); absent with no_bias.")
        .num_inputs([](const ImageConvParams& p) { return p.no_bias ? 2 : 3; })
        .shape(image_conv_shape)
        .dtype([](const ImageConvParams&, DTypeInfer& d) { image_shape::float_images(d); })
        .kernel(image_conv_kernel)
        .backward(image_conv_backward)
        .grad_needs({0, 1}, {})
        .cost(image_conv_cost);

}  // namespace
}  // namespace mixgrad::ops::image_convolution
