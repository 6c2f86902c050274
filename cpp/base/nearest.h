// The hint of an error about a name: what else it may have been.
#pragma once

#include <string>

#include "base/fields.h"

namespace mixgrad {

// "; nearest: a, b, c" of the known names closest in spelling; "; there is none" of an empty list; "" when nothing is close.
std::string nearest_names(const std::string& name, const Strings& known);

}  // namespace mixgrad
