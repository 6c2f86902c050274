#include "steps.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace fuzz {
namespace {

constexpr uint64_t kMemory = uint64_t{48} << 20;
constexpr int64_t kMost = int64_t{1} << 40;
constexpr int64_t kRunElements = 20000;  // of all values together; larger networks are bound, not run

void well_formed(const char* message) { demand(message && message[0] == '[' && std::strchr(message, ']')); }

// Elements of all values of a network, and of one argument.
struct Sizes {
  int64_t total = -1, input = 0;  // -1: something stays unknown
};

// `shape` null: the file's own attributes say the shapes.
Sizes sizes_of(mg_symbol* symbol, const std::string& input, const std::vector<int64_t>* shape) {
  const char* name = input.c_str();
  const int32_t ndim = shape ? static_cast<int32_t>(shape->size()) : 0;
  const int64_t* extents = shape ? shape->data() : nullptr;
  mg_inference* inference = nullptr;
  Sizes sizes;
  if (!worked(mg_symbol_infer(symbol, shape ? 1 : 0, &name, &ndim, &extents, nullptr, &inference)))
    return sizes;
  if (mg_inference_has_shapes(inference)) sizes.total = 0;
  for (int32_t part : {MG_PART_ARGUMENTS, MG_PART_OUTPUTS, MG_PART_AUXILIARY_STATES}) {
    mg_string_list* names = nullptr;
    if (sizes.total < 0 || !worked(mg_symbol_list(symbol, part, &names))) break;
    for (int32_t i = 0; i < mg_string_list_get_num_strings(names); ++i) {
      int32_t rank = 0;
      const int64_t* of = nullptr;
      demand(worked(mg_inference_get_shape(inference, part, i, &rank, &of)));
      int64_t count = 1;
      for (int32_t d = 0; d < rank; ++d) {
        demand(of[d] >= 0);
        count = of[d] == 0 ? 0 : std::min(count, kMost / of[d] + 1) * std::min(of[d], kMost);
      }
      sizes.total = std::min(sizes.total + std::min(count, kMost), kMost);
      if (part == MG_PART_ARGUMENTS && input == mg_string_list_get(names, i)) sizes.input = count;
    }
    mg_string_list_destroy(names);
  }
  mg_inference_destroy(inference);
  return sizes;
}

// Functions of one file, and what came of them.
struct Calls {
  const Functions& f;
  Outcome outcome;

  bool good(int status) {
    if (predicted(status, f.last_error)) return true;
    outcome.refused_memory |= std::strstr(f.last_error(), "no room") || std::strstr(f.last_error(), "memory");
    return false;
  }

  void run(PredictorHandle predictor, const char* input, size_t count) {
    std::vector<float> data(count);
    for (size_t i = 0; i < count; ++i) data[i] = static_cast<float>(i % 17) * 0.25f - 1;
    if (input) good(f.set_input(predictor, input, data.data(), static_cast<mx_uint>(count)));
    if (!good(f.forward(predictor))) return;
    outcome.ran = true;
    for (mx_uint output = 0; output < 6; ++output) {
      mx_uint *extents = nullptr, rank = 0;
      int dtype = 0;
      if (!good(f.output_shape(predictor, output, &extents, &rank))) break;
      if (output % 2) demand(good(f.output_type(predictor, output, &dtype)));
      uint64_t size = 1;
      for (mx_uint d = 0; d < rank; ++d) size *= extents[d];
      if (size > kMemory) continue;
      std::vector<float> values(output % 2 ? 2 * size : size);  // room for any dtype, or for floats
      if (!good(f.output(predictor, output, values.data(), static_cast<mx_uint>(size)))) continue;
      if (output % 2 == 0) outcome.values.insert(outcome.values.end(), values.begin(), values.end());
    }
  }
};

}  // namespace

const Functions kOwn = {MXGetLastError,      MXPredCreate,    MXPredReshape,
                        MXPredSetInput,      MXPredForward,   MXPredGetOutputShape,
                        MXPredGetOutputType, MXPredGetOutput, MXPredFree};

void prepare() {
  static const bool once = [] {
    demand(mg_engine_set_kind(MG_ENGINE_SERIAL) == MG_STATUS_OK);
    demand(mg_engine_set_num_threads(1) == MG_STATUS_OK);
    demand(mg_memory_set_limit({MG_DEVICE_CPU, 0}, kMemory) == MG_STATUS_OK);
    return true;
  }();
  static_cast<void>(once);
}

bool worked(mg_status status) {
  if (status == MG_STATUS_OK) return true;
  well_formed(mg_last_error());
  return false;
}

bool predicted(int status, decltype(&MXGetLastError) last_error) {
  demand(status == 0 || status == -1);
  if (status == 0) return true;
  well_formed(last_error());
  return false;
}

