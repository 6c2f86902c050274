#include "kvstore/store.h"

#include "c_api/sized.h"

namespace api = mixgrad::c_api;
using mixgrad::Array;
using mixgrad::Status;
using mixgrad::kvstore::Entry;
using mixgrad::kvstore::Key;
using mixgrad::kvstore::Store;

namespace {

Store* unwrap_store(mg_kvstore* store, const char* function) {
  api::require(store, function, "store");
  return reinterpret_cast<Store*>(store);
}

api::vector<Entry> entries_from(int32_t count, const mg_value* keys, mg_array* const* arrays,
                                const char* function) {
  const api::vector<Array*> checked = api::arrays_from(arrays, count, function, false, true);
  if (count > 0) api::require(keys, function, "keys");
  api::vector<Entry> entries;
  for (int32_t i = 0; i < count; ++i) {
    if (keys[i].kind != MG_VALUE_INTEGER && (keys[i].kind != MG_VALUE_STRING || !keys[i].as.string)) {
      mixgrad::fail(Status::invalid_argument, "[", function, "] key ", i, " has a value of kind ",
                    keys[i].kind, "; expected a whole number or text");
    }
    entries.push_back({Key::from(api::unwrap(keys[i])), checked[static_cast<size_t>(i)]});
  }
  return entries;
}

// The caller's updater. Shared, because the store keeps a copyable function.
class CallbackUpdater {
 public:
  explicit CallbackUpdater(const mg_kvstore_updater& updater) : updater_(updater) {}
  ~CallbackUpdater() {
    if (updater_.release) updater_.release(updater_.context);
  }
  CallbackUpdater(const CallbackUpdater&) = delete;
  CallbackUpdater& operator=(const CallbackUpdater&) = delete;

  void operator()(const Key& key, Array& received, Array& stored) const {
    const mixgrad::Value value = key.value();
    const mg_status status =
        updater_.update(updater_.context, reinterpret_cast<const mg_value*>(&value),
                        reinterpret_cast<mg_array*>(&received), reinterpret_cast<mg_array*>(&stored));
    if (status == MG_STATUS_OK) return;
    const bool known = status > MG_STATUS_OK && status <= MG_STATUS_STOPPED;
    throw mixgrad::Error(known ? static_cast<Status>(status) : Status::internal, api::last_error());
  }

 private:
  const mg_kvstore_updater updater_;
};

}  // namespace

extern "C" {

mg_status mg_kvstore_create(const char* type, mg_kvstore** out) {
  return api::guard([&] {
    api::require(type, "mg_kvstore_create", "type");
    api::require(out, "mg_kvstore_create", "out");
    *out = reinterpret_cast<mg_kvstore*>(mixgrad::kvstore::make_store(type).release());
  });
}

void mg_kvstore_destroy(mg_kvstore* store) { delete reinterpret_cast<Store*>(store); }

const char* mg_kvstore_get_type(const mg_kvstore* store) {
  return store ? reinterpret_cast<const Store*>(store)->type().c_str() : nullptr;
}
int32_t mg_kvstore_get_rank(const mg_kvstore* store) {
  return store ? reinterpret_cast<const Store*>(store)->rank() : 0;
}
int32_t mg_kvstore_get_num_workers(const mg_kvstore* store) {
  return store ? reinterpret_cast<const Store*>(store)->num_workers() : 0;
}
mg_status mg_kvstore_barrier(mg_kvstore* store) {
  return api::guard([&] { unwrap_store(store, "mg_kvstore_barrier")->barrier(); });
}

mg_status mg_kvstore_init(mg_kvstore* store, int32_t num_values, const mg_value* keys,
                          mg_array* const* values) {
  return api::guard([&] {
    Store* s = unwrap_store(store, "mg_kvstore_init");
    s->init(entries_from(num_values, keys, values, "mg_kvstore_init"));
  });
}

mg_status mg_kvstore_push(mg_kvstore* store, int32_t num_values, const mg_value* keys,
                          mg_array* const* values, int32_t priority) {
  return api::guard([&] {
    Store* s = unwrap_store(store, "mg_kvstore_push");
    s->push(entries_from(num_values, keys, values, "mg_kvstore_push"), priority);
  });
}

mg_status mg_kvstore_pull(mg_kvstore* store, int32_t num_outs, const mg_value* keys, mg_array* const* outs,
                          int32_t priority) {
  return api::guard([&] {
    Store* s = unwrap_store(store, "mg_kvstore_pull");
    s->pull(entries_from(num_outs, keys, outs, "mg_kvstore_pull"), priority);
  });
}

mg_status mg_kvstore_push_pull(mg_kvstore* store, int32_t num_values, const mg_value* value_keys,
                               mg_array* const* values, int32_t num_outs, const mg_value* out_keys,
                               mg_array* const* outs, int32_t priority) {
  return api::guard([&] {
    Store* s = unwrap_store(store, "mg_kvstore_push_pull");
    s->push_pull(entries_from(num_values, value_keys, values, "mg_kvstore_push_pull"),
                 entries_from(num_outs, out_keys, outs, "mg_kvstore_push_pull"), priority);
  });
}

mg_status mg_kvstore_broadcast(mg_kvstore* store, int32_t num_values, const mg_value* value_keys,
                               mg_array* const* values, int32_t num_outs, const mg_value* out_keys,
                               mg_array* const* outs, int32_t priority) {
  return api::guard([&] {
    Store* s = unwrap_store(store, "mg_kvstore_broadcast");
    s->broadcast(entries_from(num_values, value_keys, values, "mg_kvstore_broadcast"),
                 entries_from(num_outs, out_keys, outs, "mg_kvstore_broadcast"), priority);
  });
}

mg_status mg_kvstore_pull_rows(mg_kvstore* store, int32_t num_outs, const mg_value* keys,
                               mg_array* const* outs, mg_array* const* rows, int32_t priority) {
  return api::guard([&] {
    Store* s = unwrap_store(store, "mg_kvstore_pull_rows");
    const auto entries = entries_from(num_outs, keys, outs, "mg_kvstore_pull_rows");
    s->pull_rows(entries, api::arrays_from(rows, num_outs, "mg_kvstore_pull_rows"), priority);
  });
}

mg_status mg_kvstore_set_updater(mg_kvstore* store, const mg_kvstore_updater* updater) {
  return api::guard([&] {
    Store* s = unwrap_store(store, "mg_kvstore_set_updater");
    if (!updater) return s->set_updater(nullptr);
    const auto given = api::read_struct(updater, "mg_kvstore_updater", &mg_kvstore_updater::update,
                                        "mg_kvstore_set_updater");
    const auto callback = api::make_shared<CallbackUpdater>(given);  // from here on it is released
    api::require(reinterpret_cast<const void*>(given.update), "mg_kvstore_set_updater", "update");
    s->set_updater(
        [callback](const Key& key, Array& received, Array& stored) { (*callback)(key, received, stored); });
  });
}

}  // extern "C"
