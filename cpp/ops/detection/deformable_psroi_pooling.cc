// Means of regions of images over a grid whose cells are moved by learnt offsets, each cell from channels of its own.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "ops/detection/roi.h"

namespace mixgrad::ops::deformable_psroi_pooling {
namespace {

struct MovedParams {
  float spatial_scale = 1;
  int32_t output_dim = 1;
  int32_t group_size = 1;
  int32_t pooled_size = 1;
  int32_t part_size = 0;
  int32_t sample_per_part = 1;
  float trans_std = 0;
  bool no_trans = false;
  static void fields(Fields<MovedParams>& f) {
    f.required("spatial_scale", &MovedParams::spatial_scale,
               "Factor from the regions' coordinates to rows and columns of data.", between(0, 1))
        .required("output_dim", &MovedParams::output_dim, "Channels of the output.", at_least(1))
        .required("group_size", &MovedParams::group_size,
                  "Rows and columns of groups of cells, each with channels of its own.", at_least(1))
        .required("pooled_size", &MovedParams::pooled_size, "Rows and columns of the grid.", at_least(1))
        .add("part_size", &MovedParams::part_size,
             "Rows and columns of parts of a region, each with an offset of its own; 0 means pooled_size.",
             at_least(0))
        .add("sample_per_part", &MovedParams::sample_per_part, "Samples along each side of a cell.",
             between(1, 4096))
        .add("trans_std", &MovedParams::trans_std, "Factor of the offsets, which are in sizes of the region.",
             between(0, 1))
        .add("no_trans", &MovedParams::no_trans, "There are no offsets, and no third input.");
  }
};

int64_t parts_of(const MovedParams& p) { return p.part_size > 0 ? p.part_size : p.pooled_size; }

void moved_shape(const MovedParams& p, ShapeInfer& s) {
  constexpr int64_t kAny = Shape::kUnknownDim;
  roi::infer_regions(s, 5);
  int64_t channels;
  if (__builtin_mul_overflow(int64_t{p.group_size} * p.group_size, int64_t{p.output_dim}, &channels))
    s.reject("more channels than 63 bits count");
  s.set_in(0, {kAny, channels, kAny, kAny});
  if (s.num_inputs() > 2) {
    s.set_in(2, {s.in(1)[0], kAny, parts_of(p), parts_of(p)});
    s.set_in(1, {s.in(2)[0], 5});
    const int64_t offsets = s.in(2)[1];
    if (offsets != kAny && (offsets < 2 || offsets % 2 != 0 || p.output_dim % (offsets / 2) != 0))
      s.reject("trans has ", offsets,
               " channels; expected two per class, and a number of classes that divides ", p.output_dim,
               ", the output's channels");
  }
  const Shape out{s.in(1)[0], p.output_dim, p.pooled_size, p.pooled_size};
  s.set_out(0, out);
  s.set_out(1, out);
}

template <class C>
struct Operands {
  const MovedParams& p;
  Shape in;
  const C *x, *rois, *trans;  // trans is null without offsets
  int64_t classes;
};

// A cell of a region in one output channel: where its samples begin and how far they lie apart.
template <class C>
struct Place {
  int64_t image, plane, offset;  // plane: where the channel of data begins; offset: of trans, the one for x
  C x, y, step_x, step_y, width, height;
};

template <class C>
Place<C> place_of(const Operands<C>& o, int64_t r, int64_t c, int64_t cell) {
  const MovedParams& p = o.p;
  const C *roi = o.rois + 5 * r, scale = static_cast<C>(p.spatial_scale),
          size = static_cast<C>(p.pooled_size);
  const int64_t row = cell / p.pooled_size, column = cell % p.pooled_size, parts = parts_of(p);
  const int64_t groups = p.group_size;
  Place<C> k{};
  k.image = roi::image_of(static_cast<double>(roi[0]), r, o.in[0], "_contrib_DeformablePSROIPooling");
  const C left = std::round(roi[1]) * scale - C(0.5), top = std::round(roi[2]) * scale - C(0.5);
  k.width = std::max((std::round(roi[3]) + 1) * scale - C(0.5) - left, C(0.1));
  k.height = std::max((std::round(roi[4]) + 1) * scale - C(0.5) - top, C(0.1));
  const C bin_w = k.width / size, bin_h = k.height / size;
  k.step_x = bin_w / static_cast<C>(p.sample_per_part);
  k.step_y = bin_h / static_cast<C>(p.sample_per_part);
  k.x = static_cast<C>(column) * bin_w + left;
  k.y = static_cast<C>(row) * bin_h + top;
  if (o.trans) {
    const int64_t kind = c / (p.output_dim / o.classes);
    const int64_t part = row * parts / p.pooled_size * parts + column * parts / p.pooled_size;
    k.offset = ((r * o.classes + kind) * 2) * parts * parts + part;
    k.x += o.trans[k.offset] * static_cast<C>(p.trans_std) * k.width;
    k.y += o.trans[k.offset + parts * parts] * static_cast<C>(p.trans_std) * k.height;
  }
  const int64_t group = row * groups / p.pooled_size * groups + column * groups / p.pooled_size;
  k.plane = (k.image * o.in[1] + c * groups * groups + group) * o.in[2] * o.in[3];
  return k;
}

// A sample inside of the image, between four pixels.
template <class C>
struct Sample {
  int64_t left, right, top, bottom;
  C part_x, part_y;
};

// Calls f(sample) for the samples that lie in the image; gives how many.
template <class C, class F>
int64_t for_samples(const Operands<C>& o, const Place<C>& k, F&& f) {
  if (k.image < 0 || o.in[2] == 0 || o.in[3] == 0) return 0;
  const C width = static_cast<C>(o.in[3]), height = static_cast<C>(o.in[2]);
  int64_t count = 0;
  for (int64_t i = 0; i < o.p.sample_per_part; ++i) {
    C y = k.y + static_cast<C>(i) * k.step_y;
    if (!(y >= C(-0.5) && y <= height - C(0.5))) continue;
    y = std::clamp(y, C(0), height - 1);
    for (int64_t j = 0; j < o.p.sample_per_part; ++j) {
      C x = k.x + static_cast<C>(j) * k.step_x;
      if (!(x >= C(-0.5) && x <= width - C(0.5))) continue;
      x = std::clamp(x, C(0), width - 1);
      const auto left = static_cast<int64_t>(x), top = static_cast<int64_t>(y);
      f(Sample<C>{left, std::min(left + (x > static_cast<C>(left)), o.in[3] - 1), top,
                  std::min(top + (y > static_cast<C>(top)), o.in[2] - 1), x - static_cast<C>(left),
                  y - static_cast<C>(top)});
      ++count;
    }
  }
  return count;
}

template <class C>
int64_t count_samples(const Operands<C>& o, const Place<C>& k) {
  return for_samples(o, k, [](const Sample<C>&) {});
}

constexpr int64_t kMovedWork = 4096;

template <class C>
void moved_forward(const MovedParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  const Shape& os = out.shape();
  Elements<C> values(data, data.size()), regions(args.in[1], args.in[1].size());
  Elements<C> results(out, out.size()), counts(args.out[1], out.size());
  const bool moved = args.in.size() > 2;
  Elements<C> offsets(args.in[moved ? 2 : 1], args.in[moved ? 2 : 1].size());
  const Operands<C> o{p,
                      data.shape(),
                      values.read(0, data.size()),
                      regions.read(0, args.in[1].size()),
                      moved ? offsets.read(0, args.in[2].size()) : nullptr,
                      moved ? args.in[2].shape()[1] / 2 : 1};
  C *y = results.write(0), *n = counts.write(0);  // the samples inside of the image, as in MXNet's graphs
  const int64_t cells = os[2] * os[3], grain = loop_grain(kMovedWork, {cells, 16, p.sample_per_part});
  parallel_for(os[0] * os[1], grain, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin * cells; at < end * cells; ++at) {
      const Place<C> k = place_of(o, at / cells / os[1], at / cells % os[1], at % cells);
      C sum = 0;
      const int64_t count = for_samples(o, k, [&](const Sample<C>& s) {
        const C *top = o.x + k.plane + s.top * o.in[3], *bottom = o.x + k.plane + s.bottom * o.in[3];
        sum += (1 - s.part_y) * ((1 - s.part_x) * top[s.left] + s.part_x * top[s.right]) +
               s.part_y * ((1 - s.part_x) * bottom[s.left] + s.part_x * bottom[s.right]);
      });
      y[at] = count > 0 ? sum / static_cast<C>(count) : C(0);
      n[at] = static_cast<C>(count);
    }
  });
  results.store(0, out.size());
  counts.store(0, out.size());
}

