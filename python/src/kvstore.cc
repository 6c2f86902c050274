#include "kvstore.h"

#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "exchange.h"

namespace py = pybind11;
namespace mp = mixgrad_python;

namespace {

using mp::call_unlocked, mp::own_array, mp::Objects;

// Keys and arrays of a call as the C header takes them. It borrows from the objects it is made from, which their caller
// holds itself: the lists they came in may change while the interpreter's lock is given up.
struct Keys {
  std::vector<mg_value> values;

  explicit Keys(const Objects& given) {
    for (const py::object& key : given) {
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
      values.push_back(value);
    }
  }
};
struct Entries {
  const std::vector<mg_value> keys;
  std::vector<mg_array*> arrays;

  Entries(const Objects& given_keys, const Objects& given_arrays)
      : keys(Keys(given_keys).values), arrays(mp::array_handles(given_arrays, "kvstore")) {
    if (keys.size() != arrays.size()) throw py::value_error("[kvstore] one key per array is needed");
  }
  int32_t count() const { return static_cast<int32_t>(keys.size()); }
};

class Store {
 public:
  static std::unique_ptr<Store> make(const std::string& type) { return std::make_unique<Store>(type); }
  explicit Store(const std::string& type) {
    call_unlocked([&] { return mg_kvstore_create(type.c_str(), &store_); });
  }
  ~Store() {
    const mp::Outside outside;
    mg_kvstore_destroy(store_);
  }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  mg_kvstore* handle() const { return store_; }
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
  void set_compression(const std::string& type, const std::vector<std::pair<std::string, double>>& numbers) {
    std::vector<const char*> names{"type"};
    std::vector<mg_value> values(1);
    values[0].kind = MG_VALUE_STRING;
    values[0].as.string = type.c_str();
    for (const auto& [name, number] : numbers) {
      names.push_back(name.c_str());
      mg_value value{};
      value.kind = MG_VALUE_REAL;
      value.as.real = number;
      values.push_back(value);
    }
    const auto count = static_cast<int32_t>(names.size());
    call_unlocked([&] { return mg_kvstore_set_compression(store_, count, names.data(), values.data()); });
  }
  void send_rule(const py::bytes& data) {
    const std::string text = data;
    call_unlocked([&] { return mg_kvstore_send_rule(store_, text.data(), text.size()); });
  }
  // Of each part of a value: its first element, how many, and the state.
  std::vector<std::tuple<int64_t, int64_t, py::bytes>> states(const py::object& key) {
    const Keys keys({key});
    std::vector<std::tuple<int64_t, int64_t, py::bytes>> parts;
    for (int32_t part = 0, num_parts = 1; part < num_parts; ++part) {
      int64_t first = 0, count = 0;
      void* data = nullptr;
      size_t bytes = 0;
      call_unlocked([&] {
        return mg_kvstore_get_state(store_, keys.values.data(), part, &num_parts, &first, &count, &data,
                                    &bytes);
      });
      const std::unique_ptr<void, void (*)(void*)> owner(data, &mg_buffer_destroy);
      parts.emplace_back(first, count, py::bytes(static_cast<const char*>(data), bytes));
    }
    return parts;
  }
  void set_states(const Objects& keys, const std::vector<int32_t>& parts,
                  const std::vector<py::bytes>& data) {
    const Keys names(keys);
    if (names.values.size() != parts.size() || parts.size() != data.size())
      throw py::value_error("[kvstore] one key and one part per state are needed");
    std::vector<const void*> starts;
    std::vector<size_t> bytes;
    for (const py::bytes& one : data) {
      char* text = nullptr;
      Py_ssize_t size = 0;
      if (PyBytes_AsStringAndSize(one.ptr(), &text, &size) != 0) throw py::error_already_set();
      starts.push_back(text);
      bytes.push_back(static_cast<size_t>(size));
    }
    call_unlocked([&] {
      return mg_kvstore_set_states(store_, static_cast<int32_t>(parts.size()), names.values.data(),
                                   parts.data(), starts.data(), bytes.data());
    });
  }
  int owner(const py::object& key) {
    const Keys keys({key});
    int32_t owner = 0;
    call_unlocked([&] { return mg_kvstore_get_owner(store_, keys.values.data(), &owner); });
    return owner;
  }
  py::bytes hand_over(int from, const py::bytes& data) {
    const std::string own = data;
    void* out = nullptr;
    size_t bytes = 0;
    call_unlocked([&] { return mg_kvstore_hand_over(store_, from, own.data(), own.size(), &out, &bytes); });
    const std::unique_ptr<void, void (*)(void*)> owner(out, &mg_buffer_destroy);
    return py::bytes(static_cast<const char*>(out), bytes);
  }
  int64_t rounds_done() const { return mg_kvstore_get_rounds_done(store_); }
  void leave() {
    call_unlocked([&] { return mg_kvstore_leave(store_); });
  }
  void end(bool at_exit) {
    call_unlocked([&] { return mg_kvstore_end(store_, at_exit); });
  }
  void abandon() {
    call_unlocked([&] { return mg_kvstore_abandon(store_); });
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

// An object of Python with check(data), which raises, and make(data), whose result has update(key, received, stored) and save().
class Rules {
 public:
  explicit Rules(py::object maker) : maker_(std::move(maker)) {}
  void serve() {
    const mg_kvstore_rules rules{sizeof(mg_kvstore_rules), this, &check, &make, &update, &save, &destroy};
    call_unlocked([&] { return mg_kvstore_serve(&rules); });
  }

 private:
  struct Rule {
    py::object object, saved;
  };
  static py::object maker_of(void* context) { return static_cast<Rules*>(context)->maker_; }
  static py::bytes bytes_of(const void* data, size_t bytes) {
    return py::bytes(static_cast<const char*>(data), bytes);
  }
  static mg_status check(void* context, const void* data, size_t bytes) {
    return mp::CallbackScope::guard([&] { maker_of(context).attr("check")(bytes_of(data, bytes)); });
  }
  static mg_status make(void* context, const void* data, size_t bytes, void** rule) {
    return mp::CallbackScope::guard([&] {
      auto made = std::make_unique<Rule>();
      made->object = maker_of(context).attr("make")(bytes_of(data, bytes));
      *rule = made.release();
    });
  }
  static mg_status update(void*, void* rule, const mg_value* key, mg_array* received, mg_array* stored) {
    return mp::CallbackScope::guard([&] {
      const py::object name = key->kind == MG_VALUE_STRING ? py::object(py::str(key->as.string))
                                                           : py::object(py::int_(key->as.integer));
      mg_array_retain(received);
      py::object sum = own_array(received);
      mg_array_retain(stored);
      static_cast<Rule*>(rule)->object.attr("update")(name, sum, own_array(stored));
    });
  }
  static mg_status save(void*, void* rule, const void** data, size_t* bytes) {
    return mp::CallbackScope::guard([&] {
      auto* const held = static_cast<Rule*>(rule);
      held->saved = held->object.attr("save")();
      char* text = nullptr;
      Py_ssize_t size = 0;
      if (PyBytes_AsStringAndSize(held->saved.ptr(), &text, &size) != 0) throw py::error_already_set();
      *data = text;
      *bytes = static_cast<size_t>(size);
    });
  }
  static void destroy(void*, void* rule) {
    auto* const held = static_cast<Rule*>(rule);
    // Where the interpreter has ended its objects stay.
    static_cast<void>(mp::CallbackScope::guard([&] { delete held; }));
  }

  const py::object maker_;
};

void serve(const py::object& maker) { Rules(maker).serve(); }
void make_keys(const std::string& folder, int workers, int servers) {
  mp::check_status(mg_kvstore_make_keys(mp::path_text(folder), workers, servers));
}
void load_transport(const std::string& path) {
  mp::check_status(mg_kvstore_load_transport(mp::path_text(path)));
}

}  // namespace

mg_kvstore* mixgrad_python::store_of(const py::object& store) {
  return store.is_none() ? nullptr : store.cast<Store&>().handle();
}

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
      .def("set_compression", &Store::set_compression)
      .def("send_rule", &Store::send_rule)
      .def("states", &Store::states)
      .def("set_states", &Store::set_states)
      .def("owner", &Store::owner)
      .def("hand_over", &Store::hand_over)
      .def_property_readonly("rounds_done", &Store::rounds_done)
      .def("leave", &Store::leave)
      .def("end", &Store::end)
      .def("abandon", &Store::abandon)
      .def("set_updater", &Store::set_updater);
  m.def("kvstore_serve", &serve);
  m.def("kvstore_make_keys", &make_keys);
  m.def("kvstore_load_transport", &load_transport);
}
