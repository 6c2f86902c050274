// The portable matrix product against a plain triple loop, for every instruction set of this machine.
#include <cmath>
#include <random>
#include <vector>

#include "base/cpu.h"
#include "base/parallel.h"
#include "check.h"
#include "kernels/backend/nn_backend.h"
#include "kernels/gemm/gemm.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/transpose_tile.h"

namespace {

using namespace mixgrad;

struct GemmCase {
  int64_t m, n, k;
  bool ta, tb, accumulate, bias;
};

std::vector<double> random_values(int64_t n, std::mt19937& random) {
  std::vector<double> values(static_cast<size_t>(n));
  for (double& v : values) v = static_cast<double>(static_cast<int>(random() % 17) - 8) / 8;
  return values;
}

std::vector<char> stored(const std::vector<double>& values, DType dtype) {
  std::vector<char> out(values.size() * size_of(dtype) + 1);
  convert(values.data(), DType::float64, out.data(), dtype, static_cast<int64_t>(values.size()));
  return out;
}

void check_gemm(const GemmCase& t, DType dtype, std::mt19937& random) {
  const int64_t pad = 3, lda = (t.ta ? t.m : t.k) + pad, ldb = (t.tb ? t.k : t.n) + pad, ldc = t.n + pad;
  const std::vector<double> a = random_values((t.ta ? t.k : t.m) * lda, random);
  const std::vector<double> b = random_values((t.tb ? t.n : t.k) * ldb, random);
  const std::vector<double> c = random_values(t.m * ldc, random), bias = random_values(t.n, random);
  const std::vector<char> sa = stored(a, dtype), sb = stored(b, dtype), sbias = stored(bias, dtype);
  std::vector<char> sc = stored(c, dtype);
  Gemm g;
  g.m = t.m, g.n = t.n, g.k = t.k;
  g.a = sa.data(), g.lda = lda, g.transpose_a = t.ta;
  g.b = sb.data(), g.ldb = ldb, g.transpose_b = t.tb;
  g.c = sc.data(), g.ldc = ldc, g.accumulate = t.accumulate, g.alpha = t.accumulate ? 0.5 : 1;
  if (t.bias) g.bias = sbias.data();
  gemm(dtype, g);
  std::vector<double> got(c.size());
  convert(sc.data(), dtype, got.data(), DType::float64, static_cast<int64_t>(got.size()));
  const double tolerance = dtype == DType::bfloat16 ? 1e-2 : dtype == DType::float16 ? 1e-3 : 1e-6;
  bool good = true;
  for (int64_t i = 0; i < t.m; ++i) {
    for (int64_t j = 0; j < ldc; ++j) {
      double want = c[static_cast<size_t>(i * ldc + j)];
      if (j < t.n) {
        double sum = 0;
        for (int64_t p = 0; p < t.k; ++p) {
          sum += a[static_cast<size_t>(t.ta ? p * lda + i : i * lda + p)] *
                 b[static_cast<size_t>(t.tb ? j * ldb + p : p * ldb + j)];
        }
        want = sum * g.alpha + (t.accumulate ? want : 0) + (t.bias ? bias[static_cast<size_t>(j)] : 0);
      }
      const double error = std::fabs(got[static_cast<size_t>(i * ldc + j)] - want);
      good = good && error <= tolerance * (1 + std::fabs(want));
    }
  }
  if (!good) {
    std::printf("gemm %s m=%d n=%d k=%d ta=%d tb=%d add=%d bias=%d isa=%s\n", name_of(dtype),
                static_cast<int>(t.m), static_cast<int>(t.n), static_cast<int>(t.k), t.ta, t.tb, t.accumulate,
                t.bias, name_of(best_isa()));
  }
  CHECK(good);
}

}  // namespace

