/* MXNet's predict functions: the names, types and meanings of its c_predict_api.h, over mixgrad's executor. Programs written
 * for that header compile with this one and link libmixgrad (or mixgrad-all.cc) in place of libmxnet.
 *
 * Conventions
 *  - Functions return 0, or -1 after a failure, whose message MXGetLastError() gives to the same thread.
 *  - A predictor belongs to one thread at a time; several predictors may run at once, also those of
 *    MXPredCreateMultiThread, which share their parameters.
 *  - Shapes of several inputs lie one after another in input_shape_data: those of input i are items input_shape_indptr[i] up to
 *    input_shape_indptr[i + 1]. For one image network: {0, 4} and {1, 3, 224, 224}.
 *  - dev_type is 1 for the CPU.
 * Since 0.1. */
#ifndef MXNET_C_PREDICT_API_H_
#define MXNET_C_PREDICT_API_H_

#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

#ifndef MXNET_DLL
#if defined(MG_HIDDEN) /* a single file that a shared library keeps to itself */
#define MXNET_DLL __attribute__((visibility("hidden")))
#elif defined(_WIN32)
#define MXNET_DLL __declspec(dllexport)
#else
#define MXNET_DLL __attribute__((visibility("default")))
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t mx_uint;
typedef float mx_float;
typedef void* PredictorHandle;
typedef void* NDListHandle;
/* An mg_array* of mixgrad.h. */
typedef void* NDArrayHandle;
/* Gets the name of a value, a copy of the value, which is the predictor's and ends with the call (mg_array_retain keeps
 * it; files of the predict functions alone have none that look into it), and what MXPredSetMonitorCallback was given. */
typedef void (*PredMonitorCallback)(const char* name, NDArrayHandle value, void* callback_handle);

/* Message of the calling thread's last failure; valid until its next one. */
MXNET_DLL const char* MXGetLastError(void);

/* A network and its parameters. symbol_json_str: the text of a -symbol.json file. param_bytes: the content of a .params
 * file (param_size bytes; NULL and 0 for a network without parameters), copied. Parameters of float16 where the network computes
 * in float32 become float32. Variables that are neither inputs nor parameters, such as labels, are zeros.
 * The library, and single files of more than the predict functions, also take parameters of int8 with a float32 array "name:scale" (a factor
 * for each entry of the first axis), safetensors, and packed models (docs/model-file.md), for whose own network
 * symbol_json_str may be NULL. */
MXNET_DLL int MXPredCreate(const char* symbol_json_str, const void* param_bytes, int param_size, int dev_type,
                           int dev_id, uint32_t num_input_nodes, const char** input_keys,
                           const uint32_t* input_shape_indptr, const uint32_t* input_shape_data,
                           PredictorHandle* out);

/* The same with dtypes (MXNet's numbers: 0 float32, 1 float64, 2 float16, 3 uint8, 4 int32, 5 int8, 6 int64) of the arguments
 * named; others follow. */
MXNET_DLL int MXPredCreateEx(const char* symbol_json_str, const void* param_bytes, int param_size,
                             int dev_type, int dev_id, const uint32_t num_input_nodes,
                             const char** input_keys, const uint32_t* input_shape_indptr,
                             const uint32_t* input_shape_data, const uint32_t num_provided_arg_dtypes,
                             const char** provided_arg_dtype_names, const int* provided_arg_dtypes,
                             PredictorHandle* out);

/* The part of the network that computes the nodes named in output_keys ("fc1", or an output's full name "fc1_output"), whose
 * values become its outputs, in this order. */
MXNET_DLL int MXPredCreatePartialOut(const char* symbol_json_str, const void* param_bytes, int param_size,
                                     int dev_type, int dev_id, uint32_t num_input_nodes,
                                     const char** input_keys, const uint32_t* input_shape_indptr,
                                     const uint32_t* input_shape_data, uint32_t num_output_nodes,
                                     const char** output_keys, PredictorHandle* out);

/* num_threads predictors over the same parameters; `out` has room for as many. */
MXNET_DLL int MXPredCreateMultiThread(const char* symbol_json_str, const void* param_bytes, int param_size,
                                      int dev_type, int dev_id, uint32_t num_input_nodes,
                                      const char** input_keys, const uint32_t* input_shape_indptr,
                                      const uint32_t* input_shape_data, int num_threads,
                                      PredictorHandle* out);

/* A new predictor over the parameters of `handle`, for inputs of other shapes. Both are to be freed. */
MXNET_DLL int MXPredReshape(uint32_t num_input_nodes, const char** input_keys,
                            const uint32_t* input_shape_indptr, const uint32_t* input_shape_data,
                            PredictorHandle handle, PredictorHandle* out);

/* Extents of an output, known from the start. Valid until the predictor's next MXPredGetOutputShape, or its end. */
MXNET_DLL int MXPredGetOutputShape(PredictorHandle handle, uint32_t index, uint32_t** shape_data,
                                   uint32_t* shape_ndim);
/* Number of an output's dtype. Who asks gets its elements as they are from MXPredGetOutput. */
MXNET_DLL int MXPredGetOutputType(PredictorHandle handle, uint32_t out_index, int* out_dtype);

/* Copies `size` elements, which must be the input's number of elements. Elements are float32, which become the input's dtype; of
 * an input whose dtype MXPredCreateEx was given, they are of that dtype. */
MXNET_DLL int MXPredSetInput(PredictorHandle handle, const char* key, const float* data, uint32_t size);

/* Computes the outputs from the inputs; may return before they are there. What fails then fails in MXPredGetOutput; in a file
 * of the predict functions alone, which computes them here, it fails here, and MXPredGetOutput refuses. */
MXNET_DLL int MXPredForward(PredictorHandle handle);
/* Runs step number `step` of the network, an operator or several that are computed as one, and says how many are left. Steps
 * are to be taken in order, from 0, and begin anew when a monitor is set or ended. A number beyond the last runs all that
 * are left. */
MXNET_DLL int MXPredPartialForward(PredictorHandle handle, int step, int* step_left);

/* Waits for the outputs and copies `size` elements, which must be the output's number of elements. They are of the output's
 * dtype, but float32 in place of wider ones unless MXPredGetOutputType was asked: no network can make `data` overflow that was
 * made for floats. Refused unless the last run came to its end. Calls from the monitor are
 * not refused; what the run has not come to is then as the memory was. */
MXNET_DLL int MXPredGetOutput(PredictorHandle handle, uint32_t index, float* data, uint32_t size);

/* Calls back for every value that a run makes, and with monitor_all also for those that nodes read. NULL ends it. The callback must
 * return: not throw, jump away, or free the predictor that runs; to run it or to change its monitor is refused meanwhile. */
MXNET_DLL int MXPredSetMonitorCallback(PredictorHandle handle, PredMonitorCallback callback,
                                       void* callback_handle, bool monitor_all);

MXNET_DLL int MXPredFree(PredictorHandle handle);

/* The arrays of a .params file's content, as float32: a mean image, say. */
MXNET_DLL int MXNDListCreate(const char* nd_file_bytes, int nd_file_size, NDListHandle* out,
                             uint32_t* out_length);
/* Name ("" when the file has none), elements and extents of an array, valid while the list lives. */
MXNET_DLL int MXNDListGet(NDListHandle handle, uint32_t index, const char** out_key, const float** out_data,
                          const uint32_t** out_shape, uint32_t* out_ndim);
MXNET_DLL int MXNDListFree(NDListHandle handle);

#ifdef __cplusplus
}
#endif

#endif /* MXNET_C_PREDICT_API_H_ */
