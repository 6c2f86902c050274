// Every convolution algorithm against a plain sum in double, in both layouts, with every end.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "base/cpu.h"
#include "base/parallel.h"
#include "check.h"
#include "kernels/convolution/conv_choice.h"
#include "kernels/convolution/conv_plan.h"

namespace {

using namespace mixgrad;
using nn_backend::ConvShape;
using Numbers = std::vector<float>;

Numbers random_numbers(int64_t n, std::mt19937& random) {
  std::normal_distribution<float> normal;
  Numbers values(static_cast<size_t>(n));
  for (float& v : values) v = normal(random);
  return values;
}

ConvShape shape_of(int64_t batch, int64_t channels, int64_t filters, int64_t height, int64_t width,
                   int64_t kernel, int64_t stride, int64_t pad, int64_t dilate = 1, int64_t groups = 1) {
  ConvShape s;
  s.batch = batch, s.channels = channels, s.filters = filters, s.groups = groups;
  s.in[1] = height, s.in[2] = width;
  for (int i = 1; i < 3; ++i) {
    s.kernel[i] = kernel, s.stride[i] = stride, s.pad[i] = pad, s.dilate[i] = dilate;
    s.out[i] = (s.in[i] + 2 * pad - dilate * (kernel - 1) - 1) / stride + 1;
  }
  return s;
}

double activated(const ConvEpilogue& end, double x) {
  const double low = static_cast<double>(end.low), high = static_cast<double>(end.high);
  switch (end.activation) {
    case ConvActivation::none: return x;
    case ConvActivation::clamp: return std::min(std::max(x, low), high);
    case ConvActivation::leaky: return x > 0 ? x : low * x;
    case ConvActivation::sigmoid: return 1 / (1 + std::exp(-x));
    case ConvActivation::hard_sigmoid: return std::min(std::max(low * x + high, 0.0), 1.0);
    case ConvActivation::silu: return x / (1 + std::exp(-x));
    case ConvActivation::hard_swish: return x * std::min(std::max(x + 3, 0.0), 6.0) / 6;
    case ConvActivation::tanh: return std::tanh(x);
  }
  return x;
}

struct Inputs {
  Numbers data, weight, scale, bias, residual;
};

Inputs inputs_of(const ConvShape& s, std::mt19937& random) {
  Inputs in = {random_numbers(s.data_items(), random), random_numbers(s.weight_items(), random),
               random_numbers(s.filters, random), random_numbers(s.filters, random),
               random_numbers(s.out_items(), random)};
  // Outputs of about one, so that activations bend.
  const float by = 1 / std::sqrt(static_cast<float>(s.channels / s.groups * s.kernel_size()));
  for (float& w : in.weight) w *= by;
  return in;
}

struct Expected {
  std::vector<double> out;
  double most = 0;  // largest sum before the activation
};

Expected reference(const ConvShape& s, const Inputs& in, const ConvEpilogue& end, bool scaled) {
  Expected expected;
  std::vector<double>& out = expected.out;
  const int64_t per_group = s.channels / s.groups, filters_per_group = s.filters / s.groups;
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t f = 0; f < s.filters; ++f) {
      for (int64_t p = 0; p < s.out_size(); ++p) {
        double sum = 0;
        for (int64_t c = 0; c < per_group; ++c) {
          for (int64_t k = 0; k < s.kernel_size(); ++k) {
            const int64_t h = p / s.out[2] * s.stride[1] + k / s.kernel[2] * s.dilate[1] - s.pad[1];
            const int64_t w = p % s.out[2] * s.stride[2] + k % s.kernel[2] * s.dilate[2] - s.pad[2];
            if (h < 0 || h >= s.in[1] || w < 0 || w >= s.in[2]) continue;
            const int64_t channel = f / filters_per_group * per_group + c;
            sum +=
                static_cast<double>(
                    in.data[static_cast<size_t>(((n * s.channels + channel) * s.in[1] + h) * s.in[2] + w)]) *
                static_cast<double>(
                    in.weight[static_cast<size_t>((f * per_group + c) * s.kernel_size() + k)]);
          }
        }
        if (scaled) sum *= static_cast<double>(in.scale[static_cast<size_t>(f)]);
        if (end.bias) sum += static_cast<double>(in.bias[static_cast<size_t>(f)]);
        if (end.residual) sum += static_cast<double>(in.residual[out.size()]);
        expected.most = std::max(expected.most, std::fabs(sum));
        out.push_back(activated(end, sum));
      }
    }
  }
  return expected;
}

