#include "kvstore.h"

#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <vector>

#include "exchange.h"

namespace py = pybind11;
namespace mp = mixgrad_python;

namespace {

using mp::call_unlocked, mp::own_array, mp::Objects;

// Keys and arrays of a call as the C header takes them. It borrows from the objects it is made from, which their caller
// holds itself: the lists they came in may change while the interpreter's lock is given up.
struct Entries {
  std::vector<mg_value> keys;
  std::vector<mg_array*> arrays;

  Entries(const Objects& given_keys, const Objects& given_arrays)
      : arrays(mp::array_handles(given_arrays, "kvstore")) {
    if (given_keys.size() != arrays.size()) throw py::value_error("[kvstore] one key per array is needed");
    for (const py::object& key : given_keys) {
      mg_value value{};
      if (py::isinstance<py::str>(key)) {
        value.kind = MG_VALUE_STRING;
        Py_ssize_t size = 0;
        value.as.string = PyUnicode_AsUTF8AndSize(key.ptr(), &size);
        if (!value.as.string) throw py::error_already_set();
        if (std::char_traits<char>::length(value.as.string) != static_cast<size_t>(size))
          throw py::value_error("[kvstore] a key contains a zero byte");
      } else {
        value.kind = MG_VALUE_INTEGER;
        value.as.integer = key.cast<int64_t>();
      }
      keys.push_back(value);
    }
  }
  int32_t count() const { return static_cast<int32_t>(keys.size()); }
};

class Store {
 public:
  static std::unique_ptr<Store> make(const std::string& type) { return std::make_unique<Store>(type); }
  explicit Store(const std::string& type) { mp::check_status(mg_kvstore_create(type.c_str(), &store_)); }
  ~Store() {
    const mp::Outside outside;
    mg_kvstore_destroy(store_);
  }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  std::string type() const { return mg_kvstore_get_type(store_); }
  int rank() const { return mg_kvstore_get_rank(store_); }
  int num_workers() const { return mg_kvstore_get_num_workers(store_); }
  void barrier() {
    call_unlocked([&] { return mg_kvstore_barrier(store_); });
  }
  void init(const Objects& keys, const Objects& values) {
    const Entries e(keys, values);
    call_unlocked([&] { return mg_kvstore_init(store_, e.count(), e.keys.data(), e.arrays.data()); });
  }
  void push(const Objects& keys, const Objects& values, int priority) {
    const Entries e(keys, values);
    call_unlocked(
        [&] { return mg_kvstore_push(store_, e.count(), e.keys.data(), e.arrays.data(), priority); });
  }
  void pull(const Objects& keys, const Objects& outs, int priority) {
    const Entries e(keys, outs);
    call_unlocked(
        [&] { return mg_kvstore_pull(store_, e.count(), e.keys.data(), e.arrays.data(), priority); });
  }
  void pull_rows(const Objects& keys, const Objects& outs, const Objects& rows, int priority) {
    const Entries e(keys, outs), r(keys, rows);
    call_unlocked([&] {
      return mg_kvstore_pull_rows(store_, e.count(), e.keys.data(), e.arrays.data(), r.arrays.data(),
                                  priority);
    });
  }
  void push_pull(const Objects& keys, const Objects& values, const Objects& out_keys, const Objects& outs,
                 int priority) {
    const Entries v(keys, values), o(out_keys, outs);
    call_unlocked([&] {
      return mg_kvstore_push_pull(store_, v.count(), v.keys.data(), v.arrays.data(), o.count(), o.keys.data(),
                                  o.arrays.data(), priority);
    });
  }
  void broadcast(const Objects& keys, const Objects& values, const Objects& out_keys, const Objects& outs,
                 int priority) {
    const Entries v(keys, values), o(out_keys, outs);
    call_unlocked([&] {
      return mg_kvstore_broadcast(store_, v.count(), v.keys.data(), v.arrays.data(), o.count(), o.keys.data(),
                                  o.arrays.data(), priority);
    });
  }
  void set_updater(const py::object& fn) {
    // A function is there before the library may call it, and until it does not any more.
    const mg_kvstore_updater updater{sizeof(mg_kvstore_updater), this, &call_updater, nullptr};
    if (!fn.is_none()) updater_ = fn;
    call_unlocked([&] { return mg_kvstore_set_updater(store_, fn.is_none() ? nullptr : &updater); });
    if (fn.is_none()) updater_ = fn;
  }
  const py::object& callback() const { return updater_; }
  void forget() { set_updater(py::none()); }

 private:
  static mg_status call_updater(void* context, const mg_value* key, mg_array* received, mg_array* stored) {
    return mp::CallbackScope::guard([&] {
      const py::object fn = static_cast<Store*>(context)->updater_;
      if (fn.is_none()) throw py::value_error("[kvstore] another thread takes the updater away");
      const py::object name = key->kind == MG_VALUE_STRING ? py::object(py::str(key->as.string))
                                                           : py::object(py::int_(key->as.integer));
      mg_array_retain(received);
      py::object sum = own_array(received);
      mg_array_retain(stored);
      mp::call_python(fn, {name, sum, own_array(stored)});
    });
  }

  mg_kvstore* store_ = nullptr;
  py::object updater_ = py::none();
};

}  // namespace

void mixgrad_python::add_kvstore(py::module_& m) {
  py::class_<Store> store(m, "KVStore", mp::collected_with_callback<Store>());
  mp::define_init(store, &Store::make);
  store.def_property_readonly("type", &Store::type)
      .def_property_readonly("rank", &Store::rank)
      .def_property_readonly("num_workers", &Store::num_workers)
      .def("barrier", &Store::barrier)
      .def("init", &Store::init)
      .def("push", &Store::push)
      .def("pull", &Store::pull)
      .def("pull_rows", &Store::pull_rows)
      .def("push_pull", &Store::push_pull)
      .def("broadcast", &Store::broadcast)
      .def("set_updater", &Store::set_updater);
}
