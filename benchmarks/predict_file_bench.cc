// Prediction from files: time to load a network and its parameters, time per run, and memory beyond the files' pages.
//   predict_file_bench NET-symbol.json NET.params 1,3,224,224 [map|copy|mxnet]
//   predict_file_bench - NET.mxg 1,3,224,224 [map|mxnet]
// `map`: parameters lie in the pages of their file; `copy`: they are read; `mxnet`: MXPredCreate, which gets the file's content and
// copies it. Memory that holds numbers of the process ("anonymous") is what a prediction costs; pages of the file can be had
// again from it and are shared between processes.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "mixgrad/c_predict_api.h"
#include "mixgrad/mixgrad.h"

namespace {

using Clock = std::chrono::steady_clock;

void check(mg_status status) {
  if (status == MG_STATUS_OK) return;
  std::fprintf(stderr, "%s\n", mg_last_error());
  std::exit(1);
}

void check_predict(int status) {
  if (status == 0) return;
  std::fprintf(stderr, "%s\n", MXGetLastError());
  std::exit(1);
}

double milliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

// "RssAnon" or "RssFile" of this process in MB.
double resident(const char* kind) {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kilobytes = 0;
  while (status >> word) {
    if (word == std::string(kind) + ":") status >> kilobytes;
  }
  return kilobytes / 1024;
}

std::vector<int64_t> shape_of(const char* text) {
  std::vector<int64_t> shape;
  std::stringstream stream(text);
  std::string extent;
  while (std::getline(stream, extent, ',')) shape.push_back(std::atoll(extent.c_str()));
  return shape;
}

// The arrays of a part of the network: parameters by name, zeros for the rest.
std::vector<mg_array*> arrays_of(const mg_symbol* symbol, const mg_inference* inference, int32_t part,
                                 const std::map<std::string, mg_array*>& parameters) {
  mg_string_list* names = nullptr;
  std::vector<mg_array*> arrays;
  check(mg_symbol_list(symbol, part, &names));
  for (int32_t i = 0; i < mg_string_list_get_num_strings(names); ++i) {
    const std::string name = mg_string_list_get(names, i);
    const auto found = parameters.find(name);
    mg_array* array = found == parameters.end() ? nullptr : found->second;
    if (!array) {
      int32_t ndim = 0;
      const int64_t* extents = nullptr;
      check(mg_inference_get_shape(inference, part, i, &ndim, &extents));
      int64_t size = 1;
      for (int32_t d = 0; d < ndim; ++d) size *= extents[d];
      const std::vector<float> zeros(static_cast<size_t>(size), 0.0f);
      check(mg_array_create_from(zeros.data(), extents, ndim, MG_DTYPE_FLOAT32, {MG_DEVICE_CPU, 0}, &array));
    }
    arrays.push_back(array);
  }
  mg_string_list_destroy(names);
  return arrays;
}

// One that can run: what takes a program from files to answers.
struct Runner {
  virtual ~Runner() = default;
  virtual void run() = 0;
};

class ByExecutor final : public Runner {
 public:
  // Prints how long each step takes.
  ByExecutor(const char* network, const char* parameters, const std::vector<int64_t>& shape, bool copy) {
    check(mg_mapping_set(MG_MAPPING_ALWAYS));
    Clock::time_point start = Clock::now();
    mg_model* model = nullptr;
    std::map<std::string, mg_array*> arrays;
    if (std::strcmp(network, "-") == 0) {
      check(mg_model_load(parameters, &model));
      const char* text = nullptr;
      size_t bytes = 0;
      check(mg_model_get_text(model, "symbol", &text, &bytes));
      check(mg_symbol_from_json(text, bytes, parameters, &symbol_));
      for (int32_t i = 0; i < mg_model_get_num_arrays(model); ++i)
        check(mg_model_get_array(model, i, &arrays[without_kind(mg_model_get_array_name(model, i))]));
      mg_model_destroy(model);
    } else {
      mg_array_list* list = nullptr;
      check(mg_symbol_load(network, &symbol_));
      const double symbol_time = milliseconds(start);
      std::printf("symbol %.2f ms, ", symbol_time);
      start = Clock::now();
      check(copy ? mg_arrays_load(parameters, &list) : mg_arrays_map(parameters, &list));
      for (int32_t i = 0; i < mg_array_list_get_num_arrays(list); ++i)
        check(mg_array_list_get(list, i, &arrays[without_kind(mg_array_list_get_name(list, i))]));
      mg_array_list_destroy(list);
    }
    std::printf("parameters %.2f ms, ", milliseconds(start));
    start = Clock::now();
    bind(arrays, shape);
    std::printf("bind %.2f ms, ", milliseconds(start));
  }
  ~ByExecutor() override {
    mg_array_destroy(output_);
    mg_executor_destroy(executor_);
    for (const auto* part : {&arguments_, &auxiliaries_}) {
      for (mg_array* array : *part) mg_array_destroy(array);
    }
    mg_symbol_destroy(symbol_);
  }
  void run() override {
    check(mg_executor_forward(executor_, 0));
    check(mg_array_wait_to_read(output_));
  }

