// Arrays that store a part of their elements; all others are zero.
#pragma once

#include "array/array.h"

namespace mixgrad {

// What a sparse array stores, as arrays of its own. A set of parts never changes: writing a sparse array gives it another one.
struct SparseParts {
  Storage storage;
  ArrayRef values;   // row_sparse: (rows stored, shape[1], ...); csr: (elements stored)
  ArrayRef indices;  // int64; row_sparse: the rows that are stored; csr: the column of each element
  ArrayRef
      starts;  // int64, csr: of each row its first element, and after them the number of elements; else null
};

const char* name_of(Storage storage);  // "default", "row_sparse", "csr"
inline Storage storage_of(const Array& array) {
  return array.sparse() ? array.chunk().parts()->storage : Storage::dense;
}

// Of any array of shape (rows, ...), or (rows, columns) for csr. Throws Status::shape or Status::dtype where the parts do not fit
// together by their shapes and dtypes; int32 indices are converted. What the indices are is not read: check_sparse does.
ArrayRef make_sparse(const Shape& shape, SparseParts parts);
// The same with nothing stored.
ArrayRef empty_sparse(Storage storage, const Shape& shape, DType dtype, Device device);
// Waits for the indices. Throws Status::index where one lies outside of the shape, where rows of a row_sparse array do not grow
// from one to the next, or where the starts of a csr array do not ascend from 0 to the number of its elements.
void check_sparse(const Array& array);

// The indices of a csr array, waited for and checked like that.
struct CsrNumbers {
  std::vector<int64_t> starts, columns;
};
CsrNumbers read_csr(const Array& array);

// Throws Status::unsupported for a sparse array: `who` is written for dense ones.
void expect_dense(const Array& array, const char* who);

// Another array of the same parts: writing either does not change the other.
ArrayRef sparse_snapshot(const Array& array);

// The numbers of an int64 array, waited for; and an array of such.
std::vector<int64_t> read_numbers(const Array& array);
ArrayRef make_numbers(const std::vector<int64_t>& numbers, Device device);

}  // namespace mixgrad
