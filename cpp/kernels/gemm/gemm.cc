#include "kernels/gemm/gemm.h"

#include <algorithm>
#include <cstring>

#include "base/build.h"
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/gemm/gemm_kernel.h"
#include "kernels/gemm/gemm_pack.h"
#include "kernels/gemm/gemm_sparse.h"
#include "kernels/gemm/gemm_thin.h"
#include "kernels/loops/convert.h"
#include "kernels/loops/transpose_tile.h"
#include "kernels/scratch.h"

namespace mixgrad {
namespace {

// Steps of k per pass. Every pass reads and writes all of C, so fewer are better; a strip of B (64 KB: 32
// columns of floats) then comes from the second-level cache, fast enough for the innermost loop.
constexpr int64_t kStepBlock = 512;
// With few columns all strips of B stay in the second-level cache together, and more steps spare a pass.
constexpr int64_t kLongStepBlock = 1024, kFewStrips = 4;
// Packed rows of A and columns of B per pass; with the block above 4 MB each in float.
constexpr int64_t kPackBlock = 2048;
// Bytes of A kept in the second-level cache while strips of B pass by.
constexpr int64_t kRowBlockBytes = 400 << 10;
// A strip of B that may be read where it lies, row by row, because it stays in the first-level cache.
constexpr int64_t kPlainStripBytes = 16 << 10;
// Bytes per cycle in which operands arrive while tiles are computed, about.
constexpr int64_t kArrivingBytes = 16;
// Tiles of a thread's part that are handed out together at least: threads that are held up leave the rest to others.
constexpr int64_t kChunkTiles = 8, kMostChunks = 4;
// Products of a part so small that another thread would cost more than it brings; fewer while threads look for work.
constexpr int64_t kPartProducts = 400000, kPartProductsAwake = 80000;

int64_t over(int64_t n, int64_t part) { return (n + part - 1) / part; }

// How the parts of C are divided among threads: rows x cols rectangles of whole tiles.
struct Split {
  int64_t rows = 1, cols = 1;
};

// A tile of C: rows, and bytes of a row.
struct TileSize {
  int64_t rows, row_bytes;
};

// The split whose largest part is done first; reading its rows of A and columns of B counts too. A step of k takes a
// tile as many cycles as it has rows.
Split split_tiles(int64_t row_tiles, int64_t col_tiles, const TileSize& tile, int64_t products) {
  Split best;
  const int64_t part = team_awake() ? kPartProductsAwake : kPartProducts;
  const int64_t threads = team_allowed() ? std::min<int64_t>(num_threads(), products / part) : 1;
  int64_t least = -1;
  for (int64_t r = 1; r <= std::max<int64_t>(1, threads); ++r) {
    const int64_t c = std::max<int64_t>(1, threads / r);
    const int64_t down = over(row_tiles, r), across = over(col_tiles, c);
    const int64_t bytes = down * tile.rows * static_cast<int64_t>(sizeof(float)) + across * tile.row_bytes;
    const int64_t cycles = down * across * tile.rows * kArrivingBytes + bytes;
    if (least < 0 || cycles < least) {
      least = cycles;
      best = {r, c};
    }
  }
  return best;
}

// One product of float or double matrices, C in T. Sources may be half types when T is float.
template <class T>
class Blocked {
 public:
  // `transposed`: C's transpose is wanted in the memory and with the bias and end of that product.
  Blocked(const Gemm& g, DType source, T* c, int64_t ldc, bool add, const Gemm* transposed = nullptr)
      : g_(g), source_(source), kernel_(gemm_kernel<T>()), c_(c), ldc_(ldc), add_(add), turned_(transposed) {
    // Tiles of one size; where some sizes are slower, of the best one as long as there are rows.
    tile_rows_ = kCompact ? std::min<int64_t>(g.m, kernel_.rows) : over(g.m, over(g.m, kernel_.rows));
    const int64_t row_tiles = over(g.m, tile_rows_), col_tiles = over(g.n, kernel_.cols);
    split_ = split_tiles(std::min(row_tiles, over(kPackBlock, tile_rows_)),
                         std::min(col_tiles, over(kPackBlock, kernel_.cols)),
                         {tile_rows_, kernel_.cols * static_cast<int64_t>(sizeof(T))}, g.m * g.n * g.k);
    few_strips_ = col_tiles <= kFewStrips;
    const bool convertible = source == dtype_of<T>() && g.alpha == 1;
    const int64_t a_bytes = g.m * g.k * static_cast<int64_t>(sizeof(T)),
                  b_bytes = g.n * g.k * static_cast<int64_t>(sizeof(T));
    plain_a_ =
        !kGemmByRows<T> && convertible && col_tiles <= 4 && (col_tiles <= 2 || a_bytes <= (int64_t{2} << 20));
    // Rows of B that are a multiple of 1 KB apart share few lines of a first-level cache.
    const bool clashes = g.ldb * static_cast<int64_t>(sizeof(T)) % 1024 == 0;
    const bool near =
        b_bytes <= 131072 || g.k * kernel_.cols * static_cast<int64_t>(sizeof(T)) <= kPlainStripBytes;
    plain_b_ = !kGemmByRows<T> && convertible && !g.transpose_b && (row_tiles <= 2 || (near && !clashes));
  }

