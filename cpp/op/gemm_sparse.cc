#include "op/gemm_sparse.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/parallel.h"
#include "op/gemm_sparse_kernel.h"
#include "op/scratch.h"
#include "op/turn.h"

namespace mixgrad {
namespace {

// Smaller products are not worth the look at A.
constexpr int64_t kSparseProducts = 1000000;
constexpr int64_t kSparseSamples = 64;
// A term costs a tenth more here than in a tile of the dense product, and every row of C a wrong guess of its end: with
// more than seven of ten elements the dense product is faster.
constexpr int64_t kMostOfTen = 7;
// Rows of C that are computed with a packed block of B; their part of C stays in the second-level cache.
constexpr int64_t kFewestRows = 64, kMostRows = 512;
// Floats of a turned A.
constexpr int64_t kMostTurned = int64_t{4} << 20;
// Rows of C that repay turning B.
constexpr int64_t kFewestTurned = 48;

int64_t sparse_over(int64_t n, int64_t part) { return (n + part - 1) / part; }

// Whether a quarter of some elements of A, from all over it, are zeros.
bool seems_sparse(const Gemm& g) {
  const int64_t rows = g.transpose_a ? g.k : g.m, cols = g.transpose_a ? g.m : g.k;
  const auto* a = static_cast<const float*>(g.a);
  int64_t zeros = 0;
  for (int64_t i = 0; i < kSparseSamples; ++i) {
    const int64_t row = rows * i / kSparseSamples, col = i * 40503 % cols;
    zeros += a[row * g.lda + col] == 0;
  }
  return zeros * 4 >= kSparseSamples;
}

class SparseProduct {
 public:
  explicit SparseProduct(const Gemm& g)
      : g_(g),
        kernel_(sparse_kernel()),
        blocks_(sparse_over(g.k, kSparseSteps)),
        a_(g.transpose_a ? Scratch::of<float>(blocks_ * kSparseSteps * g.m) : Scratch()),
        masks_(Scratch::of<uint64_t>(blocks_ * g.m)) {}

  // Looks at all of A: masks, and its transpose if it is given transposed.
  bool prepare() {
    constexpr int64_t kRows = 64;
    std::atomic<int64_t> terms{0};
    parallel_for(sparse_over(g_.m, kRows), std::max<int64_t>(1, 16384 / (kRows * g_.k)),
                 [&](int64_t begin, int64_t end) {
                   const int64_t first = begin * kRows, rows = std::min(end * kRows, g_.m) - first;
                   int64_t found = 0;
                   for (int64_t b = 0; b < blocks_; ++b) {
                     if (g_.transpose_a) {
                       const float* from =
                           static_cast<const float*>(g_.a) + b * kSparseSteps * g_.lda + first;
                       turn(from, g_.lda, steps_of(b), rows, turned(b) + first * kSparseSteps, kSparseSteps);
                     }
                     found += kernel_.masks(a_of(b, first), a_row(), rows, steps_of(b), masks_of(b) + first);
                   }
                   terms.fetch_add(found, std::memory_order_relaxed);
                 });
    return terms.load() * 10 <= g_.m * g_.k * kMostOfTen;
  }

  // Threads get rows, as the loops that go on with C do.
  void run() {
    const int64_t vectors = sparse_over(g_.n, kernel_.lanes);
    strips_ = sparse_over(vectors, kSparseVectors);
    const int64_t row_blocks =
        std::max(sparse_over(g_.m, kMostRows),
                 std::min(sparse_over(8 * num_threads(), strips_), std::max<int64_t>(1, g_.m / kFewestRows)));
    parallel_for(strips_ * row_blocks, 1, [&](int64_t begin, int64_t end) {
      const int64_t most = sparse_over(vectors, strips_) * kernel_.lanes;
      const Scratch room = Scratch::of<float>(kSparseSteps * most);
      for (int64_t t = begin; t < end; ++t) {
        const int64_t r = t / strips_, s = t % strips_;
        const int64_t col = vectors * s / strips_ * kernel_.lanes;
        const int64_t width = vectors * (s + 1) / strips_ * kernel_.lanes - col;
        const int64_t row = g_.m * r / row_blocks, rows = g_.m * (r + 1) / row_blocks - row;
        part(row, rows, col, width, room.as<float>());
      }
    });
  }

