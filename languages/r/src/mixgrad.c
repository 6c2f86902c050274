/* What R calls: handles are external pointers that the garbage collector frees; failures become R errors. Memory of R_alloc
 * ends with the call, also when it fails. */
#include <R.h>
#include <R_ext/Rdynload.h>
#include <Rinternals.h>
#include <pthread.h>
#include <string.h>

#include "mixgrad/mixgrad.h"

static void check(mg_status status) {
  if (status != MG_STATUS_OK) Rf_error("%s", mg_last_error());
}

static int is_handle(SEXP pointer, const char* kind) {
  return TYPEOF(pointer) == EXTPTRSXP && R_ExternalPtrTag(pointer) == Rf_install(kind);
}

static void refuse_handle(SEXP pointer, const char* kind) {
  if (!is_handle(pointer, kind))
    Rf_error("[mixgrad] expected an object of kind %s; got something else", kind);
  Rf_error("[mixgrad] this %s %s", kind,
           R_ExternalPtrProtected(pointer) == Rf_install("closed")
               ? "was closed and cannot be used any more"
               : "belongs to an earlier session of R, which took what it held along");
}

#define HANDLE(type)                                                                               \
  static void free_##type(SEXP pointer) {                                                          \
    mg_##type##_destroy((mg_##type*)R_ExternalPtrAddr(pointer));                                   \
    R_ClearExternalPtr(pointer);                                                                   \
  }                                                                                                \
  static SEXP own_##type(mg_##type* handle, const char* class_name) {                              \
    SEXP out;                                                                                      \
    if (!handle) return R_NilValue;                                                                \
    out = PROTECT(R_MakeExternalPtr(handle, Rf_install(#type), R_NilValue));                       \
    R_RegisterCFinalizerEx(out, free_##type, TRUE);                                                \
    Rf_setAttrib(out, R_ClassSymbol, Rf_mkString(class_name));                                     \
    UNPROTECT(1);                                                                                  \
    return out;                                                                                    \
  }                                                                                                \
  static mg_##type* type##_of(SEXP pointer) {                                                      \
    mg_##type* handle = is_handle(pointer, #type) ? (mg_##type*)R_ExternalPtrAddr(pointer) : NULL; \
    if (!handle) refuse_handle(pointer, #type);                                                    \
    return handle;                                                                                 \
  }                                                                                                \
  static SEXP r_close_##type(SEXP pointer) {                                                       \
    if (!is_handle(pointer, #type)) refuse_handle(pointer, #type);                                 \
    if (R_ExternalPtrAddr(pointer)) R_SetExternalPtrProtected(pointer, Rf_install("closed"));      \
    free_##type(pointer);                                                                          \
    return R_NilValue;                                                                             \
  }
HANDLE(array)
HANDLE(symbol)
HANDLE(executor)

static SEXP own(mg_array* handle) { return own_array(handle, "MXNDArray"); }

static const char* text_of(SEXP text) {
  if (TYPEOF(text) != STRSXP || Rf_length(text) != 1) Rf_error("[mixgrad] expected one piece of text");
  return Rf_translateCharUTF8(STRING_ELT(text, 0));
}

static mg_device device_of(SEXP device) {
  mg_device out;
  out.kind = INTEGER(device)[0];
  out.id = INTEGER(device)[1];
  return out;
}

static int64_t* shape_of(SEXP shape, int32_t* ndim) {
  int64_t* out;
  int i;
  *ndim = Rf_length(shape);
  out = (int64_t*)R_alloc((size_t)*ndim + 1, sizeof *out);
  for (i = 0; i < *ndim; ++i) out[i] = (int64_t)REAL(shape)[i];
  return out;
}

static SEXP shape_to(const int64_t* extents, int32_t ndim) {
  SEXP out = PROTECT(Rf_allocVector(REALSXP, ndim));
  int32_t i;
  for (i = 0; i < ndim; ++i) REAL(out)[i] = (double)extents[i];
  UNPROTECT(1);
  return out;
}

/* Doubles of R as a float64 array. */
static SEXP r_array(SEXP values, SEXP shape, SEXP device) {
  int32_t ndim;
  const int64_t* extents = shape_of(shape, &ndim);
  int64_t size = 1;
  mg_array* out = NULL;
  int32_t i;
  for (i = 0; i < ndim; ++i) size *= extents[i];
  if (size != (int64_t)XLENGTH(values))
    Rf_error("[mx.nd.array] expected %.0f values, got %.0f", (double)size, (double)XLENGTH(values));
  check(mg_array_create_from(REAL(values), extents, ndim, MG_DTYPE_FLOAT64, device_of(device), &out));
  return own(out);
}

/* The values of a float64 array. Blocks. */
static SEXP r_values(SEXP array) {
  mg_array* a = array_of(array);
  const int64_t size = mg_array_get_size(a);
  SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)size));
  check(mg_array_copy_to(a, REAL(out), (size_t)size * sizeof(double)));
  UNPROTECT(1);
  return out;
}

static SEXP r_shape(SEXP array) {
  mg_array* a = array_of(array);
  return shape_to(mg_array_get_shape(a), mg_array_get_ndim(a));
}
static SEXP r_dtype(SEXP array) { return Rf_ScalarInteger(mg_array_get_dtype(array_of(array))); }
static SEXP r_slice(SEXP array, SEXP begin, SEXP end) {
  mg_array* out = NULL;
  check(mg_array_slice(array_of(array), (int64_t)Rf_asReal(begin), (int64_t)Rf_asReal(end), &out));
  return own(out);
}
static SEXP r_copy(SEXP source, SEXP target) {
  check(mg_array_copy(array_of(source), array_of(target)));
  return R_NilValue;
}

/* A list of NULL and arrays as handles. */
static mg_array** arrays_of(SEXP list, int32_t* count) {
  mg_array** out;
  int32_t i;
  *count = Rf_length(list);
  out = (mg_array**)R_alloc((size_t)*count + 1, sizeof *out);
  for (i = 0; i < *count; ++i) {
    SEXP item = VECTOR_ELT(list, i);
    out[i] = item == R_NilValue ? NULL : array_of(item);
  }
  return out;
}

static void set_number(mg_value* value, const char* kind, double number) {
  if (strncmp(kind, "float", 5) == 0) {
    value->kind = MG_VALUE_REAL;
    value->as.real = number;
  } else {
    value->kind = strcmp(kind, "bool") == 0 ? MG_VALUE_BOOLEAN : MG_VALUE_INTEGER;
    value->as.integer = (int64_t)number;
  }
}

/* A list of parameters, and their kinds, as the C header takes them. */
static mg_value* values_of(SEXP params, SEXP kinds) {
  const int count = Rf_length(params);
  mg_value* out = (mg_value*)R_alloc((size_t)count + 1, sizeof *out);
  int i, j;
  memset(out, 0, (size_t)count * sizeof *out);
  for (i = 0; i < count; ++i) {
    SEXP item = VECTOR_ELT(params, i);
    const char* kind = CHAR(STRING_ELT(kinds, i));
    if (item == R_NilValue) {
      out[i].kind = strcmp(kind, "none") == 0 ? MG_VALUE_NONE
                                              : MG_VALUE_TUPLE; /* an empty tuple unless None is meant */
    } else if (TYPEOF(item) == STRSXP) {
      out[i].kind = MG_VALUE_STRING;
      out[i].as.string = text_of(item);
    } else if (strcmp(kind, "ints") == 0 || strcmp(kind, "floats") == 0) {
      mg_value* items = (mg_value*)R_alloc((size_t)Rf_length(item) + 1, sizeof *items);
      memset(items, 0, (size_t)Rf_length(item) * sizeof *items);
      for (j = 0; j < Rf_length(item); ++j) set_number(&items[j], kind, REAL(item)[j]);
      out[i].kind = MG_VALUE_TUPLE;
      out[i].num_items = (int32_t)Rf_length(item);
      out[i].as.items = items;
    } else {
      set_number(&out[i], kind, Rf_asReal(item));
    }
  }
  return out;
}

static const char** names_of(SEXP names) {
  const int count = Rf_length(names);
  const char** out = (const char**)R_alloc((size_t)count + 1, sizeof *out);
  int i;
  for (i = 0; i < count; ++i) out[i] = Rf_translateCharUTF8(STRING_ELT(names, i));
  return out;
}

/* Applies an operator; `target`, if not NULL, is the array that receives the one output. */
static SEXP r_apply(SEXP name, SEXP inputs, SEXP names, SEXP params, SEXP kinds, SEXP target) {
  const mg_op* op = NULL;
  int32_t count, num_inputs, num_outputs, i;
  mg_array** given = arrays_of(inputs, &count);
  mg_array** results;
  const char** param_names = names_of(names);
  const mg_value* values = values_of(params, kinds);
  SEXP out;
  check(mg_op_find(text_of(name), &op));
  while (count > 0 && !given[count - 1]) --count;
  check(mg_op_arity(op, Rf_length(params), param_names, values, &num_inputs, &num_outputs));
  results = (mg_array**)R_alloc((size_t)num_outputs + 1, sizeof *results);
  memset(results, 0, (size_t)num_outputs * sizeof *results);
  if (target != R_NilValue) results[0] = array_of(target);
  check(mg_op_call(op, count, given, Rf_length(params), param_names, values, &num_outputs, results));
  if (target != R_NilValue) return target;
  out = PROTECT(Rf_allocVector(VECSXP, num_outputs));
  for (i = 0; i < num_outputs; ++i) SET_VECTOR_ELT(out, i, own(results[i]));
  UNPROTECT(1);
  return out;
}

static SEXP r_node(SEXP op_name, SEXP inputs, SEXP names, SEXP params, SEXP kinds, SEXP node_name) {
  const mg_op* op = NULL;
  const int count = Rf_length(inputs);
  const mg_symbol** handles = (const mg_symbol**)R_alloc((size_t)count + 1, sizeof *handles);
  const char** input_names = (const char**)R_alloc((size_t)count + 1, sizeof *input_names);
  int32_t used = 0, variadic, i;
  mg_symbol* out = NULL;
  check(mg_op_find(text_of(op_name), &op));
  variadic = mg_op_has(op, "variadic");
  for (i = 0; i < count; ++i) {
    SEXP item = VECTOR_ELT(inputs, i);
    if (item == R_NilValue) continue;
    handles[used] = symbol_of(item);
    if (!variadic) {
      mg_port_info info;
      info.size = sizeof info;
      check(mg_op_get_input(op, i, &info));
      input_names[used] = info.name;
    }
    ++used;
  }
  check(mg_symbol_call(op, node_name == R_NilValue ? NULL : text_of(node_name), used,
                       variadic ? NULL : input_names, handles, Rf_length(params), names_of(names),
                       values_of(params, kinds), 0, NULL, NULL, &out));
  return own_symbol(out, "MXSymbol");
}

static SEXP r_variable(SEXP name) {
  mg_symbol* out = NULL;
  check(mg_symbol_create_variable(text_of(name), 0, NULL, NULL, &out));
  return own_symbol(out, "MXSymbol");
}
static SEXP r_group(SEXP symbols) {
  const int count = Rf_length(symbols);
  const mg_symbol** handles = (const mg_symbol**)R_alloc((size_t)count + 1, sizeof *handles);
  mg_symbol* out = NULL;
  int i;
  for (i = 0; i < count; ++i) handles[i] = symbol_of(VECTOR_ELT(symbols, i));
  check(mg_symbol_group(count, handles, &out));
  return own_symbol(out, "MXSymbol");
}
static SEXP r_symbol_load(SEXP path) {
  mg_symbol* out = NULL;
  check(mg_symbol_load(text_of(path), &out));
  return own_symbol(out, "MXSymbol");
}
static SEXP r_symbol_from_json(SEXP text) {
  const char* json = text_of(text);
  mg_symbol* out = NULL;
  check(mg_symbol_from_json(json, strlen(json), NULL, &out));
  return own_symbol(out, "MXSymbol");
}
static SEXP r_symbol_save(SEXP symbol, SEXP path) {
  check(mg_symbol_save(symbol_of(symbol), text_of(path)));
  return R_NilValue;
}
static SEXP take_text(char* text) {
  SEXP out = PROTECT(Rf_mkString(text));
  mg_buffer_destroy(text);
  UNPROTECT(1);
  return out;
}
static SEXP r_symbol_to_json(SEXP symbol) {
  char* text = NULL;
  check(mg_symbol_to_json(symbol_of(symbol), &text));
  return take_text(text);
}
static SEXP r_symbol_list(SEXP symbol, SEXP part) {
  mg_string_list* list = NULL;
  SEXP out;
  int32_t i;
  check(mg_symbol_list(symbol_of(symbol), Rf_asInteger(part), &list));
  out = PROTECT(Rf_allocVector(STRSXP, mg_string_list_get_num_strings(list)));
  for (i = 0; i < Rf_length(out); ++i)
    SET_STRING_ELT(out, i, Rf_mkCharCE(mg_string_list_get(list, i), CE_UTF8));
  mg_string_list_destroy(list);
  UNPROTECT(1);
  return out;
}

/* Shapes of a part; NULL when they do not follow from those given. */
static SEXP r_infer(SEXP symbol, SEXP names, SEXP shapes, SEXP part) {
  const int count = Rf_length(names);
  int32_t* ndims = (int32_t*)R_alloc((size_t)count + 1, sizeof *ndims);
  const int64_t** extents = (const int64_t**)R_alloc((size_t)count + 1, sizeof *extents);
  mg_inference* inference = NULL;
  mg_status status = MG_STATUS_OK;
  SEXP out;
  int32_t i, ndim;
  const int parts = Rf_length(r_symbol_list(symbol, part));
  for (i = 0; i < count; ++i) extents[i] = shape_of(VECTOR_ELT(shapes, i), &ndims[i]);
  check(mg_symbol_infer(symbol_of(symbol), count, names_of(names), ndims, extents, NULL, &inference));
  if (!mg_inference_has_shapes(inference)) {
    mg_inference_destroy(inference);
    return R_NilValue;
  }
  out = PROTECT(Rf_allocVector(VECSXP, parts));
  for (i = 0; i < parts && status == MG_STATUS_OK; ++i) {
    const int64_t* found = NULL;
    status = mg_inference_get_shape(inference, Rf_asInteger(part), i, &ndim, &found);
    if (status == MG_STATUS_OK) SET_VECTOR_ELT(out, i, shape_to(found, ndim));
  }
  mg_inference_destroy(inference);
  check(status);
  UNPROTECT(1);
  return out;
}

static SEXP r_bind(SEXP symbol, SEXP args, SEXP grads, SEXP reqs, SEXP aux, SEXP device) {
  mg_executor_arrays arrays;
  mg_executor* out = NULL;
  int32_t num_grads;
  memset(&arrays, 0, sizeof arrays);
  arrays.size = sizeof arrays;
  arrays.arguments = arrays_of(args, &arrays.num_arguments);
  arrays.gradients = arrays_of(grads, &num_grads);
  arrays.grad_reqs = INTEGER(reqs);
  arrays.auxiliaries = arrays_of(aux, &arrays.num_auxiliaries);
  check(mg_executor_bind(symbol_of(symbol), &arrays, device_of(device), NULL, &out));
  return own_executor(out, "mixgrad_executor");
}
static SEXP r_forward(SEXP executor, SEXP training) {
  check(mg_executor_forward(executor_of(executor), Rf_asLogical(training)));
  return R_NilValue;
}
static SEXP r_backward_of(SEXP executor, SEXP heads) {
  int32_t count;
  mg_array** handles = arrays_of(heads, &count);
  check(mg_executor_backward(executor_of(executor), count, handles));
  return R_NilValue;
}
static SEXP r_outputs(SEXP executor) {
  mg_executor* e = executor_of(executor);
  SEXP out = PROTECT(Rf_allocVector(VECSXP, mg_executor_get_num_outputs(e)));
  int32_t i;
  for (i = 0; i < Rf_length(out); ++i) {
    mg_array* array = NULL;
    check(mg_executor_get_array(e, MG_PART_OUTPUTS, i, &array));
    SET_VECTOR_ELT(out, i, own(array));
  }
  UNPROTECT(1);
  return out;
}
static SEXP r_debug_text(SEXP executor) {
  char* text = NULL;
  check(mg_executor_debug_text(executor_of(executor), &text));
  return take_text(text);
}

static SEXP r_save(SEXP path, SEXP names, SEXP arrays) {
  int32_t count;
  mg_array** handles = arrays_of(arrays, &count);
  check(
      mg_arrays_save(text_of(path), "params", count, handles, names == R_NilValue ? NULL : names_of(names)));
  return R_NilValue;
}
static SEXP r_load(SEXP path) {
  mg_array_list* list = NULL;
  mg_status status = MG_STATUS_OK;
  SEXP out, names;
  int32_t i;
  check(mg_arrays_load(text_of(path), &list));
  out = PROTECT(Rf_allocVector(VECSXP, mg_array_list_get_num_arrays(list)));
  names = PROTECT(Rf_allocVector(STRSXP, mg_array_list_get_num_arrays(list)));
  for (i = 0; i < Rf_length(out) && status == MG_STATUS_OK; ++i) {
    mg_array* array = NULL;
    const char* name = mg_array_list_get_name(list, i);
    status = mg_array_list_get(list, i, &array);
    if (status == MG_STATUS_OK) SET_VECTOR_ELT(out, i, own(array));
    SET_STRING_ELT(names, i, Rf_mkCharCE(name ? name : "", CE_UTF8));
  }
  mg_array_list_destroy(list);
  check(status);
  Rf_setAttrib(out, R_NamesSymbol, names);
  UNPROTECT(2);
  return out;
}

static SEXP r_attach_grad(SEXP array) {
  check(mg_array_attach_grad(array_of(array), NULL, MG_GRAD_REQ_WRITE));
  return R_NilValue;
}
static SEXP r_grad(SEXP array) {
  mg_array* out = NULL;
  check(mg_array_get_grad(array_of(array), &out));
  return own(out);
}
static SEXP r_backward(SEXP array) {
  mg_array* head = array_of(array);
  check(mg_autograd_backward(1, &head, NULL, 0, 0));
  return R_NilValue;
}
/* What was in force before. */
static SEXP r_record(SEXP on) {
  int32_t before = 0;
  check(mg_autograd_set_recording(Rf_asLogical(on), &before));
  check(mg_autograd_set_training(Rf_asLogical(on), NULL));
  return Rf_ScalarLogical(before);
}
static SEXP r_seed(SEXP seed) {
  check(mg_random_seed((uint64_t)Rf_asReal(seed)));
  return R_NilValue;
}
static SEXP r_wait_all(void) {
  check(mg_wait_all());
  return R_NilValue;
}

/* Bytes that arrays of the host hold, and the most since the last call. */
static SEXP r_memory(void) {
  const mg_device host = {MG_DEVICE_CPU, 0};
  mg_memory_info info;
  SEXP out;
  info.size = sizeof info;
  check(mg_memory_get_info(host, &info));
  check(mg_memory_reset_peak(host));
  out = PROTECT(Rf_allocVector(REALSXP, 2));
  REAL(out)[0] = (double)info.in_use;
  REAL(out)[1] = (double)info.peak;
  UNPROTECT(1);
  return out;
}

static pthread_t main_thread;

static void collect_garbage(void* unused) {
  (void)unused;
  R_gc();
}

/* R's collector counts vectors, not what arrays weigh: the library asks for it. R itself is for its main thread only. */
static void collect(void* unused) {
  if (pthread_equal(pthread_self(), main_thread)) R_ToplevelExec(collect_garbage, unused);
}

#define CALL(name, count) \
  { #name, (DL_FUNC)&name, count }
static const R_CallMethodDef calls[] = {
    CALL(r_array, 3),       CALL(r_values, 1),         CALL(r_shape, 1),
    CALL(r_dtype, 1),       CALL(r_slice, 3),          CALL(r_copy, 2),
    CALL(r_apply, 6),       CALL(r_node, 6),           CALL(r_variable, 1),
    CALL(r_group, 1),       CALL(r_symbol_load, 1),    CALL(r_symbol_from_json, 1),
    CALL(r_symbol_save, 2), CALL(r_symbol_to_json, 1), CALL(r_symbol_list, 2),
    CALL(r_infer, 4),       CALL(r_bind, 6),           CALL(r_forward, 2),
    CALL(r_backward_of, 2), CALL(r_outputs, 1),        CALL(r_debug_text, 1),
    CALL(r_save, 3),        CALL(r_load, 1),           CALL(r_attach_grad, 1),
    CALL(r_grad, 1),        CALL(r_backward, 1),       CALL(r_record, 1),
    CALL(r_seed, 1),        CALL(r_wait_all, 0),       CALL(r_memory, 0),
    CALL(r_close_array, 1), CALL(r_close_symbol, 1),   CALL(r_close_executor, 1),
    {NULL, NULL, 0}};

void R_init_mixgrad(DllInfo* library) {
  R_registerRoutines(library, NULL, calls, NULL, NULL);
  R_useDynamicSymbols(library, FALSE);
  main_thread = pthread_self();
  check(mg_memory_set_collector(collect, NULL, 0));
}

void R_unload_mixgrad(DllInfo* library) {
  (void)library;
  mg_memory_set_collector(NULL, NULL, 0);
}
