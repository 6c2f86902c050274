// Calling an operator on arrays: inference, outputs, the push to the engine, and the record on the tape.
#pragma once

#include "array/array.h"
#include "exec/imperative/mode.h"
#include "op/op.h"

namespace mixgrad {

// `out` has one entry per output of the operator; null entries are made, given ones are overwritten (shapes and dtypes
// must fit). Inputs live on one device; operators without inputs make their outputs on mode().device.
// `client`: this is the whole of a client's call, which may wait and run a garbage collector before it begins.
void invoke(const Op& op, const ParamsRef& params, Span<Array* const> in, Span<ArrayRef> out,
            bool client = false);
// The same for dense arrays, with dense results also where the operator could make others.
void invoke_dense(const Op& op, const ParamsRef& params, Span<Array* const> in, Span<ArrayRef> out,
                  bool client = false);

// An array over the same memory with another shape, keeping its place on the tape.
ArrayRef reshape_view(Array& array, const Shape& shape);
// The same memory, not on the tape.
ArrayRef detached_view(Array& array);
// Rows [begin, end) of the leading axis over the same memory; while recording, a recorded copy.
ArrayRef slice_rows(Array& array, int64_t begin, int64_t end);

// A given output under recording must be one whose history can be replaced. Throws Status::autograd where it is not.
void check_recorded_write(const Op& op, const Array& out);

// dst = src, across devices and dtypes; shapes equal. Recorded when both are on one device.
void copy_array(Array& src, Array& dst);
// A new array of zeros.
ArrayRef zeros_of(const Shape& shape, DType dtype, Device device);

// The builder that applies operators to arrays at once.
Builder& imperative_builder();

}  // namespace mixgrad
