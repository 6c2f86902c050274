// Arrays by key, shared by devices.
#pragma once

#include <functional>

#include "mixgrad/ndarray.hpp"
#include "mixgrad/params.hpp"

namespace mx {
/// Arrays by key, shared by devices. "local" keeps them on the host, "device" on the devices that push.
class KVStore {
 public:
  using Updater = std::function<void(const std::string& key, const NDArray& received, const NDArray& stored)>;

  explicit KVStore(const std::string& type = "local") {
    mg_kvstore* out = nullptr;
    detail::check(mg_kvstore_create(type.c_str(), &out));
    handle_.reset(out, mg_kvstore_destroy);
  }
  void init(const std::string& key, const NDArray& value) {
    const Value name(key);
    const mg_value view = name.view();
    mg_array* array = value.handle();
    detail::check(mg_kvstore_init(handle_.get(), 1, &view, &array));
  }
  /// The sum of the values goes to the updater, or replaces what is stored.
  void push(const std::string& key, const std::vector<NDArray>& values, int32_t priority = 0) {
    each(key, values, priority, mg_kvstore_push);
  }
  void pull(const std::string& key, const std::vector<NDArray>& outs, int32_t priority = 0) {
    each(key, outs, priority, mg_kvstore_pull);
  }
  /// How pushes change what is stored; an exception of the updater ends the push.
  void set_updater(Updater updater) {
    mg_kvstore_updater c{};
    c.size = sizeof c;
    c.context = new Updater(std::move(updater));
    c.update = [](void* context, const mg_value* key, mg_array* received, mg_array* stored) {
      try {
        mg_array_retain(received);
        const NDArray first = NDArray::own(received);
        mg_array_retain(stored);
        const NDArray second = NDArray::own(stored);
        const std::string name =
            key->kind == MG_VALUE_STRING ? key->as.string : std::to_string(key->as.integer);
        (*static_cast<Updater*>(context))(name, first, second);
        return MG_STATUS_OK;
      } catch (const std::exception& error) {
        mg_set_error(error.what());
        return MG_STATUS_INTERNAL;
      }
    };
    c.release = [](void* context) { delete static_cast<Updater*>(context); };
    detail::check(mg_kvstore_set_updater(handle_.get(), &c));
  }

 private:
  template <class Function>
  void each(const std::string& key, const std::vector<NDArray>& arrays, int32_t priority, Function function) {
    const Value name(key);
    const std::vector<mg_value> keys(arrays.size(), name.view());
    std::vector<mg_array*> handles;
    for (const NDArray& array : arrays) handles.push_back(array.handle());
    detail::check(function(handle_.get(), detail::count(handles), keys.data(), handles.data(), priority));
  }
  std::shared_ptr<mg_kvstore> handle_;
};

}  // namespace mx
