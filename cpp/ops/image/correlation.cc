// How patches of one image match displaced patches of another.
#include <algorithm>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "kernels/scratch.h"
#include "op/define.h"

namespace mixgrad::ops::correlation {
namespace {

struct CorrelationParams {
  int32_t kernel_size = 1, max_displacement = 1, stride1 = 1, stride2 = 1, pad_size = 0;
  bool is_multiply = true;
  static void fields(Fields<CorrelationParams>& f) {
    constexpr double kMost = 1 << 12;
    f.add("kernel_size", &CorrelationParams::kernel_size, "Extent of the square patches, odd.",
          between(1, kMost))
        .add("max_displacement", &CorrelationParams::max_displacement, "Largest displacement, in pixels.",
             between(0, kMost))
        .add("stride1", &CorrelationParams::stride1, "Pixels between patches of data1.", between(1, kMost))
        .add("stride2", &CorrelationParams::stride2, "Pixels between displacements.", between(1, kMost))
        .add("pad_size", &CorrelationParams::pad_size, "Zeros around both images.", between(0, kMost))
        .add("is_multiply", &CorrelationParams::is_multiply,
             "Whether values are multiplied; else their absolute difference is taken.");
  }
  int64_t radius() const { return max_displacement / stride2; }
  int64_t side() const { return 2 * radius() + 1; }
};

void correlation_shape(const CorrelationParams& p, ShapeInfer& s) {
  if (p.kernel_size % 2 == 0) s.reject("kernel_size is ", p.kernel_size, "; expected an odd number");
  s.set_in(0, s.in(1));
  s.set_in(1, s.in(0));
  if (!s.in(0).known_rank()) return;
  if (s.in(0).ndim() != 4) s.reject("expected images (batch, channels, height, width)");
  Shape out = s.in(0);
  out[1] = p.side() * p.side();
  const int64_t border = 2 * p.max_displacement + p.kernel_size - 1;
  for (int axis = 2; axis < 4; ++axis) {
    if (out[axis] < 0) continue;
    const int64_t inner = out[axis] + 2 * p.pad_size - border;
    if (inner < 1)
      s.reject("axis ", axis, " is too short for patches and displacements of ", border, " pixels");
    out[axis] = (inner + p.stride1 - 1) / p.stride1;
  }
  s.set_out(0, out);
}

// Extents of a call. Images are padded, so that every displaced patch lies inside.
struct Frame {
  Frame(const CorrelationParams& params, const Shape& in, const Shape& out)
      : p(params),
        images(in[0] * in[1]),
        channels(in[1]),
        height(in[2]),
        width(in[3]),
        wide(in[3] + 2 * p.pad_size),
        plane((in[2] + 2 * p.pad_size) * wide),
        rows(out[2]),
        columns(out[3]) {}
  const CorrelationParams& p;
  int64_t images, channels, height, width, wide, plane, rows, columns;

  double share() const {
    return 1 / (static_cast<double>(p.kernel_size) * p.kernel_size * static_cast<double>(channels));
  }
  // Calls body(place in a plane of data1, in one of data2, in one of the output) for every run of `columns` values,
  // stride1 apart in the images.
  template <class Body>
  void runs(int64_t displacement, Body body) const {
    const int64_t dy = (displacement / p.side() - p.radius()) * p.stride2;
    const int64_t dx = (displacement % p.side() - p.radius()) * p.stride2;
    for (int64_t y = 0; y < rows; ++y) {
      for (int64_t k = 0; k < p.kernel_size * p.kernel_size; ++k) {
        const int64_t at = (p.max_displacement + y * p.stride1 + k / p.kernel_size) * wide +
                           p.max_displacement + k % p.kernel_size;
        body(at, at + dy * wide + dx, y * columns);
      }
    }
  }
};

template <class C>
ScratchArray<C> padded(const Frame& f, const View& view) {
  ScratchArray<C> out(static_cast<size_t>(f.images * f.plane), C(0));
  for (int64_t r = 0; r < f.images * f.height; ++r) {
    const int64_t row = r % f.height + f.p.pad_size;
    convert(view.as<char>() + static_cast<size_t>(r * f.width) * size_of(view.dtype), view.dtype,
            out.data() + r / f.height * f.plane + row * f.wide + f.p.pad_size, dtype_of<C>(), f.width);
  }
  return out;
}

template <class C>
void unpadded(const Frame& f, const ScratchArray<C>& from, const View& view) {
  for (int64_t r = 0; r < f.images * f.height; ++r) {
    const int64_t row = r % f.height + f.p.pad_size;
    convert(from.data() + r / f.height * f.plane + row * f.wide + f.p.pad_size, dtype_of<C>(),
            view.as<char>() + static_cast<size_t>(r * f.width) * size_of(view.dtype), view.dtype, f.width);
  }
}

template <class C>
void correlate(const CorrelationParams& p, KernelArgs& args) {
  const View& out = args.out[0];
  if (out.size() == 0) return;
  const Frame f(p, args.in[0].shape(), out.shape());
  const ScratchArray<C> first = padded<C>(f, args.in[0]), second = padded<C>(f, args.in[1]);
  Elements<C> results(out, out.size());
  C* to = results.write(0);
  const int64_t shifts = p.side() * p.side(), cells = f.rows * f.columns, step = p.stride1;
  const C share = static_cast<C>(f.share());
  parallel_for(out.shape()[0] * shifts, loop_grain(4096, {cells, f.channels + 1}),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   C* plane = to + i * cells;
                   std::fill(plane, plane + cells, C(0));
                   for (int64_t c = i / shifts * f.channels; c < (i / shifts + 1) * f.channels; ++c) {
                     const C *a = first.data() + c * f.plane, *b = second.data() + c * f.plane;
                     f.runs(i % shifts, [&](int64_t at, int64_t other, int64_t cell) {
                       for (int64_t x = 0; x < f.columns; ++x) {
                         const C u = a[at + x * step], v = b[other + x * step];
                         plane[cell + x] += p.is_multiply ? u * v : (u < v ? v - u : u - v);
                       }
                     });
                   }
                   for (int64_t x = 0; x < cells; ++x) plane[x] *= share;
                 }
               });
  results.store(0, out.size());
}

