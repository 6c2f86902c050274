// The largest values of regions of images, each divided into a grid of fixed size.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "op/define.h"

namespace mixgrad::ops::roi_pooling {
namespace {

struct RoiParams {
  Shape pooled_size;
  float spatial_scale = 1;
  static void fields(Fields<RoiParams>& f) {
    f.required("pooled_size", &RoiParams::pooled_size, "Rows and columns of the grid.", at_least(1))
        .required("spatial_scale", &RoiParams::spatial_scale,
                  "Factor from the regions' coordinates to rows and columns of data.", between(0, 1));
  }
};

void roi_shape(const RoiParams& p, ShapeInfer& s) {
  if (p.pooled_size.ndim() != 2) s.reject("pooled_size is ", p.pooled_size, "; expected two numbers");
  if (s.in(0).known_rank() && s.in(0).ndim() != 4)
    s.reject("data must be images (batch, channels, height, width)");
  s.set_in(1, {Shape::kUnknownDim, 5});
  if (!s.in(0).known_rank()) return;
  const Shape out{s.in(1)[0], s.in(0)[1], p.pooled_size[0], p.pooled_size[1]};
  s.set_out(0, out);
  s.set_out(1, out);
}

// A corner in pixels. Coordinates far outside or without a number end outside of every image.
int64_t roi_pixel(double coordinate, float scale) {
  const double at = std::round(static_cast<double>(static_cast<float>(coordinate) * scale));
  return at > -1e9 ? static_cast<int64_t>(std::min(at, 1e9)) : -1000000000;
}

struct Box {
  int64_t image, top, left, height, width;
};

// Region r of `rois`, (image, x of the left, y of the top, x of the right, y of the bottom). Image -1 stands for a
// row that is only there to fill the array.
Box roi_box(const RoiParams& p, const double* rois, int64_t r, int64_t images) {
  const double *roi = rois + 5 * r, image = roi[0];
  if (!(image < static_cast<double>(images))) {
    fail(Status::index, "[ROIPooling] region ", r, " lies on image ", image, "; expected one of ", images);
  }
  const int64_t left = roi_pixel(roi[1], p.spatial_scale), top = roi_pixel(roi[2], p.spatial_scale);
  const int64_t right = roi_pixel(roi[3], p.spatial_scale), bottom = roi_pixel(roi[4], p.spatial_scale);
  return {image < 0 ? -1 : static_cast<int64_t>(image), top, left, std::max<int64_t>(bottom - top + 1, 1),
          std::max<int64_t>(right - left + 1, 1)};
}

// Rows (or columns) [first, last) of cell i out of `cells`, inside an image of `extent`.
struct Span1 {
  int64_t first, last;
};
Span1 cell_span(int64_t begin, int64_t size, int64_t cells, int64_t i, int64_t extent) {
  const float step = static_cast<float>(size) / static_cast<float>(cells);
  const auto first = static_cast<int64_t>(std::floor(static_cast<float>(i) * step));
  const auto last = static_cast<int64_t>(std::ceil(static_cast<float>(i + 1) * step));
  return {std::clamp<int64_t>(first + begin, 0, extent), std::clamp<int64_t>(last + begin, 0, extent)};
}

constexpr double kRoiWork = 8192;

// Output 1 holds where each value comes from, counted over all of data, or -1.
template <class C>
void roi_forward(const RoiParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  const Shape &in = data.shape(), &os = out.shape();
  Elements<C> image_values(data, data.size()), results(out, out.size());
  Elements<double> boxes(args.in[1], args.in[1].size());
  const C* x = image_values.read(0, data.size());
  const double* rois = boxes.read(0, args.in[1].size());
  C* y = results.write(0);
  int64_t* from = args.out[1].as<int64_t>();
  const int64_t channels = in[1], height = in[2], width = in[3], cells = os[2] * os[3];
  for (int64_t r = 0; r < os[0]; ++r) roi_box(p, rois, r, in[0]);
  const int64_t grain = loop_grain(static_cast<int64_t>(kRoiWork), {cells, 8});
  parallel_for(os[0] * channels, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Box box = roi_box(p, rois, i / channels, in[0]);
      const int64_t plane = (box.image * channels + i % channels) * height * width;
      for (int64_t cell = 0; cell < cells; ++cell) {
        const Span1 rows = cell_span(box.top, box.height, os[2], cell / os[3], height);
        const Span1 columns = cell_span(box.left, box.width, os[3], cell % os[3], width);
        int64_t best = -1;
        if (box.image >= 0) {
          for (int64_t h = rows.first; h < rows.last; ++h) {
            for (int64_t at = plane + h * width + columns.first; at < plane + h * width + columns.last; ++at)
              if (best < 0 || x[at] > x[best]) best = at;
          }
        }
        from[i * cells + cell] = best;
        y[i * cells + cell] = best < 0 ? C(0) : x[best];
      }
    }
  });
  results.store(0, out.size());
}

