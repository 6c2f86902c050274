#include "kernels/pooling/pool_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/pooling/pool_rows.h"
#include "kernels/scratch.h"

namespace mixgrad::pool_kernel {
namespace {

constexpr int64_t kPoolGrain = 65536;  // elements looked at per thread

// The part of one window that lies inside the input, per axis.
struct WindowPart {
  int64_t begin[3], end[3];
  double share;  // avg: 1 / elements that count; else 1
};

WindowPart part_of(const PoolShape& s, int64_t od, int64_t oh, int64_t ow) {
  const int64_t place[3] = {od, oh, ow};
  WindowPart part;
  int64_t count = 1;
  for (int i = 0; i < 3; ++i) {
    const int64_t start = place[i] * s.stride[i] - s.pad[i];
    const int64_t stop = std::min(start + s.kernel[i], s.in[i] + s.pad[i]);
    part.begin[i] = std::min(std::max<int64_t>(start, 0), s.in[i]);
    part.end[i] = std::max(std::min(start + s.kernel[i], s.in[i]), part.begin[i]);
    count *= s.count_pad ? std::max<int64_t>(stop - start, 0) : part.end[i] - part.begin[i];
  }
  part.share = s.kind == Kind::avg ? (count > 0 ? 1.0 / static_cast<double>(count) : 0.0) : 1.0;
  return part;
}

template <class Visit>
void for_windows(const PoolShape& s, const Visit& visit) {
  int64_t place = 0;
  for (int64_t od = 0; od < s.out[0]; ++od) {
    for (int64_t oh = 0; oh < s.out[1]; ++oh) {
      for (int64_t ow = 0; ow < s.out[2]; ++ow) visit(part_of(s, od, oh, ow), place++);
    }
  }
}

// Calls visit(position in the image) for every element of the part, in row-major order.
template <class Visit>
void for_elements(const PoolShape& s, const WindowPart& part, const Visit& visit) {
  for (int64_t d = part.begin[0]; d < part.end[0]; ++d) {
    for (int64_t h = part.begin[1]; h < part.end[1]; ++h) {
      const int64_t row = (d * s.in[1] + h) * s.in[2];
      for (int64_t w = part.begin[2]; w < part.end[2]; ++w) visit(row + w);
    }
  }
}

template <class T>
T power_of(T x, int power) {
  return power == 1 ? x : power == 2 ? x * x : x * x * x;
}
template <class T>
T root_of(T x, int power) {
  return power == 1 ? x : power == 2 ? std::sqrt(x) : std::cbrt(x);
}

// `lanes` neighbouring channels at once: 1 for channels first, where elements of a plane lie 1 apart.
template <class T>
void pool_lanes(const PoolShape& s, const T* image, int64_t step, int64_t lanes, T* out) {
  for_windows(s, [&](const WindowPart& part, int64_t place) {
    T* o = out + place * step;
    const bool largest = s.kind == Kind::max;
    for (int64_t c = 0; c < lanes; ++c) o[c] = largest ? -std::numeric_limits<T>::infinity() : T(0);
    for_elements(s, part, [&](int64_t at) {
      const T* x = image + at * step;
      if (largest) {
        for (int64_t c = 0; c < lanes; ++c) o[c] = x[c] > o[c] ? x[c] : o[c];
      } else if (s.kind == Kind::lp) {
        for (int64_t c = 0; c < lanes; ++c) o[c] += power_of(x[c], s.power);
      } else {
        for (int64_t c = 0; c < lanes; ++c) o[c] += x[c];
      }
    });
    if (s.kind == Kind::avg) {
      for (int64_t c = 0; c < lanes; ++c) o[c] = static_cast<T>(o[c] * part.share);
    } else if (s.kind == Kind::lp) {
      for (int64_t c = 0; c < lanes; ++c) o[c] = root_of(o[c], s.power);
    }
  });
}

// The most common case, a plane under a two-dimensional max window: rows are joined first, whole rows at a time,
// then columns.
template <class T>
void max_plane(const PoolShape& s, const T* image, T* out, T* row) {
  for (int64_t oh = 0; oh < s.out[1]; ++oh) {
    const int64_t start = oh * s.stride[1] - s.pad[1];
    const int64_t top = std::max<int64_t>(start, 0), bottom = std::min(start + s.kernel[1], s.in[1]);
    std::fill_n(row, s.in[2], -std::numeric_limits<T>::infinity());
    for (int64_t h = top; h < bottom; ++h) {
      const T* x = image + h * s.in[2];
      for (int64_t w = 0; w < s.in[2]; ++w) row[w] = x[w] > row[w] ? x[w] : row[w];
    }
    for (int64_t ow = 0; ow < s.out[2]; ++ow) {
      const int64_t from = ow * s.stride[2] - s.pad[2];
      T best = -std::numeric_limits<T>::infinity();
      for (int64_t w = std::max<int64_t>(from, 0); w < std::min(from + s.kernel[2], s.in[2]); ++w) {
        best = row[w] > best ? row[w] : best;
      }
      out[oh * s.out[2] + ow] = best;
    }
  }
}

// The sum or mean of a whole plane.
template <class T>
T whole_plane(const PoolShape& s, const T* plane) {
  constexpr int64_t kParts = 16;  // sums that run side by side
  const int64_t n = s.in_size();
  T sum[kParts] = {}, total = 0;
  int64_t i = 0;
  for (; i + kParts <= n; i += kParts) {
    for (int64_t p = 0; p < kParts; ++p) sum[p] += plane[i + p];
  }
  for (; i < n; ++i) total += plane[i];
  for (int64_t p = 0; p < kParts; ++p) total += sum[p];
  return s.kind == Kind::avg ? total / static_cast<T>(n) : total;
}

bool takes_whole_planes(const PoolShape& s) {
  bool whole = (s.kind == Kind::avg || s.kind == Kind::sum) && !s.channels_last && s.in_size() > 0;
  for (int i = 0; i < 3; ++i) whole = whole && s.kernel[i] == s.in[i] && s.pad[i] == 0 && s.out[i] == 1;
  return whole;
}

template <class T>
void spread_lanes(const PoolShape& s, const T* image, const T* out, const T* out_grad, int64_t step,
                  int64_t lanes, T* grad) {
  for_windows(s, [&](const WindowPart& part, int64_t place) {
    const T* g = out_grad + place * step;
    if (s.kind == Kind::max) {
      const T* o = out + place * step;
      for (int64_t c = 0; c < lanes; ++c) {
        int64_t hit = -1;
        for_elements(s, part, [&](int64_t at) {
          if (hit < 0 && image[at * step + c] == o[c]) hit = at;
        });
        if (hit >= 0) grad[hit * step + c] += g[c];
      }
      return;
    }
    for_elements(s, part, [&](int64_t at) {
      T* d = grad + at * step;
      if (s.kind == Kind::lp && s.power > 1) {
        const T *x = image + at * step, *o = out + place * step;
        for (int64_t c = 0; c < lanes; ++c) {
          const T slope = o[c] == 0 ? T(0) : power_of(x[c] / o[c], s.power - 1);
          d[c] += g[c] * slope;
        }
      } else {
        for (int64_t c = 0; c < lanes; ++c) d[c] += static_cast<T>(g[c] * part.share);
      }
    });
  });
}

// Calls run(first element of data, of out, distance of positions, lanes) for planes or, channels last, images.
template <class Run>
void for_planes(const PoolShape& s, const Run& run) {
  const bool last = s.channels_last;
  const int64_t count = last ? s.batch : s.batch * s.channels, lanes = last ? s.channels : 1;
  const int64_t window = s.kernel[0] * s.kernel[1] * s.kernel[2];
  const int64_t work = std::max<int64_t>(1, (s.in_size() + s.out_size() * window) * lanes);
  parallel_for(count, loop_grain(kPoolGrain, {work}), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) run(i * lanes * s.in_size(), i * lanes * s.out_size(), lanes);
  });
}

