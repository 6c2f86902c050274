// MXNet's predict functions from C++: one predictor per thread over shared parameters, all at once, equal to MXNet's numbers.
#include <mxnet/c_predict_api.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "numbers.h"

namespace {

void check(int status) {
  if (status != 0) throw std::runtime_error(MXGetLastError());
}

std::string content(const std::string& name) {
  std::ifstream file(std::string(PREDICT_DATA) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<float> input() {
  std::vector<float> data(2 * 3 * 8 * 8);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(37 * i % 101) / 50.0f - 1.0f;
  return data;
}

// Largest distance from the numbers of MXNet over 50 runs.
float distance(PredictorHandle predictor) {
  const std::vector<float> data = input();
  float worst = 0;
  for (int run = 0; run < 50; ++run) {
    std::vector<float> out(20);
    check(MXPredSetInput(predictor, "data", data.data(), static_cast<mx_uint>(data.size())));
    check(MXPredForward(predictor));
    check(MXPredGetOutput(predictor, 0, out.data(), 20));
    for (size_t i = 0; i < out.size(); ++i) worst = std::fmax(worst, std::fabs(out[i] - kSoftmax[i]));
  }
  return worst;
}

}  // namespace

int main() {
  const std::string json = content("small-symbol.json"), params = content("small.params");
  const char* keys[] = {"data"};
  const mx_uint indptr[] = {0, 4}, shape[] = {2, 3, 8, 8};
  constexpr int kThreads = 4;
  PredictorHandle predictors[kThreads];
  check(MXPredCreateMultiThread(json.c_str(), params.data(), static_cast<int>(params.size()), 1, 0, 1, keys,
                                indptr, shape, kThreads, predictors));
  std::vector<float> worst(kThreads, 1.0f);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] { worst[static_cast<size_t>(i)] = distance(predictors[i]); });
  for (std::thread& thread : threads) thread.join();
  for (PredictorHandle predictor : predictors) check(MXPredFree(predictor));
  for (float far : worst) {
    if (!(far <= 1e-4f)) {
      std::fprintf(stderr, "%g away from MXNet's numbers\n", static_cast<double>(far));
      return 1;
    }
  }
  std::puts("1 passed");
  return 0;
}
