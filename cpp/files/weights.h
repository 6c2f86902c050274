// Weights in fewer bytes, for files: half precision, or 8 bits with a scale per filter.
#pragma once

#include <string>

#include "files/named_arrays.h"

namespace mixgrad {

enum class WeightForm : int { float32 = 0, float16 = 1, int8 = 2 };
const char* name_of(WeightForm form);
// Throws Status::invalid_argument for other names than the three.
WeightForm weight_form_named(const std::string& name);

// Arrays of float32 with at least two axes take the form; the others stay as they are, since biases and averages are few
// and need their precision. An array "w" in 8 bits is followed by "w:scale", a factor for each entry of its first axis:
// weight = factor * integer, integers from -127 to 127. Throws Status::invalid_argument where names are missing, or a
// weight is not finite. Blocks until values are computed.
NamedArrays shrink_weights(const NamedArrays& arrays, WeightForm form);

// The next three give float32 whose values are computed when somebody needs them; until then they hold on to the arrays they
// were given.

// Arrays with a "name:scale" beside them become float32, and their scales go. Throws Status::format where a scale does not fit
// its array.
NamedArrays expand_integers(NamedArrays arrays);
// An array of float32 with the values of one of float16.
ArrayRef expand_half(const ArrayRef& array);
// All forms: integers and float16.
NamedArrays expand_weights(NamedArrays arrays);

}  // namespace mixgrad
