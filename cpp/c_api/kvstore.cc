#include "kvstore/store.h"

#include "c_api/executor.h"
#include "c_api/sized.h"
#include "c_api/symbol.h"
#include "engine/caller.h"
#include "kvstore/distributed/key_ring.h"
#include "kvstore/distributed/serve.h"
#include "net/zeromq_library.h"

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

const bool links_are_known = [] {
  api::link_of_store = [](mg_kvstore* store) { return reinterpret_cast<Store*>(store)->link(); };
  return true;
}();

Key key_from(const mg_value& key, int32_t i, const char* function) {
  if (key.kind != MG_VALUE_INTEGER && (key.kind != MG_VALUE_STRING || !key.as.string)) {
    mixgrad::fail(Status::invalid_argument, "[", function, "] key ", i, " has a value of kind ", key.kind,
                  "; expected a whole number or text");
  }
  return Key::from(api::unwrap(key));
}

api::vector<Entry> entries_from(int32_t count, const mg_value* keys, mg_array* const* arrays,
                                const char* function) {
  const api::vector<Array*> checked = api::arrays_from(arrays, count, function, false, true);
  if (count > 0) api::require(keys, function, "keys");
  api::vector<Entry> entries;
  for (int32_t i = 0; i < count; ++i)
    entries.push_back({key_from(keys[i], i, function), checked[static_cast<size_t>(i)]});
  return entries;
}

// Of a caller's function.
void expect_ok(mg_status status) {
  if (status == MG_STATUS_OK) return;
  const bool known = status > MG_STATUS_OK && status <= MG_STATUS_STOPPED;
  throw mixgrad::Error(known ? static_cast<Status>(status) : Status::internal, api::last_error());
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
    expect_ok(updater_.update(updater_.context, reinterpret_cast<const mg_value*>(&value),
                              reinterpret_cast<mg_array*>(&received), reinterpret_cast<mg_array*>(&stored)));
  }

 private:
  const mg_kvstore_updater updater_;
};

// The caller's rules. What fails there is thrown here.
class CallbackRules final : public mixgrad::kvstore::RuleMaker {
 public:
  explicit CallbackRules(const mg_kvstore_rules& rules) : rules_(rules) {}

  std::string check(const std::string& data) override {
    const mg_status status = rules_.check(rules_.context, data.data(), data.size());
    if (status == MG_STATUS_OK) return "";
    const std::string why = api::last_error();
    return why.empty() ? "the server cannot make a rule of it" : why;
  }
  std::unique_ptr<mixgrad::kvstore::Rule> make(const std::string& data) override {
    void* rule = nullptr;
    expect_ok(rules_.make(rules_.context, data.data(), data.size(), &rule));
    return std::make_unique<CallbackRule>(*this, rule);
  }

 private:
  class CallbackRule final : public mixgrad::kvstore::Rule {
   public:
    CallbackRule(const CallbackRules& maker, void* rule) : rules_(maker.rules_), rule_(rule) {}
    ~CallbackRule() override {
      if (rules_.destroy) rules_.destroy(rules_.context, rule_);
    }
    void update(const Key& key, Array& received, Array& stored) override {
      const mixgrad::Value value = key.value();
      expect_ok(rules_.update(rules_.context, rule_, reinterpret_cast<const mg_value*>(&value),
                              reinterpret_cast<mg_array*>(&received), reinterpret_cast<mg_array*>(&stored)));
    }
    std::string state() override {
      const void* data = nullptr;
      size_t bytes = 0;
      expect_ok(rules_.save(rules_.context, rule_, &data, &bytes));
      return std::string(static_cast<const char*>(data), bytes);
    }

   private:
    const mg_kvstore_rules& rules_;
    void* const rule_;
  };