 private:
  static std::string without_kind(const char* name) {
    const char* colon = std::strchr(name, ':');
    return colon ? colon + 1 : name;
  }
  void bind(const std::map<std::string, mg_array*>& parameters, const std::vector<int64_t>& shape) {
    const char* known[] = {"data"};
    const int32_t ndims[] = {static_cast<int32_t>(shape.size())};
    const int64_t* shapes[] = {shape.data()};
    mg_inference* inference = nullptr;
    check(mg_symbol_infer(symbol_, 1, known, ndims, shapes, nullptr, &inference));
    arguments_ = arrays_of(symbol_, inference, MG_PART_ARGUMENTS, parameters);
    auxiliaries_ = arrays_of(symbol_, inference, MG_PART_AUXILIARY_STATES, parameters);
    mg_inference_destroy(inference);
    mg_executor_arrays arrays{};
    arrays.size = sizeof arrays;
    arrays.num_arguments = static_cast<int32_t>(arguments_.size());
    arrays.arguments = arguments_.data();
    arrays.num_auxiliaries = static_cast<int32_t>(auxiliaries_.size());
    arrays.auxiliaries = auxiliaries_.data();
    check(mg_executor_bind(symbol_, &arrays, {MG_DEVICE_CPU, 0}, nullptr, &executor_));
    check(mg_executor_get_array(executor_, MG_PART_OUTPUTS, 0, &output_));
    uint64_t planned = 0;
    int64_t image = 4;
    check(mg_executor_get_planned(executor_, 0, &planned, nullptr));
    for (int64_t extent : shape) image *= extent;
    std::printf("working memory %.2f MB and input %.2f MB, ", static_cast<double>(planned) / (1 << 20),
                static_cast<double>(image) / (1 << 20));
  }

  mg_symbol* symbol_ = nullptr;
  std::vector<mg_array*> arguments_, auxiliaries_;
  mg_executor* executor_ = nullptr;
  mg_array* output_ = nullptr;
};

class ByMxnetFunctions final : public Runner {
 public:
  ByMxnetFunctions(const char* network, const char* parameters, const std::vector<int64_t>& shape) {
    const Clock::time_point start = Clock::now();
    const bool packed = std::strcmp(network, "-") == 0;
    const std::string json = packed ? std::string() : content(network), bytes = content(parameters);
    const char* key = "data";
    const std::vector<mx_uint> extents(shape.begin(), shape.end());
    const mx_uint starts[] = {0, static_cast<mx_uint>(extents.size())};
    check_predict(MXPredCreate(packed ? nullptr : json.c_str(), bytes.data(), static_cast<int>(bytes.size()),
                               1, 0, 1, &key, starts, extents.data(), &predictor_));
    std::printf("files and MXPredCreate %.2f ms, ", milliseconds(start));
    mx_uint *of = nullptr, ndim = 0, size = 1;
    check_predict(MXPredGetOutputShape(predictor_, 0, &of, &ndim));
    for (mx_uint d = 0; d < ndim; ++d) size *= of[d];
    output_.resize(size);
  }
  ~ByMxnetFunctions() override { MXPredFree(predictor_); }
  void run() override {
    check_predict(MXPredForward(predictor_));
    check_predict(MXPredGetOutput(predictor_, 0, output_.data(), static_cast<mx_uint>(output_.size())));
  }

 private:
  static std::string content(const char* path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    std::string bytes(static_cast<size_t>(file.tellg()), '\0');
    file.seekg(0);
    file.read(&bytes[0], static_cast<std::streamsize>(bytes.size()));
    return bytes;
  }

  PredictorHandle predictor_ = nullptr;
  std::vector<float> output_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "predict_file_bench NET-symbol.json|- NET.params|NET.mxg SHAPE [map|copy|mxnet]\n");
    return 2;
  }
  const std::string way = argc > 4 ? argv[4] : "map";
  const std::vector<int64_t> shape = shape_of(argv[3]);
  mg_has_feature("onednn");
  const double before = resident("RssAnon");
  std::unique_ptr<Runner> runner;
  if (way == "mxnet")
    runner = std::make_unique<ByMxnetFunctions>(argv[1], argv[2], shape);
  else
    runner = std::make_unique<ByExecutor>(argv[1], argv[2], shape, way == "copy");
  std::vector<double> runs;
  for (int i = 0; i < 21; ++i) {
    const Clock::time_point start = Clock::now();
    runner->run();
    runs.push_back(milliseconds(start));
  }
  const double first = runs[0];
  std::sort(runs.begin() + 1, runs.end());
  std::printf("first run %.1f ms, then %.2f ms (median of 20)\n", first, runs[11]);
  std::ifstream file(argv[2], std::ios::binary | std::ios::ate);
  const double weights = static_cast<double>(file.tellg()) / (1 << 20), anonymous = resident("RssAnon");
  std::printf(
      "memory: %.1f MB anonymous beyond the %.1f at the start, parameters' file %.1f MB; %.1f MB of files' "
      "pages\n",
      anonymous - before, before, weights, resident("RssFile"));
  return 0;
}
