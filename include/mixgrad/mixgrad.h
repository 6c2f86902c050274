/* mixgrad's C header: everything the library can do, for C, C++, Go, R, Python and any language that calls C.
 *
 * Conventions
 *  - Functions that can fail return mg_status; 0 is success. On failure mg_last_error() holds the message of the calling
 *    thread, and outputs (always the last arguments) are untouched. Other functions cannot fail. A NULL where an object is
 *    needed is MG_STATUS_INVALID_ARGUMENT; functions that cannot fail answer it with 0, -1 (a dtype) or NULL.
 *  - Handles are pointers to incomplete structs. create/load/call give the caller a reference that destroy gives back;
 *    destroy accepts NULL. "Borrowed" pointers belong to the handle they came from.
 *  - Work is asynchronous: calls push work to the engine and return. Only functions marked "Blocks" wait for values. Errors
 *    of work that ran later are reported by the blocking call that reads the value.
 *  - A message begins with [mg_function] where a function refuses what it was given, and with the name of the operator or of
 *    the work, such as [infer] or [memory], where that fails.
 *  - Any function may be called from any thread; one array handle belongs to one thread at a time.
 *  - Structs that may grow begin with their size in bytes, set by the caller: sizeof the struct of the header that the program
 *    was built with, which may be older or newer than the library. New fields come at the end, never in what was padding, and
 *    0 means what was before them. In a struct that a function reads, fields that an older program's lacks are 0; of a newer
 *    program's, what the library does not know must be 0, else MG_STATUS_UNSUPPORTED. In a struct that a function fills, the
 *    fields that the program has are written, those that the library does not know as 0. Fields from the one marked [optional]
 *    on may be missing; any other size is MG_STATUS_INVALID_ARGUMENT. Clear the struct before filling it in, so that padding is
 *    0, too. Structs without a size stay as they are.
 *  - A number of items is an int32_t called num_<items>: as an argument, as a field, and as the function
 *    mg_<noun>_get_num_<items>; items are asked for by index, from 0. Extents are int64_t. Bytes of memory that a call is given
 *    or gives are size_t, those of statistics, plans and limits uint64_t.
 *  - An enumerator is MG_, the noun of its enum and its own word; the noun is the type's name without mg_ and _kind:
 *    MG_STATUS_OK of mg_status, MG_DEVICE_CPU of mg_device_kind. Enums cross functions as int32_t, but for mg_status.
 * Since 0.1 unless a comment says otherwise. 0.1 is not released yet; until it is, names may change. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "mixgrad/version.h"

#if defined(MG_HIDDEN) /* a single file that a shared library keeps to itself */
#define MG_EXPORT __attribute__((visibility("hidden")))
#elif defined(_WIN32)
#define MG_EXPORT __declspec(dllexport)
#else
#define MG_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status ---------------------------------------------------------------------------------------------------- */

typedef enum mg_status {
  MG_STATUS_OK = 0,
  MG_STATUS_INVALID_ARGUMENT = 1, /* a value outside what the function accepts */
  MG_STATUS_SHAPE = 2,            /* shapes that do not fit together */
  MG_STATUS_DTYPE = 3,            /* dtypes that do not fit together */
  MG_STATUS_INDEX = 4,            /* an index outside an axis */
  MG_STATUS_OUT_OF_MEMORY = 5,
  MG_STATUS_NOT_FOUND = 6,   /* no operator, key or file of that name */
  MG_STATUS_IO = 7,          /* reading or writing outside the process failed */
  MG_STATUS_FORMAT = 8,      /* a damaged or foreign file */
  MG_STATUS_UNSUPPORTED = 9, /* a device, dtype or feature this build lacks */
  MG_STATUS_AUTOGRAD = 10,   /* a gradient that was not recorded, or a value it needs was changed */
  MG_STATUS_INTERNAL = 11,   /* a mistake of the library */
  MG_STATUS_STOPPED = 12     /* given up: a wait that was interrupted, or work of a program that ends */
} mg_status;

/* Message of the last failure on this thread; "" before the first. Borrowed until the next failing call. */
MG_EXPORT const char* mg_last_error(void);
/* Gets what a program should be told while its work goes on, such as labels outside of the classes: once in a process for each
 * kind. It is called in the thread that found it, which may be one of the library's own, and may call nothing of this header
 * but mg_last_error. NULL, as at first: the message goes to standard error. Counts for the process. */
MG_EXPORT mg_status mg_warning_set_handler(void (*handler)(const char* message));
/* "0.1.0" */
MG_EXPORT const char* mg_version(void);
/* 1 if that capability is there now: "onednn"; 0 otherwise, also for unknown names. */
MG_EXPORT int32_t mg_has_feature(const char* name);

/* oneDNN 3, a library of Intel's, is used by programs that load it: for large products and some convolutions on x86-64 Linux.
 * It must be built for GNU OpenMP. path: its file, or NULL for libdnnl.so.3 where the system looks for libraries. It is
 * switched on for the calls that start later, and stays loaded until the process ends. Any thread. MG_STATUS_NOT_FOUND with the
 * system's reason, MG_STATUS_FORMAT or MG_STATUS_UNSUPPORTED for a library that does not fit. */
MG_EXPORT mg_status mg_onednn_load(const char* path);
/* 0: our own kernels do everything from now on; 1: it is used again. */
MG_EXPORT mg_status mg_onednn_set_enabled(int32_t enabled);

/* ---- basic types ----------------------------------------------------------------------------------------------- */

/* Numbers of MXNet's files. */
typedef enum mg_dtype {
  MG_DTYPE_FLOAT32 = 0,
  MG_DTYPE_FLOAT64 = 1,
  MG_DTYPE_FLOAT16 = 2,
  MG_DTYPE_UINT8 = 3,
  MG_DTYPE_INT32 = 4,
  MG_DTYPE_INT8 = 5,
  MG_DTYPE_INT64 = 6,
  MG_DTYPE_BOOL = 7,
  MG_DTYPE_BFLOAT16 = 12
} mg_dtype;

typedef enum mg_device_kind {
  MG_DEVICE_CPU = 1,
  MG_DEVICE_GPU = 2,
  MG_DEVICE_CPU_PINNED = 3,
  MG_DEVICE_CPU_SHARED = 5
} mg_device_kind;
typedef struct mg_device {
  int32_t kind; /* mg_device_kind */
  int32_t id;
} mg_device;

typedef enum mg_value_kind {
  MG_VALUE_NONE = 0,
  MG_VALUE_INTEGER = 1,
  MG_VALUE_REAL = 2,
  MG_VALUE_BOOLEAN = 3,
  MG_VALUE_STRING = 4,
  MG_VALUE_TUPLE = 5
} mg_value_kind;

/* A parameter value. Strings and tuple items are borrowed during the call. */
typedef struct mg_value {
  int32_t kind;      /* mg_value_kind */
  int32_t num_items; /* of a tuple */
  union {
    int64_t integer; /* also 0 or 1 of a boolean */
    double real;
    const char* string;
    const struct mg_value* items;
  } as;
} mg_value;

typedef struct mg_op mg_op;
typedef struct mg_array mg_array;
typedef struct mg_array_list mg_array_list;
typedef struct mg_kvstore mg_kvstore;
typedef struct mg_symbol mg_symbol;
typedef struct mg_string_list mg_string_list;
typedef struct mg_inference mg_inference;
typedef struct mg_executor mg_executor;
typedef struct mg_trace mg_trace;
typedef struct mg_graph mg_graph;

/* ---- engine ---------------------------------------------------------------------------------------------------- */

/* Blocks until all pushed work is done; reports the first failure not yet reported. */
MG_EXPORT mg_status mg_wait_all(void);
/* Blocks until all pushed work is done, such as before a fork. Failures stay to be reported by mg_wait_all, and by the arrays that
 * they spoilt. */
MG_EXPORT mg_status mg_wait_idle(void);
typedef enum mg_engine_kind { MG_ENGINE_SERIAL = 0, MG_ENGINE_THREADED = 1 } mg_engine_kind;
/* Blocks; finishes pending work and switches. No other thread may be using the library. */
MG_EXPORT mg_status mg_engine_set_kind(int32_t kind);
/* The engine that runs; -1 when there was no memory to make it, with a message as of a failed call. */
MG_EXPORT int32_t mg_engine_get_kind(void);
/* Threads that one large operator uses. */
MG_EXPORT int32_t mg_engine_get_num_threads(void);
MG_EXPORT mg_status mg_engine_set_num_threads(int32_t num_threads);
/* 1: only kernels whose results have the same bits with any number of threads, which all of the library's own do; other
 * libraries' are left out. At first 0. Blocks; finishes pending work where that changes something. Counts for the process. */
MG_EXPORT mg_status mg_deterministic_set(int32_t on);
MG_EXPORT int32_t mg_deterministic_get(void);

/* Told when a call that is otherwise short is about to block or to work long in the caller's thread, and when it is over:
 * `leave` gets what `enter` gave, in the same thread. A language with a lock around its interpreter lets go of it meanwhile.
 * NULL, NULL: none. To be set while no other thread is inside the library. */
MG_EXPORT mg_status mg_engine_set_blocking_hooks(void* (*enter)(void), void (*leave)(void* state));

/* Asked every 50 ms by a thread that blocks for values. Where it gives anything but 0 the call that blocks returns
 * MG_STATUS_STOPPED; the work goes on, and a later call may wait for it again. A process that ends asks it, too, and then gives up
 * tasks that are still at work. NULL: none. To be set while no other thread is inside the library. */
MG_EXPORT mg_status mg_engine_set_interrupt_hook(int32_t (*interrupted)(void));

/* Records every task from start to stop; dump writes Chrome-trace JSON. */
MG_EXPORT mg_status mg_profiler_start(void);
MG_EXPORT mg_status mg_profiler_stop(void);
/* Goes on after mg_profiler_stop; what was recorded before stays. */
MG_EXPORT mg_status mg_profiler_resume(void);
MG_EXPORT mg_status mg_profiler_dump(const char* path);
/* What dump would write; mg_buffer_destroy frees it. */
MG_EXPORT mg_status mg_profiler_trace(char** text);

/* ---- devices and memory ---------------------------------------------------------------------------------------- */

/* Devices of that kind that can be used; any cpu id is valid, so cpu counts 1. */
MG_EXPORT int32_t mg_device_get_num_devices(int32_t kind);
/* For tests: from now on gpu(0) to gpu(num_cards - 1) are simulated ones with that many bytes of memory each, which compute what
 * the CPU computes, late and beside the host, in memory that the host cannot touch; `seed` chooses the delays. 0: none again. To
 * be called while no work is in flight. */
MG_EXPORT mg_status mg_device_simulate(int32_t num_cards, uint64_t bytes, uint64_t seed);
/* Fails, saying what is missing, when the device cannot be used. */
MG_EXPORT mg_status mg_device_check(mg_device device);
/* The device on which this thread makes arrays when nothing else says so. */
MG_EXPORT mg_device mg_device_get_current(void);
MG_EXPORT mg_status mg_device_set_current(mg_device device);