// Every channel is one thread's, so that regions may overlap.
template <class C>
void roi_backward(BackwardArgs& args) {
  const View &head = args.out_grad[0], &grad = args.in_grad[0];
  const int64_t *from = args.out[1].as<int64_t>(), channels = head.shape()[1];
  const int64_t cells = head.shape()[2] * head.shape()[3], rois = head.shape()[0];
  Elements<C> heads(head, head.size()), results(grad, grad.size());
  const C* dy = heads.read(0, head.size());
  C* dx = results.write(0);
  std::fill(dx, dx + grad.size(), C(0));
  parallel_for(channels, loop_grain(static_cast<int64_t>(kRoiWork), {rois, cells}),
               [&](int64_t begin, int64_t end) {
                 for (int64_t r = 0; r < rois; ++r) {
                   for (int64_t at = (r * channels + begin) * cells; at < (r * channels + end) * cells; ++at)
                     if (from[at] >= 0) dx[from[at]] += dy[at];
                 }
               });
  results.store(0, grad.size());
}

void roi_grad(const RoiParams&, Grad& g) {
  if (!g.wants(0)) return;
  const Shape &data = g.in_shape(0), &out = g.out_shape();
  if (data.size() == 0 || out.size() == 0) return;
  const Tensor from = g.out(1);
  const Tensor place = apply("_maximum_scalar", {from}, {{"scalar", 0.0}});
  const Tensor there = cast_to(apply("_greater_equal_scalar", {from}, {{"scalar", 0.0}}), g.in_dtype(0));
  const Tensor head = reshape_to(g.out_grad() * there, {out.size()});
  const Tensor sums = apply("_scatter_nd_add", {head, reshape_to(place, {1, out.size()})},
                            {{"shape", TupleValue({data.size()})}});
  g.set(0, reshape_to(sums, data));
}

const Op& op = Define<RoiParams>("ROIPooling")
                   .alias("_npx_roi_pooling")
                   .doc(
                       "(regions, channels, rows, columns): each region of an image is divided into a grid, "
                       "and every cell "
                       "gives the largest value in it, 0 where it lies outside of the image.")
                   .origin("MXNet ROIPooling; Girshick 2015")
                   .input("data", "Images (batch, channels, height, width), float.")
                   .input("rois",
                          "(regions, 5): the image's number, then left, top, right and bottom, all "
                          "inclusive. A negative number "
                          "gives zeros. Receives no gradient.")
                   .outputs({"output", "maxidx"})
                   .num_visible([](const RoiParams&) { return 1; })
                   .shape(roi_shape)
                   .dtype([](const RoiParams&, DTypeInfer& d) {
                     d.set_in(0, d.out(0));
                     if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
                     if (d.in(1) == DType::unknown) d.set_in(1, d.in(0));
                     d.set_out(0, d.in(0));
                     d.set_out(1, DType::int64);
                   })
                   .kernel([](const RoiParams& p, KernelArgs& args) {
                     if (is_wide(args.in[0].dtype))
                       roi_forward<double>(p, args);
                     else
                       roi_forward<float>(p, args);
                   })
                   .cost([](const RoiParams& p, Span<const Shape> in) {
                     double pixels = static_cast<double>(in[0].size(2, 4)) / 4;
                     for (int64_t n : p.pooled_size) pixels += static_cast<double>(4 * n);
                     return 200 + pixels * static_cast<double>(in[1][0] * in[0][1]);
                   })
                   .grad_needs({}, {1})
                   .backward_reads({0})
                   .grad(roi_grad)
                   .backward([](const RoiParams&, BackwardArgs& args) {
                     if (args.wants(1)) std::memset(args.in_grad[1].data, 0, args.in_grad[1].bytes());
                     if (!args.wants(0)) return;
                     if (is_wide(args.in_grad[0].dtype))
                       roi_backward<double>(args);
                     else
                       roi_backward<float>(args);
                   });

}  // namespace
}  // namespace mixgrad::ops::roi_pooling
