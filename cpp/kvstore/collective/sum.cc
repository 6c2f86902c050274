#include "kvstore/collective/sum.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "kernels/loops/convert.h"

namespace mixgrad::kvstore::collective {
namespace {

constexpr int64_t kSumBlock = 4096;  // elements whose partial sums stay in the first cache

const char* moved(const void* data, DType dtype, int64_t elements) {
  return static_cast<const char*>(data) + static_cast<size_t>(elements) * size_of(dtype);
}
char* moved(void* data, DType dtype, int64_t elements) {
  return static_cast<char*>(data) + static_cast<size_t>(elements) * size_of(dtype);
}

template <class T>
T plus(T a, T b) {
  if constexpr (std::is_integral_v<T>) {  // integers wrap around
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
  } else {
    return a + b;
  }
}

template <class T>
void add_to(const T* a, const T* b, T* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = plus(a[i], b[i]);
}

template <class T>
void sum_typed(const void* first, Span<const void* const> parts, void* out, int64_t count) {
  for (int64_t at = 0; at < count; at += kSumBlock) {
    const int64_t n = std::min(kSumBlock, count - at);
    T* const target = static_cast<T*>(out) + at;
    const T* so_far = static_cast<const T*>(first) + at;
    for (const void* part : parts) {
      add_to(so_far, static_cast<const T*>(part) + at, target, n);
      so_far = target;
    }
  }
}

void sum_halves(DType dtype, const void* first, DType first_dtype, Span<const void* const> parts, void* out,
                DType out_dtype, int64_t count) {
  constexpr int64_t kBlock = kSumBlock / 4;
  float sum[kBlock], more[kBlock];
  for (int64_t at = 0; at < count; at += kBlock) {
    const int64_t n = std::min(kBlock, count - at);
    convert(moved(first, first_dtype, at), first_dtype, sum, DType::float32, n);
    for (const void* part : parts) {
      convert(moved(part, dtype, at), dtype, more, DType::float32, n);
      add_to(sum, more, sum, n);
    }
    convert(sum, DType::float32, moved(out, out_dtype, at), out_dtype, n);
  }
}

}  // namespace

DType sum_dtype(DType dtype) { return is_half(dtype) ? DType::float32 : dtype; }

void sum_in_order(DType dtype, const void* first, DType first_dtype, Span<const void* const> parts, void* out,
                  DType out_dtype, int64_t count) {
  if (is_half(dtype)) return sum_halves(dtype, first, first_dtype, parts, out, out_dtype, count);
  if (parts.empty()) {
    if (out != first && count > 0) std::memcpy(out, first, static_cast<size_t>(count) * size_of(dtype));
    return;
  }
  switch (dtype) {
    case DType::float32: return sum_typed<float>(first, parts, out, count);
    case DType::float64: return sum_typed<double>(first, parts, out, count);
    case DType::int8: return sum_typed<int8_t>(first, parts, out, count);
    case DType::uint8: return sum_typed<uint8_t>(first, parts, out, count);
    case DType::int32: return sum_typed<int32_t>(first, parts, out, count);
    case DType::int64: return sum_typed<int64_t>(first, parts, out, count);
    default: break;
  }
  fail(Status::dtype, "[kvstore] arrays of dtype ", name_of(dtype), " have no sum");
}

}  // namespace mixgrad::kvstore::collective
