// Non-maximum suppression of rows that hold a box each.
#include <cmath>
#include <cstring>

#include "base/parallel.h"
#include "kernels/elements.h"
#include "kernels/loops/sort.h"
#include "ops/detection/suppression.h"

namespace mixgrad::ops::box_nms {
namespace {

using box::BoxFormat;
using box::Corners;

struct NmsParams {
  float overlap_thresh = 0.5f;
  float valid_thresh = 0;
  int32_t topk = -1;
  int32_t coord_start = 2;
  int32_t score_index = 1;
  int32_t id_index = -1;
  int32_t background_id = -1;
  bool force_suppress = false;
  BoxFormat in_format = BoxFormat::corner;
  BoxFormat out_format = BoxFormat::corner;
  static void fields(Fields<NmsParams>& f) {
    f.add("overlap_thresh", &NmsParams::overlap_thresh,
          "Intersection over union above which the box of lower score goes.")
        .add("valid_thresh", &NmsParams::valid_thresh, "Only rows of a higher score take part.")
        .add("topk", &NmsParams::topk,
             "How many rows of highest score take part; below 0 all. 0 changes nothing.")
        .add("coord_start", &NmsParams::coord_start, "Place of the first of the box's four numbers in a row.")
        .add("score_index", &NmsParams::score_index, "Place of the score.")
        .add("id_index", &NmsParams::id_index, "Place of the class; below 0 there is none.")
        .add("background_id", &NmsParams::background_id,
             "Rows of this class take no part, where there is one.")
        .add("force_suppress", &NmsParams::force_suppress, "Boxes of different classes suppress each other.");
    box::add_format(f, "in_format", &NmsParams::in_format, "What the four numbers are.");
    box::add_format(
        f, "out_format", &NmsParams::out_format,
        "What they are in the output. Boxes whose first number is negative stay as they are, as in "
        "MXNet.");
  }
};

void check_column(ShapeInfer& s, const NmsParams& p, const char* name, int64_t column, int64_t width) {
  if (column < 0 || column >= width) s.reject(name, " is ", column, "; expected a column below ", width);
  if (column >= p.coord_start && column < int64_t{p.coord_start} + 4)
    s.reject(name, " is ", column, ", one of the box's columns from ", p.coord_start, " on");
}

void nms_shape(const NmsParams& p, ShapeInfer& s) {
  s.set_in(0, s.out(0));
  if (!s.in(0).known_rank()) return;
  if (s.in(0).ndim() < 2) s.reject("expected (..., boxes, columns)");
  if (s.in(0)[s.in(0).ndim() - 2] > INT32_MAX) s.reject("expected less than 2^31 boxes");
  const int64_t width = s.in(0).back();
  if (width != Shape::kUnknownDim) {
    if (p.coord_start < 0 || int64_t{p.coord_start} + 4 > width)
      s.reject("coord_start is ", p.coord_start, "; expected four columns of ", width);
    check_column(s, p, "score_index", p.score_index, width);
    if (p.id_index >= 0) {
      check_column(s, p, "id_index", p.id_index, width);
      if (p.id_index == p.score_index) s.reject("id_index and score_index are both ", p.id_index);
    }
  }
  s.set_out(0, s.in(0));
  Shape rows = s.in(0);
  rows.erase(rows.ndim() - 1);
  s.set_out(1, rows);
}

struct Table {
  int64_t batches, rows, width;
};
Table table_of(const Shape& shape) {
  const int n = shape.ndim();
  return {shape.size(0, n - 2), shape[n - 2], shape[n - 1]};
}

// One batch: `from` gets the row that each output row is, or -1.
template <class C>
void choose_rows(const NmsParams& p, const Table& t, const C* x, int64_t* from) {
  const auto rows = static_cast<size_t>(t.rows);
  ScratchArray<C> scores(rows);
  ScratchArray<int64_t> valid(rows);
  int64_t count = 0;
  for (int64_t r = 0; r < t.rows; ++r) {
    const C* row = x + r * t.width;
    const C score = row[p.score_index];
    if (!(score > static_cast<C>(p.valid_thresh))) continue;
    if (p.id_index >= 0 && row[p.id_index] == static_cast<C>(p.background_id)) continue;
    scores[static_cast<size_t>(count)] = score;
    valid[static_cast<size_t>(count++)] = r;
  }
  const int64_t most = p.topk > 0 ? std::min<int64_t>(p.topk, count) : count;
  ScratchArray<int32_t> order(static_cast<size_t>(most));
  if (most > 0) argsort_rows({1, count, most, false}, scores.data(), dtype_of<C>(), order.data());
  const bool kinds = p.id_index >= 0 && !p.force_suppress;
  ScratchArray<C> kind(kinds ? static_cast<size_t>(most) : 0);
  ScratchArray<uint8_t> keep(static_cast<size_t>(most));
  const Scratch boxes = Scratch::of<Corners<C>>(most);
  for (int64_t i = 0; i < most; ++i) {
    const C* row = x + valid[static_cast<size_t>(order[static_cast<size_t>(i)])] * t.width;
    boxes.as<Corners<C>>()[i] = box::corners(row + p.coord_start, p.in_format);
    if (kinds) kind[static_cast<size_t>(i)] = row[p.id_index];
  }
  suppression::suppress(boxes.as<Corners<C>>(), kinds ? kind.data() : nullptr, most,
                        {static_cast<C>(p.overlap_thresh), false, C(0), INT64_MAX}, keep.data());
  int64_t put = 0;
  for (int64_t i = 0; i < most; ++i)
    if (keep[static_cast<size_t>(i)]) from[put++] = valid[static_cast<size_t>(order[static_cast<size_t>(i)])];
  std::fill(from + put, from + t.rows, int64_t{-1});
}

template <class C>
void write_rows(const NmsParams& p, const Table& t, const C* x, const int64_t* from, C* y) {
  for (int64_t r = 0; r < t.rows; ++r, y += t.width) {
    if (from[r] < 0) {
      std::fill(y, y + t.width, C(-1));
      continue;
    }
    const C* row = x + from[r] * t.width;
    std::copy(row, row + t.width, y);
    C* out = y + p.coord_start;
    if (p.in_format == p.out_format || out[0] < 0) continue;  // as MXNet, which takes such a box for none
    const Corners<C> b = box::corners(row + p.coord_start, p.in_format);
    const bool corner = p.out_format == BoxFormat::corner;
    out[0] = corner ? b.left : (b.left + b.right) / 2;
    out[1] = corner ? b.top : (b.top + b.bottom) / 2;
    out[2] = corner ? b.right : b.right - b.left;
    out[3] = corner ? b.bottom : b.bottom - b.top;
  }
}

// Output 1 holds the row of all batches that each output row is, or -1.
template <class C>
void nms_typed(const NmsParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  const Table t = table_of(data.shape());
  Elements<C> values(data, data.size()), results(out, out.size());
  const C* x = values.read(0, data.size());
  C* y = results.write(0);
  int64_t* from = args.out[1].as<int64_t>();
  const auto one = [&](int64_t b) {
    choose_rows(p, t, x + b * t.rows * t.width, from + b * t.rows);
    write_rows(p, t, x + b * t.rows * t.width, from + b * t.rows, y + b * t.rows * t.width);
    for (int64_t r = b * t.rows; r < (b + 1) * t.rows; ++r)
      if (from[r] >= 0) from[r] += b * t.rows;
  };
  if (t.batches >= num_threads()) {
    parallel_for(t.batches, loop_grain(2048, {t.rows, 8}), [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) one(b);
    });
  } else {
    for (int64_t b = 0; b < t.batches; ++b) one(b);  // which divides over the team inside
  }
  results.store(0, out.size());
}

void nms_kernel(const NmsParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0], &from = args.out[1];
  if (data.size() == 0) {
    std::fill(from.as<int64_t>(), from.as<int64_t>() + from.size(), int64_t{-1});
    return;
  }
  if (p.topk == 0) {
    if (data.bytes() > 0) std::memcpy(out.data, data.data, data.bytes());
    for (int64_t i = 0; i < from.size(); ++i) from.as<int64_t>()[i] = i;
    return;
  }
  is_wide(data.dtype) ? nms_typed<double>(p, args) : nms_typed<float>(p, args);
}

