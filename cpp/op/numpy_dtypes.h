// Element types of operators of NumPy's namespace: what comes of arrays of several types, and which are refused.
#pragma once

namespace mixgrad {

class DTypeInfer;

// A rule. Unknown inputs take the type of the known ones.
using NumpyDTypes = void (*)(DTypeInfer&);

namespace numpy_dtypes {

void same(DTypeInfer& d);      // one type throughout, not bool
void truth(DTypeInfer& d);     // one type; the output is bool
void floats(DTypeInfer& d);    // one float type throughout
void integers(DTypeInfer& d);  // one integer type or bool throughout
void widest(DTypeInfer& d);    // floats before integers, of each the wider; bool yields to all
void widest_float(
    DTypeInfer& d);  // the same, but two different integer types, and bool, need a float beside them
void quotient(DTypeInfer& d);         // one type, or a float beside integers; integers alone give float32
void quotient_scalar(DTypeInfer& d);  // integers give float32

}  // namespace numpy_dtypes
}  // namespace mixgrad
