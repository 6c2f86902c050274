// Convolutions and products by our own kernels and by oneDNN, against one another, where MIXGRAD_ONEDNN names its library.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include "base/cpu.h"
#include "base/parallel.h"
#include "check.h"
#include "kernels/backend/nn_library.h"
#include "kernels/convolution/conv_plan.h"
#include "kernels/loops/convert.h"
#include "ops/nn/conv.h"

namespace {

using namespace mixgrad;
using nn_backend::ConvShape;

void use_library(bool use) {
  static const bool loaded = [] {
    const char* const path = std::getenv("MIXGRAD_ONEDNN");
    if (path) nn_backend::load_onednn(path);
    return path != nullptr;
  }();
  nn_backend::set_onednn_enabled(use && loaded);
}

std::vector<char> random_array(DType dtype, int64_t n, std::mt19937& random) {
  std::vector<float> values(static_cast<size_t>(n) + 1);
  for (float& v : values) v = static_cast<float>(static_cast<int>(random() % 17) - 8) / 8;
  std::vector<char> out(values.size() * size_of(dtype));
  convert(values.data(), DType::float32, out.data(), dtype, n);
  return out;
}

bool near(DType dtype, const std::vector<char>& a, const std::vector<char>& b, int64_t n) {
  std::vector<double> x(static_cast<size_t>(n)), y(x.size());
  convert(a.data(), dtype, x.data(), DType::float64, n);
  convert(b.data(), dtype, y.data(), DType::float64, n);
  const double tolerance = is_half(dtype) ? 2e-2 : 2e-4;
  for (size_t i = 0; i < x.size(); ++i) {
    if (!(std::fabs(x[i] - y[i]) <= tolerance * (1 + std::fabs(x[i])))) return false;
  }
  return true;
}

// Shapes that exercise one thing each; out follows from the rest.
std::vector<ConvShape> shapes() {
  std::vector<ConvShape> all;
  for (const bool last : {false, true}) {
    for (int kind = 0; kind < 7; ++kind) {
      ConvShape s;
      s.batch = 2, s.channels = 16, s.filters = 24;
      s.in[1] = 13, s.in[2] = 17;
      s.kernel[1] = s.kernel[2] = 3;
      s.pad[1] = s.pad[2] = 1;
      s.channels_last = last;
      if (kind == 1) s.stride[1] = 2, s.stride[2] = 3;
      if (kind == 2) s.dilate[1] = 2, s.dilate[2] = 2;
      if (kind == 3) s.groups = 4;
      if (kind == 4) s.kernel[1] = s.kernel[2] = 1, s.pad[1] = s.pad[2] = 0;
      if (kind == 5) s.in[0] = 5, s.kernel[0] = 2, s.filters = 8;
      if (kind == 6) s.groups = s.filters = 16, s.in[1] = 30;
      for (int i = 0; i < 3; ++i) {
        s.out[i] = (s.in[i] + 2 * s.pad[i] - s.dilate[i] * (s.kernel[i] - 1) - 1) / s.stride[i] + 1;
      }
      all.push_back(s);
    }
  }
  // Too large to be taken at once: parts of the batch.
  ConvShape large = all[0];
  large.batch = 5, large.in[1] = large.out[1] = 160, large.in[2] = large.out[2] = 170;
  all.push_back(large);
  return all;
}

void compare_paths(DType dtype, const ConvShape& s, std::mt19937& random) {
  const std::vector<char> data = random_array(dtype, s.data_items(), random);
  const std::vector<char> weight = random_array(dtype, s.weight_items(), random);
  const std::vector<char> bias = random_array(dtype, s.filters, random);
  const std::vector<char> start = random_array(dtype, s.channels, random);
  const std::vector<char> grad = random_array(dtype, s.out_items(), random);
  std::vector<char> out[2] = {grad, grad}, data_grad[2] = {data, data}, weight_grad[2] = {weight, weight};
  for (const bool library : {false, true}) {
    use_library(library);
    ops::conv::forward(dtype, s, data.data(), weight.data(), bias.data(), out[library].data());
    ops::conv::data_grad(dtype, s, grad.data(), weight.data(), start.data(), data_grad[library].data());
    ops::conv::weight_grad(dtype, s, data.data(), grad.data(), weight_grad[library].data());
  }
  use_library(false);
  CHECK(near(dtype, out[0], out[1], s.out_items()));
  CHECK(near(dtype, data_grad[0], data_grad[1], s.data_items()));
  CHECK(near(dtype, weight_grad[0], weight_grad[1], s.weight_items()));
}

}  // namespace

