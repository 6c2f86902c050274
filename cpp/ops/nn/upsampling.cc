// Enlarging images by a whole factor: repeated pixels, or a transposed convolution per channel.
#include <algorithm>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/scratch.h"
#include "ops/nn/conv.h"

namespace mixgrad::ops::upsampling {
namespace {

enum class Sampling { bilinear, nearest };
enum class Joining { concat, sum };

struct UpSamplingParams {
  int32_t scale = 1, num_filter = 0;
  Sampling sample_type = Sampling::nearest;
  Joining multi_input_mode = Joining::concat;
  int32_t num_args = 0;
  int64_t workspace = 512;
  static void fields(Fields<UpSamplingParams>& f) {
    f.required("scale", &UpSamplingParams::scale, "Factor of both extents of the first input.",
               between(1, 1 << 20))
        .add("num_filter", &UpSamplingParams::num_filter, "Number of channels; only for bilinear.",
             at_least(0))
        .choice("sample_type", &UpSamplingParams::sample_type, {"bilinear", "nearest"},
                "Whether pixels are repeated, or spread by a window of weights.", true)
        .choice("multi_input_mode", &UpSamplingParams::multi_input_mode, {"concat", "sum"},
                "What becomes of several inputs: their channels one after the other, or their sum.")
        .add("num_args", &UpSamplingParams::num_args, "Number of inputs; 0 takes as many as are given.",
             at_least(0))
        .add("workspace", &UpSamplingParams::workspace, "Accepted and ignored.", at_least(0));
  }
  bool bilinear() const { return sample_type == Sampling::bilinear; }
};

// The transposed convolution that doubles, triples, ...: every channel by itself.
conv::Window window_of(const UpSamplingParams& p, int64_t channels) {
  const int64_t s = p.scale, k = 2 * s - s % 2, pad = s / 2;
  return {{k, k}, {s, s}, {1, 1}, {pad, pad}, channels, channels, conv::Layout::none};
}

void enlarge(const UpSamplingParams& p, Shape& out, ShapeInfer& s) {
  for (int axis : {2, 3}) {
    if (__builtin_mul_overflow(out[axis], p.scale, &out[axis])) s.reject("scale ", p.scale, " is too large");
  }
}

void bilinear_shape(const UpSamplingParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  Shape out = s.in(0);
  const conv::Window w = window_of(p, out[1]);
  if (p.num_filter != out[1])
    s.reject("num_filter is ", p.num_filter, "; expected the number of channels, ", out[1]);
  s.set_in(1, {out[1], 1, w.kernel[0], w.kernel[1]});
  enlarge(p, out, s);
  s.set_out(0, out);
}

// Factor of input i in the output.
int64_t factor_of(const Shape& in, const Shape& out) {
  return in[2] > 0 ? out[2] / in[2] : in[3] > 0 ? out[3] / in[3] : 1;
}

void nearest_shape(const UpSamplingParams& p, ShapeInfer& s) {
  for (int i = 0; i < s.num_inputs(); ++i) {
    if (!s.known(i)) return;
    if (s.in(i).ndim() != 4) s.reject("expected images (batch, channels, height, width)");
  }
  Shape out = s.in(0);
  enlarge(p, out, s);
  for (int i = 1; i < s.num_inputs(); ++i) {
    const Shape& in = s.in(i);
    const int64_t factor = factor_of(in, out);
    if (in[0] != out[0] || in[2] * factor != out[2] || in[3] * factor != out[3]) {
      s.reject("input ", i, " has shape ", in,
               "; expected the batch of the first, and extents that the same "
               "factor takes to (",
               out[2], ", ", out[3], ")");
    }
    if (p.multi_input_mode == Joining::concat)
      out[1] += in[1];
    else if (in[1] != out[1])
      s.reject("input ", i, " has ", in[1], " channels; a sum needs ", out[1]);
  }
  s.set_out(0, out);
}

// Channels [begin, begin + channels) of the output are written from, or increased by, the input.
template <class C>
void repeat_pixels(const View& in, const View& out, int64_t begin, bool add) {
  const Shape &is = in.shape(), &os = out.shape();
  const int64_t factor = factor_of(is, os), channels = is[1], height = is[2], width = is[3], wide = os[3];
  if (in.size() == 0) return;
  parallel_for(is[0] * channels, loop_grain(8192, {os[2], wide}), [&](int64_t first, int64_t last) {
    const Scratch workspace = Scratch::of<C>(width + wide);
    C *row = workspace.as<C>(), *repeated = row + width;
    const auto place = [](const View& view, int64_t at) {
      return view.as<char>() + static_cast<size_t>(at) * size_of(view.dtype);
    };
    for (int64_t image = first; image < last; ++image) {
      const int64_t target = (image / channels * os[1] + begin + image % channels) * os[2] * wide;
      for (int64_t y = 0; y < height; ++y) {
        convert(place(in, (image * height + y) * width), in.dtype, row, dtype_of<C>(), width);
        char* to = place(out, target + y * factor * wide);
        if (add) convert(to, out.dtype, repeated, dtype_of<C>(), wide);
        for (int64_t x = 0; x < width; ++x) {
          for (int64_t r = 0; r < factor; ++r) {
            C& pixel = repeated[x * factor + r];
            pixel = add ? pixel + row[x] : row[x];
          }
        }
        for (int64_t r = 0; r < factor; ++r) {
          convert(repeated, dtype_of<C>(), to + static_cast<size_t>(r * wide) * size_of(out.dtype), out.dtype,
                  wide);
        }
      }
    }
  });
}

void nearest(const UpSamplingParams& p, KernelArgs& args) {
  int64_t begin = 0;
  bool add = false;
  for (const View& in : args.in) {
    if (is_wide(in.dtype))
      repeat_pixels<double>(in, args.out[0], begin, add);
    else
      repeat_pixels<float>(in, args.out[0], begin, add);
    if (p.multi_input_mode == Joining::concat)
      begin += in.shape()[1];
    else
      add = true;
  }
}

// Every pixel's gradient is the sum over its repetitions.
void nearest_grad(const UpSamplingParams& p, Grad& g) {
  int64_t begin = 0;
  for (int i = 0; i < g.num_inputs(); ++i) {
    const Shape& in = g.in_shape(i);
    const int64_t factor = factor_of(in, g.out_shape()), end = begin + in[1];
    if (g.wants(i)) {
      Tensor grad = g.out_grad();
      if (end - begin != g.out_shape()[1])
        grad = apply("slice_axis", {grad}, {{"axis", 1}, {"begin", begin}, {"end", end}});
      const Tensor blocks = reshape_to(grad, {in[0], in[1], in[2], factor, in[3], factor});
      g.set(i, sum_axes(blocks, {3, 5}, false));
    }
    if (p.multi_input_mode == Joining::concat) begin = end;
  }
}

nn_backend::ConvShape bilinear_place(const UpSamplingParams& p, const Shape& data, const Shape& out) {
  return conv::conv_shape(window_of(p, data[1]), out, data);
}

const Op& op =
    Define<UpSamplingParams>("UpSampling")
        .doc(
            "Images (n, channels, height, width) enlarged `scale` times. nearest repeats pixels and takes "
            "any number of "
            "inputs, each enlarged to the size that the first one gets; bilinear is a Deconvolution per "
            "channel, with "
            "weights (channels, 1, k, k) as second input, k = 2 scale - scale % 2.")
        .origin("MXNet UpSampling")
        .variadic("data", "Images of a float dtype; for bilinear an image and the weights.", "num_args")
        .input("weight", "Of bilinear: (channels, 1, k, k).")
        .num_inputs([](const UpSamplingParams& p) {
          return p.bilinear() ? 2 : p.num_args > 0 ? static_cast<int>(p.num_args) : -1;
        })
        .shape([](const UpSamplingParams& p, ShapeInfer& s) {
          if (!p.bilinear()) return nearest_shape(p, s);
          if (s.known(0) && s.in(0).ndim() != 4) s.reject("expected images (batch, channels, height, width)");
          bilinear_shape(p, s);
        })
        .dtype([](const UpSamplingParams&, DTypeInfer& d) {
          infer_same_dtype(d);
          if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
        })
        .kernel([](const UpSamplingParams& p, KernelArgs& args) {
          const View &data = args.in[0], &out = args.out[0];
          if (!p.bilinear()) return nearest(p, args);
          conv::data_grad(out.dtype, bilinear_place(p, data.shape(), out.shape()), data.data, args.in[1].data,
                          nullptr, out.data);
        })
        .cost([](const UpSamplingParams& p, Span<const Shape> in) {
          const double out = static_cast<double>(in[0].size()) * p.scale * p.scale;
          return p.bilinear() ? 1000 + nn_backend::products_cost(4 * out)
                              : 200 + out * static_cast<double>(in.size());
        })
        .grad([](const UpSamplingParams& p, Grad& g) {
          if (!p.bilinear()) return nearest_grad(p, g);
          if (g.in_shape(0).size() == 0) {
            for (int i : {0, 1}) {
              if (g.wants(i)) g.set(i, zeros_like(g.in(i)));
            }
            return;
          }
          const conv::Window w = window_of(p, g.in_shape(0)[1]);
          const Tensor grad = g.out_grad();
          if (g.wants(0)) g.set(0, conv::convolve("Convolution", w, grad, g.in(1), nullptr));
          if (g.wants(1)) g.set(1, conv::weight_grad_of(w, grad, g.in(0), g.in_shape(1)));
        });

}  // namespace
}  // namespace mixgrad::ops::upsampling
