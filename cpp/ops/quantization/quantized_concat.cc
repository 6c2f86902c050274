// Joining 8-bit arrays of different ranges.
#include <vector>

#include "kernels/loops/region.h"
#include "ops/quantization/quantize.h"

namespace mixgrad::ops::quantized_concat {
namespace {

using quantization::FloatRange;
using quantization::needs_8_bits;
using quantization::ranges_dtype;
using quantization::ranges_shape;
using quantization::read_range;
using quantization::round_all;
using quantization::span_of;
using quantization::with_8_bits;
using quantization::write_range;

struct QuantizedConcatParams {
  int64_t num_args = 0;
  int64_t dim = 1;
  static void fields(Fields<QuantizedConcatParams>& f) {
    f.required("num_args", &QuantizedConcatParams::num_args, "Number of arrays to join; three inputs each.",
               between(1, 1 << 20))
        .add("dim", &QuantizedConcatParams::dim, "The axis along which they follow one another.");
  }
};

void quantized_concat_shape(const QuantizedConcatParams& p, ShapeInfer& s) {
  const int n = static_cast<int>(p.num_args);
  ranges_shape(s, n);
  Shape common = Shape::unknown();
  int64_t total = 0;
  bool known = true;
  for (int i = 0; i < n; ++i) {
    Shape shape = s.in(i);
    if (!shape.known_rank()) return;
    const int axis = normalize_axis(p.dim, shape.ndim(), s.name());
    known = known && shape[axis] >= 0;
    total += known ? shape[axis] : 0;
    shape[axis] = Shape::kUnknownDim;
    if (!common.known_rank()) common = shape;
    bool fits = common.ndim() == shape.ndim();
    for (int a = 0; fits && a < shape.ndim(); ++a) {
      fits = common[a] < 0 || shape[a] < 0 || common[a] == shape[a];
      if (common[a] < 0) common[a] = shape[a];
    }
    if (!fits) s.reject("arrays may differ only along dim ", p.dim);
  }
  if (known) common[normalize_axis(p.dim, common.ndim(), s.name())] = total;
  s.set_out(0, common);
}

void quantized_concat_dtype(const QuantizedConcatParams& p, DTypeInfer& d) {
  const int n = static_cast<int>(p.num_args);
  bool known = true, is_unsigned = true;
  for (int i = 0; i < n; ++i) {
    known &= needs_8_bits(d, i);
    is_unsigned &= d.in(i) == DType::uint8;
  }
  if (known) d.set_out(0, is_unsigned ? DType::uint8 : DType::int8);
  ranges_dtype(d, n);
}

void quantized_concat_kernel(const QuantizedConcatParams& p, KernelArgs& args) {
  const View& out = args.out[0];
  const auto n = static_cast<size_t>(p.num_args);
  FloatRange all = read_range(args.in[n], args.in[n + 1]);
  for (size_t i = 1; i < n; ++i) {
    const FloatRange range = read_range(args.in[n + 2 * i], args.in[n + 2 * i + 1]);
    all = {std::min(all.low, range.low), std::max(all.high, range.high)};
  }
  const int axis = normalize_axis(p.dim, out.shape().ndim(), args.name());
  int64_t begin = 0;
  for (size_t i = 0; i < n; ++i) {
    const View& in = args.in[i];
    const float from = read_range(args.in[n + 2 * i], args.in[n + 2 * i + 1]).magnitude() / span_of(in.dtype);
    const float to = all.magnitude() / span_of(out.dtype);
    const int64_t extent = in.shape()[axis];
    const auto region = axis_region(out.shape(), axis, begin, extent);
    begin += extent;
    if (in.dtype == out.dtype && !(from < to) && !(from > to)) {
      write_region(in.data, contiguous_strides(in.shape()), out, region);
      continue;
    }
    const Scratch scaled = Scratch::of<char>(in.size());
    with_8_bits(in.dtype, [&](auto in_of) {
      with_8_bits(out.dtype, [&](auto out_of) {
        round_all(in.as<decltype(in_of)>(), from / to, scaled.as<decltype(out_of)>(), in.size());
      });
    });
    write_region(scaled.data(), contiguous_strides(in.shape()), out, region);
  }
  write_range(args, 1, all);
}

const Op& quantized_concat_op =
    Define<QuantizedConcatParams>("_contrib_quantized_concat")
        .doc(
            "Joins 8-bit arrays along an axis, each brought to the range that holds all of theirs. After the "
            "arrays come their ranges: low and high of the first, low and high of the second, and so on. "
            "uint8 if all "
            "are, else int8.")
        .origin("MXNet _contrib_quantized_concat")
        .variadic("data", "The arrays, int8 or uint8, then for each two arrays (1,).", nullptr)
        .num_inputs([](const QuantizedConcatParams& p) { return static_cast<int>(3 * p.num_args); })
        .outputs({"output", "min_output", "max_output"})
        .shape(quantized_concat_shape)
        .dtype(quantized_concat_dtype)
        .kernel(quantized_concat_kernel)
        .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::quantized_concat
