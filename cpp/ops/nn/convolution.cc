// Convolution over one, two or three axes.
#include "ops/nn/conv.h"

namespace mixgrad::ops::convolution {
namespace {

using conv::Window;

struct ConvolutionParams {
  Shape kernel, stride, dilate, pad;
  int64_t num_filter = 0, num_group = 1, workspace = 1024;
  bool no_bias = false;
  conv::Tune cudnn_tune = conv::Tune::none;
  bool cudnn_off = false;
  conv::Layout layout = conv::Layout::none;
  static void fields(Fields<ConvolutionParams>& f) {
    using P = ConvolutionParams;
    f.required("kernel", &P::kernel, "Extents of the window: (w,), (h, w) or (d, h, w).")
        .add("stride", &P::stride, "Steps of the window; empty means ones.")
        .add("dilate", &P::dilate,
             "Distance of the input elements under neighbouring weights; empty means ones.")
        .add("pad", &P::pad, "Zeros added at both ends of each axis; empty means none.")
        .required("num_filter", &P::num_filter, "Channels of the output.",
                  between(1, nn_backend::kMostWindow))
        .add("num_group", &P::num_group, "Groups of channels that are convolved apart.",
             between(1, nn_backend::kMostWindow))
        .add("workspace", &P::workspace, "Accepted and ignored.", at_least(0))
        .add("no_bias", &P::no_bias, "Leave the bias out; the operator then has two inputs.")
        .choice("cudnn_tune", &P::cudnn_tune, conv::kTuneNames, "Accepted and ignored.")
        .add("cudnn_off", &P::cudnn_off, "Accepted and ignored.")
        .choice("layout", &P::layout, conv::kLayoutNames,
                "Order of axes; None is channels first. Channels-last weights are (num_filter, window..., "
                "channels).");
  }
};

// What the output says of the data: the batch, and the extents of axes along which the window moves by one element.
void complete_image(const Window& w, const Shape& out, Shape& data) {
  if (data[0] < 0) data[0] = out[0];
  for (int i = 0; i < w.axes(); ++i) {
    const int axis = w.first_axis() + i;
    if (data[axis] >= 0 || out[axis] < 1 || out[axis] > nn_backend::kMostExtent || w.stride[i] != 1) continue;
    const int64_t extent = out[axis] - 1 + conv::covered(w, i) - 2 * w.pad[i];
    if (extent > 0) data[axis] = extent;
  }
}

void convolution_shape(const ConvolutionParams& p, ShapeInfer& s) {
  const Window w = conv::checked_window(Window::of(p), s);
  if (!p.no_bias) s.set_in(2, {p.num_filter});
  Shape data = s.in(0);
  if (!data.known_rank()) return;
  if (s.out(0).known_rank() && s.out(0).ndim() == data.ndim()) {
    complete_image(w, s.out(0), data);
    s.set_in(0, data);
  }
  const int64_t channels = data[w.channel_axis()];
  Shape weight{p.num_filter}, out = data;
  const int64_t depth = channels < 0 ? Shape::kUnknownDim : channels / p.num_group;
  if (!w.channels_last()) weight.push_back(depth);
  for (int64_t extent : w.kernel) weight.push_back(extent);
  if (w.channels_last()) weight.push_back(depth);
  s.set_in(1, weight);
  out[w.channel_axis()] = p.num_filter;
  for (int i = 0; i < w.axes(); ++i) {
    int64_t& extent = out[w.first_axis() + i];
    if (extent < 0) continue;
    if (extent > nn_backend::kMostExtent) {
      s.reject("spatial axis ", i, " has extent ", extent, "; expected at most ", nn_backend::kMostExtent);
    }
    const int64_t padded = extent + 2 * w.pad[i];
    if (padded < conv::covered(w, i)) {
      s.reject("the kernel covers ", conv::covered(w, i), " elements of spatial axis ", i,
               ", which with padding has ", padded);
    }
    extent = (padded - conv::covered(w, i)) / w.stride[i] + 1;
  }
  s.set_out(0, out);
}

void convolution_dtype(const ConvolutionParams&, DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
}

void convolution_kernel(const ConvolutionParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  conv::forward(out.dtype, conv::conv_shape(Window::of(p), data.shape(), out.shape()), data.data,
                args.in[1].data, p.no_bias ? nullptr : args.in[2].data, out.data);
}

void convolution_backward(const ConvolutionParams& p, BackwardArgs& args) {
  const View& grad = args.out_grad[0];
  const Window w = Window::of(p);
  const nn_backend::ConvShape s = conv::conv_shape(w, args.in[0].shape(), grad.shape());
  if (args.wants(0))
    conv::data_grad(grad.dtype, s, grad.data, args.in[1].data, nullptr, args.in_grad[0].data);
  if (args.wants(1)) conv::weight_grad(grad.dtype, s, args.in[0].data, grad.data, args.in_grad[1].data);
  if (!p.no_bias && args.wants(2)) conv::bias_grad(grad, w.channels_last(), args.in_grad[2]);
}

Window full_window(const ConvolutionParams& p) {
  Window w = Window::of(p);
  if (w.stride.ndim() == 0) w.stride = Shape::filled(w.axes(), 1);
  if (w.dilate.ndim() == 0) w.dilate = Shape::filled(w.axes(), 1);
  if (w.pad.ndim() == 0) w.pad = Shape::filled(w.axes(), 0);
  return w;
}

void convolution_grad(const ConvolutionParams& p, Grad& g) {
  const Window w = full_window(p);
  const Shape& data = g.in_shape(0);
  const Tensor grad = g.out_grad();
  if (g.wants(0)) {
    // Input elements behind the last window get no gradient: the transposed convolution makes them by `adj`.
    Shape adj = w.pad;
    for (int i = 0; i < w.axes(); ++i) {
      adj[i] = (data[w.first_axis() + i] + 2 * w.pad[i] - conv::covered(w, i)) % w.stride[i];
    }
    Window back = w;
    back.num_filter = data[w.channel_axis()];
    g.set(0, conv::convolve("Deconvolution", back, grad, g.in(1), &adj));
  }
  if (g.wants(1)) {
    g.set(1, data.size() == 0 ? zeros_like(g.in(1)) : conv::weight_grad_of(w, g.in(0), grad, g.in_shape(1)));
  }
  if (!p.no_bias && g.wants(2)) g.set(2, conv::bias_grad_of(w, grad));
}

double convolution_cost(const ConvolutionParams& p, Span<const Shape> in) {
  const Window w = full_window(p);
  double positions = static_cast<double>(in[0][0]);
  for (int i = 0; i < w.axes(); ++i) {
    const int64_t padded = in[0][w.first_axis() + i] + 2 * w.pad[i];
    positions *= static_cast<double>((padded - conv::covered(w, i)) / w.stride[i] + 1);
  }
  return 1000 + nn_backend::products_cost(positions * static_cast<double>(in[1].size()));
}

const Op& op =
    Define<ConvolutionParams>("Convolution")
        .alias("_npx_convolution")
        .alias("Convolution_v1")
        .doc(
            "Sum of products of a window's weights with the input under it, at every place of the "
            "window. Data (n, channels, in...) gives (n, num_filter, out...), where an output extent is "
            "floor((in + 2 pad - dilate (kernel - 1) - 1) / stride) + 1.")
        .origin("MXNet Convolution")
        .input("data", "Float array with one, two or three spatial axes.")
        .input("weight", "(num_filter, channels / num_group, window...).")
        .input("bias", "(num_filter,); absent with no_bias.")
        .num_inputs([](const ConvolutionParams& p) { return p.no_bias ? 2 : 3; })
        .shape(convolution_shape)
        .dtype(convolution_dtype)
        .kernel(convolution_kernel)
        .backward(convolution_backward)
        .grad(convolution_grad)
        .grad_needs({0, 1}, {})
        .cost(convolution_cost);

}  // namespace
}  // namespace mixgrad::ops::convolution