typedef struct mg_memory_info {
  size_t size;       /* sizeof(mg_memory_info), set by the caller */
  uint64_t in_use;   /* bytes held by live arrays */
  uint64_t peak;     /* [optional] largest in_use since start or reset */
  uint64_t reserved; /* bytes taken from the system */
  uint64_t pooled;   /* of these, idle */
  uint64_t external; /* bytes of arrays over memory owned elsewhere */
  uint64_t blocks;   /* live blocks */
  uint64_t allocations;
  uint64_t cache_hits; /* allocations served without asking the system */
} mg_memory_info;
MG_EXPORT mg_status mg_memory_get_info(mg_device device, mg_memory_info* info);
MG_EXPORT mg_status mg_memory_reset_peak(mg_device device);
/* Gives idle memory back to the system; `released` (may be NULL) gets the bytes. */
MG_EXPORT mg_status mg_memory_trim(mg_device device, uint64_t* released);
/* The most that arrays and plans of graphs may take of the system from now on, idle memory included, which grows by 8 MiB at a
 * time; more is MG_STATUS_OUT_OF_MEMORY. For models that are not trusted. What operators need while they run, and weights that
 * they keep in an order of their own, come on top. UINT64_MAX, as at the start: no limit. */
MG_EXPORT mg_status mg_memory_set_limit(mg_device device, uint64_t bytes);
/* For languages that destroy arrays only when a garbage collector finds them unused: it counts objects, not what the arrays
 * behind them weigh. `collect(context)` looks for such objects and destroys their arrays before it returns. It is called in
 * calls that make arrays, in their thread and before they change anything: when `step` bytes (0: 256 MiB), or half of what
 * was in use, have come since the last time, queued work counted; and when the call would fail for lack of memory, which is
 * then tried again. It may call any function; it is not called inside itself, but by several threads at once if they call the
 * library so. Memory that a task finds missing later is an error. To be set while no other thread is inside the library; NULL:
 * none, as at the start. */
MG_EXPORT mg_status mg_memory_set_collector(void (*collect)(void* context), void* context, uint64_t step);
/* For tests: the n-th allocation from now fails (1: the next); 0 turns it off. */
MG_EXPORT mg_status mg_memory_fail_after(int64_t n);
/* For tests: new memory, and outputs before they are computed, hold this byte (0 to 255) everywhere, so results that depend on
 * it come from bytes that nobody wrote; -1 turns it off. MG_STATUS_INTERNAL when memory beside an array was written since the
 * last call, which is seen when the array's memory is released. */
MG_EXPORT mg_status mg_memory_fill_new(int32_t byte);

/* ---- random numbers -------------------------------------------------------------------------------------------- */

MG_EXPORT mg_status mg_random_seed(uint64_t seed);
MG_EXPORT mg_status mg_random_seed_device(uint64_t seed, mg_device device);

/* ---- arrays ---------------------------------------------------------------------------------------------------- */

/* Uninitialised memory. `shape` holds ndim extents; ndim 0 is a scalar. */
MG_EXPORT mg_status mg_array_create(const int64_t* shape, int32_t ndim, int32_t dtype, mg_device device,
                                    mg_array** out);
/* Zeros, whose memory is taken when they are first read or written, if ever; on the host. */
MG_EXPORT mg_status mg_array_create_later(const int64_t* shape, int32_t ndim, int32_t dtype, mg_device device,
                                          mg_array** out);
/* Copies host memory, row-major. */
MG_EXPORT mg_status mg_array_create_from(const void* data, const int64_t* shape, int32_t ndim, int32_t dtype,
                                         mg_device device, mg_array** out);
/* An array over memory owned elsewhere; `release(context)` runs once, on any thread, when the last use is over (NULL: the
 * memory outlives the process), and not if the call fails. */
MG_EXPORT mg_status mg_array_wrap(void* data, const int64_t* shape, int32_t ndim, int32_t dtype,
                                  mg_device device, void (*release)(void* context), void* context,
                                  mg_array** out);
MG_EXPORT void mg_array_destroy(mg_array* array);
/* One more reference to the same array. */
MG_EXPORT void mg_array_retain(mg_array* array);

MG_EXPORT int32_t mg_array_get_ndim(const mg_array* array);
/* Borrowed; mg_array_get_ndim extents. */
MG_EXPORT const int64_t* mg_array_get_shape(const mg_array* array);
MG_EXPORT int64_t mg_array_get_size(const mg_array* array);
MG_EXPORT int32_t mg_array_get_dtype(const mg_array* array);
MG_EXPORT mg_device mg_array_get_device(const mg_array* array);
/* Times the memory was written, counted when the writing call was made. */
MG_EXPORT uint64_t mg_array_get_version(const mg_array* array);
/* 1 if both are views of one memory. */
MG_EXPORT int32_t mg_array_shares_memory(const mg_array* a, const mg_array* b);

/* Views: same memory, new shape (all extents given, sizes equal); recorded by autograd. */
MG_EXPORT mg_status mg_array_reshape(mg_array* array, const int64_t* shape, int32_t ndim, mg_array** out);
/* MXNet's special codes 0, -1, -2, -3, -4 resolved against the array's shape; `reverse` reads from the right. `out` has
 * room for 16 extents. */
MG_EXPORT mg_status mg_shape_resolve(const int64_t* shape, int32_t ndim, const int64_t* codes,
                                     int32_t num_codes, int32_t reverse, int64_t* out, int32_t* out_ndim);
/* View of rows [begin, end) of the leading axis; while recording, a recorded copy. */
MG_EXPORT mg_status mg_array_slice(mg_array* array, int64_t begin, int64_t end, mg_array** out);
/* Same memory, not on the gradient tape. */
MG_EXPORT mg_status mg_array_detach(mg_array* array, mg_array** out);

/* Blocks. Reports what failed while computing the values. */
MG_EXPORT mg_status mg_array_wait_to_read(mg_array* array);
MG_EXPORT mg_status mg_array_wait_to_write(mg_array* array);
/* Blocks until values are there; address of the first element, valid while the array lives and is not written. */
MG_EXPORT mg_status mg_array_get_data(mg_array* array, void** data);
/* Blocks; `bytes` must be the array's size in bytes. */
MG_EXPORT mg_status mg_array_copy_to(mg_array* array, void* dst, size_t bytes);
MG_EXPORT mg_status mg_array_copy_from(mg_array* array, const void* src, size_t bytes);
/* Several processes on one array: memory that another process of the machine maps by a descriptor. It has no name, so it goes
 * with the last process that has it, however that ends. What other processes write is seen at once and without any order: the
 * engine orders the calls of its own process only. Linux only, else MG_STATUS_UNSUPPORTED.
 *
 * Moves dense arrays of the host, and all views of their memory, into one new segment; those that are shared stay. Blocks; no other
 * thread may use the arrays meanwhile. MG_STATUS_UNSUPPORTED where an address was given out (mg_array_get_data,
 * mg_array_wrap). Arrays of MG_DEVICE_CPU_SHARED are shared from the start. */
MG_EXPORT mg_status mg_array_share_memory(int32_t num_arrays, mg_array* const* arrays);
MG_EXPORT int32_t mg_array_is_shared(const mg_array* array);
/* Blocks until values are there. The descriptor is the array's: it may be sent (SCM_RIGHTS) or inherited, not closed. `offset`, in
 * bytes: of the first element. */
MG_EXPORT mg_status mg_array_get_shared_place(mg_array* array, int32_t* fd, uint64_t* offset);
/* An array over memory that another process shares. The descriptor stays the caller's, who may close it. */
MG_EXPORT mg_status mg_array_attach_shared(int32_t fd, uint64_t offset, const int64_t* shape, int32_t ndim,
                                           int32_t dtype, mg_device device, mg_array** out);
/* dst = src across devices and dtypes; shapes equal. */
MG_EXPORT mg_status mg_array_copy(mg_array* src, mg_array* dst);

/* Arrays that store a part of their elements; all others are zero. Operators take them (mg_op_call), as do mg_array_copy, autograd,
 * stores (row_sparse ones) and the functions that save and load arrays; all others refuse them with MG_STATUS_UNSUPPORTED.
 *  - ROW_SPARSE: some rows. Values of shape (rows stored, shape[1], ...), indices: their numbers, growing. No starts.
 *  - CSR, of two axes: some elements, row by row. Values and indices: of each element its value and its column. Starts: of each
 *    row the first of its elements, and after them the number of elements. */
typedef enum mg_storage { MG_STORAGE_DENSE = 0, MG_STORAGE_ROW_SPARSE = 1, MG_STORAGE_CSR = 2 } mg_storage;
typedef enum mg_sparse_part {
  MG_SPARSE_PART_VALUES = 0,
  MG_SPARSE_PART_INDICES = 1,
  MG_SPARSE_PART_STARTS = 2
} mg_sparse_part;
/* mg_storage of the array; 0 of NULL. */
MG_EXPORT int32_t mg_array_get_storage(const mg_array* array);
/* Shares the memory of its parts; indices and starts of int64, or of int32, which are converted. What they say is not read here:
 * mg_array_check_sparse does. All parts NULL: nothing is stored yet. dtype and device count only then. */
MG_EXPORT mg_status mg_array_create_sparse(int32_t storage, const int64_t* shape, int32_t ndim, int32_t dtype,
                                           mg_device device, mg_array* values, mg_array* indices,
                                           mg_array* starts, mg_array** out);
/* One part of a sparse array, whose memory it shares until the array is written. */
MG_EXPORT mg_status mg_array_get_part(mg_array* array, int32_t part, mg_array** out);
/* Blocks. MG_STATUS_INDEX where the indices do not fit the shape, or not one another. */
MG_EXPORT mg_status mg_array_check_sparse(mg_array* array);

/* Indexing as in Python: x[2], x[1:5:2], x[..., None]. Places and bounds below 0 count from the end of the axis.
 *  - AT: the place `begin` of an axis, which the result does not have.
 *  - SLICE: from `begin` towards `end`, which is left out, by `step`. What lies beyond the axis stands for its ends, INT64_MIN
 *    and INT64_MAX among it.
 *  - NEW_AXIS: an axis of extent 1, as Python's None.
 *  - ELLIPSIS, at most once: all axes that no other item stands for. Without it these come last.
 *  - ARRAY: the places in `array`, of any dtype but MG_DTYPE_BOOL. Other items must be whole axes then, else
 *    MG_STATUS_UNSUPPORTED. */
typedef enum mg_index_kind {
  MG_INDEX_AT = 0,
  MG_INDEX_SLICE = 1,
  MG_INDEX_NEW_AXIS = 2,
  MG_INDEX_ELLIPSIS = 3,
  MG_INDEX_ARRAY = 4
} mg_index_kind;
typedef struct mg_index {
  int32_t kind; /* mg_index_kind */
  int64_t begin, end, step;
  mg_array* array; /* borrowed; NULL but for MG_INDEX_ARRAY */
} mg_index;
/* The selected elements: a view where they lie one after another and are not being recorded by autograd, a new array otherwise.
 * Slices of all of it, in its shape, give one more reference to the array. Of an array with axes, a result without any gets
 * one of extent 1. Places of MG_INDEX_ARRAY outside the axis are reported when the values are read. */
