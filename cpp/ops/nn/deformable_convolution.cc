// Convolutions whose windows take every value from a place of its own, which the data decide.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/parallel.h"
#include "kernels/convolution/deform_sample.h"
#include "kernels/elements.h"
#include "kernels/gemm/gemm.h"
#include "op/define.h"

namespace mixgrad::ops::deformable_convolution {
namespace {

enum class DeformLayout : int32_t { none, ncdhw, nchw, ncw };

struct DeformParams {
  Shape kernel, stride, dilate, pad;
  int32_t num_filter = 1, num_group = 1, num_deformable_group = 1;
  int64_t workspace = 1024;
  bool no_bias = false;
  DeformLayout layout = DeformLayout::none;
  int32_t im2col_step = 64;
  static constexpr bool kModulated = false;
  template <class P>
  static void window_fields(Fields<P>& f) {
    constexpr double kMost = 1 << 24;
    f.required("kernel", static_cast<Shape P::*>(&P::kernel), "Rows and columns of the window.",
               between(1, kMost))
        .add("stride", static_cast<Shape P::*>(&P::stride), "Distance between windows; () is 1.",
             between(1, kMost))
        .add("dilate", static_cast<Shape P::*>(&P::dilate), "Distance between a window's elements; () is 1.",
             between(1, kMost))
        .add("pad", static_cast<Shape P::*>(&P::pad), "Rows and columns added on either side; () is none.",
             between(0, kMost))
        .required("num_filter", static_cast<int32_t P::*>(&P::num_filter), "Channels of the output.",
                  at_least(1))
        .add("num_group", static_cast<int32_t P::*>(&P::num_group),
             "Groups of channels that are convolved apart.", at_least(1))
        .add("num_deformable_group", static_cast<int32_t P::*>(&P::num_deformable_group),
             "Groups of channels that share offsets.", at_least(1))
        .add("workspace", static_cast<int64_t P::*>(&P::workspace), "Accepted and ignored.", at_least(0))
        .add("no_bias", static_cast<bool P::*>(&P::no_bias), "Leaves the bias away.");
  }
  template <class P>
  static void layout_field(Fields<P>& f) {
    f.choice("layout", static_cast<DeformLayout P::*>(&P::layout), {"None", "NCDHW", "NCHW", "NCW"},
             "Order of axes: NCHW or None.");
  }
  static void fields(Fields<DeformParams>& f) {
    window_fields(f);
    layout_field(f);
  }
};

struct ModulatedParams : DeformParams {
  static constexpr bool kModulated = true;
  static void fields(Fields<ModulatedParams>& f) {
    window_fields(f);
    f.add("im2col_step", static_cast<int32_t ModulatedParams::*>(&ModulatedParams::im2col_step),
          "Accepted and ignored.", at_least(1));
    layout_field(f);
  }
};

constexpr int kOffset = 1, kMask = 2;
template <class P>
constexpr int kWeight = P::kModulated ? 3 : 2;

int64_t entry(const Shape& tuple, int axis, int64_t otherwise) {
  return tuple.ndim() == 0 ? otherwise : tuple[axis];
}

template <class P>
void deform_shape(const P& p, ShapeInfer& s) {
  constexpr int64_t kMostExtent = int64_t{1} << 31;
  constexpr double kMostColumns = 1e12;
  const auto fits = [](const Shape& tuple) { return tuple.ndim() == 0 || tuple.ndim() == 2; };
  if (p.kernel.ndim() != 2 || !fits(p.stride) || !fits(p.dilate) || !fits(p.pad)) {
    s.reject("kernel ", p.kernel, ", stride ", p.stride, ", dilate ", p.dilate, " and pad ", p.pad,
             "; expected two numbers each");
  }
  if (p.layout != DeformLayout::none && p.layout != DeformLayout::nchw) s.reject("expected layout NCHW");
  if (!p.no_bias) s.set_in(kWeight<P> + 1, {p.num_filter});
  const Shape& data = s.in(0);
  if (!data.known_rank()) return;
  if (data.ndim() != 4) s.reject("expected images (batch, channels, height, width)");
  const int64_t channels = data[1], places = p.kernel[0] * p.kernel[1];
  if (p.num_filter % p.num_group != 0 ||
      (channels >= 0 && (channels % p.num_group != 0 || channels % p.num_deformable_group != 0))) {
    s.reject(channels, " channels and ", p.num_filter,
             " filters; expected multiples of num_group = ", p.num_group,
             ", and channels of num_deformable_group = ", p.num_deformable_group);
  }
  Shape out{data[0], p.num_filter, Shape::kUnknownDim, Shape::kUnknownDim};
  double columns =
      static_cast<double>(std::max<int64_t>(channels, p.num_deformable_group)) * static_cast<double>(places);
  for (int axis = 0; axis < 2; ++axis) {
    const int64_t extent = data[2 + axis];
    if (extent < 0) continue;
    if (extent > kMostExtent) s.reject("expected images of at most 2^31 rows and columns");
    const int64_t room = extent + 2 * entry(p.pad, axis, 0);
    const int64_t span = entry(p.dilate, axis, 1) * (p.kernel[axis] - 1) + 1;
    if (span > room) s.reject("the window spans ", span, " of ", room, " rows or columns");
    out[2 + axis] = (room - span) / entry(p.stride, axis, 1) + 1;
    columns *= static_cast<double>(out[2 + axis]);
  }
  if (columns > kMostColumns) s.reject("windows of more than 1e12 values");
  s.set_out(0, out);
  const Shape& known = s.out(0);
  s.set_in(kOffset, {data[0], 2 * places * p.num_deformable_group, known[2], known[3]});
  if (P::kModulated) s.set_in(kMask, {data[0], places * p.num_deformable_group, known[2], known[3]});
  s.set_in(kWeight<P>, {p.num_filter, channels < 0 ? Shape::kUnknownDim : channels / p.num_group, p.kernel[0],
                        p.kernel[1]});
}

template <class P>
void deform_dtype(const P&, DTypeInfer& d) {
  infer_same_dtype(d);
  if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
}

// Extents of a call, and where its windows look.
struct Windows {
  Windows(const DeformParams& p, bool modulated, const Shape& in, const Shape& to)
      : params(p),
        masked(modulated),
        channels(in[1]),
        height(in[2]),
        width(in[3]),
        columns(to[3]),
        positions(to[2] * to[3]),
        places(p.kernel[0] * p.kernel[1]),
        shared(in[1] / p.num_deformable_group) {}
  const DeformParams& params;
  bool masked;
  int64_t channels, height, width, columns, positions, places;
  int64_t shared;  // channels that share offsets
  int64_t image() const { return channels * height * width; }
  int64_t offsets() const { return 2 * masks(); }
  int64_t masks() const { return params.num_deformable_group * places * positions; }

