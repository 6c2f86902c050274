/* Cached graphs from C: made of traces and of symbols, called with other shapes, with gradients, inside of a trace. */
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

static mg_array* filled(int64_t count, float value) {
  mg_array* out = NULL;
  float values[8];
  int64_t i;
  for (i = 0; i < count; ++i) values[i] = value;
  OK(mg_array_create_from(values, &count, 1, MG_DTYPE_FLOAT32, cpu, &out));
  return out;
}

static mg_array* applied(const char* name, mg_array* a, mg_array* b) {
  const mg_op* op = NULL;
  mg_array *inputs[2], *out = NULL;
  int32_t num_outputs = 1;
  inputs[0] = a;
  inputs[1] = b;
  OK(mg_op_find(name, &op));
  OK(mg_op_call(op, b ? 2 : 1, inputs, 0, NULL, NULL, &num_outputs, &out));
  return out;
}

static void check_all(mg_array* array, int64_t count, float value) {
  float values[8];
  int64_t i;
  CHECK(mg_array_get_size(array) == count);
  OK(mg_array_copy_to(array, values, sizeof values[0] * (size_t)count));
  for (i = 0; i < count; ++i) CHECK(values[i] == value);
}

/* x * y + w, of which the trace captured w; the last input is not read. */
static mg_graph* traced(mg_array* w) {
  static const char* const inputs[] = {"input0", "input1", "input2"};
  static const char* const kept[] = {"captured0"};
  mg_array *given[3], *product, *sum;
  mg_trace* trace = NULL;
  mg_symbol* symbol = NULL;
  mg_graph_options options;
  mg_graph* graph = NULL;
  int i;
  for (i = 0; i < 3; ++i) given[i] = filled(2, 0);
  OK(mg_trace_begin(3, given, &trace));
  product = applied("elemwise_mul", given[0], given[1]);
  sum = applied("elemwise_add", product, w);
  OK(mg_trace_end(trace, 1, &sum, &symbol));
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.input_names = inputs;
  options.num_inputs = 3;
  options.kept_names = kept;
  options.num_kept = 1;
  options.kept = &w;
  OK(mg_graph_create(symbol, &options, &graph));
  CHECK(mg_graph_get_num_inputs(graph) == 3 && mg_graph_get_num_outputs(graph) == 1);
  options.num_inputs = 1; /* input1 has no array now */
  CHECK(mg_graph_create(symbol, &options, &graph) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(strstr(mg_last_error(), "'input1'") != NULL);
  mg_trace_destroy(trace);
  mg_symbol_destroy(symbol);
  for (i = 0; i < 3; ++i) mg_array_destroy(given[i]);
  mg_array_destroy(product);
  mg_array_destroy(sum);
  return graph;
}

static mg_array* called(mg_graph* graph, mg_array* x, mg_array* y) {
  mg_array *inputs[3], *out = NULL;
  inputs[0] = x;
  inputs[1] = inputs[2] = y;
  OK(mg_graph_call(graph, 3, inputs, 1, &out));
  return out;
}

/* Two calls whose gradients are open at once; the graph itself is gone by then. */
static void check_gradients(mg_graph* graph, mg_array* w) {
  mg_array *x = filled(2, 3), *y = filled(2, 5), *outputs[2], *gradient = NULL;
  int32_t before = 0;
  OK(mg_array_attach_grad(x, NULL, MG_GRAD_REQ_ADD));
  OK(mg_array_attach_grad(w, NULL, MG_GRAD_REQ_WRITE));
  OK(mg_autograd_set_recording(1, &before));
  outputs[0] = called(graph, x, y);
  outputs[1] = called(graph, x, x);
  OK(mg_autograd_set_recording(0, NULL));
  check_all(outputs[0], 2, 22);
  check_all(outputs[1], 2, 16);
  mg_graph_destroy(graph);
  OK(mg_autograd_backward(2, outputs, NULL, 0, 0));
  OK(mg_array_get_grad(x, &gradient));
  check_all(gradient, 2, 11); /* 5 + 2 * 3 */
  mg_array_destroy(gradient);
  OK(mg_array_get_grad(w, &gradient));
  check_all(gradient, 2, 2);
  mg_array_destroy(gradient);
  mg_array_destroy(outputs[0]);
  mg_array_destroy(outputs[1]);
  mg_array_destroy(x);
  mg_array_destroy(y);
}

/* A symbol's variables in order, other shapes, and a call inside of a trace. */
static void check_symbol(void) {
  mg_symbol *parts[2] = {NULL, NULL}, *sum = NULL, *inlined = NULL;
  mg_graph *graph = NULL, *outer = NULL;
  mg_array *inputs[2], *out = NULL;
  mg_trace* trace = NULL;
  const mg_op* op = NULL;
  int64_t count;
  OK(mg_symbol_create_variable("a", 0, NULL, NULL, &parts[0]));
  OK(mg_symbol_create_variable("b", 0, NULL, NULL, &parts[1]));
  OK(mg_op_find("elemwise_sub", &op));
  OK(mg_symbol_call(op, "difference", 2, NULL, (const mg_symbol* const*)parts, 0, NULL, NULL, 0, NULL, NULL,
                    &sum));
  OK(mg_graph_create(sum, NULL, &graph));
  CHECK(mg_graph_get_num_inputs(graph) == 2);
  for (count = 1; count <= 3; ++count) {
    inputs[0] = filled(count, 7);
    inputs[1] = filled(count, 4);
    OK(mg_graph_call(graph, 2, inputs, 1, &out));
    check_all(out, count, 3);
    mg_array_destroy(out);
    if (count == 3) break;
    mg_array_destroy(inputs[0]);
    mg_array_destroy(inputs[1]);
  }
  out = inputs[1];
  inputs[1] = filled(2, 1);
  CHECK(mg_graph_call(graph, 2, inputs, 1, &inputs[0]) == MG_STATUS_SHAPE);
  mg_array_destroy(inputs[1]);
  inputs[1] = out;
  OK(mg_trace_begin(2, inputs, &trace));
  OK(mg_graph_call(graph, 2, inputs, 1, &out));
  OK(mg_trace_end(trace, 1, &out, &inlined));
  mg_trace_destroy(trace);
  mg_array_destroy(out);
  OK(mg_graph_create(inlined, NULL, &outer));
  OK(mg_graph_call(outer, 2, inputs, 1, &out));
  check_all(out, 3, 3);
  mg_array_destroy(out);
  mg_array_destroy(inputs[0]);
  mg_array_destroy(inputs[1]);
  mg_graph_destroy(graph);
  mg_graph_destroy(outer);
  mg_symbol_destroy(inlined);
  mg_symbol_destroy(sum);
  mg_symbol_destroy(parts[0]);
  mg_symbol_destroy(parts[1]);
}

int main(void) {
  mg_array *w = filled(2, 7), *x = filled(2, 2), *y = filled(2, 4), *out, *untouched = NULL, *inputs[3];
  mg_graph* graph = traced(w);

  out = called(graph, x, y);
  check_all(out, 2, 15);
  mg_array_destroy(out);
  out = called(graph, x, x); /* the same array twice */
  check_all(out, 2, 11);
  mg_array_destroy(out);

  inputs[0] = inputs[1] = inputs[2] = x;
  CHECK(mg_graph_call(graph, 2, inputs, 1, &untouched) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_graph_call(graph, 3, inputs, 0, NULL) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_graph_call(graph, 3, inputs, 1, NULL) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_graph_call(graph, 3, NULL, 1, &untouched) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_graph_call(NULL, 3, inputs, 1, &untouched) == MG_STATUS_INVALID_ARGUMENT);
  inputs[1] = NULL;
  CHECK(mg_graph_call(graph, 3, inputs, 1, &untouched) == MG_STATUS_INVALID_ARGUMENT && untouched == NULL);
  CHECK(mg_graph_create(NULL, NULL, &graph) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_graph_get_num_inputs(NULL) == 0 && mg_graph_get_num_outputs(NULL) == 0);
  mg_graph_destroy(NULL);

  check_gradients(graph, w);
  check_symbol();
  mg_array_destroy(w);
  mg_array_destroy(x);
  mg_array_destroy(y);
  OK(mg_wait_all());
  puts("ok");
  return 0;
}
