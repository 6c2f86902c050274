// Calls on arrays of which some are sparse, or which may give sparse arrays.
#pragma once

#include "array/sparse.h"
#include "op/op.h"

namespace mixgrad::sparse {

// Called for every call with a sparse input or output and for operators that may make sparse arrays of dense ones. An operator with
// a rule for these storage types (rule.h) follows it. Any other gets dense copies of its sparse inputs, which a warning says once
// per operator; sparse outputs that were given get what it computes. False: nothing here is sparse, and nothing was done.
bool invoke(const Op& op, const ParamsRef& params, Span<Array* const> in, Span<ArrayRef> out);

// The same elements stored otherwise; the array itself where it is stored so already. Recorded where the array is on the tape.
ArrayRef to_storage(Array& array, Storage storage);
// dst = src, where either is sparse; each keeps its storage type. Shapes are equal.
void assign(Array& src, Array& dst);
// The rows of a row_sparse array that `rows`, integers in any order, names; rows that it does not store are not among them.
ArrayRef retain_rows(Array& array, const std::vector<int64_t>& rows);
// The same of a dense or row_sparse array, as a row_sparse one that stores exactly those rows.
ArrayRef pick_rows(Array& array, const std::vector<int64_t>& rows);
// An array that stores every row, those not stored until now as zeros: what is returned are its rows, which may be written and
// which no other array has.
ArrayRef all_rows(Array& array);
// Integers of an array of any dtype and storage type.
std::vector<int64_t> integers_of(const ArrayRef& array);

}  // namespace mixgrad::sparse
