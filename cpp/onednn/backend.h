#pragma once

#include "kernels/backend/nn_backend.h"

namespace mixgrad::onednn {

// Matrix products and convolutions by the library, once it is loaded.
const nn_backend::Backend& backend();

}  // namespace mixgrad::onednn
