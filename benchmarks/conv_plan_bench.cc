// Prepared convolutions in blocked layouts, bias and relu included: our plans against oneDNN's primitives with weights
// and images in the layouts it prefers.
//
// usage: conv_plan_bench [threads] [rounds] [layers whose name contains this]
// A line per layer: median time of a run with quartiles, ours ("pool") and oneDNN's ("peer"), both in GFLOP/s of the
// direct sum, and the algorithm. The peer is measured where its headers are: pip install onednn-devel-cpu-gomp.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "kernels/convolution/conv_choice.h"
#include "kernels/scratch.h"

#if BENCH_ONEDNN
#include <dnnl.hpp>
#endif

namespace {

using namespace mixgrad;
using nn_backend::ConvShape;

struct Layer {
  const char* name;
  int64_t channels, filters, size, kernel, stride;
  bool depthwise;
};

const Layer kLayers[] = {{"vgg conv1_1", 3, 64, 224, 3, 1, false},
                         {"vgg conv1_2", 64, 64, 224, 3, 1, false},
                         {"vgg conv2_1", 64, 128, 112, 3, 1, false},
                         {"vgg conv2_2", 128, 128, 112, 3, 1, false},
                         {"vgg conv3_1", 128, 256, 56, 3, 1, false},
                         {"vgg conv3_2", 256, 256, 56, 3, 1, false},
                         {"vgg conv4_1", 256, 512, 28, 3, 1, false},
                         {"vgg conv4_2", 512, 512, 28, 3, 1, false},
                         {"vgg conv5", 512, 512, 14, 3, 1, false},
                         {"resnet conv1", 3, 64, 224, 7, 2, false},
                         {"resnet 3x3 of 64", 64, 64, 56, 3, 1, false},
                         {"resnet 3x3 of 128", 128, 128, 28, 3, 1, false},
                         {"resnet 3x3 of 256", 256, 256, 14, 3, 1, false},
                         {"resnet 3x3 of 512", 512, 512, 7, 3, 1, false},
                         {"resnet 3x3 of 128 by 2", 128, 128, 56, 3, 2, false},
                         {"resnet 1x1 of 256 to 64", 256, 64, 56, 1, 1, false},
                         {"resnet 1x1 of 1024 to 256", 1024, 256, 14, 1, 1, false},
                         {"mobilenet depthwise 32 at 112", 32, 32, 112, 3, 1, true},
                         {"mobilenet depthwise 96 at 112 by 2", 96, 96, 112, 3, 2, true},
                         {"mobilenet depthwise 144 at 56", 144, 144, 56, 3, 1, true},
                         {"mobilenet depthwise 144 at 56 by 2", 144, 144, 56, 3, 2, true},
                         {"mobilenet depthwise 192 at 28", 192, 192, 28, 3, 1, true},
                         {"mobilenet depthwise 192 at 28 by 2", 192, 192, 28, 3, 2, true},
                         {"mobilenet depthwise 384 at 14", 384, 384, 14, 3, 1, true},
                         {"mobilenet depthwise 576 at 14", 576, 576, 14, 3, 1, true},
                         {"mobilenet depthwise 576 at 14 by 2", 576, 576, 14, 3, 2, true},
                         {"mobilenet depthwise 960 at 7", 960, 960, 7, 3, 1, true},
                         {"depthwise 5x5 144 at 56", 144, 144, 56, 5, 1, true},
                         {"mobilenet 1x1 16 to 96 at 112", 16, 96, 112, 1, 1, false},
                         {"mobilenet 1x1 144 to 24 at 56", 144, 24, 56, 1, 1, false},
                         {"mobilenet 1x1 384 to 64 at 14", 384, 64, 14, 1, 1, false},
                         {"mobilenet 1x1 160 to 960 at 7", 160, 960, 7, 1, 1, false}};

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ConvProblem problem_of(const Layer& layer) {
  ConvProblem p;
  ConvShape& s = p.shape;
  s.batch = 1;
  s.channels = layer.channels, s.filters = layer.filters;
  s.groups = layer.depthwise ? layer.channels : 1;
  for (int i = 1; i < 3; ++i) {
    s.in[i] = layer.size, s.kernel[i] = layer.kernel, s.stride[i] = layer.stride, s.pad[i] = layer.kernel / 2;
    s.out[i] = (layer.size + 2 * s.pad[i] - layer.kernel) / layer.stride + 1;
  }
  p.threads = num_threads();
  // The first layer of a network sees a plain image.
  p.data = layer.channels < 8 ? ConvLayout::plain : ConvLayout::blocked;
  p.out = ConvLayout::blocked;
  return p;
}

// Buffers live as long as the call.
std::function<void()> own_call(const ConvProblem& problem, std::string* algorithm) {
  struct State {
    std::unique_ptr<ConvPlan> plan;
    Scratch data, out, prepared, scratch;
    std::vector<float> bias;
  };
  const ConvShape& s = problem.shape;
  auto state = std::make_shared<State>();
  state->plan = ConvPlan::make(problem);
  const int64_t data_items = conv_image_items(problem.data, s.batch, s.channels, s.in_size());
  state->data = Scratch::of<float>(data_items);
  state->out = Scratch::of<float>(conv_image_items(problem.out, s.batch, s.filters, s.out_size()));
  state->prepared = Scratch::of<float>(state->plan->weight_items());
  state->scratch = Scratch::of<float>(state->plan->scratch_items());
  state->bias.assign(static_cast<size_t>(s.filters), 0.5f);
  std::fill_n(state->data.as<float>(), data_items, 0.5f);
  const std::vector<float> weight(static_cast<size_t>(s.weight_items()), 0.01f);
  state->plan->prepare(weight.data(), nullptr, state->prepared.as<float>());
  *algorithm = name_of(state->plan->algorithm());
  return [state] {
    ConvEpilogue end;
    end.bias = state->bias.data();
    end.activation = ConvActivation::clamp;
    end.high = 6;
    state->plan->run(state->data.as<float>(), state->prepared.as<float>(), end, state->out.as<float>(),
                     state->scratch.as<float>());
  };
}

#if BENCH_ONEDNN
std::function<void()> library_call(const ConvProblem& problem) {
  using dnnl::memory;
  const ConvShape& s = problem.shape;
  const auto f32 = memory::data_type::f32;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  const auto any = memory::format_tag::any;
  const bool grouped = s.groups > 1;
  const memory::desc data({s.batch, s.channels, s.in[1], s.in[2]}, f32,
                          s.channels < 8 ? memory::format_tag::nchw : any);
  const memory::desc out({s.batch, s.filters, s.out[1], s.out[2]}, f32, any);
  const memory::desc bias({s.filters}, f32, memory::format_tag::a);
  const memory::desc weight(
      grouped ? memory::dims{s.groups, s.filters / s.groups, s.channels / s.groups, s.kernel[1], s.kernel[2]}
              : memory::dims{s.filters, s.channels, s.kernel[1], s.kernel[2]},
      f32, any);
  dnnl::post_ops ops;
  ops.append_eltwise(dnnl::algorithm::eltwise_clip, 0, 6);
  dnnl::primitive_attr attr;
  attr.set_post_ops(ops);
  const dnnl::convolution_forward::primitive_desc desc(
      engine, dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, data, weight, bias,
      out, {s.stride[1], s.stride[2]}, {s.pad[1], s.pad[2]}, {s.pad[1], s.pad[2]}, attr);
  struct State {
    dnnl::stream stream;
    dnnl::convolution_forward run;
    std::unordered_map<int, memory> args;
  };
  auto state = std::make_shared<State>();
  state->stream = dnnl::stream(engine);
  state->run = dnnl::convolution_forward(desc);
  const std::pair<int, memory::desc> operands[] = {{DNNL_ARG_SRC, desc.src_desc()},
                                                   {DNNL_ARG_WEIGHTS, desc.weights_desc()},
                                                   {DNNL_ARG_BIAS, bias},
                                                   {DNNL_ARG_DST, desc.dst_desc()}};
  for (const auto& [name, operand] : operands) {
    memory held(operand, engine);
    std::fill_n(static_cast<float*>(held.get_data_handle()), operand.get_size() / sizeof(float), 0.01f);
    state->args.emplace(name, held);
  }
  return [state] {
    state->run.execute(state->stream, state->args);
    state->stream.wait();
  };
}
#else
std::function<void()> library_call(const ConvProblem&) { return nullptr; }
#endif

// Seconds of one run, over about 20 ms.
double sample(const std::function<void()>& call, int repeats) {
  const double start = seconds();
  for (int i = 0; i < repeats; ++i) call();
  return (seconds() - start) / repeats;
}

struct Spread {
  double low, median, high;
};

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return {values[n / 4], values[n / 2], values[std::min(n - 1, 3 * n / 4)]};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) set_num_threads(std::atoi(argv[1]));
  const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 5;
  const char* part = argc > 3 ? argv[3] : "";
  const TeamScope team(true);
  for (const Layer& layer : kLayers) {
    if (!std::strstr(layer.name, part)) continue;
    const ConvProblem problem = problem_of(layer);
    std::string algorithm;
    const std::function<void()> calls[2] = {own_call(problem, &algorithm), library_call(problem)};
    std::vector<double> times[2];
    for (int round = -1; round < rounds; ++round) {
      for (int i = 0; i < 2; ++i) {
        if (!calls[i]) continue;
        // Threads of the other one's team look for work for some milliseconds after their last loop.
        for (const double start = seconds(); seconds() - start < 0.02;) calls[i]();
        const int repeats = std::max(1, static_cast<int>(0.02 / std::max(1e-7, sample(calls[i], 1))));
        const double time = sample(calls[i], repeats);
        if (round >= 0) times[i].push_back(time);
      }
    }
    const Spread own = spread_of(times[0]);
    const double flops = 2 * problem.shape.products() * 1e-9;
    std::printf("%s; peer: oneDNN  pool %.0f ns [%.0f, %.0f]", layer.name, own.median * 1e9, own.low * 1e9,
                own.high * 1e9);
    if (!times[1].empty()) {
      const Spread peer = spread_of(times[1]);
      std::printf("  peer %.0f ns [%.0f, %.0f]  ratio %.2f  GFLOP/s %.0f and %.0f", peer.median * 1e9,
                  peer.low * 1e9, peer.high * 1e9, peer.median / own.median, flops / own.median,
                  flops / peer.median);
    } else {
      std::printf("  GFLOP/s %.0f", flops / own.median);
    }
    std::printf("  %s\n", algorithm.c_str());
    std::fflush(stdout);
  }
  return 0;
}
