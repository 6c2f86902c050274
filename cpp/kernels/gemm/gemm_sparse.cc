#include "kernels/gemm/gemm_sparse.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/parallel.h"
#include "kernels/gemm/gemm_sparse_kernel.h"
#include "kernels/loops/transpose_tile.h"
#include "kernels/scratch.h"

namespace mixgrad {
namespace {

// Smaller products are not worth the look at A.
constexpr int64_t kSparseProducts = 1000000;
constexpr int64_t kSparseSamples = 64;
// A term costs a tenth more here than in a tile of the dense product, and every row of C a wrong guess of its end: with
// more than seven of ten elements the dense product is faster.
constexpr int64_t kMostOfTen = 7;
// Rows of C that are computed together, more where each part packs B for itself; their part of C stays in the
// second-level cache.
constexpr int64_t kFewestRows = 64, kFewestPacking = 256, kMostRows = 512;
// Floats of a transposed A.
constexpr int64_t kMostTurned = int64_t{4} << 20;
// Floats of B that are packed once for all rows of C.
constexpr int64_t kMostPacked = int64_t{1} << 20;
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
    parallel_for(sparse_over(g_.m, kRows), loop_grain(16384, {kRows, g_.k}), [&](int64_t begin, int64_t end) {
      const int64_t first = begin * kRows, rows = std::min(end * kRows, g_.m) - first;
      int64_t found = 0;
      for (int64_t b = 0; b < blocks_; ++b) {
        if (g_.transpose_a) {
          const float* from = static_cast<const float*>(g_.a) + b * kSparseSteps * g_.lda + first;
          transpose_tile(from, g_.lda, steps_of(b), rows, transposed(b) + first * kSparseSteps, kSparseSteps);
        }
        found += kernel_.masks(a_of(b, first), a_row(), rows, steps_of(b), masks_of(b) + first);
      }
      terms.fetch_add(found, std::memory_order_relaxed);
    });
    return terms.load() * 10 <= g_.m * g_.k * kMostOfTen;
  }

  // Threads get rows, as the loops that go on with C do.
  void run() {
    vectors_ = sparse_over(g_.n, kernel_.lanes);
    strips_ = sparse_over(vectors_, kSparseVectors);
    const int64_t packed = blocks_ * kSparseSteps * vectors_ * kernel_.lanes;
    const bool once = g_.m >= 2 * kFewestRows && packed <= kMostPacked;
    if (once) pack_all(packed);
    const int64_t parts = std::max<int64_t>(1, g_.m / (once ? kFewestRows : kFewestPacking));
    const int64_t row_blocks =
        std::max(sparse_over(g_.m, kMostRows), std::min<int64_t>(4 * num_threads(), parts));
    parallel_for(strips_ * row_blocks, 1, [&](int64_t begin, int64_t end) {
      const int64_t most = sparse_over(vectors_, strips_) * kernel_.lanes;
      const Scratch workspace = once ? Scratch() : Scratch::of<float>(kSparseSteps * most);
      for (int64_t t = begin; t < end; ++t) {
        const int64_t r = t / strips_, row = g_.m * r / row_blocks;
        part(row, g_.m * (r + 1) / row_blocks - row, t % strips_, workspace.as<float>());
      }
    });
  }

 private:
  int64_t steps_of(int64_t block) const { return std::min(kSparseSteps, g_.k - block * kSparseSteps); }
  float* transposed(int64_t block) const { return a_.as<float>() + block * kSparseSteps * g_.m; }
  uint64_t* masks_of(int64_t block) const { return masks_.as<uint64_t>() + block * g_.m; }
  int64_t a_row() const { return g_.transpose_a ? kSparseSteps : g_.lda; }
  const float* a_of(int64_t block, int64_t row) const {
    if (g_.transpose_a) return transposed(block) + row * kSparseSteps;
    return static_cast<const float*>(g_.a) + row * g_.lda + block * kSparseSteps;
  }

