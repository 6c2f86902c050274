// Means of regions of images over a grid of fixed size, sampled between pixels.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "ops/detection/roi.h"

namespace mixgrad::ops::roi_align {
namespace {

constexpr double kMostSamples = 1 << 20;  // along one side of a cell

struct AlignParams {
  Shape pooled_size;
  float spatial_scale = 1;
  int32_t sample_ratio = -1;
  bool position_sensitive = false;
  bool aligned = false;
  static void fields(Fields<AlignParams>& f) {
    f.required("pooled_size", &AlignParams::pooled_size, "Rows and columns of the grid.", at_least(1))
        .required("spatial_scale", &AlignParams::spatial_scale,
                  "Factor from the regions' coordinates to rows and columns of data.", between(0, 1))
        .add("sample_ratio", &AlignParams::sample_ratio,
             "Samples along each side of a cell; below 1 about one per pixel.",
             Range{Range().low, kMostSamples})
        .add("position_sensitive", &AlignParams::position_sensitive,
             "Each cell has channels of its own: channel c of cell i is channel c * cells + i of data.")
        .add("aligned", &AlignParams::aligned,
             "Coordinates are those of pixels' centres, and small regions stay as small as they are.");
  }
};

void align_shape(const AlignParams& p, ShapeInfer& s) {
  if (p.pooled_size.ndim() != 2) s.reject("pooled_size is ", p.pooled_size, "; expected two numbers");
  int64_t cells, channels = s.in(0).known_rank() && s.in(0).ndim() == 4 ? s.in(0)[1] : Shape::kUnknownDim;
  if (__builtin_mul_overflow(p.pooled_size[0], p.pooled_size[1], &cells))
    s.reject("pooled_size is ", p.pooled_size, "; expected less cells");
  roi::infer_regions(s, 5);
  if (p.position_sensitive && channels != Shape::kUnknownDim) {
    if (channels % cells != 0) s.reject("data has ", channels, " channels; expected a multiple of ", cells);
    channels /= cells;
  }
  s.set_out(0, {s.in(1)[0], channels, p.pooled_size[0], p.pooled_size[1]});
}

// For each cell along one axis, the pixels that its samples read, and with which weights.
template <class C>
class AxisTaps {
 public:
  // Cells divide `size` pixels from `start` on; each has `samples` samples.
  void set(C start, C size, int64_t cells, double samples, int64_t extent) {
    first_ = ScratchArray<int64_t>(static_cast<size_t>(cells), 0);
    count_ = ScratchArray<int64_t>(static_cast<size_t>(cells), 0);
    weights_ = ScratchArray<C>(static_cast<size_t>(cells * extent), C(0));
    extent_ = extent;
    const C bin = size / static_cast<C>(cells), step = bin / static_cast<C>(samples);
    if (!(samples > 0) || extent == 0 || !std::isfinite(start) || !std::isfinite(step)) return;
    for (int64_t cell = 0; cell < cells; ++cell) {
      const C base = start + static_cast<C>(cell) * bin;
      C* weight = weights_.data() + cell * extent;
      int64_t low = extent, high = -1;
      // Samples far outside read nothing, however many they are.
      const double begin =
          step > 0 ? std::floor((-2 - static_cast<double>(base)) / static_cast<double>(step)) : 0;
      const double end = step > 0 ? std::ceil((static_cast<double>(extent) + 2 - static_cast<double>(base)) /
                                              static_cast<double>(step))
                                  : samples;
      const auto last = static_cast<int64_t>(std::clamp(end, 0.0, std::min(samples, 9e18)));
      for (auto i = static_cast<int64_t>(std::clamp(begin, 0.0, 9e18)); i < last; ++i) {
        const C at = base + (static_cast<C>(i) + C(0.5)) * bin / static_cast<C>(samples);
        const roi::Between<C> b = roi::between(at, extent);
        if (!b.inside) continue;
        weight[b.low] += (1 - b.part) / static_cast<C>(samples);
        weight[b.high] += b.part / static_cast<C>(samples);
        low = std::min(low, b.low);
        high = std::max(high, b.high);
      }
      if (high < low) continue;
      first_[static_cast<size_t>(cell)] = low;
      count_[static_cast<size_t>(cell)] = high - low + 1;
    }
  }
  int64_t first(int64_t cell) const { return first_[static_cast<size_t>(cell)]; }
  int64_t count(int64_t cell) const { return count_[static_cast<size_t>(cell)]; }
  // Of the first pixel on.
  const C* weights(int64_t cell) const { return weights_.data() + cell * extent_ + first(cell); }

