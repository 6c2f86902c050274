#include "files/params_file.h"

#include <algorithm>
#include <cstring>

#include "array/sparse.h"
#include "base/build.h"
#include "base/error.h"

namespace mixgrad {
namespace {

constexpr uint32_t kV1 = 0xF993FAC8, kV2 = 0xF993FAC9, kV3 = 0xF993FACA;
constexpr auto kDense = static_cast<int32_t>(Storage::dense),
               kRowSparse = static_cast<int32_t>(Storage::row_sparse),
               kCsr = static_cast<int32_t>(Storage::csr);
// The sparse arrays of a file, made dense, may take this many times its bytes, or be small, all of them together.
constexpr uint64_t kMaxSparseGrowth = 1024, kSmallDense = 1 << 24;

// One array being read; `index` names it in messages. `dense_room` is what sparse arrays may still take when dense.
class ArrayReader {
 public:
  ArrayReader(ByteSource& source, uint64_t index, Device device, SparseEntries sparse, uint64_t& dense_room)
      : source_(source), index_(index), device_(device), sparse_(sparse), dense_room_(dense_room) {}

  ArrayRef run() {
    const auto first = source_.number<uint32_t>();
    if (first == kV3 || first == kV2) return read_tagged(first == kV3);
    if (first == kV1) return read_dense(read_shape());
    return read_dense(read_old_shape(first));
  }

 private:
  template <class... Args>
  [[noreturn]] void reject(const Args&... args) const {
    fail(Status::format, "[load] array ", index_, " of ", source_.name(), ": ", args...);
  }

  int checked_ndim(int64_t ndim) const {
    if (ndim < 0 || ndim > kMaxDims) reject(ndim, " dimensions; expected 0 to ", kMaxDims);
    return static_cast<int>(ndim);
  }
  Shape read_extents(int ndim) {
    Shape shape;
    for (int i = 0; i < ndim; ++i) {
      const auto extent = source_.number<int64_t>();
      if (extent < 0) reject("negative extent ", extent);
      shape.push_back(extent);
    }
    return shape;
  }
  Shape read_shape() { return read_extents(checked_ndim(source_.number<int32_t>())); }
  Shape read_old_shape(uint32_t ndim) {
    Shape shape;
    const int n = checked_ndim(ndim);
    for (int i = 0; i < n; ++i) shape.push_back(source_.number<uint32_t>());
    return shape;
  }
  void skip_device() {
    const auto kind = source_.number<int32_t>(), id = source_.number<int32_t>();
    if (kind < 1 || kind > 6 || id < 0) reject("device kind ", kind, ", index ", id);
  }
  DType read_dtype() {
    const auto number = source_.number<int32_t>();
    if (!is_dtype(number)) reject("element type ", number, " is unknown");
    return static_cast<DType>(number);
  }
  // Bytes of a dense array, once they are known to fit.
  uint64_t bytes_of(const Shape& shape, DType dtype) const {
    try {
      check_extents(shape, size_of(dtype), "load");
    } catch (const Error&) {
      reject("shape ", shape, " overflows");
    }
    return static_cast<uint64_t>(shape.size()) * size_of(dtype);
  }
  ArrayRef read_dense_elements(const Shape& shape, DType dtype) {
    source_.expect(bytes_of(shape, dtype), "an array's elements");
    return read_elements(source_, shape, dtype, device_);
  }
  // Before V3, no dimensions mean no value.
  ArrayRef read_dense(const Shape& shape) {
    if (shape.ndim() == 0) return ArrayRef();
    skip_device();
    return read_dense_elements(shape, read_dtype());
  }

  ArrayRef read_tagged(bool numpy_shapes) {
    const auto storage = source_.number<int32_t>();
    if (kQueues && (storage == kRowSparse || storage == kCsr)) return read_sparse(storage == kRowSparse);
    if (storage != kDense) {
      reject("storage type ", storage, "; expected 0 (dense)",
             kQueues ? ", 1 (row-sparse) or 2 (CSR)" : ", which is all that this build reads");
    }
    const auto ndim = source_.number<int32_t>();
    if (ndim == -1 || (!numpy_shapes && ndim == 0)) return ArrayRef();
    const Shape shape = read_extents(checked_ndim(ndim));
    skip_device();
    return read_dense_elements(shape, read_dtype());
  }

