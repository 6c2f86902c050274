// What this build of the library holds. The library has all of it; the single file leaves parts out (tools/amalgamate.py).
#pragma once

namespace mixgrad {

// Gradients: the tape, tracing, backward kernels and the gradients of operators.
constexpr bool kTraining = MIXGRAD_TRAINING;
// What operators, their inputs and parameters say about themselves.
constexpr bool kTexts = MIXGRAD_TEXTS;
// Small before fast where little time is spent: loops over other types than float32 are compiled once, not per
// instruction set.
constexpr bool kCompact = MIXGRAD_COMPACT;

}  // namespace mixgrad
