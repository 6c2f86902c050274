// What this build of the library holds. The library has all of it; the single file leaves parts out (tools/amalgamate.py).
#pragma once

namespace mixgrad {

// Gradients: the tape, tracing, backward kernels and the gradients of operators.
constexpr bool kTraining = MIXGRAD_TRAINING;
// What a table holds of functions for gradients alone: null where there are none.
template <class F>
constexpr F in_training(F f) {
  return kTraining ? f : nullptr;
}
// What operators, their inputs and parameters say about themselves.
constexpr bool kTexts = MIXGRAD_TEXTS;
// Small before fast where little time is spent: loops over other types than float32 are compiled once, not per
// instruction set.
constexpr bool kCompact = MIXGRAD_COMPACT;
// Predictions and nothing else: no allocations that fail on demand, no memory shared between processes.
constexpr bool kPredictOnly = kCompact && !kTraining;
// Convolution by Winograd's tiles, for windows of 3x3 in steps of one; and by channels, one group for each.
constexpr bool kConvWinograd = MIXGRAD_WINOGRAD;
constexpr bool kConvDepthwise = MIXGRAD_DEPTHWISE;
constexpr bool kConvDepthwise5 = MIXGRAD_DEPTHWISE_5;  // loops for windows of five columns, too
// Convolution by products of matrices of gathered windows, for groups, three axes and channels last; else what no fused
// convolution serves is computed one sum at a time.
constexpr bool kConvProduct = MIXGRAD_PRODUCT;
// Innermost loops of convolutions for every number of pixels, else of two heights, which products use, too; and loops that
// are no products for each instruction set, else for the least, and of what is no arithmetic in double alone.
constexpr bool kAllLoops = MIXGRAD_ALL_LOOPS;
// Activations of convolutions that are no clamps, by loops over vectors; else one number at a time.
constexpr bool kCurves = MIXGRAD_CURVES;
// Means and variances of what predictions are made from.
constexpr bool kStatistics = kTraining || MIXGRAD_STATISTICS;
// Beside dense .params: sparse arrays in them, safetensors files, packed models, and weights kept as integers.
constexpr bool kAllFiles = MIXGRAD_ALL_FILES;
// Tasks wait in queues for threads, each under the locks of what it uses, and memory in pools for its next use. Else, for
// programs that are done with one call before the next, a task runs where it is pushed and memory goes to the system.
constexpr bool kQueues = MIXGRAD_QUEUES;
// Arrays of one executor on several devices: the predict functions, which are all that a file cut to networks has, put
// everything on one.
constexpr bool kSeveralDevices = kAllFiles;
// Networks inside of operators: control flow.
constexpr bool kSubgraphs = MIXGRAD_SUBGRAPHS;
// Symbols are looked at or written again (subgraphs are): attributes of their nodes that predictions do not follow, and
// parameters as they were written.
constexpr bool kSymbolsShown = kAllFiles || kSubgraphs;
// What does nothing for layers of convolutional networks: the passes common, fold and pointwise, and inference from shapes
// that are known in part. Without them no pass can be switched off.
constexpr bool kAllPasses = MIXGRAD_ALL_PASSES;

}  // namespace mixgrad

// Has the function it stands in keep a frame pointer: the tables that say how to leave it need not follow every push
// then, and what it keeps on its stack has shorter addresses. For functions that put words on the stack for others.
#if MIXGRAD_COMPACT && defined(__clang__) && defined(__x86_64__)
#define MIXGRAD_FRAME asm volatile("" : : "m"(*static_cast<const char*>(__builtin_frame_address(0))))
#else
#define MIXGRAD_FRAME static_cast<void>(0)
#endif