// Largest error against the largest sum. winograd2's is that of a direct sum; winograd4's some four times as large
// (4e-6 with 512 channels, measured by benchmarks/conv_plan_bench.cc).
double tolerance_of(ConvAlgorithm algorithm) { return algorithm == ConvAlgorithm::winograd4 ? 5e-6 : 2e-6; }

Numbers in_layout(ConvLayout layout, const Numbers& plain, int64_t batch, int64_t channels,
                  int64_t positions) {
  if (layout == ConvLayout::plain) return plain;
  Numbers blocked(static_cast<size_t>(conv_image_items(layout, batch, channels, positions)));
  conv_to_blocked(plain.data(), batch, channels, positions, blocked.data());
  return blocked;
}

// Largest error against the largest sum, 0 where the algorithm does not serve, huge when it wrote past a buffer.
double run_error(const ConvProblem& problem, ConvAlgorithm algorithm, const Inputs& in, ConvEpilogue end,
                 bool scaled, bool in_place, const Expected& expected) {
  const auto plan = ConvPlan::make(problem, algorithm);
  if (!plan) return 0;
  const ConvShape& s = problem.shape;
  constexpr size_t kGuard = 16;
  constexpr float kMark = 12345;
  const auto guarded = [&](int64_t n) {
    // Quiet NaNs inside: whatever is read before it is written shows.
    Numbers v(static_cast<size_t>(n) + kGuard, std::numeric_limits<float>::quiet_NaN());
    std::fill(v.end() - kGuard, v.end(), kMark);
    return v;
  };
  const Numbers data = in_layout(problem.data, in.data, s.batch, s.channels, s.in_size());
  const Numbers residual = in_layout(problem.out, in.residual, s.batch, s.filters, s.out_size());
  Numbers prepared = guarded(plan->weight_items()), scratch = guarded(plan->scratch_items());
  Numbers out = guarded(conv_image_items(problem.out, s.batch, s.filters, s.out_size()));
  plan->prepare(in.weight.data(), scaled ? in.scale.data() : nullptr, prepared.data());
  if (end.bias) end.bias = in.bias.data();
  if (end.residual && in_place) {
    std::copy(residual.begin(), residual.end(), out.begin());
    end.residual = out.data();
  } else if (end.residual) {
    end.residual = residual.data();
  }
  plan->run(data.data(), prepared.data(), end, out.data(), scratch.data());
  for (const Numbers* v : {&prepared, &scratch, &out}) {
    if (std::count(v->end() - kGuard, v->end(), kMark) != static_cast<int64_t>(kGuard)) return 1e30;
  }
  Numbers plain(out.begin(), out.begin() + s.out_items());
  if (problem.out == ConvLayout::blocked)
    conv_to_plain(out.data(), s.batch, s.filters, s.out_size(), plain.data());
  double error = 0;
  for (size_t i = 0; i < expected.out.size(); ++i) {
    const double here = std::fabs(static_cast<double>(plain[i]) - expected.out[i]);
    error = here <= error ? error : here;  // keeps a NaN
  }
  return error / std::max(expected.most, 1e-30);
}

void check_shape(const ConvShape& s, const ConvEpilogue& end, bool scaled, bool in_place,
                 std::mt19937& random) {
  const Inputs in = inputs_of(s, random);
  const Expected expected = reference(s, in, end, scaled);
  bool served = false;
  for (int layouts = 0; layouts < 4; ++layouts) {
    for (const int threads : {1, 2, 3}) {
      ConvProblem problem;
      problem.shape = s;
      problem.data = layouts & 1 ? ConvLayout::blocked : ConvLayout::plain;
      problem.out = layouts & 2 ? ConvLayout::blocked : ConvLayout::plain;
      problem.threads = threads;
      for (int i = 0; i < kConvAlgorithms; ++i) {
        const ConvAlgorithm algorithm = static_cast<ConvAlgorithm>(i);
        served = served || ConvPlan::make(problem, algorithm);
        const double error = run_error(problem, algorithm, in, end, scaled, in_place, expected);
        if (!(error <= tolerance_of(algorithm))) {
          check::fail(__FILE__, __LINE__,
                      text(conv_describe(problem), " by ", name_of(algorithm), ": error ", error));
        }
      }
    }
  }
  CHECK(served);
}