// As in MXNet, rows take their gradient along whatever format the box has changed to.
void nms_grad(const NmsParams&, Grad& g) {
  const Shape& shape = g.in_shape(0);
  if (shape.size() == 0) return;
  const int64_t width = shape.back(), rows = shape.size() / width;
  const Tensor from = reshape_to(g.out(1), {1, rows});
  const Tensor there = apply("_greater_equal_scalar", {from}, {{"scalar", 0.0}});
  const Tensor place = apply("_maximum_scalar", {from}, {{"scalar", 0.0}});
  const Tensor head = reshape_to(g.out_grad(), {rows, width});
  const Tensor moved =
      select(broadcast_to(reshape_to(there, {rows, 1}), {rows, width}), head, zeros_like(head));
  const Tensor sums = apply("_scatter_nd_add", {moved, place}, {{"shape", TupleValue({rows, width})}});
  g.set(0, reshape_to(sums, shape));
}

const Op& box_nms =
    Define<NmsParams>("_contrib_box_nms")
        .alias("_contrib_box_non_maximum_suppression")
        .doc(
            "Rows of the highest scores first, without those whose box overlaps the box of a row before "
            "them; "
            "rows of -1 fill the rest. Equal scores keep their order.")
        .origin("MXNet _contrib_box_nms")
        .input("data",
               "(..., boxes, columns), float: each row holds a score, a box and what else belongs to it.")
        .outputs({"output0", "output1"})
        .num_visible([](const NmsParams&) { return 1; })
        .shape(nms_shape)
        .dtype([](const NmsParams&, DTypeInfer& d) {
          d.set_in(0, d.out(0));
          if (d.in(0) != DType::unknown && !is_float(d.in(0))) d.reject("expected a float dtype");
          d.set_out(0, d.in(0));
          d.set_out(1, DType::int64);
        })
        .kernel(nms_kernel)
        .cost([](const NmsParams&, Span<const Shape> in) {
          const double rows = static_cast<double>(in[0].size(0, in[0].ndim() - 1));
          return 500 + rows * 100 + static_cast<double>(in[0].size());
        })
        .grad_needs({}, {1})
        .grad(nms_grad);

}  // namespace
}  // namespace mixgrad::ops::box_nms
