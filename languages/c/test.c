/* A stored network against MXNet's numbers, operators, graphs, errors. Usage: test FOLDER (languages/data) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mixgrad/c_predict_api.h"
#include "mixgrad_ops.h"

#define CHECK(condition)                                                                     \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      fprintf(stderr, "test.c:%d: not so: %s; %s\n", __LINE__, #condition, mg_last_error()); \
      exit(1);                                                                               \
    }                                                                                        \
  } while (0)
#define OK(call) CHECK((call) == MG_STATUS_OK)

enum { DIGITS = 20, FIRST = 1777, PIXELS = 64, CLASSES = 10 };
static const char* folder = "../data";

static char* read_file(const char* name, long* bytes) {
  char path[1024];
  FILE* file;
  char* text;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, "rb");
  CHECK(file && fseek(file, 0, SEEK_END) == 0);
  *bytes = ftell(file);
  text = (char*)calloc((size_t)*bytes + 1, 1);
  rewind(file);
  CHECK(text && fread(text, 1, (size_t)*bytes, file) == (size_t)*bytes);
  fclose(file);
  return text;
}

static mg_array* load(const char* file, const char* name) {
  char path[1024];
  mg_array_list* list = NULL;
  mg_array* found = NULL;
  int32_t i;
  snprintf(path, sizeof path, "%s/%s", folder, file);
  OK(mg_arrays_load(path, &list));
  for (i = 0; i < mg_array_list_get_num_arrays(list); ++i) {
    if (strcmp(mg_array_list_get_name(list, i), name) == 0) OK(mg_array_list_get(list, i, &found));
  }
  mg_array_list_destroy(list);
  CHECK(found);
  return found;
}

static mg_array* floats(const float* values, int64_t count) {
  const mg_device cpu = {MG_DEVICE_CPU, 0};
  mg_array* made = NULL;
  OK(mg_array_create_from(values, &count, 1, MG_DTYPE_FLOAT32, cpu, &made));
  return made;
}

static void check_near(mg_array* array, const float* expected, int count) {
  float found[256];
  int i;
  OK(mg_array_copy_to(array, found, (size_t)count * sizeof(float)));
  for (i = 0; i < count; ++i) CHECK(fabsf(found[i] - expected[i]) < 1e-5f);
}

/* By the predict functions of MXNet. */
static void stored_network_gives_mxnets_numbers(void) {
  const char* names[] = {"data"};
  const mx_uint begins[] = {0, 4}, shape[] = {DIGITS, 1, 8, 8};
  const mx_Cast_options to_float = {.dtype = MX_TEXT("float32")};
  long json_bytes, weight_bytes;
  char *json = read_file("digits-symbol.json", &json_bytes),
       *weights = read_file("digits-0001.params", &weight_bytes);
  float numbers[DIGITS * PIXELS], found[DIGITS * CLASSES], expected[DIGITS * CLASSES];
  mg_array *images = load("digits.params", "images"), *golden = load("expected.params", "probabilities");
  mg_array *last = NULL, *pixels = NULL, *scaled = NULL;
  PredictorHandle predictor = NULL;
  int i;
  OK(mg_array_slice(images, FIRST, FIRST + DIGITS, &last));
  OK(mx_Cast(last, &to_float, &pixels));
  OK(mx_scalar("_div_scalar", pixels, 16, &scaled));
  OK(mg_array_copy_to(scaled, numbers, sizeof numbers));
  OK(mg_array_copy_to(golden, expected, sizeof expected));
  CHECK(MXPredCreate(json, weights, (int)weight_bytes, 1, 0, 1, names, begins, shape, &predictor) == 0);
  CHECK(MXPredSetInput(predictor, "data", numbers, DIGITS * PIXELS) == 0 && MXPredForward(predictor) == 0);
  CHECK(MXPredGetOutput(predictor, 0, found, DIGITS * CLASSES) == 0);
  for (i = 0; i < DIGITS * CLASSES; ++i) CHECK(fabsf(found[i] - expected[i]) < 1e-5f);
  CHECK(MXPredFree(predictor) == 0);
  mg_array_destroy(scaled);
  mg_array_destroy(pixels);
  mg_array_destroy(last);
  mg_array_destroy(golden);
  mg_array_destroy(images);
  free(weights);
  free(json);
}

