// Indices drawn with given probabilities.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/random/random_fill.h"
#include "op/define.h"

namespace mixgrad::ops::random_multinomial {
namespace {

struct MultinomialParams {
  Shape shape;
  bool get_prob = false;
  DType dtype = DType::int32;
  static void fields(Fields<MultinomialParams>& f) {
    f.add("shape", &MultinomialParams::shape, "Extents of the draws of one row; by default a single draw.",
          at_least(0))
        .add("get_prob", &MultinomialParams::get_prob,
             "Also give the logarithm of each drawn index's probability.")
        .add("dtype", &MultinomialParams::dtype, "Element type of the indices.");
  }
};

void multinomial_shape(const MultinomialParams& p, ShapeInfer& s) {
  if (!s.known(0)) return;
  const Shape& data = s.in(0);
  if (data.ndim() == 0) s.reject("data must have at least one axis");
  Shape out(data.data(), data.ndim() - 1);
  for (const int64_t extent : p.shape) out.push_back(extent);
  if (out.ndim() == 0) out.push_back(1);  // one row, one draw
  const bool draws = std::find(out.begin(), out.end(), 0) == out.end();
  if (data.back() == 0 && draws) s.reject("data has no categories to draw from");
  for (int i = 0; i < s.num_outputs(); ++i) s.set_out(i, out);
}

std::vector<double> multinomial_row(const View& data, int64_t row, int64_t categories) {
  std::vector<double> p(static_cast<size_t>(categories));
  const size_t offset = static_cast<size_t>(row * categories) * size_of(data.dtype);
  convert(data.as<char>() + offset, data.dtype, p.data(), DType::float64, categories);
  return p;
}

void put_numbers(const double* values, const View& out, int64_t first, int64_t n) {
  convert(values, DType::float64, out.as<char>() + static_cast<size_t>(first) * size_of(out.dtype), out.dtype,
          n);
}

double take_number(const View& in, int64_t i) {
  double value = 0;
  convert(in.as<char>() + static_cast<size_t>(i) * size_of(in.dtype), in.dtype, &value, DType::float64, 1);
  return value;
}

// The sums of probabilities up to each index, and the last index that is possible. Throws when nothing can be drawn.
struct RowSums {
  std::vector<double> row, sums;
  size_t last = 0;
  RowSums(const View& data, int64_t r, int64_t categories)
      : row(multinomial_row(data, r, categories)), sums(row.size()) {
    double sum = 0;
    for (size_t i = 0; i < row.size(); ++i) {
      if (!(row[i] >= 0) || std::isinf(row[i])) {
        fail(Status::invalid_argument, "[_sample_multinomial] probability ", row[i], " at position ", i,
             " of row ", r, "; expected finite numbers of at least 0");
      }
      if (row[i] > 0) {
        sum += row[i];
        last = i;
      }
      sums[i] = sum;
    }
    if (!(sum > 0)) {
      fail(Status::invalid_argument, "[_sample_multinomial] all ", row.size(), " probabilities of row ", r,
           " are 0; expected at least one above 0");
    }
  }
  // The first index whose sum passes u; rounding, or a row that sums to less than 1, may leave none.
  size_t find(double u) const {
    const auto found = std::upper_bound(sums.begin(), sums.end(), u);
    return found == sums.end() ? last : static_cast<size_t>(found - sums.begin());
  }
};

constexpr int64_t kDrawTile = 256;

// Draws [begin, end) of the whole output, which are all of one row.
void draw_indices(const MultinomialParams& p, const KernelArgs& args, const RowSums& row, int64_t begin,
                  int64_t end) {
  const RandomKey key = args.random_key();
  alignas(64) uint32_t words[4 * kDrawTile];
  double indices[kDrawTile], logs[kDrawTile];
  for (int64_t base = begin / 16 * 16; base < end; base += kDrawTile) {
    const int64_t blocks = std::min(kDrawTile, (end - base + 15) / 16 * 16);
    random_words(key, 4 * base, 4 * blocks, words);
    const int64_t first = std::max(base, begin), n = std::min(base + kDrawTile, end) - first;
    const random_fill::ElementRun run(key, words, base, first, n);
    for (int64_t i = 0; i < n; ++i) {
      const size_t index = row.find(run[i].uniform());
      indices[i] = static_cast<double>(index);
      if (p.get_prob) logs[i] = std::log(row.row[index]);
    }
    put_numbers(indices, args.out[0], first, n);
    if (p.get_prob) put_numbers(logs, args.out[1], first, n);
  }
}

void multinomial_kernel(const MultinomialParams& p, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  const int64_t categories = data.shape().back();
  const int64_t rows = categories == 0 ? 0 : data.size() / categories;
  if (rows == 0 || out.size() == 0) return;
  const int64_t draws = out.size() / rows;
  if (draws > 8192) {  // the draws of one row are shared out
    for (int64_t r = 0; r < rows; ++r) {
      const RowSums row(data, r, categories);
      parallel_for(draws, 2048, [&](int64_t first, int64_t last) {
        draw_indices(p, args, row, r * draws + first, r * draws + last);
      });
    }
    return;
  }
  parallel_for(rows, loop_grain(4096, {draws + categories}), [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) {
      draw_indices(p, args, RowSums(data, r, categories), r * draws, (r + 1) * draws);
    }
  });
}

// d log(p[index]) / d p is 1 / p at the index.
void multinomial_backward(const MultinomialParams& p, BackwardArgs& args) {
  if (!args.wants(0)) return;
  const View &data = args.in[0], &gradient = args.in_grad[0];
  const int64_t categories = data.shape().back();
  const int64_t rows = categories == 0 ? 0 : data.size() / categories;
  const int64_t draws = rows == 0 || !p.get_prob ? 0 : args.out[0].size() / rows;
  parallel_for(rows, loop_grain(4096, {draws + categories}), [&](int64_t first, int64_t last) {
    std::vector<double> sums(static_cast<size_t>(categories));
    for (int64_t r = first; r < last; ++r) {
      std::fill(sums.begin(), sums.end(), 0.0);
      for (int64_t k = r * draws; k < (r + 1) * draws; ++k) {
        const auto index = static_cast<int64_t>(take_number(args.out[0], k));
        if (index < 0 || index >= categories) continue;  // written over by the user
        sums[static_cast<size_t>(index)] +=
            take_number(args.out_grad[1], k) / take_number(data, r * categories + index);
      }
      const size_t offset = static_cast<size_t>(r * categories) * size_of(gradient.dtype);
      convert(sums.data(), DType::float64, gradient.as<char>() + offset, gradient.dtype, categories);
    }
  });
}

const Op& multinomial =
    Define<MultinomialParams>("_sample_multinomial")
        .alias("sample_multinomial")
        .doc(
            "Indices drawn with the probabilities in each row of data, of shape data.shape[:-1] + shape; "
            "with get_prob "
            "also the logarithms of their probabilities, through which the gradient flows.")
        .origin("MXNet _sample_multinomial")
        .module("random")
        .input("data", "Probabilities (..., k) of k categories, each row summing to 1; float.")
        .outputs({"output0", "output1"})
        .num_outputs([](const MultinomialParams& p) { return p.get_prob ? 2 : 1; })
        .shape(multinomial_shape)
        .dtype([](const MultinomialParams& p, DTypeInfer& d) {
          d.set_out(0, p.dtype);
          if (d.in(0) != DType::unknown && !is_float(d.in(0)))
            d.reject("expected probabilities of a float dtype");
          if (d.num_outputs() > 1) d.set_out(1, d.in(0));
        })
        .kernel(multinomial_kernel)
        .backward(multinomial_backward)
        .grad_needs({0}, {0})
        .element_cost(20)
        .random();

}  // namespace
}  // namespace mixgrad::ops::random_multinomial