MG_EXPORT mg_status mg_array_index(mg_array* array, int32_t num_items, const mg_index* items, mg_array** out);
/* The selected elements = value, which broadcasts to them, whatever its dtype and device. */
MG_EXPORT mg_status mg_array_assign(mg_array* array, int32_t num_items, const mg_index* items,
                                    mg_array* value);
MG_EXPORT mg_status mg_array_assign_number(mg_array* array, int32_t num_items, const mg_index* items,
                                           double number);

/* ---- operators ------------------------------------------------------------------------------------------------- */

MG_EXPORT int32_t mg_op_get_num_ops(void);
/* In order of name; NULL outside the range. */
MG_EXPORT const mg_op* mg_op_get(int32_t index);
/* By name or alias; the error names near misses. */
MG_EXPORT mg_status mg_op_find(const char* name, const mg_op** out);
MG_EXPORT const char* mg_op_get_name(const mg_op* op);
MG_EXPORT const char* mg_op_get_doc(const mg_op* op);
MG_EXPORT const char* mg_op_get_origin(const mg_op* op);
/* Where its Python function lives: "", "random", "contrib", ... */
MG_EXPORT const char* mg_op_get_module(const mg_op* op);
MG_EXPORT int32_t mg_op_get_num_aliases(const mg_op* op);
MG_EXPORT const char* mg_op_get_alias(const mg_op* op, int32_t index);
MG_EXPORT int32_t mg_op_get_num_inputs(const mg_op* op);

typedef struct mg_port_info {
  size_t size; /* sizeof(mg_port_info), set by the caller */
  const char* name;
  const char* doc;   /* [optional] */
  int32_t mutates;   /* the operator also writes this input */
  int32_t auxiliary; /* a state beside the arguments */
  int32_t variadic;  /* stands for any number of inputs */
} mg_port_info;
MG_EXPORT mg_status mg_op_get_input(const mg_op* op, int32_t index, mg_port_info* info);

MG_EXPORT int32_t mg_op_get_num_params(const mg_op* op);
typedef struct mg_param_info {
  size_t size; /* sizeof(mg_param_info), set by the caller */
  const char* name;
  const char* type; /* [optional] "int", "optional float", "{'relu', 'tanh'}", "tuple of int", ... */
  const char* doc;
  int32_t required;
  const char* default_text; /* as Python prints it; "" when required */
} mg_param_info;
MG_EXPORT mg_status mg_op_get_param(const mg_op* op, int32_t index, mg_param_info* info);
/* 1 if the operator has that property: "variadic", "gradient", "random", "mode", "pointwise", "zero_gradient",
 * "second_order", "optional_inputs" (trailing inputs depend on the parameters), "single_output". */
MG_EXPORT int32_t mg_op_has(const mg_op* op, const char* property);
/* The parameter that holds the number of inputs of a variadic operator; NULL when there is none. */
MG_EXPORT const char* mg_op_get_num_inputs_param(const mg_op* op);
/* Inputs and visible outputs under these parameters; -1 inputs for "any number". */
MG_EXPORT mg_status mg_op_arity(const mg_op* op, int32_t num_params, const char* const* names,
                                const mg_value* values, int32_t* num_inputs, int32_t* num_outputs);

/* Applies an operator. Parameters not named keep their defaults. *num_outputs: in, the room in `outputs`; out, the number of
 * visible outputs. Entries of `outputs` that are not NULL are written in place and stay the caller's; NULL entries
 * receive new arrays. */
MG_EXPORT mg_status mg_op_call(const mg_op* op, int32_t num_inputs, mg_array* const* inputs,
                               int32_t num_params, const char* const* names, const mg_value* values,
                               int32_t* num_outputs, mg_array** outputs);

/* ---- gradients ------------------------------------------------------------------------------------------------- */

typedef enum mg_grad_req { MG_GRAD_REQ_NULL = 0, MG_GRAD_REQ_WRITE = 1, MG_GRAD_REQ_ADD = 3 } mg_grad_req;

/* Of the calling thread; `previous` may be NULL. */
MG_EXPORT mg_status mg_autograd_set_recording(int32_t on, int32_t* previous);
MG_EXPORT mg_status mg_autograd_set_training(int32_t on, int32_t* previous);
MG_EXPORT int32_t mg_autograd_is_recording(void);
MG_EXPORT int32_t mg_autograd_is_training(void);

/* Makes `array` a variable. gradient NULL: zeros are made. */
MG_EXPORT mg_status mg_array_attach_grad(mg_array* array, mg_array* gradient, int32_t grad_req);
/* *out is a new reference, or NULL when the array is no variable. Of a computed array that keeps its gradient
 * (mg_array_retain_grad): that, or NULL before a backward pass has found it. */
MG_EXPORT mg_status mg_array_get_grad(mg_array* array, mg_array** out);
/* 1 if a gradient can flow to this array: it is a variable or was computed from one while recording. */
MG_EXPORT int32_t mg_array_is_recorded(const mg_array* array);
/* 1 if it is a variable. */
MG_EXPORT int32_t mg_array_is_variable(const mg_array* array);
/* Of a variable: 1 if a backward pass has written its gradient since this was set to 0 last. 0 of other arrays, which cannot
 * be set. Setting -1 also forgets the gradient, which is zeros from then on, as if it had been cleared. */
MG_EXPORT int32_t mg_array_is_grad_fresh(const mg_array* array);
MG_EXPORT mg_status mg_array_set_grad_fresh(mg_array* array, int32_t fresh);

/* Has mg_autograd_backward add the gradient of an array that was computed while recording to what mg_array_get_grad gives; it
 * stays a part of the graph. Nothing new for variables; MG_STATUS_AUTOGRAD where no gradient flows to the array. */
MG_EXPORT mg_status mg_array_retain_grad(mg_array* array);
/* 1 if a computed array keeps its gradient. */
MG_EXPORT int32_t mg_array_is_grad_retained(const mg_array* array);

/* A function that backward passes call with the gradient of an array, when that is complete and before it flows on or is
 * written. The gradient is borrowed and must not be changed; *replacement may be set to a new reference of the same shape, dtype
 * and device. It returns a status and may leave a message with mg_set_error. `release`, where there is one, runs once. */
typedef struct mg_gradient_hook {
  size_t size; /* sizeof(mg_gradient_hook), set by the caller */
  void* context;
  mg_status (*call)(void* context, mg_array* gradient, mg_array** replacement);
  void (*release)(void* context); /* [optional] */
} mg_gradient_hook;
/* Functions of one array are called in the order in which they were added; those of a computed array end with what was recorded
 * of it. *number is never 0. MG_STATUS_AUTOGRAD where no gradient flows to the array. `release` also runs when this fails for
 * other reasons than `hook` being NULL or of a wrong size. */
MG_EXPORT mg_status mg_array_add_gradient_hook(mg_array* array, const mg_gradient_hook* hook,
                                               uint64_t* number);
/* Nothing where it is not there any more. */
MG_EXPORT mg_status mg_array_remove_gradient_hook(mg_array* array, uint64_t number);

/* Gradients of the heads into the variables they depend on. head_grads may be NULL, entries too (ones). */
MG_EXPORT mg_status mg_autograd_backward(int32_t num_heads, mg_array* const* heads,
                                         mg_array* const* head_grads, int32_t retain_graph,
                                         int32_t create_graph);
/* Gradients with regard to chosen arrays, as new arrays. */
MG_EXPORT mg_status mg_autograd_grad(int32_t num_heads, mg_array* const* heads, mg_array* const* head_grads,
                                     int32_t num_variables, mg_array* const* variables, int32_t retain_graph,
                                     int32_t create_graph, mg_array** gradients);

/* The recorded calls that led to an array, as a graph. Variables, and arrays that were none, are called var0, var1, ... */
MG_EXPORT mg_status mg_autograd_get_symbol(mg_array* head, mg_symbol** out);

/* A function with a gradient of the caller's. `backward` gets one borrowed gradient per output and sets in_grads[i] to new
 * references (NULL: no gradient); it returns a status and may leave a message with mg_set_error. `release`, where there is one,
 * runs once. */
typedef struct mg_custom_function {
  size_t size; /* sizeof(mg_custom_function), set by the caller */
  const char* name;
  void* context;
  mg_status (*backward)(void* context, int32_t num_out_grads, mg_array* const* out_grads,
                        int32_t num_in_grads, mg_array** in_grads);
  void (*release)(void* context); /* [optional] */
} mg_custom_function;
/* Records outputs as computed from inputs by the function. `release` also runs when this fails for other reasons than
 * `function` being NULL or of a wrong size. */
MG_EXPORT mg_status mg_autograd_record_custom(const mg_custom_function* function, int32_t num_inputs,
                                              mg_array* const* inputs, int32_t num_outputs,
                                              mg_array* const* outputs);
MG_EXPORT void mg_set_error(const char* message);

/* ---- operators of the program ---------------------------------------------------------------------------------- */

/* The operator "Custom" runs functions of the program: its parameter op_type names what was registered here, all other
 * parameters go to that as text. Functions return a status and may leave a message with mg_set_error; they run in any thread,
 * one call of an operator at a time. The library sets the size of the structs that they fill in. `release`, where there is one,
 * runs once, and not for a struct whose function failed. */

#define MG_MAX_NDIM 16

/* What a call reads and writes, all borrowed: a function may keep arrays by mg_array_retain, which then keep their values. */
typedef struct mg_custom_arrays {
  size_t size;
  int32_t num_inputs, num_outputs, num_states;
  mg_array* const* inputs;
  mg_array* const* outputs;   /* forward: zeros, to be written */
  mg_array* const* states;    /* what forward writes in training is kept */
  mg_array* const* out_grads; /* backward, one per output */
  mg_array* const* in_grads;  /* backward, one per input: zeros, to be written */
  const int32_t* wanted;      /* [optional] backward, one per input: whether its gradient is read */
} mg_custom_arrays;

/* An operator at work: of one node of a bound graph, or of one call on arrays. */
typedef struct mg_custom_operator {
  size_t size; /* sizeof(mg_custom_operator) */
  void* context;
  mg_status (*forward)(void* context, int32_t is_training, const mg_custom_arrays* arrays);
  mg_status (*backward)(void* context, const mg_custom_arrays* arrays);
  void (*release)(void* context); /* [optional] */
} mg_custom_operator;

/* What a type's operators are under some parameters. Shapes and dtypes come in the order arguments, outputs, states; shape i
 * has ndims[i] extents (-1: rank unknown) from extents[i * MG_MAX_NDIM] on (-1: unknown), dtypes are -1 while unknown. */
