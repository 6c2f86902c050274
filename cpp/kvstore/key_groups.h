// The arrays of a call to a store, by their keys.
#pragma once

#include <map>
#include <vector>

#include "array/sparse.h"
#include "base/error.h"
#include "kvstore/store.h"

namespace mixgrad::kvstore {

// The arrays of one key in one call. `Value` is what the store keeps for it.
template <class Value>
struct KeyGroup {
  Key key;
  Value* value;
  std::vector<Array*> arrays;
};

// Keys in the order of their first appearance. Throws Status::not_found for a key without a value, Status::shape for an array of
// another shape than `shape_of(value)`, what `check(entry)` throws of arrays that the store does not take and, where they are `added`
// up, Status::dtype for those of several dtypes: before anything is done.
template <class Value, class ShapeOf, class Check>
std::vector<KeyGroup<Value>> group_by_key(std::map<Key, Value>& values, Span<const Entry> entries,
                                          const char* function, bool added, const ShapeOf& shape_of,
                                          const Check& check) {
  std::vector<KeyGroup<Value>> groups;
  std::map<Key, size_t> place;
  for (const Entry& entry : entries) {
    const auto known = values.find(entry.key);
    if (known == values.end())
      fail(Status::not_found, "[", function, "] key ", entry.key, " has no value; call init first");
    const Shape& shape = shape_of(known->second);
    if (entry.array->shape() != shape) {
      fail(Status::shape, "[", function, "] key ", entry.key, " has shape ", shape,
           "; got an array of shape ", entry.array->shape());
    }
    check(entry);
    const auto at = place.emplace(entry.key, groups.size());
    if (at.second) groups.push_back({entry.key, &known->second, {}});
    std::vector<Array*>& arrays = groups[at.first->second].arrays;
    if (added && !arrays.empty() && arrays[0]->dtype() != entry.array->dtype()) {
      fail(Status::dtype, "[", function, "] key ", entry.key, " got arrays of dtypes ",
           name_of(arrays[0]->dtype()), " and ", name_of(entry.array->dtype()), "; expected one dtype");
    }
    arrays.push_back(entry.array);
  }
  return groups;
}

// For stores that have no csr arrays.
inline void refuse_csr(const Entry& entry, const char* function) {
  if (storage_of(*entry.array) == Storage::csr) {
    fail(Status::unsupported, "[", function, "] key ", entry.key,
         ": got an array of storage type csr; expected a dense or row_sparse one");
  }
}

}  // namespace mixgrad::kvstore
