// How much boxes overlap.
#include "base/parallel.h"
#include "kernels/elements.h"
#include "ops/detection/box.h"

namespace mixgrad::ops::box_iou {
namespace {

using box::BoxFormat;
using box::Corners;

struct IouParams {
  BoxFormat format = BoxFormat::corner;
  static void fields(Fields<IouParams>& f) {
    box::add_format(f, "format", &IouParams::format, "What the four numbers of a box are.");
  }
};

void iou_shape(const IouParams&, ShapeInfer& s) {
  for (int i = 0; i < 2; ++i) {
    if (!s.in(i).known_rank()) return;
    if (s.in(i).ndim() < 2) s.reject("input ", i, " is ", s.in(i), "; expected (..., 4)");
    Shape boxes = s.in(i);
    boxes[boxes.ndim() - 1] = 4;
    s.set_in(i, boxes);
  }
  Shape out = s.in(0);
  out.erase(out.ndim() - 1);
  if (out.ndim() + s.in(1).ndim() - 1 > kMaxDims) s.reject("the output has more than ", kMaxDims, " axes");
  for (int i = 0; i + 1 < s.in(1).ndim(); ++i) out.push_back(s.in(1)[i]);
  s.set_out(0, out);
}

// The order of the operands decides what a comparison with NaN gives; it is MXNet's.
template <class C>
C overlap_of(const C* a, const C* b, BoxFormat format) {
  const Corners<C> left = box::corners(a, format), right = box::corners(b, format);
  if (format == BoxFormat::corner) return box::overlap(left, right, box::area(left), box::area(right));
  return box::overlap(right, left, box::area(b[2], b[3]), box::area(a[2], a[3]));
}

template <class C>
void iou_typed(const IouParams& p, KernelArgs& args) {
  const int64_t rows = args.in[0].size() / 4, columns = args.in[1].size() / 4;
  if (rows == 0 || columns == 0) return;
  Elements<C> a(args.in[0], 4 * rows), b(args.in[1], 4 * columns);
  const C *left = a.read(0, 4 * rows), *right = b.read(0, 4 * columns);
  parallel_for(rows, loop_grain(16384, {columns, 8}), [&](int64_t begin, int64_t end) {
    Elements<C> out(args.out[0], columns);
    for (int64_t r = begin; r < end; ++r) {
      C* y = out.write(r * columns);
      for (int64_t c = 0; c < columns; ++c) y[c] = overlap_of(left + 4 * r, right + 4 * c, p.format);
      out.store(r * columns, columns);
    }
  });
}

const Op& box_iou =
    Define<IouParams>("_contrib_box_iou")
        .doc("Intersection over union of each box of lhs with each of rhs; 0 for boxes that share nothing.")
        .origin("MXNet _contrib_box_iou")
        .input("lhs", "(..., 4), float.")
        .input("rhs", "(..., 4), of the same dtype.")
        .outputs({"output"})
        .shape(iou_shape)
        .dtype([](const IouParams&, DTypeInfer& d) { box::infer_float(d); })
        .kernel([](const IouParams& p, KernelArgs& args) {
          is_wide(args.in[0].dtype) ? iou_typed<double>(p, args) : iou_typed<float>(p, args);
        })
        .cost([](const IouParams&, Span<const Shape> in) {
          return 100 + 3 * static_cast<double>(in[0].size() / 4) * static_cast<double>(in[1].size() / 4);
        })
        .grad_needs({}, {})
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::box_iou