static void operators_compute(void) {
  const float six[] = {1, -2, 3, -4, 5, -6}, relu[] = {1, 0, 3, 0, 5, 0}, doubled[] = {2, -4, 6, -8, 10, -12};
  const mx_Activation_options active = {.act_type = MX_TEXT("relu")};
  const mx_Reshape_options rows = {.shape = MX_SIZES(2, 3)};
  const mx_sum_options columns = {.axis = MX_TUPLE(MX_INT(0))};
  const mx_Concat_options along = {.dim = MX_INT(0)};
  const mx_SliceChannel_options thirds = {.num_outputs = MX_INT(3), .axis = MX_INT(1)};
  const float sums[] = {-3, 3, -3}, middle[] = {-2, 5};
  mg_array *x = floats(six, 6), *y = NULL, *table = NULL, *sum = NULL, *joined = NULL, *pair[2],
           *parts[3] = {0};
  int32_t i, count = 3;
  OK(mx_Activation(x, &active, &y));
  check_near(y, relu, 6);
  OK(mx_elemwise_add(x, x, NULL, &y)); /* into the same array */
  check_near(y, doubled, 6);
  OK(mx_Reshape(x, &rows, &table));
  OK(mx_sum(table, &columns, &sum));
  check_near(sum, sums, 3);
  pair[0] = pair[1] = table;
  OK(mx_Concat(2, pair, &along, &joined));
  CHECK(mg_array_get_ndim(joined) == 2 && mg_array_get_shape(joined)[0] == 4);
  OK(mx_SliceChannel(table, &thirds, &count, parts));
  CHECK(count == 3);
  check_near(parts[1], middle, 2);
  for (i = 0; i < 3; ++i) mg_array_destroy(parts[i]);
  mg_array_destroy(joined);
  mg_array_destroy(sum);
  mg_array_destroy(table);
  mg_array_destroy(y);
  mg_array_destroy(x);
}

static void gradients_flow(void) {
  const float three[] = {0.5f, -1, 2};
  float expected[3];
  mg_array *x = floats(three, 3), *power = NULL, *product = NULL, *sum = NULL, *gradient = NULL;
  int i;
  OK(mg_array_attach_grad(x, NULL, MG_GRAD_REQ_WRITE));
  OK(mg_autograd_set_recording(1, NULL));
  OK(mx_exp(x, NULL, &power));
  OK(mx_elemwise_mul(power, x, NULL, &product));
  OK(mx_sum(product, NULL, &sum));
  OK(mg_autograd_set_recording(0, NULL));
  OK(mg_autograd_backward(1, &sum, NULL, 0, 0));
  OK(mg_array_get_grad(x, &gradient));
  for (i = 0; i < 3; ++i) expected[i] = expf(three[i]) * (three[i] + 1);
  check_near(gradient, expected, 3);
  mg_array_destroy(gradient);
  mg_array_destroy(sum);
  mg_array_destroy(product);
  mg_array_destroy(power);
  mg_array_destroy(x);
}

static void graphs_are_built(void) {
  const char* expected[] = {"data", "conv1_weight", "conv1_bias"};
  const mx_Convolution_options options = {.kernel = MX_SIZES(3, 3), .num_filter = MX_INT(16)};
  mg_symbol *data = NULL, *net = NULL, *both[2], *joined = NULL;
  mg_string_list* names = NULL;
  int32_t i;
  OK(mg_symbol_create_variable("data", 0, NULL, NULL, &data));
  OK(mx_Convolution_node(data, NULL, NULL, &options, "conv1", &net));
  OK(mg_symbol_list(net, MG_PART_ARGUMENTS, &names));
  CHECK(mg_string_list_get_num_strings(names) == 3);
  for (i = 0; i < 3; ++i) CHECK(strcmp(mg_string_list_get(names, i), expected[i]) == 0);
  both[0] = both[1] = net;
  OK(mx_add_n_node(2, (const mg_symbol* const*)both, NULL, "twice", &joined));
  CHECK(strcmp(mg_symbol_get_name(joined), "twice") == 0);
  mg_string_list_destroy(names);
  mg_symbol_destroy(joined);
  mg_symbol_destroy(net);
  mg_symbol_destroy(data);
}

static void errors_say_what_is_wrong(void) {
  const float values[] = {1, 2, 3};
  const mx_Activation_options wrong = {.act_type = MX_TEXT("rely")};
  mg_array *a = floats(values, 3), *b = floats(values, 2), *out = NULL;
  CHECK(mx_elemwise_add(a, b, NULL, &out) == MG_STATUS_SHAPE && !out);
  CHECK(strstr(mg_last_error(), "(3,)") && strstr(mg_last_error(), "(2,)"));
  CHECK(mx_Activation(a, &wrong, &out) != MG_STATUS_OK && strstr(mg_last_error(), "rely"));
  mg_array_destroy(b);
  mg_array_destroy(a);
}

int main(int argc, char** argv) {
  if (argc > 1) folder = argv[1];
  stored_network_gives_mxnets_numbers();
  operators_compute();
  gradients_flow();
  graphs_are_built();
  errors_say_what_is_wrong();
  printf("5 passed\n");
  return 0;
}
