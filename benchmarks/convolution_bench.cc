// Convolutions of ResNet-50: our own kernels against oneDNN's, forward and both gradients.
//
// usage: [MIXGRAD_ONEDNN=path of libdnnl.so.3] convolution_bench [batch] [threads]
// Prints milliseconds and GFLOP/s, the best of several rounds in turn; of one thread, its processor time.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "base/parallel.h"
#include "op/nn_library.h"
#include "ops/conv.h"

namespace {

using namespace mixgrad;
using nn_backend::ConvShape;

struct Layer {
  int64_t channels, filters, size, kernel, stride, groups;
};

double seconds() {
  if (num_threads() == 1) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ConvShape shape_of(const Layer& layer, int64_t batch) {
  ConvShape s;
  s.batch = batch;
  s.channels = layer.channels;
  s.filters = layer.filters;
  s.groups = layer.groups;
  for (int i = 1; i < 3; ++i) {
    s.in[i] = layer.size;
    s.kernel[i] = layer.kernel;
    s.stride[i] = layer.stride;
    s.pad[i] = layer.kernel / 2;
    s.out[i] = (layer.size + 2 * s.pad[i] - layer.kernel) / layer.stride + 1;
  }
  return s;
}

template <class Run>
double best_of(const Run& run) {
  double best = 1e9;
  const double until = seconds() + 0.25;
  for (int round = 0; round < 3 || seconds() < until; ++round) {
    const double start = seconds();
    run();
    best = std::min(best, seconds() - start);
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const int64_t batch = argc > 1 ? std::atoi(argv[1]) : 1;
  if (argc > 2) set_num_threads(std::atoi(argv[2]));
  const char* const path = std::getenv("MIXGRAD_ONEDNN");
  if (path) nn_backend::load_onednn(path);
  const TeamScope team(true);
  const Layer layers[] = {{3, 64, 224, 7, 2, 1},    {64, 64, 56, 1, 1, 1},   {64, 64, 56, 3, 1, 1},
                          {64, 256, 56, 1, 1, 1},   {256, 64, 56, 1, 1, 1},  {128, 128, 28, 3, 1, 1},
                          {512, 128, 28, 1, 1, 1},  {256, 512, 56, 1, 2, 1}, {256, 256, 14, 3, 1, 1},
                          {1024, 256, 14, 1, 1, 1}, {512, 512, 7, 3, 1, 1},  {512, 2048, 7, 1, 1, 1},
                          {128, 128, 28, 3, 1, 128}};
  std::printf("batch %d, %d threads: milliseconds (GFLOP/s)\n", static_cast<int>(batch), num_threads());
  std::printf("%-26s %-13s %16s %16s\n", "layer", "", "own", "oneDNN");
  for (const Layer& layer : layers) {
    const ConvShape s = shape_of(layer, batch);
    std::vector<float> data(static_cast<size_t>(s.data_items()), 0.5f);
    std::vector<float> weight(static_cast<size_t>(s.weight_items()), 0.25f);
    std::vector<float> out(static_cast<size_t>(s.out_items()), 0.5f);
    std::vector<float> data_grad(data.size()), weight_grad(weight.size());
    char name[64];
    std::snprintf(name, sizeof name, "%d->%d %dx%d k%d s%d g%d", static_cast<int>(s.channels),
                  static_cast<int>(s.filters), static_cast<int>(layer.size), static_cast<int>(layer.size),
                  static_cast<int>(layer.kernel), static_cast<int>(layer.stride), static_cast<int>(s.groups));
    for (int pass = 0; pass < 3; ++pass) {
      double best[2] = {};
      for (const bool library : {false, true}) {
        if (library && !path) continue;
        nn_backend::set_onednn_enabled(library);
        best[library] = best_of([&] {
          if (pass == 0) {
            ops::conv::forward(DType::float32, s, data.data(), weight.data(), nullptr, out.data());
          } else if (pass == 1) {
            ops::conv::data_grad(DType::float32, s, out.data(), weight.data(), nullptr, data_grad.data());
          } else {
            ops::conv::weight_grad(DType::float32, s, data.data(), out.data(), weight_grad.data());
          }
        });
      }
      const char* const passes[] = {"forward", "data grad", "weight grad"};
      std::printf("%-26s %-13s", name, passes[pass]);
      for (const double time : best) {
        if (time > 0) std::printf(" %8.3f (%5.0f)", time * 1e3, 2 * s.products() / time * 1e-9);
      }
      std::printf("\n");
    }
  }
  return 0;
}