  // Where place `k` of the window at `position` looks; false where that is outside.
  template <class C>
  bool look(const C* offset, int64_t group, int64_t k, int64_t position, deform::Place<C>& place) const {
    const C* by = offset + 2 * (group * places + k) * positions + position;
    const auto start = [&](int axis, int64_t window, int64_t step) {
      return static_cast<C>(window * entry(params.stride, axis, 1) - entry(params.pad, axis, 0) +
                            step * entry(params.dilate, axis, 1));
    };
    const C y = start(0, position / columns, k / params.kernel[1]) + by[0];
    const C x = start(1, position % columns, k % params.kernel[1]) + by[positions];
    return deform::find_neighbours(y, height, masked, place.y) &&
           deform::find_neighbours(x, width, masked, place.x);
  }
  template <class C>
  C mask_at(const C* mask, int64_t group, int64_t k, int64_t position) const {
    return mask ? mask[(group * places + k) * positions + position] : C(1);
  }
};

// (channels * places, positions): what the windows of one image see.
template <class C>
void gather(const Windows& w, const C* image, const C* offset, const C* mask, C* columns) {
  const int64_t groups = w.params.num_deformable_group, plane = w.height * w.width;
  parallel_for(groups * w.places, loop_grain(4096, {w.positions, w.shared}), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t group = i / w.places, k = i % w.places;
      for (int64_t at = 0; at < w.positions; ++at) {
        deform::Place<C> place;
        const bool inside = w.look(offset, group, k, at, place);
        const C factor = w.mask_at(mask, group, k, at);
        for (int64_t c = group * w.shared; c < (group + 1) * w.shared; ++c)
          columns[(c * w.places + k) * w.positions + at] =
              inside ? factor * place.value(image + c * plane, w.width) : C(0);
      }
    }
  });
}

