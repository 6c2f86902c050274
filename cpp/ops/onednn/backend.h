#pragma once

#include "op/nn_backend.h"

namespace mixgrad::ops::onednn {

// Matrix products and convolutions by the library, once it is loaded.
const nn_backend::Backend& backend();

}  // namespace mixgrad::ops::onednn