 private:
  ScratchArray<int64_t> first_, count_;
  ScratchArray<C> weights_;
  int64_t extent_ = 0;
};

template <class C>
struct Region {
  int64_t image = -1;
  AxisTaps<C> rows, columns;
};

// `roi`: image, left, top, right, bottom.
template <class C>
void set_region(const AlignParams& p, const C* roi, int64_t r, const Shape& in, Region<C>& out) {
  out.image = roi::image_of(static_cast<double>(roi[0]), r, in[0], "_contrib_ROIAlign");
  if (out.image < 0) return;
  const C scale = static_cast<C>(p.spatial_scale), offset = p.aligned ? C(0.5) : C(0);
  const C left = roi[1] * scale - offset, top = roi[2] * scale - offset;
  C width = roi[3] * scale - offset - left, height = roi[4] * scale - offset - top;
  if (!p.aligned) {
    width = std::max(width, C(1));
    height = std::max(height, C(1));
  } else if (!(width > 0 && height > 0)) {
    fail(Status::invalid_argument, "[_contrib_ROIAlign] region ", r, " is ", static_cast<double>(width),
         " wide and ", static_cast<double>(height), " high; expected sizes above 0 with aligned");
  }
  const double given = p.sample_ratio;
  const auto samples = [&](C size, int64_t cells) {
    return given > 0 ? given : std::ceil(static_cast<double>(size / static_cast<C>(cells)));
  };
  out.rows.set(top, height, p.pooled_size[0], samples(height, p.pooled_size[0]), in[2]);
  out.columns.set(left, width, p.pooled_size[1], samples(width, p.pooled_size[1]), in[3]);
}

// The plane of data that a cell of an output channel reads.
struct Planes {
  int64_t channels, cells, size;
  bool own;  // each cell has its own
  int64_t at(int64_t image, int64_t channel, int64_t cell) const {
    return (image * channels + (own ? channel * cells + cell : channel)) * size;
  }
};

constexpr int64_t kAlignWork = 8192;

template <class C>
void align_forward(const AlignParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  const Shape &in = data.shape(), &os = out.shape();
  Elements<C> values(data, data.size()), regions(args.in[1], args.in[1].size()), results(out, out.size());
  const C *x = values.read(0, data.size()), *rois = regions.read(0, args.in[1].size());
  C* y = results.write(0);
  const Planes planes{in[1], os[2] * os[3], in[2] * in[3], p.position_sensitive};
  parallel_for(os[0] * os[1], loop_grain(kAlignWork, {planes.cells, 16}), [&](int64_t begin, int64_t end) {
    Region<C> region;
    for (int64_t i = begin, now = -1; i < end; ++i) {
      if (i / os[1] != now) set_region(p, rois + 5 * (i / os[1]), now = i / os[1], in, region);
      for (int64_t cell = 0; cell < planes.cells; ++cell) {
        C sum = 0;
        if (region.image >= 0) {
          const int64_t row = cell / os[3], column = cell % os[3], width = region.columns.count(column);
          const C *wy = region.rows.weights(row), *wx = region.columns.weights(column);
          const C* from = x + planes.at(region.image, i % os[1], cell) + region.rows.first(row) * in[3] +
                          region.columns.first(column);
          for (int64_t h = 0; h < region.rows.count(row); ++h, from += in[3]) {
            C line = 0;
            for (int64_t w = 0; w < width; ++w) line += wx[w] * from[w];
            sum += wy[h] * line;
          }
        }
        y[i * planes.cells + cell] = sum;
      }
    }
  });
  results.store(0, out.size());
}

// Every channel is one thread's, so that regions may overlap.
template <class C>
void align_backward(const AlignParams& p, BackwardArgs& args) {
  const View &head = args.out_grad[0], &grad = args.in_grad[0], &rois = args.in[1];
  const Shape &in = grad.shape(), &os = head.shape();
  Elements<C> heads(head, head.size()), regions(rois, rois.size()), results(grad, grad.size());
  const C *dy = heads.read(0, head.size()), *boxes = regions.read(0, rois.size());
  C* dx = results.write(0);
  std::fill(dx, dx + grad.size(), C(0));
  const Planes planes{in[1], os[2] * os[3], in[2] * in[3], p.position_sensitive};
  parallel_for(os[1], loop_grain(kAlignWork, {os[0], planes.cells, 16}), [&](int64_t begin, int64_t end) {
    Region<C> region;
    for (int64_t r = 0; r < os[0]; ++r) {
      set_region(p, boxes + 5 * r, r, in, region);
      if (region.image < 0) continue;
      for (int64_t at = begin * planes.cells; at < end * planes.cells; ++at) {
        const int64_t cell = at % planes.cells, row = cell / os[3], column = cell % os[3];
        const C g = dy[r * os[1] * planes.cells + at];
        const C *wy = region.rows.weights(row), *wx = region.columns.weights(column);
        C* to = dx + planes.at(region.image, at / planes.cells, cell) + region.rows.first(row) * in[3] +
                region.columns.first(column);
        for (int64_t h = 0; h < region.rows.count(row); ++h, to += in[3]) {
          const C line = g * wy[h];
          for (int64_t w = 0; w < region.columns.count(column); ++w) to[w] += line * wx[w];
        }
      }
    }
  });
  results.store(0, grad.size());
}

const Op& roi_align =
    Define<AlignParams>("_contrib_ROIAlign")
        .doc(
            "(regions, channels, rows, columns): each region of an image is divided into a grid, and every "
            "cell "
            "gives the mean of samples in it, which are interpolated between pixels. Samples more than a "
            "pixel "
            "outside of the image count as 0.")
        .origin("MXNet _contrib_ROIAlign; He et al. 2017")
        .input("data", "Images (batch, channels, height, width), float.")
        .input("rois",
               "(regions, 5): the image's number, then left, top, right and bottom. A negative number gives "
               "zeros. Receives no gradient.")
        .shape(align_shape)
        .dtype([](const AlignParams&, DTypeInfer& d) { roi::infer_dtype(d); })
        .kernel([](const AlignParams& p, KernelArgs& args) {
          is_wide(args.in[0].dtype) ? align_forward<double>(p, args) : align_forward<float>(p, args);
        })
        .cost([](const AlignParams& p, Span<const Shape> in) {
          const double cells = static_cast<double>(p.pooled_size[0]) * static_cast<double>(p.pooled_size[1]);
          return 200 + 10 * cells * static_cast<double>(in[1][0]) * static_cast<double>(in[0][1]);
        })
        .grad_needs({1}, {})
        .backward([](const AlignParams& p, BackwardArgs& args) {
          if (args.wants(1)) std::memset(args.in_grad[1].data, 0, args.in_grad[1].bytes());
          if (!args.wants(0)) return;
          is_wide(args.in_grad[0].dtype) ? align_backward<double>(p, args) : align_backward<float>(p, args);
        });

}  // namespace
}  // namespace mixgrad::ops::roi_align
