/* MXNet's predict functions from C: a stored model gives the numbers of MXNet 1.9.1, and what is wrong is refused. */
#include <limits.h>
#include <math.h>
#include <mxnet/c_predict_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"

#define CHECK(condition)                                                                    \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      fprintf(stderr, "%s:%d: %s; %s\n", __FILE__, __LINE__, #condition, MXGetLastError()); \
      exit(1);                                                                              \
    }                                                                                       \
  } while (0)

enum { kInputs = 2 * 3 * 8 * 8, kOutputs = 20 };

static const char* keys[] = {"data"};
static const uint32_t indptr[] = {0, 4};
static const uint32_t shape[] = {2, 3, 8, 8};

/* The whole file, with a 0 behind it. */
static char* read_file(const char* name, int* size) {
  char path[1024];
  FILE* file;
  char* text;
  snprintf(path, sizeof path, "%s/%s", PREDICT_DATA, name);
  file = fopen(path, "rb");
  CHECK(file != NULL);
  fseek(file, 0, SEEK_END);
  *size = (int)ftell(file);
  rewind(file);
  text = (char*)malloc((size_t)*size + 1);
  CHECK(fread(text, 1, (size_t)*size, file) == (size_t)*size);
  text[*size] = 0;
  fclose(file);
  return text;
}

static void fill(float* data, int count) {
  int i;
  for (i = 0; i < count; ++i) data[i] = (float)(37 * i % 101) / 50.0f - 1.0f;
}

static void check_output(PredictorHandle predictor, uint32_t index, const float* expected, uint32_t count) {
  float got[kOutputs];
  uint32_t* extents = NULL;
  uint32_t ndim = 0, i;
  int dtype = -1;
  CHECK(MXPredGetOutputShape(predictor, index, &extents, &ndim) == 0);
  CHECK(ndim == 2 && extents[0] * extents[1] == count && extents[1] == 10);
  CHECK(MXPredGetOutputType(predictor, index, &dtype) == 0 && dtype == 0);
  CHECK(MXPredGetOutput(predictor, index, got, count) == 0);
  for (i = 0; i < count; ++i) CHECK(fabsf(got[i] - expected[i]) <= 1e-4f * (1 + fabsf(expected[i])));
}

static int values_seen = 0;
static void count_value(const char* name, NDArrayHandle value, void* handle) {
  CHECK(name[0] != 0 && value != NULL && handle == (void*)&values_seen);
  ++values_seen;
}

static void predicts(const char* json, const void* params, int size) {
  PredictorHandle predictor = NULL, small = NULL;
  float data[kInputs];
  const uint32_t one[] = {1, 3, 8, 8};
  int step, seen, left = 1;
  fill(data, kInputs);
  CHECK(MXPredCreate(json, params, size, 1, 0, 1, keys, indptr, shape, &predictor) == 0);
  CHECK(MXPredSetInput(predictor, "data", data, kInputs) == 0);
  CHECK(MXPredForward(predictor) == 0);
  check_output(predictor, 0, kSoftmax, kOutputs);
  /* Node by node. */
  data[0] += 1;
  CHECK(MXPredSetInput(predictor, "data", data, kInputs) == 0);
  CHECK(MXPredForward(predictor) == 0);
  data[0] -= 1;
  CHECK(MXPredSetInput(predictor, "data", data, kInputs) == 0);
  for (step = 0; left != 0; ++step) {
    const int before = left;
    CHECK(MXPredPartialForward(predictor, step, &left) == 0);
    CHECK(step == 0 || left == before - 1);
  }
  CHECK(step > 2);
  check_output(predictor, 0, kSoftmax, kOutputs);
  CHECK(MXPredPartialForward(predictor, 1, &left) == -1);
  /* One node, then all others. */
  data[0] += 1;
  CHECK(MXPredSetInput(predictor, "data", data, kInputs) == 0 && MXPredForward(predictor) == 0);
  data[0] -= 1;
  CHECK(MXPredSetInput(predictor, "data", data, kInputs) == 0);
  CHECK(MXPredPartialForward(predictor, 0, &left) == 0 && left > 1);
  CHECK(MXPredPartialForward(predictor, INT_MAX, &left) == 0 && left == 0);
  check_output(predictor, 0, kSoftmax, kOutputs);
  CHECK(MXPredPartialForward(predictor, INT_MAX, &left) == 0 && left == 0);
  /* Every value on its way. */
  CHECK(MXPredSetMonitorCallback(predictor, count_value, &values_seen, true) == 0);
  values_seen = 0;
  CHECK(MXPredForward(predictor) == 0);
  CHECK(values_seen > 10);
  check_output(predictor, 0, kSoftmax, kOutputs);
  seen = values_seen;
  CHECK(MXPredPartialForward(predictor, 0, &left) == 0 && left > 1);
  CHECK(values_seen > seen && values_seen < 2 * seen);
  CHECK(MXPredPartialForward(predictor, INT_MAX, &left) == 0 && left == 0);
  CHECK(values_seen == 2 * seen);
  check_output(predictor, 0, kSoftmax, kOutputs);
  CHECK(MXPredSetMonitorCallback(predictor, NULL, NULL, false) == 0);
  /* One sample; the old predictor goes on working. */
  CHECK(MXPredReshape(1, keys, indptr, one, predictor, &small) == 0);
  CHECK(MXPredSetInput(small, "data", data, kInputs / 2) == 0);
  CHECK(MXPredForward(small) == 0 && MXPredForward(predictor) == 0);
  check_output(small, 0, kSoftmax, kOutputs / 2);
  check_output(predictor, 0, kSoftmax, kOutputs);
  CHECK(MXPredFree(predictor) == 0 && MXPredFree(small) == 0);
}

