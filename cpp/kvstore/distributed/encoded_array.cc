#include "kvstore/distributed/encoded_array.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "array/sparse.h"
#include "base/error.h"
#include "kvstore/compression/codec.h"
#include "kvstore/reduce.h"
#include "net/shared_arena.h"

namespace mixgrad::kvstore {
namespace {

using protocol::Encoding;
using protocol::Format;

Format dense_format_of(const Array& array) {
  Format format;
  format.dtype = static_cast<uint8_t>(array.dtype());
  format.elements = static_cast<uint64_t>(array.size());
  return format;
}

size_t row_bytes(const Shape& shape, DType dtype) {
  return static_cast<size_t>(shape.size(1, shape.ndim())) * size_of(dtype);
}

const int64_t* numbers_in(const protocol::Value& value) {
  return static_cast<const int64_t*>(value.payload.data);
}

// From one to the next, and inside. Bytes that may lie anywhere are aligned for every number (net/message.h).
bool are_rows(const int64_t* rows, uint64_t count, int64_t extent) {
  for (uint64_t i = 0; i < count; ++i) {
    if (rows[i] < (i ? rows[i - 1] + 1 : 0) || rows[i] >= extent) return false;
  }
  return true;
}

ArrayRef wrapped(const net::Payload& payload, size_t at, size_t bytes, const Shape& shape, DType dtype) {
  const Ref<Chunk> chunk = Chunk::make(Device::cpu(), bytes);
  if (bytes > 0) {
    void* const data = const_cast<char*>(static_cast<const char*>(payload.data)) + at;
    // `payload` is kept by the function, and let go with it.
    chunk->hold(storage::wrap(Device::cpu(), data, bytes, [payload] { static_cast<void>(payload); }));
  }
  return Array::make(chunk, 0, shape, dtype);
}

protocol::Value encoded_sparse(const Array& array) {
  const std::shared_ptr<const SparseParts> parts = array.chunk().parts();
  const std::vector<int64_t> rows = read_numbers(*parts->indices);
  protocol::Value value;
  value.format = dense_format_of(array);
  value.format.encoding = Encoding::rows;
  value.format.count = rows.size();
  const size_t head = rows.size() * sizeof(int64_t), bytes = parts->values->bytes();
  const std::shared_ptr<uint64_t[]> words(new uint64_t[(head + bytes + 7) / 8 + 1]);
  char* const at = reinterpret_cast<char*>(words.get());
  if (head > 0) std::memcpy(at, rows.data(), head);
  if (bytes > 0) parts->values->copy_to_host(at + head);
  value.payload = net::Payload(at, head + bytes, words);
  return value;
}

}  // namespace

protocol::Value encoded_part(const ArrayRef& dense, uint64_t first, uint64_t count) {
  dense->wait_to_read();
  protocol::Value value;
  value.format = dense_format_of(*dense);
  value.format.elements = count;
  const size_t size = size_of(dense->dtype());
  if (count == 0) return value;
  const char* const data = static_cast<const char*>(dense->host_data()) + first * size;
  value.payload = net::Payload(data, count * size, std::make_shared<const ArrayRef>(dense));
  return value;
}

protocol::Value encoded_array(const ArrayRef& array) {
  return array->sparse() ? encoded_sparse(*array)
                         : encoded_part(array, 0, static_cast<uint64_t>(array->size()));
}

std::string wrong_with(const protocol::Value& value, const Shape& shape, DType dtype, Form form) {
  const Format& format = value.format;
  const auto elements = static_cast<uint64_t>(shape.size());
  if (format.dtype != static_cast<uint8_t>(dtype) || format.elements != elements) {
    const auto given = static_cast<DType>(static_cast<int8_t>(format.dtype));
    return text("got ", format.elements, " elements of ",
                is_dtype(static_cast<int8_t>(format.dtype)) ? name_of(given) : "an unknown dtype",
                "; expected ", elements, " of ", name_of(dtype));
  }
  if (format.encoding == Encoding::dense) {
    if (value.payload.bytes == elements * size_of(dtype)) return "";
    return text("got ", value.payload.bytes, " bytes; expected ", elements * size_of(dtype));
  }
  if (form == Form::update && is_compressed(format.encoding))
    return wrong_with_compressed(format, value.payload.data, value.payload.bytes);
  if (format.encoding != Encoding::rows)
    return text("got encoding ", static_cast<int>(format.encoding), "; expected dense values or rows");
  if (shape.ndim() < 1) return "got rows of a value that has none";
  const auto extent = static_cast<uint64_t>(shape[0]);
  if (format.count > extent) return text("got ", format.count, " rows; expected at most ", extent);
  const uint64_t bytes = format.count * (sizeof(int64_t) + row_bytes(shape, dtype));
  if (value.payload.bytes != bytes) return text("got ", value.payload.bytes, " bytes; expected ", bytes);
  if (!are_rows(numbers_in(value), format.count, shape[0]))
    return "got row numbers that do not grow from one to the next within the value";
  return "";
}

ArrayRef decoded_array(const protocol::Value& value, const Shape& shape, DType dtype) {
  if (value.format.encoding == Encoding::dense)
    return wrapped(value.payload, 0, value.payload.bytes, shape, dtype);
  if (is_compressed(value.format.encoding)) {
    const ArrayRef array = Array::zeros(shape, dtype, Device::cpu());
    decompress(value.format, value.payload.data, static_cast<float*>(array->host_data()));
    return array;
  }
  const auto count = static_cast<int64_t>(value.format.count);
  const size_t head = value.format.count * sizeof(int64_t);
  Shape rows = shape;
  rows[0] = count;
  SparseParts parts;
  parts.storage = Storage::row_sparse;
  parts.indices = wrapped(value.payload, 0, head, Shape({count}), DType::int64);
  parts.values = wrapped(value.payload, head, value.payload.bytes - head, rows, dtype);
  return make_sparse(shape, std::move(parts));
}

ArrayRef sendable_array(const Shape& shape, DType dtype) {
  const size_t bytes = static_cast<size_t>(shape.size()) * size_of(dtype);
  if (bytes >= net::kSmallestShared) {
    const storage::Block block = net::shared_block(bytes);
    if (block.data) return Array::make(Chunk::wrap(block), 0, shape, dtype);
  }
  return Array::empty(shape, dtype, Device::cpu());
}

protocol::Value encoded_rows(const std::vector<int64_t>& rows) {
  protocol::Value value;
  value.format.encoding = Encoding::rows;
  value.format.count = rows.size();
  value.payload = net::Payload::copy_of(rows.data(), rows.size() * sizeof(int64_t));
  return value;
}

bool decoded_rows(const protocol::Value& value, int64_t extent, std::vector<int64_t>& rows) {
  const uint64_t count = value.format.count;
  if (count > static_cast<uint64_t>(extent) || value.payload.bytes != count * sizeof(int64_t)) return false;
  if (!are_rows(numbers_in(value), count, extent)) return false;
  rows.assign(numbers_in(value), numbers_in(value) + count);
  return true;
}

}  // namespace mixgrad::kvstore
