/* Programs built for other versions of the header: structs that begin with their size, smaller and larger than the library's.
 * The structs of 0.1 are written down here as they were, so that a field that moves is found. */
#include <stddef.h>
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
/* A failure of that status whose message names the function and says that. */
#define FAILS(call, status, function, says)                                       \
  do {                                                                            \
    CHECK((call) == (status));                                                    \
    CHECK(strncmp(mg_last_error(), "[" function "]", strlen(function) + 2) == 0); \
    CHECK(strstr(mg_last_error(), says) != NULL);                                 \
  } while (0)

/* ---- the structs of 0.1 ---------------------------------------------------------------------------------------- */

struct memory_info {
  size_t size;
  uint64_t in_use, peak, reserved, pooled, external, blocks, allocations, cache_hits;
};
struct port_info {
  size_t size;
  const char *name, *doc;
  int32_t mutates, auxiliary, variadic;
};
struct param_info {
  size_t size;
  const char *name, *type, *doc;
  int32_t required;
  const char* default_text;
};
struct custom_function {
  size_t size;
  const char* name;
  void* context;
  mg_status (*backward)(void*, int32_t, mg_array* const*, int32_t, mg_array**);
  void (*release)(void*);
};
struct gradient_hook {
  size_t size;
  void* context;
  mg_status (*call)(void*, mg_array*, mg_array**);
  void (*release)(void*);
};
struct kvstore_updater {
  size_t size;
  void* context;
  mg_status (*update)(void*, const mg_value*, mg_array*, mg_array*);
  void (*release)(void*);
};
struct executor_arrays {
  size_t size;
  int32_t num_arguments, num_auxiliaries;
  mg_array *const *arguments, *const *auxiliaries, *const *gradients;
  const int32_t* grad_reqs;
};
struct executor_options {
  size_t size;
  mg_executor* shared;
  const char *passes, *recompute;
  int32_t num_groups;
  const char* const* group_names;
  const mg_device* group_devices;
};
struct executor_watcher {
  size_t size;
  void* context;
  mg_status (*watch)(void*, const char*, mg_array*);
  void (*release)(void*);
  int32_t inputs;
};

struct executor_update {
  size_t size;
  int32_t argument, num_states;
  const mg_op* op;
  mg_array* const* states;
  int32_t num_params;
  const char* const* param_names;
  const mg_value* params;
};

