// Operators of Python on arrays: + - * / // % ** @ comparisons, in place and with scalars on either side.
#include "core.h"

namespace mixgrad_python {
namespace {

// The four forms of one binary operator.
struct NumberOp {
  const char* array_name;    // array with array, broadcasting
  const char* scalar_name;   // array with scalar
  const char* reverse_name;  // scalar with array
  const mg_op *array_op, *scalar_op, *reverse_op;
};

enum Which {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kFloor,
  kMod,
  kPow,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kAnd,
  kOr,
  kXor,
  kNumWhich
};
NumberOp table[kNumWhich] = {
    {"broadcast_add", "_plus_scalar", "_plus_scalar", nullptr, nullptr, nullptr},
    {"broadcast_sub", "_minus_scalar", "_rminus_scalar", nullptr, nullptr, nullptr},
    {"broadcast_mul", "_mul_scalar", "_mul_scalar", nullptr, nullptr, nullptr},
    {"broadcast_div", "_div_scalar", "_rdiv_scalar", nullptr, nullptr, nullptr},
    {"broadcast_floor_divide", "_floor_divide_scalar", "_rfloor_divide_scalar", nullptr, nullptr, nullptr},
    {"broadcast_mod", "_mod_scalar", "_rmod_scalar", nullptr, nullptr, nullptr},
    {"broadcast_power", "_power_scalar", "_rpower_scalar", nullptr, nullptr, nullptr},
    {"broadcast_equal", "_equal_scalar", "_equal_scalar", nullptr, nullptr, nullptr},
    {"broadcast_not_equal", "_not_equal_scalar", "_not_equal_scalar", nullptr, nullptr, nullptr},
    {"broadcast_lesser", "_lesser_scalar", "_greater_scalar", nullptr, nullptr, nullptr},
    {"broadcast_lesser_equal", "_lesser_equal_scalar", "_greater_equal_scalar", nullptr, nullptr, nullptr},
    {"broadcast_greater", "_greater_scalar", "_lesser_scalar", nullptr, nullptr, nullptr},
    {"broadcast_greater_equal", "_greater_equal_scalar", "_lesser_equal_scalar", nullptr, nullptr, nullptr},
    {"broadcast_logical_and", "_logical_and_scalar", "_logical_and_scalar", nullptr, nullptr, nullptr},
    {"broadcast_logical_or", "_logical_or_scalar", "_logical_or_scalar", nullptr, nullptr, nullptr},
    {"broadcast_logical_xor", "_logical_xor_scalar", "_logical_xor_scalar", nullptr, nullptr, nullptr},
};
// The same on arrays of NumPy's kind.
NumberOp numpy_table[kNumWhich] = {
    {"_npi_add", "_npi_add_scalar", "_npi_add_scalar", nullptr, nullptr, nullptr},
    {"_npi_subtract", "_npi_subtract_scalar", "_npi_rsubtract_scalar", nullptr, nullptr, nullptr},
    {"_npi_multiply", "_npi_multiply_scalar", "_npi_multiply_scalar", nullptr, nullptr, nullptr},
    {"_npi_true_divide", "_npi_true_divide_scalar", "_npi_rtrue_divide_scalar", nullptr, nullptr, nullptr},
    {"broadcast_floor_divide", "_floor_divide_scalar", "_rfloor_divide_scalar", nullptr, nullptr, nullptr},
    {"_npi_mod", "_npi_mod_scalar", "_npi_rmod_scalar", nullptr, nullptr, nullptr},
    {"_npi_power", "_npi_power_scalar", "_npi_rpower_scalar", nullptr, nullptr, nullptr},
    {"_npi_equal", "_npi_equal_scalar", "_npi_equal_scalar", nullptr, nullptr, nullptr},
    {"_npi_not_equal", "_npi_not_equal_scalar", "_npi_not_equal_scalar", nullptr, nullptr, nullptr},
    {"_npi_less", "_npi_less_scalar", "_npi_greater_scalar", nullptr, nullptr, nullptr},
    {"_npi_less_equal", "_npi_less_equal_scalar", "_npi_greater_equal_scalar", nullptr, nullptr, nullptr},
    {"_npi_greater", "_npi_greater_scalar", "_npi_less_scalar", nullptr, nullptr, nullptr},
    {"_npi_greater_equal", "_npi_greater_equal_scalar", "_npi_less_equal_scalar", nullptr, nullptr, nullptr},
    {"_npi_bitwise_and", "_npi_bitwise_and_scalar", "_npi_bitwise_and_scalar", nullptr, nullptr, nullptr},
    {"_npi_bitwise_or", "_npi_bitwise_or_scalar", "_npi_bitwise_or_scalar", nullptr, nullptr, nullptr},
    {"_npi_bitwise_xor", "_npi_bitwise_xor_scalar", "_npi_bitwise_xor_scalar", nullptr, nullptr, nullptr},
};
const mg_op *negative_op = nullptr, *abs_op = nullptr, *numpy_negative_op = nullptr, *numpy_abs_op = nullptr;

// Of arrays of NumPy's kind, what the operators refuse (operands of two dtypes, lists) and numbers that integers do not hold
// go to this function of the package: numpy_other(operator, a, b, into or None).
PyObject* numpy_other = nullptr;

bool is_numpy(PyObject* object) { return is_numpy_class(Py_TYPE(object)); }

PyObject* call_op(const mg_op* op, int num_inputs, mg_array* const* inputs, const mg_value* scalar,
                  PyObject* into, PyTypeObject* cls) {
  static const char* const names[] = {"scalar"};
  mg_array* out = into ? handle_of(into) : nullptr;
  int32_t num_outputs = 1;
  const mg_status status =
      mg_op_call(op, num_inputs, inputs, scalar ? 1 : 0, names, scalar, &num_outputs, &out);
  if (status) return raise_status(status);
  if (into) {
    Py_INCREF(into);
    return into;
  }
  return wrap_array(out, cls);
}

// True when `object` is a number that can stand for a scalar operand.
bool read_scalar(PyObject* object, mg_value* out) {
  if (PyFloat_Check(object)) {
    out->kind = MG_VALUE_REAL;
    out->as.real = PyFloat_AS_DOUBLE(object);
    return true;
  }
  if (PyBool_Check(object) || PyLong_Check(object)) {
    int overflow = 0;
    const long long v = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow) {
      out->kind = MG_VALUE_REAL;
      out->as.real = PyLong_AsDouble(object);
      if (PyErr_Occurred()) {  // beyond every double: the infinity of that sign
        PyErr_Clear();
        out->as.real = overflow > 0 ? Py_HUGE_VAL : -Py_HUGE_VAL;
      }
    } else {
      out->kind = MG_VALUE_INTEGER;
      out->as.integer = v;
    }
    return true;
  }
  // NumPy scalars: numbers that are neither sequences nor arrays.
  if (PyNumber_Check(object) && !PySequence_Check(object) && !PyComplex_Check(object)) {
    PyObject* real = PyNumber_Float(object);
    if (!real) {
      PyErr_Clear();
      return false;
    }
    out->kind = MG_VALUE_REAL;
    out->as.real = PyFloat_AS_DOUBLE(real);
    Py_DECREF(real);
    if (PyIndex_Check(object)) {
      PyObject* whole = PyNumber_Index(object);
      if (whole) {
        out->kind = MG_VALUE_INTEGER;
        out->as.integer = PyLong_AsLongLong(whole);
        Py_DECREF(whole);
      }
      PyErr_Clear();
    }
    return true;
  }
  return false;
}

PyObject* call_numpy_other(const NumberOp& op, PyObject* a, PyObject* b, PyObject* into) {
  return PyObject_CallFunction(numpy_other, "sOOO", op.array_name, a, b, into ? into : Py_None);
}

// Whether elements of that type take the number as it is, and the operator, whose parameter is a double, too.
bool takes(int32_t dtype, Which which, const mg_value& scalar, PyObject* number) {
  constexpr int64_t kExact = int64_t{1} << 53;
  const bool compares = which >= kEq && which <= kGe, bits = which >= kAnd;
  const bool whole = scalar.kind == MG_VALUE_INTEGER;
  int64_t low = -kExact, high = kExact;
  switch (dtype) {
    case MG_DTYPE_INT8: low = INT8_MIN, high = INT8_MAX; break;
    case MG_DTYPE_UINT8: low = 0, high = UINT8_MAX; break;
    case MG_DTYPE_INT32: low = INT32_MIN, high = INT32_MAX; break;
    case MG_DTYPE_INT64: break;
    case MG_DTYPE_BOOL:
      if (bits && !PyBool_Check(number)) return false;
      break;
    default: return true;
  }
  if (which == kDiv || (compares && dtype != MG_DTYPE_INT64)) return true;
  if (!whole) return compares || (!bits && scalar.as.real > low - 1.0 && scalar.as.real < high + 1.0);
  return scalar.as.integer >= low && scalar.as.integer <= high;
}

// One of the two is an array of NumPy's kind.
PyObject* numpy_binary(Which which, PyObject* a, PyObject* b, PyObject* into) {
  const NumberOp& op = numpy_table[which];
  mg_array *in[2] = {nullptr, nullptr}, *out = into ? handle_of(into) : nullptr;
  mg_value scalar{};
  const mg_op* called = op.array_op;
  int num_inputs = 0, num_scalars = 0;
  if (is_array(a)) in[num_inputs++] = handle_of(a);
  if (is_array(b)) in[num_inputs++] = handle_of(b);
  if (num_inputs < 2) {
    const bool array_first = is_array(a);
    PyObject* number = array_first ? b : a;
    if (!read_scalar(number, &scalar) || !takes(mg_array_get_dtype(in[0]), which, scalar, number))
      return call_numpy_other(op, a, b, into);
    called = array_first ? op.scalar_op : op.reverse_op;
    num_scalars = 1;
  }
  static const char* const names[] = {"scalar"};
  int32_t num_outputs = 1;
  const mg_status status =
      mg_op_call(called, num_inputs, in, num_scalars, names, &scalar, &num_outputs, &out);
  if (status == MG_STATUS_DTYPE && !PyErr_Occurred()) return call_numpy_other(op, a, b, into);
  if (status) return raise_status(status);
  if (!into) return wrap_array(out, numpy_class);
  Py_INCREF(into);
  return into;
}

// `array_first`: array op other, otherwise other op array. Falls back to NotImplemented.
PyObject* mixed(const NumberOp& op, PyObject* array, PyObject* other, bool array_first, PyObject* into) {
  mg_value scalar{};
  mg_array* in[1] = {handle_of(array)};
  if (read_scalar(other, &scalar))
    return call_op(array_first ? op.scalar_op : op.reverse_op, 1, in, &scalar, into, class_of(array));
  // NumPy arrays and the like become arrays beside this one.
  if (PyObject_HasAttrString(other, "__array_interface__")) {
    PyObject* converted = PyObject_CallMethod(array, "_beside", "O", other);
    if (!converted) return nullptr;
    mg_array* both[2] = {in[0], handle_of(converted)};
    if (!array_first) both[0] = handle_of(converted), both[1] = in[0];
    PyObject* result = call_op(op.array_op, 2, both, nullptr, into, class_of(array));
    Py_DECREF(converted);
    return result;
  }
  Py_RETURN_NOTIMPLEMENTED;
}

PyObject* binary(Which which, PyObject* a, PyObject* b) {
  if (numpy_class && (is_numpy(a) || is_numpy(b))) return numpy_binary(which, a, b, nullptr);
  const NumberOp& op = table[which];
  if (is_array(a)) {
    if (is_array(b)) {
      mg_array* in[2] = {handle_of(a), handle_of(b)};
      return call_op(op.array_op, 2, in, nullptr, nullptr, class_of(class_of(a), b));
    }
    return mixed(op, a, b, true, nullptr);
  }
  return mixed(op, b, a, false, nullptr);
}

PyObject* in_place(Which which, PyObject* a, PyObject* b) {
  if (numpy_class && is_numpy(a)) return numpy_binary(which, a, b, a);
  const NumberOp& op = table[which];
  if (is_array(b)) {
    mg_array* in[2] = {handle_of(a), handle_of(b)};
    return call_op(op.array_op, 2, in, nullptr, a, nullptr);
  }
  return mixed(op, a, b, true, a);
}

template <Which kWhich>
PyObject* slot(PyObject* a, PyObject* b) {
  return binary(kWhich, a, b);
}
template <Which kWhich>
PyObject* slot_in_place(PyObject* a, PyObject* b) {
  PyObject* result = in_place(kWhich, a, b);
  if (result != Py_NotImplemented || (kWhich != kAdd && kWhich != kMul)) return result;
  // Python gives classes derived from this type these two as slots of sequences, too, whose result it takes as it is.
  Py_DECREF(result);
  return kWhich == kAdd ? PyNumber_Add(a, b) : PyNumber_Multiply(a, b);
}
PyObject* slot_power(PyObject* a, PyObject* b, PyObject* modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  return binary(kPow, a, b);
}
PyObject* slot_power_in_place(PyObject* a, PyObject* b, PyObject*) { return in_place(kPow, a, b); }

PyObject* slot_negative(PyObject* a) {
  if (is_numpy(a) && mg_array_get_dtype(handle_of(a)) == MG_DTYPE_BOOL) {  // as int64, as in MXNet
    const Owned minus(PyLong_FromLong(-1));
    return minus.object ? numpy_binary(kMul, a, minus.object, nullptr) : nullptr;
  }
  mg_array* in[1] = {handle_of(a)};
  return call_op(is_numpy(a) ? numpy_negative_op : negative_op, 1, in, nullptr, nullptr, class_of(a));
}
PyObject* slot_positive(PyObject* a) {
  Py_INCREF(a);
  return a;
}
PyObject* slot_absolute(PyObject* a) {
  mg_array* in[1] = {handle_of(a)};
  return call_op(is_numpy(a) ? numpy_abs_op : abs_op, 1, in, nullptr, nullptr, class_of(a));
}

PyObject* compare(PyObject* a, PyObject* b, int how) {
  static const Which by_how[] = {kLt, kLe, kEq, kNe, kGt, kGe};
  if (b == Py_None) {
    if (how == Py_EQ) Py_RETURN_FALSE;
    if (how == Py_NE) Py_RETURN_TRUE;
  }
  return binary(by_how[how], a, b);
}

bool find(const char* name, const mg_op** place) {
  if (mg_op_find(name, place) == MG_STATUS_OK) return true;
  PyErr_SetString(PyExc_ImportError, mg_last_error());
  return false;
}

bool find_all(NumberOp (&ops)[kNumWhich]) {
  for (NumberOp& op : ops) {
    if (!find(op.array_name, &op.array_op) || !find(op.scalar_name, &op.scalar_op) ||
        !find(op.reverse_name, &op.reverse_op))
      return false;
  }
  return true;
}

}  // namespace

