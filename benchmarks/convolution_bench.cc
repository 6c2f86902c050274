// Convolutions of ResNet-50, MobileNet, VGG-16 and ResNeXt-50: our own kernels against oneDNN's, forward and both gradients.
//
// usage: [MIXGRAD_ONEDNN=path of libdnnl.so.3] convolution_bench [batch] [threads] [plain]
// Images lie in blocks of 16 channels, as training graphs keep them, where their channels allow it. Prints milliseconds of
// processor time and GFLOP/s of it, medians of rounds in turn.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "base/parallel.h"
#include "kernels/backend/nn_library.h"
#include "ops/nn/conv.h"

namespace {

using namespace mixgrad;
using nn_backend::ConvShape;

struct Layer {
  int64_t channels, filters, size, kernel, stride, groups;
};

// Of the whole process.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

ConvShape shape_of(const Layer& layer, int64_t batch, bool plain) {
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
  s.data_blocked = !plain && s.channels % 16 == 0;
  s.out_blocked = !plain && s.filters % 16 == 0;
  return s;
}

// Of `run` without and with the library, if there is one, by turns.
template <class Run>
void medians(const Run& run, bool has_library, double* result) {
  constexpr int kRounds = 5;
  std::vector<double> times[2];
  for (int round = -1; round < kRounds; ++round) {
    for (const bool library : {false, true}) {
      if (library && !has_library) continue;
      nn_backend::set_onednn_enabled(library);
      const double start = seconds();
      run();
      if (round >= 0) times[library].push_back(seconds() - start);
    }
  }
  for (int i = 0; i < 1 + has_library; ++i) {
    std::sort(times[i].begin(), times[i].end());
    result[i] = times[i][kRounds / 2];
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int64_t batch = argc > 1 ? std::atoi(argv[1]) : 1;
  if (argc > 2) set_num_threads(std::atoi(argv[2]));
  const char* const path = std::getenv("MIXGRAD_ONEDNN");
  if (path) nn_backend::load_onednn(path);
  const TeamScope team(true);
  const bool plain = argc > 3;
  const Layer layers[] = {{3, 64, 224, 7, 2, 1},     {3, 64, 224, 3, 1, 1},    {64, 64, 56, 1, 1, 1},
                          {64, 64, 56, 3, 1, 1},     {256, 64, 56, 1, 1, 1},   {128, 128, 56, 3, 2, 1},
                          {256, 512, 56, 1, 2, 1},   {128, 128, 28, 3, 1, 1},  {256, 256, 28, 3, 2, 1},
                          {256, 256, 14, 3, 1, 1},   {512, 512, 14, 3, 2, 1},  {1024, 256, 14, 1, 1, 1},
                          {512, 512, 7, 3, 1, 1},    {64, 192, 27, 5, 1, 1},   {96, 96, 112, 3, 2, 96},
                          {192, 192, 28, 3, 1, 192}, {128, 128, 56, 3, 1, 32}, {512, 512, 14, 3, 1, 32}};
  std::printf("batch %d, %d threads: milliseconds (GFLOP/s)\n", static_cast<int>(batch), num_threads());
  std::printf("%-26s %-13s %16s %16s\n", "layer", "", "own", "oneDNN");
  for (const Layer& layer : layers) {
    const ConvShape s = shape_of(layer, batch, plain);
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
      medians(
          [&] {
            if (pass == 0) {
              ops::conv::forward(DType::float32, s, data.data(), weight.data(), nullptr, out.data());
            } else if (pass == 1) {
              ops::conv::data_grad(DType::float32, s, out.data(), weight.data(), nullptr, data_grad.data());
            } else {
              ops::conv::weight_grad(DType::float32, s, data.data(), out.data(), weight_grad.data());
            }
          },
          path != nullptr, best);
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
