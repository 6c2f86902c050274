// What a layer of 8-bit arrays does with its sums before it stores them.
#pragma once

#include <memory>
#include <vector>

#include "kernels/convolution/conv_int8.h"
#include "ops/quantization/quantize.h"

namespace mixgrad::ops::quantized_block {

enum class Act { none, relu, clip };
inline constexpr const char* kActNames[] = {"none", "relu", "clip"};

struct BlockParams {
  Act act = Act::none, sum_act = Act::none;
  float act_low = 0, act_high = 6;
  bool with_sum = false, enable_float_output = false;
  std::optional<float> min_calib_range, max_calib_range;
  template <class P>
  static Fields<P>& add_to(Fields<P>& f) {
    return f.choice("act", static_cast<Act P::*>(&P::act), kActNames, "What follows the bias.")
        .choice("sum_act", static_cast<Act P::*>(&P::sum_act), kActNames, "What follows the sum.")
        .add("act_low", &P::act_low, "Lower end of clip.")
        .add("act_high", &P::act_high, "Upper end of clip.")
        .add("with_sum", &P::with_sum, "Another array of the output's shape is added.")
        .add("enable_float_output", &P::enable_float_output, "The only output is float32.")
        .add("min_calib_range", &P::min_calib_range, "Smallest value of the output, which then has 8 bits.")
        .add("max_calib_range", &P::max_calib_range, "Largest value of the output, which then has 8 bits.");
  }
};

DType out_dtype(const BlockParams& p);
inline int num_block_outputs(const BlockParams& p) { return p.enable_float_output ? 1 : 3; }

// The operands of one call; factor, bias, sum and ranges may be null.
struct BlockCall {
  const View *data, *weight, *factor = nullptr, *bias = nullptr, *sum = nullptr;
  quantization::FloatRange data_range;
  std::optional<quantization::FloatRange> weight_range, bias_range, sum_range;  // of 8-bit ones
  const View* out;
};

// 8-bit weights, as loops take them, and how sums become steps of the output, or values where it is a float: (sum + bias) *
// scale, per unit.
class BlockWeights {
 public:
  // `units` is the first extent of weight. Float weights are rounded, per unit if the output's range is known or `each`, else
  // all alike.
  BlockWeights(const BlockParams& p, const BlockCall& call, const void* weight, bool each);
  // Those of an earlier run of the graph, if nothing that they are made of has changed.
  static std::shared_ptr<const BlockWeights> of(const BlockParams& p, const BlockCall& call,
                                                const KernelArgs& args, bool each);
  const int16_t* weight() const { return widened_.data(); }
  // Runs of sums become elements of the output, whose units are `area` apart. Points into both.
  struct Finish {
    const BlockParams* params;
    const BlockCall* call;
    const int32_t* bias;
    const float* scale;
    int64_t units, area;
    float to_out, sum_step;  // steps of the output of one value, and of one step of the sum
  };
  Finish finish(const BlockParams& p, const BlockCall& call, int64_t area) const;
  // Range of the output.
  quantization::FloatRange range(const BlockParams& p) const;

 private:
  std::vector<int16_t> widened_;
  std::vector<float> scale_;
  std::vector<int32_t> bias_;
  float to_out_ = 1;  // steps of the output of one value
  float whole_ = 0;   // magnitude of an int32 output
};

// For conv_int8: `with` is a BlockWeights::Finish. Of products, units are columns.
void store_planes(const void* with, int64_t image, int64_t filter, int64_t first, const int32_t* sums,
                  int64_t n);
void store_rows(const void* with, int64_t row, int64_t, int64_t first, const int32_t* sums, int64_t n);

}  // namespace mixgrad::ops::quantized_block
