// Padding, and folding a padded gradient back.
#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/region.h"
#include "op/define.h"

namespace mixgrad::ops::pad {
namespace {

constexpr int64_t kMostPadding = int64_t{1} << 40;

enum class PadMode : int32_t { constant, edge, reflect };

struct PadParams {
  PadMode mode = PadMode::constant;
  Shape pad_width;
  double constant_value = 0;
  static void fields(Fields<PadParams>& f) {
    f.choice("mode", &PadParams::mode, {"constant", "edge", "reflect"},
             "What the margin holds: one value, the nearest element, or a mirror image without the edge.",
             true)
        .required("pad_width", &PadParams::pad_width, "Two margins per axis: before and after.")
        .add("constant_value", &PadParams::constant_value, "The value of mode 'constant'.");
  }
};

Shape padded_shape(const PadParams& p, const Shape& from, const char* who) {
  if (p.pad_width.ndim() != 2 * from.ndim()) {
    fail(Status::shape, "[", who, "] pad_width ", p.pad_width, " for shape ", from,
         "; expected two numbers per axis");
  }
  Shape to = from;
  for (int a = 0; a < from.ndim(); ++a) {
    const int64_t before = p.pad_width[2 * a], after = p.pad_width[2 * a + 1];
    const int64_t most = std::max(before, after);
    if (before < 0 || after < 0 || most > kMostPadding ||
        (p.mode == PadMode::edge && most > 0 && from[a] == 0) ||
        (p.mode == PadMode::reflect && most > 0 && most >= from[a])) {
      fail(Status::shape, "[", who, "] margins ", before, " and ", after, " on axis ", a, " of shape ", from,
           "; expected 0 or more, and for 'reflect' less than the extent");
    }
    to[a] += before + after;
  }
  return to;
}

// For each axis, the source index of every output index; -1 in a margin of mode constant.
std::vector<std::vector<int64_t>> pad_sources(const PadParams& p, const Shape& from) {
  std::vector<std::vector<int64_t>> sources;
  for (int a = 0; a < from.ndim(); ++a) {
    const int64_t before = p.pad_width[2 * a], after = p.pad_width[2 * a + 1], n = from[a];
    std::vector<int64_t> source;
    for (int64_t i = -before; i < n + after; ++i) {
      const bool inside = i >= 0 && i < n;
      if (inside)
        source.push_back(i);
      else if (p.mode == PadMode::constant)
        source.push_back(-1);
      else if (p.mode == PadMode::edge)
        source.push_back(i < 0 ? 0 : n - 1);
      else
        source.push_back(i < 0 ? -i : 2 * (n - 1) - i);
    }
    sources.push_back(std::move(source));
  }
  return sources;
}

// Offset of the source row of a padded row (all axes but the last), or -1 when it lies in a constant margin.
int64_t source_row(const std::vector<std::vector<int64_t>>& sources, const Shape& from, const Shape& to,
                   int64_t row) {
  int64_t offset = 0, stride = from.back();
  for (int a = to.ndim() - 2; a >= 0; --a) {
    const int64_t i = sources[static_cast<size_t>(a)][static_cast<size_t>(row % to[a])];
    if (i < 0) return -1;
    offset += i * stride;
    stride *= from[a];
    row /= to[a];
  }
  return offset;
}

template <class T>
void pad_rows(const PadParams& p, const View& in, const View& out) {
  const Shape &from = in.shape(), &to = out.shape();
  const auto sources = pad_sources(p, from);
  const std::vector<int64_t>& last = sources.back();
  const int64_t before = p.pad_width[p.pad_width.ndim() - 2], n = from.back(), width = to.back();
  T value{};
  convert(&p.constant_value, DType::float64, &value, out.dtype, 1);
  parallel_for(to.size(0, to.ndim() - 1), loop_grain(32768, {width}), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      T* dst = out.as<T>() + row * width;
      const int64_t offset = source_row(sources, from, to, row);
      if (offset < 0) {
        std::fill_n(dst, width, value);
        continue;
      }
      const T* src = in.as<T>() + offset;
      const auto margin = [&](int64_t first, int64_t end_of_margin) {
        for (int64_t i = first; i < end_of_margin; ++i) {
          const int64_t source = last[static_cast<size_t>(i)];
          dst[i] = source < 0 ? value : src[source];
        }
      };
      margin(0, before);
      std::copy_n(src, n, dst + before);
      margin(before + n, width);
    }
  });
}