typedef struct mg_custom_properties {
  size_t size; /* sizeof(mg_custom_properties) */
  void* context;
  int32_t num_arguments, num_outputs, num_states;
  int32_t is_loss; /* not 0: backward does not depend on the gradients of the outputs */
  const char* const*
      names; /* arguments, outputs, states; read before the function that gives them is called again */
  mg_status (*infer_shape)(void* context, int32_t num_shapes, int32_t* ndims, int64_t* extents);
  mg_status (*infer_dtype)(void* context, int32_t num_dtypes, int32_t* dtypes);
  /* Shapes and dtypes of arguments and states. */
  mg_status (*make_operator)(void* context, mg_device device, int32_t num_inputs, const int32_t* ndims,
                             const int64_t* extents, const int32_t* dtypes, mg_custom_operator* out);
  void (*release)(void* context); /* [optional] */
} mg_custom_properties;

typedef struct mg_custom_type {
  size_t size; /* sizeof(mg_custom_type), set by the caller */
  void* context;
  mg_status (*make_properties)(void* context, int32_t num_params, const char* const* names,
                               const char* const* texts, mg_custom_properties* out);
  void (*release)(void* context); /* [optional] */
} mg_custom_type;
/* Takes the place of a type of that name; graphs made before keep what they have. `release` also runs when this fails for other
 * reasons than a wrong size. */
MG_EXPORT mg_status mg_custom_register(const char* name, const mg_custom_type* type);

/* ---- files ----------------------------------------------------------------------------------------------------- */

/* Every function that writes a file: it appears complete or not at all, under a name beside it first, and is on the disk when
 * the function returns; the next writer into its folder removes what a killed process left there. A file that is replaced keeps
 * its mode and, as far as the process may, its owner; a link stays, and what it points to is written; devices such as
 * /dev/null, pipes that somebody reads and descriptors such as /dev/stdout are written as they are. Folders, sockets, disks,
 * files without permission to write, and links that another user put into a folder open to all, are refused (MG_STATUS_IO).
 * docs/files.md. Every function that reads one takes regular files only, so none waits for a pipe or a device:
 * MG_STATUS_NOT_FOUND where there is none, MG_STATUS_IO for what else cannot be read, MG_STATUS_FORMAT for what it holds. */

/* Files that belong together: those which this thread writes from begin on appear when commit has all of them on the disk, in
 * the order in which they were written; a failure of any leaves all the old ones. abandon in place of commit: none appears.
 * Inside of one another only the outermost pair counts. Blocks. */
MG_EXPORT mg_status mg_files_begin(void);
MG_EXPORT mg_status mg_files_commit(void);
MG_EXPORT mg_status mg_files_abandon(void);
/* Makes the bytes the whole of a file. Messages begin with [who]. Blocks. */
MG_EXPORT mg_status mg_file_write(const char* path, const char* who, const void* data, size_t bytes);
/* A file that is written piece by piece, by one thread at a time; as with mg_file_write it appears when it is committed. Without
 * that nothing is left of it when it is destroyed, but of what was written to a device or a pipe. Write and commit may block. */
typedef struct mg_file_writer mg_file_writer;
MG_EXPORT mg_status mg_file_writer_open(const char* path, const char* who, mg_file_writer** out);
MG_EXPORT mg_status mg_file_writer_write(mg_file_writer* writer, const void* data, size_t bytes);
MG_EXPORT mg_status mg_file_writer_commit(mg_file_writer* writer);
MG_EXPORT void mg_file_writer_destroy(mg_file_writer* writer);
/* A regular file as a descriptor to read from, which the caller closes. */
MG_EXPORT mg_status mg_file_open(const char* path, const char* who, int32_t* descriptor);

/* Named arrays in the format of MXNet's .params files, or safetensors ("params", "safetensors"). names NULL: a plain list.
 * Blocks. */
MG_EXPORT mg_status mg_arrays_save(const char* path, const char* format, int32_t num_arrays,
                                   mg_array* const* arrays, const char* const* names);
/* The same into memory that mg_buffer_destroy frees. */
MG_EXPORT mg_status mg_arrays_save_buffer(const char* format, int32_t num_arrays, mg_array* const* arrays,
                                          const char* const* names, void** data, size_t* bytes);
MG_EXPORT void mg_buffer_destroy(void* data);
/* Any known format, recognised by content. */
MG_EXPORT mg_status mg_arrays_load(const char* path, mg_array_list** out);
/* The same without a copy where mg_mapping_set allows: arrays lie in the file's pages, which the system reads when they are
 * first used and shares between processes. Writing to an array does not change the file; replacing the file by another of the
 * same name is safe. Else it is read as by mg_arrays_load. */
MG_EXPORT mg_status mg_arrays_map(const char* path, mg_array_list** out);
/* Which files mg_arrays_map and mg_model_load map. A process that looks at a mapped file after another has shortened it is
 * ended (SIGBUS), and what another writes into it changes the arrays; so by default only files are mapped that nobody has
 * permission to write to (chmod a-w), or that lie on a read-only file system. MG_MAPPING_ALWAYS is for who knows that nobody
 * changes them. */
typedef enum mg_mapping { MG_MAPPING_NEVER = 0, MG_MAPPING_FIXED = 1, MG_MAPPING_ALWAYS = 2 } mg_mapping;
MG_EXPORT mg_status mg_mapping_set(int32_t mapping);
MG_EXPORT int32_t mg_mapping_get(void);
MG_EXPORT mg_status mg_arrays_load_buffer(const void* data, size_t bytes, mg_array_list** out);
MG_EXPORT int32_t mg_array_list_get_num_arrays(const mg_array_list* list);
/* New reference; NULL where an old file holds "no value". */
MG_EXPORT mg_status mg_array_list_get(const mg_array_list* list, int32_t index, mg_array** out);
/* Borrowed; NULL when the arrays have no names. */
MG_EXPORT const char* mg_array_list_get_name(const mg_array_list* list, int32_t index);
MG_EXPORT void mg_array_list_destroy(mg_array_list* list);

/* ---- model files ----------------------------------------------------------------------------------------------- */

/* One file that holds a whole model: texts by name, among them "symbol" (JSON), and arrays by name. A file that is damaged
 * is refused. docs/model-file.md describes the bytes. */
typedef struct mg_model mg_model;

/* weights: how the file holds arrays of float32 with two axes or more: "float32", "float16", or "int8" with a factor for
 * each entry of the first axis. Blocks. */
MG_EXPORT mg_status mg_model_save(const char* path, int32_t num_texts, const char* const* text_names,
                                  const char* const* texts, const size_t* text_bytes, int32_t num_arrays,
                                  mg_array* const* arrays, const char* const* array_names,
                                  const char* weights);
/* Weights come back as float32, on the current device. On the CPU, those that the file holds as float32 stay in its pages
 * where mg_arrays_map would leave them there. */
MG_EXPORT mg_status mg_model_load(const char* path, mg_model** out);
MG_EXPORT mg_status mg_model_load_buffer(const void* data, size_t bytes, mg_model** out);
MG_EXPORT void mg_model_destroy(mg_model* model);
/* Borrowed. A text ends with a zero byte that `bytes` does not count; MG_STATUS_NOT_FOUND where there is none of that name. */
MG_EXPORT mg_status mg_model_get_text(const mg_model* model, const char* name, const char** text,
                                      size_t* bytes);
MG_EXPORT int32_t mg_model_get_num_texts(const mg_model* model);
MG_EXPORT const char* mg_model_get_text_name(const mg_model* model, int32_t index);
MG_EXPORT const char* mg_model_get_weights(const mg_model* model);
MG_EXPORT int32_t mg_model_get_num_arrays(const mg_model* model);
/* New reference. */
MG_EXPORT mg_status mg_model_get_array(const mg_model* model, int32_t index, mg_array** out);
MG_EXPORT const char* mg_model_get_array_name(const mg_model* model, int32_t index);

/* ---- key-value stores ------------------------------------------------------------------------------------------ */

/* Arrays by key, through which devices share weights. A key is an MG_VALUE_INTEGER or MG_VALUE_STRING value; one store has keys
 * of one kind. A key that occurs several times in one call stands for several devices: pushed values are summed in the order
 * given, which fixes every bit of the result. Calls take effect in their order, whatever runs in parallel; a larger
 * priority goes first among work that is ready. Any thread may call. */

/* "local" keeps values on the host, "device" on the devices that push. "dist_sync", "dist_async", "dist_device_sync" and
 * "dist_device_async" are shared by processes: the environment (DMLC_ROLE, DMLC_PS_ROOT_URI, DMLC_PS_ROOT_PORT, DMLC_NUM_WORKER,
 * DMLC_NUM_SERVER) says by which, and the call blocks until they are there. Their push and pull end when servers have answered, or
 * fail after a time limit with a message that names whom they waited for. "collective" is shared by
 * workers alone, which make the same calls in the same order: each gets the sum of what all push, in the order of their ranks, and
 * its own updater's value. In a "collective_sharded" one each key has an owner, whose updater alone is called with its sum; its value goes
 * to all. MG_STATUS_UNSUPPORTED where a library is missing. */
MG_EXPORT mg_status mg_kvstore_create(const char* type, mg_kvstore** out);
MG_EXPORT void mg_kvstore_destroy(mg_kvstore* store);
/* Borrowed. */
MG_EXPORT const char* mg_kvstore_get_type(const mg_kvstore* store);
MG_EXPORT int32_t mg_kvstore_get_rank(const mg_kvstore* store);
MG_EXPORT int32_t mg_kvstore_get_num_workers(const mg_kvstore* store);
/* Blocks until every worker is here. */
MG_EXPORT mg_status mg_kvstore_barrier(mg_kvstore* store);

/* First values, which are copied; a key can have one only. */
MG_EXPORT mg_status mg_kvstore_init(mg_kvstore* store, int32_t num_values, const mg_value* keys,
                                    mg_array* const* values);
/* The sum of each key's values, which are of one dtype, goes to the updater, or replaces what is stored. Shapes are those of
 * init. */
MG_EXPORT mg_status mg_kvstore_push(mg_kvstore* store, int32_t num_values, const mg_value* keys,
                                    mg_array* const* values, int32_t priority);
/* Overwrites `outs` with what is stored; they may be of another dtype or storage type. */
MG_EXPORT mg_status mg_kvstore_pull(mg_kvstore* store, int32_t num_outs, const mg_value* keys,
                                    mg_array* const* outs, int32_t priority);
/* push, then pull. */
MG_EXPORT mg_status mg_kvstore_push_pull(mg_kvstore* store, int32_t num_values, const mg_value* value_keys,
                                         mg_array* const* values, int32_t num_outs, const mg_value* out_keys,
                                         mg_array* const* outs, int32_t priority);
/* init, then pull. */
MG_EXPORT mg_status mg_kvstore_broadcast(mg_kvstore* store, int32_t num_values, const mg_value* value_keys,
                                         mg_array* const* values, int32_t num_outs, const mg_value* out_keys,
                                         mg_array* const* outs, int32_t priority);

/* Rows of what is stored for row_sparse `outs`, which then store those and no others. rows[i]: a dense array of the numbers of the
 * rows of outs[i], of any dtype, in any order; one that occurs twice counts once. Blocks until they are read. MG_STATUS_INDEX for
 * rows that are not there: nothing is changed then. */