ConvEpilogue end_of(bool bias, bool residual, ConvActivation activation, float low = 0, float high = 0) {
  static const float present = 0;  // replaced by the case's own numbers
  ConvEpilogue end;
  end.bias = bias ? &present : nullptr;
  end.residual = residual ? &present : nullptr;
  end.activation = activation;
  end.low = low, end.high = high;
  return end;
}

void for_isas(const std::function<void()>& run) {
  const Isa best = best_isa();
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
    if (isa > best) continue;
    set_isa(isa);
    run();
  }
  set_isa(best);
}

}  // namespace

TEST(conv_plans_sum_every_window) {
  const TeamScope team(true);
  for_isas([] {
    std::mt19937 random(7);
    const ConvEpilogue bias = end_of(true, false, ConvActivation::none);
    for (const int64_t pad : {0, 1, 2}) {
      for (const int64_t size : {3, 4, 5, 7, 12, 15})
        check_shape(shape_of(2, 5, 7, size, size + 2, 3, 1, pad), bias, false, false, random);
    }
    for (const int64_t kernel : {1, 2, 3, 5, 7}) {
      for (const int64_t stride : {1, 2, 3}) {
        check_shape(shape_of(2, 19, 33, 11, 9, kernel, stride, kernel / 2), bias, false, false, random);
        check_shape(shape_of(1, 3, 20, 8, 17, kernel, stride, kernel / 2), bias, true, false, random);
        check_shape(shape_of(2, 21, 21, 10, 13, kernel, stride, kernel / 2, 1, 21), bias, true, false,
                    random);
      }
    }
    check_shape(shape_of(1, 17, 18, 12, 11, 3, 1, 2, 2), bias, false, false, random);
    check_shape(shape_of(1, 16, 16, 12, 11, 3, 2, 2, 2, 16), bias, false, false, random);
    check_shape(shape_of(1, 4, 8, 1, 1, 3, 1, 1), bias, false, false, random);
    check_shape(shape_of(1, 1, 1, 1, 1, 1, 1, 0), bias, false, false, random);
    check_shape(shape_of(2, 8, 12, 6, 5, 3, 1, 1, 1, 4), bias, true, false, random);
    check_shape(shape_of(2, 24, 40, 6, 5, 3, 2, 1, 1, 2), bias, true, false, random);
    check_shape(shape_of(1, 64, 32, 7, 9, 3, 1, 1, 1, 2), bias, true, true, random);
    check_shape(shape_of(1, 40, 70, 30, 31, 3, 1, 1), bias, false, false, random);
    check_shape(shape_of(1, 2, 4, 9, 130, 1, 1, 0), bias, false, false, random);
    // Threads share filters and pixels, because the groups of filters do not come out even.
    check_shape(shape_of(1, 96, 80, 7, 7, 1, 1, 0), bias, true, false, random);
    check_shape(shape_of(2, 48, 33, 5, 4, 3, 1, 1), bias, true, false, random);
    check_shape(shape_of(1, 64, 70, 1, 1, 1, 1, 0), bias, true, false, random);
  });
}

TEST(conv_plans_reach_over_wide_padding) {
  const TeamScope team(true);
  std::mt19937 random(8);
  const ConvEpilogue none = end_of(false, false, ConvActivation::none);
  ConvShape s = shape_of(1, 6, 9, 2, 3, 3, 1, 5);
  check_shape(s, none, false, false, random);
  s = shape_of(1, 18, 18, 2, 3, 3, 2, 4, 1, 18);
  check_shape(s, none, false, false, random);
  ConvShape line = shape_of(2, 6, 9, 1, 23, 3, 1, 1);
  line.kernel[1] = 1, line.pad[1] = 0, line.out[1] = 1;
  check_shape(line, none, false, false, random);
  ConvShape uneven = shape_of(1, 6, 9, 9, 8, 3, 1, 0);
  uneven.pad[2] = 2, uneven.out[2] = 10, uneven.stride[1] = 2, uneven.out[1] = 4;
  check_shape(uneven, none, false, false, random);
}