  struct Auxiliary {
    DType dtype;
    Shape shape;
    std::vector<int64_t> values;
  };
  void read_auxiliary_values(Auxiliary& aux) {
    if (aux.shape.ndim() != 1) reject("an index array of shape ", aux.shape);
    source_.expect(bytes_of(aux.shape, aux.dtype), "an index array");
    aux.values.resize(static_cast<size_t>(aux.shape[0]));
    if (aux.dtype == DType::int64) {
      source_.read(aux.values.data(), aux.values.size() * 8);
    } else if (aux.dtype == DType::int32) {
      for (int64_t& v : aux.values) v = source_.number<int32_t>();
    } else {
      reject("indices of type ", name_of(aux.dtype));
    }
  }

  ArrayRef read_sparse(bool rows) {
    Shape stored = read_shape();
    const Shape shape = read_shape();
    skip_device();
    const DType dtype = read_dtype();
    Auxiliary aux[2];
    const int num_aux = rows ? 1 : 2;
    for (int i = 0; i < num_aux; ++i) {
      aux[i].dtype = read_dtype();
      aux[i].shape = read_shape();
    }
    if (shape.ndim() < 1 || (!rows && shape.ndim() != 2)) reject("a sparse array of shape ", shape);
    if (rows)
      stored = stored_rows(shape, stored, aux[0].shape);
    else
      stored = aux[1].shape;
    const uint64_t dense = bytes_of(shape, dtype);
    const uint64_t stored_bytes = bytes_of(stored, dtype);
    if (kTraining && sparse_ == SparseEntries::kept) {
      const ArrayRef values = read_dense_elements(stored, dtype);
      for (int i = 0; i < num_aux; ++i) read_auxiliary_values(aux[i]);
      return kept(shape, values, aux, rows);
    }
    if (dense > dense_room_) {
      reject("a sparse array of shape ", shape, " would take ", dense, " bytes when dense; expected at most ",
             dense_room_);
    }
    dense_room_ -= dense;
    source_.expect(stored_bytes, "the stored values");
    std::vector<char> values(stored_bytes);
    source_.read(values.data(), stored_bytes);
    for (int i = 0; i < num_aux; ++i) read_auxiliary_values(aux[i]);
    ArrayRef array = Array::empty(shape, dtype, device_);
    array->chunk().ensure();
    if (dense > 0) std::memset(array->host_data(), 0, dense);
    const size_t item = size_of(dtype);
    auto* const elements = static_cast<char*>(array->host_data());
    const auto copy = [&](int64_t to, int64_t from, size_t bytes) {
      if (bytes > 0)
        std::memcpy(elements + static_cast<size_t>(to) * bytes,
                    values.data() + static_cast<size_t>(from) * bytes, bytes);
    };
    if (rows) {
      const size_t row = static_cast<size_t>(shape.size(1, shape.ndim())) * item;
      for_rows(shape, aux[0].values, [&](int64_t at, int64_t k) { copy(at, k, row); });
    } else {
      for_elements(shape, aux[0].values, aux[1].values,
                   [&](int64_t r, int64_t column, int64_t k) { copy(r * shape[1] + column, k, item); });
    }
    return array;
  }

  ArrayRef kept(const Shape& shape, const ArrayRef& values, const Auxiliary* aux, bool rows) const {
    if constexpr (kTraining) {
      if (rows) {
        for_rows(shape, aux[0].values, [](int64_t, int64_t) {});
        return make_sparse(shape, {Storage::row_sparse, values, make_numbers(aux[0].values, device_), {}});
      }
      for_elements(shape, aux[0].values, aux[1].values, [](int64_t, int64_t, int64_t) {});
      return make_sparse(shape, {Storage::csr, values, make_numbers(aux[1].values, device_),
                                 make_numbers(aux[0].values, device_)});
    }
    return ArrayRef();
  }

  // The shape of the stored rows, once it is known to fit the row numbers.
  Shape stored_rows(const Shape& shape, const Shape& stored, const Shape& index) const {
    Shape expected = shape;
    expected[0] = index.size();
    // MXNet may write the shape before it has counted the rows.
    if (stored != expected && (stored.ndim() < 1 || stored[0] != 0)) {
      reject("stored rows of shape ", stored, " for row numbers of shape ", index, " of an array of shape ",
             shape);
    }
    return expected;
  }

  // Calls fn(row, place among the stored rows) for each stored row, once it is known to fit.
  template <class Fn>
  void for_rows(const Shape& shape, const std::vector<int64_t>& index, Fn fn) const {
    for (size_t k = 0; k < index.size(); ++k) {
      if (index[k] < 0 || index[k] >= shape[0])
        reject("row number ", index[k], " outside ", shape[0], " rows");
      fn(index[k], static_cast<int64_t>(k));
    }
  }

