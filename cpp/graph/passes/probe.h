// What follows from shapes that are known in part, for operators whose rule waits until they are known in full.
#pragma once

#include "op/op.h"

namespace mixgrad {

// Puts many numbers in the place of extents not known, asks the operator's rule with each, and keeps what all answers have in
// common: with data (?, 6), a split in two gives (?, 3). Small numbers are among those tried, so that a limit such as the end
// of a slice shows, and nothing is learned where the rule refuses all of these. Adds to `in` and `out`.
void probe_shapes(const Op& op, const void* params, Span<Shape> in, Span<Shape> out, bool open_zeros);

}  // namespace mixgrad
