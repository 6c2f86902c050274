/* A client that knows mixgrad.h only: arrays, operators, gradients, a function of its own, files; everything is given back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mixgrad/mixgrad.h"

static int checks = 0;

static void fail(const char* what, int line) {
  fprintf(stderr, "train.c:%d: %s: %s\n", line, what, mg_last_error());
  exit(1);
}
#define OK(call)                                       \
  do {                                                 \
    ++checks;                                          \
    if ((call) != MG_STATUS_OK) fail(#call, __LINE__); \
  } while (0)
#define CHECK(condition)                          \
  do {                                            \
    ++checks;                                     \
    if (!(condition)) fail(#condition, __LINE__); \
  } while (0)

static const mg_device cpu = {MG_DEVICE_CPU, 0};

static mg_array* array_of(const float* values, int64_t rows, int64_t columns) {
  const int64_t shape[2] = {rows, columns};
  mg_array* out = NULL;
  OK(mg_array_create_from(values, shape, 2, MG_DTYPE_FLOAT32, cpu, &out));
  return out;
}

/* One output, all parameters at their defaults. */
static mg_array* apply(const char* name, int32_t num_inputs, mg_array* const* inputs) {
  const mg_op* op = NULL;
  mg_array* out = NULL;
  int32_t num_outputs = 1;
  OK(mg_op_find(name, &op));
  OK(mg_op_call(op, num_inputs, inputs, 0, NULL, NULL, &num_outputs, &out));
  CHECK(num_outputs == 1 && out != NULL);
  return out;
}
static mg_array* apply2(const char* name, mg_array* a, mg_array* b) {
  mg_array* inputs[2];
  inputs[0] = a;
  inputs[1] = b;
  return apply(name, 2, inputs);
}

static void read_floats(mg_array* array, float* out, size_t count) {
  OK(mg_array_copy_to(array, out, count * sizeof(float)));
}

/* Fits y = X w by gradient descent. */
static void train(void) {
  float x_values[20], y_values[10], w[2] = {0, 0};
  const float learning_rate = 0.05f;
  int i, step;
  for (i = 0; i < 10; ++i) {
    x_values[2 * i] = (float)i / 10;
    x_values[2 * i + 1] = (float)(i * i % 7) / 7;
    y_values[i] = 3 * x_values[2 * i] - 2 * x_values[2 * i + 1];
  }
  mg_array* x = array_of(x_values, 10, 2);
  mg_array* y = array_of(y_values, 10, 1);
  mg_array* weight = array_of(w, 2, 1);
  OK(mg_array_attach_grad(weight, NULL, MG_GRAD_REQ_WRITE));
  CHECK(mg_array_is_variable(weight) && mg_array_is_recorded(weight) && !mg_array_is_recorded(x));
  for (step = 0; step < 400; ++step) {
    int32_t before = -1;
    OK(mg_autograd_set_recording(1, &before));
    CHECK(before == 0 && mg_autograd_is_recording());
    mg_array* prediction = apply2("dot", x, weight);
    mg_array* error = apply2("elemwise_sub", prediction, y);
    mg_array* square = apply("square", 1, &error);
    mg_array* loss = apply("sum", 1, &square);
    OK(mg_autograd_set_recording(0, NULL));
    mg_symbol* history = NULL;
    mg_string_list* arguments = NULL;
    OK(mg_autograd_get_symbol(loss, &history));
    OK(mg_symbol_list(history, MG_PART_ARGUMENTS, &arguments));
    CHECK(mg_string_list_get_num_strings(arguments) == 3);
    CHECK(strcmp(mg_string_list_get(arguments, 2), "var2") == 0);
    mg_string_list_destroy(arguments);
    mg_symbol_destroy(history);
    OK(mg_array_set_grad_fresh(weight, 0));
    OK(mg_autograd_backward(1, &loss, NULL, 0, 0));
    CHECK(mg_array_is_grad_fresh(weight) && !mg_array_is_grad_fresh(x));
    mg_array* gradient = NULL;
    OK(mg_array_get_grad(weight, &gradient));
    const mg_op* scale = NULL;
    const char* names[1] = {"scalar"};
    mg_value rate;
    mg_array* scaled = NULL;
    int32_t one = 1;
    memset(&rate, 0, sizeof rate);
    rate.kind = MG_VALUE_REAL;
    rate.as.real = learning_rate;
    OK(mg_op_find("_mul_scalar", &scale));
    OK(mg_op_call(scale, 1, &gradient, 1, names, &rate, &one, &scaled));
    const mg_op* subtract = NULL;
    mg_array* pair[2];
    mg_array* target = weight;
    pair[0] = weight;
    pair[1] = scaled;
    OK(mg_op_find("elemwise_sub", &subtract));
    OK(mg_op_call(subtract, 2, pair, 0, NULL, NULL, &one, &target)); /* in place */
    CHECK(target == weight);
    mg_array_destroy(scaled);
    mg_array_destroy(gradient);
    mg_array_destroy(loss);
    mg_array_destroy(square);
    mg_array_destroy(error);
    mg_array_destroy(prediction);
  }
  read_floats(weight, w, 2);
  CHECK(fabsf(w[0] - 3) < 0.05f && fabsf(w[1] + 2) < 0.05f);
  CHECK(mg_array_get_version(weight) >= 400);
  mg_array_destroy(weight);
  mg_array_destroy(y);
  mg_array_destroy(x);
}

