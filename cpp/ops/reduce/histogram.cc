// Counting values by bins.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "kernels/loops/convert.h"
#include "op/define.h"

namespace mixgrad::ops::histogram {
namespace {

struct HistogramParams {
  std::optional<int32_t> bin_cnt;
  std::optional<Reals> range;
  static void fields(Fields<HistogramParams>& f) {
    f.add("bin_cnt", &HistogramParams::bin_cnt, "Number of equal bins; without it, bins gives the edges.",
          between(1, 1 << 30))
        .add("range", &HistogramParams::range,
             "With bin_cnt: lower end of the first and upper end of the last bin.");
  }
};

void histogram_shape(const HistogramParams& p, ShapeInfer& s) {
  if (p.bin_cnt) {
    const bool good = p.range && p.range->size() == 2 && (*p.range)[0] < (*p.range)[1] &&
                      std::isfinite((*p.range)[1] - (*p.range)[0]);
    if (!good) s.reject("with bin_cnt, expected a range of two finite numbers, the lower one first");
    s.set_out(0, {*p.bin_cnt});
    return s.set_out(1, {int64_t{*p.bin_cnt} + 1});
  }
  if (!s.in(1).known_rank()) return;
  if (s.in(1).ndim() != 1 || (s.in(1)[0] >= 0 && s.in(1)[0] < 2))
    s.reject("bins must be a list of at least two edges");
  s.set_out(0, {s.in(1)[0] < 0 ? Shape::kUnknownDim : s.in(1)[0] - 1});
  s.set_out(1, s.in(1));
}

void histogram_kernel(const HistogramParams& p, KernelArgs& args) {
  const View &data = args.in[0], &counts = args.out[0], &edge_view = args.out[1];
  const int64_t bins = counts.size();
  std::vector<double> edges(static_cast<size_t>(bins + 1));
  if (p.bin_cnt) {
    const double low = (*p.range)[0], high = (*p.range)[1];
    for (int64_t i = 0; i <= bins; ++i)
      edges[static_cast<size_t>(i)] = low + (high - low) * static_cast<double>(i) / static_cast<double>(bins);
    edges.back() = high;
  } else {
    convert(args.in[1].data, args.in[1].dtype, edges.data(), DType::float64, bins + 1);
  }
  convert(edges.data(), DType::float64, edge_view.data, edge_view.dtype, bins + 1);
  if (p.bin_cnt && is_float(edge_view.dtype))  // values are held against the edges that are given back
    convert(edge_view.data, edge_view.dtype, edges.data(), DType::float64, bins + 1);
  int64_t* count = counts.as<int64_t>();
  std::fill(count, count + bins, int64_t{0});
  constexpr int64_t kTile = 1024;
  double tile[kTile];
  for (int64_t at = 0; at < data.size(); at += kTile) {
    const int64_t n = std::min(kTile, data.size() - at);
    convert(data.as<char>() + static_cast<size_t>(at) * size_of(data.dtype), data.dtype, tile, DType::float64,
            n);
    for (int64_t i = 0; i < n; ++i) {
      if (!(tile[i] >= edges.front() && tile[i] <= edges.back())) continue;
      const int64_t bin = std::upper_bound(edges.begin(), edges.end(), tile[i]) - edges.begin() - 1;
      ++count[std::clamp<int64_t>(bin, 0, bins - 1)];
    }
  }
}

const Op& op = Define<HistogramParams>("_histogram")
                   .alias("_npi_histogram")
                   .doc(
                       "How many values lie in each bin, as int64, and the edges of the bins. A bin holds "
                       "its lower end; the last "
                       "one also the upper end. Values outside and NaN are not counted.")
                   .origin("MXNet _histogram")
                   .input("data", "Any array.")
                   .input("bins", "Edges of the bins, ascending; only without bin_cnt.")
                   .outputs({"count", "edges"})
                   .num_inputs([](const HistogramParams& p) { return p.bin_cnt ? 1 : 2; })
                   .shape(histogram_shape)
                   .dtype([](const HistogramParams& p, DTypeInfer& d) {
                     d.set_out(0, DType::int64);
                     d.set_out(1, p.bin_cnt ? d.in(0) : d.in(1));
                   })
                   .kernel(histogram_kernel)
                   .cost([](const HistogramParams&, Span<const Shape> in) {
                     return 200 + 10 * static_cast<double>(in[0].size());
                   })
                   .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::histogram