// Every class of output channels is one thread's: no two share a channel of data or an offset.
template <class C>
void moved_backward(const MovedParams& p, BackwardArgs& args) {
  const View &head = args.out_grad[0], &data = args.in[0];
  const bool moved = args.in.size() > 2;
  const Shape& os = head.shape();
  Elements<C> heads(head, head.size()), values(data, data.size()), regions(args.in[1], args.in[1].size());
  Elements<C> offsets(args.in[moved ? 2 : 1], args.in[moved ? 2 : 1].size());
  const Operands<C> o{p,
                      data.shape(),
                      values.read(0, data.size()),
                      regions.read(0, args.in[1].size()),
                      moved ? offsets.read(0, args.in[2].size()) : nullptr,
                      moved ? args.in[2].shape()[1] / 2 : 1};
  const bool wants_trans = moved && args.wants(2);
  const View &data_view = args.in_grad[0], &trans_view = args.in_grad[wants_trans ? 2 : 0];
  const Scratch data_memory = Scratch::of<C>(args.wants(0) ? data.size() : 0);
  const Scratch trans_memory = Scratch::of<C>(wants_trans ? args.in[2].size() : 0);
  C *dx = data_memory.as<C>(), *dt = trans_memory.as<C>();
  if (args.wants(0)) std::fill(dx, dx + data.size(), C(0));
  if (wants_trans) std::fill(dt, dt + args.in[2].size(), C(0));
  const C* dy = heads.read(0, head.size());
  const int64_t cells = os[2] * os[3], width = o.in[3], parts = parts_of(p);
  const int64_t each = p.output_dim / o.classes;
  parallel_for(o.classes, loop_grain(kMovedWork, {os[0], cells, each, 16}), [&](int64_t begin, int64_t end) {
    for (int64_t r = 0; r < os[0]; ++r) {
      for (int64_t i = begin * each * cells; i < end * each * cells; ++i) {
        const Place<C> k = place_of(o, r, i / cells, i % cells);
        const int64_t count = count_samples(o, k);
        if (count == 0) continue;
        const C share = dy[r * os[1] * cells + i] / static_cast<C>(count);
        C slope_x = 0, slope_y = 0;
        for_samples(o, k, [&](const Sample<C>& s) {
          const int64_t at[] = {s.top * width + s.left, s.top * width + s.right, s.bottom * width + s.left,
                                s.bottom * width + s.right};
          if (dx) {
            C* plane = dx + k.plane;
            plane[at[0]] += share * (1 - s.part_y) * (1 - s.part_x);
            plane[at[1]] += share * (1 - s.part_y) * s.part_x;
            plane[at[2]] += share * s.part_y * (1 - s.part_x);
            plane[at[3]] += share * s.part_y * s.part_x;
          }
          const C* plane = o.x + k.plane;
          slope_x +=
              (plane[at[1]] - plane[at[0]]) * (1 - s.part_y) + (plane[at[3]] - plane[at[2]]) * s.part_y;
          slope_y +=
              (plane[at[2]] - plane[at[0]]) * (1 - s.part_x) + (plane[at[3]] - plane[at[1]]) * s.part_x;
        });
        if (!dt) continue;
        dt[k.offset] += slope_x * static_cast<C>(p.trans_std) * share * k.width;
        dt[k.offset + parts * parts] += slope_y * static_cast<C>(p.trans_std) * share * k.height;
      }
    }
  });
  if (args.wants(0)) convert(dx, dtype_of<C>(), data_view.data, data_view.dtype, data.size());
  if (wants_trans) convert(dt, dtype_of<C>(), trans_view.data, trans_view.dtype, args.in[2].size());
}

