// Sliding windows as columns, and columns added back to where the windows lay.
#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "op/define.h"

namespace mixgrad::ops::im2col {
namespace {

constexpr int kMaxSpatial = 3;
constexpr int64_t kMostExtent = int64_t{1} << 31;
constexpr double kMostColumns = 1e12;

struct Im2colParams {
  Shape kernel, stride, dilate, pad;
  template <class P>
  static void window_fields(Fields<P>& f) {
    f.required("kernel", static_cast<Shape P::*>(&P::kernel),
               "Extents of the window: (w,), (h, w) or (d, h, w).")
        .add("stride", static_cast<Shape P::*>(&P::stride), "Distance between windows; () is 1.")
        .add("dilate", static_cast<Shape P::*>(&P::dilate), "Distance between a window's elements; () is 1.")
        .add("pad", static_cast<Shape P::*>(&P::pad), "Zeros assumed on either side; () is none.");
  }
  static void fields(Fields<Im2colParams>& f) { window_fields(f); }
};

struct Col2imParams : Im2colParams {
  Shape output_size;
  static void fields(Fields<Col2imParams>& f) {
    f.required("output_size", &Col2imParams::output_size, "Spatial extents of the output.");
    window_fields(f);
  }
};

struct Windows {
  int spatial;
  int64_t image[kMaxSpatial], kernel[kMaxSpatial], stride[kMaxSpatial], dilate[kMaxSpatial], pad[kMaxSpatial],
      count[kMaxSpatial];
  int64_t image_size() const { return product(image); }
  int64_t kernel_size() const { return product(kernel); }
  int64_t num_windows() const { return product(count); }
  int64_t product(const int64_t* extents) const {
    int64_t n = 1;
    for (int a = 0; a < spatial; ++a) n *= extents[a];
    return n;
  }
};

double rough_product(const int64_t* extents) {
  double n = 1;
  for (int a = 0; a < kMaxSpatial; ++a) n *= static_cast<double>(extents[a]);
  return n;
}

// Axes in front are filled up with ones, so that kernels see three.
Windows windows_of(const Im2colParams& p, const Shape& image, const char* who) {
  Windows w;
  w.spatial = kMaxSpatial;
  const int n = p.kernel.ndim(), lead = kMaxSpatial - n;
  const auto fits = [&](const Shape& s) { return s.ndim() == 0 || s.ndim() == n; };
  if (n < 1 || n > kMaxSpatial || image.ndim() != n || !fits(p.stride) || !fits(p.dilate) || !fits(p.pad)) {
    fail(Status::shape, "[", who, "] kernel ", p.kernel, ", stride ", p.stride, ", dilate ", p.dilate,
         " and pad ", p.pad, " for spatial extents ", image,
         "; expected one entry per spatial axis, one to three axes");
  }
  for (int a = 0; a < kMaxSpatial; ++a) {
    const int i = a - lead;
    const auto entry = [&](const Shape& s, int64_t otherwise) {
      return i < 0 || s.ndim() == 0 ? otherwise : s[i];
    };
    w.image[a] = entry(image, 1);
    w.kernel[a] = entry(p.kernel, 1);
    w.stride[a] = entry(p.stride, 1);
    w.dilate[a] = entry(p.dilate, 1);
    w.pad[a] = entry(p.pad, 0);
    for (int64_t value : {w.image[a], w.kernel[a], w.stride[a], w.dilate[a], w.pad[a]}) {
      if (value > kMostExtent)
        fail(Status::shape, "[", who, "] ", value, " is too large; expected at most 2^31");
    }
    const bool counts = w.kernel[a] >= 1 && w.stride[a] >= 1 && w.dilate[a] >= 1 && w.pad[a] >= 0;
    const int64_t span = counts ? w.dilate[a] * (w.kernel[a] - 1) + 1 : 1;
    const int64_t workspace = counts ? w.image[a] + 2 * w.pad[a] : 0;
    if (span > workspace) {
      fail(Status::shape, "[", who, "] kernel ", p.kernel, ", stride ", p.stride, ", dilate ", p.dilate,
           " and pad ", p.pad, " leave no window in spatial extents ", image);
    }
    w.count[a] = (workspace - span) / w.stride[a] + 1;
  }
  if (rough_product(w.kernel) > kMostColumns || rough_product(w.count) > kMostColumns) {
    fail(Status::shape, "[", who, "] kernel ", p.kernel, " and pad ", p.pad,
         " ask for more than 1e12 columns or rows");
  }
  return w;
}

Shape spatial_of(const Shape& data) {
  Shape spatial = data;
  if (spatial.ndim() > 0) spatial.erase(0);
  if (spatial.ndim() > 0) spatial.erase(0);
  return spatial;
}

// Calls body(column element, image offset, steps, image step) for every run of elements of one row of columns (one
// channel, one place in the window) that lie inside the image.
template <class Body>
void for_each_run(const Windows& w, int64_t place, Body body) {
  int64_t at[kMaxSpatial];
  for (int a = kMaxSpatial - 1; a >= 0; --a) {
    at[a] = place % w.kernel[a] * w.dilate[a] - w.pad[a];
    place /= w.kernel[a];
  }
  const int64_t step = w.stride[2];
  // Windows along the last axis whose element is inside: begin <= i < end.
  const int64_t begin = at[2] >= 0 ? 0 : std::min(w.count[2], (-at[2] + step - 1) / step);
  const int64_t inside = w.image[2] - at[2];
  const int64_t end = inside <= 0 ? begin : std::max(begin, std::min(w.count[2], (inside + step - 1) / step));
  for (int64_t d = 0; d < w.count[0]; ++d) {
    const int64_t z = d * w.stride[0] + at[0];
    for (int64_t h = 0; h < w.count[1]; ++h) {
      const int64_t y = h * w.stride[1] + at[1];
      if (z < 0 || z >= w.image[0] || y < 0 || y >= w.image[1] || begin == end) continue;
      body((d * w.count[1] + h) * w.count[2] + begin,
           (z * w.image[1] + y) * w.image[2] + begin * step + at[2], end - begin, step);
    }
  }
}

template <class T>
void gather_columns(const Windows& w, const T* image, T* columns, int64_t planes) {
  const int64_t places = w.kernel_size(), windows = w.num_windows();
  parallel_for(planes * places, loop_grain(16384, {windows}), [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row) {
      T* to = columns + row * windows;
      const T* from = image + row / places * w.image_size();
      std::fill_n(to, windows, T(0));
      for_each_run(w, row % places, [&](int64_t column, int64_t offset, int64_t n, int64_t step) {
        for (int64_t i = 0; i < n; ++i) to[column + i] = from[offset + i * step];
      });
    }
  });
}

template <class T>
void add_columns(const Windows& w, const T* columns, T* image, int64_t planes) {
  const int64_t places = w.kernel_size(), windows = w.num_windows();
  parallel_for(planes, loop_grain(16384, {windows, places}), [&](int64_t first, int64_t last) {
    for (int64_t plane = first; plane < last; ++plane) {
      T* to = image + plane * w.image_size();
      std::fill_n(to, w.image_size(), T(0));
      for (int64_t place = 0; place < places; ++place) {
        const T* from = columns + (plane * places + place) * windows;
        for_each_run(w, place, [&](int64_t column, int64_t offset, int64_t n, int64_t step) {
          for (int64_t i = 0; i < n; ++i) to[offset + i * step] += from[column + i];
        });
      }
    }
  });
}

void im2col_kernel(const Im2colParams& p, KernelArgs& args) {
  const View &in = args.in[0], &out = args.out[0];
  const Windows w = windows_of(p, spatial_of(in.shape()), args.name());
  const int64_t planes = in.shape()[0] * in.shape()[1];
  switch (size_of(in.dtype)) {
    case 1: return gather_columns(w, in.as<uint8_t>(), out.as<uint8_t>(), planes);
    case 2: return gather_columns(w, in.as<uint16_t>(), out.as<uint16_t>(), planes);
    case 4: return gather_columns(w, in.as<uint32_t>(), out.as<uint32_t>(), planes);
    default: return gather_columns(w, in.as<uint64_t>(), out.as<uint64_t>(), planes);
  }
}

void col2im_kernel(const Col2imParams& p, KernelArgs& args) {
  const View &in = args.in[0], &out = args.out[0];
  const Windows w = windows_of(p, p.output_size, args.name());
  const int64_t planes = out.shape()[0] * out.shape()[1];
  if (in.dtype == DType::float32) return add_columns(w, in.as<float>(), out.as<float>(), planes);
  if (in.dtype == DType::float64) return add_columns(w, in.as<double>(), out.as<double>(), planes);
  std::vector<double> columns(static_cast<size_t>(in.size())), image(static_cast<size_t>(out.size()));
  convert(in.data, in.dtype, columns.data(), DType::float64, in.size());
  add_columns(w, columns.data(), image.data(), planes);
  convert(image.data(), DType::float64, out.data, out.dtype, out.size());
}

void infer_im2col(const Im2colParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  const Shape& in = s.in(0);
  const Windows w = windows_of(p, spatial_of(in), s.name());
  int64_t rows = 0;
  if (__builtin_mul_overflow(in[1], w.kernel_size(), &rows)) s.reject("too many rows");
  s.set_out(0, {in[0], rows, w.num_windows()});
}

void infer_col2im(const Col2imParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  const Shape& in = s.in(0);
  const Windows w = windows_of(p, p.output_size, s.name());
  if (in.ndim() != 3 || in[1] % w.kernel_size() != 0 || in[2] != w.num_windows()) {
    s.reject("expected (N, C * ", w.kernel_size(), ", ", w.num_windows(), ")");
  }
  Shape out{in[0], in[1] / w.kernel_size()};
  for (int64_t extent : p.output_size) out.push_back(extent);
  s.set_out(0, out);
}

const Op& im2col = Define<Im2colParams>("im2col")
                       .doc(
                           "The windows of each image as columns: (N, C, ...) becomes (N, C * window size, "
                           "number of windows).")
                       .origin("MXNet im2col")
                       .input("data", "(N, C, w), (N, C, h, w) or (N, C, d, h, w)")
                       .shape(infer_im2col)
                       .kernel(im2col_kernel)
                       .grad_needs({}, {})
                       .grad([](const Im2colParams& p, Grad& g) {
                         g.set(0, apply("col2im", {g.out_grad()},
                                        {{"output_size", TupleValue(spatial_of(g.in_shape(0)))},
                                         {"kernel", TupleValue(p.kernel)},
                                         {"stride", TupleValue(p.stride)},
                                         {"dilate", TupleValue(p.dilate)},
                                         {"pad", TupleValue(p.pad)}}));
                       });

const Op& col2im =
    Define<Col2imParams>("col2im")
        .doc("Adds columns to the places of their windows: the adjoint of im2col, not its inverse.")
        .origin("MXNet col2im")
        .input("data", "(N, C * window size, number of windows)")
        .shape(infer_col2im)
        .kernel(col2im_kernel)
        .cost([](const Col2imParams&, Span<const Shape> in) { return static_cast<double>(in[0].size()); })
        .grad_needs({}, {})
        .grad([](const Col2imParams& p, Grad& g) {
          g.set(0, apply("im2col", {g.out_grad()},
                         {{"kernel", TupleValue(p.kernel)},
                          {"stride", TupleValue(p.stride)},
                          {"dilate", TupleValue(p.dilate)},
                          {"pad", TupleValue(p.pad)}}));
        });

}  // namespace
}  // namespace mixgrad::ops::im2col
