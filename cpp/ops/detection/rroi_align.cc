// Means of turned regions of images over a grid of fixed size, sampled between pixels.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "ops/detection/roi.h"

namespace mixgrad::ops::rroi_align {
namespace {

constexpr int64_t kMostSide = 512;  // samples along one side of a cell

struct TurnedParams {
  Shape pooled_size;
  float spatial_scale = 1;
  int32_t sampling_ratio = -1;
  static void fields(Fields<TurnedParams>& f) {
    f.required("pooled_size", &TurnedParams::pooled_size, "Rows and columns of the grid.", at_least(1))
        .required("spatial_scale", &TurnedParams::spatial_scale,
                  "Factor from the regions' coordinates to rows and columns of data.", between(0, 1))
        .add("sampling_ratio", &TurnedParams::sampling_ratio,
             "Samples along each side of a cell; below 1 about one per pixel.",
             Range{Range().low, kMostSide});
  }
};

void turned_shape(const TurnedParams& p, ShapeInfer& s) {
  if (p.pooled_size.ndim() != 2) s.reject("pooled_size is ", p.pooled_size, "; expected two numbers");
  roi::infer_regions(s, 6);
  s.set_out(0, {s.in(1)[0], s.in(0)[1], p.pooled_size[0], p.pooled_size[1]});
}

template <class C>
struct Turned {
  int64_t image;
  C x, y, width, height, cosine, sine;
  int64_t rows, columns;  // samples of a cell
};

// `roi`: image, x and y of the centre, width, height, degrees.
template <class C>
Turned<C> turned(const TurnedParams& p, const C* roi, int64_t r, int64_t images) {
  Turned<C> t{};
  t.image = roi::image_of(static_cast<double>(roi[0]), r, images, "_contrib_RROIAlign");
  const C scale = static_cast<C>(p.spatial_scale),
          angle = roi[5] * static_cast<C>(3.14159265358979323846 / 180);
  t.x = roi[1] * scale;
  t.y = roi[2] * scale;
  t.width = std::max(roi[3] * scale, C(1));
  t.height = std::max(roi[4] * scale, C(1));
  t.cosine = std::cos(angle);
  t.sine = std::sin(angle);
  const auto samples = [&](C size, int64_t cells) -> int64_t {
    if (p.sampling_ratio > 0) return p.sampling_ratio;
    const double count = std::ceil(static_cast<double>(size) / static_cast<double>(cells));
    if (t.image >= 0 && !(count <= static_cast<double>(kMostSide)))
      fail(Status::invalid_argument, "[_contrib_RROIAlign] region ", r, " is ", static_cast<double>(t.width),
           " by ", static_cast<double>(t.height), " pixels; expected at most ", kMostSide,
           " samples along a cell");
    return count >= 1 ? static_cast<int64_t>(std::min(count, static_cast<double>(kMostSide))) : 1;
  };
  t.rows = samples(t.height, p.pooled_size[0]);
  t.columns = samples(t.width, p.pooled_size[1]);
  return t;
}

// Calls f(taps) for the samples of a cell.
template <class C, class F>
void for_samples(const TurnedParams& p, const Turned<C>& t, int64_t cell, const Shape& in, F&& f) {
  const int64_t row = cell / p.pooled_size[1], column = cell % p.pooled_size[1];
  const C bin_h = t.height / static_cast<C>(p.pooled_size[0]),
          bin_w = t.width / static_cast<C>(p.pooled_size[1]);
  for (int64_t i = 0; i < t.rows; ++i) {
    const C v = -t.height / 2 + static_cast<C>(row) * bin_h +
                (static_cast<C>(i) + C(0.5)) * bin_h / static_cast<C>(t.rows);
    for (int64_t j = 0; j < t.columns; ++j) {
      const C u = -t.width / 2 + static_cast<C>(column) * bin_w +
                  (static_cast<C>(j) + C(0.5)) * bin_w / static_cast<C>(t.columns);
      const C x = u * t.cosine + v * t.sine + t.x, y = v * t.cosine - u * t.sine + t.y;
      f(roi::taps(roi::between(y, in[2]), roi::between(x, in[3]), in[3]));
    }
  }
}

// Cells of one region in the outer loop, channels in the inner one: places are found once for all channels.
template <class C>
void turned_forward(const TurnedParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  const Shape &in = data.shape(), &os = out.shape();
  Elements<C> values(data, data.size()), regions(args.in[1], args.in[1].size()), results(out, out.size());
  const C *x = values.read(0, data.size()), *rois = regions.read(0, args.in[1].size());
  C* y = results.write(0);
  const int64_t cells = os[2] * os[3], plane = in[2] * in[3];
  std::fill(y, y + out.size(), C(0));
  if (plane > 0) {
    parallel_for(os[0] * cells, loop_grain(4096, {in[1], 16}), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Turned<C> t = turned(p, rois + 6 * (i / cells), i / cells, in[0]);
        if (t.image < 0) continue;
        C* to = y + i / cells * in[1] * cells + i % cells;
        const C* from = x + t.image * in[1] * plane;
        const C count = static_cast<C>(t.rows * t.columns);
        for_samples(p, t, i % cells, in, [&](const roi::Taps<C>& taps) {
          for (int64_t c = 0; c < in[1]; ++c) to[c * cells] += taps.read(from + c * plane);
        });
        for (int64_t c = 0; c < in[1]; ++c) to[c * cells] /= count;
      }
    });
  }
  results.store(0, out.size());
}

