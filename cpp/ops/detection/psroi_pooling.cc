// Means of regions of images over a grid, each cell from channels of its own.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "ops/detection/roi.h"

namespace mixgrad::ops::psroi_pooling {
namespace {

struct SensitiveParams {
  float spatial_scale = 1;
  int32_t output_dim = 1;
  int32_t pooled_size = 1;
  int32_t group_size = 0;
  static void fields(Fields<SensitiveParams>& f) {
    f.required("spatial_scale", &SensitiveParams::spatial_scale,
               "Factor from the regions' coordinates to rows and columns of data.", between(0, 1))
        .required("output_dim", &SensitiveParams::output_dim, "Channels of the output.", at_least(1))
        .required("pooled_size", &SensitiveParams::pooled_size, "Rows and columns of the grid.", at_least(1))
        .add("group_size", &SensitiveParams::group_size,
             "Rows and columns of groups of cells, each with channels of its own; 0 means pooled_size.",
             at_least(0));
  }
};

int64_t groups_of(const SensitiveParams& p) { return p.group_size > 0 ? p.group_size : p.pooled_size; }

void sensitive_shape(const SensitiveParams& p, ShapeInfer& s) {
  roi::infer_regions(s, 5);
  int64_t channels;
  if (__builtin_mul_overflow(groups_of(p) * groups_of(p), int64_t{p.output_dim}, &channels))
    s.reject("more channels than 63 bits count");
  s.set_in(0, {Shape::kUnknownDim, channels, Shape::kUnknownDim, Shape::kUnknownDim});
  s.set_out(0, {s.in(1)[0], p.output_dim, p.pooled_size, p.pooled_size});
}

template <class C>
struct Cell {
  int64_t image, top, left, bottom, right;
  int64_t count() const {
    return image < 0 ? 0 : std::max<int64_t>(0, bottom - top) * std::max<int64_t>(0, right - left);
  }
};

// Pixels of [begin + i * size / cells, begin + (i + 1) * size / cells), as MXNet rounds them. NaN gives none.
template <class C>
int64_t pixel(C at, int64_t extent) {
  return at > 0 ? (at < static_cast<C>(extent) ? static_cast<int64_t>(at) : extent) : 0;
}

template <class C>
Cell<C> cell_of(const SensitiveParams& p, const C* rois, int64_t r, int64_t cell, const Shape& in) {
  const C *roi = rois + 5 * r, scale = static_cast<C>(p.spatial_scale);
  const int64_t row = cell / p.pooled_size, column = cell % p.pooled_size;
  const C left = std::round(roi[1]) * scale, top = std::round(roi[2]) * scale;
  const C width = std::max((std::round(roi[3]) + 1) * scale - left, C(0.1));
  const C height = std::max((std::round(roi[4]) + 1) * scale - top, C(0.1));
  const C bin_w = width / static_cast<C>(p.pooled_size), bin_h = height / static_cast<C>(p.pooled_size);
  return {roi::image_of(static_cast<double>(roi[0]), r, in[0], "_contrib_PSROIPooling"),
          pixel(std::floor(static_cast<C>(row) * bin_h + top), in[2]),
          pixel(std::floor(static_cast<C>(column) * bin_w + left), in[3]),
          pixel(std::ceil(static_cast<C>(row + 1) * bin_h + top), in[2]),
          pixel(std::ceil(static_cast<C>(column + 1) * bin_w + left), in[3])};
}

// The channel of data that a cell of output channel c reads.
int64_t channel_of(const SensitiveParams& p, int64_t c, int64_t cell) {
  const int64_t groups = groups_of(p);
  const int64_t row = cell / p.pooled_size * groups / p.pooled_size;
  const int64_t column = cell % p.pooled_size * groups / p.pooled_size;
  return (c * groups + row) * groups + column;
}

constexpr double kSensitiveWork = 8192;

template <class C>
void sensitive_forward(const SensitiveParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  const Shape &in = data.shape(), &os = out.shape();
  Elements<C> values(data, data.size()), regions(args.in[1], args.in[1].size()), results(out, out.size());
  const C *x = values.read(0, data.size()), *rois = regions.read(0, args.in[1].size());
  C* y = results.write(0);
  const int64_t cells = os[2] * os[3];
  const int64_t grain = loop_grain(static_cast<int64_t>(kSensitiveWork), {cells, 16});
  parallel_for(os[0] * os[1], grain, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin * cells; at < end * cells; ++at) {
      const int64_t cell = at % cells, r = at / cells / os[1], c = at / cells % os[1];
      const Cell<C> k = cell_of(p, rois, r, cell, in);
      const int64_t count = k.count();
      C sum = 0;
      if (count > 0) {
        const C* plane = x + (k.image * in[1] + channel_of(p, c, cell)) * in[2] * in[3];
        for (int64_t h = k.top; h < k.bottom; ++h)
          for (int64_t w = k.left; w < k.right; ++w) sum += plane[h * in[3] + w];
      }
      y[at] = count > 0 ? sum / static_cast<C>(count) : C(0);
    }
  });
  results.store(0, out.size());
}

