/* Symbols from C: composition, names, inference, JSON, and what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mixgrad/mixgrad.h"

#define CHECK(condition)                                                                   \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      fprintf(stderr, "%s:%d: %s; %s\n", __FILE__, __LINE__, #condition, mg_last_error()); \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

static mg_symbol* variable(const char* name) {
  mg_symbol* out = NULL;
  CHECK(mg_symbol_create_variable(name, 0, NULL, NULL, &out) == MG_STATUS_OK);
  return out;
}

static mg_symbol* dense(const mg_symbol* data, const char* name, int64_t hidden) {
  const mg_op* op = NULL;
  const char* names[] = {"num_hidden"};
  mg_value values[1];
  mg_symbol* out = NULL;
  memset(values, 0, sizeof values);
  values[0].kind = MG_VALUE_INTEGER;
  values[0].as.integer = hidden;
  CHECK(mg_op_find("FullyConnected", &op) == MG_STATUS_OK);
  CHECK(mg_symbol_call(op, name, 1, NULL, &data, 1, names, values, 0, NULL, NULL, &out) == MG_STATUS_OK);
  return out;
}

static void check_list(const mg_symbol* symbol, int32_t part, const char* expected) {
  mg_string_list* list = NULL;
  char joined[256] = "";
  int32_t i;
  CHECK(mg_symbol_list(symbol, part, &list) == MG_STATUS_OK);
  for (i = 0; i < mg_string_list_get_num_strings(list); ++i) {
    strcat(joined, i ? " " : "");
    strcat(joined, mg_string_list_get(list, i));
  }
  CHECK(strcmp(joined, expected) == 0);
  CHECK(mg_string_list_get(list, i) == NULL);
  mg_string_list_destroy(list);
}

static void check_inference(const mg_symbol* net) {
  const char* names[] = {"x"};
  const int32_t ndims[] = {2}, dtypes[] = {MG_DTYPE_FLOAT64};
  const int64_t extents[] = {5, 7};
  const int64_t* shapes[] = {extents};
  const int64_t* found = NULL;
  int32_t ndim = 0, dtype = 0;
  mg_inference* inference = NULL;
  CHECK(mg_symbol_infer(net, 1, names, ndims, shapes, dtypes, &inference) == MG_STATUS_OK);
  CHECK(mg_inference_has_shapes(inference) && mg_inference_has_dtypes(inference));
  CHECK(mg_inference_get_shape(inference, MG_PART_OUTPUTS, 0, &ndim, &found) == MG_STATUS_OK);
  CHECK(ndim == 2 && found[0] == 5 && found[1] == 3);
  CHECK(mg_inference_get_dtype(inference, MG_PART_ARGUMENTS, 1, &dtype) == MG_STATUS_OK &&
        dtype == MG_DTYPE_FLOAT64);
  CHECK(mg_inference_get_shape(inference, MG_PART_OUTPUTS, 1, &ndim, &found) == MG_STATUS_INDEX);
  mg_inference_destroy(inference);
  names[0] = "z";
  CHECK(mg_symbol_infer(net, 1, names, ndims, shapes, NULL, &inference) == MG_STATUS_NOT_FOUND);
  CHECK(mg_symbol_infer(net, 0, NULL, NULL, NULL, NULL, &inference) == MG_STATUS_OK);
  CHECK(!mg_inference_has_shapes(inference));
  mg_inference_destroy(inference);
}

/* Arrays as an inference says, and the executor that takes its graph. */
static void check_bind_of_inference(const mg_symbol* net) {
  const char* names[] = {"x", "none"};
  const int32_t ndims[] = {2, 1};
  const int64_t extents[] = {5, 7};
  const int64_t* shapes[] = {extents, extents};
  const mg_device cpu = {MG_DEVICE_CPU, 0};
  mg_array* arrays[8] = {NULL};
  mg_executor_arrays bound;
  mg_executor_options options;
  mg_executor* executor = NULL;
  mg_inference* inference = NULL;
  mg_string_list* list = NULL;
  CHECK(mg_symbol_infer(net, 2, names, ndims, shapes, NULL, &inference) == MG_STATUS_NOT_FOUND);
  CHECK(mg_symbol_infer_arrays(net, 2, names, ndims, shapes, NULL, &inference) == MG_STATUS_OK);
  CHECK(mg_inference_has_shapes(inference) && mg_inference_has_dtypes(inference));
  CHECK(mg_inference_list(inference, MG_PART_INPUTS, &list) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_inference_list(inference, MG_PART_ARGUMENTS, &list) == MG_STATUS_OK);
  memset(&bound, 0, sizeof bound);
  bound.size = sizeof bound;
  bound.num_arguments = mg_string_list_get_num_strings(list);
  bound.arguments = arrays;
  CHECK(bound.num_arguments > 1 && bound.num_arguments <= 8);
  for (int32_t i = 0; i < bound.num_arguments; ++i) {
    const int64_t* found = NULL;
    int32_t ndim = 0, dtype = -1;
    CHECK(mg_inference_get_shape(inference, MG_PART_ARGUMENTS, i, &ndim, &found) == MG_STATUS_OK);
    CHECK(mg_inference_get_dtype(inference, MG_PART_ARGUMENTS, i, &dtype) == MG_STATUS_OK &&
          dtype == MG_DTYPE_FLOAT32);
    CHECK(mg_array_create(found, ndim, dtype, cpu, &arrays[i]) == MG_STATUS_OK);
  }
  CHECK(mg_inference_bind(inference, NULL, cpu, NULL, &executor) == MG_STATUS_INVALID_ARGUMENT);
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.passes = "no_such_pass";
  CHECK(mg_inference_bind(inference, &bound, cpu, &options, &executor) == MG_STATUS_INVALID_ARGUMENT);
  options.passes = "-fold";
  options.recompute = "some";
  CHECK(mg_inference_bind(inference, &bound, cpu, &options, &executor) == MG_STATUS_INVALID_ARGUMENT);
  options.recompute = "least";
  CHECK(executor == NULL);
  CHECK(mg_inference_bind(inference, &bound, cpu, &options, &executor) == MG_STATUS_OK);
  CHECK(mg_executor_get_num_outputs(executor) == mg_symbol_get_num_outputs(net));
  mg_executor_destroy(executor);
  CHECK(mg_inference_bind(inference, &bound, cpu, NULL, &executor) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_inference_get_shape(inference, MG_PART_ARGUMENTS, 0, NULL, NULL) == MG_STATUS_INVALID_ARGUMENT);
  mg_inference_destroy(inference);
  for (int32_t i = 0; i < bound.num_arguments; ++i) mg_array_destroy(arrays[i]);
  mg_string_list_destroy(list);
}

