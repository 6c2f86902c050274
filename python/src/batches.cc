#include "batches.h"

#include <memory>
#include <string>
#include <vector>

#include "exchange.h"
#include "picture.h"
#include "record.h"
#include "turn.h"

namespace py = pybind11;

namespace mixgrad_python {
namespace {

// Numbers that a caller may leave out, in a buffer of elements of that size.
template <class T>
class Numbers {
 public:
  Numbers(const py::object& object, const char* what) {
    if (object.is_none()) return;
    info_ = py::cast<py::buffer>(object).request();
    if (info_.itemsize != static_cast<py::ssize_t>(sizeof(T)))
      throw py::type_error(std::string("[batches] ") + what + " has elements of " +
                           std::to_string(info_.itemsize) + " bytes; expected " + std::to_string(sizeof(T)));
  }
  const T* data() const { return static_cast<const T*>(info_.ptr); }
  size_t bytes() const { return info_.ptr ? static_cast<size_t>(info_.size) * sizeof(T) : 0; }

 private:
  py::buffer_info info_;
};

class Batches {
 public:
  static std::unique_ptr<Batches> make(int kind, const std::string& who, const py::object& source,
                                       const py::dict& options, const py::object& offsets,
                                       const py::object& label_ids, const py::object& labels,
                                       const py::object& mean) {
    const Numbers<uint64_t> at(offsets, "offsets"), ids(label_ids, "label_ids");
    const Numbers<float> of(labels, "labels"), less(mean, "mean");
    const mg_batches_data data{sizeof data, source_handle(source), at.data(),   at.bytes(),  ids.data(),
                               of.data(),   ids.bytes(),           less.data(), less.bytes()};
    const auto pool = std::make_unique<ValuePool>();
    std::vector<std::string> names;
    std::vector<mg_value> values;
    for (const auto& [name, value] : options) {
      names.push_back(py::cast<std::string>(name));
      values.emplace_back();
      if (!value_from(value.ptr(), &values.back(), *pool, who.c_str(), names.back().c_str()))
        throw py::error_already_set();
    }
    std::vector<const char*> texts;
    for (const std::string& name : names) texts.push_back(name.c_str());
    expect_pictures();
    mg_batches* out = nullptr;
    call_unlocked([&] {
      return mg_batches_create(kind, who.c_str(), &data, static_cast<int32_t>(texts.size()), texts.data(),
                               values.data(), &out);
    });
    auto made = std::make_unique<Batches>(out);
    made->batch_size_ = py::cast<size_t>(py::int_(py::object(options["batch_size"])));
    return made;
  }
  explicit Batches(mg_batches* batches) : batches_(batches) {}
  ~Batches() {
    const Outside outside;
    mg_batches_destroy(batches_);
  }
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  // (data, labels, pad, numbers of the records as bytes), or None at the end of the epoch.
  py::object next() {
    mg_array *data = nullptr, *labels = nullptr;
    int64_t pad = 0;
    std::vector<uint64_t> ids(batch_size_);
    const Turns::Turn turn(turns_);
    call_unlocked([&] { return mg_batches_next(batches_, &data, &labels, &pad, ids.data()); });
    if (!data) return py::none();
    const py::object first = own_array(data);
    const py::object second = own_array(labels);
    return py::make_tuple(
        first, second, pad,
        py::bytes(reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof(uint64_t)));
  }
  int64_t label_width() const { return mg_batches_get_label_width(batches_); }
  void reset() {
    const Turns::Turn turn(turns_);
    call_unlocked([&] { return mg_batches_reset(batches_); });
  }
  py::dict place() const {
    const Turns::Turn turn(turns_);
    mg_batches_place at{};
    at.size = sizeof at;
    check_status(mg_batches_get_place(batches_, &at));
    py::dict out;
    out["epoch"] = at.epoch;
    out["next_epoch"] = at.next_epoch;
    out["sample"] = at.sample;
    out["offset"] = at.offset;
    out["chunk"] = at.chunk;
    out["inside"] = at.inside;
    out["begun"] = at.is_begun != 0;
    return out;
  }
  void set_place(const py::dict& place) {
    const auto number = [&](const char* name) { return place[name].cast<uint64_t>(); };
    const mg_batches_place at{
        sizeof at,        number("epoch"), number("next_epoch"), number("sample"),
        number("offset"), number("chunk"), number("inside"),     place["begun"].cast<bool>()};
    const Turns::Turn turn(turns_);
    call_unlocked([&] { return mg_batches_set_place(batches_, &at); });
  }
  // (records, bytes, what was wrong first)
  py::tuple skipped() const {
    const Turns::Turn turn(turns_);
    mg_record_skipped skipped{};
    skipped.size = sizeof skipped;
    check_status(mg_batches_get_skipped(batches_, &skipped));
    return py::make_tuple(skipped.records, skipped.bytes, std::string(skipped.first));
  }

 private:
  mg_batches* const batches_;
  mutable Turns turns_{"batches"};
  size_t batch_size_ =
      0;  // as the library was told: iterators have an attribute of that name, which programs change
};

}  // namespace

void add_batches(py::module_& m) {
  py::class_<Batches> batches(m, "Batches");
  define_init(batches, &Batches::make);
  batches.def("next", &Batches::next)
      .def_property_readonly("label_width", &Batches::label_width)
      .def("reset", &Batches::reset)
      .def("place", &Batches::place)
      .def("set_place", &Batches::set_place)
      .def("skipped", &Batches::skipped);
}

}  // namespace mixgrad_python
