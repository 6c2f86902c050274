#include "base/dtype.h"

#include "base/build.h"
#include "base/error.h"

namespace mixgrad {

bool is_dtype(int number) {
  for (DType t : kDTypes) {
    if (static_cast<int>(t) == number) return true;
  }
  return false;
}

const char* name_of(DType t) {
  switch (t) {
    case DType::float32: return "float32";
    case DType::float64: return "float64";
    case DType::float16: return "float16";
    case DType::bfloat16: return "bfloat16";
    case DType::uint8: return "uint8";
    case DType::int8: return "int8";
    case DType::int32: return "int32";
    case DType::int64: return "int64";
    case DType::boolean: return "bool";
    case DType::unknown: break;
  }
  return "unknown";
}

namespace {

struct OtherName {
  const char* name;
  DType dtype;
};
// NumPy's, which scripts for MXNet use.
constexpr OtherName kOtherNames[] = {
    {"half", DType::float16},    {"single", DType::float32}, {"double", DType::float64},
    {"float", DType::float64},   {"int", DType::int64},      {"long", DType::int64},
    {"byte", DType::int8},       {"ubyte", DType::uint8},    {"intc", DType::int32},
    {"boolean", DType::boolean}, {"bool_", DType::boolean},
};

}  // namespace

DType parse_dtype(const std::string& name) {
  std::string known;
  for (DType t : kDTypes) {
    if (name == name_of(t)) return t;
    known += std::string(known.empty() ? "" : ", ") + name_of(t);
  }
  if constexpr (kTraining) {
    for (const OtherName& other : kOtherNames) {
      if (name == other.name) return other.dtype;
    }
  } else if (name == "boolean") {
    return DType::boolean;
  }
  fail(Status::dtype, "[dtype] no dtype is called '", name, "'; known are ", known);
}

}  // namespace mixgrad