  const mg_kvstore_rules rules_;
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

mg_status mg_kvstore_set_compression(mg_kvstore* store, int32_t num_params, const char* const* names,
                                     const mg_value* values) {
  return api::guard([&] {
    static constexpr const char* kFunction = "mg_kvstore_set_compression";
    Store* s = unwrap_store(store, kFunction);
    api::vector<mixgrad::NamedValue> storage;
    const auto given = api::named_values(num_params, names, values, storage, kFunction);
    s->set_compression(mixgrad::kvstore::Compression::of(given, "kvstore.set_gradient_compression"));
  });
}

mg_status mg_kvstore_send_rule(mg_kvstore* store, const void* data, size_t bytes) {
  return api::guard([&] {
    Store* s = unwrap_store(store, "mg_kvstore_send_rule");
    if (bytes > 0) api::require(data, "mg_kvstore_send_rule", "data");
    s->send_rule(bytes > 0 ? std::string(static_cast<const char*>(data), bytes) : std::string());
  });
}

mg_status mg_kvstore_get_state(mg_kvstore* store, const mg_value* key, int32_t part, int32_t* num_parts,
                               int64_t* first, int64_t* extent, void** data, size_t* bytes) {
  return api::guard([&] {
    static constexpr const char* kFunction = "mg_kvstore_get_state";
    Store* s = unwrap_store(store, kFunction);
    api::require(key, kFunction, "key");
    api::require(num_parts, kFunction, "num_parts");
    api::require(first, kFunction, "first");
    api::require(extent, kFunction, "extent");
    api::require(data, kFunction, "data");
    api::require(bytes, kFunction, "bytes");
    if (part < 0) mixgrad::fail(Status::index, "[", kFunction, "] part ", part, "; expected one from 0 on");
    const auto one = s->state(key_from(*key, 0, kFunction), static_cast<uint32_t>(part));
    char* const copy = api::copy_text(one.data);
    *num_parts = static_cast<int32_t>(one.parts);
    *first = static_cast<int64_t>(one.first);
    *extent = static_cast<int64_t>(one.count);
    *data = copy;
    *bytes = one.data.size();
  });
}

mg_status mg_kvstore_set_states(mg_kvstore* store, int32_t num_states, const mg_value* keys,
                                const int32_t* parts, const void* const* data, const size_t* bytes) {
  return api::guard([&] {
    static constexpr const char* kFunction = "mg_kvstore_set_states";
    Store* s = unwrap_store(store, kFunction);
    if (num_states > 0) {
      api::require(keys, kFunction, "keys");
      api::require(parts, kFunction, "parts");
      api::require(data, kFunction, "data");
      api::require(bytes, kFunction, "bytes");
    }
    api::vector<mixgrad::kvstore::NewState> states;
    for (int32_t i = 0; i < num_states; ++i) {
      if (parts[i] < 0) mixgrad::fail(Status::index, "[", kFunction, "] part ", parts[i], " of state ", i);
      if (bytes[i] > 0) api::require(data[i], kFunction, "data");
      states.push_back({key_from(keys[i], i, kFunction), static_cast<uint32_t>(parts[i]),
                        std::string(static_cast<const char*>(data[i]), bytes[i])});
    }
    s->set_states(states);
  });
}

mg_status mg_kvstore_get_owner(mg_kvstore* store, const mg_value* key, int32_t* owner) {
  return api::guard([&] {
    static constexpr const char* kFunction = "mg_kvstore_get_owner";
    Store* s = unwrap_store(store, kFunction);
    api::require(key, kFunction, "key");
    api::require(owner, kFunction, "owner");
    *owner = s->owner(key_from(*key, 0, kFunction));
  });
}

mg_status mg_kvstore_hand_over(mg_kvstore* store, int32_t from, const void* data, size_t bytes, void** out,
                               size_t* out_bytes) {
  return api::guard([&] {
    static constexpr const char* kFunction = "mg_kvstore_hand_over";
    Store* s = unwrap_store(store, kFunction);
    if (bytes > 0) api::require(data, kFunction, "data");
    api::require(out, kFunction, "out");
    api::require(out_bytes, kFunction, "out_bytes");
    const std::string own = bytes > 0 ? std::string(static_cast<const char*>(data), bytes) : std::string();
    const std::string got = s->hand_over(from, own);
    *out = api::copy_text(got);
    *out_bytes = got.size();
  });
}

int64_t mg_kvstore_get_rounds_done(const mg_kvstore* store) {
  return store ? static_cast<int64_t>(reinterpret_cast<const Store*>(store)->rounds_done()) : 0;
}

mg_status mg_kvstore_leave(mg_kvstore* store) {
  return api::guard([&] { unwrap_store(store, "mg_kvstore_leave")->leave(); });
}

mg_status mg_kvstore_end(mg_kvstore* store, int32_t at_exit) {
  return api::guard([&] { unwrap_store(store, "mg_kvstore_end")->end(at_exit != 0); });
}

mg_status mg_kvstore_abandon(mg_kvstore* store) {
  return api::guard([&] { unwrap_store(store, "mg_kvstore_abandon")->abandon(); });
}

mg_status mg_kvstore_serve(const mg_kvstore_rules* rules) {
  return api::guard([&] {
    std::unique_ptr<CallbackRules> maker;
    if (rules) {
      static constexpr const char* kFunction = "mg_kvstore_serve";
      const auto given = api::read_struct(rules, "mg_kvstore_rules", &mg_kvstore_rules::save, kFunction);
      api::require(reinterpret_cast<const void*>(given.check), kFunction, "check");
      api::require(reinterpret_cast<const void*>(given.make), kFunction, "make");
      api::require(reinterpret_cast<const void*>(given.update), kFunction, "update");
      api::require(reinterpret_cast<const void*>(given.save), kFunction, "save");
      maker = std::make_unique<CallbackRules>(given);
    }
    mixgrad::kvstore::serve(mixgrad::kvstore::Cluster::from_environment(), maker.get(),
                            [] { return mixgrad::engine::interrupted(); });
  });
}

mg_status mg_kvstore_make_keys(const char* folder, int32_t num_workers, int32_t num_servers) {
  return api::guard([&] {
    api::require(folder, "mg_kvstore_make_keys", "folder");
    const int32_t most = mixgrad::kvstore::protocol::kMaxNumber;
    if (num_workers < 1 || num_servers < 0 || num_workers > most || num_servers > most) {
      mixgrad::fail(Status::invalid_argument, "[mg_kvstore_make_keys] got ", num_workers, " workers and ",
                    num_servers, " servers; expected 1 to ", most, " of each, or no servers");
    }
    mixgrad::kvstore::write_keys(folder, static_cast<uint32_t>(num_workers),
                                 static_cast<uint32_t>(num_servers));
  });
}

mg_status mg_kvstore_load_transport(const char* path) {
  return api::guard([&] {
    api::require(path, "mg_kvstore_load_transport", "path");
    mixgrad::net::load_zeromq(path);
  });
}

}  // extern "C"
