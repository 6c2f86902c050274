#include "kernels/image/resample.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/scratch.h"

namespace mixgrad::resample {

void Taps::add(int64_t from, std::initializer_list<double> row) {
  first.push_back(from);
  weights.insert(weights.end(), row.begin(), row.end());
  at.push_back(static_cast<int64_t>(weights.size()));
}

Taps mean_taps(int64_t in, int64_t out) {
  Taps taps;
  for (int64_t i = 0; i < out; ++i) {
    const int64_t begin = i * in / out, end = ((i + 1) * in + out - 1) / out;
    taps.first.push_back(begin);
    taps.weights.insert(taps.weights.end(), static_cast<size_t>(end - begin),
                        1.0 / static_cast<double>(end - begin));
    taps.at.push_back(static_cast<int64_t>(taps.weights.size()));
  }
  return taps;
}

Taps linear_taps(int64_t in, int64_t out, bool align_corners) {
  Taps taps;
  // Places in float32, as MXNet computes them: networks that were trained with them give the same numbers.
  const auto n = static_cast<float>(in), m = static_cast<float>(out);
  const float step = out == 1 ? 0 : align_corners ? (n - 1) / (m - 1) : n / m;
  for (int64_t i = 0; i < out; ++i) {
    const float corner = step * static_cast<float>(i);
    const auto middle = static_cast<float>(step * (static_cast<double>(i) + 0.5) - 0.5);
    const float place = align_corners ? corner : std::max(0.0f, middle);
    const int64_t low = std::min(static_cast<int64_t>(place), in - 1);
    const double share = place - static_cast<float>(low);
    if (low + 1 < in) {
      taps.add(low, {1 - share, share});
    } else {
      taps.add(low, {1});
    }
  }
  return taps;
}

namespace {

constexpr int64_t kResampleGrain = 16384;  // pixels worth a thread

char* pixel(const View& view, int64_t i) {
  return view.as<char>() + static_cast<size_t>(i) * size_of(view.dtype);
}

int64_t planes_of(const View& view) { return view.shape()[0] * view.shape()[1]; }
int64_t plane_size(const View& view) { return view.shape()[2] * view.shape()[3]; }

// One plane at a time, in the compute type: body(source, target, workspace of a source row).
template <class C, class Body>
void each_plane(const View& from, const View& to, int64_t row, Body body) {
  const int64_t n = plane_size(from), m = plane_size(to);
  const int64_t grain = loop_grain(kResampleGrain, {n + m});
  parallel_for(planes_of(from), grain, [&](int64_t begin, int64_t end) {
    const Scratch memory = Scratch::of<C>(n + m + row);
    C *source = memory.as<C>(), *target = source + n, *workspace = target + m;
    for (int64_t plane = begin; plane < end; ++plane) {
      convert(pixel(from, plane * n), from.dtype, source, dtype_of<C>(), n);
      body(source, target, workspace);
      convert(target, dtype_of<C>(), pixel(to, plane * m), to.dtype, m);
    }
  });
}

template <class C>
void apply_planes(const Taps& rows, const Taps& columns, const View& in, const View& out) {
  const int64_t width = in.shape()[3], wide = out.shape()[3];
  each_plane<C>(in, out, width, [&](const C* source, C* target, C* sum) {
    for (int64_t y = 0; y < rows.outputs(); ++y) {
      std::fill_n(sum, width, C(0));
      for (int64_t t = rows.at[y]; t < rows.at[y + 1]; ++t) {
        const C weight = static_cast<C>(rows.weights[t]);
        const C* row = source + (rows.first[y] + t - rows.at[y]) * width;
        for (int64_t x = 0; x < width; ++x) sum[x] += weight * row[x];
      }
      for (int64_t x = 0; x < wide; ++x) {
        C value = 0;
        for (int64_t t = columns.at[x]; t < columns.at[x + 1]; ++t)
          value += static_cast<C>(columns.weights[t]) * sum[columns.first[x] + t - columns.at[x]];
        target[y * wide + x] = value;
      }
    }
  });
}

template <class C>
void transposed_planes(const Taps& rows, const Taps& columns, const View& out_grad, const View& in_grad) {
  const int64_t width = in_grad.shape()[3], wide = out_grad.shape()[3], size = plane_size(in_grad);
  each_plane<C>(out_grad, in_grad, width, [&](const C* source, C* target, C* spread) {
    std::fill_n(target, size, C(0));
    for (int64_t y = 0; y < rows.outputs(); ++y) {
      std::fill_n(spread, width, C(0));
      for (int64_t x = 0; x < wide; ++x) {
        for (int64_t t = columns.at[x]; t < columns.at[x + 1]; ++t) {
          spread[columns.first[x] + t - columns.at[x]] +=
              static_cast<C>(columns.weights[t]) * source[y * wide + x];
        }
      }
      for (int64_t t = rows.at[y]; t < rows.at[y + 1]; ++t) {
        const C weight = static_cast<C>(rows.weights[t]);
        C* row = target + (rows.first[y] + t - rows.at[y]) * width;
        for (int64_t x = 0; x < width; ++x) row[x] += weight * spread[x];
      }
    }
  });
}

}  // namespace

void apply(const Taps& rows, const Taps& columns, const View& in, const View& out) {
  if (is_wide(in.dtype)) return apply_planes<double>(rows, columns, in, out);
  apply_planes<float>(rows, columns, in, out);
}

void apply_transposed(const Taps& rows, const Taps& columns, const View& out_grad, const View& in_grad) {
  if (is_wide(in_grad.dtype)) return transposed_planes<double>(rows, columns, out_grad, in_grad);
  transposed_planes<float>(rows, columns, out_grad, in_grad);
}

}  // namespace mixgrad::resample
