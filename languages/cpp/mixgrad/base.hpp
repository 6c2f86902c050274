// Errors, dtypes, devices, and what other headers share.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "mixgrad/mixgrad.h"

namespace mx {
/// What a failing call throws; what() names the operator, what arrived and what was expected.
class Error : public std::runtime_error {
 public:
  Error(mg_status status, const std::string& message) : std::runtime_error(message), status_(status) {}
  mg_status status() const { return status_; }

 private:
  mg_status status_;
};

namespace detail {
inline void check(mg_status status) {
  if (status != MG_STATUS_OK) throw Error(status, mg_last_error());
}
// A message made by the library, as a string of C++.
inline std::string take_text(char* text) {
  std::unique_ptr<char, void (*)(void*)> owner(text, mg_buffer_destroy);
  return text;
}
inline std::vector<std::string> take_strings(mg_string_list* list) {
  std::unique_ptr<mg_string_list, void (*)(mg_string_list*)> owner(list, mg_string_list_destroy);
  std::vector<std::string> out(static_cast<size_t>(mg_string_list_get_num_strings(list)));
  for (size_t i = 0; i < out.size(); ++i) out[i] = mg_string_list_get(list, static_cast<int32_t>(i));
  return out;
}
inline std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> out;
  for (const std::string& text : texts) out.push_back(text.c_str());
  return out;
}
template <class T>
int32_t count(const T& items) {
  return static_cast<int32_t>(items.size());
}
}  // namespace detail

enum class DType : int32_t {
  float32 = MG_DTYPE_FLOAT32,
  float64 = MG_DTYPE_FLOAT64,
  float16 = MG_DTYPE_FLOAT16,
  uint8 = MG_DTYPE_UINT8,
  int32 = MG_DTYPE_INT32,
  int8 = MG_DTYPE_INT8,
  int64 = MG_DTYPE_INT64,
  boolean = MG_DTYPE_BOOL,
  bfloat16 = MG_DTYPE_BFLOAT16
};

inline const char* name_of(DType dtype) {
  switch (dtype) {
    case DType::float32: return "float32";
    case DType::float64: return "float64";
    case DType::float16: return "float16";
    case DType::uint8: return "uint8";
    case DType::int32: return "int32";
    case DType::int8: return "int8";
    case DType::int64: return "int64";
    case DType::boolean: return "bool";
    case DType::bfloat16: return "bfloat16";
  }
  throw Error(MG_STATUS_DTYPE, "[DType] no dtype has that number");
}

namespace detail {
template <class T>
struct DTypeOf;
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::float32;
};
template <>
struct DTypeOf<double> {
  static constexpr DType value = DType::float64;
};
template <>
struct DTypeOf<uint8_t> {
  static constexpr DType value = DType::uint8;
};
template <>
struct DTypeOf<int8_t> {
  static constexpr DType value = DType::int8;
};
template <>
struct DTypeOf<int32_t> {
  static constexpr DType value = DType::int32;
};
template <>
struct DTypeOf<int64_t> {
  static constexpr DType value = DType::int64;
};
}  // namespace detail

struct Device {
  mg_device_kind kind = MG_DEVICE_CPU;
  int32_t id = 0;
  operator mg_device() const { return {kind, id}; }
};
inline Device cpu(int32_t id = 0) { return {MG_DEVICE_CPU, id}; }
inline Device gpu(int32_t id = 0) { return {MG_DEVICE_GPU, id}; }

using Shape = std::vector<int64_t>;
using Ints = std::vector<int64_t>;
using Reals = std::vector<double>;

/// Blocks until all pushed work is done; throws the first failure not yet reported.
inline void wait_all() { detail::check(mg_wait_all()); }
/// Sets the seed of all random numbers from here on.
inline void seed(uint64_t value) { detail::check(mg_random_seed(value)); }
/// Threads that one large operator uses.
inline void set_threads(int32_t count) { detail::check(mg_engine_set_num_threads(count)); }

}  // namespace mx
