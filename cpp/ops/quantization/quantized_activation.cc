// Activation and flattening of 8-bit arrays, which keep their range.
#include <cstring>

#include "ops/quantization/quantize.h"

namespace mixgrad::ops::quantized_activation {
namespace {

using quantization::needs_8_bits;
using quantization::ranges_dtype;
using quantization::ranges_shape;
using quantization::read_range;
using quantization::write_range;

enum class ActType { relu, sigmoid, softrelu, softsign, tanh };
struct ActParams {
  ActType act_type = ActType::relu;
  static void fields(Fields<ActParams>& f) {
    f.choice("act_type", &ActParams::act_type, {"relu", "sigmoid", "softrelu", "softsign", "tanh"},
             "Which activation; 8-bit arrays have relu.", true);
  }
};

void act_kernel(const ActParams&, KernelArgs& args) {
  const View &data = args.in[0], &out = args.out[0];
  if (data.dtype == DType::uint8) {
    if (out.bytes() > 0) std::memcpy(out.data, data.data, out.bytes());
  } else {
    const auto* x = data.as<int8_t>();
    auto* y = out.as<int8_t>();
    for (int64_t i = 0; i < out.size(); ++i) y[i] = std::max(x[i], int8_t(0));
  }
  write_range(args, 1, read_range(args.in[1], args.in[2]));
}

void flatten_kernel(const NoParams&, KernelArgs& args) {
  if (args.out[0].bytes() > 0) std::memcpy(args.out[0].data, args.in[0].data, args.out[0].bytes());
  write_range(args, 1, read_range(args.in[1], args.in[2]));
}

void keeps_dtype(DTypeInfer& d) {
  if (needs_8_bits(d, 0)) d.set_out(0, d.in(0));
  ranges_dtype(d, 1);
}

const Op& quantized_act = Define<ActParams>("_contrib_quantized_act")
                              .doc("max(data, 0) of an 8-bit array. The range stays.")
                              .origin("MXNet _contrib_quantized_act")
                              .input("data", "int8 or uint8 of any shape.")
                              .input("min_data", "(1,): smallest value of data.")
                              .input("max_data", "(1,): largest value of data.")
                              .outputs({"output", "min_output", "max_output"})
                              .shape([](const ActParams& p, ShapeInfer& s) {
                                if (p.act_type != ActType::relu)
                                  s.reject("8-bit arrays have the activation relu; expected act_type relu");
                                s.set_in(0, s.out(0));
                                s.set_out(0, s.in(0));
                                ranges_shape(s, 1);
                              })
                              .dtype([](const ActParams&, DTypeInfer& d) { keeps_dtype(d); })
                              .kernel(act_kernel)
                              .no_gradient();

const Op& quantized_flatten = Define<>("_contrib_quantized_flatten")
                                  .doc("An 8-bit array as a matrix with one row per sample. The range stays.")
                                  .origin("MXNet _contrib_quantized_flatten")
                                  .input("data", "int8 or uint8; the first axis counts samples.")
                                  .input("min_data", "(1,): smallest value of data.")
                                  .input("max_data", "(1,): largest value of data.")
                                  .outputs({"output", "min_output", "max_output"})
                                  .shape([](const NoParams&, ShapeInfer& s) {
                                    ranges_shape(s, 1);
                                    Shape tail = s.in(0);
                                    if (!tail.known_rank()) return;
                                    if (tail.ndim() == 0) s.reject("data needs at least one axis");
                                    const int64_t rows = tail[0];
                                    tail.erase(0);
                                    s.set_out(0, {rows, tail.known() ? tail.size() : Shape::kUnknownDim});
                                  })
                                  .dtype([](const NoParams&, DTypeInfer& d) { keeps_dtype(d); })
                                  .kernel(flatten_kernel)
                                  .no_gradient();

}  // namespace
}  // namespace mixgrad::ops::quantized_activation