static void predicts_parts(const char* json, const void* params, int size) {
  PredictorHandle predictor = NULL, several[3];
  const char* outputs[] = {"fc1", "softmax_output"};
  const char* names[] = {"data"};
  const int float32[] = {0}, unknown[] = {77};
  float data[kInputs];
  int i;
  fill(data, kInputs);
  CHECK(MXPredCreatePartialOut(json, params, size, 1, 0, 1, keys, indptr, shape, 2, outputs, &predictor) ==
        0);
  CHECK(MXPredSetInput(predictor, "data", data, kInputs) == 0 && MXPredForward(predictor) == 0);
  check_output(predictor, 0, kLayer, kOutputs);
  check_output(predictor, 1, kSoftmax, kOutputs);
  CHECK(MXPredFree(predictor) == 0);
  CHECK(MXPredCreateEx(json, params, size, 1, 0, 1, keys, indptr, shape, 1, names, float32, &predictor) == 0);
  CHECK(MXPredFree(predictor) == 0);
  CHECK(MXPredCreateEx(json, params, size, 1, 0, 1, keys, indptr, shape, 1, names, unknown, &predictor) ==
        -1);
  CHECK(MXPredCreateMultiThread(json, params, size, 1, 0, 1, keys, indptr, shape, 3, several) == 0);
  for (i = 0; i < 3; ++i) {
    CHECK(MXPredSetInput(several[i], "data", data, kInputs) == 0 && MXPredForward(several[i]) == 0);
  }
  for (i = 0; i < 3; ++i) {
    check_output(several[i], 0, kSoftmax, kOutputs);
    CHECK(MXPredFree(several[i]) == 0);
  }
}

static void lists(const char* params, int size) {
  NDListHandle list = NULL;
  uint32_t length = 0, i, ndim = 0, found = 0;
  const char* key = NULL;
  const float* data = NULL;
  const uint32_t* extents = NULL;
  CHECK(MXNDListCreate(params, size, &list, &length) == 0 && length == 9);
  for (i = 0; i < length; ++i) {
    CHECK(MXNDListGet(list, i, &key, &data, &extents, &ndim) == 0);
    if (strcmp(key, "arg:fc1_weight") != 0) continue;
    CHECK(ndim == 2 && extents[0] == 10 && extents[1] == 128 && fabsf(data[0]) <= 0.5f);
    ++found;
  }
  CHECK(found == 1);
  CHECK(MXNDListGet(list, length, &key, &data, &extents, &ndim) == -1);
  CHECK(MXNDListGet(NULL, 0, &key, &data, &extents, &ndim) == -1);
  CHECK(MXNDListFree(list) == 0);
  CHECK(MXNDListCreate(params, 40, &list, &length) == -1);
  CHECK(MXNDListCreate(params, -1, &list, &length) == -1);
}

