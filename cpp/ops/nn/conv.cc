#include "ops/nn/conv.h"

#include <algorithm>

#include "base/build.h"
#include "base/parallel.h"
#include "kernels/convolution/conv_call.h"
#include "kernels/convolution/conv_kernel.h"
#include "kernels/loops/convert.h"
#include "kernels/scratch.h"
#include "ops/nn/conv_blocked.h"

namespace mixgrad::ops::conv {
namespace {

using nn_backend::ConvShape;

void fill_tuple(Shape& tuple, int axes, int64_t value, const char* name, ShapeInfer& s) {
  if (tuple.ndim() == 0) tuple = Shape::filled(axes, value);
  if (tuple.ndim() != axes) s.reject(name, " is ", tuple, "; expected ", axes, " numbers, as in kernel");
  for (int64_t v : tuple) {
    if (v < value || v > nn_backend::kMostWindow) {
      s.reject(name, " is ", tuple, "; expected numbers from ", value, " to ", nn_backend::kMostWindow);
    }
  }
}

bool fits_layout(Layout layout, int axes) {
  switch (layout) {
    case Layout::none: return true;
    case Layout::ncw:
    case Layout::nwc: return axes == 1;
    case Layout::nchw:
    case Layout::nhwc: return axes == 2;
    case Layout::ncdhw:
    case Layout::ndhwc: return axes == 3;
  }
  return false;
}

// Float copy of an array of half type.
class Widened {
 public:
  Widened(DType dtype, const void* data, int64_t n) {
    if (!data) return;
    buffer_ = Scratch::of<float>(n);
    convert(data, dtype, buffer_.data(), DType::float32, n);
  }
  float* get() const { return buffer_.as<float>(); }

 private:
  Scratch buffer_;
};

// Float memory whose contents are stored in half type at the end.
class Narrowed {
 public:
  Narrowed(DType dtype, void* data, int64_t n)
      : dtype_(dtype), data_(data), n_(n), buffer_(Scratch::of<float>(n)) {}
  float* get() const { return buffer_.as<float>(); }
  void store() const { convert(get(), DType::float32, data_, dtype_, n_); }

 private:
  DType dtype_;
  void* data_;
  int64_t n_;
  Scratch buffer_;
};

template <class T>
const T* as(const void* data) {
  return static_cast<const T*>(data);
}

// image += bias by channel.
template <class T>
void add_bias(const ConvShape& s, const T* bias, T* image) {
  const int64_t size = s.in_size();
  parallel_for(s.batch * (s.channels_last ? size : s.channels), 64, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (s.channels_last) {
        for (int64_t c = 0; c < s.channels; ++c) image[i * s.channels + c] += bias[c];
      } else {
        const T value = bias[i % s.channels];
        for (int64_t x = 0; x < size; ++x) image[i * size + x] += value;
      }
    }
  });
}

// Sums over batch and positions of channels-first images; sixteen chains keep rounding errors small.
template <class T>
void sum_planes(DType dtype, const char* image, int64_t batch, int64_t channels, int64_t positions,
                char* sums) {
  constexpr int64_t kLanes = 16, kRun = 256;
  const int64_t item = static_cast<int64_t>(size_of(dtype));
  const int64_t grain = loop_grain(65536, {batch, positions});
  parallel_for(channels, grain, [&](int64_t begin, int64_t end) {
    T workspace[kRun];
    for (int64_t c = begin; c < end; ++c) {
      double total = 0;
      for (int64_t n = 0; n < batch; ++n) {
        for (int64_t p = 0; p < positions; p += kRun) {
          const int64_t run = std::min(kRun, positions - p);
          const char* from = image + ((n * channels + c) * positions + p) * item;
          const T* x = reinterpret_cast<const T*>(from);
          if (dtype != dtype_of<T>()) {
            convert(from, dtype, workspace, dtype_of<T>(), run);
            x = workspace;
          }
          T lane[kLanes] = {};
          int64_t i = 0;
          for (; i + kLanes <= run; i += kLanes) {
            for (int64_t l = 0; l < kLanes; ++l) lane[l] += x[i + l];
          }
          for (; i < run; ++i) lane[0] += x[i];
          for (const T value : lane) total += static_cast<double>(value);
        }
      }
      convert(&total, DType::float64, sums + c * item, dtype, 1);
    }
  });
}

}  // namespace