  void run() {
    const int64_t k_block = over(g_.k, over(g_.k, few_strips_ ? kLongStepBlock : kStepBlock));
    const int64_t row_block = over(kPackBlock, tile_rows_) * tile_rows_;
    const int64_t col_block = over(kPackBlock, kernel_.cols) * kernel_.cols;
    const int64_t rows = std::min(g_.m, row_block), cols = std::min(g_.n, col_block);
    const int64_t packed_a = plain_a_ ? 0 : rows * pitch(k_block);
    const int64_t packed_b = over(cols, kernel_.cols) * kernel_.cols * k_block;
    const Scratch workspace = Scratch::of<T>(packed_a + packed_b + 64);
    a_ = workspace.as<T>();
    b_ = a_ + (packed_a + 15) / 16 * 16;
    for (int64_t j = 0; j < g_.n; j += col_block) {
      for (int64_t p = 0; p < g_.k; p += k_block) {
        for (int64_t i = 0; i < g_.m; i += row_block) {
          rows_ = {i, std::min(i + row_block, g_.m)};
          cols_ = {j, std::min(j + col_block, g_.n)};
          steps_ = {p, std::min(p + k_block, g_.k)};
          pack(i == 0);
          compute();
        }
      }
    }
  }

 private:
  struct Range {
    int64_t begin = 0, end = 0;
    int64_t size() const { return end - begin; }
  };

  GemmStrip strip_a(int64_t row, int64_t step) const {
    const int64_t at = g_.transpose_a ? step * g_.lda + row : row * g_.lda + step;
    return {static_cast<const char*>(g_.a) + at * static_cast<int64_t>(size_of(source_)), source_,
            g_.transpose_a ? 1 : g_.lda, g_.transpose_a ? g_.lda : 1};
  }
  GemmStrip strip_b(int64_t step, int64_t col) const {
    const int64_t at = g_.transpose_b ? col * g_.ldb + step : step * g_.ldb + col;
    return {static_cast<const char*>(g_.b) + at * static_cast<int64_t>(size_of(source_)), source_,
            g_.transpose_b ? g_.ldb : 1, g_.transpose_b ? 1 : g_.ldb};
  }

  // Of packed A, from tile to tile, in elements of each row. Rows that are a multiple of 4 KB apart would share lines of
  // a first-level cache.
  static int64_t pitch(int64_t k) { return kGemmByRows<T> ? k + 16 : k; }

  // A plain B still needs its last, narrow strip packed, because kernels read whole strips.
  void pack(bool with_b) {
    const int64_t k = steps_.size(), a_tiles = plain_a_ ? 0 : over(rows_.size(), tile_rows_);
    const int64_t all_b = over(cols_.size(), kernel_.cols);
    const int64_t first_b = plain_b_ ? cols_.size() / kernel_.cols : 0;
    const int64_t b_tiles = with_b ? all_b - first_b : 0;
    const int64_t tile_items = std::max<int64_t>(1, std::max<int64_t>(tile_rows_, kernel_.cols) * k);
    parallel_for(
        a_tiles + b_tiles,
        split_.rows * split_.cols == 1 ? a_tiles + b_tiles : loop_grain(16384, {tile_items}),
        [&](int64_t begin, int64_t end) {
          for (int64_t t = begin; t < end; ++t) {
            if (t < a_tiles) {
              const int64_t row = rows_.begin + t * tile_rows_,
                            count = std::min<int64_t>(tile_rows_, rows_.end - row);
              const GemmStrip strip = strip_a(row, steps_.begin);
              T* to = a_ + t * tile_rows_ * pitch(k);
              if constexpr (kGemmByRows<T>) {
                const GemmStrip transposed{strip.data, strip.dtype, strip.step_stride, strip.line_stride};
                gemm_pack<T>(transposed, k, count, pitch(k), static_cast<T>(g_.alpha), to);
              } else {
                gemm_pack<T>(strip, count, k, count, static_cast<T>(g_.alpha), to);
              }
            } else {
              const int64_t at = first_b + t - a_tiles, col = cols_.begin + at * kernel_.cols;
              gemm_pack<T>(strip_b(steps_.begin, col), std::min<int64_t>(kernel_.cols, cols_.end - col), k,
                           kernel_.cols, T(1), b_ + at * kernel_.cols * k);
            }
          }
        });
  }