TEST(conv_plans_end_in_place) {
  const TeamScope team(true);
  for_isas([] {
    std::mt19937 random(9);
    const ConvShape shapes[] = {shape_of(1, 20, 40, 9, 10, 3, 1, 1), shape_of(2, 20, 40, 9, 10, 1, 1, 0),
                                shape_of(1, 24, 24, 9, 10, 3, 1, 1, 1, 24),
                                shape_of(1, 8, 8, 6, 6, 3, 1, 1, 1, 2)};
    for (const ConvShape& s : shapes) {
      for (const bool residual : {false, true}) {
        const ConvEpilogue ends[] = {end_of(true, residual, ConvActivation::none),
                                     end_of(true, residual, ConvActivation::clamp, 0, 6),
                                     end_of(false, residual, ConvActivation::clamp, -0.5f, 0.5f),
                                     end_of(true, residual, ConvActivation::leaky, 0.25f),
                                     end_of(true, residual, ConvActivation::sigmoid),
                                     end_of(true, residual, ConvActivation::hard_sigmoid, 0.2f, 0.5f),
                                     end_of(true, residual, ConvActivation::silu),
                                     end_of(true, residual, ConvActivation::hard_swish),
                                     end_of(true, residual, ConvActivation::tanh)};
        for (const ConvEpilogue& end : ends) check_shape(s, end, true, residual, random);
        check_shape(s, ends[1], false, false, random);
      }
    }
  });
}

TEST(conv_layouts_turn_back) {
  const TeamScope team(true);
  std::mt19937 random(10);
  for (const int64_t channels : {1, 15, 16, 17, 48}) {
    for (const int64_t positions : {1, 3, 64, 5000}) {
      const Numbers plain = random_numbers(2 * channels * positions, random);
      const Numbers blocked = in_layout(ConvLayout::blocked, plain, 2, channels, positions);
      Numbers back(plain.size());
      conv_to_plain(blocked.data(), 2, channels, positions, back.data());
      CHECK(plain == back);
    }
  }
}

TEST(conv_choice_follows_force_table_and_rule) {
  ConvProblem problem;
  problem.shape = shape_of(1, 64, 64, 56, 56, 3, 1, 1);
  problem.threads = 2;
  conv_clear_table();
  const ConvAlgorithm by_rule = conv_algorithm(problem);
  CHECK(by_rule == ConvAlgorithm::winograd4);
  conv_record(problem, ConvAlgorithm::direct);
  CHECK(conv_algorithm(problem) == ConvAlgorithm::direct);
  const std::string table = conv_table();
  conv_clear_table();
  CHECK(conv_algorithm(problem) == by_rule);
  conv_read_table("# measured\n\n" + table);
  CHECK(conv_algorithm(problem) == ConvAlgorithm::direct);
  conv_force(ConvAlgorithm::winograd2);
  CHECK(conv_algorithm(problem) == ConvAlgorithm::winograd2);
  conv_force(ConvAlgorithm::depthwise);  // does not serve
  CHECK(conv_algorithm(problem) == ConvAlgorithm::direct);
  conv_force(ConvAlgorithm::automatic);
  CHECK_THROWS(conv_read_table("something"), format, "line 1");
  CHECK_THROWS(conv_read_table("\nsomething fast"), format, "line 2");
  CHECK_THROWS(conv_algorithm_named("fast"), invalid_argument, "winograd4");
  const TeamScope team(true);
  problem.shape = shape_of(1, 8, 8, 8, 8, 3, 1, 1);
  const ConvAlgorithm measured = conv_measure(problem, 0.001);
  CHECK(conv_algorithm(problem) == measured);
  conv_clear_table();
}