/* A hook of this program: doubles the gradient, or fails; counts its calls and releases. */
struct watcher {
  int calls, releases;
  mg_status status;
};
static mg_status watch_gradient(void* context, mg_array* gradient, mg_array** replacement) {
  struct watcher* watcher = (struct watcher*)context;
  ++watcher->calls;
  if (watcher->status) {
    mg_set_error("[watcher] refused");
    return watcher->status;
  }
  *replacement = apply2("elemwise_add", gradient, gradient);
  return MG_STATUS_OK;
}
static void release_watcher(void* context) { ++((struct watcher*)context)->releases; }

/* Gradients of a variable and of a result: hooks see and replace them, and a result keeps its own, unlike mg_autograd_grad. */
static void watch_gradients(void) {
  const float values[2] = {1, -2};
  float found[2];
  struct watcher seen[2] = {{0, 0, MG_STATUS_OK}, {0, 0, MG_STATUS_OK}};
  mg_gradient_hook hook = {sizeof(mg_gradient_hook), &seen[0], watch_gradient, release_watcher};
  uint64_t numbers[2] = {0, 0};
  int i, round;
  mg_array* x = array_of(values, 2, 1);
  CHECK(mg_array_retain_grad(x) == MG_STATUS_AUTOGRAD && !mg_array_is_grad_retained(x));
  CHECK(mg_array_add_gradient_hook(x, &hook, &numbers[0]) == MG_STATUS_AUTOGRAD && seen[0].releases == 1);
  OK(mg_array_attach_grad(x, NULL, MG_GRAD_REQ_WRITE));
  OK(mg_array_retain_grad(x));
  OK(mg_array_add_gradient_hook(x, &hook, &numbers[0]));
  for (round = 0; round < 3; ++round) {
    mg_array *y, *z, *kept = NULL, *gradient = NULL;
    OK(mg_autograd_set_recording(1, NULL));
    y = apply("square", 1, &x);
    z = apply("square", 1, &y);
    OK(mg_autograd_set_recording(0, NULL));
    OK(mg_array_retain_grad(y));
    hook.context = &seen[1];
    OK(mg_array_add_gradient_hook(y, &hook, &numbers[1]));
    CHECK(numbers[0] && numbers[1] && numbers[0] != numbers[1] && mg_array_is_grad_retained(y));
    OK(mg_array_get_grad(y, &kept));
    CHECK(!kept);
    if (round == 1) OK(mg_array_remove_gradient_hook(y, numbers[1]));
    if (round == 2) seen[1].status = MG_STATUS_SHAPE;
    if (round == 2) {
      CHECK(mg_autograd_backward(1, &z, NULL, 0, 0) == MG_STATUS_SHAPE);
      CHECK(strcmp(mg_last_error(), "[watcher] refused") == 0);
    } else {
      OK(mg_autograd_grad(1, &z, NULL, 1, &y, 1, 0, &gradient));
      OK(mg_array_get_grad(y, &kept));
      CHECK(!kept);
      mg_array_destroy(gradient);
      for (i = 0; i < 2; ++i) OK(mg_autograd_backward(1, &z, NULL, i == 0, 0));
      /* z = y^2: 2 y of both passes, doubled by the hook */
      OK(mg_array_get_grad(y, &kept));
      read_floats(kept, found, 2);
      CHECK(found[0] == (round ? 4 : 8) && found[1] == (round ? 16 : 32));
      OK(mg_array_get_grad(x, &gradient));
      read_floats(gradient, found, 2);
      CHECK(found[0] == (round ? 8 : 16) && found[1] == (round ? -64 : -128));
      mg_array_destroy(gradient);
      mg_array_destroy(kept);
    }
    mg_array_destroy(y);
    mg_array_destroy(z);
    CHECK(seen[1].releases == round + 1);
  }
  CHECK(seen[0].calls == 4 && seen[1].calls == 4);
  OK(mg_array_remove_gradient_hook(x, numbers[0]));
  OK(mg_array_remove_gradient_hook(x, numbers[0]));
  CHECK(seen[0].releases == 2);
  mg_array_destroy(x);
}

