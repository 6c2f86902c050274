#include "kernels/image/interpolate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "kernels/elements.h"

namespace mixgrad::interpolate {
namespace {

constexpr double kPi = 3.14159265358979323846;

void add_tap(Taps& taps, int64_t from, double weight, int64_t in) {
  taps.from.push_back(std::clamp<int64_t>(from, 0, in - 1));
  taps.weights.push_back(weight);
}

// Keys' curve through four points, with the slope -0.75 at the ends.
void add_cubic(Taps& taps, int64_t first, double x, int64_t in) {
  constexpr double kSlope = -0.75;
  const auto outer = [&](double d) { return ((kSlope * d - 5 * kSlope) * d + 8 * kSlope) * d - 4 * kSlope; };
  const auto inner = [&](double d) { return ((kSlope + 2) * d - (kSlope + 3)) * d * d + 1; };
  const double weights[3] = {outer(x + 1), inner(x), inner(1 - x)};
  for (int t = 0; t < 3; ++t) add_tap(taps, first - 1 + t, weights[t], in);
  add_tap(taps, first + 2, 1 - weights[0] - weights[1] - weights[2], in);
}

// Eight points of Lanczos' window; the weights' sum is 1.
void add_lanczos(Taps& taps, int64_t first, double x, int64_t in) {
  double weights[8], sum = 0;
  for (int t = 0; t < 8; ++t) {
    const double d = (x + 3 - t) * kPi;
    weights[t] = std::fabs(d) < 1e-9 ? 1 : 4 * std::sin(d) * std::sin(d / 4) / (d * d);
    sum += weights[t];
  }
  for (int t = 0; t < 8; ++t) add_tap(taps, first - 3 + t, weights[t] / sum, in);
}

// The mean over [begin, end) of the axis.
void add_area(Taps& taps, double begin, double end, int64_t in) {
  end = std::min(end, static_cast<double>(in));
  const auto first = static_cast<int64_t>(std::floor(begin + 1e-9));
  const auto last = static_cast<int64_t>(std::ceil(end - 1e-9));
  for (int64_t i = first; i < std::max(last, first + 1); ++i) {
    const double part = std::min(end, static_cast<double>(i + 1)) - std::max(begin, static_cast<double>(i));
    add_tap(taps, i, part / (end - begin), in);
  }
}

}  // namespace

Taps picture_taps(Method method, int64_t in, int64_t out, bool shrinks, bool narrow) {
  Taps taps;
  const double step = static_cast<double>(in) / static_cast<double>(out);
  for (int64_t i = 0; i < out; ++i) {
    const double begin = static_cast<double>(i) * step;
    double middle = (static_cast<double>(i) + 0.5) * step - 0.5;
    if (narrow) middle = static_cast<double>(static_cast<float>(middle));
    auto first = static_cast<int64_t>(std::floor(middle));
    double part = middle - std::floor(middle);
    switch (method) {
      case Method::nearest: add_tap(taps, static_cast<int64_t>(std::floor(begin)), 1, in); break;
      case Method::cubic: add_cubic(taps, first, part, in); break;
      case Method::lanczos: add_lanczos(taps, first, part, in); break;
      case Method::area:
        if (shrinks) {
          add_area(taps, begin, begin + step, in);
          break;
        }
        // Larger pictures: pixels stay flat but for what lies over two of the input's.
        first = static_cast<int64_t>(std::floor(begin));
        part = static_cast<double>(i + 1) - static_cast<double>(first + 1) / step;
        part = part <= 0 ? 0 : part - std::floor(part);
        [[fallthrough]];
      case Method::linear:
        add_tap(taps, first, 1 - part, in);
        add_tap(taps, first + 1, part, in);
        break;
    }
    taps.at.push_back(static_cast<int64_t>(taps.from.size()));
  }
  return taps;
}

namespace {

struct PictureSize {
  explicit PictureSize(const Shape& s)
      : batch(s.size(0, s.ndim() - 3)), height(s[s.ndim() - 3]), width(s[s.ndim() - 2]), channels(s.back()) {}
  int64_t batch, height, width, channels;
  int64_t row() const { return width * channels; }
  int64_t size() const { return height * row(); }
};

// Whether computing in double is worth its time.
bool in_double(DType dtype) { return is_wide(dtype) || dtype == DType::int32 || dtype == DType::int64; }

struct PictureTaps {
  PictureTaps(Method method, const PictureSize& in, const PictureSize& out, bool narrow)
      : shrinks(in.height >= out.height && in.width >= out.width),
        rows(picture_taps(method, in.height, out.height, shrinks, narrow)),
        columns(picture_taps(method, in.width, out.width, shrinks, narrow)) {}
  bool shrinks;
  Taps rows, columns;
};

// Positions are single numbers, as in OpenCV, where they are far finer than pixels and than what is computed.
bool narrow_positions(const View& in, const PictureSize& size) {
  constexpr int64_t kMost = 1 << 16;
  return !in_double(in.dtype) && size.height < kMost && size.width < kMost;
}

// One row of the input, of another width: add(output pixel, input pixel, weight).
template <class F>
void each_tap(const Taps& taps, F add) {
  for (int64_t i = 0; i < taps.outputs(); ++i) {
    for (int64_t t = taps.at[static_cast<size_t>(i)]; t < taps.at[static_cast<size_t>(i) + 1]; ++t)
      add(i, taps.from[static_cast<size_t>(t)], taps.weights[static_cast<size_t>(t)]);
  }
}

double round_into(double value, DType dtype) {
  if (is_float(dtype)) return value;
  double low = 0, high = 255;
  if (dtype == DType::int8) low = -128, high = 127;
  if (dtype == DType::int32) low = -2147483648.0, high = 2147483647.0;
  if (dtype == DType::int64) low = -0x1p63, high = 0x1.fffffffffffffp62;
  if (dtype == DType::boolean) high = 1;
  return std::isnan(value) ? 0 : std::clamp(std::nearbyint(value), low, high);
}

std::vector<char> rows_in_use(const Taps& rows, int64_t height) {
  std::vector<char> used(static_cast<size_t>(height), 0);
  for (const int64_t h : rows.from) used[static_cast<size_t>(h)] = 1;
  return used;
}

// Rows of the output weigh rows of the input, which have the output's width by then.
template <class C>
void resize_one(const PictureTaps& taps, const View& in, const View& out, const PictureSize& from,
                const PictureSize& to, int64_t image) {
  const int64_t row = to.row();
  const std::vector<char> used = rows_in_use(taps.rows, from.height);
  ScratchArray<C> wide(static_cast<size_t>(from.height * row), C(0)), sums(static_cast<size_t>(row));
  Elements<C> input(in, from.row()), output(out, row);
  for (int64_t h = 0; h < from.height; ++h) {
    if (!used[static_cast<size_t>(h)]) continue;
    const C* x = input.read(image * from.size() + h * from.row(), from.row());
    C* y = wide.data() + h * row;
    each_tap(taps.columns, [&](int64_t i, int64_t j, double weight) {
      const C w = static_cast<C>(weight);
      for (int64_t c = 0; c < to.channels; ++c) y[i * to.channels + c] += w * x[j * to.channels + c];
    });
  }
  for (int64_t h = 0; h < to.height; ++h) {
    std::fill(sums.begin(), sums.end(), C(0));
    C* sum = sums.data();
    const auto end = static_cast<size_t>(taps.rows.at[static_cast<size_t>(h) + 1]);
    for (auto t = static_cast<size_t>(taps.rows.at[static_cast<size_t>(h)]); t < end; ++t) {
      const C *x = wide.data() + taps.rows.from[t] * row, weight = static_cast<C>(taps.rows.weights[t]);
      for (int64_t i = 0; i < row; ++i) sum[i] += weight * x[i];
    }
    const int64_t at = image * to.size() + h * row;
    C* y = output.write(at);
    if (is_float(out.dtype)) {
      std::copy_n(sum, row, y);
    } else {
      for (int64_t i = 0; i < row; ++i)
        y[i] = static_cast<C>(round_into(static_cast<double>(sum[i]), out.dtype));
    }
    output.store(at, row);
  }
}

// Weights of two neighbours in parts of 2048.
struct FixedTap {
  int64_t from[2];
  int32_t weights[2];
};
std::vector<FixedTap> fixed_taps(const Taps& taps, bool at_border) {
  std::vector<FixedTap> fixed;
  for (size_t i = 0; i + 1 < taps.at.size(); ++i) {
    const size_t t = 2 * i;
    FixedTap tap{{taps.from[t], taps.from[t + 1]}, {0, 0}};
    const bool one = at_border && tap.from[0] == tap.from[1];
    for (size_t k = 0; k < 2; ++k)
      tap.weights[k] =
          one ? (k == 0 ? 2048 : 0) : static_cast<int32_t>(std::nearbyint(taps.weights[t + k] * 2048));
    fixed.push_back(tap);
  }
  return fixed;
}

void resize_fixed(const PictureTaps& taps, const View& in, const View& out, const PictureSize& from,
                  const PictureSize& to, int64_t image) {
  const std::vector<FixedTap> rows = fixed_taps(taps.rows, false), columns = fixed_taps(taps.columns, true);
  const int64_t row = to.row();
  ScratchArray<int32_t> wide(static_cast<size_t>(from.height * row));
  for (int64_t h = 0; h < from.height; ++h) {
    const uint8_t* x = in.as<uint8_t>() + image * from.size() + h * from.row();
    int32_t* y = wide.data() + h * row;
    for (const FixedTap& tap : columns) {
      for (int64_t c = 0; c < to.channels; ++c)
        *y++ = x[tap.from[0] * to.channels + c] * tap.weights[0] +
               x[tap.from[1] * to.channels + c] * tap.weights[1];
    }
  }
  uint8_t* y = out.as<uint8_t>() + image * to.size();
  for (const FixedTap& tap : rows) {
    const int32_t *a = wide.data() + tap.from[0] * row, *b = wide.data() + tap.from[1] * row;
    for (int64_t i = 0; i < row; ++i) {
      const int32_t sum = ((tap.weights[0] * (a[i] >> 4)) >> 16) + ((tap.weights[1] * (b[i] >> 4)) >> 16) + 2;
      *y++ = static_cast<uint8_t>(sum >> 2);
    }
  }
}

std::vector<int32_t> fixed_weights(const Taps& taps) {
  std::vector<int32_t> weights;
  for (const double weight : taps.weights)
    weights.push_back(static_cast<int32_t>(std::nearbyint(weight * 2048)));
  return weights;
}

// Adds weighted pixels of a row to those of another width. Channels are taken kAtOnce at a time, which divides their number.
template <int64_t kAtOnce>
void weigh_row(const Taps& taps, const std::vector<int32_t>& weights, const uint8_t* x, int64_t channels,
               int32_t* y) {
  for (size_t i = 0; i + 1 < taps.at.size(); ++i) {
    const auto begin = static_cast<size_t>(taps.at[i]), end = static_cast<size_t>(taps.at[i + 1]);
    for (int64_t c = 0; c < channels; c += kAtOnce, y += kAtOnce) {
      int32_t sums[kAtOnce] = {};
      for (size_t t = begin; t < end; ++t) {
        const uint8_t* pixel = x + taps.from[t] * channels + c;
        for (int64_t k = 0; k < kAtOnce; ++k) sums[k] += weights[t] * pixel[k];
      }
      std::copy_n(sums, kAtOnce, y);
    }
  }
}

// Any number of neighbours, whose weights are parts of 2048 along each axis; halves are rounded up. Weights add up to 1 and
// those above 0 to at most 1.4, so sums stay within 31 bits.
void resize_fixed_sums(const PictureTaps& taps, const View& in, const View& out, const PictureSize& from,
                       const PictureSize& to, int64_t image) {
  const std::vector<int32_t> down = fixed_weights(taps.rows), across = fixed_weights(taps.columns);
  const std::vector<char> used = rows_in_use(taps.rows, from.height);
  const int64_t row = to.row(), channels = to.channels;
  ScratchArray<int32_t> wide(static_cast<size_t>(from.height * row));
  for (int64_t h = 0; h < from.height; ++h) {
    if (!used[static_cast<size_t>(h)]) continue;
    const uint8_t* x = in.as<uint8_t>() + image * from.size() + h * from.row();
    int32_t* y = wide.data() + h * row;
    if (channels == 3) {
      weigh_row<3>(taps.columns, across, x, 3, y);
    } else {
      weigh_row<1>(taps.columns, across, x, channels, y);
    }
  }
  uint8_t* y = out.as<uint8_t>() + image * to.size();
  ScratchArray<int32_t> sums(static_cast<size_t>(row));
  for (size_t h = 0; h + 1 < taps.rows.at.size(); ++h, y += row) {
    std::fill(sums.begin(), sums.end(), 1 << 21);
    for (auto t = static_cast<size_t>(taps.rows.at[h]); t < static_cast<size_t>(taps.rows.at[h + 1]); ++t) {
      const int32_t* x = wide.data() + taps.rows.from[t] * row;
      const int32_t weight = down[t];
      for (int64_t i = 0; i < row; ++i) sums.data()[i] += weight * x[i];
    }
    for (int64_t i = 0; i < row; ++i) y[i] = static_cast<uint8_t>(std::clamp(sums.data()[i] >> 22, 0, 255));
  }
}

// A pixel of half the size is the mean of four. As in OpenCV, halves are rounded up for 1, 3 or 4 channels, else to even numbers.
void halve(const View& in, const View& out, const PictureSize& from, const PictureSize& to, int64_t image) {
  for (int64_t h = 0; h < to.height; ++h) {
    const uint8_t *a = in.as<uint8_t>() + image * from.size() + 2 * h * from.row(), *b = a + from.row();
    uint8_t* y = out.as<uint8_t>() + image * to.size() + h * to.row();
    const int64_t n = to.channels;
    const bool up = n == 1 || n == 3 || n == 4;
    for (int64_t i = 0; i < to.row(); ++i) {
      const int64_t at = i / n * 2 * n + i % n;
      const int32_t sum = a[at] + a[at + n] + b[at] + b[at + n];
      y[i] = static_cast<uint8_t>((sum + (up ? 2 : 1 + (sum >> 2 & 1))) >> 2);
    }
  }
}

void pick_nearest(const PictureTaps& taps, const View& in, const View& out, const PictureSize& from,
                  const PictureSize& to, int64_t image) {
  const size_t pixel = static_cast<size_t>(to.channels) * size_of(in.dtype);
  const char* x = in.as<char>() + static_cast<size_t>(image * from.height * from.width) * pixel;
  char* y = out.as<char>() + static_cast<size_t>(image * to.height * to.width) * pixel;
  for (const int64_t h : taps.rows.from) {
    for (const int64_t w : taps.columns.from) {
      std::memcpy(y, x + static_cast<size_t>(h * from.width + w) * pixel, pixel);
      y += pixel;
    }
  }
}

}  // namespace

void resize(Method method, const View& in, const View& out) {
  if (out.size() == 0) return;
  const PictureSize from(in.shape()), to(out.shape());
  const PictureTaps taps(method, from, to, narrow_positions(in, from));
  const bool bytes = in.dtype == DType::uint8;
  const bool two = method == Method::linear || (method == Method::area && !taps.shrinks);
  const bool half = (method == Method::linear || method == Method::area) && from.height == 2 * to.height &&
                    from.width == 2 * to.width;
  parallel_for(to.batch, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (method == Method::nearest) {
        pick_nearest(taps, in, out, from, to, i);
      } else if (bytes && half) {
        halve(in, out, from, to, i);
      } else if (bytes && two) {
        resize_fixed(taps, in, out, from, to, i);
      } else if (bytes && method != Method::area) {
        resize_fixed_sums(taps, in, out, from, to, i);
      } else if (in_double(in.dtype)) {
        resize_one<double>(taps, in, out, from, to, i);
      } else {
        resize_one<float>(taps, in, out, from, to, i);
      }
    }
  });
}

