// The transpose of a convolution: its forward pass is a convolution's gradient with regard to data.
#include "ops/nn/conv.h"

namespace mixgrad::ops::deconvolution {
namespace {

using conv::Window;

struct DeconvolutionParams {
  Shape kernel, stride, dilate, pad, adj, target_shape;
  int64_t num_filter = 0, num_group = 1, workspace = 512;
  bool no_bias = true;
  conv::Tune cudnn_tune = conv::Tune::none;
  bool cudnn_off = false;
  conv::Layout layout = conv::Layout::none;
  static void fields(Fields<DeconvolutionParams>& f) {
    using P = DeconvolutionParams;
    f.required("kernel", &P::kernel, "Extents of the window: (w,), (h, w) or (d, h, w).")
        .add("stride", &P::stride, "Steps of the window over the output; empty means ones.")
        .add("dilate", &P::dilate,
             "Distance of the output elements under neighbouring weights; empty means ones.")
        .add("pad", &P::pad, "Elements cut from both ends of each output axis; empty means none.")
        .add("adj", &P::adj, "Elements added behind each output axis; less than stride. Empty means none.")
        .add("target_shape", &P::target_shape,
             "Spatial extents of the output; pad and adj then follow from it.")
        .required("num_filter", &P::num_filter, "Channels of the output.",
                  between(1, nn_backend::kMostWindow))
        .add("num_group", &P::num_group, "Groups of channels that are convolved apart.",
             between(1, nn_backend::kMostWindow))
        .add("workspace", &P::workspace, "Accepted and ignored.", at_least(0))
        .add("no_bias", &P::no_bias, "Leave the bias out; the operator then has two inputs.")
        .choice("cudnn_tune", &P::cudnn_tune, conv::kTuneNames, "Accepted and ignored.")
        .add("cudnn_off", &P::cudnn_off, "Accepted and ignored.")
        .choice("layout", &P::layout, conv::kLayoutNames,
                "Order of axes; None is channels first. Channels-last weights are (channels, window..., "
                "num_filter).");
  }
};

struct Place {
  Window window;  // all tuples filled
  Shape adj;
};

// Padding by the parameters or, where a target is given, by it: pad takes the larger half of what must go.
Place deconv_place(const DeconvolutionParams& p, const Shape& data) {
  Place place{Window::of(p), p.adj};
  Window& w = place.window;
  const int n = w.axes();
  if (w.stride.ndim() == 0) w.stride = Shape::filled(n, 1);
  if (w.dilate.ndim() == 0) w.dilate = Shape::filled(n, 1);
  if (w.pad.ndim() == 0) w.pad = Shape::filled(n, 0);
  if (place.adj.ndim() == 0) place.adj = Shape::filled(n, 0);
  for (int i = 0; i < n && p.target_shape.ndim() == n; ++i) {
    const int64_t extent = data[w.first_axis() + i];
    if (p.target_shape[i] == 0 || extent < 0) continue;
    const int64_t total = w.stride[i] * (extent - 1) + conv::covered(w, i) - p.target_shape[i];
    w.pad[i] = total < 0 ? -1 : (total + 1) / 2;
    place.adj[i] = total < 0 ? 0 : total % 2;
  }
  return place;
}

void deconv_shape(const DeconvolutionParams& p, ShapeInfer& s) {
  conv::checked_window(Window::of(p), s);
  if (!p.no_bias) s.set_in(2, {p.num_filter});
  Shape data = s.in(0);
  if (!data.known_rank()) return;
  const int n = p.kernel.ndim();
  if (p.adj.ndim() != 0 && p.adj.ndim() != n) s.reject("adj is ", p.adj, "; expected ", n, " numbers");
  for (int64_t extent : p.target_shape) {
    if (extent < 0 || extent > nn_backend::kMostExtent)
      s.reject("target_shape has extent ", extent, "; expected 0 to ", nn_backend::kMostExtent);
  }
  for (int i = 0, first = Window::of(p).first_axis(); i < n && first + i < data.ndim(); ++i) {
    if (data[first + i] > nn_backend::kMostExtent) {
      s.reject("spatial axis ", i, " has extent ", data[first + i], "; expected at most ",
               nn_backend::kMostExtent);
    }
  }
  if (p.target_shape.ndim() != 0 && p.target_shape.ndim() != n) {
    s.reject("target_shape is ", p.target_shape, "; expected ", n, " numbers");
  }
  const Place place = deconv_place(p, data);
  const Window& w = place.window;
  if (data[0] < 0 && s.out(0).known_rank() && s.out(0).ndim() == data.ndim()) {
    data[0] = s.out(0)[0];
    s.set_in(0, data);
  }
  Shape weight{data[w.channel_axis()]}, out = data;
  if (!w.channels_last()) weight.push_back(p.num_filter / p.num_group);
  for (int64_t extent : w.kernel) weight.push_back(extent);
  if (w.channels_last()) weight.push_back(p.num_filter / p.num_group);
  s.set_in(1, weight);
  out[w.channel_axis()] = p.num_filter;
  for (int i = 0; i < n; ++i) {
    int64_t& extent = out[w.first_axis() + i];
    if (extent < 0) continue;
    if (w.pad[i] < 0) s.reject("target_shape ", p.target_shape, " is larger than the window can fill");
    if (place.adj[i] < 0 || place.adj[i] >= w.stride[i]) {
      s.reject("adj is ", place.adj, "; expected numbers of at least 0 and less than stride ", w.stride);
    }
    if (extent == 0) s.reject("data has a spatial axis of extent 0");
    const int64_t full = w.stride[i] * (extent - 1) + conv::covered(w, i) + place.adj[i] - 2 * w.pad[i];
    if (full < 1) s.reject("pad ", w.pad, " leaves nothing of spatial axis ", i);
    extent = full;
  }
  s.set_out(0, out);
}

void deconv_dtype(const DeconvolutionParams&, DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
}

// The convolution of which this is the transpose leads from our output to our data.
nn_backend::ConvShape transposed_shape(const DeconvolutionParams& p, const Shape& data, const Shape& out) {
  return conv::conv_shape(deconv_place(p, data).window, out, data);
}

void deconv_kernel(const DeconvolutionParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  conv::data_grad(out.dtype, transposed_shape(p, data.shape(), out.shape()), data.data, args.in[1].data,
                  p.no_bias ? nullptr : args.in[2].data, out.data);
}

void deconv_backward(const DeconvolutionParams& p, BackwardArgs& args) {
  const View& grad = args.out_grad[0];
  const nn_backend::ConvShape s = transposed_shape(p, args.in[0].shape(), grad.shape());
  if (args.wants(0)) conv::forward(grad.dtype, s, grad.data, args.in[1].data, nullptr, args.in_grad[0].data);
  if (args.wants(1)) conv::weight_grad(grad.dtype, s, grad.data, args.in[0].data, args.in_grad[1].data);
  if (!p.no_bias && args.wants(2)) conv::bias_grad(grad, Window::of(p).channels_last(), args.in_grad[2]);
}

void deconv_grad(const DeconvolutionParams& p, Grad& g) {
  const Shape& data = g.in_shape(0);
  const Window w = deconv_place(p, data).window;
  const Tensor grad = g.out_grad();
  if (g.wants(0)) {
    Window forth = w;
    forth.num_filter = data[w.channel_axis()];
    g.set(0, conv::convolve("Convolution", forth, grad, g.in(1), nullptr));
  }
  if (g.wants(1)) {
    g.set(1, data.size() == 0 ? zeros_like(g.in(1)) : conv::weight_grad_of(w, grad, g.in(0), g.in_shape(1)));
  }
  if (!p.no_bias && g.wants(2)) g.set(2, conv::bias_grad_of(w, grad));
}

const Op& op =
    Define<DeconvolutionParams>("Deconvolution")
        .alias("_npx_deconvolution")
        .doc(
            "Transpose of Convolution: every input element adds its multiple of the window to the output. "
            "An output extent is stride (in - 1) + dilate (kernel - 1) + 1 + adj - 2 pad.")
        .origin("MXNet Deconvolution")
        .input("data", "Float array with one, two or three spatial axes.")
        .input("weight", "(channels, num_filter / num_group, window...).")
        .input("bias", "(num_filter,); absent with no_bias.")
        .num_inputs([](const DeconvolutionParams& p) { return p.no_bias ? 2 : 3; })
        .shape(deconv_shape)
        .dtype(deconv_dtype)
        .kernel(deconv_kernel)
        .backward(deconv_backward)
        .grad(deconv_grad)
        .grad_needs({0, 1}, {})
        .cost([](const DeconvolutionParams&, Span<const Shape> in) {
          // Every element of data meets the weights of its channel.
          const double weights = static_cast<double>(in[1].size()) / static_cast<double>(in[1][0]);
          return 1000 + nn_backend::products_cost(static_cast<double>(in[0].size()) * weights);
        });

}  // namespace
}  // namespace mixgrad::ops::deconvolution