const Op& deformable_psroi_pooling =
    Define<MovedParams>("_contrib_DeformablePSROIPooling")
        .doc(
            "(regions, output_dim, pooled_size, pooled_size): each region of an image is divided into a "
            "grid, "
            "and every cell, moved by the offset of its part of the region, gives the mean of samples in the "
            "channel of data that belongs to its group. Samples outside of the image do not count.")
        .origin("MXNet _contrib_DeformablePSROIPooling; Dai et al. 2017")
        .input("data", "Images (batch, output_dim * group_size * group_size, height, width), float.")
        .input(
            "rois",
            "(regions, 5): the image's number, then left, top, right and bottom, all inclusive. A negative "
            "number gives zeros. Receives no gradient.")
        .input(
            "trans",
            "(regions, 2 * classes, part_size, part_size): x and y of the offsets, for each class of output "
            "channels.")
        .num_inputs([](const MovedParams& p) { return p.no_trans ? 2 : 3; })
        .outputs({"output", "top_count"})
        .num_visible([](const MovedParams&) { return 1; })
        .shape(moved_shape)
        .dtype([](const MovedParams&, DTypeInfer& d) {
          roi::infer_dtype(d);
          d.set_out(1, d.in(0));
        })
        .kernel([](const MovedParams& p, KernelArgs& args) {
          is_wide(args.in[0].dtype) ? moved_forward<double>(p, args) : moved_forward<float>(p, args);
        })
        .cost([](const MovedParams& p, Span<const Shape> in) {
          const double size = p.pooled_size, samples = p.sample_per_part;
          return 200 + 20 * size * size * samples * samples * static_cast<double>(in[1][0]) *
                           static_cast<double>(p.output_dim);
        })
        .backward_reads({0})
        .backward([](const MovedParams& p, BackwardArgs& args) {
          if (args.wants(1)) std::memset(args.in_grad[1].data, 0, args.in_grad[1].bytes());
          is_wide(args.out_grad[0].dtype) ? moved_backward<double>(p, args) : moved_backward<float>(p, args);
        });

}  // namespace
}  // namespace mixgrad::ops::deformable_psroi_pooling