/* A function with a gradient of this program: doubles going forward; its backward triples, so that it is seen. */
typedef struct Context {
  int calls, released;
} Context;

static mg_status triple(void* context, int32_t num_out_grads, mg_array* const* out_grads,
                        int32_t num_in_grads, mg_array** in_grads) {
  ((Context*)context)->calls++;
  if (num_out_grads != 1 || num_in_grads != 1) return MG_STATUS_INTERNAL;
  mg_array* twice = apply2("elemwise_add", out_grads[0], out_grads[0]);
  in_grads[0] = apply2("elemwise_add", twice, out_grads[0]);
  mg_array_destroy(twice);
  return MG_STATUS_OK;
}
static mg_status refuse(void* context, int32_t num_out_grads, mg_array* const* out_grads,
                        int32_t num_in_grads, mg_array** in_grads) {
  (void)num_out_grads, (void)out_grads, (void)num_in_grads, (void)in_grads;
  ((Context*)context)->calls++;
  mg_set_error("[refuse] not today");
  return MG_STATUS_UNSUPPORTED;
}
static void released(void* context) { ((Context*)context)->released++; }

static void custom_function(void) {
  const float values[3] = {1, 2, 3};
  float gradient_values[3];
  int which;
  for (which = 0; which < 2; ++which) {
    Context context = {0, 0};
    mg_custom_function function;
    memset(&function, 0, sizeof function);
    function.size = sizeof function;
    function.name = "twice";
    function.context = &context;
    function.backward = which == 0 ? triple : refuse;
    function.release = released;
    mg_array* x = array_of(values, 1, 3);
    OK(mg_array_attach_grad(x, NULL, MG_GRAD_REQ_ADD));
    OK(mg_autograd_set_recording(1, NULL));
    OK(mg_autograd_set_recording(0, NULL));
    mg_array* y = apply2("elemwise_add", x, x);
    OK(mg_autograd_set_recording(1, NULL));
    OK(mg_autograd_record_custom(&function, 1, &x, 1, &y));
    mg_array* z = apply("negative", 1, &y);
    OK(mg_autograd_set_recording(0, NULL));
    if (which == 0) {
      OK(mg_autograd_backward(1, &z, NULL, 0, 0));
      mg_array* gradient = NULL;
      OK(mg_array_get_grad(x, &gradient));
      read_floats(gradient, gradient_values, 3);
      CHECK(gradient_values[0] == -3 && gradient_values[2] == -3);
      mg_array_destroy(gradient);
    } else {
      CHECK(mg_autograd_backward(1, &z, NULL, 0, 0) == MG_STATUS_UNSUPPORTED);
      CHECK(strstr(mg_last_error(), "not today") != NULL);
    }
    CHECK(context.calls == 1);
    mg_array_destroy(z);
    mg_array_destroy(y);
    mg_array_destroy(x);
    OK(mg_wait_all());
    CHECK(context.released == 1);
  }
}

