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

// How many of n trials succeed, each with chance p in [0, 1]; n from 0 to 2^53. Work grows with the logarithm of n.
int64_t draw_binomial(ElementRandom& random, int64_t n, double p);

}  // namespace mixgrad::random_samplers
