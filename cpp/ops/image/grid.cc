#include "ops/image/grid.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "kernels/elements.h"

namespace mixgrad::ops::grid {
namespace {

// Calls run with a zero of the type that kernels compute in for this dtype.
template <class Run>
void with_compute(DType dtype, Run run) {
  if (is_wide(dtype))
    run(double{});
  else
    run(float{});
}

template <class C>
void affine_of(const View& theta, const View& out) {
  const int64_t n = out.shape()[0], height = out.shape()[2], width = out.shape()[3], pixels = height * width;
  Elements<C> matrices(theta, theta.size()), results(out, out.size());
  const C* matrix = matrices.read(0, theta.size());
  C* to = results.write(0);
  parallel_for(n * 2 * height, loop_grain(8192, {width}), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const C* m = matrix + row / height * 3;
      const C rest = m[1] * static_cast<C>(position(row % height, height)) + m[2];
      for (int64_t i = 0; i < width; ++i)
        to[row / height * pixels + row % height * width + i] =
            m[0] * static_cast<C>(position(i, width)) + rest;
    }
  });
  results.store(0, out.size());
}

template <class C>
void affine_backward_of(const View& out_grad, const View& grad) {
  const Shape& s = out_grad.shape();
  const int64_t height = s[2], width = s[3];
  Elements<C> heads(out_grad, out_grad.size()), results(grad, grad.size());
  const C* head = heads.read(0, out_grad.size());
  C* to = results.write(0);
  parallel_for(s[0] * 2, loop_grain(8192, {height, width}), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      double sums[3] = {0, 0, 0};
      for (int64_t h = 0; h < height; ++h) {
        double by_x = 0, all = 0;
        for (int64_t w = 0; w < width; ++w) {
          const auto value = static_cast<double>(head[(r * height + h) * width + w]);
          by_x += value * position(w, width);
          all += value;
        }
        sums[0] += by_x;
        sums[1] += all * position(h, height);
        sums[2] += all;
      }
      for (int i = 0; i < 3; ++i) to[r * 3 + i] = static_cast<C>(sums[i]);
    }
  });
  results.store(0, grad.size());
}

template <class C>
void base_of(int64_t height, int64_t width, const View& out) {
  Elements<C> results(out, out.size());
  C* to = results.write(0);
  for (int64_t i = 0; i < height * width; ++i) {
    to[i] = static_cast<C>(position(i % width, width));
    to[height * width + i] = static_cast<C>(position(i / width, height));
    to[2 * height * width + i] = C(1);
  }
  results.store(0, out.size());
}

// The four pixels around a position: the upper left one and its weights; of `inside`, bit 2 dy + dx says whether
// that neighbour belongs to the image.
template <class C>
struct Corner {
  int64_t at = 0;
  C x = 0, y = 0;  // weights of the left and the upper neighbours
  int inside = 0;
  C weight(int k) const { return (k & 1 ? 1 - x : x) * (k & 2 ? 1 - y : y); }
};

// Position in pixels; -2 where no neighbour can lie inside, whatever the number.
template <class C>
C pixel_of(C position, int64_t extent) {
  const C at = (position + 1) * static_cast<C>(extent - 1) / 2;
  return at > -1 && at < static_cast<C>(extent) ? at : C(-2);
}

template <class C>
Corner<C> corner_of(C px, C py, int64_t height, int64_t width) {
  const C x = pixel_of(px, width), y = pixel_of(py, height);
  if (x == C(-2) || y == C(-2)) return {};
  const auto left = static_cast<int64_t>(std::floor(x)), top = static_cast<int64_t>(std::floor(y));
  const bool columns[2] = {left >= 0, left + 1 < width}, rows[2] = {top >= 0, top + 1 < height};
  Corner<C> c{top * width + left, 1 - (x - static_cast<C>(left)), 1 - (y - static_cast<C>(top)), 0};
  for (int k = 0; k < 4; ++k) c.inside |= static_cast<int>(columns[k & 1] && rows[k >> 1]) << k;
  return c;
}

// What sampling reads of its arguments.
template <class C>
struct Places {
  Places(const Shape& data, const Shape& out, const C* positions)
      : height(data[2]), width(data[3]), pixels(out[2] * out[3]), positions_(positions) {}
  Corner<C> of(int64_t image, int64_t pixel) const {
    const C* x = positions_ + image * 2 * pixels + pixel;
    return corner_of(x[0], x[pixels], height, width);
  }
  int64_t offset(int k) const { return (k >> 1) * width + (k & 1); }
  int64_t height, width, pixels;

 private:
  const C* positions_;
};

constexpr int64_t kSampleGrain = 2048;
constexpr int64_t kSampleTile = 64;  // positions looked up once for all channels