MG_EXPORT mg_status mg_kvstore_pull_rows(mg_kvstore* store, int32_t num_outs, const mg_value* keys,
                                         mg_array* const* outs, mg_array* const* rows, int32_t priority);

/* How pushes change what is stored. `update` runs in the pushing thread, once per key and push; its arrays are borrowed, on
 * one device, and `received` must not be written. It returns a status and may leave a message with mg_set_error; a failure
 * ends the push there. `release`, where there is one, runs once: when the updater is replaced or the store destroyed. */
typedef struct mg_kvstore_updater {
  size_t size; /* sizeof(mg_kvstore_updater), set by the caller */
  void* context;
  mg_status (*update)(void* context, const mg_value* key, mg_array* received, mg_array* stored);
  void (*release)(void* context); /* [optional] */
} mg_kvstore_updater;
/* NULL removes the updater. `release` also runs when this fails for other reasons than a wrong size or store.
 * MG_STATUS_UNSUPPORTED for stores of several processes, whose servers update. */
MG_EXPORT mg_status mg_kvstore_set_updater(mg_kvstore* store, const mg_kvstore_updater* updater);

/* Gradients of later pushes go compressed: "type" is text, "none", "2bit", "1bit", "fp16", "bf16" or "topk"; "threshold" (2bit, 1bit)
 * and "ratio" (topk) are numbers. What an element loses is added to its next gradient of the same device. They must be dense float32
 * ones then. Every worker of a store calls it, with the same parameters, and it returns when all have. MG_STATUS_UNSUPPORTED for
 * stores of type "local". */
MG_EXPORT mg_status mg_kvstore_set_compression(mg_kvstore* store, int32_t num_params,
                                               const char* const* names, const mg_value* values);

/* Of stores of several processes. Data that mg_kvstore_rules make a rule of on every server; rank 0's count. Every worker calls it,
 * and it returns when all have. A "collective" store keeps nothing of them: MG_STATUS_INVALID_ARGUMENT in every worker where they are
 * not the same in all. */
MG_EXPORT mg_status mg_kvstore_send_rule(mg_kvstore* store, const void* data, size_t bytes);
/* What the servers' rules keep for a key (mg_kvstore_rules.save), or the data of mg_kvstore_send_rule where nothing was updated yet,
 * with all updates of this worker in it: of one part of the value, *extent elements from *first on. A value has *num_parts, from 0 on:
 * large ones lie on several servers. Blocks; mg_buffer_destroy frees *data. */
MG_EXPORT mg_status mg_kvstore_get_state(mg_kvstore* store, const mg_value* key, int32_t part,
                                         int32_t* num_parts, int64_t* first, int64_t* extent, void** data,
                                         size_t* bytes);
/* The way back, of parts[i] of keys[i]; rank 0's count. Every worker calls it, others with what they like, and it returns when
 * all have. */
MG_EXPORT mg_status mg_kvstore_set_states(mg_kvstore* store, int32_t num_states, const mg_value* keys,
                                          const int32_t* parts, const void* const* data, const size_t* bytes);
/* Of stores without servers: which worker's updater is called for a key that has a value. In a "collective" store this one's. */
MG_EXPORT mg_status mg_kvstore_get_owner(mg_kvstore* store, const mg_value* key, int32_t* owner);
/* The data of worker `from`, in worker 0; nothing in others. Every worker calls it, others than `from` with what they like, and it returns
 * when all have. mg_buffer_destroy frees *out. */
MG_EXPORT mg_status mg_kvstore_hand_over(mg_kvstore* store, int32_t from, const void* data, size_t bytes,
                                         void** out, size_t* out_bytes);
/* Synchronous updates that were over when this process gave its keys their first values: not 0 for one that takes the place of one
 * that ended. Its next update is the one after them. */
MG_EXPORT int64_t mg_kvstore_get_rounds_done(const mg_kvstore* store);
/* Others wait for this worker no more; its later calls fail. Blocks. mg_kvstore_destroy does it, too. MG_STATUS_IO where an update
 * of this worker failed. */
MG_EXPORT mg_status mg_kvstore_leave(mg_kvstore* store);
/* As mg_kvstore_leave, for the end of a program. at_exit not 0: it leaves when the process ends with code 0; with another, others
 * wait for who takes its place. Where an update of this worker failed it does not leave, and a process that would end with code 0
 * ends with 1. C libraries other than glibc do not tell the code: there it leaves at once, and the code stays. */
MG_EXPORT mg_status mg_kvstore_end(mg_kvstore* store, int32_t at_exit);
/* Goes without a word, as a process that is killed does: others wait for who takes this worker's place. Its later calls fail. */
MG_EXPORT mg_status mg_kvstore_abandon(mg_kvstore* store);

/* What a server of the store makes of data that workers send (mg_kvstore_send_rule): a rule for each value, which updates it.
 * Functions run in one thread of the library; they return a status and may leave a message with mg_set_error. */
typedef struct mg_kvstore_rules {
  size_t size; /* sizeof(mg_kvstore_rules), set by the caller */
  void* context;
  /* Whether the data make a rule. They are another process's, and must not be run. */
  mg_status (*check)(void* context, const void* data, size_t bytes);
  /* Of data that were checked, or that `save` gave. */
  mg_status (*make)(void* context, const void* data, size_t bytes, void** rule);
  /* Changes `stored` by `received`, which must not be written. Both are borrowed. */
  mg_status (*update)(void* context, void* rule, const mg_value* key, mg_array* received, mg_array* stored);
  /* All that `make` needs elsewhere to go on from here. The bytes are borrowed until the next call with this rule. */
  mg_status (*save)(void* context, void* rule, const void** data, size_t* bytes);
  void (*destroy)(void* context, void* rule); /* [optional] */
} mg_kvstore_rules;
/* Runs the server or scheduler that DMLC_ROLE names until all workers have left. Blocks; MG_STATUS_STOPPED when interrupted.
 * `rules` [optional]: without them, values are replaced by the sums that are pushed, and data of rules refused. */
MG_EXPORT mg_status mg_kvstore_serve(const mg_kvstore_rules* rules);
/* A new folder of keys, by which processes on several machines prove who they are: public.txt, and a secret for each that its
 * owner alone may read. MG_STATUS_IO where there are such files already. */
MG_EXPORT mg_status mg_kvstore_make_keys(const char* folder, int32_t num_workers, int32_t num_servers);
/* Which libzmq stores of several processes use; without this call, the system's. To be called before the first of them.
 * MG_STATUS_NOT_FOUND or MG_STATUS_FORMAT where it is none. */
MG_EXPORT mg_status mg_kvstore_load_transport(const char* path);

/* ---- text of numbers ------------------------------------------------------------------------------------------- */

/* All block, read on all cores, and fail with MG_STATUS_FORMAT naming line and field; `name` is what messages call the text.
 * Arrays are made on cpu(0). Blank lines are skipped. */

/* Rows of numbers parted by commas: an array of shape (rows, columns); dtype float32, float64, int32 or int64. */
MG_EXPORT mg_status mg_csv_parse(const char* text, size_t bytes, const char* name, int64_t columns,
                                 int32_t dtype, mg_array** out);
/* LibSVM's format, a label and then index:value pairs with indices from 0: data of shape (rows, columns) with 0 where a
 * line names no value, and labels of shape (rows), both float32. */
MG_EXPORT mg_status mg_libsvm_parse(const char* text, size_t bytes, const char* name, int64_t columns,
                                    mg_array** data, mg_array** labels);
/* The same with data of storage type csr: memory follows from the text, however many the columns. */
MG_EXPORT mg_status mg_libsvm_parse_csr(const char* text, size_t bytes, const char* name, int64_t columns,
                                        mg_array** data, mg_array** labels);
/* ---- bytes by position ----------------------------------------------------------------------------------------- */

typedef struct mg_source mg_source;

/* Bytes that the program reads: files of other machines, archives. Functions are called from any thread, several at a time. */
typedef struct mg_source_callbacks {
  size_t size; /* sizeof(mg_source_callbacks), set by the caller */
  void* context;
  /* Fills `out` with the bytes [offset, offset + bytes), which are within the source and not empty. On failure mg_set_error says
   * why. */
  mg_status (*read)(void* context, uint64_t offset, void* out, size_t bytes);
  const char* name; /* what messages call it; copied */
  uint64_t bytes;   /* that it has, for good */
  /* [optional] Called once, when the source is not needed any more. */
  void (*release)(void* context);
} mg_source_callbacks;

/* A regular file; `who` is what messages begin with. Any thread may read a source, several at a time. */
MG_EXPORT mg_status mg_source_open(const char* path, const char* who, mg_source** out);
/* `release` is not called if this fails. */
MG_EXPORT mg_status mg_source_create(const mg_source_callbacks* callbacks, const char* who, mg_source** out);
/* What reads from it keeps it. */
MG_EXPORT void mg_source_destroy(mg_source* source);
MG_EXPORT uint64_t mg_source_get_bytes(const mg_source* source);
MG_EXPORT const char* mg_source_get_name(const mg_source* source);
/* Blocks. MG_STATUS_IO unless all these bytes are there. */
MG_EXPORT mg_status mg_source_read(mg_source* source, uint64_t offset, void* out, size_t bytes);

/* ---- record files ---------------------------------------------------------------------------------------------- */

/* MXNet's RecordIO (docs/recordio.md). Readers and writers belong to one thread at a time; their functions block. */
typedef struct mg_record_writer mg_record_writer;
typedef struct mg_record_reader mg_record_reader;
typedef struct mg_record_batch mg_record_batch;

/* Where a writer's bytes go if not into a file. On failure mg_set_error says why. */
typedef struct mg_record_sink {
  size_t size; /* sizeof(mg_record_sink), set by the caller */
  void* context;
  mg_status (*write)(void* context, const void* data, size_t bytes); /* the next bytes */
  /* [optional] All bytes were written; NULL: nothing to do. */
  mg_status (*commit)(void* context);
  void (*release)(void* context); /* called once, when the writer is destroyed; NULL: nothing to do */
} mg_record_sink;

/* The file appears, or is replaced, when the writer is committed: its bytes go to a temporary one (mg_file_write). */
MG_EXPORT mg_status mg_record_writer_open(const char* path, const char* who, mg_record_writer** out);
MG_EXPORT mg_status mg_record_writer_create(const mg_record_sink* sink, const char* who,
                                            mg_record_writer** out);
/* Without mg_record_writer_commit nothing is left of a file. */
MG_EXPORT void mg_record_writer_destroy(mg_record_writer* writer);
/* `offset` (may be NULL): where the record begins. */
MG_EXPORT mg_status mg_record_writer_write(mg_record_writer* writer, const void* data, size_t bytes,
                                           uint64_t* offset);
