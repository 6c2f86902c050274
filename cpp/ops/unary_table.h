// What the tables of unary operators share: a row of the table, and gradients in one fused loop.
#pragma once

#include <cstdio>

#include "kernel_source/kernel_text.h"
#include "launch/pointwise.h"
#include "op/define.h"

namespace mixgrad::ops {

using UnaryGrad = void (*)(const NoParams&, Grad&);

// What a gradient reads: nothing, the input or the output.
enum class Reads { nothing, input, output, both };

inline Define<>& reads(Define<>& define, Reads what) {
  if (what == Reads::nothing) define.grad_needs({}, {});
  if (what == Reads::output) define.grad_needs({}, {0});
  if (what == Reads::both) define.grad_needs({0}, {0});
  return define;
}

// A row of a table of functions of one array.
[[gnu::noinline]] inline Define<> unary_row(OpName name, Text doc, double cost, const Pointwise& loops) {
  Define<> define(name);
  char origin[64];  // no memory: see base/load.h
  std::snprintf(origin, sizeof origin, "MXNet %s", name.text);
  define.origin(origin);
  define.doc(doc).input("data", "Any array.").pointwise(loops).element_cost(cost);
  return define;
}
template <class S>
Define<> unary_op(OpName name, Text doc, double cost, S scalar) {
  return unary_row(name, doc, cost, pointwise_loops<false, NoParams>(scalar));
}
// The same for NumPy's namespace: of numbers of one type, or with truths as output.
inline Define<>& numpy_unary(Define<>& define, const char* name, NumpyDTypes dtypes = NumpyDTypes::same) {
  if constexpr (kTraining) {
    char numpy_name[64];  // no memory: see base/load.h
    std::snprintf(numpy_name, sizeof numpy_name, "_npi_%s", name);
    define.numpy(numpy_name, dtypes, {"x"});
  }
  return define;
}
// The same with integers computed as integers.
template <class S>
Define<> unary_int_op(OpName name, Text doc, S scalar) {
  return unary_row(name, doc, 0.15, pointwise_loops<true, NoParams>(scalar));
}

// The text of such a loop, listed whether or not it has run.
template <class P, class S>
struct ListedLoop {
  static const ListedKernelText text;
};
template <class P, class S>
const ListedKernelText ListedLoop<P, S>::text([] {
  const ScalarText scalar = tile::stateless<typename S::Text>()();
  return KernelText{KernelKind::pointwise, scalar.expression, S::kArity, scalar.file,
                    scalar.line,           &schema_of<P>,     nullptr};
}());

// A pointwise loop that is no operator: expression over x = output gradient, y (and z) = what else is given. Never destroyed:
// threads use it while the process ends.
template <class P, class S>
const Op& make_loop(S scalar) {
  if constexpr (!kCompact) static_cast<void>(&ListedLoop<P, S>::text);
  auto* const op = new Op;
  op->pointwise = pointwise_loops<false, P>(scalar);
  return *op;
}

// The gradient of input 0 in one loop over the output gradient and one saved array.
inline void run_gradient(const Op& loop, const void* params, const BackwardArgs& args, const View& saved) {
  if (!args.wants(0)) return;
  const View in[] = {args.out_grad[0], saved};
  run_pointwise(loop, params, in, args.in_grad[0]);
}

}  // namespace mixgrad::ops