template <class C>
void sample_of(const View& data, const View& positions, const View& out) {
  const Shape& s = data.shape();
  const int64_t channels = s[1], plane = s[2] * s[3];
  Elements<C> images(data, data.size()), grids(positions, positions.size()), results(out, out.size());
  const C* x = images.read(0, data.size());
  const Places<C> places(s, out.shape(), grids.read(0, positions.size()));
  C* y = results.write(0);
  const int64_t pixels = places.pixels, tiles = (pixels + kSampleTile - 1) / kSampleTile;
  parallel_for(s[0] * tiles, loop_grain(kSampleGrain, {kSampleTile, channels + 2}),
               [&](int64_t begin, int64_t end) {
                 Corner<C> corners[kSampleTile];
                 for (int64_t t = begin; t < end; ++t) {
                   const int64_t image = t / tiles, first = t % tiles * kSampleTile,
                                 n = std::min(kSampleTile, pixels - first);
                   for (int64_t i = 0; i < n; ++i) corners[i] = places.of(image, first + i);
                   for (int64_t c = image * channels; c < (image + 1) * channels; ++c) {
                     for (int64_t i = 0; i < n; ++i) {
                       C sum = 0;
                       for (int k = 0; k < 4; ++k) {
                         if (corners[i].inside >> k & 1)
                           sum += x[c * plane + corners[i].at + places.offset(k)] * corners[i].weight(k);
                       }
                       y[c * pixels + first + i] = sum;
                     }
                   }
                 }
               });
  results.store(0, out.size());
}

template <class C>
void data_backward(const C* head, const Places<C>& places, const View& grad) {
  const Shape& s = grad.shape();
  const int64_t channels = s[1], plane = s[2] * s[3], pixels = places.pixels;
  Elements<C> results(grad, grad.size());
  C* dx = results.write(0);
  std::fill(dx, dx + grad.size(), C(0));
  parallel_for(s[0] * channels, loop_grain(kSampleGrain, {pixels}), [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      for (int64_t i = 0; i < pixels; ++i) {
        const Corner<C> corner = places.of(c / channels, i);
        for (int k = 0; k < 4; ++k) {
          if (corner.inside >> k & 1)
            dx[c * plane + corner.at + places.offset(k)] += head[c * pixels + i] * corner.weight(k);
        }
      }
    }
  });
  results.store(0, grad.size());
}

template <class C>
void positions_backward(const C* head, const C* x, const Shape& s, const Places<C>& places,
                        const View& grad) {
  const int64_t channels = s[1], plane = s[2] * s[3], pixels = places.pixels;
  Elements<C> results(grad, grad.size());
  C* to = results.write(0);
  const C by_x = static_cast<C>(s[3] - 1) / 2, by_y = static_cast<C>(s[2] - 1) / 2;
  parallel_for(s[0] * pixels, loop_grain(kSampleGrain, {channels}), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t image = i / pixels, pixel = i % pixels;
      const Corner<C> corner = places.of(image, pixel);
      C dx = 0, dy = 0;
      for (int64_t c = image * channels; c < (image + 1) * channels; ++c) {
        C v[4] = {0, 0, 0, 0};
        for (int k = 0; k < 4; ++k) {
          if (corner.inside >> k & 1) v[k] = x[c * plane + corner.at + places.offset(k)];
        }
        const C h = head[c * pixels + pixel];
        dx += h * ((v[1] - v[0]) * corner.y + (v[3] - v[2]) * (1 - corner.y));
        dy += h * ((v[2] - v[0]) * corner.x + (v[3] - v[1]) * (1 - corner.x));
      }
      to[image * 2 * pixels + pixel] = dx * by_x;
      to[(image * 2 + 1) * pixels + pixel] = dy * by_y;
    }
  });
  results.store(0, grad.size());
}

Tensor at_least_scalar(const Tensor& x, double low) {
  return apply("_greater_equal_scalar", {x}, {{"scalar", low}});
}
Tensor at_most_scalar(const Tensor& x, double high) {
  return apply("_lesser_equal_scalar", {x}, {{"scalar", high}});
}

// Whole pixels of one axis, kept inside the image.
Tensor pixel_index(const Tensor& x, int64_t extent) {
  const double last = static_cast<double>(extent - 1);
  return cast_to(apply("clip", {x}, {{"a_min", 0.0}, {"a_max", last}}), DType::int64);
}

}  // namespace

void affine(const View& theta, const View& out) {
  with_compute(out.dtype, [&](auto c) { affine_of<decltype(c)>(theta, out); });
}

void affine_backward(const View& out_grad, const View& grad) {
  with_compute(grad.dtype, [&](auto c) { affine_backward_of<decltype(c)>(out_grad, grad); });
}

void base(int64_t height, int64_t width, const View& out) {
  with_compute(out.dtype, [&](auto c) { base_of<decltype(c)>(height, width, out); });
}

void sample(const View& data, const View& positions, const View& out) {
  with_compute(out.dtype, [&](auto c) { sample_of<decltype(c)>(data, positions, out); });
}

