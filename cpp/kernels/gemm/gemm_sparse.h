// Products whose A is full of zeros, as gradients behind a ReLU are: terms with a zero of A are left out.
#pragma once

#include "kernels/gemm/gemm.h"

namespace mixgrad {

// For float32. True when the product has been computed, with its end; false, with nothing touched, when A has too few zeros or the
// product is small or of another kind. Zeros are not left out where B holds infinities or NaNs, so results are those of
// all terms, but for the sign of zeros that are added to.
bool gemm_sparse(const Gemm& g);

}  // namespace mixgrad
