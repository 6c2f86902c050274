#include "array/sparse.h"

#include <mutex>

#include "base/error.h"
#include "base/fork_mutex.h"

namespace mixgrad {
namespace {

[[noreturn]] void reject(const Shape& shape, const SparseParts& parts, const char* why) {
  fail(Status::shape, "[", name_of(parts.storage), "] an array of shape ", shape, " from values ",
       parts.values->shape(), ", indices ", parts.indices->shape(),
       parts.starts ? text(", row starts ", parts.starts->shape()) : std::string(), ": ", why);
}

// Indices as int64.
ArrayRef as_numbers(const ArrayRef& given, Storage storage) {
  if (given->dtype() == DType::int64) return given;
  if (given->dtype() != DType::int32) {
    fail(Status::dtype, "[", name_of(storage), "] indices of dtype ", name_of(given->dtype()),
         "; expected int64 or int32");
  }
  std::vector<int32_t> narrow(static_cast<size_t>(given->size()));
  given->copy_to_host(narrow.data());
  return make_numbers({narrow.begin(), narrow.end()}, given->device());
}

class SparseChunk final : public Chunk {
 public:
  SparseChunk(Device device, std::shared_ptr<const SparseParts> parts)
      : Chunk(device, 0), parts_(std::move(parts)) {}
  std::shared_ptr<const SparseParts> parts() const override {
    const std::lock_guard<ObjectMutex> lock(mutex_);
    return parts_;
  }
  void set_parts(std::shared_ptr<const SparseParts> parts) override {
    const std::lock_guard<ObjectMutex> lock(mutex_);
    parts_.swap(parts);  // the old ones go after the lock
  }

 private:
  mutable ObjectMutex mutex_;
  std::shared_ptr<const SparseParts> parts_;
};

ArrayRef sparse_of(const Shape& shape, std::shared_ptr<const SparseParts> parts) {
  const DType dtype = parts->values->dtype();
  const Device device = parts->values->device();
  return ArrayRef(
      new Array(Ref<Chunk>::adopt(new SparseChunk(device, std::move(parts))), 0, shape, dtype, true));
}

void check_ascending(const std::vector<int64_t>& rows, int64_t extent) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0 || rows[i] >= extent)
      fail(Status::index, "[row_sparse] index ", rows[i], " lies outside of ", extent, " rows");
    if (i > 0 && rows[i] <= rows[i - 1]) {
      fail(Status::index, "[row_sparse] index ", rows[i], " follows ", rows[i - 1],
           "; expected indices that grow");
    }
  }
}

}  // namespace

const char* name_of(Storage storage) {
  static const char* const names[] = {"default", "row_sparse", "csr"};
  return names[static_cast<size_t>(storage)];
}

ArrayRef make_sparse(const Shape& shape, SparseParts parts) {
  check_extents(shape, size_of(parts.values->dtype()), name_of(parts.storage));
  const int64_t stored = parts.indices->size();
  if (parts.indices->shape().ndim() != 1) reject(shape, parts, "expected one axis of indices");
  if (parts.storage == Storage::csr) {
    if (shape.ndim() != 2) reject(shape, parts, "expected two axes");
    if (parts.values->shape() != Shape{stored}) reject(shape, parts, "expected as many values as indices");
    if (!parts.starts || parts.starts->shape().ndim() != 1 || parts.starts->size() - 1 != shape[0])
      reject(shape, parts, "expected as many row starts as rows, and one");
    parts.starts = as_numbers(parts.starts, parts.storage);
  } else {
    Shape rows = shape;
    if (shape.ndim() < 1) reject(shape, parts, "expected at least one axis");
    rows[0] = stored;
    if (parts.values->shape() != rows) reject(shape, parts, "expected a row of values per index");
  }
  parts.indices = as_numbers(parts.indices, parts.storage);
  for (const ArrayRef& part : {parts.indices, parts.starts}) {
    if (part && part->device() != parts.values->device()) {
      fail(Status::invalid_argument, "[", name_of(parts.storage), "] values are on ",
           parts.values->device().name(), " but indices on ", part->device().name(), "; expected one device");
    }
  }
  return sparse_of(shape, std::make_shared<const SparseParts>(std::move(parts)));
}

ArrayRef empty_sparse(Storage storage, const Shape& shape, DType dtype, Device device) {
  check_extents(shape, sizeof(int64_t), name_of(storage));  // as large as row starts
  SparseParts parts{storage, {}, Array::empty({0}, DType::int64, device), {}};
  Shape values{0};
  if (storage == Storage::csr) {
    if (shape.ndim() == 2) parts.starts = Array::zeros({shape[0] + 1}, DType::int64, device);
  } else {
    for (int axis = 1; axis < shape.ndim(); ++axis) values.push_back(shape[axis]);
  }
  parts.values = Array::empty(values, dtype, device);
  return make_sparse(shape, std::move(parts));
}

CsrNumbers read_csr(const Array& array) {
  const std::shared_ptr<const SparseParts> parts = array.chunk().parts();
  CsrNumbers numbers{read_numbers(*parts->starts), read_numbers(*parts->indices)};
  const std::vector<int64_t>& starts = numbers.starts;
  const auto stored = static_cast<int64_t>(numbers.columns.size());
  for (size_t r = 0; r < starts.size(); ++r) {
    const int64_t least = r == 0 ? 0 : starts[r - 1], most = r == 0 ? 0 : stored;
    if (starts[r] < least || starts[r] > most || (r + 1 == starts.size() && starts[r] != stored)) {
      fail(Status::index, "[csr] row ", r, " starts at element ", starts[r], " of ", stored,
           "; expected starts that ascend from 0 to the number of elements");
    }
  }
  for (const int64_t column : numbers.columns) {
    if (column < 0 || column >= array.shape()[1])
      fail(Status::index, "[csr] column ", column, " lies outside of ", array.shape()[1], " columns");
  }
  return numbers;
}

void check_sparse(const Array& array) {
  const std::shared_ptr<const SparseParts> parts = array.chunk().parts();
  if (parts->storage == Storage::csr)
    read_csr(array);
  else
    check_ascending(read_numbers(*parts->indices), array.shape()[0]);
}

void expect_dense(const Array& array, const char* who) {
  if (array.sparse()) {
    fail(Status::unsupported, "[", who, "] the array is of storage type ", name_of(storage_of(array)),
         "; expected a dense one, which tostype('default') makes of it");
  }
}

ArrayRef sparse_snapshot(const Array& array) { return sparse_of(array.shape(), array.chunk().parts()); }

std::vector<int64_t> read_numbers(const Array& array) {
  std::vector<int64_t> numbers(static_cast<size_t>(array.size()));
  array.copy_to_host(numbers.data());
  return numbers;
}

ArrayRef make_numbers(const std::vector<int64_t>& numbers, Device device) {
  return Array::from_host(numbers.data(), {static_cast<int64_t>(numbers.size())}, DType::int64, device);
}

}  // namespace mixgrad
