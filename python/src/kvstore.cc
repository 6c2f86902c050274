#include "kvstore.h"

#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "core.h"

namespace py = pybind11;
namespace mp = mixgrad_python;

namespace {

void check(mg_status status) {
  if (status == MG_OK) return;
  mp::raise_status(status);
  throw py::error_already_set();
}

// Keys and arrays of a call as the C header takes them. It borrows from the lists it is made from.
struct Entries {
  std::vector<mg_value> keys;
  std::vector<mg_array*> arrays;

  Entries(const py::list& key_list, const py::list& array_list) {
    if (key_list.size() != array_list.size()) throw py::value_error("[kvstore] one key per array is needed");
    for (const py::handle& key : key_list) {
      mg_value value{};
      if (py::isinstance<py::str>(key)) {
        value.kind = MG_STRING;
        Py_ssize_t size = 0;
        value.as.string = PyUnicode_AsUTF8AndSize(key.ptr(), &size);
        if (!value.as.string) throw py::error_already_set();
        if (std::char_traits<char>::length(value.as.string) != static_cast<size_t>(size))
          throw py::value_error("[kvstore] a key contains a zero byte");
      } else {
        value.kind = MG_INTEGER;
        value.as.integer = key.cast<int64_t>();
      }
      keys.push_back(value);
    }
    for (const py::handle& array : array_list) {
      if (!mp::is_array(array.ptr()))
        throw py::type_error(std::string("[kvstore] expected NDArray; got ") + Py_TYPE(array.ptr())->tp_name);
      arrays.push_back(mp::handle_of(array.ptr()));
    }
  }
  int32_t count() const { return static_cast<int32_t>(keys.size()); }
};

py::object own_again(mg_array* array) {
  mg_array_retain(array);
  PyObject* object = mp::wrap_array(array);
  if (!object) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(object);
}

// A Python updater: fn(key, received, stored). What it raises is kept for the call that pushed.
struct PythonUpdater {
  py::function fn;
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;

  static mg_status update(void* context, const mg_value* key, mg_array* received, mg_array* stored) {
    py::gil_scoped_acquire acquire;
    auto* self = static_cast<PythonUpdater*>(context);
    try {
      const py::object name = key->kind == MG_STRING ? py::object(py::str(key->as.string))
                                                     : py::object(py::int_(key->as.integer));
      self->fn(name, own_again(received), own_again(stored));
      return MG_OK;
    } catch (py::error_already_set& error) {
      mg_set_error(error.what());
      self->forget();
      error.restore();
      PyErr_Fetch(&self->type, &self->value, &self->trace);
    } catch (const std::exception& error) {
      mg_set_error(error.what());
    }
    return MG_INVALID_ARGUMENT;
  }
  static void release(void* context) {
    py::gil_scoped_acquire acquire;
    auto* self = static_cast<PythonUpdater*>(context);
    self->forget();
    delete self;
  }
  void forget() {
    Py_CLEAR(type);
    Py_CLEAR(value);
    Py_CLEAR(trace);
  }
};

class Store {
 public:
  explicit Store(const std::string& type) { check(mg_kvstore_create(type.c_str(), &store_)); }
  ~Store() {
    py::gil_scoped_release release;
    mg_kvstore_destroy(store_);
  }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  std::string type() const { return mg_kvstore_get_type(store_); }
  int rank() const { return mg_kvstore_get_rank(store_); }
  int num_workers() const { return mg_kvstore_get_num_workers(store_); }
  void barrier() {
    run([&] { return mg_kvstore_barrier(store_); });
  }
  void init(const py::list& keys, const py::list& values) {
    const Entries e(keys, values);
    run([&] { return mg_kvstore_init(store_, e.count(), e.keys.data(), e.arrays.data()); });
  }
  void push(const py::list& keys, const py::list& values, int priority) {
    const Entries e(keys, values);
    run([&] { return mg_kvstore_push(store_, e.count(), e.keys.data(), e.arrays.data(), priority); });
  }
  void pull(const py::list& keys, const py::list& outs, int priority) {
    const Entries e(keys, outs);
    run([&] { return mg_kvstore_pull(store_, e.count(), e.keys.data(), e.arrays.data(), priority); });
  }
  void push_pull(const py::list& keys, const py::list& values, const py::list& out_keys, const py::list& outs,
                 int priority) {
    const Entries v(keys, values), o(out_keys, outs);
    run([&] {
      return mg_kvstore_push_pull(store_, v.count(), v.keys.data(), v.arrays.data(), o.count(), o.keys.data(),
                                  o.arrays.data(), priority);
    });
  }
  void broadcast(const py::list& keys, const py::list& values, const py::list& out_keys, const py::list& outs,
                 int priority) {
    const Entries v(keys, values), o(out_keys, outs);
    run([&] {
      return mg_kvstore_broadcast(store_, v.count(), v.keys.data(), v.arrays.data(), o.count(), o.keys.data(),
                                  o.arrays.data(), priority);
    });
  }
  void set_updater(const py::object& fn) {
    if (fn.is_none()) {
      updater_ = nullptr;
      run([&] { return mg_kvstore_set_updater(store_, nullptr); });
      return;
    }
    auto* context = new PythonUpdater{fn.cast<py::function>()};
    const mg_kvstore_updater updater{sizeof(mg_kvstore_updater), context, &PythonUpdater::update,
                                     &PythonUpdater::release};
    run([&] { return mg_kvstore_set_updater(store_, &updater); });
    updater_ = context;
  }

 private:
  // Without the lock of the interpreter: an updater may run, and other threads may push meanwhile.
  template <class Fn>
  void run(Fn&& fn) {
    mg_status status;
    {
      py::gil_scoped_release release;
      status = fn();
    }
    if (status == MG_OK) return;
    if (updater_ && updater_->type) {
      PyErr_Restore(updater_->type, updater_->value, updater_->trace);
      updater_->type = updater_->value = updater_->trace = nullptr;
      throw py::error_already_set();
    }
    check(status);
  }

  mg_kvstore* store_ = nullptr;
  PythonUpdater* updater_ = nullptr;  // owned by the store
};

}  // namespace

void mixgrad_python::add_kvstore(py::module_& m) {
  py::class_<Store>(m, "KVStore")
      .def(py::init<const std::string&>())
      .def_property_readonly("type", &Store::type)
      .def_property_readonly("rank", &Store::rank)
      .def_property_readonly("num_workers", &Store::num_workers)
      .def("barrier", &Store::barrier)
      .def("init", &Store::init)
      .def("push", &Store::push)
      .def("pull", &Store::pull)
      .def("push_pull", &Store::push_pull)
      .def("broadcast", &Store::broadcast)
      .def("set_updater", &Store::set_updater);
}