  void compute() {
    const int64_t row_tiles = over(rows_.size(), tile_rows_), col_tiles = over(cols_.size(), kernel_.cols);
    Split parts = split_;
    if (split_.rows * split_.cols > 1) {
      int64_t& longer = row_tiles / split_.rows > col_tiles / split_.cols ? parts.rows : parts.cols;
      const int64_t tiles = (&longer == &parts.rows ? row_tiles : col_tiles) / longer;
      longer *= std::clamp<int64_t>(tiles / kChunkTiles, 1, kMostChunks);
    }
    parallel_for(parts.rows * parts.cols, 1, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        const int64_t r = part % parts.rows, c = part / parts.rows;
        const Range down{row_tiles * r / parts.rows, row_tiles * (r + 1) / parts.rows};
        const Range across{col_tiles * c / parts.cols, col_tiles * (c + 1) / parts.cols};
        const int64_t tile_bytes = tile_rows_ * steps_.size() * static_cast<int64_t>(sizeof(T));
        const int64_t block = std::max<int64_t>(1, kRowBlockBytes / tile_bytes);
        for (int64_t i = down.begin; i < down.end; i += block) {
          for (int64_t j = across.begin; j < across.end; ++j) {
            for (int64_t t = i; t < std::min(i + block, down.end); ++t) tile(t, j);
          }
        }
        if (turned_ && steps_.end == g_.k) {
          turn_part({rows_.begin + down.begin * tile_rows_,
                     std::min(rows_.begin + down.end * tile_rows_, rows_.end)},
                    {cols_.begin + across.begin * kernel_.cols,
                     std::min(cols_.begin + across.end * kernel_.cols, cols_.end)});
        }
      }
    });
  }

  // A finished part of C, while it is in a near cache. Few rows of the transpose at a time: their lines share few sets.
  void turn_part(const Range& rows, const Range& cols) const {
    if constexpr (std::is_same_v<T, float>) {
      constexpr int64_t kRows = 16;
      const float* bias = static_cast<const float*>(turned_->bias);
      for (int64_t j = cols.begin; j < cols.end; j += kRows) {
        const int64_t count = std::min(kRows, cols.end - j);
        float* to = static_cast<float*>(turned_->c) + j * turned_->ldc + rows.begin;
        transpose_tile(c_ + rows.begin * ldc_ + j, ldc_, rows.size(), count, to, turned_->ldc);
        for (int64_t i = 0; i < count; ++i, to += turned_->ldc) {
          for (int64_t x = 0; bias && x < rows.size(); ++x) to[x] += bias[rows.begin + x];
          if (turned_->end) turned_->end->run(*turned_->end, to, rows.size());
        }
      }
    }
  }

  void tile(int64_t row_tile, int64_t col_tile) const {
    const int64_t k = steps_.size(), width = kernel_.cols;
    const int64_t row = rows_.begin + row_tile * tile_rows_,
                  rows = std::min<int64_t>(tile_rows_, rows_.end - row);
    const int64_t col = cols_.begin + col_tile * width, cols = std::min<int64_t>(width, cols_.end - col);
    GemmTile<T> t;
    t.k = k;
    if (plain_a_) {
      const GemmStrip strip = strip_a(row, steps_.begin);
      t.a = static_cast<const T*>(strip.data);
      t.a_row = strip.line_stride;
      t.a_step = strip.step_stride;
    } else {
      t.a = a_ + row_tile * tile_rows_ * pitch(k);
      t.a_row = pitch(k);
    }
    if (plain_b_ && cols == width) {
      t.b = static_cast<const T*>(strip_b(steps_.begin, col).data);
      t.b_step = g_.ldb;
    } else {
      t.b = b_ + col_tile * width * k;
      t.b_step = width;
    }
    T* c = c_ + row * ldc_ + col;
    t.add = add_ || steps_.begin > 0;
    if (cols == width) {
      t.c = c;
      t.c_row = ldc_;
      return kernel_.run(t, rows, plain_a_);
    }
    alignas(64) T edge[kGemmMaxRows * kGemmMaxCols];
    const bool add = t.add;
    t.c = edge;
    t.c_row = width;
    t.add = false;
    kernel_.run(t, rows, plain_a_);
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < cols; ++j) c[i * ldc_ + j] = (add ? c[i * ldc_ + j] : 0) + edge[i * width + j];
    }
  }

  const Gemm& g_;
  const DType source_;
  const GemmKernel<T>& kernel_;
  T* c_;
  const int64_t ldc_;
  const bool add_;
  int64_t tile_rows_ = 1;
  Split split_;
  bool plain_a_ = false, plain_b_ = false, few_strips_ = false;
  const Gemm* const turned_;
  T *a_ = nullptr, *b_ = nullptr;
  Range rows_, cols_, steps_;
};

