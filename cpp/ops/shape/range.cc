// Arrays of evenly spaced numbers and unit matrices.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "op/define.h"

namespace mixgrad::ops::range {
namespace {

constexpr const char* kRangeCtxDoc =
    "Device such as 'cpu(0)'; only stored in files, calls use the current device.";
constexpr int64_t kRangeTile = 512;

// out[i] = start + (i / repeat) * step, in double, or exactly in int64.
void fill_range(double start, double step, int64_t repeat, const View& out) {
  const size_t item = size_of(out.dtype);
  const bool whole = out.dtype == DType::int64 && std::floor(start) == start && std::floor(step) == step &&
                     std::fabs(start) < 0x1p62 && std::fabs(step) < 0x1p62;
  parallel_for(out.size(), 16384, [&](int64_t begin, int64_t end) {
    if (whole) {
      const auto first = static_cast<uint64_t>(static_cast<int64_t>(start));
      const auto by = static_cast<uint64_t>(static_cast<int64_t>(step));
      for (int64_t i = begin; i < end; ++i) {
        out.as<int64_t>()[i] = static_cast<int64_t>(first + static_cast<uint64_t>(i / repeat) * by);
      }
      return;
    }
    double tile[kRangeTile];
    for (int64_t at = begin; at < end; at += kRangeTile) {
      const int64_t n = std::min(kRangeTile, end - at);
      for (int64_t i = 0; i < n; ++i) tile[i] = start + static_cast<double>((at + i) / repeat) * step;
      convert(tile, DType::float64, out.as<char>() + static_cast<size_t>(at) * item, out.dtype, n);
    }
  });
}

struct ArangeParams {
  double start = 0;
  std::optional<double> stop;
  double step = 1;
  int32_t repeat = 1;
  bool infer_range = false;
  std::string ctx;
  DType dtype = DType::float32;
  static void fields(Fields<ArangeParams>& f) {
    f.required("start", &ArangeParams::start, "First number; without stop, the end of a range from 0.")
        .add("stop", &ArangeParams::stop, "End of the range, itself left out.")
        .add("step", &ArangeParams::step, "Distance of neighbours, not 0.")
        .add("repeat", &ArangeParams::repeat, "How often each number comes.", at_least(1))
        .add("infer_range", &ArangeParams::infer_range,
             "The length is that of the given output; start is the first number and stop is not used.")
        .add("ctx", &ArangeParams::ctx, kRangeCtxDoc)
        .add("dtype", &ArangeParams::dtype, "Element type.");
  }
  bool counts_from_zero() const { return !stop && !infer_range; }
};

struct LinspaceParams {
  double start = 0;
  std::optional<double> stop;
  int64_t num = 0;
  bool endpoint = true;
  std::string ctx;
  DType dtype = DType::float32;
  static void fields(Fields<LinspaceParams>& f) {
    f.required("start", &LinspaceParams::start, "First number.")
        .add("stop", &LinspaceParams::stop, "Last number, or the one after it.")
        .required("num", &LinspaceParams::num, "How many numbers.", at_least(0))
        .add("endpoint", &LinspaceParams::endpoint, "Whether stop is the last number.")
        .add("ctx", &LinspaceParams::ctx, kRangeCtxDoc)
        .add("dtype", &LinspaceParams::dtype, "Element type.");
  }
};

struct EyeParams {
  int64_t rows = 0, columns = 0, k = 0;
  std::string ctx;
  DType dtype = DType::float32;
  static void fields(Fields<EyeParams>& f) {
    f.required("N", &EyeParams::rows, "Rows.", at_least(0))
        .add("M", &EyeParams::columns, "Columns; 0 stands for as many as rows.", at_least(0))
        .add("k", &EyeParams::k, "Which diagonal holds the ones: above 0 to the right of the main one.")
        .add("ctx", &EyeParams::ctx, kRangeCtxDoc)
        .add("dtype", &EyeParams::dtype, "Element type.");
  }
  int64_t width() const { return columns > 0 ? columns : rows; }
};

struct ArangeLikeParams {
  double start = 0, step = 1;
  int32_t repeat = 1;
  std::string ctx;
  std::optional<int64_t> axis;
  static void fields(Fields<ArangeLikeParams>& f) {
    f.add("start", &ArangeLikeParams::start, "First number.")
        .add("step", &ArangeLikeParams::step, "Distance of neighbours.")
        .add("repeat", &ArangeLikeParams::repeat, "How often each number comes.", at_least(1))
        .add("ctx", &ArangeLikeParams::ctx, kRangeCtxDoc)
        .add("axis", &ArangeLikeParams::axis,
             "The axis whose extent is the length; by default all elements count.");
  }
};

// As in MXNet and NumPy, whole numbers count in whole steps from a whole start.
void fill_arange(double start, double step, int64_t repeat, const View& out) {
  if (is_float(out.dtype)) return fill_range(start, step, repeat, out);
  fill_range(std::trunc(start), std::trunc(step), repeat, out);
}

int64_t arange_length(const ArangeParams& p, const char* who) {
  const double start = p.counts_from_zero() ? 0 : p.start, stop = p.counts_from_zero() ? p.start : *p.stop;
  const double count = std::ceil((stop - start) / p.step);
  if (p.step == 0 || !(std::fabs(count) < 0x1p53)) {
    fail(Status::invalid_argument, "[", who, "] range from ", start, " to ", stop, " by ", p.step,
         " is not finite; expected a step that leads there");
  }
  return count > 0 ? static_cast<int64_t>(count) * p.repeat : 0;
}

const Op& arange = Define<ArangeParams>("_arange")
                       .alias("_npi_arange")
                       .doc("start, start + step, ... up to stop, each number `repeat` times.")
                       .origin("MXNet _arange")
                       .shape([](const ArangeParams& p, ShapeInfer& s) {
                         if (!p.infer_range) s.set_out(0, Shape{arange_length(p, s.name())});
                         if (p.infer_range && s.out(0).known_rank() && s.out(0).ndim() != 1)
                           s.reject("the output must have one axis");
                       })
                       .dtype([](const ArangeParams& p, DTypeInfer& d) { d.set_out(0, p.dtype); })
                       .kernel([](const ArangeParams& p, KernelArgs& args) {
                         fill_arange(p.counts_from_zero() ? 0 : p.start, p.step, p.repeat, args.out[0]);
                       })
                       .no_gradient();

const Op& linspace =
    Define<LinspaceParams>("_linspace")
        .alias("_npi_linspace")
        .doc("num evenly spaced numbers from start to stop.")
        .origin("MXNet _linspace")
        .shape([](const LinspaceParams& p, ShapeInfer& s) { s.set_out(0, Shape{p.num}); })
        .dtype([](const LinspaceParams& p, DTypeInfer& d) { d.set_out(0, p.dtype); })
        .kernel([](const LinspaceParams& p, KernelArgs& args) {
          const double start = p.stop ? p.start : 0, stop = p.stop.value_or(p.start);
          const int64_t steps = p.endpoint ? p.num - 1 : p.num;
          fill_range(start, steps > 0 ? (stop - start) / static_cast<double>(steps) : 0, 1, args.out[0]);
          if (p.endpoint && p.num > 1) {  // exactly stop, whatever the sum of steps rounds to
            convert(&stop, DType::float64,
                    args.out[0].as<char>() + static_cast<size_t>(p.num - 1) * size_of(args.out[0].dtype),
                    args.out[0].dtype, 1);
          }
        })
        .no_gradient();

const Op& eye =
    Define<EyeParams>("_eye")
        .doc("A matrix (N, M) with ones on diagonal k and zeros elsewhere.")
        .origin("MXNet _eye")
        .shape([](const EyeParams& p, ShapeInfer& s) {
          s.set_out(0, Shape{p.rows, p.width()});
        })
        .dtype([](const EyeParams& p, DTypeInfer& d) { d.set_out(0, p.dtype); })
        .kernel([](const EyeParams& p, KernelArgs& args) {
          const View& out = args.out[0];
          if (out.size() == 0) return;
          std::memset(out.data, 0, out.bytes());
          const double one = 1;
          const size_t item = size_of(out.dtype);
          for (int64_t r = std::max<int64_t>(0, p.k < -p.rows ? p.rows : -p.k); r < p.rows; ++r) {
            if (p.k >= p.width() - r) break;
            convert(&one, DType::float64,
                    out.as<char>() + static_cast<size_t>(r * p.width() + r + p.k) * item, out.dtype, 1);
          }
        })
        .element_cost(0.2)
        .no_gradient();

const Op& arange_like = Define<ArangeLikeParams>("_contrib_arange_like")
                            .alias("_npx_arange_like")
                            .doc(
                                "start, start + step, ..., each number `repeat` times, in the shape of data "
                                "or in the length of one axis.")
                            .origin("MXNet _contrib_arange_like")
                            .input("data", "Gives shape and dtype.")
                            .shape([](const ArangeLikeParams& p, ShapeInfer& s) {
                              if (!s.known(0)) return;
                              if (!p.axis) return s.set_out(0, s.in(0));
                              s.set_out(0, Shape{s.in(0)[normalize_axis(*p.axis, s.in(0).ndim(), s.name())]});
                            })
                            .kernel([](const ArangeLikeParams& p, KernelArgs& args) {
                              fill_arange(p.start, p.step, p.repeat, args.out[0]);
                            })
                            .grad_needs({}, {})
                            .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::range
