// Pictures with a border around them.
#include <cstring>

#include "op/define.h"
#include "ops/image/image_pixels.h"

namespace mixgrad::ops::image_border {
namespace {

constexpr int32_t kMostMargin = 1 << 30;
// OpenCV's "isolated" bit: whole pictures have no pixels outside that it could leave out.
constexpr int32_t kIsolated = 16;

enum class Border : int32_t { constant, replicate, reflect, wrap, reflect_101 };

struct Params {
  int32_t top = 0, bot = 0, left = 0, right = 0, type = 0;
  double value = 0;
  Reals values;
  static void fields(Fields<Params>& f) {
    f.required("top", &Params::top, "Rows above the picture.", between(0, kMostMargin))
        .required("bot", &Params::bot, "Rows below the picture.", between(0, kMostMargin))
        .required("left", &Params::left, "Columns left of the picture.", between(0, kMostMargin))
        .required("right", &Params::right, "Columns right of the picture.", between(0, kMostMargin))
        .add("type", &Params::type,
             "0: a colour, 1: aaa|abc|ccc (the last pixel), 2: cba|abc|cba, 3: abc|abc|abc, 4: cb|abc|ba; "
             "plus 16 "
             "means the same.",
             between(0, kIsolated + 4))
        .add("value", &Params::value,
             "The number in every channel of the colour but the fourth of four, which is 0.")
        .add("values", &Params::values, "The colour, one number per channel; channels without one are 0.");
  }
  Border border() const { return static_cast<Border>(type % kIsolated); }
};

void infer_shape(const Params& p, ShapeInfer& s) {
  if (p.type > 4 && p.type < kIsolated) s.reject("type is ", p.type, "; expected 0 to 4, or 16 more");
  image_pixels::check_picture(s, false);
  if (!s.in(0).known_rank()) return;
  Shape out = s.in(0);
  if (p.border() != Border::constant && (out[0] == 0 || out[1] == 0))
    s.reject("a picture without pixels has none to repeat; expected type 0");
  if (out[0] >= 0) out[0] += int64_t{p.top} + p.bot;
  if (out[1] >= 0) out[1] += int64_t{p.left} + p.right;
  s.set_out(0, out);
}

// The input's position of each output's along one axis; -1 lies outside. Extents are at least 1 but for constant borders.
std::vector<int64_t> sources(Border border, int64_t before, int64_t extent, int64_t after) {
  std::vector<int64_t> from;
  from.reserve(static_cast<size_t>(before + extent + after));
  const auto within = [](int64_t i, int64_t period) { return (i % period + period) % period; };
  const auto mirrored = [&](int64_t i, int64_t period) {
    const int64_t at = within(i, period);
    return at < extent ? at : period - at;
  };
  for (int64_t i = -before; i < extent + after; ++i) {
    if (i >= 0 && i < extent) {
      from.push_back(i);
      continue;
    }
    switch (border) {
      case Border::constant: from.push_back(-1); break;
      case Border::replicate: from.push_back(i < 0 ? 0 : extent - 1); break;
      case Border::wrap: from.push_back(within(i, extent)); break;
      case Border::reflect:
        from.push_back(std::min(within(i, 2 * extent), 2 * extent - 1 - within(i, 2 * extent)));
        break;
      case Border::reflect_101: from.push_back(extent == 1 ? 0 : mirrored(i, 2 * extent - 2)); break;
    }
  }
  return from;
}

// One pixel of the border's colour in the picture's dtype; integers are rounded and saturate.
std::vector<char> colour(const Params& p, const View& out) {
  const auto channels = static_cast<size_t>(out.shape()[2]);
  std::vector<double> numbers(channels, 0);
  const image_pixels::Bounds<double> bounds(out.dtype);
  for (size_t c = 0; c < channels; ++c) {
    const bool opacity = channels == 4 && c == 3;
    double number = p.values.empty() ? (opacity ? 0 : p.value) : (c < p.values.size() ? p.values[c] : 0);
    if (!is_float(out.dtype)) number = bounds(std::nearbyint(number));
    numbers[c] = number;
  }
  std::vector<char> pixel(channels * size_of(out.dtype));
  convert(numbers.data(), DType::float64, pixel.data(), out.dtype, static_cast<int64_t>(channels));
  return pixel;
}

void put_border(const Params& p, const View& in, const View& out) {
  if (out.size() == 0) return;
  const Shape &from = in.shape(), &to = out.shape();
  const std::vector<int64_t> rows = sources(p.border(), p.top, from[0], p.bot),
                             columns = sources(p.border(), p.left, from[1], p.right);
  const std::vector<char> fill = colour(p, out);
  const size_t pixel = fill.size(), row = static_cast<size_t>(from[1]) * pixel;
  const auto left = static_cast<size_t>(p.left), middle = left + static_cast<size_t>(from[1]);
  char* y = out.as<char>();
  for (const int64_t source : rows) {
    const char* x = source < 0 ? nullptr : in.as<char>() + static_cast<size_t>(source) * row;
    for (size_t w = 0; w < static_cast<size_t>(to[1]); ++w) {
      if (x && w == left && row > 0) {
        std::memcpy(y, x, row);
        y += row;
        w = middle - 1;
        continue;
      }
      const bool outside = !x || columns[w] < 0;
      std::memcpy(y, outside ? fill.data() : x + static_cast<size_t>(columns[w]) * pixel, pixel);
      y += pixel;
    }
  }
}

// Each pixel's gradient is the sum of those of its copies.
void gather_gradient(const Params& p, const View& out_grad, const View& in_grad) {
  if (in_grad.size() == 0) return;
  const Shape &from = in_grad.shape(), &to = out_grad.shape();
  const std::vector<int64_t> rows = sources(p.border(), p.top, from[0], p.bot),
                             columns = sources(p.border(), p.left, from[1], p.right);
  const int64_t channels = from[2], row = to[1] * channels;
  ScratchArray<double> sums(static_cast<size_t>(in_grad.size()), 0.0);
  Elements<double> heads(out_grad, row);
  for (size_t h = 0; h < rows.size(); ++h) {
    if (rows[h] < 0) continue;
    const double* head = heads.read(static_cast<int64_t>(h) * row, row);
    double* sum = sums.data() + rows[h] * from[1] * channels;
    for (size_t w = 0; w < columns.size(); ++w, head += channels) {
      if (columns[w] < 0) continue;
      for (int64_t c = 0; c < channels; ++c) sum[columns[w] * channels + c] += head[c];
    }
  }
  convert(sums.data(), DType::float64, in_grad.data, in_grad.dtype, in_grad.size());
}

const Op& border =
    Define<Params>("_cvcopyMakeBorder")
        .doc("A picture with a border: of one colour, or of its own pixels again.")
        .origin("MXNet _cvcopyMakeBorder")
        .input("src", "(height, width, channels), any dtype.")
        .shape(infer_shape)
        .kernel([](const Params& p, KernelArgs& args) { put_border(p, args.in[0], args.out[0]); })
        .element_cost(0.5)
        .grad_needs({}, {})
        .backward([](const Params& p, BackwardArgs& args) {
          if (args.wants(0)) gather_gradient(p, args.out_grad[0], args.in_grad[0]);
        });

}  // namespace
}  // namespace mixgrad::ops::image_border
