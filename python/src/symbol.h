// Symbols for Python; see symbol.cc.
#pragma once

#include <pybind11/pybind11.h>

#include "mixgrad/mixgrad.h"

namespace mixgrad_python {

// Owns one mg_symbol.
class SymbolHandle {
 public:
  explicit SymbolHandle(mg_symbol* symbol) : symbol_(symbol) {}
  SymbolHandle(const SymbolHandle&) = delete;
  SymbolHandle& operator=(const SymbolHandle&) = delete;
  ~SymbolHandle() { mg_symbol_destroy(symbol_); }
  mg_symbol* get() const { return symbol_; }

 private:
  mg_symbol* symbol_;
};

// Owns one mg_inference.
class InferenceHandle {
 public:
  explicit InferenceHandle(mg_inference* inference) : inference_(inference) {}
  InferenceHandle(const InferenceHandle&) = delete;
  InferenceHandle& operator=(const InferenceHandle&) = delete;
  ~InferenceHandle() { mg_inference_destroy(inference_); }
  mg_inference* get() const { return inference_; }

 private:
  mg_inference* inference_;
};

void add_symbol(pybind11::module_& m);

}  // namespace mixgrad_python
