// Pairs of rows and columns, the best scores first.
#include "base/parallel.h"
#include "kernels/elements.h"
#include "kernels/loops/sort.h"
#include "ops/detection/box.h"

namespace mixgrad::ops::bipartite_matching {
namespace {

struct MatchParams {
  bool is_ascend = false;
  float threshold = 0;
  int32_t topk = -1;
  static void fields(Fields<MatchParams>& f) {
    f.add("is_ascend", &MatchParams::is_ascend, "The smallest scores are the best.")
        .required("threshold", &MatchParams::threshold,
                  "A pair's score is above it, or below it with is_ascend.")
        .add(
            "topk", &MatchParams::topk,
            "Ends with the first pair beyond this many, which still counts, as in MXNet; below 1 there is no "
            "limit.");
  }
};

void match_shape(const MatchParams&, ShapeInfer& s) {
  if (!s.in(0).known_rank()) return;
  const int n = s.in(0).ndim();
  if (n < 2) s.reject("expected scores (..., rows, columns)");
  if (s.known(0) && s.in(0)[n - 1] > 0 && s.in(0)[n - 2] > INT32_MAX / s.in(0)[n - 1])
    s.reject("expected less than 2^31 scores in a batch");
  Shape rows = s.in(0), columns = s.in(0);
  rows.erase(n - 1);
  columns.erase(n - 2);
  s.set_out(0, rows);
  s.set_out(1, columns);
}

// One batch; `of_row` and `of_column` become the partner of each, or -1.
template <class C>
void match(const MatchParams& p, const C* scores, int64_t rows, int64_t columns, C* of_row, C* of_column) {
  std::fill(of_row, of_row + rows, C(-1));
  std::fill(of_column, of_column + columns, C(-1));
  const int64_t n = rows * columns;
  if (n == 0) return;
  ScratchArray<int32_t> order(static_cast<size_t>(n));
  argsort_rows({1, n, n, p.is_ascend}, scores, dtype_of<C>(), order.data());
  const C threshold = static_cast<C>(p.threshold);
  int64_t pairs = 0;
  for (const int32_t at : order) {
    const int64_t r = at / columns, c = at % columns;
    if (of_row[r] != -1 || of_column[c] != -1) continue;
    if (!(p.is_ascend ? scores[at] < threshold : scores[at] > threshold)) break;
    of_row[r] = static_cast<C>(c);
    of_column[c] = static_cast<C>(r);
    if (++pairs > p.topk && p.topk > 0) break;
    if (pairs == std::min(rows, columns)) break;
  }
}

template <class C>
void match_typed(const MatchParams& p, KernelArgs& args) {
  const View& data = args.in[0];
  const Shape& shape = data.shape();
  const int last = shape.ndim() - 1;
  const int64_t rows = shape[last - 1], columns = shape[last], n = rows * columns;
  parallel_for(shape.size(0, last - 1), loop_grain(1024, {n}), [&](int64_t begin, int64_t end) {
    Elements<C> values(data, n), of_row(args.out[0], rows), of_column(args.out[1], columns);
    for (int64_t b = begin; b < end; ++b) {
      match(p, values.read(b * n, n), rows, columns, of_row.write(b * rows), of_column.write(b * columns));
      of_row.store(b * rows, rows);
      of_column.store(b * columns, columns);
    }
  });
}

const Op& bipartite_matching =
    Define<MatchParams>("_contrib_bipartite_matching")
        .doc(
            "Pairs each row with at most one column and each column with at most one row, going through the "
            "scores from the best on: the column of each row and the row of each column, -1 for none.")
        .origin("MXNet _contrib_bipartite_matching")
        .input("data", "Scores (..., rows, columns), float. A NaN in the way of the order ends it.")
        .outputs({"output0", "output1"})
        .shape(match_shape)
        .dtype([](const MatchParams&, DTypeInfer& d) { box::infer_float(d); })
        .kernel([](const MatchParams& p, KernelArgs& args) {
          is_wide(args.in[0].dtype) ? match_typed<double>(p, args) : match_typed<float>(p, args);
        })
        .cost([](const MatchParams&, Span<const Shape> in) {
          return 200 + 30 * static_cast<double>(in[0].size());
        })
        .grad_needs({}, {})
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::bipartite_matching
