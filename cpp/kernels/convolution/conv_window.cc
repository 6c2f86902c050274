#include "kernels/convolution/conv_window.h"

#include <algorithm>
#include <cstring>

namespace mixgrad::conv_window {
namespace {

using nn_backend::ConvShape;

// Where along the innermost axis, for output columns [first, last), a window offset stays inside the input.
struct Inside {
  int64_t begin, end;
};

Inside inside_row(const ConvShape& s, int64_t offset, int64_t first, int64_t last) {
  const int64_t step = s.stride[2], limit = s.in[2] - 1 - offset;
  const int64_t begin = offset >= 0 ? 0 : (-offset + step - 1) / step;
  const int64_t end = limit < 0 ? 0 : limit / step + 1;
  const int64_t from = std::min(std::max(begin, first), last);
  return {from, std::min(std::max(end, from), last)};
}

// Calls row(kernel index, output depth, output height, first column, last column, offset in positions) for every run
// of positions that lies in one output row, with the input row's index or -1 when it lies in the padding.
template <class Row>
void for_rows(const ConvShape& s, Positions at, const Row& row) {
  for (int64_t p = at.begin; p < at.end;) {
    const int64_t line = p / s.out[2], first = p % s.out[2];
    const int64_t last = std::min(s.out[2], first + at.end - p);
    row(line / s.out[1], line % s.out[1], first, last, p - at.begin);
    p += last - first;
  }
}

int64_t input_line(const ConvShape& s, int64_t kd, int64_t kh, int64_t od, int64_t oh) {
  const int64_t d = od * s.stride[0] + kd * s.dilate[0] - s.pad[0];
  const int64_t h = oh * s.stride[1] + kh * s.dilate[1] - s.pad[1];
  return d < 0 || d >= s.in[0] || h < 0 || h >= s.in[1] ? -1 : d * s.in[1] + h;
}

template <class T, bool kScatter>
void move_planes(const ConvShape& s, T* image, int64_t channels, Positions at, T* columns) {
  for (int64_t c = 0; c < channels; ++c, image += s.in_size()) {
    for (int64_t k = 0; k < s.kernel_size(); ++k, columns += at.size()) {
      const int64_t kw = k % s.kernel[2], kh = k / s.kernel[2] % s.kernel[1],
                    kd = k / s.kernel[2] / s.kernel[1];
      const int64_t offset = kw * s.dilate[2] - s.pad[2], step = s.stride[2];
      for_rows(s, at, [&](int64_t od, int64_t oh, int64_t first, int64_t last, int64_t place) {
        T* to = columns + place - first;  // so that to[column] is right
        const int64_t line = input_line(s, kd, kh, od, oh);
        const Inside in = inside_row(s, offset, first, last);
        if (line < 0 || in.end <= in.begin) {
          if (!kScatter) std::fill(to + first, to + last, T(0));
          return;
        }
        T* from = image + line * s.in[2] + offset;
        if (kScatter) {
          for (int64_t w = in.begin; w < in.end; ++w) from[w * step] += to[w];
          return;
        }
        std::fill(to + first, to + in.begin, T(0));
        if (step == 1) {
          std::memcpy(to + in.begin, from + in.begin, static_cast<size_t>(in.end - in.begin) * sizeof(T));
        } else {
          for (int64_t w = in.begin; w < in.end; ++w) to[w] = from[w * step];
        }
        std::fill(to + in.end, to + last, T(0));
      });
    }
  }
}

template <class T, bool kScatter>
void move_pixels(const ConvShape& s, T* image, int64_t channels, Positions at, T* rows) {
  for (int64_t p = at.begin; p < at.end; ++p) {
    const int64_t ow = p % s.out[2], oh = p / s.out[2] % s.out[1], od = p / s.out[2] / s.out[1];
    for (int64_t k = 0; k < s.kernel_size(); ++k, rows += channels) {
      const int64_t kw = k % s.kernel[2], kh = k / s.kernel[2] % s.kernel[1],
                    kd = k / s.kernel[2] / s.kernel[1];
      const int64_t line = input_line(s, kd, kh, od, oh), w = ow * s.stride[2] + kw * s.dilate[2] - s.pad[2];
      if (line < 0 || w < 0 || w >= s.in[2]) {
        if (!kScatter) std::fill(rows, rows + channels, T(0));
        continue;
      }
      T* pixel = image + (line * s.in[2] + w) * s.channels;
      if (kScatter) {
        for (int64_t c = 0; c < channels; ++c) pixel[c] += rows[c];
      } else {
        std::memcpy(rows, pixel, static_cast<size_t>(channels) * sizeof(T));
      }
    }
  }
}

}  // namespace

template <class T>
void gather_planes(const ConvShape& s, const T* image, int64_t channels, Positions at, T* columns) {
  move_planes<T, false>(s, const_cast<T*>(image), channels, at, columns);
}
template <class T>
void scatter_planes(const ConvShape& s, const T* columns, int64_t channels, Positions at, T* image) {
  move_planes<T, true>(s, image, channels, at, const_cast<T*>(columns));
}
template <class T>
void gather_pixels(const ConvShape& s, const T* image, int64_t channels, Positions at, T* rows) {
  move_pixels<T, false>(s, const_cast<T*>(image), channels, at, rows);
}
template <class T>
void scatter_pixels(const ConvShape& s, const T* rows, int64_t channels, Positions at, T* image) {
  move_pixels<T, true>(s, image, channels, at, const_cast<T*>(rows));
}

template void gather_planes<float>(const ConvShape&, const float*, int64_t, Positions, float*);
template void gather_planes<double>(const ConvShape&, const double*, int64_t, Positions, double*);
template void scatter_planes<float>(const ConvShape&, const float*, int64_t, Positions, float*);
template void scatter_planes<double>(const ConvShape&, const double*, int64_t, Positions, double*);
template void gather_pixels<float>(const ConvShape&, const float*, int64_t, Positions, float*);
template void gather_pixels<double>(const ConvShape&, const double*, int64_t, Positions, double*);
template void scatter_pixels<float>(const ConvShape&, const float*, int64_t, Positions, float*);
template void scatter_pixels<double>(const ConvShape&, const double*, int64_t, Positions, double*);

}  // namespace mixgrad::conv_window
