/* Traces from C: calls become a graph, in the thread and for as long as the handle says. */
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
#define OK(call) CHECK((call) == MG_STATUS_OK)

static const mg_device cpu = {MG_DEVICE_CPU, 0};

static mg_array* made(float first, float second) {
  const float values[2] = {first, second};
  const int64_t two[1] = {2};
  mg_array* out = NULL;
  OK(mg_array_create_from(values, two, 1, MG_DTYPE_FLOAT32, cpu, &out));
  return out;
}

static mg_array* added(mg_array* a, mg_array* b) {
  const mg_op* op = NULL;
  mg_array *inputs[2], *out = NULL;
  int32_t num_outputs = 1;
  inputs[0] = a;
  inputs[1] = b;
  OK(mg_op_find("elemwise_add", &op));
  OK(mg_op_call(op, 2, inputs, 0, NULL, NULL, &num_outputs, &out));
  return out;
}

static void check_values(mg_array* array, float first, float second) {
  float values[2];
  OK(mg_array_copy_to(array, values, sizeof values));
  CHECK(values[0] == first && values[1] == second);
}

/* The graph of (x + x) + y, where y was not announced, run on other values. */
static void check_graph(mg_trace* trace, const mg_symbol* graph) {
  mg_string_list* names = NULL;
  mg_array *arguments[2], *out = NULL;
  mg_executor_arrays arrays;
  mg_executor* executor = NULL;
  OK(mg_symbol_list(graph, MG_PART_ARGUMENTS, &names));
  CHECK(mg_string_list_get_num_strings(names) == 2 && mg_trace_get_num_captured(trace) == 1);
  CHECK(strcmp(mg_string_list_get(names, 0), "input0") == 0);
  CHECK(strcmp(mg_string_list_get(names, 1), "captured0") == 0);
  arguments[0] = made(10, 20);
  OK(mg_trace_get_captured(trace, 0, &arguments[1]));
  check_values(arguments[1], 5, 6);
  memset(&arrays, 0, sizeof arrays);
  arrays.size = sizeof arrays;
  arrays.num_arguments = 2;
  arrays.arguments = arguments;
  OK(mg_executor_bind(graph, &arrays, cpu, NULL, &executor));
  OK(mg_executor_forward(executor, 0));
  OK(mg_executor_get_array(executor, MG_PART_OUTPUTS, 0, &out));
  check_values(out, 25, 46);
  mg_array_destroy(out);
  mg_executor_destroy(executor);
  mg_array_destroy(arguments[0]);
  mg_array_destroy(arguments[1]);
  mg_string_list_destroy(names);
}

int main(void) {
  mg_array *x = made(1, 2), *y = made(5, 6), *sum, *total, *none = NULL;
  mg_trace *trace = NULL, *second = NULL;
  mg_symbol *graph = NULL, *untouched = NULL;
  float values[2];

  CHECK(!mg_trace_is_active());
  CHECK(mg_trace_begin(1, &x, NULL) == MG_STATUS_INVALID_ARGUMENT && !mg_trace_is_active());
  CHECK(mg_trace_begin(1, NULL, &trace) == MG_STATUS_INVALID_ARGUMENT && !mg_trace_is_active());
  OK(mg_trace_begin(1, &x, &trace));
  CHECK(mg_trace_is_active());
  CHECK(mg_trace_begin(1, &x, &second) == MG_STATUS_UNSUPPORTED && second == NULL);
  sum = added(x, x);
  CHECK(mg_array_copy_to(sum, values, sizeof values) == MG_STATUS_UNSUPPORTED);
  CHECK(strncmp(mg_last_error(), "[trace] ", 8) == 0);
  total = added(sum, y);
  CHECK(mg_trace_end(trace, 0, NULL, &untouched) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_trace_end(trace, 1, &total, NULL) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_trace_end(NULL, 1, &total, &untouched) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_trace_is_active()); /* it goes on */
  OK(mg_trace_end(trace, 1, &total, &graph));
  CHECK(!mg_trace_is_active());
  CHECK(mg_trace_end(trace, 1, &total, &untouched) == MG_STATUS_INVALID_ARGUMENT && untouched == NULL);
  mg_array_destroy(total);
  mg_array_destroy(sum);
  sum = added(x, y); /* runs */
  check_values(sum, 6, 8);
  mg_array_destroy(sum);
  check_graph(trace, graph);
  CHECK(mg_trace_get_captured(trace, 1, &none) == MG_STATUS_INDEX);
  CHECK(mg_trace_get_captured(trace, -1, &none) == MG_STATUS_INDEX);
  CHECK(mg_trace_get_captured(trace, 0, NULL) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_trace_get_captured(NULL, 0, &none) == MG_STATUS_INVALID_ARGUMENT && none == NULL);
  CHECK(mg_trace_get_num_captured(NULL) == 0);

  OK(mg_trace_begin(0, NULL, &second)); /* the first one, which has ended, is still there */
  mg_trace_destroy(trace);
  CHECK(mg_trace_is_active());
  mg_trace_destroy(second); /* given up */
  CHECK(!mg_trace_is_active());
  mg_trace_destroy(NULL);
  mg_symbol_destroy(graph);
  mg_array_destroy(x);
  mg_array_destroy(y);
  OK(mg_wait_all());
  puts("ok");
  return 0;
}
