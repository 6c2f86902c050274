#include "kvstore/local.h"

#include <set>

#include "base/error.h"
#include "kvstore/reduce.h"

namespace mixgrad::kvstore {

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
  }
}

std::vector<LocalStore::Group> LocalStore::grouped(Span<const Entry> entries, const char* function,
                                                   bool same_dtype) {
  std::vector<Group> groups;
  std::map<Key, size_t> place;
  for (const Entry& entry : entries) {
    const auto known = values_.find(entry.key);
    if (known == values_.end()) {
      fail(Status::not_found, "[", function, "] key ", entry.key, " has no value; call init first");
    }
    const Array& stored = *known->second.stored;
    if (entry.array->shape() != stored.shape()) {
      fail(Status::shape, "[", function, "] key ", entry.key, " has shape ", stored.shape(),
           "; got an array of shape ", entry.array->shape());
    }
    if (same_dtype && entry.array->dtype() != stored.dtype()) {
      fail(Status::dtype, "[", function, "] key ", entry.key, " has dtype ", name_of(stored.dtype()),
           "; got an array of dtype ", name_of(entry.array->dtype()));
    }
    const auto at = place.emplace(entry.key, groups.size());
    if (at.second) groups.push_back({entry.key, &known->second, {}});
    groups[at.first->second].arrays.push_back(entry.array);
  }
  return groups;
}

void LocalStore::init(Span<const Entry> values) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_new(values, "kvstore.init");
  for (const Entry& entry : values) {
    Array& given = *entry.array;
    Value value;
    value.stored =
        Array::empty(given.shape(), given.dtype(), home_ == Home::host ? Device::cpu() : given.device());
    copy_into(given, *value.stored, 0);
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
  const ArrayRef moved = Array::empty(value.stored->shape(), value.stored->dtype(), best);
  copy_into(*value.stored, *moved, priority);
  value.stored = moved;
}

void LocalStore::push_groups(const std::vector<Group>& groups, int priority) {
  for (const Group& group : groups) {
    place(group, priority);
    Value& value = *group.value;
    if (!updater_) {
      sum_into(group.arrays, *value.stored, priority);
      continue;
    }
    Array* received = group.arrays[0];
    if (group.arrays.size() > 1 || received->device() != value.stored->device()) {
      if (!value.sum || value.sum->device() != value.stored->device())
        value.sum = Array::empty(value.stored->shape(), value.stored->dtype(), value.stored->device());
      sum_into(group.arrays, *value.sum, priority);
      received = value.sum.get();
    }
    const ArrayRef stored = value.stored;  // an updater may call the store
    const Updater updater = updater_;
    updater(group.key, *received, *stored);
  }
}

void LocalStore::pull_groups(const std::vector<Group>& groups, int priority) {
  for (const Group& group : groups) {
    for (Array* out : group.arrays) copy_into(*group.value->stored, *out, priority);
  }
}

void LocalStore::push(Span<const Entry> values, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  push_groups(grouped(values, "kvstore.push", true), priority);
}

void LocalStore::pull(Span<const Entry> outs, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  pull_groups(grouped(outs, "kvstore.pull", false), priority);
}

void LocalStore::push_pull(Span<const Entry> values, Span<const Entry> outs, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
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

void LocalStore::set_updater(Updater updater) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  updater_ = std::move(updater);
}

}  // namespace mixgrad::kvstore