/* Where the next record will begin. */
MG_EXPORT uint64_t mg_record_writer_tell(const mg_record_writer* writer);
/* Gives what is buffered to the sink. */
MG_EXPORT mg_status mg_record_writer_flush(mg_record_writer* writer);
/* No record can follow. Between mg_files_begin and mg_files_commit the file appears with the others. */
MG_EXPORT mg_status mg_record_writer_commit(mg_record_writer* writer);
/* From now on checksums of records are kept; mg_record_writer_get_checksums gives the content of the file for them. */
MG_EXPORT mg_status mg_record_writer_keep_checksums(mg_record_writer* writer);
/* mg_buffer_destroy frees it. */
MG_EXPORT mg_status mg_record_writer_get_checksums(const mg_record_writer* writer, void** data,
                                                   size_t* bytes);

typedef enum mg_damaged { MG_DAMAGED_RAISE = 0, MG_DAMAGED_SKIP = 1 } mg_damaged;
/* How a file is read; what is 0 is as without options. */
typedef struct mg_record_options {
  size_t size;     /* sizeof(mg_record_options), set by the caller */
  int32_t damaged; /* [optional] mg_damaged: what becomes of damaged places */
  /* One of num_parts parts of about as many bytes, cut as MXNet cuts them; together they hold each record once. num_parts 0: all of
   * the file. */
  int32_t part_index;
  int32_t num_parts;
  /* Content of the file of checksums, borrowed during the call; NULL: none are looked at. */
  const void* checksums;
  size_t checksums_bytes;
} mg_record_options;

/* What was left out: bytes exactly, records at least one for each damaged place. */
typedef struct mg_record_skipped {
  size_t size; /* sizeof(mg_record_skipped), set by the caller */
  uint64_t records;
  uint64_t bytes; /* [optional] */
  /* What was wrong at the first place; "" while nothing was. Borrowed until the reader's next call. */
  const char* first;
} mg_record_skipped;

/* `options` may be NULL. */
MG_EXPORT mg_status mg_record_reader_create(mg_source* source, const char* who,
                                            const mg_record_options* options, mg_record_reader** out);
MG_EXPORT void mg_record_reader_destroy(mg_record_reader* reader);
/* The next record of the part; *data is NULL at its end. Borrowed until the reader's next call. `offset` may be NULL. A damaged
 * place is MG_STATUS_FORMAT, naming file, offset and what is wrong, after which the next call goes on behind it; where damage is
 * skipped it is counted. */
MG_EXPORT mg_status mg_record_reader_next(mg_record_reader* reader, uint64_t* offset, const void** data,
                                          size_t* bytes);
/* The record that begins at that offset, wherever the part is; the next call of mg_record_reader_next goes on behind it. */
MG_EXPORT mg_status mg_record_reader_read_at(mg_record_reader* reader, uint64_t offset, const void** data,
                                             size_t* bytes);
MG_EXPORT mg_status mg_record_reader_seek(mg_record_reader* reader, uint64_t offset);
MG_EXPORT uint64_t mg_record_reader_tell(const mg_record_reader* reader);
MG_EXPORT mg_status mg_record_reader_get_skipped(const mg_record_reader* reader, mg_record_skipped* skipped);
/* Where the records of the part begin, in their order, from one pass over the headers: that many bytes of offsets, 8 for each.
 * mg_buffer_destroy frees them. */
MG_EXPORT mg_status mg_record_reader_scan(mg_record_reader* reader, uint64_t** offsets, size_t* bytes);
/* The records that begin at these offsets, read by several threads where these are free. */
MG_EXPORT mg_status mg_record_reader_read_batch(mg_record_reader* reader, int32_t num_records,
                                                const uint64_t* offsets, mg_record_batch** out);
/* *data, borrowed from the batch, is NULL for a damaged record that was left out. */
MG_EXPORT mg_status mg_record_batch_get(const mg_record_batch* batch, int32_t index, const void** data,
                                        size_t* bytes);
MG_EXPORT void mg_record_batch_destroy(mg_record_batch* batch);

/* ---- lists of text --------------------------------------------------------------------------------------------- */

MG_EXPORT int32_t mg_string_list_get_num_strings(const mg_string_list* list);
/* Borrowed; NULL outside the range. */
MG_EXPORT const char* mg_string_list_get(const mg_string_list* list, int32_t index);
MG_EXPORT void mg_string_list_destroy(mg_string_list* list);

/* ---- symbols --------------------------------------------------------------------------------------------------- */

/* A symbol is a list of outputs of a graph. Functions give new symbols and leave those they get as they are, but for
 * mg_symbol_set_attribute, whose change every symbol that reaches the node sees. Threads: any number may read symbols that
 * share nodes while none sets attributes. */

/* An input of a graph, with attributes (keys such as "__shape__", or "lr_mult" for "__lr_mult__"). */
MG_EXPORT mg_status mg_symbol_create_variable(const char* name, int32_t num_attributes,
                                              const char* const* keys, const char* const* values,
                                              mg_symbol** out);
/* Applies an operator. Inputs are taken by name where input_names has one (the array and its entries may be NULL), else in
 * order; those missing become variables called name_input. Parameters not named keep their defaults. `name` NULL: the
 * operator's in small letters and a number that this thread counts up from 0. */
MG_EXPORT mg_status mg_symbol_call(const mg_op* op, const char* name, int32_t num_inputs,
                                   const char* const* input_names, const mg_symbol* const* inputs,
                                   int32_t num_params, const char* const* param_names, const mg_value* params,
                                   int32_t num_attributes, const char* const* keys, const char* const* values,
                                   mg_symbol** out);
/* All outputs of all symbols. */
MG_EXPORT mg_status mg_symbol_group(int32_t num_symbols, const mg_symbol* const* symbols, mg_symbol** out);
/* A copy in which variables are replaced: by name, or in order of inputs where `names` or an entry is NULL. `name` (may be
 * NULL) names the node of the first output. */
MG_EXPORT mg_status mg_symbol_compose(const mg_symbol* symbol, const char* name, int32_t num_symbols,
                                      const char* const* names, const mg_symbol* const* symbols,
                                      mg_symbol** out);
/* The same graph in nodes of its own. */
MG_EXPORT mg_status mg_symbol_copy(const mg_symbol* symbol, mg_symbol** out);
MG_EXPORT void mg_symbol_destroy(mg_symbol* symbol);

MG_EXPORT int32_t mg_symbol_get_num_outputs(const mg_symbol* symbol);
MG_EXPORT mg_status mg_symbol_get_output(const mg_symbol* symbol, int32_t index, mg_symbol** out);
/* Every output of every node. */
MG_EXPORT mg_status mg_symbol_get_internals(const mg_symbol* symbol, mg_symbol** out);
/* The inputs of the outputs' nodes; *out is NULL when there are none. */
MG_EXPORT mg_status mg_symbol_get_children(const mg_symbol* symbol, mg_symbol** out);
/* A part of the graph: the nodes whose attribute `key` is `value`, which the outputs must be. *inner gets these on their
   own, with a variable in place of each output of another node; *outer those outputs, NULL when there are none, and *names
   the variables' names. */
MG_EXPORT mg_status mg_symbol_cut(const mg_symbol* symbol, const char* key, const char* value,
                                  mg_symbol** inner, mg_symbol** outer, mg_string_list** names);
/* Name of the one node all outputs belong to, NULL when there are several. Borrowed. */
MG_EXPORT const char* mg_symbol_get_name(const mg_symbol* symbol);

/* Parts of a graph, and of what is bound to one. */
typedef enum mg_part {
  MG_PART_ARGUMENTS = 0, /* variables that no operator writes */
  MG_PART_OUTPUTS = 1,
  MG_PART_AUXILIARY_STATES = 2, /* variables that an operator writes */
  MG_PART_INPUTS = 3,           /* all variables */
  MG_PART_GRADIENTS = 4         /* of the arguments; executors have them, symbols do not */
} mg_part;
/* Names, in order. */
MG_EXPORT mg_status mg_symbol_list(const mg_symbol* symbol, int32_t part, mg_string_list** out);

/* An attribute or given parameter of the symbol's one node; *value is NULL when there is none. Borrowed until this symbol's
 * next call. */
MG_EXPORT mg_status mg_symbol_get_attribute(mg_symbol* symbol, const char* key, const char** value);
MG_EXPORT mg_status mg_symbol_set_attribute(mg_symbol* symbol, const char* key, const char* value);
/* Key, value, key, value, ... of the one node. */
MG_EXPORT mg_status mg_symbol_list_attributes(const mg_symbol* symbol, mg_string_list** out);
/* Name of node, key, value, ... of all nodes. */
MG_EXPORT mg_status mg_symbol_list_all_attributes(const mg_symbol* symbol, mg_string_list** out);

/* What follows for shapes and dtypes from those of some variables: num_known names with ndims (-1: rank unknown), shapes
 * (extent -1: unknown; NULL: no shape is given) and dtypes (-1: unknown; -2: float32 where nothing says otherwise, in the order
 * of names; NULL: none is given). */
MG_EXPORT mg_status mg_symbol_infer(const mg_symbol* symbol, int32_t num_known, const char* const* names,
                                    const int32_t* ndims, const int64_t* const* shapes, const int32_t* dtypes,
                                    mg_inference** out);
/* What arrays a graph needs before it is bound: as mg_symbol_infer, with float32 for every dtype that does not follow and can
 * be; names that are no variable's say nothing. */
MG_EXPORT mg_status mg_symbol_infer_arrays(const mg_symbol* symbol, int32_t num_known,
                                           const char* const* names, const int32_t* ndims,
                                           const int64_t* const* shapes, const int32_t* dtypes,
                                           mg_inference** out);
/* Names of a part (MG_PART_ARGUMENTS, MG_PART_OUTPUTS or MG_PART_AUXILIARY_STATES), in order of mg_symbol_list. */
MG_EXPORT mg_status mg_inference_list(const mg_inference* inference, int32_t part, mg_string_list** out);
/* Of one value of a part, in order of mg_symbol_list: extents (borrowed; -1 unknown), with *ndim -1 for an unknown rank. */
MG_EXPORT mg_status mg_inference_get_shape(const mg_inference* inference, int32_t part, int32_t index,
                                           int32_t* ndim, const int64_t** extents);
/* -1 when unknown. */
MG_EXPORT mg_status mg_inference_get_dtype(const mg_inference* inference, int32_t part, int32_t index,
                                           int32_t* dtype);
/* 1 if all shapes, or all dtypes, are known, also those of inner values. */
MG_EXPORT int32_t mg_inference_has_shapes(const mg_inference* inference);
MG_EXPORT int32_t mg_inference_has_dtypes(const mg_inference* inference);
/* How the arrays of a part are stored: an mg_storage for each, in order of mg_inference_list, written to `out`, which has room for
 * all. `part` may also be MG_PART_GRADIENTS: the gradients that operators give the arguments. Variables are stored as their attribute
 * __storage_type__ says, or as the names and storage types given say; the rest follows, for which all shapes and dtypes are known. */
MG_EXPORT mg_status mg_inference_list_storages(const mg_inference* inference, int32_t part, int32_t num_known,
                                               const char* const* names, const int32_t* storages,
                                               int32_t* out);
MG_EXPORT void mg_inference_destroy(mg_inference* inference);