/* The struct of 0.1 is the beginning of today's. */
#define BEGINS(type, last) \
  CHECK(sizeof(mg_##type) >= sizeof(struct type) && offsetof(mg_##type, last) == offsetof(struct type, last))

static void layouts(void) {
  BEGINS(memory_info, in_use);
  BEGINS(memory_info, external);
  BEGINS(memory_info, cache_hits);
  BEGINS(port_info, doc);
  BEGINS(port_info, mutates);
  BEGINS(port_info, variadic);
  BEGINS(param_info, type);
  BEGINS(param_info, required);
  BEGINS(param_info, default_text);
  BEGINS(custom_function, name);
  BEGINS(custom_function, backward);
  BEGINS(custom_function, release);
  BEGINS(gradient_hook, context);
  BEGINS(gradient_hook, call);
  BEGINS(gradient_hook, release);
  BEGINS(kvstore_updater, context);
  BEGINS(kvstore_updater, update);
  BEGINS(kvstore_updater, release);
  BEGINS(executor_arrays, num_auxiliaries);
  BEGINS(executor_arrays, arguments);
  BEGINS(executor_arrays, gradients);
  BEGINS(executor_arrays, grad_reqs);
  BEGINS(executor_options, passes);
  BEGINS(executor_options, num_groups);
  BEGINS(executor_options, group_devices);
  BEGINS(executor_watcher, watch);
  BEGINS(executor_watcher, release);
  BEGINS(executor_watcher, inputs);
  BEGINS(executor_update, op);
  BEGINS(executor_update, states);
  BEGINS(executor_update, params);
}

/* ---- programs -------------------------------------------------------------------------------------------------- */

/* What a program may hold: `size` bytes of a struct, of any version, and bytes that are no part of it. */
union room {
  size_t size;
  void* pointer;
  mg_memory_info memory;
  mg_port_info port;
  mg_param_info param;
  mg_custom_function function;
  mg_kvstore_updater updater;
  mg_executor_arrays arrays;
  mg_executor_options options;
  mg_executor_watcher watcher;
  mg_executor_update update;
  unsigned char bytes[256];
};
enum { BEYOND = 0xA5 };

/* A room that holds the first `size` bytes of `given`, said to be that many, with garbage behind. */
static union room cut(const void* given, size_t size) {
  union room out;
  memset(out.bytes, BEYOND, sizeof out.bytes);
  memcpy(out.bytes, given, size);
  out.size = size;
  return out;
}
/* The same with 16 bytes more than `given` has, of which the last is `last`: those of a newer program. */
static union room grown(const void* given, size_t size, unsigned char last) {
  union room out = cut(given, size);
  memset(out.bytes + size, 0, 16);
  out.bytes[size + 15] = last;
  out.size = size + 16;
  return out;
}
/* What nobody said to be part of the struct is as it was. */
static void untouched(const union room* room) {
  size_t i;
  for (i = room->size; i < sizeof room->bytes; ++i) CHECK(room->bytes[i] == BEYOND);
}

static const mg_device cpu = {MG_DEVICE_CPU, 0};
static const int64_t three[1] = {3};

static mg_array* made(float value) {
  const float values[3] = {value, value, value};
  mg_array* out = NULL;
  OK(mg_array_create_from(values, three, 1, MG_DTYPE_FLOAT32, cpu, &out));
  return out;
}
static float first_of(mg_array* array) {
  float values[3];
  OK(mg_array_copy_to(array, values, sizeof values));
  return values[0];
}

#define TOO_SMALL(call, function) FAILS(call, MG_STATUS_INVALID_ARGUMENT, function, "; expected sizeof(mg_")
#define TOO_NEW(call, function) FAILS(call, MG_STATUS_UNSUPPORTED, function, "built for a newer header")

static void infos(void) {
  union room zero, room;
  const mg_op* op = NULL;
  mg_array* held = made(1);
  size_t i;
  memset(&zero, 0, sizeof zero);
  OK(mg_op_find("FullyConnected", &op));

  room = cut(&zero, offsetof(mg_memory_info, peak)); /* an older program's */
  OK(mg_memory_get_info(cpu, &room.memory));
  CHECK(room.memory.in_use >= 12 && room.size == offsetof(mg_memory_info, peak));
  untouched(&room);
  room = cut(&zero, sizeof(mg_memory_info));
  OK(mg_memory_get_info(cpu, &room.memory));
  CHECK(room.memory.in_use >= 12 && room.memory.peak >= room.memory.in_use && room.memory.allocations > 0);
  untouched(&room);
  memset(&room, BEYOND, sizeof room); /* a newer program's, whose fields nobody set */
  room.size = sizeof(mg_memory_info) + 24;
  OK(mg_memory_get_info(cpu, &room.memory));
  CHECK(room.memory.in_use >= 12 && room.size == sizeof(mg_memory_info) + 24);
  for (i = sizeof(mg_memory_info); i < room.size; ++i) CHECK(room.bytes[i] == 0);
  untouched(&room);
  room = cut(&zero, sizeof(size_t));
  TOO_SMALL(mg_memory_get_info(cpu, &room.memory), "mg_memory_get_info");
  room = cut(&zero, 0);
  TOO_SMALL(mg_memory_get_info(cpu, &room.memory), "mg_memory_get_info");
  room = cut(&zero, sizeof(mg_memory_info) - 1); /* the size of no struct */
  TOO_SMALL(mg_memory_get_info(cpu, &room.memory), "mg_memory_get_info");
  room.size = SIZE_MAX & ~(size_t)7; /* not set */
  TOO_SMALL(mg_memory_get_info(cpu, &room.memory), "mg_memory_get_info");

  room = cut(&zero, offsetof(mg_port_info, doc));
  OK(mg_op_get_input(op, 1, &room.port));
  CHECK(strcmp(room.port.name, "weight") == 0);
  untouched(&room);
  memset(&room, BEYOND, sizeof room);
  room.size = sizeof(mg_port_info) + 8;
  OK(mg_op_get_input(op, 1, &room.port));
  CHECK(strcmp(room.port.name, "weight") == 0 && !room.port.mutates && !room.port.variadic);
  untouched(&room);
  room = cut(&zero, sizeof(size_t));
  TOO_SMALL(mg_op_get_input(op, 1, &room.port), "mg_op_get_input");

  room = cut(&zero, offsetof(mg_param_info, doc));
  OK(mg_op_get_param(op, 0, &room.param));
  CHECK(strcmp(room.param.name, "num_hidden") == 0 && strcmp(room.param.type, "int") == 0);
  untouched(&room);
  memset(&room, BEYOND, sizeof room);
  room.size = sizeof(mg_param_info) + 8;
  OK(mg_op_get_param(op, 0, &room.param));
  CHECK(room.param.required == 1 && strcmp(room.param.default_text, "") == 0);
  untouched(&room);
  room = cut(&zero, sizeof(size_t));
  TOO_SMALL(mg_op_get_param(op, 0, &room.param), "mg_op_get_param");
  mg_array_destroy(held);
}

/* ---- callbacks ------------------------------------------------------------------------------------------------- */

static int calls = 0, releases = 0;
static void release(void* context) {
  CHECK(context == &releases);
  ++releases;
}
static mg_status twice(void* context, int32_t num_out_grads, mg_array* const* out_grads, int32_t num_in_grads,
                       mg_array** in_grads) {
  CHECK(context == &releases && num_out_grads == 1 && num_in_grads == 1);
  ++calls;
  mg_array_retain(out_grads[0]);
  in_grads[0] = out_grads[0];
  return MG_STATUS_OK;
}

/* Whether a function recorded from that struct is called once, and how often it is released. */
static void differentiates(const union room* room, int expected_releases) {
  mg_array *x = made(1), *y = made(2), *gradient = NULL;
  calls = releases = 0;
  OK(mg_array_attach_grad(x, NULL, MG_GRAD_REQ_WRITE));
  OK(mg_autograd_set_recording(1, NULL));
  OK(mg_autograd_record_custom(&room->function, 1, &x, 1, &y));
  OK(mg_autograd_set_recording(0, NULL));
  OK(mg_autograd_backward(1, &y, NULL, 0, 0));
  OK(mg_array_get_grad(x, &gradient));
  CHECK(first_of(gradient) == 1 && calls == 1);
  mg_array_destroy(gradient);
  mg_array_destroy(y);
  mg_array_destroy(x);
  CHECK(releases == expected_releases);
}

static void functions(void) {
  mg_custom_function function;
  mg_array *x = made(1), *y = made(2);
  union room room;
  memset(&function, 0, sizeof function);
  function.name = "twice";
  function.context = &releases;
  function.backward = twice;
  function.release = release;
  room = cut(&function, sizeof function);
  differentiates(&room, 1);
  room = cut(&function, offsetof(mg_custom_function, release));
  differentiates(&room, 0);
  room = grown(&function, sizeof function, 0);
  differentiates(&room, 1);
  releases = 0;
  room = grown(&function, sizeof function, 1);
  TOO_NEW(mg_autograd_record_custom(&room.function, 1, &x, 1, &y), "mg_autograd_record_custom");
  room = cut(&function, offsetof(mg_custom_function, backward));
  TOO_SMALL(mg_autograd_record_custom(&room.function, 1, &x, 1, &y), "mg_autograd_record_custom");
  CHECK(releases == 0);
  mg_array_destroy(x);
  mg_array_destroy(y);
}

static mg_status count_update(void* context, const mg_value* key, mg_array* received, mg_array* stored) {
  CHECK(context == &releases && key->kind == MG_VALUE_INTEGER && first_of(received) == 5);
  ++calls;
  return mg_array_copy(received, stored);
}

static void updaters(void) {
  mg_kvstore_updater updater;
  mg_kvstore* store = NULL;
  mg_value key;
  mg_array *one = made(1), *five = made(5);
  union room rooms[3];
  int i;
  memset(&key, 0, sizeof key);
  key.kind = MG_VALUE_INTEGER;
  memset(&updater, 0, sizeof updater);
  updater.context = &releases;
  updater.update = count_update;
  updater.release = release;
  rooms[0] = cut(&updater, sizeof updater);
  rooms[1] = cut(&updater, offsetof(mg_kvstore_updater, release));
  rooms[2] = grown(&updater, sizeof updater, 0);
  OK(mg_kvstore_create("local", &store));
  OK(mg_kvstore_init(store, 1, &key, &one));
  for (i = 0; i < 3; ++i) {
    calls = releases = 0;
    OK(mg_kvstore_set_updater(store, &rooms[i].updater));
    OK(mg_kvstore_push(store, 1, &key, &five, 0));
    OK(mg_kvstore_set_updater(store, NULL));
    CHECK(calls == 1 && releases == (i == 1 ? 0 : 1));
  }
  releases = 0;
  rooms[0] = grown(&updater, sizeof updater, 1);
  TOO_NEW(mg_kvstore_set_updater(store, &rooms[0].updater), "mg_kvstore_set_updater");
  rooms[0] = cut(&updater, offsetof(mg_kvstore_updater, update));
  TOO_SMALL(mg_kvstore_set_updater(store, &rooms[0].updater), "mg_kvstore_set_updater");
  CHECK(releases == 0);
  mg_kvstore_destroy(store);
  mg_array_destroy(one);
  mg_array_destroy(five);
}

/* ---- executors ------------------------------------------------------------------------------------------------- */

static mg_status count_value(void* context, const char* name, mg_array* value) {
  CHECK(context == &releases && name[0] != '\0' && mg_array_get_ndim(value) == 1);
  ++calls;
  return MG_STATUS_OK;
}

static float ran(mg_executor* executor) {
  mg_array* out = NULL;
  float value;
  OK(mg_executor_forward(executor, 0));
  OK(mg_executor_get_array(executor, MG_PART_OUTPUTS, 0, &out));
  value = first_of(out);
  mg_array_destroy(out);
  return value;
}

static void watchers(mg_executor* executor) {
  mg_executor_watcher watcher;
  union room rooms[3];
  int i, seen[3];
  memset(&watcher, 0, sizeof watcher);
  watcher.context = &releases;
  watcher.watch = count_value;
  watcher.release = release;
  watcher.inputs = 1;
  rooms[0] = cut(&watcher, sizeof watcher);
  rooms[1] = cut(&watcher, offsetof(mg_executor_watcher, release)); /* outputs only */
  rooms[2] = grown(&watcher, sizeof watcher, 0);
  for (i = 0; i < 3; ++i) {
    calls = releases = 0;
    OK(mg_executor_watch(executor, &rooms[i].watcher));
    ran(executor);
    OK(mg_executor_watch(executor, NULL));
    seen[i] = calls;
    CHECK(releases == (i == 1 ? 0 : 1));
  }
  CHECK(seen[1] > 0 && seen[0] > seen[1] && seen[2] == seen[0]);
  releases = 0;
  rooms[0] = grown(&watcher, sizeof watcher, 1);
  TOO_NEW(mg_executor_watch(executor, &rooms[0].watcher), "mg_executor_watch");
  rooms[0] = cut(&watcher, offsetof(mg_executor_watcher, watch));
  TOO_SMALL(mg_executor_watch(executor, &rooms[0].watcher), "mg_executor_watch");
  CHECK(releases == 0);
}

/* Steps inside the backward part of an executor of relu("x") whose argument holds 7. */
static void updates(mg_executor* executor) {
  const char* const names[2] = {"lr", "wd"};
  const double lrs[1] = {4}, wds[1] = {0};
  mg_value numbers[2];
  mg_executor_update update;
  mg_array *head = made(1), *argument = NULL, *gradient = head;
  union room room;
  const mg_executor_update* pointer = &room.update;
  memset(numbers, 0, sizeof numbers);
  numbers[0].kind = numbers[1].kind = MG_VALUE_REAL;
  numbers[0].as.real = 2;
  memset(&update, 0, sizeof update);
  OK(mg_op_find("sgd_update", &update.op));
  OK(mg_executor_get_array(executor, MG_PART_ARGUMENTS, 0, &argument));

  room = cut(&update, offsetof(mg_executor_update, op));
  TOO_SMALL(mg_executor_set_updates(executor, 1, &pointer), "mg_executor_set_updates");
  room = grown(&update, sizeof update, 1);
  TOO_NEW(mg_executor_set_updates(executor, 1, &pointer), "mg_executor_set_updates");
  room = cut(&update, offsetof(mg_executor_update, states)); /* as old as can be: no parameters */
  FAILS(mg_executor_set_updates(executor, 1, &pointer), MG_STATUS_INVALID_ARGUMENT, "sgd_update", "lr");
  update.num_params = 2;
  update.param_names = names;
  update.params = numbers;
  room = cut(&update, sizeof update);
  OK(mg_executor_set_updates(executor, 1, &pointer));
  OK(mg_executor_get_array(executor, MG_PART_GRADIENTS, 0, &gradient));
  CHECK(gradient == NULL);
  OK(mg_executor_forward(executor, 1));
  OK(mg_executor_backward(executor, 1, &head));
  CHECK(first_of(argument) == 5);
  OK(mg_executor_set_rates(executor, 1, lrs, wds));
  OK(mg_executor_forward(executor, 1));
  OK(mg_executor_backward(executor, 1, &head));
  CHECK(first_of(argument) == 1);
  FAILS(mg_executor_set_rates(executor, 2, lrs, NULL), MG_STATUS_INVALID_ARGUMENT, "mg_executor_set_rates",
        "NULL");
  FAILS(mg_executor_set_rates(executor, 0, NULL, NULL), MG_STATUS_INVALID_ARGUMENT, "set_rates",
        "one per update");
  FAILS(mg_executor_set_updates(executor, 1, NULL), MG_STATUS_INVALID_ARGUMENT, "mg_executor_set_updates",
        "NULL");
  pointer = NULL;
  FAILS(mg_executor_set_updates(executor, 1, &pointer), MG_STATUS_INVALID_ARGUMENT, "mg_executor_set_updates",
        "NULL");
  mg_array_destroy(head);
  mg_array_destroy(argument);
}

static void executors(void) {
  const mg_op* op = NULL;
  mg_symbol *x = NULL, *net = NULL;
  mg_executor *executor = NULL, *other = NULL;
  mg_array* argument = made(7);
  mg_executor_arrays arrays;
  mg_executor_options options;
  union room room, how;
  OK(mg_symbol_create_variable("x", 0, NULL, NULL, &x));
  OK(mg_op_find("relu", &op));
  OK(mg_symbol_call(op, "net", 1, NULL, (const mg_symbol* const*)&x, 0, NULL, NULL, 0, NULL, NULL, &net));
  memset(&arrays, 0, sizeof arrays);
  arrays.num_arguments = 1;
  arrays.arguments = &argument;
  memset(&options, 0, sizeof options);
  options.passes = "-fold";
  options.recompute = "cheap";

  room = cut(&arrays, offsetof(mg_executor_arrays, auxiliaries)); /* as old as can be */
  OK(mg_executor_bind(net, &room.arrays, cpu, NULL, &executor));
  CHECK(ran(executor) == 7);
  watchers(executor);
  options.shared = executor;
  how = cut(&options, offsetof(mg_executor_options, passes));
  room = grown(&arrays, sizeof arrays, 0);
  OK(mg_executor_bind(net, &room.arrays, cpu, &how.options, &other));
  CHECK(ran(other) == 7 && ran(executor) == 7);
  mg_executor_destroy(other);
  other = NULL;
  how = grown(&options, sizeof options, 0);
  OK(mg_executor_bind(net, &room.arrays, cpu, &how.options, &other));
  CHECK(ran(other) == 7);
  mg_executor_destroy(other);
  other = NULL;
  how = cut(&options, sizeof(size_t));
  OK(mg_executor_bind(net, &room.arrays, cpu, &how.options, &other));
  CHECK(ran(other) == 7);
  mg_executor_destroy(other);
  other = NULL;

  how = grown(&options, sizeof options, 3);
  TOO_NEW(mg_executor_bind(net, &room.arrays, cpu, &how.options, &other), "mg_executor_bind");
  how = cut(&options, 0);
  TOO_SMALL(mg_executor_bind(net, &room.arrays, cpu, &how.options, &other), "mg_executor_bind");
  room = grown(&arrays, sizeof arrays, 1);
  TOO_NEW(mg_executor_bind(net, &room.arrays, cpu, NULL, &other), "mg_executor_bind");
  room = cut(&arrays, offsetof(mg_executor_arrays, arguments));
  TOO_SMALL(mg_executor_bind(net, &room.arrays, cpu, NULL, &other), "mg_executor_bind");
  CHECK(other == NULL);
  updates(executor);
  mg_executor_destroy(executor);
  mg_symbol_destroy(x);
  mg_symbol_destroy(net);
  mg_array_destroy(argument);
}

int main(void) {
  layouts();
  infos();
  functions();
  updaters();
  executors();
  puts("ok");
  return 0;
}
