// Convolutions and products by our own kernels and by the built-in library, against one another.
#include <cmath>
#include <random>
#include <vector>

#include "base/parallel.h"
#include "check.h"
#include "op/convert.h"
#include "ops/conv.h"

namespace {

using namespace mixgrad;
using nn_backend::ConvShape;

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
    nn_backend::set_onednn_enabled(library);
    ops::conv::forward(dtype, s, data.data(), weight.data(), bias.data(), out[library].data());
    ops::conv::data_grad(dtype, s, grad.data(), weight.data(), start.data(), data_grad[library].data());
    ops::conv::weight_grad(dtype, s, data.data(), grad.data(), weight_grad[library].data());
  }
  nn_backend::set_onednn_enabled(true);
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
        nn_backend::set_onednn_enabled(library);
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
  nn_backend::set_onednn_enabled(true);
}