/* The JSON of MXNet 1.9.1; mg_buffer_destroy frees it. */
MG_EXPORT mg_status mg_symbol_to_json(const mg_symbol* symbol, char** text);
/* JSON of MXNet 0.7 to 1.9. `source` (may be NULL) is what messages call it. */
MG_EXPORT mg_status mg_symbol_from_json(const char* text, size_t bytes, const char* source, mg_symbol** out);
/* Blocks. */
MG_EXPORT mg_status mg_symbol_save(const mg_symbol* symbol, const char* path);
MG_EXPORT mg_status mg_symbol_load(const char* path, mg_symbol** out);
/* Nodes, inputs and attributes for people; mg_buffer_destroy frees it. */
MG_EXPORT mg_status mg_symbol_debug_text(const mg_symbol* symbol, char** text);

/* The graph that would run, for people: one line per node, after inference, the gradient pass (of all arguments, when
 * `gradients` is not 0) and each pass that is on; `passes` as in mg_executor_options. Shapes and dtypes as in mg_symbol_infer;
 * all must follow. mg_buffer_destroy frees it. */
MG_EXPORT mg_status mg_symbol_dump_graph(const mg_symbol* symbol, int32_t num_known, const char* const* names,
                                         const int32_t* ndims, const int64_t* const* shapes,
                                         const int32_t* dtypes, int32_t gradients, const char* passes,
                                         char** text);

/* Names of the passes over graphs that are on, separated by commas, under `switches`: "all", "none", "-fold", "+common", names
 * alone, separated by commas and read from left to right. They come on top of the environment variable MIXGRAD_PASSES, as it
 * was when the process first asked, and without it of all passes; NULL: nothing more. mg_buffer_destroy frees *names. */
MG_EXPORT mg_status mg_passes_resolve(const char* switches, char** names);

/* ---- executors ------------------------------------------------------------------------------------------------- */

/* Arrays of a graph, in order of mg_symbol_list; the executor keeps references. */
typedef struct mg_executor_arrays {
  size_t size; /* sizeof(mg_executor_arrays), set by the caller */
  int32_t num_arguments;
  int32_t num_auxiliaries;
  mg_array* const* arguments;
  mg_array* const* auxiliaries; /* [optional] */
  mg_array* const* gradients;   /* one per argument, NULL where none is wanted; NULL: none at all */
  const int32_t* grad_reqs;     /* mg_grad_req, one per argument; NULL: write */
} mg_executor_arrays;

/* How an executor is made; what is 0 or NULL is as without options. Executors that share their working memory take turns, and
 * what one keeps for mg_executor_backward is lost when the other runs. */
typedef struct mg_executor_options {
  size_t size;           /* sizeof(mg_executor_options), set by the caller */
  mg_executor* shared;   /* [optional] lends its working memory */
  const char* passes;    /* switches of mg_passes_resolve */
  const char* recompute; /* a setting of mg_recompute_resolve */
  int32_t num_groups;    /* operators with the attribute ctx_group of that name run on that device */
  const char* const* group_names;
  const mg_device* group_devices;
  /* NULL, or a store of type "collective", whose workers compute the graph together; and per group the rank of the worker whose
   * device it names (NULL: worker 0). What is in no group is worker 0's. All workers bind the same symbol with the same groups,
   * and make the same calls. Each reads and writes the arguments, gradients and states of its own nodes alone, and all have the
   * outputs. */
  mg_kvstore* workers;
  const int32_t* group_workers;
} mg_executor_options;

/* What the backward part computes again instead of keeping it: "off", "cheap" (what costs little beside convolutions and
 * products), "least" (as little memory as possible), or a budget for working memory such as "500MB". NULL: what the environment
 * variable MIXGRAD_RECOMPUTE said when the process first asked, else "cheap" where MXNET_BACKWARD_DO_MIRROR is 1, else "off".
 * *resolved: the setting, a budget in bytes; mg_buffer_destroy frees it. */
MG_EXPORT mg_status mg_recompute_resolve(const char* setting, char** resolved);

/* The devices on which the variables of a part (MG_PART_ARGUMENTS, MG_PART_AUXILIARY_STATES) lie best: their group's, else that
 * of what they are used with, else `device`. `out` has room for one per variable. */
MG_EXPORT mg_status mg_symbol_place(const mg_symbol* symbol, mg_device device, int32_t num_groups,
                                    const char* const* group_names, const mg_device* group_devices,
                                    int32_t part, mg_device* out);

/* Binds a graph to arrays, whose shapes and dtypes decide all others. Working memory is planned here and taken by the first
 * run. `options` may be NULL. An executor belongs to one thread at a time. */
MG_EXPORT mg_status mg_executor_bind(const mg_symbol* symbol, const mg_executor_arrays* arrays,
                                     mg_device device, const mg_executor_options* options, mg_executor** out);
/* The same of the symbol that was inferred; what follows is not found again where arrays have the shapes and dtypes inferred.
 * The inference gives its graph to the executor, also to one that cannot be made: later calls but mg_inference_destroy are
 * MG_STATUS_INVALID_ARGUMENT. */
MG_EXPORT mg_status mg_inference_bind(mg_inference* inference, const mg_executor_arrays* arrays,
                                      mg_device device, const mg_executor_options* options,
                                      mg_executor** out);
/* Runs in flight end by themselves. */
MG_EXPORT void mg_executor_destroy(mg_executor* executor);

/* Computes the outputs from what the arrays hold. `training`: 1 as while training, keeping what mg_executor_backward needs. */
MG_EXPORT mg_status mg_executor_forward(mg_executor* executor, int32_t training);
/* Gradients of the last forward run into the gradient arrays; once per forward run. head_gradients: one per output, NULL
 * where the output is a loss; num_head_gradients 0 when all are. */
MG_EXPORT mg_status mg_executor_backward(mg_executor* executor, int32_t num_head_gradients,
                                         mg_array* const* head_gradients);

/* A step of an optimiser that mg_executor_backward takes in place of filling a gradient's array: the operator, of which the
 * argument, its gradient and the states are the inputs, gives the argument's new value. It has parameters `lr` and `wd`. */
typedef struct mg_executor_update {
  size_t size;      /* sizeof(mg_executor_update), set by the caller */
  int32_t argument; /* its number */
  int32_t num_states;
  const mg_op* op;         /* such as sgd_mom_update */
  mg_array* const* states; /* [optional] */
  int32_t num_params;
  const char* const* param_names;
  const mg_value* params;
} mg_executor_update;
/* From the next mg_executor_forward on these arguments are changed by mg_executor_backward. They have no gradient arrays
 * (MG_PART_GRADIENTS), so gradients take working memory only while they are needed; arguments that were updated before get new
 * ones. Other parameters for the same operators and states cost no planning. */
MG_EXPORT mg_status mg_executor_set_updates(mg_executor* executor, int32_t num_updates,
                                            const mg_executor_update* const* updates);
/* Learning rates and weight decays of the updates, in their order, from the next mg_executor_backward on. */
MG_EXPORT mg_status mg_executor_set_rates(mg_executor* executor, int32_t num_updates,
                                          const double* learning_rates, const double* weight_decays);

MG_EXPORT int32_t mg_executor_get_num_outputs(const mg_executor* executor);
/* An array of the executor: MG_PART_ARGUMENTS, MG_PART_OUTPUTS, MG_PART_AUXILIARY_STATES or MG_PART_GRADIENTS (*out is NULL
 * where there is none). Outputs are the same arrays in every run. */
MG_EXPORT mg_status mg_executor_get_array(mg_executor* executor, int32_t part, int32_t index, mg_array** out);

/* Another array of the same shape, dtype and device in place of an argument, an output or a gradient that is there. */
MG_EXPORT mg_status mg_executor_set_array(mg_executor* executor, int32_t part, int32_t index,
                                          mg_array* array);

/* An executor for other shapes of the variables named. Arrays whose shapes stay are shared, smaller ones become views of
 * the old memory. Larger ones need allow_up_sizing, changes of variables not named need partial_shaping. The options
 * are the same, and the two share their working memory. */
MG_EXPORT mg_status mg_executor_reshape(const mg_executor* executor, int32_t num_shapes,
                                        const char* const* names, const int32_t* ndims,
                                        const int64_t* const* shapes, int32_t partial_shaping,
                                        int32_t allow_up_sizing, mg_executor** out);

/* Called in the thread that runs the executor, once for each value in the order of the nodes, with a copy that is the
 * callee's only during the call (mg_array_retain keeps it). A status other than MG_STATUS_OK ends the run's call with it. */
typedef struct mg_executor_watcher {
  size_t size; /* sizeof(mg_executor_watcher), set by the caller */
  void* context;
  mg_status (*watch)(void* context, const char* name, mg_array* value);
  void (*release)(void* context); /* [optional] called once, when the watcher is not needed any more */
  int32_t inputs;                 /* 1: also what operators read */
} mg_executor_watcher;
/* From now on nodes run one by one and are shown; NULL ends that. */
MG_EXPORT mg_status mg_executor_watch(mg_executor* executor, const mg_executor_watcher* watcher);

/* Bytes of working memory and outputs that runs of that mode take, and the least that any plan of theirs could take. */
MG_EXPORT mg_status mg_executor_get_planned(mg_executor* executor, int32_t training, uint64_t* bytes,
                                            uint64_t* least_bytes);
/* Nodes, memory plan and totals for people; mg_buffer_destroy frees it. */
MG_EXPORT mg_status mg_executor_debug_text(mg_executor* executor, char** text);

/* ---- tracing --------------------------------------------------------------------------------------------------- */

/* From here to mg_trace_end operator calls of the calling thread are written down as a graph instead of run: outputs have
 * shapes but no values. Variables of the graph are "input<i>" for the arrays given here and "captured<i>" for others that
 * calls use. Reading values, gradients, and writing in place into arrays made outside are MG_STATUS_UNSUPPORTED, as is a second
 * trace in the thread. The trace belongs to the thread that began it. */
MG_EXPORT mg_status mg_trace_begin(int32_t num_inputs, mg_array* const* inputs, mg_trace** out);
/* 1 while calls of this thread are written down. */
MG_EXPORT int32_t mg_trace_is_active(void);
/* The graph of these outputs. From here on calls run again; where this fails the trace goes on. */
MG_EXPORT mg_status mg_trace_end(mg_trace* trace, int32_t num_outputs, mg_array* const* outputs,
                                 mg_symbol** out);
MG_EXPORT int32_t mg_trace_get_num_captured(const mg_trace* trace);
MG_EXPORT mg_status mg_trace_get_captured(const mg_trace* trace, int32_t index, mg_array** out);
/* Also ends it. */
MG_EXPORT void mg_trace_destroy(mg_trace* trace);

/* ---- cached graphs --------------------------------------------------------------------------------------------- */

