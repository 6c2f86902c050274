// Symbols for Python; see symbol.cc.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <new>
#include <string>
#include <utility>

#include "exchange.h"
#include "mixgrad/mixgrad.h"

namespace mixgrad_python {

// Owns one object of the C header.
template <class T, void (*kDestroy)(T*)>
class Owner {
 public:
  explicit Owner(T* object) : object_(object) {}
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() { kDestroy(object_); }
  T* get() const { return object_; }
  // Gives it to the caller.
  T* release() { return std::exchange(object_, nullptr); }

 private:
  T* object_;
};

// Takes over an object of the C header, also where there is no memory for its owner.
template <class Handle, class T>
std::unique_ptr<Handle> make_handle(T* object) {
  void* const room = ::operator new(sizeof(Handle), std::nothrow);
  if (room) return std::unique_ptr<Handle>(::new (room) Handle(object));
  const Handle ended(object);
  throw std::bad_alloc();
}
// The same as an object of Python's.
template <class Handle, class T>
pybind11::object own_object(T* object) {
  return object_of(make_handle<Handle>(object));
}

using SymbolHandle = Owner<mg_symbol, mg_symbol_destroy>;
using InferenceHandle = Owner<mg_inference, mg_inference_destroy>;

// What Python's graphs and executors are made with: mx.passes.switch, mx.executor.set_recompute. Guarded by the interpreter's
// lock.
struct GraphSettings {
  std::string passes;     // "": as the environment has them
  std::string recompute;  // "": the same
};
GraphSettings& graph_settings();
// The passes of graphs that are bound now: those settings, and what the environment says as MXNet reads it.
std::string passes_now();

void add_symbol(pybind11::module_& m);

}  // namespace mixgrad_python
