#include "kernels/loops/convert.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "base/cpu.h"

namespace mixgrad {
namespace {

using ConvertFn = void (*)(const void*, void*, int64_t);

// Towards zero; the smallest integer for what does not fit and for NaN, as x86 has it, where C++ leaves it open.
template <class Int, class Float>
inline Int whole(Float v) {
  constexpr auto low = static_cast<Float>(std::numeric_limits<Int>::min());
  return v >= low && v < -low ? static_cast<Int>(v) : std::numeric_limits<Int>::min();
}

template <DType From, DType To>
inline typename Stored<To>::type convert_one(typename Stored<From>::type v) {
  using Out = typename Stored<To>::type;
  if constexpr (From == DType::float16) {
    return convert_one<DType::float32, To>(half_to_float(v));
  } else if constexpr (From == DType::bfloat16) {
    return convert_one<DType::float32, To>(bfloat_to_float(v));
  } else if constexpr (To == DType::float16) {
    return float_to_half(static_cast<float>(v));
  } else if constexpr (To == DType::bfloat16) {
    return float_to_bfloat(static_cast<float>(v));
  } else if constexpr (To == DType::boolean) {
    return v != 0;
  } else if constexpr (is_float(From) && !is_float(To)) {
    return static_cast<Out>(whole<std::conditional_t<(sizeof(Out) < 4), int32_t, Out>>(v));
  } else {
    return static_cast<Out>(v);
  }
}

template <DType From, DType To>
MIXGRAD_INLINE void convert_loop(const void* src, void* dst, int64_t n) {
  const auto* s = static_cast<const typename Stored<From>::type*>(src);
  auto* d = static_cast<typename Stored<To>::type*>(dst);
  MIXGRAD_VECTORIZE
  for (int64_t i = 0; i < n; ++i) d[i] = convert_one<From, To>(s[i]);
}

template <DType From, DType To>
MIXGRAD_TARGET_BASELINE void convert_baseline(const void* src, void* dst, int64_t n) {
  convert_loop<From, To>(src, dst, n);
}
#if MIXGRAD_X86
template <DType From, DType To>
MIXGRAD_TARGET_AVX2 void convert_avx2(const void* src, void* dst, int64_t n) {
  convert_loop<From, To>(src, dst, n);
}
template <DType From, DType To>
MIXGRAD_TARGET_AVX512 void convert_avx512(const void* src, void* dst, int64_t n) {
  convert_loop<From, To>(src, dst, n);
}
#endif

template <DType From, DType To>
ConvertFn pick_convert() {
#if MIXGRAD_X86
  using Via = std::conditional_t<From == DType::float32 || To == DType::float32, float, int>;
  if (loop_isa<Via>() == Isa::avx512) return &convert_avx512<From, To>;
  if (loop_isa<Via>() == Isa::avx2) return &convert_avx2<From, To>;
#endif
  return &convert_baseline<From, To>;
}

template <DType From>
ConvertFn pick_convert_to(DType to) {
  switch (to) {
    case DType::float32: return pick_convert<From, DType::float32>();
    case DType::float64: return pick_convert<From, DType::float64>();
    case DType::float16: return pick_convert<From, DType::float16>();
    case DType::bfloat16: return pick_convert<From, DType::bfloat16>();
    case DType::uint8: return pick_convert<From, DType::uint8>();
    case DType::int8: return pick_convert<From, DType::int8>();
    case DType::int32: return pick_convert<From, DType::int32>();
    case DType::int64: return pick_convert<From, DType::int64>();
    case DType::boolean: return pick_convert<From, DType::boolean>();
    case DType::unknown: break;
  }
  return nullptr;
}

ConvertFn pick_convert_from(DType from, DType to) {
  switch (from) {
    case DType::float32: return pick_convert_to<DType::float32>(to);
    case DType::float64: return pick_convert_to<DType::float64>(to);
    case DType::float16: return pick_convert_to<DType::float16>(to);
    case DType::bfloat16: return pick_convert_to<DType::bfloat16>(to);
    case DType::uint8: return pick_convert_to<DType::uint8>(to);
    case DType::int8: return pick_convert_to<DType::int8>(to);
    case DType::int32: return pick_convert_to<DType::int32>(to);
    case DType::int64: return pick_convert_to<DType::int64>(to);
    case DType::boolean: return pick_convert_to<DType::boolean>(to);
    case DType::unknown: break;
  }
  return nullptr;
}

// Calls fn with the dtype as a constant.
template <class Fn>
void with_dtype(DType dtype, Fn fn) {
  switch (dtype) {
    case DType::float32: return fn(std::integral_constant<DType, DType::float32>());
    case DType::float64: return fn(std::integral_constant<DType, DType::float64>());
    case DType::float16: return fn(std::integral_constant<DType, DType::float16>());
    case DType::bfloat16: return fn(std::integral_constant<DType, DType::bfloat16>());
    case DType::uint8: return fn(std::integral_constant<DType, DType::uint8>());
    case DType::int8: return fn(std::integral_constant<DType, DType::int8>());
    case DType::int32: return fn(std::integral_constant<DType, DType::int32>());
    case DType::int64: return fn(std::integral_constant<DType, DType::int64>());
    case DType::boolean: return fn(std::integral_constant<DType, DType::boolean>());
    case DType::unknown: return;
  }
}

// By way of float64, which holds every dtype's numbers but the largest of int64, element by element.
void convert_by_double(const char* src, DType from, char* dst, DType to, int64_t n) {
  const size_t from_item = size_of(from), to_item = size_of(to);
  for (int64_t i = 0; i < n; ++i, src += from_item, dst += to_item) {
    double number = 0;
    with_dtype(from, [&](auto tag) {
      typename Stored<tag()>::type v;
      std::memcpy(&v, src, sizeof v);
      number = convert_one<tag(), DType::float64>(v);
    });
    with_dtype(to, [&](auto tag) {
      const auto v = convert_one<DType::float64, tag()>(number);
      std::memcpy(dst, &v, sizeof v);
    });
  }
}

}  // namespace

void convert(const void* src, DType from, void* dst, DType to, int64_t n) {
  if (n == 0) return;
  if (from == to) {
    if (src != dst) std::memcpy(dst, src, static_cast<size_t>(n) * size_of(to));
    return;
  }
  if constexpr (kCompact) {
    if (from == DType::float32 && to == DType::float16) {
      pick_convert<DType::float32, DType::float16>()(src, dst, n);
    } else if (from == DType::float16 && to == DType::float32) {
      pick_convert<DType::float16, DType::float32>()(src, dst, n);
    } else if (from == DType::bfloat16 && to == DType::float32) {
      pick_convert<DType::bfloat16, DType::float32>()(src, dst, n);
    } else if (from == DType::uint8 && to == DType::float32) {
      pick_convert<DType::uint8, DType::float32>()(src, dst, n);
    } else {
      convert_by_double(static_cast<const char*>(src), from, static_cast<char*>(dst), to, n);
    }
  } else {
    pick_convert_from(from, to)(src, dst, n);
  }
}

}  // namespace mixgrad
