// NDArray.reshape and astype.
#include "paths.h"

namespace mixgrad_python {

// reshape(self, *shape, **kwargs)
PyObject* reshape_path(FunctionObject*, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  if (keywords || count < 2 || count > kMostAxes || !is_array(args[0])) return declined();
  Extents codes;
  if (count == 2) {
    if (!read_extents(args[1], &codes)) return declined();
  } else {
    codes.count = static_cast<int>(count) - 1;
    for (int i = 0; i < codes.count; ++i) {
      if (!read_extent(args[i + 1], &codes.items[i])) return declined();
    }
  }
  mg_array* array = handle_of(args[0]);
  int64_t shape[kMostAxes];
  int32_t ndim = 0;
  mg_status status = mg_shape_resolve(mg_array_get_shape(array), mg_array_get_ndim(array), codes.items,
                                      codes.count, 0, shape, &ndim);
  mg_array* view = nullptr;
  if (!status) status = mg_array_reshape(array, shape, ndim, &view);
  return status ? raise_status(status) : wrap_array(view, class_of(args[0]));
}

// astype(self, dtype, copy)
PyObject* astype_path(FunctionObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  static const mg_op* cast = nullptr;
  PyObject* places[3] = {};
  int kind = MG_DTYPE_FLOAT32;
  if (!sort_arguments(self, args, count, keywords, places)) return declined();
  if (!places[0] || !is_array(places[0]) || !places[1] || !read_dtype(places[1], &kind)) return declined();
  if (places[2] && places[2] != Py_True) return declined();
  if (!cast && mg_op_find("Cast", &cast)) return raise_status(MG_STATUS_NOT_FOUND);
  static const char* const names[] = {"dtype"};
  const mg_value dtype = value_of(dtype_name(kind));
  return call_simple(cast, places[0], 1, names, &dtype);
}

}  // namespace mixgrad_python
