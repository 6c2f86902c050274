// Largest or mean value under a moving window, of 8-bit arrays.
#include "ops/quantization/quantize.h"
#include "ops/quantization/window.h"

namespace mixgrad::ops::quantized_pooling {
namespace {

using quantization::needs_8_bits;
using quantization::ranges_dtype;
using quantization::ranges_shape;
using quantization::read_range;
using quantization::round_saturate;
using quantization::with_8_bits;
using quantization::write_range;
using window::check_window;
using window::kLayoutNames;
using window::Layout;
using window::Rounding;
using window::Window;
using window::window_extent;
using window::window_shape;
using PoolShape = nn_backend::ConvShape;

enum class Kind { avg, lp, max, sum };
inline constexpr const char* kKindNames[] = {"avg", "lp", "max", "sum"};

struct PoolingParams {
  Shape kernel, stride, pad;
  Kind pool_type = Kind::max;
  bool global_pool = false, cudnn_off = false;
  Rounding pooling_convention = Rounding::valid;
  std::optional<int64_t> p_value;
  std::optional<bool> count_include_pad;
  Layout layout = Layout::none;
  static void fields(Fields<PoolingParams>& f) {
    using P = PoolingParams;
    f.add("kernel", &P::kernel, "Extents of the window: (w,), (h, w) or (d, h, w).")
        .choice("pool_type", &P::pool_type, kKindNames, "What is taken of a window: avg or max.")
        .add("global_pool", &P::global_pool,
             "The window is the whole image; kernel, stride and pad are ignored.")
        .add("cudnn_off", &P::cudnn_off, "Accepted and ignored.")
        .choice("pooling_convention", &P::pooling_convention, {"full", "same", "valid"},
                "Rounding of output extents: valid rounds down, full up, same gives ceil(in / stride).")
        .add("stride", &P::stride, "Steps of the window; empty means ones.")
        .add("pad", &P::pad, "Elements added at both ends of each axis; empty means none.")
        .add("p_value", &P::p_value, "Accepted and ignored.")
        .add("count_include_pad", &P::count_include_pad, "Whether avg also counts padding; None is True.")
        .choice("layout", &P::layout, kLayoutNames, "Order of axes: None or channels first.");
  }
};

// The window over data of that shape.
Window pool_window_of(const PoolingParams& p, const Shape& data) {
  if (!p.global_pool) return {p.kernel, p.stride, {}, p.pad, p.layout, p.pooling_convention};
  Shape whole = data;
  whole.erase(0);
  whole.erase(0);
  return {whole, {}, {}, {}, p.layout};
}

// The part of a window along one axis that lies inside the input.
struct Inside {
  int64_t first, last;
};
Inside inside(const PoolShape& s, int axis, int64_t at) {
  const int64_t begin = at * s.stride[axis] - s.pad[axis], end = begin + s.kernel[axis];
  return {std::max<int64_t>(begin, 0), std::min(end, s.in[axis])};
}

template <class T>
T pool_window(const PoolShape& s, const PoolingParams& p, const T* x, const Inside& d, const Inside& h,
              const Inside& w) {
  T best = std::numeric_limits<T>::lowest();
  int64_t sum = 0, count = 0;
  for (int64_t i = d.first; i < d.last; ++i) {
    for (int64_t j = h.first; j < h.last; ++j) {
      const T* row = x + (i * s.in[1] + j) * s.in[2];
      for (int64_t k = w.first; k < w.last; ++k) {
        best = std::max(best, row[k]);
        sum += row[k];
        ++count;
      }
    }
  }
  if (p.pool_type == Kind::max) return best;
  if (p.count_include_pad.value_or(true)) count = s.kernel[0] * s.kernel[1] * s.kernel[2];
  return count > 0 ? round_saturate<T>(static_cast<float>(sum) / static_cast<float>(count)) : T(0);
}

template <class T>
void pool_planes(const PoolShape& s, const PoolingParams& p, const T* x, T* y) {
  const int64_t grain = loop_grain(16384, {s.out_size(), s.kernel_size()});
  parallel_for(s.batch * s.channels, grain, [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      T* to = y + plane * s.out_size();
      for (int64_t i = 0; i < s.out[0]; ++i) {
        const Inside d = inside(s, 0, i);
        for (int64_t j = 0; j < s.out[1]; ++j) {
          const Inside h = inside(s, 1, j);
          for (int64_t k = 0; k < s.out[2]; ++k)
            *to++ = pool_window(s, p, x + plane * s.in_size(), d, h, inside(s, 2, k));
        }
      }
    }
  });
}

void quantized_pooling_shape(const PoolingParams& p, ShapeInfer& s) {
  if (p.pool_type != Kind::max && p.pool_type != Kind::avg) {
    s.reject("pool_type is ", kKindNames[static_cast<int>(p.pool_type)], "; expected max or avg");
  }
  ranges_shape(s, 1);
  Shape out = s.in(0);
  if (!out.known_rank()) return;
  if (out.ndim() < 3 || out.ndim() > 5) s.reject("data needs 3, 4 or 5 axes");
  if (p.global_pool && !out.known()) return;
  const Window w = pool_window_of(p, out);
  check_window(w, s);
  for (int i = 0; i < w.axes(); ++i) out[2 + i] = window_extent(w, i, out[2 + i], s);
  s.set_out(0, out);
}

void quantized_pooling_kernel(const PoolingParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  const PoolShape s = window_shape(pool_window_of(p, data.shape()), data.shape(), out.shape());
  with_8_bits(data.dtype, [&](auto of) {
    using T = decltype(of);
    if (out.size() > 0) pool_planes(s, p, data.as<T>(), out.as<T>());
  });
  write_range(args, 1, read_range(args.in[1], args.in[2]));
}

const Op& quantized_pooling_op =
    Define<PoolingParams>("_contrib_quantized_pooling")
        .doc(
            "Largest element or mean of a window that moves over the spatial axes of an 8-bit array. Means "
            "are "
            "rounded to the nearest number; with count_include_pad all of a window counts, even what lies "
            "beyond "
            "the padding. The range stays.")
        .origin("MXNet _contrib_quantized_pooling")
        .input("data", "int8 or uint8 with one, two or three spatial axes.")
        .input("min_data", "(1,): smallest value of data.")
        .input("max_data", "(1,): largest value of data.")
        .outputs({"output", "min_output", "max_output"})
        .shape(quantized_pooling_shape)
        .dtype([](const PoolingParams&, DTypeInfer& d) {
          if (needs_8_bits(d, 0)) d.set_out(0, d.in(0));
          ranges_dtype(d, 1);
        })
        .kernel(quantized_pooling_kernel)
        .cost([](const PoolingParams& p, Span<const Shape> in) {
          double window = 1;
          for (int64_t k : p.kernel) window *= static_cast<double>(k);
          for (int64_t k : p.stride) window /= static_cast<double>(k);
          return 500 + static_cast<double>(in[0].size()) * (p.global_pool ? 1 : std::max(window, 1.0));
        })
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::quantized_pooling
