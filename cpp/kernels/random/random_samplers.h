// Distributions that are sampled by rejection, one element at a time, in double.
#pragma once

#include "kernels/random/random_fill.h"

namespace mixgrad::random_samplers {

using random_fill::ElementRun;

// Parameters outside their range give NaN.
void sample_gamma(const ElementRun& run, double alpha, double beta, double* out);
void sample_poisson(const ElementRun& run, double lam, double, double* out);
void sample_negative_binomial(const ElementRun& run, double k, double p, double* out);
void sample_generalized_negative_binomial(const ElementRun& run, double mu, double alpha, double* out);

}  // namespace mixgrad::random_samplers