// A channel of an image is one thread's. Of equal values the difference counts as that of data1.
template <class C>
void correlate_backward(const CorrelationParams& p, BackwardArgs& args) {
  const View& head = args.out_grad[0];
  const Frame f(p, args.in[0].shape(), head.shape());
  const ScratchArray<C> first = padded<C>(f, args.in[0]), second = padded<C>(f, args.in[1]);
  ScratchArray<C> first_grad(first.size(), C(0)), second_grad(second.size(), C(0));
  Elements<C> heads(head, head.size());
  const C* dy = heads.read(0, head.size());
  const int64_t shifts = p.side() * p.side(), cells = f.rows * f.columns, step = p.stride1;
  const C share = static_cast<C>(f.channels > 0 ? f.share() : 0);
  parallel_for(f.images, loop_grain(4096, {cells, shifts}), [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      const C *a = first.data() + c * f.plane, *b = second.data() + c * f.plane;
      C *da = first_grad.data() + c * f.plane, *db = second_grad.data() + c * f.plane;
      for (int64_t shift = 0; shift < shifts; ++shift) {
        const C* plane = dy + (c / f.channels * shifts + shift) * cells;
        f.runs(shift, [&](int64_t at, int64_t other, int64_t cell) {
          for (int64_t x = 0; x < f.columns; ++x) {
            const C g = plane[cell + x] * share, u = a[at + x * step], v = b[other + x * step];
            da[at + x * step] += p.is_multiply ? g * v : (u >= v ? g : -g);
            db[other + x * step] += p.is_multiply ? g * u : (u >= v ? -g : g);
          }
        });
      }
    }
  });
  if (args.wants(0)) unpadded(f, first_grad, args.in_grad[0]);
  if (args.wants(1)) unpadded(f, second_grad, args.in_grad[1]);
}

const Op& op = Define<CorrelationParams>("Correlation")
                   .doc(
                       "(batch, displacements, rows, columns): the mean over patch and channels of data1 "
                       "times data2, or of their "
                       "absolute difference, for every displacement of the patch in data2, rows first.")
                   .origin("MXNet Correlation; Dosovitskiy and others 2015")
                   .input("data1", "Images (batch, channels, height, width), float.")
                   .input("data2", "Images of the same shape.")
                   .shape(correlation_shape)
                   .dtype([](const CorrelationParams&, DTypeInfer& d) {
                     infer_same_dtype(d);
                     if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
                   })
                   .kernel([](const CorrelationParams& p, KernelArgs& args) {
                     if (args.out[0].dtype == DType::float64)
                       correlate<double>(p, args);
                     else
                       correlate<float>(p, args);
                   })
                   .cost([](const CorrelationParams& p, Span<const Shape> in) {
                     const double window =
                         static_cast<double>(p.kernel_size * p.kernel_size) / p.stride1 / p.stride1;
                     return 500 + static_cast<double>(in[0].size() * p.side() * p.side()) * window;
                   })
                   .backward([](const CorrelationParams& p, BackwardArgs& args) {
                     if (args.out_grad[0].dtype == DType::float64)
                       correlate_backward<double>(p, args);
                     else
                       correlate_backward<float>(p, args);
                   });

}  // namespace
}  // namespace mixgrad::ops::correlation
