// Sums over sparse arrays, which read the stored elements alone.
#include "base/error.h"
#include "exec/imperative/invoke.h"
#include "exec/sparse/rule.h"

namespace mixgrad::sparse {
namespace {

// The one axis that is summed over, as MXNet's csr kernels have it; none: another case.
std::optional<int64_t> one_axis(const SparseCall& call) {
  const Field& axis = call.field("axis");
  const OwnedValue owned = axis.get(call.params->data());
  const Value& given = owned.get();
  const bool single = given.kind == ValueKind::tuple && given.count == 1;
  if (given.kind != ValueKind::integer && !single) return std::nullopt;
  const int64_t at = single ? given.items[0].integer : given.integer;
  return at < 0 ? at + call.in[0]->shape().ndim() : at;
}

bool excludes(const SparseCall& call) {
  return call.op.schema->index_of("exclude") >= 0 && call.integer("exclude") != 0;
}

std::optional<Storage> csr_sum_storage(const SparseCall& call) {
  const std::optional<int64_t> axis = one_axis(call);
  const bool fits = call.stored(0, Storage::csr) && !excludes(call) && axis && (*axis == 0 || *axis == 1);
  return fits ? std::optional<Storage>(Storage::dense) : std::nullopt;
}

// Values added up by column, or by row.
ArrayRef sums_of(const SparseCall& call, const ArrayRef& values, int64_t axis) {
  const Shape& shape = call.in[0]->shape();
  const Keys keys = keys_of(*call.in[0]);
  std::vector<int64_t> places = keys.keys;
  for (int64_t& place : places) place = axis == 0 ? place % shape[1] : place / shape[1];
  const ArrayRef ordered = keys.order.empty() ? values : take_items(values, keys.order);
  const ArrayRef sums = place_items(ordered, places, shape[axis == 0 ? 1 : 0]);
  if (call.integer("keepdims") == 0) return sums;
  return sums->reshaped(axis == 0 ? Shape{1, shape[1]} : Shape{shape[0], 1});
}

void sum(SparseCall& call) { call.out[0] = sums_of(call, call.parts(0).values, *one_axis(call)); }

void mean(SparseCall& call) {
  const int64_t axis = *one_axis(call);
  const double count = static_cast<double>(call.in[0]->shape()[static_cast<int>(axis)]);
  call.out[0] =
      mixgrad::sparse::call("_div_scalar", {sums_of(call, call.parts(0).values, axis)}, {{"scalar", count}});
}

std::optional<Storage> norm_storage(const SparseCall& call) {
  const OwnedValue axis = call.field("axis").get(call.params->data());
  const bool all = axis.get().kind == ValueKind::none;
  return call.in[0]->sparse() && all && call.integer("keepdims") == 0 ? std::optional<Storage>(Storage::dense)
                                                                      : std::nullopt;
}

void norm(SparseCall& call) { call.out[0] = call.apply_to({call.parts(0).values}); }

std::optional<Storage> square_sum_storage(const SparseCall& call) {
  if (!call.stored(0, Storage::row_sparse) || call.in[0]->shape().ndim() != 2 || excludes(call))
    return std::nullopt;
  const std::optional<int64_t> axis = one_axis(call);
  if (!axis) return std::nullopt;
  return *axis == 1 && call.integer("keepdims") != 0 ? Storage::row_sparse : Storage::dense;
}

void square_sum(SparseCall& call) {
  const ArrayRef sums = call.apply_to({call.parts(0).values});
  if (*one_axis(call) == 0) {
    call.out[0] = sums;
    return;
  }
  const Keys keys = keys_of(*call.in[0]);
  const ArrayRef ordered = keys.order.empty() ? sums : take_items(sums, keys.order);
  if (call.integer("keepdims") != 0)
    call.out[0] = from_keys(Storage::row_sparse, {call.in[0]->shape()[0], 1}, keys.keys, ordered);
  else
    call.out[0] = place_items(ordered, keys.keys, call.in[0]->shape()[0]);
}

}  // namespace

void add_reduce_rules(Rules& rules) {
  rules.add("sum", {csr_sum_storage, sum, nullptr});
  rules.add("mean", {csr_sum_storage, mean, nullptr});
  rules.add("norm", {norm_storage, norm, nullptr});
  rules.add("_square_sum", {square_sum_storage, square_sum, nullptr});
}

}  // namespace mixgrad::sparse
