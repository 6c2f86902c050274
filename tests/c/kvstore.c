/* A client of mixgrad.h that shares values through a key-value store: sums, an updater of its own, errors, lifetimes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mixgrad/mixgrad.h"

static int checks = 0;

static void fail(const char* what, int line) {
  fprintf(stderr, "kvstore.c:%d: %s: %s\n", line, what, mg_last_error());
  exit(1);
}
#define CHECK(condition)                          \
  do {                                            \
    ++checks;                                     \
    if (!(condition)) fail(#condition, __LINE__); \
  } while (0)
#define OK(call) CHECK((call) == MG_STATUS_OK)

static mg_array* pair(float a, float b, int32_t device) {
  const int64_t shape[1] = {2};
  float values[2];
  mg_device where = {MG_DEVICE_CPU, 0};
  mg_array* out = NULL;
  values[0] = a;
  values[1] = b;
  where.id = device;
  OK(mg_array_create_from(values, shape, 1, MG_DTYPE_FLOAT32, where, &out));
  return out;
}

static mg_value text(const char* name) {
  mg_value key;
  memset(&key, 0, sizeof key);
  key.kind = MG_VALUE_STRING;
  key.as.string = name;
  return key;
}

/* stored = stored - received, by the operator of that name. */
struct descent {
  int updates, releases;
  mg_status answer;
};
static mg_status subtract(void* context, const mg_value* key, mg_array* received, mg_array* stored) {
  struct descent* self = (struct descent*)context;
  const mg_op* op = NULL;
  mg_array *inputs[2], *outputs[1];
  int32_t num_outputs = 1;
  ++self->updates;
  CHECK(key->kind == MG_VALUE_STRING && strcmp(key->as.string, "w") == 0);
  if (self->answer != MG_STATUS_OK) {
    mg_set_error("[subtract] will not");
    return self->answer;
  }
  inputs[0] = stored;
  inputs[1] = received;
  outputs[0] = stored;
  OK(mg_op_find("broadcast_sub", &op));
  return mg_op_call(op, 2, inputs, 0, NULL, NULL, &num_outputs, outputs);
}
static void released(void* context) { ++((struct descent*)context)->releases; }

static void expect(mg_kvstore* store, const mg_value* key, float a, float b) {
  mg_array* out = pair(-1, -1, 1);
  float values[2];
  OK(mg_kvstore_pull(store, 1, key, &out, 0));
  OK(mg_array_copy_to(out, values, sizeof values));
  CHECK(values[0] == a && values[1] == b);
  mg_array_destroy(out);
}

/* An array of two numbers that stores the first `stored` of them. */
static mg_array* rows(int64_t stored, float value) {
  const int64_t shape[1] = {2}, given[1] = {stored}, numbers[2] = {0, 1};
  const float values[2] = {value, value};
  const mg_device host = {MG_DEVICE_CPU, 0};
  mg_array *kept = NULL, *indices = NULL, *out = NULL;
  OK(mg_array_create_from(values, given, 1, MG_DTYPE_FLOAT32, host, &kept));
  OK(mg_array_create_from(numbers, given, 1, MG_DTYPE_INT64, host, &indices));
  OK(mg_array_create_sparse(MG_STORAGE_ROW_SPARSE, shape, 1, MG_DTYPE_FLOAT32, host, kept, indices, NULL,
                            &out));
  mg_array_destroy(kept);
  mg_array_destroy(indices);
  return out;
}

static int64_t stored_rows(mg_array* array) {
  mg_array* indices = NULL;
  int64_t count;
  OK(mg_array_get_part(array, MG_SPARSE_PART_INDICES, &indices));
  count = mg_array_get_shape(indices)[0];
  mg_array_destroy(indices);
  return count;
}

