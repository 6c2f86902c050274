// What the tables of operators on two arrays share: a row, which is a broadcasting operator and its equal-shape twin.
#pragma once

#include "kernels/math/math_exp.h"
#include "op/define.h"

namespace mixgrad::ops {

// The names of one row of the table: a broadcasting operator and its equal-shape twin.
struct BinaryNames {
  OpName broadcast;
  std::initializer_list<const char*> broadcast_aliases;
  OpName elemwise;
  std::initializer_list<const char*> elemwise_aliases;
  const char* numpy = nullptr;  // the broadcasting operator in NumPy's namespace
  NumpyDTypes numpy_dtypes = NumpyDTypes::any;
  std::initializer_list<const char*> numpy_inputs = {};  // its names of inputs, if others
};

// What the gradient reads.
enum class Needs { nothing, inputs };

[[gnu::noinline]] inline void add_pair(const BinaryNames& names, Text doc, const Pointwise& loops,
                                       define::GradFn<NoParams> grad, Needs needs) {
  for (const bool broadcasts : {true, false}) {
    Define<> define(broadcasts ? names.broadcast : names.elemwise);
    for (const char* alias : broadcasts ? names.broadcast_aliases : names.elemwise_aliases) {
      define.alias(alias);
    }
    define.doc(doc)
        .origin("MXNet elemwise_binary_op and elemwise_binary_broadcast_op")
        .input("lhs", "First operand.")
        .input("rhs", broadcasts ? "Second operand; shapes broadcast as in NumPy."
                                 : "Second operand, of the same shape.")
        .pointwise(loops);
    if (broadcasts) define.broadcasts();
    if (broadcasts && names.numpy) define.numpy(names.numpy, names.numpy_dtypes, names.numpy_inputs);
    if (grad)
      define.grad(grad);
    else
      define.no_gradient();
    if (needs == Needs::nothing) define.grad_needs({}, {});
    define.done();
  }
}

template <class S>
void add_binary(const BinaryNames& names, Text doc, S scalar, define::GradFn<NoParams> grad = nullptr,
                Needs needs = Needs::inputs) {
  add_pair(names, doc, pointwise_loops<true, NoParams>(scalar), grad, needs);
}

// Sets gradient i, summed over the axes that were broadcast.
inline void set_reduced(Grad& g, int i, const Tensor& gradient) { g.set(i, sum_to(gradient, g.in_shape(i))); }

}  // namespace mixgrad::ops
