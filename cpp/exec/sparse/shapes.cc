// Parts of csr matrices, and several of them as one: slice, take, Concat.
#include <algorithm>

#include "base/error.h"
#include "exec/imperative/invoke.h"
#include "exec/sparse/rule.h"

namespace mixgrad::sparse {
namespace {

std::optional<Storage> if_csr(const SparseCall& call) {
  if (call.stored(0, Storage::csr)) return Storage::csr;
  return std::nullopt;
}

ArrayRef values_at(const Array& array, const Keys& keys, std::vector<int64_t> places) {
  if (!keys.order.empty()) {
    for (int64_t& place : places) place = keys.order[static_cast<size_t>(place)];
  }
  return take_items(array.chunk().parts()->values, places);
}

struct Cut {
  int64_t begin, end;
};

// What `slice` says of one axis: Python's rules for steps of 1.
Cut cut_of(const SparseCall& call, size_t axis) {
  const int64_t extent = call.in[0]->shape()[static_cast<int>(axis)];
  const auto at = [&](const char* name, int64_t missing) {
    const OwnedValue owned = call.field(name).get(call.params->data());
    const Value& items = owned.get();
    if (items.kind != ValueKind::tuple || axis >= items.count || items.items[axis].kind == ValueKind::none)
      return missing;
    const int64_t given = items.items[axis].integer;
    return std::min(std::max<int64_t>(given < 0 ? given + extent : given, 0), extent);
  };
  const Cut cut{at("begin", 0), at("end", extent)};
  return {cut.begin, std::max(cut.begin, cut.end)};
}

bool steps_by_one(const SparseCall& call) {
  const OwnedValue owned = call.field("step").get(call.params->data());
  const Value& steps = owned.get();
  for (uint32_t i = 0; steps.kind == ValueKind::tuple && i < steps.count; ++i) {
    if (steps.items[i].kind != ValueKind::none && steps.items[i].integer != 1) return false;
  }
  return true;
}

std::optional<Storage> slice_storage(const SparseCall& call) {
  return if_csr(call) && steps_by_one(call) ? if_csr(call) : std::nullopt;
}

void slice(SparseCall& call) {
  const Array& matrix = *call.in[0];
  const Keys keys = keys_of(matrix);
  const Cut rows = cut_of(call, 0), columns = cut_of(call, 1);
  const int64_t wide = matrix.shape()[1], width = columns.end - columns.begin;
  std::vector<int64_t> kept, places;
  const auto first = std::lower_bound(keys.keys.begin(), keys.keys.end(), rows.begin * wide);
  const auto last = std::lower_bound(first, keys.keys.end(), rows.end * wide);
  for (auto at = first; at != last; ++at) {
    const int64_t column = *at % wide;
    if (column < columns.begin || column >= columns.end) continue;
    kept.push_back((*at / wide - rows.begin) * width + column - columns.begin);
    places.push_back(at - keys.keys.begin());
  }
  call.out[0] =
      from_keys(Storage::csr, {rows.end - rows.begin, width}, kept, values_at(matrix, keys, places));
}

std::optional<Storage> take_storage(const SparseCall& call) {
  const bool rows = call.stored(0, Storage::csr) && !call.in[1]->sparse() && call.integer("axis") == 0 &&
                    call.in[1]->shape().ndim() == 1;
  return rows ? std::optional<Storage>(Storage::csr) : std::nullopt;
}

void take_rows(SparseCall& call) {
  const Array& matrix = *call.in[0];
  const Keys keys = keys_of(matrix);
  const int64_t rows = matrix.shape()[0], wide = matrix.shape()[1];
  const std::string mode = call.field("mode").choice(call.params->data());
  std::vector<int64_t> kept, places;
  int64_t to = 0;
  for (int64_t row : integers_of(ArrayRef(call.in[1]))) {
    if (mode == "wrap")
      row = ((row % rows) + rows) % rows;
    else if (mode == "clip")
      row = std::min(std::max<int64_t>(row, 0), rows - 1);
    if (row < 0 || row >= rows) fail(Status::index, "[take] index ", row, " lies outside of ", rows, " rows");
    const auto first = std::lower_bound(keys.keys.begin(), keys.keys.end(), row * wide);
    for (auto at = first; at != keys.keys.end() && *at < (row + 1) * wide; ++at) {
      kept.push_back(to * wide + *at % wide);
      places.push_back(at - keys.keys.begin());
    }
    ++to;
  }
  call.out[0] = from_keys(Storage::csr, {to, wide}, kept, values_at(matrix, keys, places));
}

std::optional<Storage> concat_storage(const SparseCall& call) {
  bool all = !call.in.empty() && call.integer("dim") == 0;
  for (size_t i = 0; i < call.in.size(); ++i) {
    all &= call.stored(i, Storage::csr) && call.in[i]->shape()[1] == call.in[0]->shape()[1] &&
           call.in[i]->dtype() == call.in[0]->dtype();
  }
  return all ? std::optional<Storage>(Storage::csr) : std::nullopt;
}

void concat(SparseCall& call) {
  std::vector<int64_t> kept;
  std::vector<ArrayRef> held;
  std::vector<Array*> pieces;
  int64_t rows = 0;
  const int64_t wide = call.in[0]->shape()[1];
  for (const Array* matrix : call.in) {
    const Keys keys = keys_of(*matrix);
    for (const int64_t key : keys.keys) kept.push_back(key + rows * wide);
    rows += matrix->shape()[0];
    const ArrayRef values = matrix->chunk().parts()->values;
    held.push_back(keys.order.empty() ? values : take_items(values, keys.order));
    pieces.push_back(held.back().get());
  }
  ArrayRef joined;
  mixgrad::invoke(call.op, call.params, pieces, Span<ArrayRef>(&joined, 1));
  call.out[0] = from_keys(Storage::csr, {rows, wide}, kept, joined);
}

}  // namespace

void add_shape_rules(Rules& rules) {
  rules.add("slice", {slice_storage, slice, nullptr});
  rules.add("take", {take_storage, take_rows, nullptr});
  rules.add("Concat", {concat_storage, concat, nullptr});
}

}  // namespace mixgrad::sparse
