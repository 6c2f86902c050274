// What a file of arrays holds, whatever its format.
#pragma once

#include <string>
#include <vector>

#include "array/array.h"
#include "files/byte_stream.h"

namespace mixgrad {

// Arrays in order, with one name each or none at all. An entry may be null: "no value" in old .params files.
struct NamedArrays {
  std::vector<ArrayRef> arrays;
  std::vector<std::string> names;
};

// What becomes of the sparse arrays of a file. Builds without training make them dense in any case.
enum class SparseEntries { kept, made_dense };

// An array whose elements are the next bytes of the source, which it borrows where the source lends them; the caller has checked
// that they are there. Bytes of booleans become 0 or 1.
ArrayRef read_elements(ByteSource& source, const Shape& shape, DType dtype, Device device);

// True for a name that can cross the C header: UTF-8 without a zero byte.
bool is_name(const std::string& name);

// Reads a file of any known format, recognised by its first bytes.
NamedArrays read_arrays(ByteSource& source, Device device, SparseEntries sparse);

}  // namespace mixgrad