// From the gradient of the columns those of offsets and mask.
template <class C>
void offset_gradient(const Windows& w, const C* image, const C* offset, const C* mask, const C* columns,
                     C* offset_grad, C* mask_grad) {
  const int64_t groups = w.params.num_deformable_group, plane = w.height * w.width;
  parallel_for(groups * w.places, loop_grain(4096, {w.positions, w.shared}), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t group = i / w.places, k = i % w.places;
      for (int64_t at = 0; at < w.positions; ++at) {
        deform::Place<C> place;
        const bool inside = w.look(offset, group, k, at, place);
        C by_y = 0, by_x = 0, by_mask = 0;
        for (int64_t c = group * w.shared; inside && c < (group + 1) * w.shared; ++c) {
          const C head = columns[(c * w.places + k) * w.positions + at], *pixels = image + c * plane;
          by_y += head * place.by_y(pixels, w.width);
          by_x += head * place.by_x(pixels, w.width);
          by_mask += head * place.value(pixels, w.width);
        }
        const C factor = w.mask_at(mask, group, k, at);
        if (offset_grad) {
          offset_grad[2 * i * w.positions + at] = factor * by_y;
          offset_grad[(2 * i + 1) * w.positions + at] = factor * by_x;
        }
        if (mask_grad) mask_grad[i * w.positions + at] = by_mask;
      }
    }
  });
}

// Every channel is one thread's, since windows overlap.
template <class C>
void image_gradient(const Windows& w, const C* offset, const C* mask, const C* columns, C* image_grad) {
  const int64_t plane = w.height * w.width;
  parallel_for(w.channels, loop_grain(2048, {w.positions, w.places}), [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      C* pixels = image_grad + c * plane;
      std::fill(pixels, pixels + plane, C(0));
      for (int64_t i = 0; i < w.places * w.positions; ++i) {
        const int64_t k = i / w.positions, at = i % w.positions, group = c / w.shared;
        deform::Place<C> place;
        if (!w.look(offset, group, k, at, place)) continue;
        const C head = columns[c * w.places * w.positions + i] * w.mask_at(mask, group, k, at);
        place.spread(head, pixels, w.width);
      }
    }
  });
}

// Matrices of one group: weights (filters, taps), columns (taps, positions), output (filters, positions).
struct Groups {
  explicit Groups(const Windows& w)
      : count(w.params.num_group),
        filters(w.params.num_filter / count),
        taps(w.channels / count * w.places),
        positions(w.positions) {}
  int64_t count, filters, taps, positions;
};

template <class C>
void multiply(int64_t m, int64_t n, int64_t k, const C* a, bool transpose_a, const C* b, bool transpose_b,
              C* c, bool accumulate) {
  Gemm g;
  g.m = m, g.n = n, g.k = k;
  g.a = a, g.lda = transpose_a ? m : k, g.transpose_a = transpose_a;
  g.b = b, g.ldb = transpose_b ? k : n, g.transpose_b = transpose_b;
  g.c = c, g.ldc = n;
  g.accumulate = accumulate;
  gemm(dtype_of<C>(), g);
}