template <class T>
void forward_typed(const PoolShape& s, const T* data, T* out) {
  const bool rows =
      s.kind == Kind::max && !s.channels_last && s.in[0] == 1 && s.kernel[0] == 1 && s.out[0] == 1;
  const bool whole = takes_whole_planes(s);
  for_planes(s, [&](int64_t from, int64_t to, int64_t lanes) {
    if (whole) {
      out[to] = whole_plane(s, data + from);
    } else if (rows) {
      const Scratch workspace = Scratch::of<T>(s.in[2]);
      max_plane(s, data + from, out + to, workspace.as<T>());
    } else {
      pool_lanes(s, data + from, lanes, lanes, out + to);
    }
  });
}

template <class T>
void backward_typed(const PoolShape& s, const T* data, const T* out, const T* out_grad, T* grad) {
  for_planes(s, [&](int64_t from, int64_t to, int64_t lanes) {
    std::fill_n(grad + from, lanes * s.in_size(), T(0));
    spread_lanes(s, data ? data + from : nullptr, out ? out + to : nullptr, out_grad + to, lanes, lanes,
                 grad + from);
  });
}

// Float copies of half arrays.
Scratch widened(DType dtype, const void* data, int64_t n) {
  Scratch workspace = Scratch::of<float>(n);
  convert(data, dtype, workspace.data(), DType::float32, n);
  return workspace;
}