template <class C>
void turned_backward(const TurnedParams& p, BackwardArgs& args) {
  const View &head = args.out_grad[0], &grad = args.in_grad[0], &rois = args.in[1];
  const Shape &in = grad.shape(), &os = head.shape();
  Elements<C> heads(head, head.size()), regions(rois, rois.size()), results(grad, grad.size());
  const C *dy = heads.read(0, head.size()), *boxes = regions.read(0, rois.size());
  C* dx = results.write(0);
  std::fill(dx, dx + grad.size(), C(0));
  const int64_t cells = os[2] * os[3], plane = in[2] * in[3];
  if (plane > 0) {
    parallel_for(in[1], loop_grain(4096, {os[0], cells, 16}), [&](int64_t begin, int64_t end) {
      for (int64_t i = 0; i < os[0] * cells; ++i) {
        const Turned<C> t = turned(p, boxes + 6 * (i / cells), i / cells, in[0]);
        if (t.image < 0) continue;
        const C* from = dy + i / cells * in[1] * cells + i % cells;
        C* to = dx + t.image * in[1] * plane;
        const C count = static_cast<C>(t.rows * t.columns);
        for_samples(p, t, i % cells, in, [&](const roi::Taps<C>& taps) {
          for (int64_t c = begin; c < end; ++c) taps.spread(from[c * cells] / count, to + c * plane);
        });
      }
    });
  }
  results.store(0, grad.size());
}

const Op& rroi_align =
    Define<TurnedParams>("_contrib_RROIAlign")
        .doc(
            "(regions, channels, rows, columns): each turned region of an image is divided into a grid, and "
            "every cell gives the mean of samples in it, which are interpolated between pixels. Samples more "
            "than a pixel outside of the image count as 0.")
        .origin("MXNet _contrib_RROIAlign; Ma et al. 2018")
        .input("data", "Images (batch, channels, height, width), float.")
        .input("rois",
               "(regions, 6): the image's number, x and y of the centre, width, height, and degrees "
               "counterclockwise. A negative number gives zeros. Receives no gradient.")
        .shape(turned_shape)
        .dtype([](const TurnedParams&, DTypeInfer& d) { roi::infer_dtype(d); })
        .kernel([](const TurnedParams& p, KernelArgs& args) {
          is_wide(args.in[0].dtype) ? turned_forward<double>(p, args) : turned_forward<float>(p, args);
        })
        .cost([](const TurnedParams& p, Span<const Shape> in) {
          const double cells = static_cast<double>(p.pooled_size[0]) * static_cast<double>(p.pooled_size[1]);
          return 200 + 20 * cells * static_cast<double>(in[1][0]) * static_cast<double>(in[0][1]);
        })
        .grad_needs({1}, {})
        .backward([](const TurnedParams& p, BackwardArgs& args) {
          if (args.wants(1)) std::memset(args.in_grad[1].data, 0, args.in_grad[1].bytes());
          if (!args.wants(0)) return;
          is_wide(args.in_grad[0].dtype) ? turned_backward<double>(p, args) : turned_backward<float>(p, args);
        });

}  // namespace
}  // namespace mixgrad::ops::rroi_align