PyTypeObject* numpy_class = nullptr;

PyType_Slot array_number_slots[] = {
    {Py_nb_add, reinterpret_cast<void*>(slot<kAdd>)},
    {Py_nb_subtract, reinterpret_cast<void*>(slot<kSub>)},
    {Py_nb_multiply, reinterpret_cast<void*>(slot<kMul>)},
    {Py_nb_true_divide, reinterpret_cast<void*>(slot<kDiv>)},
    {Py_nb_floor_divide, reinterpret_cast<void*>(slot<kFloor>)},
    {Py_nb_remainder, reinterpret_cast<void*>(slot<kMod>)},
    {Py_nb_power, reinterpret_cast<void*>(slot_power)},
    {Py_nb_and, reinterpret_cast<void*>(slot<kAnd>)},
    {Py_nb_or, reinterpret_cast<void*>(slot<kOr>)},
    {Py_nb_xor, reinterpret_cast<void*>(slot<kXor>)},
    {Py_nb_inplace_add, reinterpret_cast<void*>(slot_in_place<kAdd>)},
    {Py_nb_inplace_subtract, reinterpret_cast<void*>(slot_in_place<kSub>)},
    {Py_nb_inplace_multiply, reinterpret_cast<void*>(slot_in_place<kMul>)},
    {Py_nb_inplace_true_divide, reinterpret_cast<void*>(slot_in_place<kDiv>)},
    {Py_nb_inplace_floor_divide, reinterpret_cast<void*>(slot_in_place<kFloor>)},
    {Py_nb_inplace_remainder, reinterpret_cast<void*>(slot_in_place<kMod>)},
    {Py_nb_inplace_power, reinterpret_cast<void*>(slot_power_in_place)},
    {Py_nb_negative, reinterpret_cast<void*>(slot_negative)},
    {Py_nb_positive, reinterpret_cast<void*>(slot_positive)},
    {Py_nb_absolute, reinterpret_cast<void*>(slot_absolute)},
    {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
    {Py_tp_hash, reinterpret_cast<void*>(_Py_HashPointer)},
    {0, nullptr}};

int find_number_operators() {
  return find_all(table) && find("negative", &negative_op) && find("abs", &abs_op) ? 0 : -1;
}

int set_numpy_class(PyObject* cls, PyObject* other) {
  if (!find_all(numpy_table) || !find("_npi_negative", &numpy_negative_op) ||
      !find("_npi_abs", &numpy_abs_op))
    return -1;
  if (add_array_class(cls, true) != 0) return -1;
  Py_INCREF(other);
  numpy_other = other;
  numpy_class = reinterpret_cast<PyTypeObject*>(cls);
  return 0;
}

}  // namespace mixgrad_python