template <class T>
void largest_typed(const PoolShape& s, const T* data, int64_t* places) {
  for_planes(s, [&](int64_t from, int64_t to, int64_t lanes) {
    for_windows(s, [&](const WindowPart& part, int64_t place) {
      for (int64_t c = 0; c < lanes; ++c) {
        T best = -std::numeric_limits<T>::infinity();
        int64_t& found = places[to + place * lanes + c];
        found = -1;  // of a window of -inf it is the first
        for_elements(s, part, [&](int64_t at) {
          const T x = data[from + at * lanes + c];
          if (x > best) best = x, found = at;
          if (found < 0) found = at;
        });
        found = std::max<int64_t>(found, 0);
      }
    });
  });
}

}  // namespace

void forward(DType dtype, const PoolShape& s, const void* data, void* out) {
  if (is_wide(dtype)) return forward_typed(s, static_cast<const double*>(data), static_cast<double*>(out));
  if (dtype == DType::float32) {
    if (pool_rows::serves(s))
      return pool_rows::forward(s, static_cast<const float*>(data), static_cast<float*>(out));
    return forward_typed(s, static_cast<const float*>(data), static_cast<float*>(out));
  }
  const int64_t planes = s.batch * s.channels;
  const Scratch x = widened(dtype, data, planes * s.in_size()), y = Scratch::of<float>(planes * s.out_size());
  forward_typed<float>(s, x.as<float>(), y.as<float>());
  convert(y.data(), DType::float32, out, dtype, planes * s.out_size());
}

void backward(DType dtype, const PoolShape& s, const void* data, const void* out, const void* out_grad,
              void* grad) {
  if (is_wide(dtype)) {
    return backward_typed(s, static_cast<const double*>(data), static_cast<const double*>(out),
                          static_cast<const double*>(out_grad), static_cast<double*>(grad));
  }
  if (dtype == DType::float32) {
    return backward_typed(s, static_cast<const float*>(data), static_cast<const float*>(out),
                          static_cast<const float*>(out_grad), static_cast<float*>(grad));
  }
  const int64_t planes = s.batch * s.channels, in = planes * s.in_size(), result = planes * s.out_size();
  const Scratch x = data ? widened(dtype, data, in) : Scratch(),
                y = out ? widened(dtype, out, result) : Scratch(), g = widened(dtype, out_grad, result);
  const Scratch d = Scratch::of<float>(in);
  backward_typed<float>(s, x.as<float>(), y.as<float>(), g.as<float>(), d.as<float>());
  convert(d.data(), DType::float32, grad, dtype, in);
}

void largest(DType dtype, const PoolShape& s, const void* data, int64_t* places) {
  if (is_wide(dtype)) return largest_typed(s, static_cast<const double*>(data), places);
  if (dtype == DType::float32) return largest_typed(s, static_cast<const float*>(data), places);
  const Scratch x = widened(dtype, data, s.batch * s.channels * s.in_size());
  largest_typed(s, x.as<float>(), places);
}

}  // namespace mixgrad::pool_kernel