static void check_automatic_names(const mg_symbol* data) {
  const mg_op* op = NULL;
  mg_symbol *first = NULL, *second = NULL;
  CHECK(mg_op_find("Flatten", &op) == MG_STATUS_OK);
  CHECK(mg_symbol_call(op, NULL, 1, NULL, &data, 0, NULL, NULL, 0, NULL, NULL, &first) == MG_STATUS_OK);
  CHECK(mg_symbol_call(op, NULL, 1, NULL, &data, 0, NULL, NULL, 0, NULL, NULL, &second) == MG_STATUS_OK);
  CHECK(strcmp(mg_symbol_get_name(first), "flatten0") == 0);
  CHECK(strcmp(mg_symbol_get_name(second), "flatten1") == 0);
  mg_symbol_destroy(first);
  mg_symbol_destroy(second);
}

static void check_settings(void) {
  char* text = NULL;
  CHECK(mg_passes_resolve(NULL, &text) == MG_STATUS_OK && strstr(text, "prune") && strstr(text, "fold"));
  mg_buffer_destroy(text);
  CHECK(mg_passes_resolve("-fold", &text) == MG_STATUS_OK && strstr(text, "prune") && !strstr(text, "fold"));
  mg_buffer_destroy(text);
  CHECK(mg_passes_resolve("none,fold", &text) == MG_STATUS_OK && strcmp(text, "fold") == 0);
  mg_buffer_destroy(text);
  CHECK(mg_recompute_resolve(NULL, &text) == MG_STATUS_OK && strcmp(text, "off") == 0);
  mg_buffer_destroy(text);
  CHECK(mg_recompute_resolve("2KB", &text) == MG_STATUS_OK && strcmp(text, "2000") == 0);
  mg_buffer_destroy(text);
  text = NULL;
  CHECK(mg_passes_resolve("no_such_pass", &text) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_passes_resolve("all", NULL) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_recompute_resolve("some", &text) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_recompute_resolve("off", NULL) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(text == NULL);
}

/* Passes are chosen for one graph and leave others as they are. */
static void check_passes_of_graph(const mg_symbol* net) {
  const char* names[] = {"x"};
  const int32_t ndims[] = {2};
  const int64_t extents[] = {5, 7};
  const int64_t* shapes[] = {extents};
  const char* given[] = {NULL, "none,prune", NULL};
  char* text = NULL;
  int i;
  for (i = 0; i < 3; ++i) {
    CHECK(mg_symbol_dump_graph(net, 1, names, ndims, shapes, NULL, 0, given[i], &text) == MG_STATUS_OK);
    CHECK(strstr(text, "# prune") && (strstr(text, "# fold") == NULL) == (i == 1));
    mg_buffer_destroy(text);
  }
  text = NULL;
  CHECK(mg_symbol_dump_graph(net, 1, names, ndims, shapes, NULL, 0, "magic", &text) ==
        MG_STATUS_INVALID_ARGUMENT);
  CHECK(text == NULL);
}

static void check_refusals(const mg_symbol* net) {
  mg_symbol* out = NULL;
  mg_string_list* list = NULL;
  const char* none = NULL;
  CHECK(mg_symbol_create_variable(NULL, 0, NULL, NULL, &out) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_symbol_create_variable("x", -1, NULL, NULL, &out) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_symbol_create_variable("x", 1, &none, &none, &out) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_symbol_group(0, NULL, &out) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_symbol_group(3, NULL, &out) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_symbol_get_output(net, 7, &out) == MG_STATUS_INDEX);
  CHECK(mg_symbol_list(net, 9, &list) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_symbol_from_json("{", 1, NULL, &out) == MG_STATUS_FORMAT);
  CHECK(mg_symbol_load("/no/such/file", &out) == MG_STATUS_NOT_FOUND);
  CHECK(out == NULL && list == NULL);
  CHECK(mg_symbol_get_num_outputs(NULL) == 0 && mg_symbol_get_name(NULL) == NULL);
  mg_symbol_destroy(NULL);
  mg_string_list_destroy(NULL);
  mg_inference_destroy(NULL);
}

int main(void) {
  mg_symbol *x = variable("x"), *below = dense(x, "fc1", 4), *data = variable("data"),
            *top = dense(data, "fc2", 3);
  mg_symbol *net = NULL, *again = NULL, *inner = NULL, *children = NULL;
  const char* key = "data";
  const char* value = NULL;
  char* text = NULL;
  CHECK(mg_symbol_compose(top, "net", 1, &key, (const mg_symbol* const*)&below, &net) == MG_STATUS_OK);
  check_list(net, MG_PART_ARGUMENTS, "x fc1_weight fc1_bias fc2_weight fc2_bias");
  check_list(net, MG_PART_OUTPUTS, "net_output");
  check_list(net, MG_PART_AUXILIARY_STATES, "");
  check_list(top, MG_PART_INPUTS, "data fc2_weight fc2_bias");
  CHECK(strcmp(mg_symbol_get_name(net), "net") == 0);
  CHECK(mg_symbol_set_attribute(net, "lr_mult", "2") == MG_STATUS_OK);
  CHECK(mg_symbol_get_attribute(net, "__lr_mult__", &value) == MG_STATUS_OK && strcmp(value, "2") == 0);
  CHECK(mg_symbol_get_attribute(net, "num_hidden", &value) == MG_STATUS_OK && strcmp(value, "3") == 0);
  CHECK(mg_symbol_get_attribute(net, "mood", &value) == MG_STATUS_OK && value == NULL);
  CHECK(mg_symbol_to_json(net, &text) == MG_STATUS_OK);
  CHECK(mg_symbol_from_json(text, strlen(text), "memory", &again) == MG_STATUS_OK);
  check_list(again, MG_PART_ARGUMENTS, "x fc1_weight fc1_bias fc2_weight fc2_bias");
  mg_buffer_destroy(text);
  CHECK(mg_symbol_get_internals(net, &inner) == MG_STATUS_OK && mg_symbol_get_num_outputs(inner) == 7);
  CHECK(mg_symbol_get_children(x, &children) == MG_STATUS_OK && children == NULL);
  check_inference(again);
  check_bind_of_inference(again);
  check_automatic_names(data);
  check_refusals(net);
  check_settings();
  check_passes_of_graph(again);
  mg_symbol_destroy(x);
  mg_symbol_destroy(below);
  mg_symbol_destroy(data);
  mg_symbol_destroy(top);
  mg_symbol_destroy(net);
  mg_symbol_destroy(again);
  mg_symbol_destroy(inner);
  puts("ok");
  return 0;
}