void sample_backward(const View& out_grad, const View& data, const View& positions, const View& data_grad,
                     const View& positions_grad) {
  with_compute(out_grad.dtype, [&](auto zero) {
    using C = decltype(zero);
    Elements<C> heads(out_grad, out_grad.size()), grids(positions, positions.size());
    const C* head = heads.read(0, out_grad.size());
    const Places<C> places(data.shape(), out_grad.shape(), grids.read(0, positions.size()));
    if (data_grad.data) data_backward(head, places, data_grad);
    if (!positions_grad.data) return;
    Elements<C> images(data, data.size());
    positions_backward(head, images.read(0, data.size()), data.shape(), places, positions_grad);
  });
}

SampleGrads compose_sample(const Tensor& out_grad, const Tensor& data, const Tensor& positions,
                           bool wants_data, bool wants_positions) {
  const Shape s = data->shape(), o = out_grad->shape();
  const DType dtype = data->dtype();
  if (is_half(dtype)) {  // positions in half types do not tell pixels apart
    const DType wide = DType::float32;
    SampleGrads g = compose_sample(cast_to(out_grad, wide), cast_to(data, wide), cast_to(positions, wide),
                                   wants_data, wants_positions);
    if (g.data) g.data = cast_to(g.data, dtype);
    if (g.positions) g.positions = cast_to(g.positions, dtype);
    return g;
  }
  SampleGrads g;
  if (out_grad->shape().size() == 0 || data->shape().size() == 0) {
    if (wants_data) g.data = zeros_like(data);
    if (wants_positions) g.positions = zeros_like(positions);
    return g;
  }
  const int64_t n = s[0], channels = s[1], height = s[2], width = s[3], pixels = o[2] * o[3];
  const auto channels_last = [channels, n](const Tensor& x, int64_t count) {
    return transpose_axes(reshape_to(x, {n, channels, count}), {0, 2, 1});
  };
  // (n, pixels)
  const auto axis_of = [&](int axis, int64_t extent) {
    const Tensor one = apply("slice_axis", {positions}, {{"axis", 1}, {"begin", axis}, {"end", axis + 1}});
    return (reshape_to(one, {n, pixels}) + 1.0) * (static_cast<double>(extent - 1) / 2);
  };
  const Tensor x = axis_of(0, width), y = axis_of(1, height);
  const Tensor left = apply("floor", {x}), top = apply("floor", {y});
  const Tensor head = channels_last(out_grad, pixels);
  const Tensor rows = reshape_to(channels_last(data, height * width), {n * height * width, channels});
  const Tensor image = reshape_to(
      apply("_arange", {}, {{"start", 0.0}, {"stop", static_cast<double>(n)}, {"dtype", "int64"}}), {n, 1});
  Tensor dx, dy;
  for (int k = 0; k < 4; ++k) {
    const Tensor px = left + static_cast<double>(k & 1), py = top + static_cast<double>(k >> 1);
    const Tensor inside = at_least_scalar(px, 0) * at_most_scalar(px, static_cast<double>(width - 1)) *
                          at_least_scalar(py, 0) * at_most_scalar(py, static_cast<double>(height - 1));
    const Tensor place =
        (image * static_cast<double>(height) + pixel_index(py, height)) * static_cast<double>(width) +
        pixel_index(px, width);
    const Tensor index = reshape_to(place, {1, n, pixels});
    const Tensor wx = k & 1 ? x - left : 1.0 - (x - left), wy = k >> 1 ? y - top : 1.0 - (y - top);
    if (wants_data) {
      const Tensor part =
          apply("_scatter_nd_add", {head * reshape_to(inside * wx * wy, {n, pixels, 1}), index},
                {{"shape", TupleValue({n * height * width, channels})}});
      g.data = g.data ? g.data + part : part;
    }
    if (!wants_positions) continue;
    const Tensor value = sum_axes(head * apply("gather_nd", {rows, index}), {2}, false) * inside;
    const Tensor along_x = value * wy * (k & 1 ? 1.0 : -1.0), along_y = value * wx * (k >> 1 ? 1.0 : -1.0);
    dx = dx ? dx + along_x : along_x;
    dy = dy ? dy + along_y : along_y;
  }
  if (wants_data)
    g.data = reshape_to(transpose_axes(reshape_to(g.data, {n, height * width, channels}), {0, 2, 1}), s);
  if (wants_positions) {
    dx = reshape_to(dx * (static_cast<double>(width - 1) / 2), {n, 1, o[2], o[3]});
    dy = reshape_to(dy * (static_cast<double>(height - 1) / 2), {n, 1, o[2], o[3]});
    g.positions = apply("Concat", {dx, dy}, {{"dim", 1}});
  }
  return g;
}

Tensor compose_affine(const Tensor& out_grad, const Tensor& base) {
  const Shape& s = out_grad->shape();
  const Tensor rows = reshape_to(out_grad, {s[0] * 2, s[2] * s[3]});
  return reshape_to(apply("dot", {rows, base}, {{"transpose_b", true}}), {s[0], 6});
}

double sample_cost(const Shape& data, int64_t out_pixels) {
  return 200 + static_cast<double>(data[0] * out_pixels) * (8 + 4 * static_cast<double>(data[1]));
}

}  // namespace mixgrad::ops::grid
