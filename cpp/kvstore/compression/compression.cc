#include "kvstore/compression/compression.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "kvstore/compression/codec.h"
#include "kvstore/protocol/fields.h"

namespace mixgrad::kvstore {
namespace {

using protocol::Encoding;
using protocol::Format;

constexpr float kThreshold = 0.5f;
constexpr double kRatio = 0.01;

struct CompressionType {
  const char* name;
  Encoding encoding;
};
constexpr CompressionType kCompressionTypes[] = {{"none", Encoding::dense},    {"2bit", Encoding::two_bit},
                                                 {"1bit", Encoding::one_bit},  {"fp16", Encoding::float16},
                                                 {"bf16", Encoding::bfloat16}, {"topk", Encoding::top_k}};

const char* name_of_encoding(Encoding encoding) {
  for (const CompressionType& type : kCompressionTypes) {
    if (type.encoding == encoding) return type.name;
  }
  return "rows";
}

double number_in(const NamedValue& param, const char* who) {
  if (param.value.kind == ValueKind::real) return param.value.real;
  if (param.value.kind == ValueKind::integer) return static_cast<double>(param.value.integer);
  fail(Status::invalid_argument, "[", who, "] ", param.name, " is ", param.value, "; expected a number");
}

struct CompressionFields {
  Encoding encoding = Encoding::dense;
  uint32_t threshold = 0;
  uint64_t ratio = 0;
  template <class F>
  void fields(F& f) {
    f.choice(encoding, Encoding::top_k);
    f(threshold, ratio);
  }
};

bool is_sound_compression(const Compression& given) {
  const bool has_threshold = given.encoding == Encoding::two_bit || given.encoding == Encoding::one_bit;
  if (!std::isfinite(given.threshold) || given.threshold < 0 || (!has_threshold && given.threshold != 0))
    return false;
  if (given.encoding == Encoding::two_bit && given.threshold == 0) return false;
  return given.encoding == Encoding::top_k ? given.ratio > 0 && given.ratio <= 1 : given.ratio == 0;
}

}  // namespace

uint64_t Compression::count_of(uint64_t elements) const {
  if (elements == 0) return 0;
  const double wanted = std::ceil(ratio * static_cast<double>(elements));
  return std::min(elements, static_cast<uint64_t>(std::max(wanted, 1.0)));
}

std::string Compression::str() const {
  const std::string name = name_of_encoding(encoding);
  if (encoding == Encoding::top_k) return text(name, ", ratio ", ratio);
  return threshold > 0 ? text(name, ", threshold ", threshold) : name;
}

bool Compression::makes(const Format& format) const {
  if (format.encoding != encoding) return false;
  const bool tells_of_nan = encoding == Encoding::one_bit && format.threshold == kNotFinite;
  if (threshold > 0 && format.threshold != bits_of(threshold) && !tells_of_nan) return false;
  return encoding != Encoding::top_k || format.count == count_of(format.elements);
}

std::string compression_name(const Format& format) {
  const std::string name = name_of_encoding(format.encoding);
  if (format.encoding == Encoding::top_k)
    return text(name, ", ", format.count, " of ", format.elements, " elements");
  return format.threshold != 0 ? text(name, ", threshold ", float_of(format.threshold)) : name;
}

Compression Compression::of(Span<const NamedValue> params, const char* who) {
  Compression made;
  const NamedValue* type = nullptr;
  for (const NamedValue& param : params) {
    if (!std::strcmp(param.name, "type")) type = &param;
  }
  if (!type || type->value.kind != ValueKind::string)
    fail(Status::invalid_argument, "[", who, "] expected a type: none, 2bit, 1bit, fp16, bf16 or topk");
  const auto* const known =
      std::find_if(std::begin(kCompressionTypes), std::end(kCompressionTypes),
                   [&](const CompressionType& one) { return !std::strcmp(one.name, type->value.string); });
  if (known == std::end(kCompressionTypes)) {
    fail(Status::invalid_argument, "[", who, "] type ", type->value,
         " of compression is not known; expected none, 2bit, 1bit, fp16, bf16 or topk");
  }
  made.encoding = known->encoding;
  if (made.encoding == Encoding::two_bit) made.threshold = kThreshold;
  if (made.encoding == Encoding::top_k) made.ratio = kRatio;
  for (const NamedValue& param : params) {
    if (&param == type) continue;
    const bool is_threshold = !std::strcmp(param.name, "threshold");
    if (!is_threshold && std::strcmp(param.name, "ratio") != 0) {
      fail(Status::invalid_argument, "[", who, "] compression has no parameter '", param.name,
           "'; expected type, threshold or ratio");
    }
    const bool takes = is_threshold ? made.encoding == Encoding::two_bit || made.encoding == Encoding::one_bit
                                    : made.encoding == Encoding::top_k;
    if (!takes)
      fail(Status::invalid_argument, "[", who, "] compression '", known->name, "' has no ", param.name);
    const double number = number_in(param, who);
    if (is_threshold) {
      made.threshold = static_cast<float>(number);
      if (!std::isfinite(made.threshold) || made.threshold <= 0)
        fail(Status::invalid_argument, "[", who, "] threshold is ", number, "; expected more than 0");
    } else {
      made.ratio = number;
      if (!(number > 0 && number <= 1)) {
        fail(Status::invalid_argument, "[", who, "] ratio is ", number,
             "; expected more than 0 and at most 1");
      }
    }
  }
  return made;
}

std::string Compression::bytes() const {
  CompressionFields out;
  out.encoding = encoding;
  out.threshold = bits_of(threshold);
  std::memcpy(&out.ratio, &ratio, sizeof ratio);
  return protocol::encoded(out);
}

bool Compression::read(const void* data, size_t bytes) {
  CompressionFields in;
  Compression given;
  if (!protocol::decode(data, bytes, in) || in.encoding == Encoding::rows) return false;
  given.encoding = in.encoding;
  given.threshold = float_of(in.threshold);
  std::memcpy(&given.ratio, &in.ratio, sizeof given.ratio);
  if (!is_sound_compression(given)) return false;
  *this = given;
  return true;
}

}  // namespace mixgrad::kvstore