  // Calls fn(row, column, place among the stored elements) for each stored element, once they are known to fit.
  template <class Fn>
  void for_elements(const Shape& shape, const std::vector<int64_t>& starts,
                    const std::vector<int64_t>& columns, Fn fn) const {
    const auto rows = static_cast<uint64_t>(shape[0]);
    const auto count = static_cast<int64_t>(columns.size());
    if (starts.size() != rows + 1) reject(starts.size(), " row starts for ", rows, " rows");
    if (starts[0] != 0 || starts[rows] != count)
      reject("row starts from ", starts[0], " to ", starts[rows], " for ", count, " values");
    for (size_t r = 0; r < rows; ++r) {
      const int64_t begin = starts[r], end = starts[r + 1];
      if (begin < 0 || begin > end || end > count)
        reject("row ", r, " spans values ", begin, " to ", end, " of ", count);
      for (int64_t k = begin; k < end; ++k) {
        const int64_t column = columns[static_cast<size_t>(k)];
        if (column < 0 || column >= shape[1]) reject("column ", column, " outside ", shape[1], " columns");
        fn(static_cast<int64_t>(r), column, k);
      }
    }
  }

  ByteSource& source_;
  uint64_t index_;
  Device device_;
  SparseEntries sparse_;
  uint64_t& dense_room_;
};

void write_shape(ByteSink& sink, const Shape& shape) {
  sink.number<int32_t>(shape.ndim());
  for (int64_t extent : shape) sink.number<int64_t>(extent);
}
void write_elements(ByteSink& sink, const Array& array) {
  array.wait_to_read();
  if (array.bytes() > 0) sink.write(array.host_data(), array.bytes());
}

void write_array(ByteSink& sink, Array& array) {
  const std::shared_ptr<const SparseParts> parts = kTraining ? array.chunk().parts() : nullptr;
  // V2 cannot tell a single number or an empty array from no value.
  const bool numpy_shape = array.shape().ndim() == 0 || array.size() == 0;
  sink.number<uint32_t>(numpy_shape ? kV3 : kV2);
  sink.number<int32_t>(static_cast<int32_t>(storage_of(array)));
  if (parts) write_shape(sink, parts->values->shape());
  write_shape(sink, array.shape());
  sink.number<int32_t>(static_cast<int32_t>(DeviceKind::cpu));
  sink.number<int32_t>(0);
  sink.number<int32_t>(static_cast<int32_t>(array.dtype()));
  if (!parts) return write_elements(sink, array);
  const ArrayRef* const index_parts[] = {&parts->starts, &parts->indices};
  for (const ArrayRef* part : index_parts) {
    if (!*part) continue;
    sink.number<int32_t>(static_cast<int32_t>((*part)->dtype()));
    write_shape(sink, (*part)->shape());
  }
  write_elements(sink, *parts->values);
  for (const ArrayRef* part : index_parts) {
    if (*part) write_elements(sink, **part);
  }
}

}  // namespace

NamedArrays read_params(ByteSource& source, Device device, SparseEntries sparse) {
  if (source.number<uint64_t>() != kParamsMagic) {
    fail(Status::format, "[load] ", source.name(),
         " is neither a .params file, which begins with the number 0x112, nor a safetensors file");
  }
  source.number<uint64_t>();
  const auto count = source.number<uint64_t>();
  source.expect(count > source.remaining() ? count : count * 4, "the array list");
  NamedArrays out;
  uint64_t dense_room = std::max(kSmallDense, kMaxSparseGrowth * source.remaining());
  for (uint64_t i = 0; i < count; ++i)
    out.arrays.push_back(ArrayReader(source, i, device, sparse, dense_room).run());
  const auto names = source.number<uint64_t>();
  if (names != 0 && names != count) {
    fail(Status::format, "[load] ", source.name(), " has ", count, " arrays but ", names, " names");
  }
  for (uint64_t i = 0; i < names; ++i) {
    const auto length = source.number<uint64_t>();
    source.expect(length, "a name");
    std::string name(length, '\0');
    source.read(&name[0], length);
    if (!is_name(name))
      fail(Status::format, "[load] ", source.name(), ": name ", i, " is not UTF-8 or has a zero byte");
    out.names.push_back(std::move(name));
  }
  return out;
}

void write_params(ByteSink& sink, Span<Array* const> arrays, Span<const std::string> names) {
  sink.number<uint64_t>(kParamsMagic);
  sink.number<uint64_t>(0);
  sink.number<uint64_t>(arrays.size());
  for (Array* array : arrays) write_array(sink, *array);
  sink.number<uint64_t>(names.size());
  for (const std::string& name : names) {
    sink.number<uint64_t>(name.size());
    sink.write(name.data(), name.size());
  }
}

}  // namespace mixgrad