/* Row_sparse values: pushed, pulled whole and by rows, and refused. */
static void pull_rows(const char* type) {
  const int64_t wanted[1] = {1}, beyond[1] = {2}, one[1] = {1};
  const mg_device host = {MG_DEVICE_CPU, 0};
  mg_kvstore* store = NULL;
  const mg_value key = text("w");
  mg_value both[2];
  mg_array *pushed[2], *out = rows(0, 0), *number = NULL, *outside = NULL, *dense = pair(5, 5, 0);
  pushed[0] = rows(2, 3);
  pushed[1] = rows(1, 4);
  both[0] = both[1] = key;
  OK(mg_array_create_from(wanted, one, 1, MG_DTYPE_INT64, host, &number));
  OK(mg_array_create_from(beyond, one, 1, MG_DTYPE_INT64, host, &outside));
  OK(mg_kvstore_create(type, &store));
  OK(mg_kvstore_init(store, 1, &key, &pushed[1]));
  expect(store, &key, 4, 0);
  OK(mg_kvstore_push(store, 2, both, pushed, 0));
  expect(store, &key, 7, 3);
  OK(mg_kvstore_pull_rows(store, 1, &key, &out, &number, 0));
  CHECK(stored_rows(out) == 1);
  OK(mg_kvstore_pull(store, 1, &key, &out, 0));
  CHECK(stored_rows(out) == 2);
  CHECK(mg_kvstore_pull_rows(store, 1, &key, &out, &outside, 0) == MG_STATUS_INDEX);
  CHECK(strstr(mg_last_error(), "'w' has 2 rows; got row 2") != NULL);
  CHECK(mg_kvstore_pull_rows(store, 1, &key, &dense, &number, 0) == MG_STATUS_UNSUPPORTED);
  CHECK(mg_kvstore_pull_rows(store, 1, &key, &out, &out, 0) == MG_STATUS_UNSUPPORTED);
  CHECK(mg_kvstore_pull_rows(store, 1, &key, &out, NULL, 0) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_kvstore_pull_rows(store, 1, &key, NULL, &number, 0) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_kvstore_pull_rows(store, 1, NULL, &out, &number, 0) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_kvstore_pull_rows(NULL, 1, &key, &out, &number, 0) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(stored_rows(out) == 2);
  mg_kvstore_destroy(store);
  mg_array_destroy(pushed[0]);
  mg_array_destroy(pushed[1]);
  mg_array_destroy(out);
  mg_array_destroy(number);
  mg_array_destroy(outside);
  mg_array_destroy(dense);
}

/* Two bits of each element, and what is kept; refusals. */
static void compressed(const char* type) {
  static const char* const names[2] = {"type", "threshold"};
  mg_kvstore* store = NULL;
  mg_value key = text("c"), values[2];
  mg_array *first = pair(0, 0, 0), *pushed = pair(0.75f, -0.25f, 0);
  int32_t part = 0;
  int64_t begin = 0, count = 0;
  void* data = NULL;
  size_t bytes = 0;

  values[0] = text("2bit");
  memset(&values[1], 0, sizeof values[1]);
  values[1].kind = MG_VALUE_REAL;
  values[1].as.real = 0.5;
  OK(mg_kvstore_create(type, &store));
  OK(mg_kvstore_init(store, 1, &key, &first));
  if (strcmp(type, "local") == 0) {
    CHECK(mg_kvstore_set_compression(store, 2, names, values) == MG_STATUS_UNSUPPORTED);
  } else {
    OK(mg_kvstore_set_compression(store, 2, names, values));
    OK(mg_kvstore_push(store, 1, &key, &pushed, 0));
    expect(store, &key, 0.5f, 0);
    OK(mg_kvstore_push(store, 1, &key, &pushed, 0));
    expect(store, &key, 0.5f, -0.5f);
    values[1].as.real = -1;
    CHECK(mg_kvstore_set_compression(store, 2, names, values) == MG_STATUS_INVALID_ARGUMENT);
    CHECK(mg_kvstore_set_compression(store, 0, NULL, NULL) == MG_STATUS_INVALID_ARGUMENT);
    CHECK(mg_kvstore_set_compression(NULL, 1, names, values) == MG_STATUS_INVALID_ARGUMENT);
  }
  /* States are servers', which such a store has not. */
  CHECK(mg_kvstore_get_state(store, &key, 0, &part, &begin, &count, &data, &bytes) == MG_STATUS_UNSUPPORTED);
  CHECK(mg_kvstore_get_state(store, &key, 0, NULL, &begin, &count, &data, &bytes) ==
        MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_kvstore_set_states(store, 0, NULL, NULL, NULL, NULL) == MG_STATUS_UNSUPPORTED);
  CHECK(mg_kvstore_set_states(store, 1, NULL, NULL, NULL, NULL) == MG_STATUS_INVALID_ARGUMENT);
  mg_kvstore_destroy(store);
  mg_array_destroy(first);
  mg_array_destroy(pushed);
}

int main(void) {
  mg_kvstore* store = NULL;
  mg_value keys[3];
  mg_array *values[2], *first;
  struct descent descent = {0, 0, MG_STATUS_OK};
  mg_kvstore_updater updater;
  const char* names[2] = {"local", "device"};
  int kind;

  keys[0] = keys[1] = text("w");
  memset(&keys[2], 0, sizeof keys[2]);
  for (kind = 0; kind < 2; ++kind) {
    store = NULL;
    memset(&descent, 0, sizeof descent);
    OK(mg_kvstore_create(names[kind], &store));
    CHECK(strcmp(mg_kvstore_get_type(store), names[kind]) == 0);
    CHECK(mg_kvstore_get_rank(store) == 0 && mg_kvstore_get_num_workers(store) == 1);
    OK(mg_kvstore_barrier(store));

    first = pair(100, 200, 0);
    values[0] = pair(1, 2, 0);
    values[1] = pair(10, 20, 1);
    OK(mg_kvstore_broadcast(store, 1, keys, &first, 2, keys, values, 0));
    expect(store, keys, 100, 200);
    mg_array_destroy(values[0]);
    mg_array_destroy(values[1]);
    values[0] = pair(1, 2, 0);
    values[1] = pair(10, 20, 1);
    CHECK(mg_kvstore_init(store, 1, keys, &first) == MG_STATUS_INVALID_ARGUMENT);
    CHECK(strstr(mg_last_error(), "'w'") != NULL);
    CHECK(mg_kvstore_push(store, 1, &keys[2], values, 0) ==
          MG_STATUS_INVALID_ARGUMENT); /* a key of kind none */
    CHECK(mg_kvstore_push(store, 1, NULL, values, 0) == MG_STATUS_INVALID_ARGUMENT);
    CHECK(mg_kvstore_push(store, 1, keys, NULL, 0) == MG_STATUS_INVALID_ARGUMENT);
    CHECK(mg_kvstore_push(NULL, 1, keys, values, 0) == MG_STATUS_INVALID_ARGUMENT);
    keys[2] = text("x");
    CHECK(mg_kvstore_pull(store, 1, &keys[2], values, 0) == MG_STATUS_NOT_FOUND);
    memset(&keys[2], 0, sizeof keys[2]);

    OK(mg_kvstore_push(store, 2, keys, values, 0));
    expect(store, keys, 11, 22);

    memset(&updater, 0, sizeof updater);
    updater.size = sizeof updater;
    updater.context = &descent;
    updater.update = subtract;
    updater.release = released;
    OK(mg_kvstore_set_updater(store, &updater));
    OK(mg_kvstore_push_pull(store, 2, keys, values, 1, keys, &first, 5));
    expect(store, keys, 0, 0);
    CHECK(descent.updates == 1 && descent.releases == 0);
    descent.answer = MG_STATUS_SHAPE;
    CHECK(mg_kvstore_push(store, 2, keys, values, 0) == MG_STATUS_SHAPE);
    CHECK(strcmp(mg_last_error(), "[subtract] will not") == 0);
    expect(store, keys, 0, 0);
    updater.size = 1;
    CHECK(mg_kvstore_set_updater(store, &updater) == MG_STATUS_INVALID_ARGUMENT && descent.releases == 0);
    OK(mg_kvstore_set_updater(store, NULL));
    CHECK(descent.releases == 1);
    descent.answer = MG_STATUS_OK;
    updater.size = sizeof updater;
    OK(mg_kvstore_set_updater(store, &updater));
    mg_kvstore_destroy(store); /* work may be in flight */
    CHECK(descent.releases == 2);
    mg_array_destroy(first);
    mg_array_destroy(values[0]);
    mg_array_destroy(values[1]);
    pull_rows(names[kind]);
    compressed(names[kind]);
  }
  CHECK(mg_kvstore_create("dist_sync", &store) == MG_STATUS_INVALID_ARGUMENT); /* no DMLC_ROLE */
  CHECK(mg_kvstore_create("odd", &store) == MG_STATUS_INVALID_ARGUMENT);
  CHECK(mg_kvstore_create(NULL, &store) == MG_STATUS_INVALID_ARGUMENT);
  mg_kvstore_destroy(NULL);
  OK(mg_wait_all());
  printf("%d checks passed\n", checks);
  return 0;
}
