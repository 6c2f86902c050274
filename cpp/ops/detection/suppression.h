// Greedy non-maximum suppression: a box stays unless it overlaps one that stays and comes before it.
#pragma once

#include <limits>

#include "ops/detection/box.h"

namespace mixgrad::ops::suppression {

template <class C>
struct Rule {
  C threshold = 0;         // on intersection over union
  bool inclusive = false;  // an overlap of just the threshold suppresses, too
  C unit = 0;              // 1: the right and the bottom name pixels that belong to the box
  int64_t most = std::numeric_limits<int64_t>::max();  // boxes of one kind after this many may go, too
};

// keep[i] becomes 1 for the boxes that stay, 0 for the others, of `n` boxes in order of preference. Boxes of different
// `kind` do not touch each other; null: all are of one. Kinds and boxes may be anything, NaN and infinities included.
// Divides over the team where the caller may open it.
void suppress(const box::Corners<float>* boxes, const float* kind, int64_t n, const Rule<float>& rule,
              uint8_t* keep);
void suppress(const box::Corners<double>* boxes, const double* kind, int64_t n, const Rule<double>& rule,
              uint8_t* keep);

}  // namespace mixgrad::ops::suppression
