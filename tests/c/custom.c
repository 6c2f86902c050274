/* A client of mixgrad.h with an operator of its own: a product with a parameter, on arrays, recorded and in a graph. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mixgrad/mixgrad.h"

static int checks = 0; /* by several threads: an operator is called by the engine's */

static void fail(const char* what, int line) {
  fprintf(stderr, "custom.c:%d: %s: %s\n", line, what, mg_last_error());
  exit(1);
}
#define CHECK(condition)                              \
  do {                                                \
    __atomic_fetch_add(&checks, 1, __ATOMIC_RELAXED); \
    if (!(condition)) fail(#condition, __LINE__);     \
  } while (0)
#define OK(call) CHECK((call) == MG_STATUS_OK)

/* out = data * by, and how often each part was released. */
struct counts {
  int types, properties, operators;
};
static struct counts made, gone;
struct multiplier {
  float by;
};

static mg_status multiply(mg_array* from, mg_array* to, float by) {
  const mg_op* op = NULL;
  const char* names[1] = {"scalar"};
  mg_value value;
  int32_t num_outputs = 1;
  memset(&value, 0, sizeof value);
  value.kind = MG_VALUE_REAL;
  value.as.real = by;
  if (mg_op_find("_mul_scalar", &op) != MG_STATUS_OK) return MG_STATUS_INTERNAL;
  return mg_op_call(op, 1, &from, 1, names, &value, &num_outputs, &to);
}

static mg_status forward(void* context, int32_t is_training, const mg_custom_arrays* arrays) {
  CHECK(arrays->size == sizeof *arrays && arrays->num_inputs == 1 && arrays->num_outputs == 1);
  CHECK(arrays->num_states == 0 && (is_training == 0 || is_training == 1));
  return multiply(arrays->inputs[0], arrays->outputs[0], ((struct multiplier*)context)->by);
}
static mg_status backward(void* context, const mg_custom_arrays* arrays) {
  CHECK(arrays->wanted[0] == 1);
  return multiply(arrays->out_grads[0], arrays->in_grads[0], ((struct multiplier*)context)->by);
}
static void release_operator(void* context) {
  ++gone.operators;
  free(context);
}

static mg_status make_operator(void* context, mg_device device, int32_t num_inputs, const int32_t* ndims,
                               const int64_t* extents, const int32_t* dtypes, mg_custom_operator* out) {
  struct multiplier* self = (struct multiplier*)malloc(sizeof *self);
  CHECK(device.kind == MG_DEVICE_CPU && num_inputs == 1 && ndims[0] == 1 && extents[0] == 2);
  CHECK(dtypes[0] == MG_DTYPE_FLOAT32 && out->size == sizeof *out);
  self->by = *(const float*)context;
  out->context = self;
  out->forward = forward;
  out->backward = backward;
  out->release = release_operator;
  ++made.operators;
  return MG_STATUS_OK;
}
static mg_status infer_shape(void* context, int32_t num_shapes, int32_t* ndims, int64_t* extents) {
  CHECK(context && num_shapes == 2);
  ndims[1] = ndims[0];
  memcpy(extents + MG_MAX_NDIM, extents, sizeof(int64_t) * MG_MAX_NDIM);
  return MG_STATUS_OK;
}
static mg_status infer_dtype(void* context, int32_t num_dtypes, int32_t* dtypes) {
  CHECK(context && num_dtypes == 2);
  dtypes[1] = dtypes[0];
  return MG_STATUS_OK;
}
static void release_properties(void* context) {
  ++gone.properties;
  free(context);
}

static mg_status make_properties(void* context, int32_t num_params, const char* const* names,
                                 const char* const* texts, mg_custom_properties* out) {
  static const char* const ports[2] = {"data", "product"};
  float* by;
  CHECK(context == &made);
  if (num_params != 1 || strcmp(names[0], "by") != 0) {
    mg_set_error("[product] expected the parameter by");
    return MG_STATUS_INVALID_ARGUMENT;
  }
  by = (float*)malloc(sizeof *by);
  *by = (float)atof(texts[0]);
  out->context = by;
  out->num_arguments = 1;
  out->num_outputs = 1;
  out->names = ports;
  out->infer_shape = infer_shape;
  out->infer_dtype = infer_dtype;
  out->make_operator = make_operator;
  out->release = release_properties;
  ++made.properties;
  return MG_STATUS_OK;
}
static void release_type(void* context) {
  CHECK(context == &made);
  ++gone.types;
}

static void expect(mg_array* array, float a, float b) {
  float values[2];
  OK(mg_array_copy_to(array, values, sizeof values));
  CHECK(values[0] == a && values[1] == b);
}

static mg_value text(const char* string) {
  mg_value value;
  memset(&value, 0, sizeof value);
  value.kind = MG_VALUE_STRING;
  value.as.string = string;
  return value;
}

int main(void) {
  mg_custom_type type;
  const mg_op* op = NULL;
  const char* names[2] = {"op_type", "by"};
  mg_value values[2];
  const int64_t shape[1] = {2};
  const float numbers[2] = {2, -3};
  const mg_device cpu = {MG_DEVICE_CPU, 0};
  mg_array *x = NULL, *gradient = NULL, *y = NULL;
  int32_t num_outputs = 1, before = 0;

  memset(&type, 0, sizeof type);
  CHECK(mg_custom_register("product", &type) == MG_STATUS_INVALID_ARGUMENT); /* a size of 0 */
  type.size = sizeof type;
  type.context = &made;
  type.release = release_type;
  CHECK(mg_custom_register("product", &type) == MG_STATUS_INVALID_ARGUMENT); /* no function */
  CHECK(gone.types == 1);
  type.make_properties = make_properties;
  CHECK(mg_custom_register(NULL, &type) == MG_STATUS_INVALID_ARGUMENT && gone.types == 2);
  OK(mg_custom_register("product", &type));

  OK(mg_op_find("Custom", &op));
  OK(mg_array_create_from(numbers, shape, 1, MG_DTYPE_FLOAT32, cpu, &x));
  OK(mg_array_create_from(numbers, shape, 1, MG_DTYPE_FLOAT32, cpu, &gradient));
  OK(mg_array_attach_grad(x, gradient, MG_GRAD_REQ_WRITE));
  values[0] = text("product");
  values[1] = text("2.5");
  OK(mg_autograd_set_recording(1, &before));
  OK(mg_op_call(op, 1, &x, 2, names, values, &num_outputs, &y));
  OK(mg_autograd_set_recording(before, NULL));
  expect(y, 5, -7.5);
  OK(mg_autograd_backward(1, &y, NULL, 0, 0));
  expect(gradient, 2.5, 2.5);
  mg_array_destroy(y);

  y = NULL;
  CHECK(mg_op_call(op, 1, &x, 1, names, values, &num_outputs, &y) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(strstr(mg_last_error(), "expected the parameter by"));
  values[0] = text("produkt");
  CHECK(mg_op_call(op, 1, &x, 2, names, values, &num_outputs, &y) == MG_STATUS_NOT_FOUND);
  CHECK(strstr(mg_last_error(), "nearest: product"));

  mg_array_destroy(x);
  mg_array_destroy(gradient);
  OK(mg_wait_all());
  CHECK(made.properties == 1 && made.operators == 1);
  CHECK(gone.properties == 1 && gone.operators == 1);
  OK(mg_custom_register("product", &type));
  CHECK(gone.types == 3); /* the one before */
  printf("%d checks passed\n", checks);
  return 0;
}
