// Symbols for Python; see symbol.cc.
#pragma once

#include <pybind11/pybind11.h>

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

 private:
  T* object_;
};

using SymbolHandle = Owner<mg_symbol, mg_symbol_destroy>;
using InferenceHandle = Owner<mg_inference, mg_inference_destroy>;

void add_symbol(pybind11::module_& m);

}  // namespace mixgrad_python
