/* Packed models through the C header: saved in each form, loaded, compared; misuse gives a status and leaves outputs alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mixgrad/mixgrad.h"

#define CHECK(condition)                                                                         \
  do {                                                                                           \
    if (!(condition)) {                                                                          \
      fprintf(stderr, "model.c:%d: not true: %s (%s)\n", __LINE__, #condition, mg_last_error()); \
      exit(1);                                                                                   \
    }                                                                                            \
  } while (0)

static const float values[6] = {0.5f, -1, 0.25f, 3, 2, -2.5f};

static void round_trip(const char* path, const char* form, double error) {
  const int64_t shape[2] = {2, 3};
  const mg_device cpu = {MG_DEVICE_CPU, 0};
  const char *names[2] = {"symbol", "empty"}, *texts[2] = {"{\0}", ""}, *array_names[2] = {"arg:w", "arg:b"};
  const char* text = NULL;
  const size_t sizes[2] = {3, 0};
  mg_array *arrays[2], *found = NULL;
  mg_model* model = NULL;
  float back[6];
  size_t bytes = 9;
  int i;
  CHECK(mg_array_create_from(values, shape, 2, MG_DTYPE_FLOAT32, cpu, &arrays[0]) == MG_STATUS_OK);
  CHECK(mg_array_create_from(values, shape + 1, 1, MG_DTYPE_FLOAT32, cpu, &arrays[1]) == MG_STATUS_OK);
  CHECK(mg_model_save(path, 2, names, texts, sizes, 2, arrays, array_names, form) == MG_STATUS_OK);
  CHECK(mg_model_load(path, &model) == MG_STATUS_OK);
  CHECK(strcmp(mg_model_get_weights(model), form) == 0);
  CHECK(mg_model_get_num_texts(model) == 2 && mg_model_get_num_arrays(model) == 2);
  CHECK(strcmp(mg_model_get_text_name(model, 1), "empty") == 0);
  CHECK(mg_model_get_text(model, "symbol", &text, &bytes) == MG_STATUS_OK);
  CHECK(bytes == 3 && memcmp(text, "{\0}", 4) == 0);
  CHECK(mg_model_get_text(model, "empty", &text, &bytes) == MG_STATUS_OK && bytes == 0 && text[0] == 0);
  CHECK(strcmp(mg_model_get_array_name(model, 0), "arg:w") == 0);
  CHECK(mg_model_get_array(model, 0, &found) == MG_STATUS_OK);
  CHECK(mg_array_get_dtype(found) == MG_DTYPE_FLOAT32 && mg_array_get_ndim(found) == 2);
  CHECK(mg_array_copy_to(found, back, sizeof back) == MG_STATUS_OK);
  for (i = 0; i < 6; ++i) CHECK(fabs((double)back[i] - (double)values[i]) <= error);
  mg_array_destroy(found);
  CHECK(mg_model_get_array(model, 1, &found) == MG_STATUS_OK);
  CHECK(mg_array_copy_to(found, back, 12) == MG_STATUS_OK && memcmp(back, values, 12) == 0);
  mg_array_destroy(found);
  for (i = 0; i < 2; ++i) mg_array_destroy(arrays[i]);

  text = NULL;
  found = NULL;
  CHECK(mg_model_get_text(model, "other", &text, NULL) == MG_STATUS_NOT_FOUND && !text);
  CHECK(mg_model_get_array(model, 2, &found) == MG_STATUS_INDEX && !found);
  CHECK(!mg_model_get_text_name(model, -1) && !mg_model_get_array_name(model, 2));
  mg_model_destroy(model);
}

int main(void) {
  const char* path = "c_model_test.mxg";
  const char* names[2] = {"a", "a"};
  const char* texts[2] = {"x", "y"};
  const size_t sizes[2] = {1, 1};
  mg_model* model = NULL;
  round_trip(path, "float32", 0);
  round_trip(path, "float16", 1e-3);
  round_trip(path, "int8", 3.0 / 254 + 1e-6);
  remove(path);
  CHECK(mg_model_save(NULL, 0, NULL, NULL, NULL, 0, NULL, NULL, "int8") == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_model_save(path, 0, NULL, NULL, NULL, 0, NULL, NULL, "int4") == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_model_save(path, 1, NULL, NULL, NULL, 0, NULL, NULL, "int8") == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_model_save(path, 2, names, texts, sizes, 0, NULL, NULL, "int8") == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_model_load(path, &model) == MG_STATUS_NOT_FOUND && !model); /* nothing was left behind */
  CHECK(mg_model_load_buffer("MXGMODEL", 8, &model) == MG_STATUS_FORMAT && !model);
  CHECK(mg_model_load_buffer(NULL, 8, &model) == MG_STATUS_INVALID_ARGUMENT && !model);
  CHECK(mg_model_get_num_texts(NULL) == 0 && !mg_model_get_weights(NULL));
  mg_model_destroy(NULL);
  puts("model: all checks passed");
  return 0;
}