void pad_kernel(const PadParams& p, KernelArgs& args) {
  const View &in = args.in[0], &out = args.out[0];
  if (out.size() == 0) return;
  if (in.shape().ndim() == 0) return copy_elements(in, out);
  switch (size_of(in.dtype)) {
    case 1: return pad_rows<uint8_t>(p, in, out);
    case 2: return pad_rows<uint16_t>(p, in, out);
    case 4: return pad_rows<uint32_t>(p, in, out);
    default: return pad_rows<uint64_t>(p, in, out);
  }
}

// Adds every padded element onto its source. Leading axes without margins are independent and divide over cores;
// within one of their cells elements are added in order, so the result does not depend on the threads.
template <class T>
void fold_rows(const PadParams& p, const T* grad, const Shape& to, T* out, const Shape& from) {
  const auto sources = pad_sources(p, from);
  const std::vector<int64_t>& last = sources.back();
  int free_axes = 0;
  while (free_axes < from.ndim() - 1 && from[free_axes] == to[free_axes]) ++free_axes;
  const int64_t rows = to.size(free_axes, to.ndim() - 1), width = to.back();
  std::fill_n(out, from.size(), T(0));
  parallel_for(from.size(0, free_axes), loop_grain(16384, {rows, width}), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin * rows; row < end * rows; ++row) {
      const int64_t offset = source_row(sources, from, to, row);
      if (offset < 0) continue;
      T* dst = out + offset;
      for (int64_t i = 0; i < width; ++i) {
        const int64_t source = last[static_cast<size_t>(i)];
        if (source >= 0) dst[source] += grad[row * width + i];
      }
    }
  });
}

Shape unpadded_shape(const PadParams& p, const Shape& to, const char* who) {
  if (p.pad_width.ndim() != 2 * to.ndim()) {
    fail(Status::shape, "[", who, "] pad_width ", p.pad_width, " for shape ", to,
         "; expected two numbers per axis");
  }
  Shape from = to;
  for (int a = 0; a < to.ndim(); ++a) {
    const int64_t before = p.pad_width[2 * a], after = p.pad_width[2 * a + 1];
    if (before < 0 || after < 0 || before > to[a] || after > to[a] - before) {
      fail(Status::shape, "[", who, "] margins ", p.pad_width, " for shape ", to,
           "; expected 0 or more, and together no more than the extent");
    }
    from[a] -= before + after;
  }
  padded_shape(p, from, who);
  return from;
}

void fold_kernel(const PadParams& p, KernelArgs& args) {
  const View &in = args.in[0], &out = args.out[0];
  if (out.size() == 0) return;
  if (in.shape().ndim() == 0) return copy_elements(in, out);
  if (in.dtype == DType::float64) {
    return fold_rows(p, in.as<double>(), in.shape(), out.as<double>(), out.shape());
  }
  if (in.dtype == DType::float32)
    return fold_rows(p, in.as<float>(), in.shape(), out.as<float>(), out.shape());
  std::vector<float> grad(static_cast<size_t>(in.size())), sum(static_cast<size_t>(out.size()));
  convert(in.data, in.dtype, grad.data(), DType::float32, in.size());
  fold_rows(p, grad.data(), in.shape(), sum.data(), out.shape());
  convert(sum.data(), DType::float32, out.data, out.dtype, out.size());
}

Tensor apply_pad(const char* op, const Tensor& x, const PadParams& p) {
  static const char* const names[] = {"constant", "edge", "reflect"};
  return apply(op, {x}, {{"mode", names[static_cast<int>(p.mode)]}, {"pad_width", TupleValue(p.pad_width)}});
}

const Op& pad =
    Define<PadParams>("Pad")
        .alias("pad")
        .doc("Adds margins around an array of any rank.")
        .origin("MXNet Pad")
        .input("data", "Any array.")
        .shape([](const PadParams& p, ShapeInfer& s) {
          if (s.known(0)) s.set_out(0, padded_shape(p, s.in(0), s.name()));
        })
        .kernel(pad_kernel)
        .grad_needs({}, {})
        .grad([](const PadParams& p, Grad& g) { g.set(0, apply_pad("_pad_fold", g.out_grad(), p)); });

[[maybe_unused]] const GradientOp& fold =
    DefineForGradients<PadParams>("_pad_fold")
        .doc(
            "Adds every element of a padded array onto the element it was copied from and drops "
            "the margins of mode "
            "'constant': the gradient of Pad.")
        .input("data", "A padded array.")
        .shape([](const PadParams& p, ShapeInfer& s) {
          if (s.known(0)) s.set_out(0, unpadded_shape(p, s.in(0), s.name()));
        })
        .kernel(fold_kernel)
        .grad_needs({}, {})
        .grad([](const PadParams& p, Grad& g) { g.set(0, apply_pad("Pad", g.out_grad(), p)); });

}  // namespace
}  // namespace mixgrad::ops::pad