 private:
  int64_t steps_of(int64_t block) const { return std::min(kSparseSteps, g_.k - block * kSparseSteps); }
  float* turned(int64_t block) const { return a_.as<float>() + block * kSparseSteps * g_.m; }
  uint64_t* masks_of(int64_t block) const { return masks_.as<uint64_t>() + block * g_.m; }
  int64_t a_row() const { return g_.transpose_a ? kSparseSteps : g_.lda; }
  const float* a_of(int64_t block, int64_t row) const {
    if (g_.transpose_a) return turned(block) + row * kSparseSteps;
    return static_cast<const float*>(g_.a) + row * g_.lda + block * kSparseSteps;
  }

  // Rows [row, row + rows) and the columns of a strip of whole vectors, the last of which may reach over the end of C.
  void part(int64_t row, int64_t rows, int64_t col, int64_t width, float* b) const {
    const int64_t cols = std::min(width, g_.n - col);
    float* c = static_cast<float*>(g_.c) + row * g_.ldc + col;
    const Scratch edge = cols < width ? Scratch::of<float>(rows * width) : Scratch();
    SparseRows r;
    r.rows = rows;
    r.a_row = a_row();
    r.b = b;
    r.c = cols < width ? edge.as<float>() : c;
    r.c_row = cols < width ? width : g_.ldc;
    r.add = cols == width && g_.accumulate;
    uint64_t all[kMostRows];
    for (int64_t k = 0; k < blocks_; ++k, r.add = true) {
      pack(k, col, cols, width, b);
      r.a = a_of(k, row);
      r.masks = masks_of(k) + row;
      if (!kernel_.finite(b, steps_of(k) * width)) {
        std::fill_n(all, rows, ~uint64_t{0} >> (kSparseSteps - steps_of(k)));
        r.masks = all;
      }
      kernel_.rows[width / kernel_.lanes - 1](r);
    }
    const float* bias = g_.bias ? static_cast<const float*>(g_.bias) + col : nullptr;
    for (int64_t i = 0; i < rows; ++i, c += g_.ldc) {
      if (cols < width) {
        const float* from = r.c + i * width;
        for (int64_t j = 0; j < cols; ++j) c[j] = (g_.accumulate ? c[j] : 0) + from[j];
      }
      for (int64_t j = 0; bias && j < cols; ++j) c[j] += bias[j];
      if (g_.end) g_.end->run(*g_.end, c, cols);
    }
  }

  // b[step][width]: a block of a strip of B, zeros where B has ended.
  void pack(int64_t block, int64_t col, int64_t cols, int64_t width, float* b) const {
    const auto* from = static_cast<const float*>(g_.b);
    const int64_t step = block * kSparseSteps, steps = steps_of(block);
    if (g_.transpose_b) turn(from + col * g_.ldb + step, g_.ldb, cols, steps, b, width);
    for (int64_t p = 0; p < steps; ++p, b += width) {
      if (!g_.transpose_b)
        std::memcpy(b, from + (step + p) * g_.ldb + col, static_cast<size_t>(cols) * sizeof(float));
      std::fill(b + cols, b + width, 0.0f);
    }
  }

  const Gemm& g_;
  const SparseKernel& kernel_;
  const int64_t blocks_;  // of k
  const Scratch a_;       // blocks_ x m x kSparseSteps when A is given transposed
  const Scratch masks_;   // blocks_ x m
  int64_t strips_ = 1;
};

}  // namespace

bool gemm_sparse(const Gemm& g) {
  if (g.alpha != 1 || g.k < 16 || g.n < 64 || (g.transpose_b && g.m < kFewestTurned)) return false;
  if (g.m * g.n * g.k < kSparseProducts || (g.transpose_a && g.m * g.k > kMostTurned)) return false;
  if (!seems_sparse(g)) return false;
  SparseProduct product(g);
  if (!product.prepare()) return false;
  product.run();
  return true;
}

}  // namespace mixgrad