Window checked_window(Window w, ShapeInfer& s) {
  const int axes = w.axes();
  if (axes < 1 || axes > 3) s.reject("kernel is ", w.kernel, "; expected 1, 2 or 3 numbers");
  fill_tuple(w.kernel, axes, 1, "kernel", s);
  fill_tuple(w.stride, axes, 1, "stride", s);
  fill_tuple(w.dilate, axes, 1, "dilate", s);
  fill_tuple(w.pad, axes, 0, "pad", s);
  if (!fits_layout(w.layout, axes)) {
    s.reject("layout ", kLayoutNames[static_cast<size_t>(w.layout)], " does not fit kernel ", w.kernel);
  }
  const Shape& data = s.in(0);
  if (data.known_rank() && data.ndim() != axes + 2) {
    s.reject("kernel ", w.kernel, " needs data with ", axes + 2, " axes");
  }
  if (w.num_filter % w.num_group != 0) {
    s.reject("num_filter ", w.num_filter, " is not a multiple of num_group ", w.num_group);
  }
  if (data.known_rank()) {
    const int64_t channels = data[w.channel_axis()];
    if (channels == 0 || (channels > 0 && channels % w.num_group != 0)) {
      s.reject("data has ", channels, " channels; expected a multiple of num_group ", w.num_group);
    }
  }
  return w;
}

ConvShape conv_shape(const Window& w, const Shape& data, const Shape& out) {
  ConvShape c;
  c.batch = data[0];
  c.channels = data[w.channel_axis()];
  c.filters = out[w.channel_axis()];
  c.groups = w.num_group;
  c.channels_last = w.channels_last();
  for (int i = 0; i < w.axes(); ++i) {
    const int at = 3 - w.axes() + i;
    c.in[at] = data[w.first_axis() + i];
    c.out[at] = out[w.first_axis() + i];
    c.kernel[at] = w.kernel[i];
    c.stride[at] = w.stride.ndim() ? w.stride[i] : 1;
    c.dilate[at] = w.dilate.ndim() ? w.dilate[i] : 1;
    c.pad[at] = w.pad.ndim() ? w.pad[i] : 0;
  }
  return c;
}

void forward(DType dtype, const ConvShape& s, const void* data, const void* weight, const void* bias,
             void* out) {
  if (s.out_items() == 0) return;
  // Graphs that predict have fused convolutions in place of this one.
  if constexpr (kTraining) {
    if (dtype == DType::float32 && conv_call::forward(s, as<float>(data), as<float>(weight), as<float>(bias),
                                                      static_cast<float*>(out))) {
      return;
    }
  }
  const auto* backend = nn_backend::active();
  if (backend && backend->conv(dtype, s, data, weight, bias, out)) return;
  if constexpr (kTraining) {
    if (s.blocked()) {
      return conv_blocked::forward(s, as<float>(data), as<float>(weight), as<float>(bias),
                                   static_cast<float*>(out));
    }
  }
  if (is_wide(dtype)) {
    return conv_kernel::forward(s, as<double>(data), as<double>(weight), as<double>(bias),
                                static_cast<double*>(out));
  }
  if (dtype == DType::float32) {
    return conv_kernel::forward(s, as<float>(data), as<float>(weight), as<float>(bias),
                                static_cast<float*>(out));
  }
  const Widened d(dtype, data, s.data_items()), w(dtype, weight, s.weight_items()), b(dtype, bias, s.filters);
  const Narrowed o(dtype, out, s.out_items());
  conv_kernel::forward<float>(s, d.get(), w.get(), b.get(), o.get());
  o.store();
}

