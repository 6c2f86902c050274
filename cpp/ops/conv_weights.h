// What fused convolutions keep from run to run: weights in the order of their loops, with the BatchNorm behind them worked in.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "base/span.h"
#include "op/view.h"

namespace mixgrad::ops::conv_weights {

// Floats that outlive a call and its thread.
class Floats {
 public:
  void resize(int64_t n) {
    if (n == size_) return;
    data_.reset();
    data_.reset(static_cast<float*>(::operator new(static_cast<size_t>(n) * sizeof(float) + 64, kAlign)));
    size_ = n;
  }
  float* data() const { return data_.get(); }

 private:
  static constexpr std::align_val_t kAlign{64};
  struct Free {
    void operator()(float* p) const { ::operator delete(p, kAlign); }
  };
  std::unique_ptr<float, Free> data_;
  int64_t size_ = -1;
};

// BatchNorm multiplies each filter's sum by a factor and shifts it: weights take the factor, the bias the shift.
struct Folded {
  std::vector<float> scale, bias;  // empty: none
  const float* scale_or_null() const { return scale.empty() ? nullptr : scale.data(); }
  const float* bias_or_null() const { return bias.empty() ? nullptr : bias.data(); }
};

// `in` follows the weight: bias if there is one, then gamma, beta, moving_mean and moving_var if there is a norm.
struct Norm {
  bool has_bias, has_norm, fix_gamma;
  double eps;
  int inputs() const { return has_bias + 4 * has_norm; }
};
Folded fold(const Norm& norm, int64_t filters, Span<const View> in);

}  // namespace mixgrad::ops::conv_weights