template <class C, class P>
void deform_forward(const P& p, KernelArgs& args) {
  const View &out = args.out[0], &weight = args.in[kWeight<P>];
  if (out.size() == 0) return;
  const Windows w(p, P::kModulated, args.in[0].shape(), out.shape());
  const Groups g(w);
  const int64_t batch = out.shape()[0], size = p.num_filter * w.positions;
  Elements<C> images(args.in[0], w.image()), offsets(args.in[kOffset], w.offsets()),
      masks(args.in[kMask], w.masks());
  Elements<C> weights(weight, weight.size()), biases(args.in[args.in.size() - 1], p.num_filter),
      results(out, size);
  const C* factors = weights.read(0, weight.size());
  const C* bias = p.no_bias ? nullptr : biases.read(0, p.num_filter);
  ScratchArray<C> columns(static_cast<size_t>(w.channels * w.places * w.positions));
  for (int64_t n = 0; n < batch; ++n) {
    const C* mask = P::kModulated ? masks.read(n * w.masks(), w.masks()) : nullptr;
    gather(w, images.read(n * w.image(), w.image()), offsets.read(n * w.offsets(), w.offsets()), mask,
           columns.data());
    C* y = results.write(n * size);
    for (int64_t f = 0; f < p.num_filter; ++f)
      std::fill_n(y + f * w.positions, w.positions, bias ? bias[f] : C(0));
    for (int64_t i = 0; i < g.count; ++i) {
      multiply(g.filters, g.positions, g.taps, factors + i * g.filters * g.taps, false,
               columns.data() + i * g.taps * g.positions, false, y + i * g.filters * g.positions, true);
    }
    results.store(n * size, size);
  }
}

template <class C, class P>
void deform_backward(const P& p, BackwardArgs& args) {
  const View &head = args.out_grad[0], &weight = args.in[kWeight<P>];
  for (const View& view : args.in_grad) {
    if (view.data && view.bytes() > 0) std::memset(view.data, 0, view.bytes());
  }
  if (head.size() == 0) return;
  const Windows w(p, P::kModulated, args.in[0].shape(), head.shape());
  const Groups g(w);
  const int64_t batch = head.shape()[0], size = p.num_filter * w.positions;
  const auto slot = [&](int i) -> const View& { return args.in_grad[static_cast<size_t>(i)]; };
  const bool to_image = args.wants(0), to_offset = args.wants(kOffset),
             to_mask = P::kModulated && args.wants(kMask);
  const bool to_weight = args.wants(kWeight<P>), to_bias = !p.no_bias && args.wants(kWeight<P> + 1);
  Elements<C> images(args.in[0], w.image()), offsets(args.in[kOffset], w.offsets()),
      masks(args.in[kMask], w.masks());
  Elements<C> weights(weight, weight.size()), heads(head, size);
  Elements<C> image_grads(slot(0), to_image ? w.image() : 0),
      offset_grads(slot(kOffset), to_offset ? w.offsets() : 0);
  Elements<C> mask_grads(slot(kMask), to_mask ? w.masks() : 0);
  const C* factors = weights.read(0, weight.size());
  ScratchArray<C> columns(static_cast<size_t>(w.channels * w.places * w.positions));
  ScratchArray<C> weight_sums(static_cast<size_t>(to_weight ? weight.size() : 0), C(0));
  ScratchArray<double> bias_sums(static_cast<size_t>(p.num_filter), 0.0);
  for (int64_t n = 0; n < batch; ++n) {
    const C* mask = P::kModulated ? masks.read(n * w.masks(), w.masks()) : nullptr;
    const C *image = images.read(n * w.image(), w.image()),
            *offset = offsets.read(n * w.offsets(), w.offsets());
    const C* dy = heads.read(n * size, size);
    for (int64_t i = 0; to_bias && i < size; ++i)
      bias_sums[static_cast<size_t>(i / w.positions)] += static_cast<double>(dy[i]);
    if (to_weight) {
      gather(w, image, offset, mask, columns.data());
      for (int64_t i = 0; i < g.count; ++i) {
        multiply(g.filters, g.taps, g.positions, dy + i * g.filters * g.positions, false,
                 columns.data() + i * g.taps * g.positions, true, weight_sums.data() + i * g.filters * g.taps,
                 true);
      }
    }
    if (!to_image && !to_offset && !to_mask) continue;
    for (int64_t i = 0; i < g.count; ++i) {
      multiply(g.taps, g.positions, g.filters, factors + i * g.filters * g.taps, true,
               dy + i * g.filters * g.positions, false, columns.data() + i * g.taps * g.positions, false);
    }
    if (to_offset || to_mask) {
      offset_gradient(w, image, offset, mask, columns.data(),
                      to_offset ? offset_grads.write(n * w.offsets()) : nullptr,
                      to_mask ? mask_grads.write(n * w.masks()) : nullptr);
      if (to_offset) offset_grads.store(n * w.offsets(), w.offsets());
      if (to_mask) mask_grads.store(n * w.masks(), w.masks());
    }
    if (!to_image) continue;
    image_gradient(w, offset, mask, columns.data(), image_grads.write(n * w.image()));
    image_grads.store(n * w.image(), w.image());
  }
  const View &to = slot(kWeight<P>), &last = args.in_grad[args.in_grad.size() - 1];
  if (to_weight) convert(weight_sums.data(), dtype_of<C>(), to.data, to.dtype, to.size());
  if (to_bias) convert(bias_sums.data(), DType::float64, last.data, last.dtype, last.size());
}

