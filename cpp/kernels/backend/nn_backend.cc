#include "kernels/backend/nn_backend.h"

#include <algorithm>
#include <atomic>

#include "base/cpu.h"
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/backend/nn_library.h"
#include "kernels/loops/convert.h"

namespace mixgrad::nn_backend {
namespace {

Loader backend_loader = nullptr;
std::atomic<const Backend*> backend_loaded{nullptr};
std::atomic<bool> backend_enabled{false}, backend_left_out{false};

// Columns [begin, end); blocks of rows are summed apart, so that errors grow with the square root of their number.
template <class T>
void sum_columns(DType dtype, const char* data, int64_t rows, int64_t cols, int64_t begin, int64_t end,
                 char* sums) {
  constexpr int64_t kWidth = 256, kRows = 128;
  const int64_t item = static_cast<int64_t>(size_of(dtype));
  T total[kWidth], part[kWidth], workspace[kWidth];
  for (int64_t j = begin; j < end; j += kWidth) {
    const int64_t width = std::min(kWidth, end - j);
    std::fill_n(total, width, T(0));
    for (int64_t i = 0; i < rows; i += kRows) {
      std::fill_n(part, width, T(0));
      for (int64_t r = i; r < std::min(rows, i + kRows); ++r) {
        const char* row = data + (r * cols + j) * item;
        const T* x = reinterpret_cast<const T*>(row);
        if (dtype != dtype_of<T>()) {
          convert(row, dtype, workspace, dtype_of<T>(), width);
          x = workspace;
        }
        MIXGRAD_VECTORIZE
        for (int64_t c = 0; c < width; ++c) part[c] += x[c];
      }
      for (int64_t c = 0; c < width; ++c) total[c] += part[c];
    }
    convert(total, dtype_of<T>(), sums + j * item, dtype, width);
  }
}

}  // namespace

const Backend* active() {
  if constexpr (kCompact) return nullptr;
  if (deterministic()) return nullptr;
  return backend_enabled.load(std::memory_order_acquire) ? backend_loaded.load(std::memory_order_acquire)
                                                         : nullptr;
}

void load_onednn(const char* path) {
  if (!backend_loader)
    fail(Status::unsupported, "[onednn] this build cannot load it; builds for 64-bit Linux can");
  backend_loader(*path ? path : "libdnnl.so.3");
  set_onednn_enabled(true);
}

void set_onednn_enabled(bool enabled) {
  if (enabled && !backend_loaded.load(std::memory_order_acquire))
    fail(Status::unsupported, "[onednn] cannot be switched on before it is loaded");
  backend_enabled.store(enabled, std::memory_order_release);
}
bool onednn_enabled() { return active() != nullptr; }

bool register_loader(Loader loader) {
  backend_loader = loader;
  return true;
}
void set_backend(const Backend* backend) { backend_loaded.store(backend, std::memory_order_release); }
void set_deterministic(bool on) { backend_left_out.store(on, std::memory_order_relaxed); }
bool deterministic() { return backend_left_out.load(std::memory_order_relaxed); }

void matrix_product(DType dtype, const Gemm& g) {
  const Backend* backend = active();
  if (backend && backend->gemm(dtype, g)) return;
  gemm(dtype, g);
}

double products_cost(double products) {
  const double rate = best_isa() == Isa::avx512 ? 0.012 : best_isa() == Isa::avx2 ? 0.025 : 0.1;
  return 200 + products * rate;
}

void sum_rows(DType dtype, const void* data, int64_t rows, int64_t cols, void* sums) {
  constexpr int64_t kGrain = 16384;
  parallel_for(cols, std::max<int64_t>(16, kGrain / std::max<int64_t>(1, rows)),
               [&](int64_t begin, int64_t end) {
                 const char* from = static_cast<const char*>(data);
                 if (is_wide(dtype))
                   sum_columns<double>(dtype, from, rows, cols, begin, end, static_cast<char*>(sums));
                 else
                   sum_columns<float>(dtype, from, rows, cols, begin, end, static_cast<char*>(sums));
               });
}

}  // namespace mixgrad::nn_backend