  // Columns of C, whole vectors of which the last may reach over the end.
  struct Strip {
    int64_t number, col, width, cols;
  };
  Strip strip(int64_t s) const {
    const int64_t col = vectors_ * s / strips_ * kernel_.lanes;
    const int64_t width = vectors_ * (s + 1) / strips_ * kernel_.lanes - col;
    return {s, col, width, std::min(width, g_.n - col)};
  }
  float* packed(const Strip& s, int64_t block) const {
    return b_.as<float>() + kSparseSteps * (blocks_ * s.col + block * s.width);
  }
  char& finite(const Strip& s, int64_t block) const { return finite_.as<char>()[s.number * blocks_ + block]; }

  void pack_all(int64_t floats) {
    b_ = Scratch::of<float>(floats);
    finite_ = Scratch::of<char>(strips_ * blocks_);
    parallel_for(strips_ * blocks_, 2, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) {
        const Strip s = strip(t / blocks_);
        finite(s, t % blocks_) = pack(s, t % blocks_, packed(s, t % blocks_));
      }
    });
  }

  // Rows [row, row + rows) of a strip. `workspace` is for a block of B, null where B is packed.
  void part(int64_t row, int64_t rows, int64_t number, float* workspace) const {
    const Strip s = strip(number);
    const int64_t width = s.width, cols = s.cols;
    float* c = static_cast<float*>(g_.c) + row * g_.ldc + s.col;
    const Scratch edge = cols < width ? Scratch::of<float>(rows * width) : Scratch();
    SparseRows r;
    r.rows = rows;
    r.a_row = a_row();
    r.c = cols < width ? edge.as<float>() : c;
    r.c_row = cols < width ? width : g_.ldc;
    r.add = cols == width && g_.accumulate;
    uint64_t all[kMostRows];
    for (int64_t k = 0; k < blocks_; ++k, r.add = true) {
      const bool whole = workspace ? pack(s, k, workspace) : finite(s, k) != 0;
      r.b = workspace ? workspace : packed(s, k);
      r.a = a_of(k, row);
      r.masks = masks_of(k) + row;
      if (!whole) {
        std::fill_n(all, rows, ~uint64_t{0} >> (kSparseSteps - steps_of(k)));
        r.masks = all;
      }
      kernel_.rows[width / kernel_.lanes - 1](r);
    }
    const float* bias = g_.bias ? static_cast<const float*>(g_.bias) + s.col : nullptr;
    for (int64_t i = 0; i < rows; ++i, c += g_.ldc) {
      if (cols < width) {
        const float* from = r.c + i * width;
        for (int64_t j = 0; j < cols; ++j) c[j] = (g_.accumulate ? c[j] : 0) + from[j];
      }
      for (int64_t j = 0; bias && j < cols; ++j) c[j] += bias[j];
      if (g_.end) g_.end->run(*g_.end, c, cols);
    }
  }

  // b[step][width]: a block of a strip of B, zeros where B has ended. Returns whether all is finite.
  bool pack(const Strip& s, int64_t block, float* b) const {
    const auto* from = static_cast<const float*>(g_.b);
    const int64_t step = block * kSparseSteps, steps = steps_of(block);
    if (g_.transpose_b) transpose_tile(from + s.col * g_.ldb + step, g_.ldb, s.cols, steps, b, s.width);
    float* to = b;
    for (int64_t p = 0; p < steps; ++p, to += s.width) {
      if (!g_.transpose_b)
        std::memcpy(to, from + (step + p) * g_.ldb + s.col, static_cast<size_t>(s.cols) * sizeof(float));
      std::fill(to + s.cols, to + s.width, 0.0f);
    }
    return kernel_.finite(b, steps * s.width);
  }

  const Gemm& g_;
  const SparseKernel& kernel_;
  const int64_t blocks_;  // of k
  const Scratch a_;       // blocks_ x m x kSparseSteps when A is given transposed
  const Scratch masks_;   // blocks_ x m
  int64_t vectors_ = 1, strips_ = 1;
  Scratch b_, finite_;  // strip after strip, block after block; a byte for each
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
