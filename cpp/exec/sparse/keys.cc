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

std::vector<int64_t> csr_keys(const Array& array, const SparseParts& parts) {
  const std::vector<int64_t> starts = read_numbers(*parts.starts);
  std::vector<int64_t> keys = read_numbers(*parts.indices);
  const auto stored = static_cast<int64_t>(keys.size());
  const int64_t columns = array.shape()[1];
  if (starts.front() != 0 || starts.back() != stored) check_sparse(array);
  for (size_t r = 0; r + 1 < starts.size(); ++r) {
    if (starts[r] > starts[r + 1] || starts[r + 1] > stored) check_sparse(array);
    for (int64_t k = starts[r]; k < starts[r + 1]; ++k) {
      int64_t& key = keys[static_cast<size_t>(k)];
      if (key < 0 || key >= columns) fail_outside(array, key);
      key += static_cast<int64_t>(r) * columns;
    }
  }
  return keys;
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
  const SparseParts& parts = *array.chunk().parts();
  Keys result;
  if (parts.storage == Storage::csr) {
    result.keys = csr_keys(array, parts);
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
  if (array->dtype() == DType::int64) return read_numbers(*array);
  return read_numbers(*call("Cast", {array}, {{"dtype", "int64"}}));
}

}  // namespace mixgrad::sparse
