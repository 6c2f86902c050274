// Operators for NumPy's namespace that differ from others in their dtypes alone.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>

namespace mixgrad {

class DTypeInfer;
class Op;

// What comes of arrays of several element types, and which are refused. Unknown inputs take the type of the known ones.
enum class NumpyDTypes : uint8_t {
  any,              // one type throughout
  same,             // one type throughout, not bool
  truth,            // one type; the output is bool
  floats,           // one float type throughout
  integers,         // one integer type or bool throughout
  widest,           // floats before integers, of each the wider; bool yields to all
  widest_float,     // the same, but two different integer types, and bool, need a float beside them
  quotient,         // one type, or a float beside integers; integers alone give float32
  quotient_scalar,  // integers give float32
};
void infer_numpy_dtypes(NumpyDTypes rule, DTypeInfer& d);

// An operator of that name: what it has of its own, and then all else of `op`, which is registered. Its gradients are
// computed in the output's dtype and have the inputs'.
std::unique_ptr<Op> begin_numpy_operator(const char* name, NumpyDTypes dtypes,
                                         std::initializer_list<const char*> inputs);
std::unique_ptr<Op> finish_numpy_operator(const Op& begun, const Op& op);

}  // namespace mixgrad
