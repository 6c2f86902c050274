#include "ops/conv_weights.h"

#include <cmath>

namespace mixgrad::ops::conv_weights {

Folded fold(const Norm& norm, int64_t filters, Span<const View> in) {
  const size_t n = static_cast<size_t>(filters);
  Folded folded;
  const float* given = norm.has_bias ? in[0].as<float>() : nullptr;
  if (given) folded.bias.assign(given, given + n);
  if (!norm.has_norm) return folded;
  const size_t at = norm.has_bias ? 1 : 0;
  const float *gamma = in[at].as<float>(), *beta = in[at + 1].as<float>(), *mean = in[at + 2].as<float>(),
              *variance = in[at + 3].as<float>();
  folded.scale.resize(n);
  folded.bias.resize(n);
  for (size_t i = 0; i < n; ++i) {
    const double factor =
        (norm.fix_gamma ? 1.0 : gamma[i]) / std::sqrt(static_cast<double>(variance[i]) + norm.eps);
    const double sum = given ? given[i] : 0.0;
    folded.scale[i] = static_cast<float>(factor);
    folded.bias[i] = static_cast<float>((sum - static_cast<double>(mean[i])) * factor + beta[i]);
  }
  return folded;
}

}  // namespace mixgrad::ops::conv_weights