/* How a cached graph is made; what is 0 or NULL is as without options. The graph keeps references to arrays. */
typedef struct mg_graph_options {
  size_t size; /* sizeof(mg_graph_options), set by the caller */
  /* [optional] Variables whose arrays come with each call, in that order; a name of no variable is an input that the graph does
   * not read. NULL: all that are not kept, in order of mg_symbol_list(MG_PART_INPUTS). */
  const char* const* input_names;
  int32_t num_inputs; /* of input_names */
  int32_t num_kept;
  const char* const* kept_names; /* variables whose arrays stay the same, such as what a trace captured */
  mg_array* const* kept;
  const char* name;      /* what messages call the graph; NULL: "graph" */
  const char* passes;    /* switches of mg_passes_resolve */
  const char* recompute; /* a setting of mg_recompute_resolve */
  int32_t
      is_traced; /* 1: a trace gave the symbol, where 0 in the shape of zeros and the like is no unknown extent */
  int32_t
      inline_limit; /* while gradients are recorded, graphs of at most this many operators are called operator by operator */
} mg_graph_options;

/* A graph to be called like an operator. Every variable needs an array, by call or kept. `options` may be NULL. Any number of threads
 * may call it at once; calls whose gradients are still to come each hold working memory, which serves later calls after that. */
MG_EXPORT mg_status mg_graph_create(const mg_symbol* symbol, const mg_graph_options* options, mg_graph** out);
/* Calls in flight, and gradients of calls that are recorded, keep what they need. */
MG_EXPORT void mg_graph_destroy(mg_graph* graph);
MG_EXPORT int32_t mg_graph_get_num_inputs(const mg_graph* graph);
MG_EXPORT int32_t mg_graph_get_num_outputs(const mg_graph* graph);
/* Computes the outputs from the inputs and what the kept arrays hold, in the mode of the calling thread; operators write their
 * auxiliary states. What runs is planned at the first call with inputs of these shapes, dtypes and devices in this mode, and kept for the
 * 64 combinations used last. `outputs`: room for num_outputs arrays, which must be the graph's number; they are new ones, one
 * reference each. While gradients are recorded and an argument is on the tape, the call is one entry of the tape, whose
 * gradient runs the planned backward part: it is MG_STATUS_AUTOGRAD where an array that it needs was changed in place, or if a
 * graph of the gradient is asked for. While a trace of this thread is active, the graph's operators become part of that. */
MG_EXPORT mg_status mg_graph_call(mg_graph* graph, int32_t num_inputs, mg_array* const* inputs,
                                  int32_t num_outputs, mg_array** outputs);

/* ---- pictures -------------------------------------------------------------------------------------------------- */

typedef enum mg_image_format {
  MG_IMAGE_FORMAT_UNKNOWN = 0,
  MG_IMAGE_FORMAT_JPEG = 1,
  MG_IMAGE_FORMAT_PNG = 2,
  MG_IMAGE_FORMAT_GIF = 3,
  MG_IMAGE_FORMAT_BMP = 4,
  MG_IMAGE_FORMAT_WEBP = 5,
  MG_IMAGE_FORMAT_TIFF = 6,
  MG_IMAGE_FORMAT_PNM = 7
} mg_image_format;

typedef struct mg_image_info {
  size_t size;           /* sizeof(mg_image_info), set by the caller */
  int64_t width, height; /* as stored */
  int32_t format;        /* mg_image_format */
  int32_t channels;      /* 1, 3, or 4 with alpha */
  int32_t orientation;   /* EXIF's, 1 to 8; 5 to 8 exchange width and height */
  int32_t can_scale;     /* [optional] 1: mg_image_decode may give 1/8 to 7/8 of the size */
} mg_image_info;

/* Format and size, from the header alone. MG_STATUS_FORMAT for a damaged header, for fewer bytes than the picture needs, for a
 * picture of more pixels than mg_image_set_most_pixels allows, and for a format that neither the library nor a decoder of the
 * program knows. */
MG_EXPORT mg_status mg_image_probe(const void* data, size_t bytes, mg_image_info* out);
/* At first 2^28. Counts for the process. */
MG_EXPORT mg_status mg_image_set_most_pixels(uint64_t pixels);
MG_EXPORT uint64_t mg_image_get_most_pixels(void);

typedef struct mg_image_options {
  size_t size;       /* sizeof(mg_image_options), set by the caller */
  int32_t channels;  /* 1: grey; 3; 4: with alpha; 0: what the picture has */
  int32_t is_bgr;    /* 1: blue first */
  int32_t is_stored; /* 1: as stored; 0: turned as EXIF says */
  int32_t
      eighths; /* of the size, rounded up; 0 is 8. Fewer where can_scale is 1, else MG_STATUS_UNSUPPORTED */
  const char* name; /* [optional] what messages call the picture; NULL: nothing */
} mg_image_options;

/* Pixels as an array on cpu(0) of shape (height, width, channels), uint8. What mg_image_probe refuses is refused here; decoding
 * itself runs later, on the bytes as they are now, and its errors reach who reads the array: MG_STATUS_FORMAT for a picture that is
 * damaged, which is also what decoders only warn of, MG_STATUS_UNSUPPORTED where none reads it. `options` may be NULL: 3 channels. */
MG_EXPORT mg_status mg_image_decode(const void* data, size_t bytes, const mg_image_options* options,
                                    mg_array** out);

/* JPEG files are read by libturbojpeg, else by libjpeg-turbo's libjpeg, looked for when it is first needed. path: libturbojpeg's file,
 * or NULL for what the system has (libturbojpeg.so.0, libjpeg.so.62 or .so.8). MG_STATUS_NOT_FOUND with the system's reason,
 * MG_STATUS_FORMAT for another library. */
MG_EXPORT mg_status mg_image_load_jpeg(const char* path);

/* The bytes of a PNG file's rows, of its inflated lines: `rows` of them one after another, each a byte that says the filter and
 * row_bytes bytes; pixel_bytes (1 to 8, a divisor of row_bytes) are a pixel. `out` takes rows * row_bytes bytes and lies elsewhere;
 * MG_STATUS_FORMAT for a filter that PNG does not have leaves it written in part. */
MG_EXPORT mg_status mg_image_unfilter_png(const void* lines, size_t rows, size_t row_bytes,
                                          int32_t pixel_bytes, void* out);

/* A decoder of the program, asked for what libturbojpeg does not read; the newest first. Functions run in any thread, several at a
 * time, and may leave a message with mg_set_error. They return MG_STATUS_UNSUPPORTED for pictures of other formats: the next is
 * asked then. */
typedef struct mg_image_decoder {
  size_t size; /* sizeof(mg_image_decoder), set by the caller */
  const char* name;
  void* context;
  /* Fills in width, height and channels of a picture whose format the library does not know, from its header. */
  mg_status (*probe)(void* context, const void* data, size_t bytes, mg_image_info* info);
  /* Writes height * width * channels bytes, as stored. */
  mg_status (*decode)(void* context, const void* data, size_t bytes, const mg_image_info* info,
                      int32_t channels, int32_t is_bgr, uint8_t* out);
  void (*release)(void* context); /* [optional] */
} mg_image_decoder;
/* It stays until the process ends. `release` runs when this fails for other reasons than a wrong size. */
MG_EXPORT mg_status mg_image_decoder_register(const mg_image_decoder* decoder);

/* ---- batches of record files ------------------------------------------------------------------------------------ */

/* Batches of a file of records, made ahead by threads of the library. A handle belongs to one thread at a time. What a batch holds
 * follows from the data, the options, the number of the epoch and the place in it, whatever the number of threads. */
typedef struct mg_batches mg_batches;

typedef enum mg_batches_kind {
  MG_BATCHES_PICTURES = 0, /* records of pictures with labels: MXNet's ImageRecordIter */
  MG_BATCHES_BOXES = 1,    /* ... with boxes around objects: ImageDetRecordIter */
  MG_BATCHES_RAW = 2       /* records that hold the numbers of an example as they are */
} mg_batches_kind;

typedef struct mg_batches_data {
  size_t size;       /* sizeof(mg_batches_data), set by the caller */
  mg_source* source; /* the file, which the batches keep */
  const uint64_t*
      offsets; /* [optional] of an index: where records begin. NULL: they are read in the order of the file */
  size_t offsets_bytes;
  const uint64_t*
      label_ids;       /* numbers of records whose labels are given here, and not taken from the records */
  const float* labels; /* label_width numbers each */
  size_t label_ids_bytes;
  const float* mean; /* subtracted from pictures: channels * height * width numbers, or NULL */
  size_t mean_bytes;
} mg_batches_data;

/* Options have the names of MXNet's iterators and their defaults; beside them there are damaged ("raise" or "skip"), stall_seconds (how
 * long a read may give nothing; 0: for ever) and scale_decoding (whether large JPEG files are decoded at 1/2, 1/4 or 1/8 of their
 * size). `who` begins messages. What `data` points to is copied, but for the source. Boxes without label_pad_width: blocks, and reads the
 * headers of all records. */
MG_EXPORT mg_status mg_batches_create(int32_t kind, const char* who, const mg_batches_data* data,
                                      int32_t num_options, const char* const* names, const mg_value* values,
                                      mg_batches** out);
MG_EXPORT void mg_batches_destroy(mg_batches* batches);
/* Numbers in the label of one example. */
MG_EXPORT int64_t mg_batches_get_label_width(const mg_batches* batches);
/* The next batch, on cpu(0): data of shape (batch_size, data_shape...), labels of shape (batch_size) or (batch_size, numbers), float32.
 * *data is NULL at the end of the epoch. `pad`: examples at the end that only fill the batch. `ids`: batch_size numbers of records, or
 * NULL. Blocks until the batch is made. With damaged="raise" each damaged record or picture of the batch is an error of a call (of many,
 * the first 16), mostly MG_STATUS_FORMAT; then the batch follows without these. MG_STATUS_IO when reading fails or stalls,
 * MG_STATUS_STOPPED after an interrupt: nothing is lost, and the next call tries again. */
MG_EXPORT mg_status mg_batches_next(mg_batches* batches, mg_array** data, mg_array** labels, int64_t* pad,
                                    uint64_t* ids);
/* Begins the next epoch, or this one again if none of its batches was given out. */
MG_EXPORT mg_status mg_batches_reset(mg_batches* batches);

/* From where batches go on. */
typedef struct mg_batches_place {
  size_t size;                 /* sizeof(mg_batches_place), set by the caller */
  uint64_t epoch;              /* that the program is in */
  uint64_t next_epoch, sample; /* of the next example, which may be in the next epoch already */
  uint64_t offset;             /* in the file */
  uint64_t chunk, inside;      /* of pieces that are shuffled */
  int32_t is_begun;            /* [optional] 1: batches of the epoch were given out */
} mg_batches_place;
MG_EXPORT mg_status mg_batches_get_place(const mg_batches* batches, mg_batches_place* place);
/* With the same data and options the next batch is then the one that was next. */
MG_EXPORT mg_status mg_batches_set_place(mg_batches* batches, const mg_batches_place* place);
/* Records and pictures that were left out of the batches so far. */
MG_EXPORT mg_status mg_batches_get_skipped(const mg_batches* batches, mg_record_skipped* skipped);

#ifdef __cplusplus
}
#endif