void data_grad(DType dtype, const ConvShape& s, const void* out_grad, const void* weight, const void* bias,
               void* grad) {
  if (s.data_items() == 0) return;
  if (dtype == DType::float32 && conv_call::data_grad(s, as<float>(out_grad), as<float>(weight),
                                                      as<float>(bias), static_cast<float*>(grad))) {
    return;
  }
  const auto* backend = nn_backend::active();
  const bool narrow =
      is_half(dtype);  // a bias joins before rounding, so halves with a bias stay with our kernel
  if (backend && s.out_items() > 0 && !(narrow && bias) &&
      backend->conv_data_grad(dtype, s, out_grad, weight, grad)) {
    if (bias && dtype == DType::float32) add_bias(s, as<float>(bias), static_cast<float*>(grad));
    if (bias && dtype == DType::float64) add_bias(s, as<double>(bias), static_cast<double*>(grad));
    return;
  }
  if (s.blocked()) {
    return conv_blocked::data_grad(s, as<float>(out_grad), as<float>(weight), static_cast<float*>(grad));
  }
  if (is_wide(dtype)) {
    return conv_kernel::data_grad(s, as<double>(out_grad), as<double>(weight), as<double>(bias),
                                  static_cast<double*>(grad));
  }
  if (dtype == DType::float32) {
    return conv_kernel::data_grad(s, as<float>(out_grad), as<float>(weight), as<float>(bias),
                                  static_cast<float*>(grad));
  }
  const Widened o(dtype, out_grad, s.out_items()), w(dtype, weight, s.weight_items()),
      b(dtype, bias, s.channels);
  const Narrowed d(dtype, grad, s.data_items());
  conv_kernel::data_grad<float>(s, o.get(), w.get(), b.get(), d.get());
  d.store();
}

void weight_grad(DType dtype, const ConvShape& s, const void* data, const void* out_grad, void* grad) {
  if (s.weight_items() == 0) return;
  if (dtype == DType::float32 &&
      conv_call::weight_grad(s, as<float>(data), as<float>(out_grad), static_cast<float*>(grad))) {
    return;
  }
  const auto* backend = nn_backend::active();
  if (backend && s.out_items() > 0 && s.data_items() > 0 &&
      backend->conv_weight_grad(dtype, s, data, out_grad, grad)) {
    return;
  }
  if (s.blocked()) {
    return conv_blocked::weight_grad(s, as<float>(data), as<float>(out_grad), static_cast<float*>(grad));
  }
  if (is_wide(dtype)) {
    return conv_kernel::weight_grad(s, as<double>(data), as<double>(out_grad), static_cast<double*>(grad));
  }
  if (dtype == DType::float32) {
    return conv_kernel::weight_grad(s, as<float>(data), as<float>(out_grad), static_cast<float*>(grad));
  }
  const Widened d(dtype, data, s.data_items()), o(dtype, out_grad, s.out_items());
  const Narrowed w(dtype, grad, s.weight_items());
  conv_kernel::weight_grad<float>(s, d.get(), o.get(), w.get());
  w.store();
}

void bias_grad(const View& image, bool channels_last, const View& sums) {
  const Shape& shape = image.shape();
  const int64_t channels = sums.size(), n = shape.ndim();
  if (channels_last) {
    return nn_backend::sum_rows(image.dtype, image.data, shape.size(0, static_cast<int>(n) - 1), channels,
                                sums.data);
  }
  const int64_t positions = shape.size(2, static_cast<int>(n));
  if (is_wide(image.dtype)) {
    sum_planes<double>(image.dtype, image.as<char>(), shape[0], channels, positions, sums.as<char>());
  } else {
    sum_planes<float>(image.dtype, image.as<char>(), shape[0], channels, positions, sums.as<char>());
  }
}

}  // namespace mixgrad::ops::conv
