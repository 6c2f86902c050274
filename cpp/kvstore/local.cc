#include "kvstore/local.h"

#include <set>

#include "array/sparse.h"
#include "base/error.h"
#include "exec/imperative/mode.h"
#include "exec/sparse/sparse.h"
#include "kvstore/reduce.h"

namespace mixgrad::kvstore {
namespace {

ArrayRef empty_like(const Array& array, Device device) {
  if (array.sparse()) return empty_sparse(storage_of(array), array.shape(), array.dtype(), device);
  return Array::empty(array.shape(), array.dtype(), device);
}

bool any_sparse(Span<Array* const> arrays) {
  bool any = false;
  for (const Array* array : arrays) any |= array->sparse();
  return any;
}

}  // namespace

void LocalStore::check_new(Span<const Entry> values, const char* function) const {
  std::set<Key> seen;
  for (const Entry& entry : values) {
    const Key& key = entry.key;
    if (values_.count(key) || !seen.insert(key).second) {
      fail(Status::invalid_argument, "[", function, "] key ", key,
           " has a value already; init gives each key one");
    }
    const Key& other = values_.empty() ? values[0].key : values_.begin()->first;
    if (other.is_text() != key.is_text()) {
      fail(Status::invalid_argument, "[", function, "] key ", key, " beside key ", other,
           "; the keys of one store are all whole numbers or all text");
    }
    refuse_csr(entry, function);
  }
}

std::vector<LocalStore::Group> LocalStore::grouped(Span<const Entry> entries, const char* function,
                                                   bool added) {
  return group_by_key(
      values_, entries, function, added,
      [](const Value& value) -> const Shape& { return value.stored->shape(); },
      [&](const Entry& entry) { refuse_csr(entry, function); });
}

void LocalStore::init(Span<const Entry> values) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_new(values, "kvstore.init");
  for (const Entry& entry : values) {
    Array& given = *entry.array;
    Value value;
    value.stored = empty_like(given, home_ == Home::host ? Device::cpu() : given.device());
    copy_any(given, *value.stored, 0);
    values_.emplace(entry.key, std::move(value));
  }
}

// Chooses where a key lives, at its first push.
void LocalStore::place(const Group& group, int priority) {
  Value& value = *group.value;
  if (value.placed || home_ == Home::host) return;
  value.placed = true;
  Device best = group.arrays[0]->device();
  for (const Array* array : group.arrays) {
    if (placed_bytes_[array->device()] < placed_bytes_[best]) best = array->device();
  }
  placed_bytes_[best] += value.stored->bytes();
  if (value.stored->device() == best) return;
  const ArrayRef moved = empty_like(*value.stored, best);
  copy_any(*value.stored, *moved, priority);
  value.stored = moved;
}

ArrayRef LocalStore::received(const Group& group, int priority) {
  Value& value = *group.value;
  const Device device = value.stored->device();
  Array& first = *group.arrays[0];
  if (group.arrays.size() == 1 && first.device() == device) return ArrayRef(&first);
  if (any_sparse(group.arrays)) return sum_of(group.arrays, device);
  if (!value.sum || value.sum->device() != device || value.sum->dtype() != first.dtype())
    value.sum = Array::empty(first.shape(), first.dtype(), device);
  sum_into(group.arrays, *value.sum, priority);
  return value.sum;
}

// Before anything is done.
void LocalStore::check_compressible(Span<const Entry> values, const char* function) const {
  if (!compression_.is_on()) return;
  for (const Entry& entry : values) {
    if (!entry.array->sparse() && entry.array->dtype() == DType::float32) continue;
    fail(Status::unsupported, "[", function, "] key ", entry.key, ": got ",
         entry.array->sparse() ? "a sparse" : "a dense", " array of ", name_of(entry.array->dtype()),
         "; gradients are compressed as ", compression_.str(), ", for which dense float32 ones are expected");
  }
}

void LocalStore::push_groups(const std::vector<Group>& groups, int priority) {
  for (const Group& group : groups) {
    place(group, priority);
    if (!compression_.is_on()) {
      push_group(group, priority);
      continue;
    }
    const std::vector<ArrayRef> sent = group.value->feedback.sent(compression_, group.arrays, priority);
    Group arrived{group.key, group.value, {}};
    for (const ArrayRef& array : sent) arrived.arrays.push_back(array.get());
    push_group(arrived, priority);
  }
}

void LocalStore::push_group(const Group& group, int priority) {
  const ArrayRef stored = group.value->stored;  // an updater may call the store
  const bool adds_there =
      !stored->sparse() && !any_sparse(group.arrays) && group.arrays[0]->dtype() == stored->dtype();
  if (!updater_ && adds_there) return sum_into(group.arrays, *stored, priority);
  const ArrayRef sum = received(group, priority);
  if (!updater_) return copy_any(*sum, *stored, priority);
  const Updater updater = updater_;
  updater(group.key, *sum, *stored);
}

void LocalStore::pull_groups(const std::vector<Group>& groups, int priority) {
  for (const Group& group : groups) {
    // Weights that were brought before stay where an update was not made. Sums are those of one step.
    const LeavesScope scope(updater_ && group.value->pulled ? Leaves::assigned : Leaves::changed);
    group.value->pulled = true;
    for (Array* out : group.arrays) copy_any(*group.value->stored, *out, priority);
  }
}

void LocalStore::push(Span<const Entry> values, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_compressible(values, "kvstore.push");
  push_groups(grouped(values, "kvstore.push", true), priority);
}

void LocalStore::pull(Span<const Entry> outs, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  pull_groups(grouped(outs, "kvstore.pull", false), priority);
}

void LocalStore::push_pull(Span<const Entry> values, Span<const Entry> outs, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_compressible(values, "kvstore.pushpull");
  const std::vector<Group> pushed = grouped(values, "kvstore.pushpull", true);
  const std::vector<Group> pulled = grouped(outs, "kvstore.pushpull", false);
  push_groups(pushed, priority);
  pull_groups(pulled, priority);
}

void LocalStore::broadcast(Span<const Entry> values, Span<const Entry> outs, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  init(values);
  pull(outs, priority);
}

void LocalStore::pull_rows(Span<const Entry> outs, Span<Array* const> rows, int) {
  static constexpr const char* kFunction = "kvstore.row_sparse_pull";
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  const Unrecorded quiet;
  grouped(outs, kFunction, false);
  for (const Entry& out : outs) {
    if (!out.array->sparse()) {
      fail(Status::unsupported, "[", kFunction, "] key ", out.key,
           ": got a dense array; expected one of storage type row_sparse");
    }
  }
  std::vector<std::vector<int64_t>> numbers;
  for (size_t i = 0; i < outs.size(); ++i) {
    numbers.push_back(sparse::integers_of(ArrayRef(rows[i])));
    const int64_t extent = outs[i].array->shape()[0];
    for (const int64_t row : numbers[i]) {
      if (row < 0 || row >= extent)
        fail(Status::index, "[", kFunction, "] key ", outs[i].key, " has ", extent, " rows; got row ", row);
    }
  }
  for (size_t i = 0; i < outs.size(); ++i)
    copy_rows(*values_.at(outs[i].key).stored, numbers[i], *outs[i].array);
}

void LocalStore::set_updater(Updater updater) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  updater_ = std::move(updater);
}

void LocalStore::set_compression(const Compression& compression) {
  if (home_ == Home::host) return Store::set_compression(compression);
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  compression_ = compression;
}

}  // namespace mixgrad::kvstore
