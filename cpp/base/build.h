// What this build of the library holds. The library has all of it; the single file leaves parts out (tools/amalgamate.py).
#pragma once

#include <type_traits>

namespace mixgrad {

// Gradients: the tape, tracing, backward kernels and the gradients of operators.
constexpr bool kTraining = MIXGRAD_TRAINING;
// What operators, their inputs and parameters say about themselves.
constexpr bool kTexts = MIXGRAD_TEXTS;
// Stands for an argument that a build has no use for: takes anything and keeps nothing of it.
struct Ignored {
  template <class T>
  constexpr Ignored(const T&) {}
  constexpr explicit operator bool() const { return false; }
};
using Text = std::conditional_t<kTexts, const char*, Ignored>;
// Small before fast where little time is spent: loops over other types than float32 are compiled once, not per
// instruction set.
constexpr bool kCompact = MIXGRAD_COMPACT;
// Tasks wait in queues for threads, each under the locks of what it uses, and memory in pools for its next use. Else, for
// MXNet's predict functions alone, a task runs where it is pushed, on one device, and memory goes to the system; files are
// dense .params.
constexpr bool kQueues = MIXGRAD_QUEUES;

}  // namespace mixgrad
