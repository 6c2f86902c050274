// Arrays from text files of numbers.
#pragma once

#include "io/lines.h"

namespace mixgrad::io {

// Rows of numbers parted by commas, as an array of shape (rows, columns) and dtype float32, float64, int32 or int64 on
// cpu(0). Blank lines are skipped. Blocks. Throws Status::format naming line and field.
ArrayRef parse_csv(const Text& text, int64_t columns, DType dtype);

struct LabelledRows {
  ArrayRef data;    // (rows, columns), float32; 0 where a line names no value
  ArrayRef labels;  // (rows), float32
};
// LibSVM's format: a label, then index:value pairs in any order, indices from 0; what follows a # is a comment.
LabelledRows parse_libsvm(const Text& text, int64_t columns);
// The same with data of storage type csr, the elements of a row in the order of its line.
LabelledRows parse_libsvm_csr(const Text& text, int64_t columns);

}  // namespace mixgrad::io
