// Arrays as the payloads of messages, and back, without a copy where they are dense.
#pragma once

#include <string>
#include <vector>

#include "array/array.h"
#include "kvstore/protocol/value.h"

namespace mixgrad::kvstore {

// The array's bytes, or some of its elements. Waits for its values, which nobody may change any more. On the host; dense or
// row_sparse (whole).
protocol::Value encoded_array(const ArrayRef& array);
protocol::Value encoded_part(const ArrayRef& dense, uint64_t first, uint64_t count);

// What is wrong with a value for a tensor of this shape and dtype, or an empty text. Looks at sizes and row numbers. Updates may be
// compressed, what is stored and pulled never is.
enum class Form { stored, update };
std::string wrong_with(const protocol::Value& value, const Shape& shape, DType dtype,
                       Form form = Form::stored);
// An array over the payload, which is kept, or of its own where the value is compressed; nobody may write it. Of a value that nothing
// is wrong with.
ArrayRef decoded_array(const protocol::Value& value, const Shape& shape, DType dtype);

// A dense array on the host, without values, for what is sent: in memory that processes of this machine share where it is large, so
// that it is sent to them without a copy.
ArrayRef sendable_array(const Shape& shape, DType dtype);

// Numbers of rows, grown from one to the next, as a request for them.
protocol::Value encoded_rows(const std::vector<int64_t>& rows);
// False where they make no sense for so many rows.
bool decoded_rows(const protocol::Value& value, int64_t extent, std::vector<int64_t>& rows);

}  // namespace mixgrad::kvstore
