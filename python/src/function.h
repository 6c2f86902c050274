// Functions of Python with a path in C before them: `path` takes the calls that scripts usually make, and declines all others,
// which the function of Python gets as they were made. The function gives the signature, the documentation, every conversion
// that is rare and every message about arguments; so a path reads arguments and reports no fault of theirs.
#pragma once

#include "core.h"

namespace mixgrad_python {

struct FunctionObject;
// As vectorcall, `count` without the flag. declined(): the function of Python is to be called.
using Path = PyObject* (*)(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords);
inline PyObject* declined() { return Py_NotImplemented; }  // borrowed

constexpr int kMostArguments = 56;

// An argument of the function of Python, in the order of its signature.
struct Argument {
  PyObject* name;       // interned
  PyObject* value;      // by default; null when there is none
  int input;            // place among the operator's inputs, or -1
  const char* param;    // name of the operator's parameter, or null
  bool none_is_absent;  // None is this parameter's default
  bool is_device;       // a device by name, which the function of Python puts in force
};

struct FunctionObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* function;
  PyObject* attributes;
  PyObject* weak_references;
  Path path;
  PyObject* op;  // of an operator's function: its Op
  Argument* arguments;
  int num_arguments;
  int num_positional;  // the first of the arguments
  int num_inputs;      // of the operator
  int out, name;       // their places in `arguments`, or -1
  bool variadic;
  const char* count_param;  // variadic: the parameter that is the number of inputs, or null
};

// Sorts the call's arguments into `places`, which begin as null, one for each of `self->arguments`. False: declined.
bool sort_arguments(const FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords,
                    PyObject** places);

// The path of that name, or null: _core.quick("name") in front of a function of Python.
Path find_path(const char* name);

int add_function(PyObject* module);

}  // namespace mixgrad_python
