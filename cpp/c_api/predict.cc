// MXNet's predict functions.
#include "mixgrad/c_predict_api.h"

#include <algorithm>

#include "base/build.h"
#include "c_api/handle.h"
#include "exec/planned/predictor.h"
#include "files/model_file.h"
#include "files/weights.h"
#include "graph/symbol_json.h"
#include "kernels/loops/convert.h"

namespace api = mixgrad::c_api;
using mixgrad::Array;
using mixgrad::ArrayRef;
using mixgrad::Device;
using mixgrad::DType;
using mixgrad::Network;
using mixgrad::Predictor;
using mixgrad::Shape;
using mixgrad::Status;
using mixgrad::Symbol;

namespace {

// What a PredictorHandle points to.
struct MXPredictor {
  std::unique_ptr<Predictor> predictor;
  api::vector<api::string> typed_inputs;  // those whose dtype the caller chose
  api::vector<uint32_t> shape;            // lent by MXPredGetOutputShape
  api::vector<bool> told;                 // outputs whose dtype the caller asked for

  bool is_typed(const api::string& input) const {
    return std::find(typed_inputs.begin(), typed_inputs.end(), input) != typed_inputs.end();
  }
};

// What an NDListHandle points to.
struct MXList {
  struct Item {
    api::string name;
    api::vector<float> data;
    api::vector<uint32_t> shape;
  };
  api::vector<Item> items;
};

// Every function below: an error becomes MXGetLastError().
template <class Fn>
int guard(Fn&& fn) noexcept {
  return api::guard(std::forward<Fn>(fn)) == MG_STATUS_OK ? 0 : -1;
}

MXPredictor& predictor_of(PredictorHandle handle, const char* function) {
  api::require(handle, function, "handle");
  return *static_cast<MXPredictor*>(handle);
}

// The arguments that all functions which make predictors share.
struct Inputs {
  uint32_t count;
  const char** keys;
  const uint32_t *indptr, *extents;