TEST(gemm_matches_triple_loop) {
  const int64_t sizes[][3] = {{1, 1, 1},     {3, 5, 7},    {14, 32, 16}, {15, 33, 17},
                              {1, 300, 70},  {300, 1, 70}, {64, 10, 20}, {7, 200, 300},
                              {90, 70, 513}, {40, 40, 0},  {2, 3, 1000}, {29, 130, 257}};
  const Isa best = best_isa();
  std::mt19937 random(7);
  for (int isa = 0; isa <= static_cast<int>(best); ++isa) {
    set_isa(static_cast<Isa>(isa));
    for (const DType dtype : {DType::float32, DType::float64, DType::float16, DType::bfloat16}) {
      for (const auto& s : sizes) {
        for (int flags = 0; flags < 16; ++flags) {
          check_gemm(
              {s[0], s[1], s[2], (flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0, (flags & 8) != 0},
              dtype, random);
        }
      }
    }
  }
  set_isa(best);
}

// Gradients behind a ReLU: terms with a zero of A are left out, except where B is not finite.
TEST(gemm_leaves_out_zeros) {
  struct Size {
    int64_t m, n, k;
  };
  const Isa best = best_isa();
  const TeamScope team(true);
  std::mt19937 random(11);
  for (int isa = 0; isa <= static_cast<int>(best); ++isa) {
    set_isa(static_cast<Isa>(isa));
    for (const Size& s :
         {Size{512, 784, 64}, {64, 512, 256}, {700, 67, 130}, {33, 1100, 70}, {1, 4000, 300}}) {
      for (int flags = 0; flags < 16; ++flags) {
        const bool ta = (flags & 1) != 0, endless = (flags & 4) != 0, tb = (flags & 8) != 0;
        Gemm g;
        g.m = s.m, g.n = s.n, g.k = s.k, g.transpose_a = ta, g.transpose_b = tb;
        g.accumulate = (flags & 2) != 0;
        g.lda = (ta ? s.m : s.k) + 3, g.ldb = (tb ? s.k : s.n) + 5, g.ldc = s.n + 1;
        std::vector<float> a(static_cast<size_t>((ta ? s.k : s.m) * g.lda)),
            b(static_cast<size_t>((tb ? s.n : s.k) * g.ldb)), c(static_cast<size_t>(s.m * g.ldc));
        for (float& x : a) x = random() % 2 ? 0.0f : static_cast<float>(random() % 17) / 8 - 1;
        for (float& x : b) x = static_cast<float>(random() % 17) / 8 - 1;
        for (float& x : c) x = static_cast<float>(random() % 17) / 8 - 1;
        if (endless) {
          b[static_cast<size_t>(tb ? 3 * g.ldb + s.k - 1 : (s.k - 1) * g.ldb + 3)] = INFINITY;
          b[static_cast<size_t>(tb ? (s.n - 1) * g.ldb + 2 : 2 * g.ldb + s.n - 1)] = NAN;
        }
        const std::vector<float> before = c;
        g.a = a.data(), g.b = b.data(), g.c = c.data();
        std::vector<float> bias(static_cast<size_t>(s.n));
        for (float& x : bias) x = static_cast<float>(random() % 17) / 8 - 1;
        GemmEpilogue end;
        end.run = [](const GemmEpilogue&, float* c, int64_t n) {
          for (int64_t i = 0; i < n; ++i) c[i] += 2;
        };
        if (tb) g.bias = bias.data(), g.end = &end;
        gemm(DType::float32, g);
        bool good = true;
        for (int64_t i = 0; i < s.m; ++i) {
          for (int64_t j = 0; j < g.ldc; ++j) {
            const auto at = static_cast<size_t>(i * g.ldc + j);
            // Sums of eighths of eighths below 2^24 are exact in any order.
            float want = j < s.n && !g.accumulate ? 0 : before[at];
            for (int64_t p = 0; p < s.k && j < s.n; ++p) {
              want += a[static_cast<size_t>(ta ? p * g.lda + i : i * g.lda + p)] *
                      b[static_cast<size_t>(tb ? j * g.ldb + p : p * g.ldb + j)];
            }
            if (tb && j < s.n) want += bias[static_cast<size_t>(j)] + 2;
            good = good && (c[at] == want || (std::isnan(c[at]) && std::isnan(want)));
          }
        }
        CHECK(good);
      }
    }
  }
  set_isa(best);
}

TEST(gemm_blocks_and_threads) {
  const TeamScope team(true);
  std::mt19937 random(8);
  check_gemm({2100, 70, 300, false, false, false, false}, DType::float32, random);
  check_gemm({60, 2100, 300, true, true, true, true}, DType::float32, random);
  check_gemm({200, 210, 600, false, true, false, true}, DType::float64, random);
  check_gemm({1, 2100, 75, true, false, true, true}, DType::float32, random);
}

// Large enough for a library, if one is built in.
TEST(gemm_large_agrees_with_chosen_product) {
  const TeamScope team(true);
  std::mt19937 random(9);
  const int64_t m = 480, n = 500, k = 520, stride = 530;
  const std::vector<char> a = stored(random_values(stride * stride, random), DType::float32);
  const std::vector<char> b = stored(random_values(stride * stride, random), DType::float32);
  const std::vector<char> c = stored(random_values(m * stride, random), DType::float32);
  for (int flags = 0; flags < 8; ++flags) {
    std::vector<char> own = c, chosen = c;
    Gemm g;
    g.m = m, g.n = n, g.k = k;
    g.a = a.data(), g.b = b.data(), g.lda = g.ldb = g.ldc = stride;
    g.transpose_a = (flags & 1) != 0, g.transpose_b = (flags & 2) != 0;
    g.accumulate = (flags & 4) != 0, g.alpha = g.accumulate ? 0.5 : 1;
    g.c = own.data();
    gemm(DType::float32, g);
    g.c = chosen.data();
    nn_backend::matrix_product(DType::float32, g);
    CHECK(own == chosen);  // sums of multiples of 1/128 are exact in any order
  }
}

TEST(transpose_of_any_size) {
  const Isa best = best_isa();
  for (int isa = 0; isa <= static_cast<int>(best); ++isa) {
    set_isa(static_cast<Isa>(isa));
    for (const int64_t rows : {1, 3, 4, 5, 15, 16, 17, 31, 50, 64}) {
      for (const int64_t cols : {1, 2, 4, 7, 16, 18, 33, 48, 79}) {
        const int64_t from_row = cols + 2, to_row = rows + 3;
        std::vector<float> from(static_cast<size_t>(rows * from_row)),
            to(static_cast<size_t>(cols * to_row), -1);
        for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
        transpose_tile(from.data(), from_row, rows, cols, to.data(), to_row);
        bool good = true;
        for (int64_t j = 0; j < cols; ++j) {
          for (int64_t i = 0; i < to_row; ++i) {
            const float want = i < rows ? from[static_cast<size_t>(i * from_row + j)] : -1;
            good = good && to[static_cast<size_t>(j * to_row + i)] == want;
          }
        }
        CHECK(good);
      }
    }
  }
  set_isa(best);
}