void resize_gradient(Method method, const View& out_grad, const View& in_grad) {
  if (in_grad.size() == 0) return;
  const PictureSize from(in_grad.shape()), to(out_grad.shape());
  const PictureTaps taps(method, from, to, false);
  const int64_t channels = from.channels, row = to.row();
  parallel_for(from.batch, 1, [&](int64_t begin, int64_t end) {
    ScratchArray<double> wide(static_cast<size_t>(from.height * row)), sums(static_cast<size_t>(from.row()));
    Elements<double> head(out_grad, row), grad(in_grad, from.row());
    for (int64_t image = begin; image < end; ++image) {
      std::fill(wide.begin(), wide.end(), 0.0);
      for (int64_t h = 0; h < to.height; ++h) {
        const double* dy = head.read(image * to.size() + h * row, row);
        const auto last = static_cast<size_t>(taps.rows.at[static_cast<size_t>(h) + 1]);
        for (auto t = static_cast<size_t>(taps.rows.at[static_cast<size_t>(h)]); t < last; ++t) {
          double* x = wide.data() + taps.rows.from[t] * row;
          for (int64_t i = 0; i < row; ++i) x[i] += taps.rows.weights[t] * dy[i];
        }
      }
      for (int64_t h = 0; h < from.height; ++h) {
        std::fill(sums.begin(), sums.end(), 0.0);
        const double* x = wide.data() + h * row;
        each_tap(taps.columns, [&](int64_t i, int64_t j, double weight) {
          for (int64_t c = 0; c < channels; ++c)
            sums[static_cast<size_t>(j * channels + c)] += weight * x[i * channels + c];
        });
        const int64_t at = image * from.size() + h * from.row();
        std::copy(sums.begin(), sums.end(), grad.write(at));
        grad.store(at, from.row());
      }
    }
  });
}

}  // namespace mixgrad::interpolate
