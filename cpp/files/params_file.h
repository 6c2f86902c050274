// MXNet's .params files. docs/params-format.md describes the bytes.
#pragma once

#include "files/named_arrays.h"

namespace mixgrad {

inline constexpr uint64_t kParamsMagic = 0x112;

// Reads all versions. Everything is placed on `device`. Never allocates more than the file's size justifies; throws
// Status::format naming the array at fault.
NamedArrays read_params(ByteSource& source, Device device, SparseEntries sparse);
// Writes the layout of MXNet 1.9.1 (V2; V3 for shapes that V2 cannot tell). Blocks until values are computed. The host can read
// the arrays, or the parts of sparse ones.
void write_params(ByteSink& sink, Span<Array* const> arrays, Span<const std::string> names);

}  // namespace mixgrad
