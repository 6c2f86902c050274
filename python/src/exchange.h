// What the files written with pybind11 share: statuses as exceptions, arrays as objects, functions of Python that the
// library calls back.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core.h"
#include "interpreter.h"

namespace mixgrad_python {

using Objects = std::vector<pybind11::object>;

// Throws the Python exception that fits.
void check_status(mg_status status);
// The path as C text; a zero byte would cut it short.
const char* path_text(const std::string& path);

// Text that the library lends, as a string that keeps it.
std::string take_text(char* text);

// An object that takes over the handle; None for null.
pybind11::object own_array(mg_array* array, PyTypeObject* cls = usual_class);
// The handle, borrowed. What is no array is a TypeError that begins with [who].
mg_array* array_handle(const pybind11::handle& object, const char* who);
// The same of many; null for None where `allow_none`.
std::vector<mg_array*> array_handles(const Objects& objects, const char* who, bool allow_none = false);

// Open while a function of the library runs that may call functions of Python. What these raise in this thread is kept
// here, on the caller's stack, since the library passes on no more than a status. Scopes nest: a function that was called
// back may call the library.
class CallbackScope {
 public:
  CallbackScope();
  ~CallbackScope();
  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;

  // Throws what was kept if the call failed; without that, what fits the status.
  void check(mg_status status) const;

  // Runs fn() under the interpreter's lock. What it throws is kept for the innermost scope of this thread.
  template <class Fn>
  static mg_status guard(Fn&& fn) {
    const Inside inside;
    if (!inside) return no_interpreter();
    try {
      fn();
      return MG_STATUS_OK;
    } catch (const std::exception& error) {
      return keep(error);
    }
  }

 private:
  static mg_status keep(const std::exception& error);  // inside the handler that caught it
  static mg_status no_interpreter();

  CallbackScope* const outer_;
  std::exception_ptr kept_;
};

// Calls fn(), which returns a status, without the interpreter's lock.
template <class Fn>
void call_unlocked(Fn&& fn) {
  const CallbackScope scope;
  mg_status status;
  {
    const Outside outside;
    status = fn();
  }
  scope.check(status);
}

// Gives an object of Python's its object of C++. As pybind11 does, but for want of memory in the middle: there it frees
// the object twice, or ends the process.
template <class T>
void adopt_object(pybind11::detail::value_and_holder& self, std::unique_ptr<T> made) {
  self.value_ptr() = made.get();
  try {
    self.type->init_instance(self.inst, nullptr);
  } catch (...) {
    self.value_ptr() = nullptr;
    throw;
  }
  static_cast<void>(made.release());
}
template <class T>
pybind11::object object_of(std::unique_ptr<T> made) {
  auto* const type = reinterpret_cast<PyTypeObject*>(pybind11::type::of<T>().ptr());
  auto self = pybind11::reinterpret_steal<pybind11::object>(pybind11::detail::make_new_instance(type));
  if (!self) throw pybind11::error_already_set();
  auto place = reinterpret_cast<pybind11::detail::instance*>(self.ptr())
                   ->get_value_and_holder(pybind11::detail::get_type_info(type));
  adopt_object(place, std::move(made));
  return self;
}
// Defines __init__ by a function that makes the object.
template <class T, class... Args>
void define_init(pybind11::class_<T>& type, std::unique_ptr<T> (*make)(Args...)) {
  type.def(
      "__init__",
      [make](pybind11::detail::value_and_holder& self, Args... args) {
        adopt_object(self, make(std::forward<Args>(args)...));
      },
      pybind11::detail::is_new_style_constructor());
}

// Whether the object of C++ behind `self` exists: its __init__ may not have run, or have failed.
bool is_constructed(PyObject* self);

// Shows the garbage collector the Python function that a T holds, T::callback(), so that a function which refers to the
// object that calls it keeps neither of them alive. T::forget() gives the function back. An argument of py::class_<T>.
template <class T>
pybind11::custom_type_setup collected_with_callback() {
  return pybind11::custom_type_setup([](PyHeapTypeObject* heap_type) {
    PyTypeObject* type = &heap_type->ht_type;
    type->tp_flags |= Py_TPFLAGS_HAVE_GC;
    type->tp_traverse = [](PyObject* self, visitproc visit, void* arg) {
      Py_VISIT(Py_TYPE(self));
      if (is_constructed(self)) Py_VISIT(pybind11::cast<T&>(pybind11::handle(self)).callback().ptr());
      return 0;
    };
    type->tp_clear = [](PyObject* self) {
      if (is_constructed(self)) pybind11::cast<T&>(pybind11::handle(self)).forget();
      return 0;
    };
  });
}

}  // namespace mixgrad_python
