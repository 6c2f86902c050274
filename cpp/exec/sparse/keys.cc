// Which elements sparse arrays store, and moving their values accordingly.
#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "exec/imperative/invoke.h"
#include "exec/sparse/rule.h"

namespace mixgrad::sparse {
namespace {

[[noreturn]] void fail_outside(const Array& array, int64_t index) {
  fail(Status::index, "[", name_of(storage_of(array)), "] index ", index, " lies outside of shape ",
       array.shape());
}

std::vector<int64_t> csr_keys(const Array& array) {
  CsrNumbers numbers = read_csr(array);
  for (size_t r = 0; r + 1 < numbers.starts.size(); ++r) {
    for (int64_t k = numbers.starts[r]; k < numbers.starts[r + 1]; ++k)
      numbers.columns[static_cast<size_t>(k)] += static_cast<int64_t>(r) * array.shape()[1];
  }
  return std::move(numbers.columns);
}

}  // namespace

ArrayRef call(const char* op, std::initializer_list<ArrayRef> inputs,
              std::initializer_list<NamedValue> params, ArrayRef out) {
  const Op& found = find_op(op);
  std::vector<Array*> in;
  for (const ArrayRef& input : inputs) in.push_back(input.get());
  mixgrad::invoke(found, make_params(found, Span<const NamedValue>(params.begin(), params.size())), in,
                  Span<ArrayRef>(&out, 1));
  return out;
}

Keys keys_of(const Array& array) {
  const std::shared_ptr<const SparseParts> held = array.chunk().parts();
  const SparseParts& parts = *held;
  Keys result;
  if (parts.storage == Storage::csr) {
    result.keys = csr_keys(array);
  } else {
    result.keys = read_numbers(*parts.indices);
    for (const int64_t row : result.keys) {
      if (row < 0 || row >= array.shape()[0]) fail_outside(array, row);
    }
  }
  std::vector<int64_t>& keys = result.keys;
  if (std::is_sorted(keys.begin(), keys.end())) return result;
  result.order.resize(keys.size());
  std::iota(result.order.begin(), result.order.end(), 0);
  std::sort(result.order.begin(), result.order.end(), [&](int64_t a, int64_t b) {
    return keys[static_cast<size_t>(a)] < keys[static_cast<size_t>(b)];
  });
  std::vector<int64_t> sorted;
  for (const int64_t at : result.order) sorted.push_back(keys[static_cast<size_t>(at)]);
  keys = std::move(sorted);
  return result;
}

ArrayRef from_keys(Storage storage, const Shape& shape, const std::vector<int64_t>& keys, ArrayRef values) {
  const Device device = values->device();
  if (keys.empty()) return empty_sparse(storage, shape, values->dtype(), device);
  if (storage == Storage::row_sparse)
    return make_sparse(shape, {storage, std::move(values), make_numbers(keys, device), {}});
  std::vector<int64_t> columns, starts(static_cast<size_t>(shape[0]) + 1, 0);
  for (const int64_t key : keys) {
    columns.push_back(key % shape[1]);
    ++starts[static_cast<size_t>(key / shape[1]) + 1];
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  return make_sparse(
      shape, {storage, std::move(values), make_numbers(columns, device), make_numbers(starts, device)});
}

ArrayRef take_items(const ArrayRef& items, const std::vector<int64_t>& numbers) {
  return call("take", {items, make_numbers(numbers, items->device())});
}

ArrayRef place_items(const ArrayRef& items, const ArrayRef& numbers, int64_t count) {
  Shape shape = items->shape();
  shape[0] = count;
  const TupleValue extents(shape), axes(Shape{0});
  return call("_index_place", {items, numbers},
              {{"axes", axes}, {"mode", "raise"}, {"shape", extents}, {"num_args", 2}});
}

ArrayRef place_items(const ArrayRef& items, const std::vector<int64_t>& numbers, int64_t count) {
  return place_items(items, make_numbers(numbers, items->device()), count);
}

ArrayRef with_values(const Array& like, ArrayRef values) {
  SparseParts parts = *like.chunk().parts();
  parts.values = std::move(values);
  return make_sparse(like.shape(), std::move(parts));
}

ArrayRef sum_rows(const ArrayRef& values, const std::vector<int64_t>& rows, const Shape& shape) {
  std::vector<int64_t> kept = rows;
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  std::vector<int64_t> places;
  for (const int64_t row : rows)
    places.push_back(std::lower_bound(kept.begin(), kept.end(), row) - kept.begin());
  return from_keys(Storage::row_sparse, shape, kept,
                   place_items(values, places, static_cast<int64_t>(kept.size())));
}

std::vector<int64_t> integers_of(const ArrayRef& array) {
  const ArrayRef dense = to_storage(*array, Storage::dense);
  if (dense->dtype() == DType::int64) return read_numbers(*dense);
  return read_numbers(*call("Cast", {dense}, {{"dtype", "int64"}}));
}

}  // namespace mixgrad::sparse
