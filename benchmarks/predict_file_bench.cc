// Prediction from files: time to load a network and its parameters, time per run, and memory beyond the files' pages.
//   predict_file_bench NET-symbol.json NET.params 1,3,224,224 [copy]
// Parameters are mapped, or with `copy` read. Memory that holds numbers of the process ("anonymous") is what a prediction costs;
// pages of the file can be had again from it and are shared between processes.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "mixgrad/mixgrad.h"

namespace {

using Clock = std::chrono::steady_clock;

void check(mg_status status) {
  if (status == MG_OK) return;
  std::fprintf(stderr, "%s\n", mg_last_error());
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
                                 const std::map<std::string, mg_array*>& parameters, mg_array** data) {
  mg_string_list* names = nullptr;
  std::vector<mg_array*> arrays;
  check(mg_symbol_list(symbol, part, &names));
  for (int32_t i = 0; i < mg_string_list_count(names); ++i) {
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
      check(mg_array_create_from(zeros.data(), extents, ndim, MG_FLOAT32, {MG_CPU, 0}, &array));
    }
    if (name == "data") *data = array;
    arrays.push_back(array);
  }
  mg_string_list_destroy(names);
  return arrays;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "predict_file_bench NET-symbol.json NET.params SHAPE [copy]\n");
    return 2;
  }
  const bool copy = argc > 4 && std::strcmp(argv[4], "copy") == 0;
  const std::vector<int64_t> shape = shape_of(argv[3]);
  mg_symbol* symbol = nullptr;
  mg_array_list* list = nullptr;
  mg_has_feature("onednn");
  const double anonymous_before = resident("RssAnon");
  Clock::time_point start = Clock::now();
  check(mg_symbol_load(argv[1], &symbol));
  const double symbol_time = milliseconds(start);
  start = Clock::now();
  check(copy ? mg_arrays_load(argv[2], &list) : mg_arrays_map(argv[2], &list));
  const double load_time = milliseconds(start);
  std::map<std::string, mg_array*> parameters;
  for (int32_t i = 0; i < mg_array_list_count(list); ++i) {
    const std::string name = mg_array_list_get_name(list, i);
    check(mg_array_list_get(list, i, &parameters[name.substr(name.find(':') + 1)]));
  }
  mg_array_list_destroy(list);
  start = Clock::now();
  const char* known[] = {"data"};
  const int32_t ndims[] = {static_cast<int32_t>(shape.size())};
  const int64_t* shapes[] = {shape.data()};
  mg_inference* inference = nullptr;
  check(mg_symbol_infer(symbol, 1, known, ndims, shapes, nullptr, &inference));
  mg_array* data = nullptr;
  const std::vector<mg_array*> arguments = arrays_of(symbol, inference, MG_ARGUMENTS, parameters, &data);
  const std::vector<mg_array*> auxiliaries =
      arrays_of(symbol, inference, MG_AUXILIARY_STATES, parameters, &data);
  mg_inference_destroy(inference);
  mg_executor_arrays arrays{};
  arrays.size = sizeof arrays;
  arrays.num_arguments = static_cast<int32_t>(arguments.size());
  arrays.arguments = arguments.data();
  arrays.num_auxiliaries = static_cast<int32_t>(auxiliaries.size());
  arrays.auxiliaries = auxiliaries.data();
  mg_executor* executor = nullptr;
  check(mg_executor_bind(symbol, &arrays, {MG_CPU, 0}, nullptr, &executor));
  const double bind_time = milliseconds(start);
  mg_array* output = nullptr;
  check(mg_executor_get_array(executor, MG_OUTPUTS, 0, &output));
  std::vector<double> runs;
  for (int i = 0; i < 21; ++i) {
    start = Clock::now();
    check(mg_executor_forward(executor, 0));
    check(mg_array_wait_to_read(output));
    runs.push_back(milliseconds(start));
  }
  const double first = runs[0];
  std::sort(runs.begin() + 1, runs.end());
  std::printf(
      "symbol %.1f ms, parameters %.2f ms, bind %.1f ms, first run %.1f ms, then %.2f ms (median of 20)\n",
      symbol_time, load_time, bind_time, first, runs[11]);
  std::printf("memory: %.1f MB anonymous (%.1f before), %.1f MB of files\n", resident("RssAnon"),
              anonymous_before, resident("RssFile"));
  mg_array_destroy(output);
  mg_executor_destroy(executor);
  for (const auto* part : {&arguments, &auxiliaries}) {
    for (mg_array* array : *part) mg_array_destroy(array);
  }
  mg_symbol_destroy(symbol);
  return 0;
}