void read_all(mg_array_list* list) {
  unsigned sum = 0;
  for (int32_t i = 0; i < mg_array_list_get_num_arrays(list); ++i) {
    if (const char* name = mg_array_list_get_name(list, i)) sum += static_cast<unsigned>(std::strlen(name));
    mg_array* array = nullptr;
    demand(worked(mg_array_list_get(list, i, &array)));
    if (!array) continue;
    const unsigned char* bytes = nullptr;
    int64_t count = mg_array_get_size(array), product = 1;
    for (int32_t d = 0; d < mg_array_get_ndim(array); ++d) product *= mg_array_get_shape(array)[d];
    demand(count == product);
    if (worked(mg_array_get_data(array, reinterpret_cast<void**>(const_cast<unsigned char**>(&bytes)))) &&
        count > 0) {
      static const int kBytes[] = {4, 8, 2, 1, 4, 1, 8, 1, 2, 2, 4, 8, 2};
      const int32_t dtype = mg_array_get_dtype(array);
      demand(dtype >= 0 && dtype < 13);
      for (int64_t at = 0; at < count * kBytes[dtype]; ++at) sum += bytes[at];
    }
    mg_array_destroy(array);
  }
  mg_array_list_destroy(list);
  demand(sum != 0x5eed5eed);  // so that the bytes are read
}

Outcome predict(const std::string& json, const void* params, size_t bytes, const Functions& functions) {
  Calls calls{functions, {}};
  const Functions& f = functions;
  mg_symbol* symbol = nullptr;
  if (!worked(mg_symbol_from_json(json.data(), json.size(), "fuzz", &symbol))) {
    PredictorHandle none = nullptr;
    calls.outcome.made = calls.good(
        f.create(json.c_str(), params, static_cast<int>(bytes), 1, 0, 0, nullptr, nullptr, nullptr, &none));
    if (calls.outcome.made) f.free(none);  // the text goes on behind a zero
    return calls.outcome;
  }
  mg_string_list* names = nullptr;
  demand(worked(mg_symbol_list(symbol, MG_PART_ARGUMENTS, &names)));
  std::string input;
  for (int32_t i = mg_string_list_get_num_strings(names); i-- > 0;) {
    const std::string name = mg_string_list_get(names, i);
    if (i == 0 ? input.empty() : name == "data") input = name;
  }
  const bool any = mg_string_list_get_num_strings(names) > 0;
  mg_string_list_destroy(names);
  mg_symbol* internals = nullptr;
  if (!worked(mg_symbol_get_internals(symbol, &internals))) internals = nullptr;

  static const std::vector<int64_t> kShapes[] = {{2, 6}, {1, 3, 18, 18}, {1, 3, 8, 8}, {2, 4, 6}};
  const char* key = input.c_str();
  for (int way = any ? 4 : 0; way >= 0; --way) {
    const std::vector<int64_t>* shape = way > 0 ? &kShapes[way - 1] : nullptr;
    const Sizes sizes = sizes_of(symbol, input, shape);
    if (sizes.total < 0) continue;
    const int64_t total = internals ? sizes_of(internals, input, shape).total : -1;
    const bool cheap = total >= 0 && total <= kRunElements;
    std::vector<mx_uint> extents;
    if (shape) extents.assign(shape->begin(), shape->end());
    const mx_uint starts[2] = {0, static_cast<mx_uint>(extents.size())};
    PredictorHandle predictor = nullptr, other = nullptr;
    if (!calls.good(f.create(json.c_str(), params, static_cast<int>(bytes), 1, 0, shape ? 1 : 0, &key, starts,
                             extents.data(), &predictor))) {
      continue;
    }
    calls.outcome.made = true;
    if (cheap) calls.run(predictor, any ? key : nullptr, static_cast<size_t>(sizes.input));
    if (cheap && shape) {
      extents[0] = 3;
      if (calls.good(f.reshape(1, &key, starts, extents.data(), predictor, &other))) {
        calls.run(other, key, static_cast<size_t>(sizes.input / (*shape)[0] * 3));
        f.free(other);
      }
      extents.back() = 0;
      if (calls.good(f.reshape(1, &key, starts, extents.data(), predictor, &other))) f.free(other);
    }
    f.free(predictor);
    break;
  }
  mg_symbol_destroy(internals);
  mg_symbol_destroy(symbol);
  return calls.outcome;
}

MemoryFile::MemoryFile(const void* data, size_t bytes) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
  demand(descriptor_ >= 0 && write(descriptor_, data, bytes) == static_cast<ssize_t>(bytes));
  path_ = "/proc/self/fd/" + std::to_string(descriptor_);
}

MemoryFile::~MemoryFile() { close(descriptor_); }

}  // namespace fuzz