static void files(const char* format) {
  const float values[6] = {1, 2, 3, 4, 5, 6};
  float loaded_values[6];
  mg_array* arrays[2];
  const char* names[2] = {"arg:weight", "aux:mean"};
  mg_array_list* list = NULL;
  mg_array* first = NULL;
  void* data = NULL;
  size_t bytes = 0;
  arrays[0] = array_of(values, 2, 3);
  arrays[1] = array_of(values, 1, 2);
  OK(mg_arrays_save_buffer(format, 2, arrays, names, &data, &bytes));
  OK(mg_arrays_load_buffer(data, bytes, &list));
  CHECK(mg_array_list_get_num_arrays(list) == 2 && strcmp(mg_array_list_get_name(list, 1), "aux:mean") == 0);
  OK(mg_array_list_get(list, 0, &first));
  mg_array_list_destroy(list);
  CHECK(mg_array_get_ndim(first) == 2 && mg_array_get_shape(first)[1] == 3 && mg_array_get_size(first) == 6);
  read_floats(first, loaded_values, 6);
  CHECK(memcmp(values, loaded_values, sizeof values) == 0);
  CHECK(mg_arrays_load_buffer(data, bytes - 1, &list) == MG_STATUS_FORMAT);
  mg_buffer_destroy(data);

  const char* path = "mixgrad_c_test.tmp";
  OK(mg_arrays_save(path, format, 2, arrays, names));
  OK(mg_arrays_load(path, &list));
  CHECK(mg_array_list_get_num_arrays(list) == 2);
  mg_array_list_destroy(list);
  remove(path);
  CHECK(mg_arrays_load(path, &list) == MG_STATUS_NOT_FOUND);
  mg_array_destroy(first);
  mg_array_destroy(arrays[0]);
  mg_array_destroy(arrays[1]);
}

static void count_release(void* context) { ++*(int*)context; }

/* array: (2, 3), 0 to 5 */
static void indexing(mg_array* array) {
  const mg_index all = {MG_INDEX_SLICE, INT64_MIN, INT64_MAX, 1, NULL}, last = {MG_INDEX_AT, -1, 0, 0, NULL},
                 odd = {MG_INDEX_SLICE, INT64_MAX, INT64_MIN, -2, NULL},
                 rest = {MG_INDEX_ELLIPSIS, 0, 0, 0, NULL}, added = {MG_INDEX_NEW_AXIS, 0, 0, 0, NULL};
  const mg_index columns[2] = {rest, odd}, place[3] = {last, added, last};
  const int64_t two[2] = {1, -2}, shape[1] = {2};
  mg_index chosen[2] = {all, {MG_INDEX_ARRAY, 0, 0, 0, NULL}};
  float values[6];
  mg_array *out = NULL, *row = NULL;
  OK(mg_array_index(array, 1, &all, &out));
  CHECK(out == array);
  mg_array_destroy(out);
  OK(mg_array_index(array, 1, &last, &row));
  CHECK(mg_array_shares_memory(row, array) && mg_array_get_ndim(row) == 1 && mg_array_get_size(row) == 3);
  OK(mg_array_index(array, 3, place, &out));
  CHECK(mg_array_shares_memory(out, array) && mg_array_get_ndim(out) == 1 && mg_array_get_size(out) == 1);
  mg_array_destroy(out);
  OK(mg_array_index(array, 2, columns, &out));
  CHECK(!mg_array_shares_memory(out, array));
  read_floats(out, values, 4);
  CHECK(values[0] == 2 && values[1] == 0 && values[2] == 5 && values[3] == 3);
  mg_array_destroy(out);
  OK(mg_array_create_from(two, shape, 1, MG_DTYPE_INT64, cpu, &chosen[1].array));
  OK(mg_array_index(array, 2, chosen, &out));
  read_floats(out, values, 4);
  CHECK(values[0] == 1 && values[1] == 1 && values[2] == 4 && values[3] == 4);
  OK(mg_array_assign_number(array, 2, columns, 7));
  OK(mg_array_assign(array, 2, chosen, out));
  OK(mg_array_assign_number(array, 2, chosen, -1));
  OK(mg_array_assign(array, 0, NULL, row));
  read_floats(array, values, 6);
  CHECK(values[0] == 7 && values[1] == -1 && values[2] == 7 && values[3] == 7 && values[4] == -1);
  mg_array_destroy(chosen[1].array);
  mg_array_destroy(row);
  mg_array_destroy(out);
}

