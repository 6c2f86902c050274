/* Predicts with a packed model, as a program on a phone or in a browser would; tools/targets.py builds it for every target.
 * predict MODEL NAME EXTENT,EXTENT,... INPUT OUTPUT: files of float32 in this machine's order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mixgrad/mixgrad.h"

#define MOST 4096

static void check(mg_status status) {
  if (status != MG_OK) {
    fprintf(stderr, "%s\n", mg_last_error());
    exit(1);
  }
}

static int parse_shape(const char* text, int64_t* shape) {
  int ndim = 0;
  while (*text && ndim < 8) {
    char* end;
    shape[ndim++] = strtoll(text, &end, 10);
    text = *end ? end + 1 : end;
  }
  return ndim;
}

static size_t transfer(const char* path, const char* mode, void* data, size_t bytes) {
  FILE* file = fopen(path, mode);
  size_t done;
  if (!file) {
    fprintf(stderr, "cannot open %s\n", path);
    exit(1);
  }
  done = mode[0] == 'r' ? fread(data, 1, bytes, file) : fwrite(data, 1, bytes, file);
  if (fclose(file) != 0) done = 0;
  return done;
}

/* The model's array of that kind and name; a new reference, or NULL. */
static mg_array* stored(const mg_model* model, const char* kind, const char* name) {
  char wanted[512];
  int32_t i;
  snprintf(wanted, sizeof wanted, "%s:%s", kind, name);
  for (i = 0; i < mg_model_array_count(model); ++i) {
    mg_array* found;
    if (strcmp(mg_model_get_array_name(model, i), wanted) != 0) continue;
    check(mg_model_get_array(model, i, &found));
    return found;
  }
  return NULL;
}

/* Arrays of a part of the symbol: the model's, the input, zeros for the rest. */
static int32_t collect(const mg_model* model, const mg_symbol* symbol, const mg_inference* inference,
                       int32_t part, const char* kind, const char* input_name, mg_array* input,
                       mg_array** out) {
  mg_string_list* names;
  int32_t i, count;
  check(mg_symbol_list(symbol, part, &names));
  count = mg_string_list_count(names);
  if (count > MOST) exit(1);
  for (i = 0; i < count; ++i) {
    const char* name = mg_string_list_get(names, i);
    const int64_t* shape;
    int32_t ndim;
    if (strcmp(name, input_name) == 0) {
      mg_array_retain(input);
      out[i] = input;
      continue;
    }
    out[i] = stored(model, kind, name);
    if (out[i]) continue;
    check(mg_inference_get_shape(inference, part, i, &ndim, &shape));
    check(mg_array_create(shape, ndim, MG_FLOAT32, mg_device_get_current(), &out[i]));
    {
      const size_t bytes = (size_t)mg_array_get_size(out[i]) * sizeof(float);
      void* zeros = calloc(1, bytes + 1);
      if (!zeros) exit(1);
      check(mg_array_copy_from(out[i], zeros, bytes));
      free(zeros);
    }
  }
  mg_string_list_destroy(names);
  return count;
}

int main(int argc, char** argv) {
  static mg_array *arguments[MOST], *states[MOST];
  mg_executor_arrays arrays;
  mg_model* model;
  mg_symbol* symbol;
  mg_inference* inference;
  mg_executor* executor;
  mg_array *input, *output;
  const char *json, *names[1];
  const int64_t* shapes[1];
  size_t bytes;
  int64_t shape[8];
  int32_t ndims[1], i;
  void* data;
  if (argc != 6) {
    fprintf(stderr, "predict MODEL NAME EXTENT,EXTENT,... INPUT OUTPUT\n");
    return 2;
  }
  check(mg_model_load(argv[1], &model));
  check(mg_model_get_text(model, "symbol", &json, &bytes));
  check(mg_symbol_from_json(json, bytes, argv[1], &symbol));
  ndims[0] = parse_shape(argv[3], shape);
  names[0] = argv[2];
  shapes[0] = shape;
  check(mg_array_create(shape, ndims[0], MG_FLOAT32, mg_device_get_current(), &input));
  bytes = (size_t)mg_array_get_size(input) * sizeof(float);
  data = malloc(bytes + 1);
  if (!data || transfer(argv[4], "rb", data, bytes) != bytes) {
    fprintf(stderr, "%s does not hold %lu bytes\n", argv[4], (unsigned long)bytes);
    return 1;
  }
  check(mg_array_copy_from(input, data, bytes));
  free(data);

  check(mg_symbol_infer(symbol, 1, names, ndims, shapes, NULL, &inference));
  memset(&arrays, 0, sizeof arrays);
  arrays.size = sizeof arrays;
  arrays.num_arguments = collect(model, symbol, inference, MG_ARGUMENTS, "arg", argv[2], input, arguments);
  arrays.arguments = arguments;
  arrays.num_auxiliaries = collect(model, symbol, inference, MG_AUXILIARY_STATES, "aux", "", input, states);
  arrays.auxiliaries = states;
  check(mg_executor_bind(symbol, &arrays, mg_device_get_current(), NULL, &executor));
  check(mg_executor_forward(executor, 0));
  check(mg_executor_get_array(executor, MG_OUTPUTS, 0, &output));
  bytes = (size_t)mg_array_get_size(output) * sizeof(float);
  data = malloc(bytes + 1);
  if (!data) return 1;
  check(mg_array_copy_to(output, data, bytes));
  if (transfer(argv[5], "wb", data, bytes) != bytes) return 1;
  free(data);

  for (i = 0; i < arrays.num_arguments; ++i) mg_array_destroy(arguments[i]);
  for (i = 0; i < arrays.num_auxiliaries; ++i) mg_array_destroy(states[i]);
  mg_array_destroy(output);
  mg_array_destroy(input);
  mg_executor_destroy(executor);
  mg_inference_destroy(inference);
  mg_symbol_destroy(symbol);
  mg_model_destroy(model);
  return 0;
}
