// The activation at the end of fused operators: parameters that they share.
#pragma once

#include "kernels/convolution/conv_plan.h"
#include "op/define.h"

namespace mixgrad::ops::fused_epilogue {

struct EpilogueParams {
  ConvActivation activation = ConvActivation::none;
  float low = 0, high = 0;
};

inline constexpr const char* kActivations[] = {"none",         "clamp", "leaky",      "sigmoid",
                                               "hard_sigmoid", "silu",  "hard_swish", "tanh"};

template <class P>
void add_fields(Fields<P>& f) {
  f.choice("activation", static_cast<ConvActivation P::*>(&P::activation), kActivations,
           "What is applied to every element at the end.")
      .add("low", static_cast<float P::*>(&P::low),
           "Lower bound of clamp; slope of leaky; slope of hard_sigmoid.")
      .add("high", static_cast<float P::*>(&P::high), "Upper bound of clamp; hard_sigmoid's value at 0.");
}

inline ConvEpilogue epilogue_of(const EpilogueParams& p) {
  ConvEpilogue end;
  end.activation = p.activation;
  end.low = p.low;
  end.high = p.high;
  return end;
}

}  // namespace mixgrad::ops::fused_epilogue
