/* Misuse of every function of mixgrad.h that takes pointers, counts or sizes: a status and a message, never a crash, outputs
 * untouched. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mixgrad/mixgrad.h"

static int checks = 0;

/* The message begins with the function's name; where something inside refuses, with the name of that work, or of an operator. */
static int names_function(const char* message, const char* call) {
  static const char* const works[] = {"[index] ", "[save] ", "[storage] ", "[commit_files] ",
                                      "[abandon_files] "};
  const size_t length = strcspn(call, "(");
  size_t i;
  if (message[0] != '[') return 0;
  if (strncmp(message + 1, "mg_", 3) == 0)
    return strncmp(message + 1, call, length) == 0 && message[length + 1] == ']';
  for (i = 0; i < sizeof works / sizeof works[0]; ++i) {
    if (strncmp(message, works[i], strlen(works[i])) == 0) return 1;
  }
  return strncmp(call, "mg_op_call(", 11) == 0 ||
         strncmp(call, "mg_file_", 8) == 0; /* these are given a name */
}

static void expect(mg_status got, mg_status wanted, const char* call, int line) {
  ++checks;
  if (got == wanted && (wanted == MG_STATUS_OK || mg_last_error()[0] == '[') &&
      (wanted != MG_STATUS_INVALID_ARGUMENT || names_function(mg_last_error(), call)))
    return;
  fprintf(stderr, "errors.c:%d: %s: status %d, expected %d: %s\n", line, call, (int)got, (int)wanted,
          mg_last_error());
  exit(1);
}
#define STATUS(call, wanted) expect((call), (wanted), #call, __LINE__)
#define BAD(call) STATUS(call, MG_STATUS_INVALID_ARGUMENT)
#define CHECK(condition)                                                    \
  do {                                                                      \
    ++checks;                                                               \
    if (!(condition)) {                                                     \
      fprintf(stderr, "errors.c:%d: not true: %s\n", __LINE__, #condition); \
      exit(1);                                                              \
    }                                                                       \
  } while (0)

static const mg_device cpu = {MG_DEVICE_CPU, 0};
static const int64_t shape[2] = {2, 3};

static void creation(mg_array* untouched) {
  const int64_t negative[1] = {-1}, huge[3] = {INT64_MAX, INT64_MAX, 2}, many[17] = {1},
                large[1] = {(int64_t)1 << 58};
  const mg_device gpu = {MG_DEVICE_GPU, 0}, nowhere = {77, 0}, before = {MG_DEVICE_CPU, -1};
  const float values[6] = {0};
  mg_array* out = untouched;
  BAD(mg_array_create(shape, 2, MG_DTYPE_FLOAT32, cpu, NULL));
  STATUS(mg_array_create(NULL, 2, MG_DTYPE_FLOAT32, cpu, &out), MG_STATUS_SHAPE);
  STATUS(mg_array_create(shape, -1, MG_DTYPE_FLOAT32, cpu, &out), MG_STATUS_SHAPE);
  STATUS(mg_array_create(many, 17, MG_DTYPE_FLOAT32, cpu, &out), MG_STATUS_SHAPE);
  STATUS(mg_array_create(many, INT32_MAX, MG_DTYPE_FLOAT32, cpu, &out), MG_STATUS_SHAPE);
  STATUS(mg_array_create(negative, 1, MG_DTYPE_FLOAT32, cpu, &out), MG_STATUS_SHAPE);
  STATUS(mg_array_create(huge, 3, MG_DTYPE_FLOAT32, cpu, &out), MG_STATUS_SHAPE);
  STATUS(mg_array_create(large, 1, MG_DTYPE_FLOAT32, cpu, &out), MG_STATUS_OUT_OF_MEMORY);
  STATUS(mg_array_create(shape, 2, 99, cpu, &out), MG_STATUS_DTYPE);
  STATUS(mg_array_create(shape, 2, -1, cpu, &out), MG_STATUS_DTYPE);
  CHECK(mg_array_create(shape, 2, MG_DTYPE_FLOAT32, nowhere, &out) != MG_STATUS_OK);
  CHECK(mg_array_create(shape, 2, MG_DTYPE_FLOAT32, before, &out) != MG_STATUS_OK);
  if (mg_device_get_num_devices(MG_DEVICE_GPU) == 0)
    STATUS(mg_array_create(shape, 2, MG_DTYPE_FLOAT32, gpu, &out), MG_STATUS_UNSUPPORTED);
  STATUS(mg_array_create_later(huge, 3, MG_DTYPE_FLOAT32, cpu, &out), MG_STATUS_SHAPE);
  STATUS(mg_array_create_later(shape, 2, 99, cpu, &out), MG_STATUS_DTYPE);
  BAD(mg_array_create_later(shape, 2, MG_DTYPE_FLOAT32, cpu, NULL));
  BAD(mg_array_create_from(NULL, shape, 2, MG_DTYPE_FLOAT32, cpu, &out));
  BAD(mg_array_create_from(values, shape, 2, MG_DTYPE_FLOAT32, cpu, NULL));
  BAD(mg_array_wrap(NULL, shape, 2, MG_DTYPE_FLOAT32, cpu, NULL, NULL, &out));
  BAD(mg_array_wrap((void*)values, shape, 2, MG_DTYPE_FLOAT32, cpu, NULL, NULL, NULL));
  STATUS(mg_array_wrap((void*)values, huge, 3, MG_DTYPE_FLOAT32, cpu, NULL, NULL, &out), MG_STATUS_SHAPE);
  CHECK(out == untouched);
}

static void arrays(mg_array* array) {
  float values[8] = {0};
  const int64_t five[1] = {5}, codes[1] = {-9};
  int64_t resolved[16];
  int32_t ndim = 7;
  void* data = values;
  mg_array* out = array;
  mg_array* other = NULL;
  mg_symbol* symbol_of_calls = NULL;
  STATUS(mg_array_create(five, 1, MG_DTYPE_FLOAT32, cpu, &other), MG_STATUS_OK);
  const mg_index row = {MG_INDEX_AT, 1, 0, 0, NULL}, far = {MG_INDEX_AT, -3, 0, 0, NULL},
                 strange = {7, 0, 0, 0, NULL}, still = {MG_INDEX_SLICE, 0, 1, 0, NULL},
                 no_array = {MG_INDEX_ARRAY, 0, 0, 0, NULL};
  const mg_index rows[3] = {row, row, row}, mixed[2] = {row, {MG_INDEX_ARRAY, 0, 0, 0, other}},
                 dots[2] = {{MG_INDEX_ELLIPSIS, 0, 0, 0, NULL}, {MG_INDEX_ELLIPSIS, 0, 0, 0, NULL}};
  mg_array_destroy(NULL);
  mg_array_retain(NULL);
  CHECK(mg_array_get_ndim(NULL) == 0 && mg_array_get_shape(NULL) == NULL && mg_array_get_size(NULL) == 0);
  CHECK(mg_array_get_dtype(NULL) == -1 && mg_array_get_device(NULL).kind == 0 &&
        mg_array_get_version(NULL) == 0);
  CHECK(!mg_array_shares_memory(NULL, array) && !mg_array_shares_memory(array, NULL));
  CHECK(!mg_array_is_recorded(NULL) && !mg_array_is_variable(NULL) && !mg_array_is_grad_fresh(NULL));
  BAD(mg_array_set_grad_fresh(NULL, 1));
  STATUS(mg_array_set_grad_fresh(array, 1), MG_STATUS_AUTOGRAD);
  BAD(mg_autograd_get_symbol(NULL, &symbol_of_calls));
  BAD(mg_autograd_get_symbol(array, NULL));
  STATUS(mg_autograd_get_symbol(array, &symbol_of_calls), MG_STATUS_AUTOGRAD);
  BAD(mg_array_reshape(NULL, shape, 2, &out));
  BAD(mg_array_reshape(array, shape, 2, NULL));
  STATUS(mg_array_reshape(array, five, 1, &out), MG_STATUS_SHAPE);
  STATUS(mg_array_reshape(array, NULL, 1, &out), MG_STATUS_SHAPE);
  BAD(mg_array_slice(NULL, 0, 1, &out));
  BAD(mg_array_slice(array, 0, 1, NULL));
  STATUS(mg_array_slice(array, 0, 3, &out), MG_STATUS_INDEX);
  STATUS(mg_array_slice(array, -1, 1, &out), MG_STATUS_INDEX);
  STATUS(mg_array_slice(array, 2, 1, &out), MG_STATUS_INDEX);
  BAD(mg_array_index(NULL, 1, &row, &out));
  BAD(mg_array_index(array, 1, NULL, &out));
  BAD(mg_array_index(array, -1, &row, &out));
  BAD(mg_array_index(array, 1, &row, NULL));
  BAD(mg_array_index(array, 1, &strange, &out));
  BAD(mg_array_index(array, 1, &still, &out));
  BAD(mg_array_index(array, 1, &no_array, &out));
  STATUS(mg_array_index(array, 1, &far, &out), MG_STATUS_INDEX);
  STATUS(mg_array_index(array, 3, rows, &out), MG_STATUS_INDEX);
  STATUS(mg_array_index(array, 2, dots, &out), MG_STATUS_INDEX);
  STATUS(mg_array_index(array, 2, mixed, &out), MG_STATUS_UNSUPPORTED);
  BAD(mg_array_assign(NULL, 1, &row, other));
  BAD(mg_array_assign(array, 1, NULL, other));
  BAD(mg_array_assign(array, 1, &row, NULL));
  STATUS(mg_array_assign(array, 1, &row, other), MG_STATUS_SHAPE);
  STATUS(mg_array_assign(array, 1, &far, other), MG_STATUS_INDEX);
  BAD(mg_array_assign_number(NULL, 1, &row, 1));
  BAD(mg_array_assign_number(array, 1, NULL, 1));
  STATUS(mg_array_assign_number(array, 1, &far, 1), MG_STATUS_INDEX);
  BAD(mg_array_detach(NULL, &out));
  BAD(mg_array_detach(array, NULL));
  BAD(mg_array_wait_to_read(NULL));
  BAD(mg_array_wait_to_write(NULL));
  BAD(mg_array_get_data(NULL, &data));
  BAD(mg_array_get_data(array, NULL));
  BAD(mg_array_copy_to(array, NULL, 24));
  BAD(mg_array_copy_to(array, values, 23));
  BAD(mg_array_copy_to(array, values, 0));
  BAD(mg_array_copy_to(NULL, values, 24));
  BAD(mg_array_copy_from(array, NULL, 24));
  BAD(mg_array_copy_from(array, values, 25));
  BAD(mg_array_copy_from(NULL, values, 24));
  BAD(mg_array_copy(NULL, array));
  BAD(mg_array_copy(array, NULL));
  STATUS(mg_array_copy(array, other), MG_STATUS_SHAPE);
  BAD(mg_shape_resolve(shape, 2, codes, 1, 0, NULL, &ndim));
  BAD(mg_shape_resolve(shape, 2, codes, 1, 0, resolved, NULL));
  CHECK(mg_shape_resolve(shape, 2, codes, 1, 0, resolved, &ndim) != MG_STATUS_OK);
  CHECK(mg_shape_resolve(shape, 2, NULL, 1, 0, resolved, &ndim) != MG_STATUS_OK);
  CHECK(mg_shape_resolve(shape, 2, codes, -1, 0, resolved, &ndim) != MG_STATUS_OK);
  CHECK(out == array && data == values && ndim == 7);
  mg_array_destroy(other);
}

static void operators(mg_array* array) {
  const mg_op* op = NULL;
  const mg_op* scalar = NULL;
  const char* names[2] = {"scalar", NULL};
  const char* unknown[1] = {"no_such_parameter"};
  mg_value values[2], item;
  mg_array* inputs[2];
  mg_array* out[1] = {NULL};
  int32_t one = 1, none = 0, in = 5, outs = 5;
  mg_port_info port;
  mg_param_info param;
  memset(values, 0, sizeof values);
  memset(&item, 0, sizeof item);
  memset(&port, 0, sizeof port);
  memset(&param, 0, sizeof param);
  inputs[0] = array;
  inputs[1] = NULL;
  BAD(mg_op_find(NULL, &op));
  BAD(mg_op_find("dot", NULL));
  STATUS(mg_op_find("dott", &op), MG_STATUS_NOT_FOUND);
  CHECK(op == NULL && strstr(mg_last_error(), "dot") != NULL);
  CHECK(mg_op_get(-1) == NULL && mg_op_get(mg_op_get_num_ops()) == NULL && mg_op_get(INT32_MAX) == NULL);
  CHECK(mg_op_get_name(NULL) == NULL && mg_op_get_doc(NULL) == NULL && mg_op_get_origin(NULL) == NULL);
  CHECK(mg_op_get_module(NULL) == NULL && mg_op_get_num_inputs_param(NULL) == NULL &&
        mg_op_get_alias(NULL, 0) == NULL);
  CHECK(mg_op_get_num_aliases(NULL) == 0 && mg_op_get_num_inputs(NULL) == 0 &&
        mg_op_get_num_params(NULL) == 0);
  STATUS(mg_op_find("elemwise_add", &op), MG_STATUS_OK);
  STATUS(mg_op_find("_plus_scalar", &scalar), MG_STATUS_OK);
  CHECK(!mg_op_has(NULL, "gradient") && !mg_op_has(op, NULL) && !mg_op_has(op, "beauty"));
  CHECK(mg_op_get_alias(op, -1) == NULL && mg_op_get_alias(op, 1000) == NULL);

  BAD(mg_op_get_input(op, 0, NULL));
  BAD(mg_op_get_input(op, 0, &port)); /* size 0 */
  port.size = sizeof port;
  BAD(mg_op_get_input(NULL, 0, &port));
  STATUS(mg_op_get_input(op, 2, &port), MG_STATUS_INDEX);
  STATUS(mg_op_get_input(op, 1, &port), MG_STATUS_OK);
  param.size = sizeof param + 1;
  BAD(mg_op_get_param(scalar, 0, &param));
  param.size = sizeof(size_t) + sizeof(char*); /* an older caller's struct */
  STATUS(mg_op_get_param(scalar, 0, &param), MG_STATUS_OK);
  CHECK(strcmp(param.name, "scalar") == 0 && param.type == NULL &&
        param.size == sizeof(size_t) + sizeof(char*));
  STATUS(mg_op_get_param(scalar, -1, &param), MG_STATUS_INDEX);

  BAD(mg_op_arity(NULL, 0, NULL, NULL, &in, &outs));
  BAD(mg_op_arity(op, 0, NULL, NULL, NULL, &outs));
  BAD(mg_op_arity(op, 1, NULL, NULL, &in, &outs));
  BAD(mg_op_call(NULL, 1, inputs, 0, NULL, NULL, &one, out));
  BAD(mg_op_call(op, 1, inputs, 0, NULL, NULL, &one, out));
  BAD(mg_op_call(op, 2, inputs, 0, NULL, NULL, &one, out));
  BAD(mg_op_call(op, 2, NULL, 0, NULL, NULL, &one, out));
  BAD(mg_op_call(op, -1, inputs, 0, NULL, NULL, &one, out));
  inputs[1] = array;
  BAD(mg_op_call(op, 2, inputs, 0, NULL, NULL, NULL, out));
  BAD(mg_op_call(op, 2, inputs, 0, NULL, NULL, &one, NULL));
  BAD(mg_op_call(op, 2, inputs, 0, NULL, NULL, &none, out));
  CHECK(mg_op_call(op, 2, inputs, -1, NULL, NULL, &one, out) == MG_STATUS_INVALID_ARGUMENT);

  values[0].kind = MG_VALUE_REAL;
  BAD(mg_op_call(scalar, 1, inputs, 1, NULL, values, &one, out));
  BAD(mg_op_call(scalar, 1, inputs, 1, names, NULL, &one, out));
  BAD(mg_op_call(scalar, 1, inputs, 2, names, values, &one, out)); /* the second name is NULL */
  CHECK(mg_op_call(scalar, 1, inputs, 1, unknown, values, &one, out) != MG_STATUS_OK);
  values[0].kind = 17;
  BAD(mg_op_call(scalar, 1, inputs, 1, names, values, &one, out));
  values[0].kind = -1;
  BAD(mg_op_call(scalar, 1, inputs, 1, names, values, &one, out));
  values[0].kind = MG_VALUE_STRING;
  values[0].as.string = NULL;
  BAD(mg_op_call(scalar, 1, inputs, 1, names, values, &one, out));
  values[0].kind = MG_VALUE_TUPLE;
  values[0].num_items = -3;
  values[0].as.items = &item;
  BAD(mg_op_call(scalar, 1, inputs, 1, names, values, &one, out));
  values[0].num_items = 3;
  values[0].as.items = NULL;
  BAD(mg_op_call(scalar, 1, inputs, 1, names, values, &one, out));
  item.kind = MG_VALUE_TUPLE;
  item.num_items = 1;
  item.as.items = &item; /* endless */
  BAD(mg_op_call(scalar, 1, inputs, 1, names, &item, &one, out));
  CHECK(out[0] == NULL && one == 1 && in == 5 && outs == 5);
}

static void gradients(mg_array* array) {
  mg_array* integers = NULL;
  mg_array* out = array;
  mg_array* small = NULL;
  mg_array* nothing[1] = {NULL};
  const int64_t one[1] = {1};
  mg_custom_function function;
  mg_gradient_hook hook;
  uint64_t number = 0;
  memset(&function, 0, sizeof function);
  memset(&hook, 0, sizeof hook);
  STATUS(mg_array_create(shape, 2, MG_DTYPE_INT32, cpu, &integers), MG_STATUS_OK);
  STATUS(mg_array_create(one, 1, MG_DTYPE_FLOAT32, cpu, &small), MG_STATUS_OK);
  BAD(mg_array_attach_grad(NULL, NULL, MG_GRAD_REQ_WRITE));
  BAD(mg_array_attach_grad(array, NULL, 2));
  STATUS(mg_array_attach_grad(integers, NULL, MG_GRAD_REQ_WRITE), MG_STATUS_OK); /* zeros */
  CHECK(mg_array_attach_grad(array, small, MG_GRAD_REQ_WRITE) != MG_STATUS_OK);
  BAD(mg_array_get_grad(NULL, &out));
  BAD(mg_array_get_grad(array, NULL));
  CHECK(out == array);
  BAD(mg_autograd_backward(1, NULL, NULL, 0, 0));
  BAD(mg_autograd_backward(-1, &array, NULL, 0, 0));
  BAD(mg_autograd_backward(1, nothing, NULL, 0, 0));
  STATUS(mg_autograd_backward(1, &array, NULL, 0, 0), MG_STATUS_AUTOGRAD);
  BAD(mg_autograd_grad(1, &array, NULL, 1, NULL, 0, 0, &out));
  BAD(mg_autograd_grad(1, &array, NULL, 1, &array, 0, 0, NULL));
  CHECK(mg_autograd_grad(1, &array, NULL, 1, &array, 0, 0, &out) != MG_STATUS_OK);
  BAD(mg_autograd_record_custom(NULL, 1, &array, 1, &array));
  BAD(mg_autograd_record_custom(&function, 1, &array, 1, &array)); /* size 0 */
  function.size = sizeof function;
  BAD(mg_autograd_record_custom(&function, 1, &array, 1, &array)); /* no name */
  function.name = "f";
  BAD(mg_autograd_record_custom(&function, 1, &array, 1, &array)); /* no backward */
  CHECK(!mg_array_is_grad_retained(NULL) && !mg_array_is_grad_retained(array));
  BAD(mg_array_retain_grad(NULL));
  STATUS(mg_array_retain_grad(array), MG_STATUS_AUTOGRAD);
  BAD(mg_array_add_gradient_hook(array, NULL, &number));
  BAD(mg_array_add_gradient_hook(array, &hook, &number)); /* size 0 */
  hook.size = sizeof hook;
  BAD(mg_array_add_gradient_hook(NULL, &hook, &number));
  BAD(mg_array_add_gradient_hook(array, &hook, &number)); /* no function */
  BAD(mg_array_remove_gradient_hook(NULL, 1));
  STATUS(mg_array_remove_gradient_hook(array, 1), MG_STATUS_OK); /* nothing to remove */
  CHECK(number == 0);
  STATUS(mg_autograd_set_recording(0, NULL), MG_STATUS_OK);
  STATUS(mg_autograd_set_training(0, NULL), MG_STATUS_OK);
  mg_array_destroy(integers);
  mg_array_destroy(small);
}

static void files(mg_array* array) {
  const char* names[1] = {NULL};
  const char* invalid[1] = {"\xff"};
  mg_array* nothing[1] = {NULL};
  mg_array_list* list = NULL;
  mg_array* out = array;
  void* data = NULL;
  size_t bytes = 0;
  BAD(mg_arrays_save(NULL, "params", 1, &array, NULL));
  BAD(mg_arrays_save("x.tmp", NULL, 1, &array, NULL));
  BAD(mg_arrays_save("x.tmp", "zip", 1, &array, NULL));
  BAD(mg_arrays_save("x.tmp", "params", 1, NULL, NULL));
  BAD(mg_arrays_save("x.tmp", "params", -1, &array, NULL));
  BAD(mg_arrays_save("x.tmp", "params", 1, nothing, NULL));
  BAD(mg_arrays_save("x.tmp", "params", 1, &array, names));
  BAD(mg_arrays_save("x.tmp", "params", 1, &array, invalid));
  BAD(mg_arrays_save("x.tmp", "safetensors", 1, &array, NULL));
  STATUS(mg_arrays_save("/no/such/folder/x", "params", 1, &array, NULL), MG_STATUS_IO);
  STATUS(mg_arrays_save("", "params", 1, &array, NULL), MG_STATUS_IO);
  BAD(mg_arrays_save_buffer("params", 1, &array, NULL, NULL, &bytes));
  BAD(mg_arrays_save_buffer("params", 1, &array, NULL, &data, NULL));
  BAD(mg_arrays_load(NULL, &list));
  BAD(mg_arrays_load("x.tmp", NULL));
  STATUS(mg_arrays_load("x.tmp", &list), MG_STATUS_NOT_FOUND);
  STATUS(mg_arrays_load("/", &list), MG_STATUS_IO);
  BAD(mg_arrays_load_buffer(NULL, 3, &list));
  BAD(mg_arrays_load_buffer("abc", 3, NULL));
  STATUS(mg_arrays_load_buffer("abc", 3, &list), MG_STATUS_FORMAT);
  STATUS(mg_arrays_load_buffer(NULL, 0, &list), MG_STATUS_FORMAT);
  CHECK(list == NULL && data == NULL && bytes == 0);
  CHECK(mg_array_list_get_num_arrays(NULL) == 0 && mg_array_list_get_name(NULL, 0) == NULL);
  BAD(mg_array_list_get(NULL, 0, &out));
  STATUS(mg_arrays_save_buffer("params", 1, &array, NULL, &data, &bytes), MG_STATUS_OK);
  STATUS(mg_arrays_load_buffer(data, bytes, &list), MG_STATUS_OK);
  STATUS(mg_array_list_get(list, 1, &out), MG_STATUS_INDEX);
  STATUS(mg_array_list_get(list, -1, &out), MG_STATUS_INDEX);
  BAD(mg_array_list_get(list, 0, NULL));
  CHECK(mg_array_list_get_name(list, 0) == NULL && mg_array_list_get_name(list, 5) == NULL && out == array);
  mg_array_list_destroy(list);
  mg_array_list_destroy(NULL);
  mg_buffer_destroy(data);
  mg_buffer_destroy(NULL);
}

static void limits(void) {
  const int64_t large[1] = {(int64_t)1 << 26};
  const mg_device nowhere = {77, 0};
  mg_array* out = NULL;
  void* zeros = calloc((size_t)large[0], 1);
  CHECK(zeros != NULL);
  CHECK(mg_memory_set_limit(nowhere, 1) != MG_STATUS_OK);
  STATUS(mg_memory_set_limit(cpu, (uint64_t)large[0] / 2), MG_STATUS_OK);
  STATUS(mg_array_create_from(zeros, large, 1, MG_DTYPE_UINT8, cpu, &out), MG_STATUS_OUT_OF_MEMORY);
  CHECK(!out);
  STATUS(mg_memory_set_limit(cpu, UINT64_MAX), MG_STATUS_OK);
  STATUS(mg_array_create_from(zeros, large, 1, MG_DTYPE_UINT8, cpu, &out), MG_STATUS_OK);
  mg_array_destroy(out);
  free(zeros);
}

static void runtime(void) {
  const mg_device nowhere = {42, 0}, gpu = {MG_DEVICE_GPU, 0};
  mg_memory_info info;
  int32_t number = 0;
  memset(&info, 0, sizeof info);
  CHECK(!mg_has_feature(NULL) && !mg_has_feature("magic"));
  CHECK(mg_device_get_num_devices(0) == 0 && mg_device_get_num_devices(-5) == 0 &&
        mg_device_get_num_devices(99) == 0);
  CHECK(mg_device_check(nowhere) != MG_STATUS_OK && mg_device_set_current(nowhere) != MG_STATUS_OK);
  if (mg_device_get_num_devices(MG_DEVICE_GPU) == 0) STATUS(mg_device_check(gpu), MG_STATUS_UNSUPPORTED);
  CHECK(mg_device_get_current().kind == MG_DEVICE_CPU);
  BAD(mg_memory_get_info(cpu, NULL));
  BAD(mg_memory_get_info(cpu, &info));
  CHECK(mg_memory_get_info(nowhere, &info) != MG_STATUS_OK && mg_memory_trim(nowhere, NULL) != MG_STATUS_OK);
  CHECK(mg_memory_reset_peak(nowhere) != MG_STATUS_OK);
  BAD(mg_memory_fail_after(-1));
  BAD(mg_memory_fill_new(-2));
  BAD(mg_memory_fill_new(256));
  limits();
  BAD(mg_engine_set_kind(9));
  BAD(mg_engine_set_num_threads(0));
  BAD(mg_engine_set_num_threads(-3));
  BAD(mg_profiler_dump(NULL));
  BAD(mg_profiler_trace(NULL));
  STATUS(mg_profiler_dump("/no/such/folder/x"), MG_STATUS_IO);
  BAD(mg_file_write(NULL, "test", "x", 1));
  BAD(mg_file_write("x", NULL, "x", 1));
  BAD(mg_file_write("x", "test", NULL, 1));
  STATUS(mg_file_write("/no/such/folder/x", "test", "x", 1), MG_STATUS_IO);
  mg_file_writer* file = NULL;
  BAD(mg_file_writer_open(NULL, "test", &file));
  BAD(mg_file_writer_open("x", NULL, &file));
  BAD(mg_file_writer_open("x", "test", NULL));
  STATUS(mg_file_writer_open("/no/such/folder/x", "test", &file), MG_STATUS_IO);
  BAD(mg_file_writer_write(NULL, "x", 1));
  BAD(mg_file_writer_commit(NULL));
  STATUS(mg_file_writer_open("/dev/null", "test", &file), MG_STATUS_OK);
  STATUS(mg_file_writer_write(file, "x", 1), MG_STATUS_OK);
  STATUS(mg_file_writer_write(file, NULL, 0), MG_STATUS_OK);
  BAD(mg_file_writer_write(file, NULL, 1));
  STATUS(mg_file_writer_commit(file), MG_STATUS_OK);
  BAD(mg_file_writer_write(file, "x", 1));
  BAD(mg_file_writer_commit(file));
  mg_file_writer_destroy(file);
  mg_file_writer_destroy(NULL);
  BAD(mg_file_open(NULL, "test", &number));
  BAD(mg_file_open("x", NULL, &number));
  BAD(mg_file_open("x", "test", NULL));
  STATUS(mg_file_open("/no/such/folder/x", "test", &number), MG_STATUS_NOT_FOUND);
  STATUS(mg_file_open("/dev/null", "test", &number), MG_STATUS_IO);
  BAD(mg_files_commit());
  BAD(mg_files_abandon());
  BAD(mg_mapping_set(7));
  CHECK(mg_random_seed_device(1, nowhere) != MG_STATUS_OK);
  mg_set_error("[mine] text");
  CHECK(strcmp(mg_last_error(), "[mine] text") == 0);
  mg_set_error(NULL);
  CHECK(mg_last_error()[0] == '\0');
}

int main(void) {
  const float values[6] = {1, 2, 3, 4, 5, 6};
  mg_array* array = NULL;
  CHECK(mg_last_error()[0] == '\0');
  STATUS(mg_array_create_from(values, shape, 2, MG_DTYPE_FLOAT32, cpu, &array), MG_STATUS_OK);
  creation(array);
  arrays(array);
  operators(array);
  gradients(array);
  files(array);
  runtime();
  mg_array_destroy(array);
  STATUS(mg_wait_idle(), MG_STATUS_OK);
  STATUS(mg_wait_all(), MG_STATUS_OK);
  printf("errors: %d checks passed\n", checks);
  return 0;
}