  mixgrad::NamedShapes shapes(const char* function) const {
    mixgrad::NamedShapes named;
    if (count == 0) return named;
    api::require(keys, function, "input_keys");
    api::require(indptr, function, "input_shape_indptr");
    for (uint32_t i = 0; i < count; ++i) {
      api::require(keys[i], function, "an input's key");
      if (indptr[i] > indptr[i + 1] || indptr[i + 1] - indptr[i] > mixgrad::kMaxDims) {
        mixgrad::fail(Status::invalid_argument, "[", function, "] input '", keys[i],
                      "' has shape items from ", indptr[i], " to ", indptr[i + 1], "; expected 0 to ",
                      mixgrad::kMaxDims, " of them");
      }
      if (indptr[i + 1] > indptr[i]) api::require(extents, function, "input_shape_data");
      Shape shape;
      for (uint32_t d = indptr[i]; d < indptr[i + 1]; ++d) shape.push_back(extents[d]);
      mixgrad::check_extents(shape, sizeof(double), function);
      named.emplace_back(keys[i], shape);
    }
    return named;
  }
};

// What the functions that make predictors from files are given; parts that a function does not take are left.
struct Creation {
  const char* function;
  const char* json;
  const void* param_bytes;
  int param_size, dev_type, dev_id;
  Inputs inputs;
  PredictorHandle* out;
  uint32_t num_dtypes = 0;
  const char** typed_names = nullptr;
  const int* dtypes = nullptr;
  uint32_t num_outputs = 0;
  const char** output_keys = nullptr;
  int num_threads = 1;  // predictors over the same parameters
};

bool is_in(const api::string& name, const mixgrad::Strings& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A network given beside the packed one takes its place.
void read_packed(mixgrad::ByteSource& source, const Creation& given, Network& network) {
  mixgrad::ModelFile model = mixgrad::read_model(source, network.device);
  network.parameters = mixgrad::parameters_of(std::move(model.arrays));
  if (given.json) return;
  const api::string* text = model.text("symbol");
  if (!text) mixgrad::fail(Status::format, "[", given.function, "] the packed model holds no network");
  network.symbol = mixgrad::read_symbol(*text, "the packed model's network");
}

mixgrad::Ref<Network> read_network(const Creation& given) {
  const char* const function = given.function;
  const mixgrad::Ref<Network> network(new Network);
  network->device = Device::from_numbers(given.dev_type, given.dev_id);
  if (given.param_size < 0)
    mixgrad::fail(Status::invalid_argument, "[", function, "] param_size is ", given.param_size,
                  "; expected 0 or more");
  const auto bytes = static_cast<uint64_t>(given.param_size);
  if (bytes > 0) api::require(given.param_bytes, function, "param_bytes");
  const bool packed = mixgrad::kQueues && bytes > 0 && mixgrad::looks_like_model(given.param_bytes, bytes);
  if (!packed) api::require(given.json, function, "symbol_json_str");
  if (given.json) network->symbol = mixgrad::read_symbol(given.json, "symbol_json_str");
  if (bytes == 0) return network;
  const auto source = mixgrad::open_memory(given.param_bytes, bytes);
  if (!packed) {
    mixgrad::NamedArrays arrays =
        mixgrad::read_arrays(*source, network->device, mixgrad::SparseEntries::made_dense);
    if constexpr (mixgrad::kQueues) arrays = mixgrad::expand_integers(std::move(arrays));
    network->parameters = mixgrad::parameters_of(std::move(arrays));
  } else if constexpr (mixgrad::kQueues) {
    read_packed(*source, given, *network);
  }
  // Nobody else sees these arrays: convolutions that have their weights in an order of their own may be all that holds them.
  for (const ArrayRef& parameter : network->parameters.arrays()) parameter->chunk().allow_rounding();
  return network;
}

// Leaves what the chosen outputs need. They are named by their nodes or by themselves.
void choose_outputs(Symbol& symbol, const Creation& given, const mixgrad::NamedShapes& inputs) {
  const char* const function = given.function;
  api::require(given.output_keys, function, "output_keys");
  const Symbol internals = symbol.internals();
  const mixgrad::Strings names = internals.list_outputs();
  api::vector<Symbol> chosen;
  for (uint32_t i = 0; i < given.num_outputs; ++i) {
    const char* const key = given.output_keys[i];
    api::require(key, function, "an output's key");
    const auto at = std::find(names.begin(), names.end(), api::string(key) + "_output");
    chosen.push_back(internals.output(at != names.end() ? static_cast<size_t>(at - names.begin())
                                                        : internals.find_output(key)));
  }
  symbol = Symbol::group(chosen);
  const mixgrad::Strings left = symbol.internals().list_outputs();
  for (const auto& [input, shape] : inputs) {
    if (is_in(input, names) && !is_in(input, left)) {
      mixgrad::fail(Status::not_found, "[", function, "] input '", input,
                    "' is in the network, but not in the part of it that the chosen outputs need");
    }
  }
}

MXPredictor* give_predictor(std::unique_ptr<Predictor> predictor, api::vector<api::string> typed_inputs) {
  auto made = api::make_unique<MXPredictor>();
  made->told.resize(predictor->outputs().size());
  made->predictor = std::move(predictor);
  made->typed_inputs = std::move(typed_inputs);
  return made.release();
}

void create(const Creation& given) {
  const char* function = given.function;
  if (given.num_threads < 1)
    mixgrad::fail(Status::invalid_argument, "[", function, "] num_threads is ", given.num_threads,
                  "; expected 1 or more");
  api::require(given.out, function, "out");
  const mixgrad::Ref<Network> network = read_network(given);
  mixgrad::NamedDTypes dtypes;
  api::vector<api::string> typed;
  if (given.num_dtypes > 0) {
    api::require(given.typed_names, function, "provided_arg_dtype_names");
    api::require(given.dtypes, function, "provided_arg_dtypes");
  }
  for (uint32_t i = 0; i < given.num_dtypes; ++i) {
    api::require(given.typed_names[i], function, "the name of an argument");
    dtypes.emplace_back(given.typed_names[i], api::dtype_from(given.dtypes[i], function));
    typed.emplace_back(given.typed_names[i]);
  }
  const mixgrad::NamedShapes shapes = given.inputs.shapes(function);
  if (given.num_outputs > 0) choose_outputs(network->symbol, given, shapes);
  api::vector<std::unique_ptr<Predictor>> made;
  for (int i = 0; i < given.num_threads; ++i) {
    made.push_back(api::make_unique<Predictor>(network, shapes, dtypes));
    if (i == 0) made[0]->share_widened();
  }
  for (size_t i = 0; i < made.size(); ++i) given.out[i] = give_predictor(std::move(made[i]), typed);
}

const ArrayRef& output_at(const MXPredictor& p, uint32_t index, const char* function) {
  const auto& outputs = p.predictor->outputs();
  if (index >= outputs.size())
    mixgrad::fail(Status::index, "[", function, "] output ", index, " is not there; expected one below ",
                  outputs.size());
  return outputs[index];
}

void check_size(const Array& array, uint32_t size, const char* function) {
  if (static_cast<int64_t>(size) != array.size()) {
    mixgrad::fail(Status::shape, "[", function, "] got ", size, " elements; the array of shape ",
                  array.shape(), " has ", array.size());
  }
}

api::vector<uint32_t> small_extents(const Shape& shape) {
  api::vector<uint32_t> extents;
  for (int64_t extent : shape) extents.push_back(static_cast<uint32_t>(extent));
  return extents;
}

}  // namespace

extern "C" {

const char* MXGetLastError(void) { return api::last_error(); }

int MXPredCreateEx(const char* symbol_json_str, const void* param_bytes, int param_size, int dev_type,
                   int dev_id, const uint32_t num_input_nodes, const char** input_keys,
                   const uint32_t* input_shape_indptr, const uint32_t* input_shape_data,
                   const uint32_t num_provided_arg_dtypes, const char** provided_arg_dtype_names,
                   const int* provided_arg_dtypes, PredictorHandle* out) {
  return guard([&] {
    Creation given{"MXPredCreateEx",
                   symbol_json_str,
                   param_bytes,
                   param_size,
                   dev_type,
                   dev_id,
                   {num_input_nodes, input_keys, input_shape_indptr, input_shape_data},
                   out};
    given.num_dtypes = num_provided_arg_dtypes;
    given.typed_names = provided_arg_dtype_names;
    given.dtypes = provided_arg_dtypes;
    create(given);
  });
}

int MXPredCreate(const char* symbol_json_str, const void* param_bytes, int param_size, int dev_type,
                 int dev_id, uint32_t num_input_nodes, const char** input_keys,
                 const uint32_t* input_shape_indptr, const uint32_t* input_shape_data, PredictorHandle* out) {
  return guard([&] {
    create({"MXPredCreate",
            symbol_json_str,
            param_bytes,
            param_size,
            dev_type,
            dev_id,
            {num_input_nodes, input_keys, input_shape_indptr, input_shape_data},
            out});
  });
}

int MXPredCreatePartialOut(const char* symbol_json_str, const void* param_bytes, int param_size, int dev_type,
                           int dev_id, uint32_t num_input_nodes, const char** input_keys,
                           const uint32_t* input_shape_indptr, const uint32_t* input_shape_data,
                           uint32_t num_output_nodes, const char** output_keys, PredictorHandle* out) {
  return guard([&] {
    Creation given{"MXPredCreatePartialOut",
                   symbol_json_str,
                   param_bytes,
                   param_size,
                   dev_type,
                   dev_id,
                   {num_input_nodes, input_keys, input_shape_indptr, input_shape_data},
                   out};
    given.num_outputs = num_output_nodes;
    given.output_keys = output_keys;
    create(given);
  });
}

int MXPredCreateMultiThread(const char* symbol_json_str, const void* param_bytes, int param_size,
                            int dev_type, int dev_id, uint32_t num_input_nodes, const char** input_keys,
                            const uint32_t* input_shape_indptr, const uint32_t* input_shape_data,
                            int num_threads, PredictorHandle* out) {
  return guard([&] {
    Creation given{"MXPredCreateMultiThread",
                   symbol_json_str,
                   param_bytes,
                   param_size,
                   dev_type,
                   dev_id,
                   {num_input_nodes, input_keys, input_shape_indptr, input_shape_data},
                   out};
    given.num_threads = num_threads;
    create(given);
  });
}

int MXPredReshape(uint32_t num_input_nodes, const char** input_keys, const uint32_t* input_shape_indptr,
                  const uint32_t* input_shape_data, PredictorHandle handle, PredictorHandle* out) {
  return guard([&] {
    const char* function = "MXPredReshape";
    const MXPredictor& p = predictor_of(handle, function);
    api::require(out, function, "out");
    const Inputs inputs{num_input_nodes, input_keys, input_shape_indptr, input_shape_data};
    *out = give_predictor(p.predictor->reshape(inputs.shapes(function)), p.typed_inputs);
  });
}

int MXPredGetOutputShape(PredictorHandle handle, uint32_t index, uint32_t** shape_data,
                         uint32_t* shape_ndim) {
  return guard([&] {
    const char* function = "MXPredGetOutputShape";
    MXPredictor& p = predictor_of(handle, function);
    api::require(shape_data, function, "shape_data");
    api::require(shape_ndim, function, "shape_ndim");
    p.shape = small_extents(output_at(p, index, function)->shape());
    *shape_data = p.shape.data();
    *shape_ndim = static_cast<uint32_t>(p.shape.size());
  });
}

int MXPredGetOutputType(PredictorHandle handle, uint32_t out_index, int* out_dtype) {
  return guard([&] {
    const char* function = "MXPredGetOutputType";
    MXPredictor& p = predictor_of(handle, function);
    api::require(out_dtype, function, "out_dtype");
    *out_dtype = static_cast<int>(output_at(p, out_index, function)->dtype());
    p.told[out_index] = true;
  });
}

int MXPredSetInput(PredictorHandle handle, const char* key, const float* data, uint32_t size) {
  return guard([&] {
    const char* function = "MXPredSetInput";
    const MXPredictor& p = predictor_of(handle, function);
    api::require(key, function, "key");
    Array& input = p.predictor->variable(key);
    check_size(input, size, function);
    if (size > 0) api::require(data, function, "data");
    if (input.dtype() == DType::float32 || p.is_typed(key)) {
      input.copy_from_host(data);
      return;
    }
    // The network chose the dtype, and the caller has float32.
    api::vector<char> converted(input.bytes());
    mixgrad::convert(data, DType::float32, converted.data(), input.dtype(), input.size());
    input.copy_from_host(converted.data());
  });
}

int MXPredForward(PredictorHandle handle) {
  return guard([&] { predictor_of(handle, "MXPredForward").predictor->forward(); });
}

int MXPredPartialForward(PredictorHandle handle, int step, int* step_left) {
  return guard([&] {
    const char* function = "MXPredPartialForward";
    const MXPredictor& p = predictor_of(handle, function);
    api::require(step_left, function, "step_left");
    if (step < 0)
      mixgrad::fail(Status::invalid_argument, "[", function, "] step is ", step, "; expected 0 or more");
    *step_left = static_cast<int>(p.predictor->forward_step(static_cast<size_t>(step)));
  });
}

int MXPredGetOutput(PredictorHandle handle, uint32_t index, float* data, uint32_t size) {
  return guard([&] {
    const char* function = "MXPredGetOutput";
    const MXPredictor& p = predictor_of(handle, function);
    const ArrayRef& output = output_at(p, index, function);
    check_size(*output, size, function);
    if (size > 0) api::require(data, function, "data");
    p.predictor->expect_outputs();
    if (output->bytes() <= size * sizeof(float) || p.told[index]) {
      output->copy_to_host(data);
      return;
    }
    // A caller that does not know of elements wider than float32 has no room for them.
    api::vector<char> wide(output->bytes());
    output->copy_to_host(wide.data());
    mixgrad::convert(wide.data(), output->dtype(), data, DType::float32, output->size());
  });
}

int MXPredSetMonitorCallback(PredictorHandle handle, PredMonitorCallback callback, void* callback_handle,
                             bool monitor_all) {
  return guard([&] {
    Predictor& predictor = *predictor_of(handle, "MXPredSetMonitorCallback").predictor;
    mixgrad::ValueWatcher watcher;
    if (callback) {
      watcher = [callback, callback_handle](const api::string& name, const ArrayRef& value) {
        callback(name.c_str(), value.get(), callback_handle);
      };
    }
    predictor.watch(std::move(watcher), callback && monitor_all);
  });
}

int MXPredFree(PredictorHandle handle) {
  delete static_cast<MXPredictor*>(handle);
  return 0;
}

int MXNDListCreate(const char* nd_file_bytes, int nd_file_size, NDListHandle* out, uint32_t* out_length) {
  return guard([&] {
    const char* function = "MXNDListCreate";
    api::require(out, function, "out");
    api::require(out_length, function, "out_length");
    if (nd_file_size < 0)
      mixgrad::fail(Status::invalid_argument, "[", function, "] nd_file_size is ", nd_file_size);
    if (nd_file_size > 0) api::require(nd_file_bytes, function, "nd_file_bytes");
    const auto source = mixgrad::open_memory(nd_file_bytes, static_cast<uint64_t>(nd_file_size));
    const mixgrad::NamedArrays file =
        mixgrad::read_arrays(*source, Device(), mixgrad::SparseEntries::made_dense);
    auto list = api::make_unique<MXList>();
    for (size_t i = 0; i < file.arrays.size(); ++i) {
      MXList::Item item;
      if (!file.names.empty()) item.name = file.names[i];
      if (const Array* array = file.arrays[i].get()) {
        item.shape = small_extents(array->shape());
        item.data.resize(static_cast<size_t>(std::max<int64_t>(array->size(), 1)));
        mixgrad::convert(array->host_data(), array->dtype(), item.data.data(), mixgrad::DType::float32,
                         array->size());
      } else {
        item.data.resize(1);  // no axes: a caller reads one number
      }
      list->items.push_back(std::move(item));
    }
    *out_length = static_cast<uint32_t>(list->items.size());
    *out = list.release();
  });
}

int MXNDListGet(NDListHandle handle, uint32_t index, const char** out_key, const float** out_data,
                const uint32_t** out_shape, uint32_t* out_ndim) {
  return guard([&] {
    const char* function = "MXNDListGet";
    api::require(handle, function, "handle");
    api::require(out_key, function, "out_key");
    api::require(out_data, function, "out_data");
    api::require(out_shape, function, "out_shape");
    api::require(out_ndim, function, "out_ndim");
    const auto& items = static_cast<const MXList*>(handle)->items;
    if (index >= items.size())
      mixgrad::fail(Status::index, "[", function, "] array ", index, " of ", items.size());
    const MXList::Item& item = items[index];
    *out_key = item.name.c_str();
    *out_data = item.data.data();
    *out_shape = item.shape.data();
    *out_ndim = static_cast<uint32_t>(item.shape.size());
  });
}

int MXNDListFree(NDListHandle handle) {
  delete static_cast<MXList*>(handle);
  return 0;
}

}  // extern "C"