static void refuses(const char* json, const char* params, int size) {
  PredictorHandle predictor = NULL;
  const uint32_t backwards[] = {4, 0}, wrong[] = {2, 3, 4, 4}, huge[] = {4000000000u, 4000000000u, 8, 8};
  const uint32_t all_of_32_bits[] = {1, 3, 43696, 8191};
  const char *unknown[] = {"datum"}, *label[] = {"softmax_label"}, *layer[] = {"fc1"};
  float data[kInputs];
  uint32_t* extents = NULL;
  uint32_t ndim = 0;
  int cut, left = 0;
  char* broken = (char*)malloc((size_t)size);
  fill(data, kInputs);
  CHECK(MXPredCreate(NULL, params, size, 1, 0, 1, keys, indptr, shape, &predictor) == -1);
  CHECK(MXPredCreate("{", params, size, 1, 0, 1, keys, indptr, shape, &predictor) == -1);
  CHECK(MXPredCreate(json, params, -5, 1, 0, 1, keys, indptr, shape, &predictor) == -1);
  CHECK(strstr(MXGetLastError(), "[MXPredCreate] param_size is -5; expected 0 or more") != NULL);
  CHECK(MXPredCreateEx(json, params, -5, 1, 0, 1, keys, indptr, shape, 0, NULL, NULL, &predictor) == -1);
  CHECK(strstr(MXGetLastError(), "[MXPredCreateEx] param_size is -5") != NULL);
  CHECK(MXPredCreate(json, NULL, size, 1, 0, 1, keys, indptr, shape, &predictor) == -1);
  CHECK(MXPredCreate(json, params, size, 2, 0, 1, keys, indptr, shape, &predictor) == -1);
  CHECK(MXPredCreate(json, params, size, 99, 0, 1, keys, indptr, shape, &predictor) == -1);
  CHECK(MXPredCreate(json, params, size, 1, 0, 1, NULL, indptr, shape, &predictor) == -1);
  CHECK(MXPredCreate(json, params, size, 1, 0, 1, keys, NULL, shape, &predictor) == -1);
  CHECK(MXPredCreate(json, params, size, 1, 0, 1, keys, backwards, shape, &predictor) == -1);
  CHECK(MXPredCreate(json, params, size, 1, 0, 1, keys, indptr, wrong, &predictor) == -1);
  CHECK(MXPredCreate(json, params, size, 1, 0, 1, keys, indptr, huge, &predictor) == -1);
  CHECK(MXPredCreate(json, params, size, 1, 0, 1, keys, indptr, all_of_32_bits, &predictor) == -1);
  CHECK(MXPredCreate(json, params, size, 1, 0, 1, unknown, indptr, shape, &predictor) == -1);
  CHECK(strstr(MXGetLastError(), "datum") != NULL);
  CHECK(MXPredCreate(json, params, size, 1, 0, 1, keys, indptr, shape, NULL) == -1);
  for (cut = 1; cut < size; cut += 97) {
    memcpy(broken, params, (size_t)cut);
    CHECK(MXPredCreate(json, broken, cut, 1, 0, 1, keys, indptr, shape, &predictor) == -1);
  }
  CHECK(MXPredCreatePartialOut(json, params, size, 1, 0, 1, keys, indptr, shape, 1, unknown, &predictor) ==
        -1);
  CHECK(MXPredCreatePartialOut(json, params, size, 1, 0, 1, label, indptr, shape, 1, layer, &predictor) ==
        -1);
  CHECK(strstr(MXGetLastError(), "input 'softmax_label' is in the network, but not in the part") != NULL);
  CHECK(MXPredCreateMultiThread(json, params, size, 1, 0, 1, keys, indptr, shape, 0, &predictor) == -1);
  CHECK(predictor == NULL);
  CHECK(MXPredCreate(json, params, size, 1, 0, 1, keys, indptr, shape, &predictor) == 0);
  CHECK(MXPredSetInput(predictor, "data", data, kInputs - 1) == -1);
  CHECK(MXPredSetInput(predictor, "datum", data, kInputs) == -1);
  CHECK(MXPredSetInput(predictor, NULL, data, kInputs) == -1);
  CHECK(MXPredSetInput(predictor, "data", NULL, kInputs) == -1);
  CHECK(MXPredGetOutputShape(predictor, 1, &extents, &ndim) == -1);
  CHECK(MXPredGetOutput(predictor, 0, data, 19) == -1);
  CHECK(MXPredGetOutput(predictor, 7, data, 20) == -1);
  CHECK(strstr(MXGetLastError(), "output 7 is not there; expected one below 1") != NULL);
  CHECK(MXPredPartialForward(predictor, -1, &left) == -1);
  CHECK(MXPredReshape(1, unknown, indptr, shape, predictor, NULL) == -1);
  CHECK(MXPredForward(NULL) == -1 && MXPredSetInput(NULL, "data", data, kInputs) == -1);
  CHECK(MXPredFree(predictor) == 0 && MXPredFree(NULL) == 0);
  free(broken);
}

int main(void) {
  int json_size = 0, size = 0;
  char* json = read_file("small-symbol.json", &json_size);
  char* params = read_file("small.params", &size);
  predicts(json, params, size);
  predicts_parts(json, params, size);
  lists(params, size);
  refuses(json, params, size);
  free(json);
  free(params);
  puts("1 passed");
  return 0;
}