TEST(convolution_paths_agree) {
  std::mt19937 random(3);
  for (const bool team : {false, true}) {
    const TeamScope scope(team);
    for (const ConvShape& s : shapes()) {
      for (const DType dtype : {DType::float32, DType::float64, DType::bfloat16, DType::float16}) {
        compare_paths(dtype, s, random);
      }
    }
  }
}

// Shapes at random, floats against doubles, which take another way.
TEST(convolutions_of_random_shapes_agree_with_double) {
  const TeamScope team(true);
  std::mt19937 random(5);
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint32_t>(n)); };
  for (int round = 0; round < 300; ++round) {
    ConvShape s;
    s.batch = 1 + below(3);
    s.channels = 1 + below(20);
    s.filters = 1 + below(40);
    if (round % 2 == 0) s.groups = s.filters = s.channels;
    for (int i = 1; i < 3; ++i) {
      s.kernel[i] = round % 3 ? 3 : 1 + below(5);
      s.stride[i] = round % 3 == 1 ? 1 : 1 + below(3);
      s.dilate[i] = 1 + below(8) / 6;
      s.pad[i] = below(s.kernel[i] + 1);
      const int64_t covered = s.dilate[i] * (s.kernel[i] - 1) + 1;
      s.in[i] = std::max<int64_t>(1, covered - 2 * s.pad[i]) + below(30);
      s.out[i] = (s.in[i] + 2 * s.pad[i] - covered) / s.stride[i] + 1;
    }
    const std::vector<char> data = random_array(DType::float64, s.data_items(), random);
    const std::vector<char> weight = random_array(DType::float64, s.weight_items(), random);
    const std::vector<char> bias = random_array(DType::float64, s.filters, random);
    const std::vector<char> start = random_array(DType::float64, s.channels, random);
    const std::vector<char> grad = random_array(DType::float64, s.out_items(), random);
    const auto narrow = [](const std::vector<char>& wide, int64_t n) {
      std::vector<char> floats(static_cast<size_t>(n) * sizeof(float) + 1);
      convert(wide.data(), DType::float64, floats.data(), DType::float32, n);
      return floats;
    };
    const std::vector<char> data32 = narrow(data, s.data_items()),
                            weight32 = narrow(weight, s.weight_items());
    const std::vector<char> bias32 = narrow(bias, s.filters), start32 = narrow(start, s.channels);
    const std::vector<char> grad32 = narrow(grad, s.out_items());
    std::vector<char> out = grad, data_grad = data, weight_grad = weight;
    ops::conv::forward(DType::float64, s, data.data(), weight.data(), bias.data(), out.data());
    ops::conv::data_grad(DType::float64, s, grad.data(), weight.data(), start.data(), data_grad.data());
    ops::conv::weight_grad(DType::float64, s, data.data(), grad.data(), weight_grad.data());
    for (const bool library : {false, true}) {
      use_library(library);
      std::vector<char> out32 = grad32, data_grad32 = data32, weight_grad32 = weight32;
      ops::conv::forward(DType::float32, s, data32.data(), weight32.data(), bias32.data(), out32.data());
      ops::conv::data_grad(DType::float32, s, grad32.data(), weight32.data(), start32.data(),
                           data_grad32.data());
      ops::conv::weight_grad(DType::float32, s, data32.data(), grad32.data(), weight_grad32.data());
      CHECK(near(DType::float32, out32, narrow(out, s.out_items()), s.out_items()));
      CHECK(near(DType::float32, data_grad32, narrow(data_grad, s.data_items()), s.data_items()));
      CHECK(near(DType::float32, weight_grad32, narrow(weight_grad, s.weight_items()), s.weight_items()));
    }
    use_library(false);
  }
}

TEST(matrix_product_paths_agree) {
  const TeamScope scope(true);
  std::mt19937 random(4);
  for (int flags = 0; flags < 8; ++flags) {
    const bool ta = flags & 1, tb = flags & 2, with_bias = flags & 4;
    const int64_t m = 130, n = 110, k = 120;
    for (const DType dtype : {DType::float32, DType::bfloat16}) {
      const std::vector<char> a = random_array(dtype, m * k, random), b = random_array(dtype, n * k, random);
      const std::vector<char> bias = random_array(dtype, n, random);
      std::vector<char> c[2] = {random_array(dtype, m * n, random), random_array(dtype, m * n, random)};
      for (const bool library : {false, true}) {
        use_library(library);
        Gemm g;
        g.m = m, g.n = n, g.k = k;
        g.a = a.data(), g.lda = ta ? m : k, g.transpose_a = ta;
        g.b = b.data(), g.ldb = tb ? k : n, g.transpose_b = tb;
        g.c = c[library].data(), g.ldc = n;
        if (with_bias) g.bias = bias.data();
        nn_backend::matrix_product(dtype, g);
      }
      CHECK(near(dtype, c[0], c[1], m * n));
    }
  }
  use_library(false);
}

