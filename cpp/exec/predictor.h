// A network with its parameters, ready to predict: named inputs in, numbers out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "array/named_arrays.h"
#include "base/names.h"
#include "exec/executor.h"

namespace mixgrad {

// Arrays of parameters by name; names lose "arg:" and "aux:".
class ParameterMap {
 public:
  // Null when there is none.
  ArrayRef find(const std::string& name) const;
  void set(const std::string& name, ArrayRef array);
  const std::vector<ArrayRef>& arrays() const { return arrays_; }

 private:
  NameTable names_;
  std::vector<ArrayRef> arrays_;  // by number of the name
};
// Entries of a file of parameters: those called "arg:name" or "aux:name", or all when none is called so. Throws
// Status::format for arrays without names.
ParameterMap parameters_of(NamedArrays file);

using NamedShapes = std::vector<std::pair<std::string, Shape>>;
using NamedDTypes = std::vector<std::pair<std::string, DType>>;

// Threads: belongs to one thread at a time; several over the same parameters may run at once.
class Predictor {
 public:
  // Variables that are neither in `inputs` nor in `parameters` (labels) are zeros. What is not known follows from the rest.
  Predictor(const Symbol& symbol, ParameterMap parameters, const NamedShapes& inputs,
            const NamedDTypes& dtypes, Device device);
  ~Predictor();
  // The same network and parameters on inputs of other shapes; this one goes on working.
  std::unique_ptr<Predictor> reshape(const NamedShapes& inputs) const;

  // What it was given, as float32 where the network computes so.
  const ParameterMap& parameters() const { return parameters_; }
  Executor& executor() { return *executor_; }
  const std::vector<ArrayRef>& outputs() const { return executor_->outputs(); }
  // An argument by name; throws Status::not_found naming near ones.
  Array& argument(const std::string& name) const;

 private:
  ParameterMap parameters_;
  Strings arguments_;
  std::unique_ptr<Executor> executor_;
};

}  // namespace mixgrad
