// Arrays in memory that several processes have at once.
//
// The engine orders the tasks of its own process only: what another process writes is seen at some time, without any order.
#pragma once

#include "array/array.h"
#include "storage/shared_block.h"

namespace mixgrad {

// Moves the memory behind these dense arrays of the host, and with it all views of it, into one new segment; what is shared already
// stays. Blocks until the values are there; nobody else may use the arrays meanwhile. Throws Status::unsupported for sparse
// arrays, for those of cards and for memory whose address was given out.
void share_memory(Span<Array* const> arrays);
bool is_shared(const Array& array);
// Where its first element lies. Blocks until values are there; throws Status::invalid_argument where it is not shared.
SharedPlace place_in_shared_memory(const Array& array);
// An array over a piece of a segment.
ArrayRef attach_shared(int fd, size_t offset, const Shape& shape, DType dtype, Device device);

}  // namespace mixgrad
