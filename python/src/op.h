// _core.Op: what the functions of operators share.
#pragma once

#include <string>
#include <vector>

#include "core.h"

namespace mixgrad_python {

constexpr int kMaxInputs = 64;
constexpr int kMaxOutputs = 64;
constexpr int kMaxParams = 48;

// An operator with its parameter names, looked up once when the Python module is imported.
struct OpObject {
  PyObject_HEAD const mg_op* op;
  std::vector<std::string>* names;
  std::vector<bool>* none_default;  // None is this parameter's default
  int room;                         // for outputs
  PyTypeObject* result;             // class of what it makes; null: as the operands have it
};
PyTypeObject* op_object_type();

// Applies the operator. `cls`: the class of new arrays if the operator has none of its own. `outputs` and `objects` have room for op->room: arrays to write and their objects, or null. Gives an
// object, or a list of them.
PyObject* apply_op(const OpObject* op, int num_inputs, mg_array* const* inputs, int num_values,
                   const char* const* names, const mg_value* values, mg_array** outputs, PyObject** objects,
                   PyTypeObject* cls);

}  // namespace mixgrad_python