static void views_and_foreign_memory(void) {
  float memory[6] = {0, 1, 2, 3, 4, 5};
  const int64_t shape[2] = {2, 3}, flat[1] = {6}, codes[2] = {-1, 2};
  int64_t resolved[16];
  int32_t resolved_ndim = 0;
  int releases = 0;
  mg_array *wrapped = NULL, *view = NULL, *row = NULL, *copy = NULL, *detached = NULL;
  void* data = NULL;
  OK(mg_array_wrap(memory, shape, 2, MG_DTYPE_FLOAT32, cpu, count_release, &releases, &wrapped));
  OK(mg_array_reshape(wrapped, flat, 1, &view));
  OK(mg_array_slice(wrapped, 1, 2, &row));
  OK(mg_array_detach(row, &detached));
  CHECK(mg_array_shares_memory(view, row) && mg_array_shares_memory(detached, wrapped));
  OK(mg_array_get_data(row, &data));
  CHECK(data == memory + 3);
  OK(mg_shape_resolve(shape, 2, codes, 2, 0, resolved, &resolved_ndim));
  CHECK(resolved_ndim == 2 && resolved[0] == 3 && resolved[1] == 2);
  OK(mg_array_create(shape, 2, MG_DTYPE_FLOAT32, cpu, &copy));
  OK(mg_array_copy(wrapped, copy));
  OK(mg_array_wait_to_read(copy));
  OK(mg_array_wait_to_write(wrapped));
  indexing(copy);
  OK(mg_array_copy(wrapped, copy));
  mg_array_retain(copy);
  mg_array_destroy(copy);
  read_floats(copy, memory, 6);
  CHECK(memory[5] == 5 && releases == 0);
  mg_array_destroy(copy);
  mg_array_destroy(wrapped);
  mg_array_destroy(view);
  mg_array_destroy(row);
  CHECK(releases == 0);
  mg_array_destroy(detached);
  CHECK(releases == 1);
}

static void errors_arrive_where_values_are_read(void) {
  const float values[2] = {0, 9};
  float out[2];
  const mg_op* take = NULL;
  const char* names[1] = {"mode"};
  mg_value mode;
  mg_array* inputs[2];
  mg_array* taken = NULL;
  int32_t one = 1;
  memset(&mode, 0, sizeof mode);
  mode.kind = MG_VALUE_STRING;
  mode.as.string = "raise";
  inputs[0] = array_of(values, 2, 1);
  inputs[1] = array_of(values, 1, 2);
  OK(mg_op_find("take", &take));
  OK(mg_op_call(take, 2, inputs, 1, names, &mode, &one, &taken));
  CHECK(mg_array_copy_to(taken, out, sizeof out) == MG_STATUS_INDEX);
  CHECK(strstr(mg_last_error(), "[take]") != NULL);
  mg_array_destroy(taken);
  mg_array_destroy(inputs[0]);
  mg_array_destroy(inputs[1]);
}

static uint64_t bytes_in_use(void) {
  mg_memory_info info;
  memset(&info, 0, sizeof info);
  info.size = sizeof info;
  OK(mg_memory_get_info(cpu, &info));
  return info.in_use;
}

int main(void) {
  CHECK(strlen(mg_version()) >= 5 && mg_op_get_num_ops() > 50 &&
        mg_device_get_num_devices(MG_DEVICE_CPU) == 1);
  const uint64_t before = bytes_in_use();
  const int32_t kinds[2] = {MG_ENGINE_SERIAL, MG_ENGINE_THREADED};
  int i;
  for (i = 0; i < 2; ++i) {
    OK(mg_engine_set_kind(kinds[i]));
    train();
    custom_function();
    watch_gradients();
    files("params");
    files("safetensors");
    views_and_foreign_memory();
    errors_arrive_where_values_are_read();
  }
  OK(mg_wait_all());
  CHECK(bytes_in_use() == before);
  OK(mg_memory_trim(cpu, NULL));
  printf("train: %d checks passed\n", checks);
  return 0;
}
