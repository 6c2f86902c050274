// Element types. The numbers are those of MXNet's files and C functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace mixgrad {

enum class DType : int8_t {
  unknown = -1,  // only during inference
  float32 = 0,
  float64 = 1,
  float16 = 2,
  uint8 = 3,
  int32 = 4,
  int8 = 5,
  int64 = 6,
  boolean = 7,
  bfloat16 = 12,
};

inline constexpr DType kDTypes[] = {DType::float16, DType::bfloat16, DType::float32,
                                    DType::float64, DType::int8,     DType::uint8,
                                    DType::int32,   DType::int64,    DType::boolean};

constexpr size_t size_of(DType t) {
  switch (t) {
    case DType::float64:
    case DType::int64: return 8;
    case DType::float32:
    case DType::int32: return 4;
    case DType::float16:
    case DType::bfloat16: return 2;
    case DType::uint8:
    case DType::int8:
    case DType::boolean: return 1;
    case DType::unknown: break;
  }
  return 0;
}

constexpr bool is_float(DType t) {
  return t == DType::float32 || t == DType::float64 || t == DType::float16 || t == DType::bfloat16;
}

constexpr bool is_half(DType t) { return t == DType::float16 || t == DType::bfloat16; }

// True for the numbers of the enumeration other than unknown.
bool is_dtype(int number);

// "float32", ... "unknown".
const char* name_of(DType t);

// The dtype of that name; throws Status::dtype listing the known names.
DType parse_dtype(const std::string& name);

// The C++ type in which elements of a dtype sit in memory; half types are their bit patterns.
template <DType T>
struct Stored;
// clang-format off
template <> struct Stored<DType::float32> { using type = float; };
template <> struct Stored<DType::float64> { using type = double; };
template <> struct Stored<DType::int32> { using type = int32_t; };
template <> struct Stored<DType::int64> { using type = int64_t; };
template <> struct Stored<DType::int8> { using type = int8_t; };
template <> struct Stored<DType::uint8> { using type = uint8_t; };
template <> struct Stored<DType::boolean> { using type = uint8_t; };
template <> struct Stored<DType::float16> { using type = uint16_t; };
template <> struct Stored<DType::bfloat16> { using type = uint16_t; };

template <class T>
constexpr DType dtype_of();
template <> constexpr DType dtype_of<float>() { return DType::float32; }
template <> constexpr DType dtype_of<double>() { return DType::float64; }
template <> constexpr DType dtype_of<int32_t>() { return DType::int32; }
template <> constexpr DType dtype_of<int64_t>() { return DType::int64; }
template <> constexpr DType dtype_of<int8_t>() { return DType::int8; }
template <> constexpr DType dtype_of<uint8_t>() { return DType::uint8; }
// clang-format on

}  // namespace mixgrad
