// Indexing of arrays, as in Python.
#include <cstddef>

#include "c_api/handle.h"
#include "exec/imperative/mode.h"
#include "exec/imperative/selection.h"

namespace api = mixgrad::c_api;
using mixgrad::Array;
using mixgrad::IndexItem;
using mixgrad::Span;
using mixgrad::Status;

namespace {

static_assert(sizeof(mg_index) == sizeof(IndexItem) &&
                  offsetof(mg_index, step) == offsetof(IndexItem, step) &&
                  offsetof(mg_index, array) == offsetof(IndexItem, array),
              "mg_index and IndexItem share one layout");

Span<const IndexItem> items_from(mg_array* array, int32_t count, const mg_index* items,
                                 const char* function) {
  api::dense(array, function, "array");
  if (count < 0)
    mixgrad::fail(Status::invalid_argument, "[", function, "] ", count, " items; expected 0 or more");
  if (count > 0) api::require(items, function, "items");
  for (int32_t i = 0; i < count; ++i) {
    if (items[i].kind < MG_INDEX_AT || items[i].kind > MG_INDEX_ARRAY) {
      mixgrad::fail(Status::invalid_argument, "[", function, "] item ", i, " is of kind ", items[i].kind,
                    "; expected one of mg_index_kind");
    }
    if (items[i].kind == MG_INDEX_ARRAY) api::dense(items[i].array, function, "the array of an item");
  }
  return {reinterpret_cast<const IndexItem*>(items), static_cast<size_t>(count)};
}

}  // namespace

extern "C" {

mg_status mg_array_index(mg_array* array, int32_t num_items, const mg_index* items, mg_array** out) {
  return api::guard([&] {
    const auto index = items_from(array, num_items, items, "mg_array_index");
    api::require(out, "mg_array_index", "out");
    *out = api::give(mixgrad::read_selection(*api::unwrap(array), index));
  });
}

mg_status mg_array_assign(mg_array* array, int32_t num_items, const mg_index* items, mg_array* value) {
  return api::guard([&] {
    const auto index = items_from(array, num_items, items, "mg_array_assign");
    Array& from = api::dense(value, "mg_array_assign", "value");
    const mixgrad::LeavesScope scope(mixgrad::Leaves::assigned);
    mixgrad::assign_selection(*api::unwrap(array), index, from);
  });
}

mg_status mg_array_assign_number(mg_array* array, int32_t num_items, const mg_index* items, double number) {
  return api::guard([&] {
    const auto index = items_from(array, num_items, items, "mg_array_assign_number");
    mixgrad::assign_selection(*api::unwrap(array), index, number);
  });
}

}  // extern "C"