// Adds bias and what C held to a result computed apart, and stores it in C's dtype.
template <class T>
void store_result(DType dtype, const Gemm& g, const T* result, int64_t row_stride, int64_t col_stride) {
  constexpr int64_t kRun = 512;
  const int64_t item = static_cast<int64_t>(size_of(dtype));
  parallel_for(g.m, loop_grain(65536, {g.n}), [&](int64_t begin, int64_t end) {
    T row[kRun], more[kRun];
    for (int64_t j = 0; j < g.n; j += kRun) {
      const int64_t run = std::min(kRun, g.n - j);
      for (int64_t i = begin; i < end; ++i) {
        const T* from = result + i * row_stride + j * col_stride;
        for (int64_t x = 0; x < run; ++x) row[x] = from[x * col_stride];
        char* c = static_cast<char*>(g.c) + (i * g.ldc + j) * item;
        if (g.bias) {
          convert(static_cast<const char*>(g.bias) + j * item, dtype, more, dtype_of<T>(), run);
          for (int64_t x = 0; x < run; ++x) row[x] += more[x];
        }
        if (g.accumulate) {
          convert(c, dtype, more, dtype_of<T>(), run);
          for (int64_t x = 0; x < run; ++x) row[x] += more[x];
        }
        convert(row, dtype_of<T>(), c, dtype, run);
      }
    }
  });
}

// C before a product is added: its old contents or zeros, and the bias.
template <class T>
void prepare_result(const Gemm& g) {
  parallel_for(g.m, loop_grain(32768, {g.n}), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      T* c = static_cast<T*>(g.c) + i * g.ldc;
      const T* bias = static_cast<const T*>(g.bias);
      for (int64_t j = 0; j < g.n; ++j) c[j] = (g.accumulate ? c[j] : T(0)) + (bias ? bias[j] : T(0));
    }
  });
}

void run_end(const Gemm& g) {
  parallel_for(g.m, loop_grain(32768, {g.n}), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) g.end->run(*g.end, static_cast<float*>(g.c) + i * g.ldc, g.n);
  });
}

// Whether the end was run too.
template <class T>
bool gemm_typed(DType dtype, const Gemm& g) {
  const bool thin = gemm_is_thin(dtype, g);
  // With few rows it is cheaper to turn A and the result than to turn all of a transposed B; with few columns most of a
  // tile would idle, and transposed they are rows.
  const int64_t width = gemm_kernel<T>().cols;
  const bool transposed = !thin && g.transpose_b && (g.m * 3 <= g.n || (g.n * 3 <= width && g.m >= width));
  if (!thin && !transposed && dtype == dtype_of<T>()) {
    const bool prepared = g.bias || g.k == 0;
    if (prepared) prepare_result<T>(g);
    if (g.k > 0) Blocked<T>(g, dtype, static_cast<T*>(g.c), g.ldc, prepared || g.accumulate).run();
    return false;
  }
  const Scratch workspace = Scratch::of<T>(g.m * g.n);
  T* result = workspace.as<T>();
  if (thin) {
    gemm_thin<T>(g, result);
  } else if (g.k == 0) {
    std::memset(result, 0, static_cast<size_t>(g.m * g.n) * sizeof(T));
  } else if (transposed) {
    Gemm t = g;
    t.m = g.n, t.n = g.m;
    t.a = g.b, t.lda = g.ldb, t.transpose_a = false;
    t.b = g.a, t.ldb = g.lda, t.transpose_b = !g.transpose_a;
    t.bias = nullptr, t.end = nullptr;
    if (dtype == DType::float32 && !g.accumulate) {
      Blocked<T>(t, dtype, result, t.n, false, &g).run();
      return true;
    }
    Blocked<T>(t, dtype, result, t.n, false).run();
  } else {
    Blocked<T>(g, dtype, result, g.n, false).run();
  }
  if (transposed)
    store_result(dtype, g, result, 1, g.m);
  else
    store_result(dtype, g, result, g.n, 1);
  return false;
}

}  // namespace

void gemm(DType dtype, const Gemm& g) {
  if (!is_float(dtype)) {
    fail(Status::dtype, "[gemm] got dtype ", name_of(dtype),
         "; expected float32, float64, float16 or bfloat16");
  }
  if (g.m <= 0 || g.n <= 0) return;
  if constexpr (kTraining) {
    if (dtype == DType::float32 && gemm_sparse(g)) return;
  }
  const bool ended = is_wide(dtype) ? gemm_typed<double>(dtype, g) : gemm_typed<float>(dtype, g);
  if (g.end && !ended) run_end(g);
}

}  // namespace mixgrad
