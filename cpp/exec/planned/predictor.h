// A network with its parameters, ready to predict: named inputs in, numbers out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/names.h"
#include "exec/planned/program.h"
#include "files/named_arrays.h"

namespace mixgrad {

// Arrays of parameters by name; names lose "arg:" and "aux:".
class ParameterMap {
 public:
  // Null when there is none.
  Array* find(const std::string& name) const;
  void set(const std::string& name, ArrayRef array);
  const std::vector<ArrayRef>& arrays() const { return arrays_; }

 private:
  NameTable names_;
  std::vector<ArrayRef> arrays_;  // by number of the name
};
// Entries of a file of parameters: those called "arg:name" or "aux:name", or all when none is called so. Throws
// Status::format for arrays without names.
ParameterMap parameters_of(NamedArrays file);

// What predictors on inputs of different shapes share. Nothing in it changes once there are several.
struct Network : Counted<Network> {
  Symbol symbol;
  ParameterMap parameters;
  Device device;
};

using NamedShapes = std::vector<std::pair<std::string, Shape>>;
using NamedDTypes = std::vector<std::pair<std::string, DType>>;

// Threads: belongs to one thread at a time; several over the same parameters may run at once.
class Predictor {
 public:
  // Inputs begin as the parameters of their names, if there are such of the same shape and dtype, else as zeros, as do
  // variables that are neither (labels). What is not known follows from the rest.
  // Parameters in half precision become float32 where the network takes them so.
  Predictor(const Ref<Network>& network, const NamedShapes& inputs, const NamedDTypes& dtypes);
  // Puts these into the network, for the predictors that follow this first one.
  void share_widened();
  // The same network on inputs of other shapes; this one goes on working.
  std::unique_ptr<Predictor> reshape(const NamedShapes& inputs) const;

  // The same arrays in every run. One that the network finds to be a variable's value is the variable's array.
  const std::vector<ArrayRef>& outputs() const { return outputs_; }
  // An argument or state by name; throws Status::not_found naming near ones.
  Array& variable(const std::string& name) const;

  // Work goes through the engine: returns at once, errors come where outputs are read. Without queues they come here.
  void forward();
  // Runs number `step` of the nodes and returns how many are left. Step 0 begins anew; others have no meaning until those
  // before them have run. A number beyond the last runs all that are left.
  size_t forward_step(size_t step);
  // Throws Status::invalid_argument when there was no run, or the last one has not come to its end.
  void expect_outputs() const;
  // From now on every node is a task of its own, and `watcher` is called for every value that operators make, and with
  // `inputs` also for those they read, by forward() and forward_step(). An empty function ends that. The watcher may not
  // call these functions.
  void watch(ValueWatcher watcher, bool inputs);

 private:
  // Changes nothing if it fails. The first time it makes the outputs.
  void plan(bool watched);
  void begin();

  Ref<Network> network_;
  const Device device_;
  const PassOptions passes_ = default_pass_options();
  Graph graph_;                    // of the symbol, with shapes and dtypes
  std::vector<Array*> variables_;  // arguments, then auxiliary states: the network's, or own_
  std::vector<ArrayRef> own_;      // inputs, and widened parameters
  std::vector<size_t> widened_;    // places in variables_
  std::vector<ArrayRef> outputs_;
  ProgramRun run_;
  size_t next_step_ = 0;
  bool unfinished_ = true;  // no run has come to its end, or the last one has not
  Watch watch_{"predictor"};
};

}  // namespace mixgrad