template <class P>
Define<P>& deforming(Define<P>& define) {
  return define.num_inputs([](const P& p) { return kWeight<P> + (p.no_bias ? 1 : 2); })
      .shape(deform_shape<P>)
      .dtype(deform_dtype<P>)
      .kernel([](const P& p, KernelArgs& args) {
        if (is_wide(args.out[0].dtype)) {
          deform_forward<double>(p, args);
        } else {
          deform_forward<float>(p, args);
        }
      })
      .cost([](const P& p, Span<const Shape> in) {
        const double work =
            static_cast<double>(p.kernel[0] * p.kernel[1]) * (8 + 0.1 * p.num_filter / p.num_group);
        return 2000 + static_cast<double>(in[0].size()) * work;
      })
      .backward([](const P& p, BackwardArgs& args) {
        if (is_wide(args.out_grad[0].dtype)) {
          deform_backward<double>(p, args);
        } else {
          deform_backward<float>(p, args);
        }
      });
}

constexpr const char* kDataDoc = "Images (batch, channels, height, width), float.";
constexpr const char* kOffsetDoc =
    "(batch, deformable groups * rows * columns of the window * 2, out height, out width): how far down and "
    "how far right "
    "of its place in the window each value is taken.";
constexpr const char* kWeightDoc = "(num_filter, channels / num_group, rows, columns).";
constexpr const char* kBiasDoc = "(num_filter,); absent with no_bias.";

const Op& plain = deforming(Define<DeformParams>("_contrib_DeformableConvolution")
                                .module("contrib")
                                .doc("Convolution of images in which every value of a window is taken from a "
                                     "place moved by an offset, on straight "
                                     "lines between pixels; places outside of the image give 0.")
                                .origin("MXNet _contrib_DeformableConvolution; Dai and others 2017")
                                .input("data", kDataDoc)
                                .input("offset", kOffsetDoc)
                                .input("weight", kWeightDoc)
                                .input("bias", kBiasDoc));

const Op& modulated = deforming(
    Define<ModulatedParams>("_contrib_ModulatedDeformableConvolution")
        .module("contrib")
        .doc("As _contrib_DeformableConvolution, with a factor for every value of a window; values sink to 0 "
             "over one pixel "
             "beyond the border.")
        .origin("MXNet _contrib_ModulatedDeformableConvolution; Zhu and others 2019")
        .input("data", kDataDoc)
        .input("offset", kOffsetDoc)
        .input(
            "mask",
            "(batch, deformable groups * rows * columns of the window, out height, out width): the factors.")
        .input("weight", kWeightDoc)
        .input("bias", kBiasDoc));

}  // namespace
}  // namespace mixgrad::ops::deformable_convolution