// Every output channel is one thread's: no two share a channel of data.
template <class C>
void sensitive_backward(const SensitiveParams& p, BackwardArgs& args) {
  const View &head = args.out_grad[0], &grad = args.in_grad[0], &rois = args.in[1];
  const Shape &in = grad.shape(), &os = head.shape();
  Elements<C> heads(head, head.size()), regions(rois, rois.size()), results(grad, grad.size());
  const C *dy = heads.read(0, head.size()), *boxes = regions.read(0, rois.size());
  C* dx = results.write(0);
  std::fill(dx, dx + grad.size(), C(0));
  const int64_t cells = os[2] * os[3];
  const int64_t grain = loop_grain(static_cast<int64_t>(kSensitiveWork), {os[0], cells, 16});
  parallel_for(os[1], grain, [&](int64_t begin, int64_t end) {
    for (int64_t r = 0; r < os[0]; ++r) {
      for (int64_t i = begin * cells; i < end * cells; ++i) {
        const Cell<C> k = cell_of(p, boxes, r, i % cells, in);
        const int64_t count = k.count();
        if (count == 0) continue;
        const C share = dy[r * os[1] * cells + i] / static_cast<C>(count);
        C* plane = dx + (k.image * in[1] + channel_of(p, i / cells, i % cells)) * in[2] * in[3];
        for (int64_t h = k.top; h < k.bottom; ++h)
          for (int64_t w = k.left; w < k.right; ++w) plane[h * in[3] + w] += share;
      }
    }
  });
  results.store(0, grad.size());
}

const Op& psroi_pooling =
    Define<SensitiveParams>("_contrib_PSROIPooling")
        .doc(
            "(regions, output_dim, pooled_size, pooled_size): each region of an image is divided into a "
            "grid, "
            "and every cell gives the mean of its pixels in the channel of data that belongs to its group, 0 "
            "where it lies outside of the image.")
        .origin("MXNet _contrib_PSROIPooling; Dai et al. 2016")
        .input("data", "Images (batch, output_dim * group_size * group_size, height, width), float.")
        .input(
            "rois",
            "(regions, 5): the image's number, then left, top, right and bottom, all inclusive. A negative "
            "number gives zeros. Receives no gradient.")
        .outputs({"output"})
        .shape(sensitive_shape)
        .dtype([](const SensitiveParams&, DTypeInfer& d) { roi::infer_dtype(d); })
        .kernel([](const SensitiveParams& p, KernelArgs& args) {
          is_wide(args.in[0].dtype) ? sensitive_forward<double>(p, args) : sensitive_forward<float>(p, args);
        })
        .cost([](const SensitiveParams& p, Span<const Shape> in) {
          const double size = p.pooled_size;
          return 200 + 30 * size * size * static_cast<double>(in[1][0]) * static_cast<double>(p.output_dim);
        })
        .grad_needs({1}, {})
        .backward([](const SensitiveParams& p, BackwardArgs& args) {
          if (args.wants(1)) std::memset(args.in_grad[1].data, 0, args.in_grad[1].bytes());
          if (!args.wants(0)) return;
          is_wide(args.in_grad[0].dtype) ? sensitive_backward<double>(p, args)
                                         : sensitive_backward<float>(p, args);
        });

}  // namespace
}  // namespace mixgrad::ops::psroi_pooling
