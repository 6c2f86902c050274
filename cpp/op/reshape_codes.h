// MXNet's reshape codes.
#pragma once

#include "base/shape.h"

namespace mixgrad {

// The shape that `codes` ask of an array of shape `from`: an extent > 0 as it is, 0 copies the extent at its place, -1 is
// inferred, -2 copies all that remain, -3 merges two, -4 splits one into the next two codes (one may be -1). `reverse`
// matches from the right. Throws Status::shape naming `who`. Source: MXNet's Reshape.
Shape resolve_reshape(const Shape& from, const Shape& codes, bool reverse, const char* who);

}  // namespace mixgrad