// Blocked images, whose gradients have loops of their own, against doubles; and equal bits with one and with three threads.
TEST(gradients_of_blocked_images_agree_with_double) {
  std::mt19937 random(9);
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint32_t>(n)); };
  const int threads = num_threads();
  const Isa best = best_isa();
  use_library(false);
  for (int round = 0; round < 90; ++round) {
    set_isa(static_cast<Isa>(std::min<int>(static_cast<int>(best), 2 - round % 3)));
    ConvShape s;
    s.batch = 1 + below(3);
    s.channels = 16 * (1 + below(4)), s.filters = 16 * (1 + below(4));
    if (round % 4 == 1) s.groups = s.filters = s.channels;
    if (round % 4 == 2) s.groups = 2, s.channels = s.filters = 32 * (1 + below(2));
    for (int i = 1; i < 3; ++i) {
      s.kernel[i] = 1 + below(5);
      s.stride[i] = 1 + below(3);
      s.dilate[i] = 1 + below(8) / 7;
      s.pad[i] = below(s.kernel[i] + 1);
      const int64_t covered = s.dilate[i] * (s.kernel[i] - 1) + 1;
      s.in[i] = std::max<int64_t>(1, covered - 2 * s.pad[i]) + below(30);
      s.out[i] = (s.in[i] + 2 * s.pad[i] - covered) / s.stride[i] + 1;
    }
    const std::vector<char> data = random_array(DType::float32, s.data_items(), random);
    const std::vector<char> weight = random_array(DType::float32, s.weight_items(), random);
    const std::vector<char> grad = random_array(DType::float32, s.out_items(), random);
    const auto wide = [](const std::vector<char>& floats, int64_t n) {
      std::vector<char> doubles(static_cast<size_t>(n) * sizeof(double) + 1);
      convert(floats.data(), DType::float32, doubles.data(), DType::float64, n);
      return doubles;
    };
    const auto floats = [](const std::vector<char>& bytes) {
      return reinterpret_cast<const float*>(bytes.data());
    };
    std::vector<char> data_grad = wide(data, s.data_items()), weight_grad = wide(weight, s.weight_items());
    ops::conv::data_grad(DType::float64, s, wide(grad, s.out_items()).data(),
                         wide(weight, s.weight_items()).data(), nullptr, data_grad.data());
    ops::conv::weight_grad(DType::float64, s, wide(data, s.data_items()).data(),
                           wide(grad, s.out_items()).data(), weight_grad.data());
    ConvShape blocked = s;
    blocked.data_blocked = blocked.out_blocked = true;
    std::vector<float> x(static_cast<size_t>(s.data_items())), dy(static_cast<size_t>(s.out_items()));
    conv_to_blocked(floats(data), s.batch, s.channels, s.in_size(), x.data());
    conv_to_blocked(floats(grad), s.batch, s.filters, s.out_size(), dy.data());
    std::vector<char> plain[2], weights[2];
    for (const bool team : {false, true}) {
      set_num_threads(3);
      const TeamScope scope(team);
      std::vector<float> dx(x.size(), 7.0f);
      plain[team] = data, weights[team] = weight;
      ops::conv::data_grad(DType::float32, blocked, dy.data(), weight.data(), nullptr, dx.data());
      conv_to_plain(dx.data(), s.batch, s.channels, s.in_size(),
                    reinterpret_cast<float*>(plain[team].data()));
      ops::conv::weight_grad(DType::float32, blocked, x.data(), dy.data(), weights[team].data());
    }
    CHECK(plain[0] == plain[1] && weights[0] == weights[1]);
    CHECK(near(DType::float64, wide(plain[0], s.data_items()), data_grad, s.data_items()));
    CHECK(near(DType::float64, wide(weights[0], s.weight_items()), weight_grad, s.weight_items()));
  }
  use_library(true);
  set_isa(best);
  set_num_threads(threads);
}
