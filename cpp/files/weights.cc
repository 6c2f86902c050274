#include "files/weights.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/error.h"
#include "kernels/loops/convert.h"

namespace mixgrad {
namespace {

constexpr char kScaleEnd[] = ":scale";
constexpr size_t kScaleEndSize = sizeof kScaleEnd - 1;
constexpr float kMostInteger = 127;

bool is_scale(const std::string& name) {
  return name.size() > kScaleEndSize &&
         name.compare(name.size() - kScaleEndSize, kScaleEndSize, kScaleEnd) == 0;
}

ArrayRef converted(const Array& array, DType to) {
  ArrayRef out = Array::empty(array.shape(), to, array.device());
  out->chunk().ensure();
  convert(array.host_data(), array.dtype(), out->host_data(), to, array.size());
  return out;
}

// Fills `integers` and `factors`, one factor for each row of `length` weights.
void to_integers(const std::string& name, const float* weight, int64_t rows, int64_t length, int8_t* integers,
                 float* factors) {
  for (int64_t r = 0; r < rows; ++r, weight += length, integers += length) {
    float most = 0;
    for (int64_t i = 0; i < length; ++i) {
      if (!std::isfinite(weight[i])) {
        fail(Status::invalid_argument, "[shrink_weights] '", name, "' holds ", weight[i],
             ", which no integer stands for");
      }
      most = std::max(most, std::abs(weight[i]));
    }
    factors[r] = most / kMostInteger;
    const float inverse = factors[r] > 0 ? 1 / factors[r] : 0;
    // A row of denormals has no inverse in float32; its weights are as good as zero.
    for (int64_t i = 0; i < length; ++i) {
      const float integer = std::isfinite(inverse) ? std::nearbyint(weight[i] * inverse) : 0;
      integers[i] = static_cast<int8_t>(std::max(-kMostInteger, std::min(kMostInteger, integer)));
    }
  }
}

// float32 from what a file holds.
class Expanded final : public ValueSource {
 public:
  // factors: null for half precision.
  Expanded(ArrayRef held, ArrayRef factors) : held_(std::move(held)), factors_(std::move(factors)) {
    // Writing waits for no other array.
    for (const ArrayRef& array : {held_, factors_}) {
      if (!array) continue;
      array->chunk().ensure_for_reading();
      array->chunk().set_rarely_needed();
    }
  }
  void write(size_t, void* values) const override {
    if (!factors_) return convert(data(*held_), held_->dtype(), values, DType::float32, held_->size());
    const auto* from = static_cast<const int8_t*>(data(*held_));
    const auto* factor = static_cast<const float*>(data(*factors_));
    auto* to = static_cast<float*>(values);
    const int64_t rows = held_->shape()[0], length = rows ? held_->size() / rows : 0;
    for (int64_t r = 0; r < rows; ++r, from += length, to += length) {
      for (int64_t i = 0; i < length; ++i) to[i] = factor[r] * static_cast<float>(from[i]);
    }
  }

 private:
  static const void* data(const Array& array) {
    return static_cast<const char*>(array.chunk().data()) + array.offset();
  }

  ArrayRef held_, factors_;
};

ArrayRef expanded(const ArrayRef& held, const ArrayRef& factors) {
  ArrayRef out = Array::empty(held->shape(), DType::float32, held->device());
  out->chunk().make_later(std::make_shared<Expanded>(held, factors));
  return out;
}

ArrayRef from_integers(const std::string& name, const ArrayRef& integers, const ArrayRef& factors) {
  const Shape& shape = integers->shape();
  if (integers->dtype() != DType::int8 || factors->dtype() != DType::float32 || shape.ndim() == 0 ||
      factors->shape().ndim() != 1 || factors->size() != shape[0]) {
    fail(Status::format, "[expand_weights] '", name, "' of shape ", shape, " and dtype ",
         name_of(integers->dtype()), " has a scale of shape ", factors->shape(), " and dtype ",
         name_of(factors->dtype()), "; expected int8 and one float32 for each entry of the first axis");
  }
  return expanded(integers, factors);
}

}  // namespace

const char* name_of(WeightForm form) {
  switch (form) {
    case WeightForm::float32: return "float32";
    case WeightForm::float16: return "float16";
    case WeightForm::int8: return "int8";
  }
  return "unknown";
}

WeightForm weight_form_named(const std::string& name) {
  for (const WeightForm form : {WeightForm::float32, WeightForm::float16, WeightForm::int8}) {
    if (name == name_of(form)) return form;
  }
  fail(Status::invalid_argument, "[shrink_weights] form '", name,
       "'; expected 'float32', 'float16' or 'int8'");
}

NamedArrays shrink_weights(const NamedArrays& arrays, WeightForm form) {
  if (arrays.names.size() != arrays.arrays.size()) {
    fail(Status::invalid_argument, "[shrink_weights] got ", arrays.arrays.size(), " arrays and ",
         arrays.names.size(), " names; expected a name for each");
  }
  NamedArrays out;
  for (size_t i = 0; i < arrays.arrays.size(); ++i) {
    const ArrayRef& array = arrays.arrays[i];
    const std::string& name = arrays.names[i];
    if (is_scale(name)) {
      fail(Status::invalid_argument, "[shrink_weights] an array is called '", name,
           "'; names that end in ':scale' belong to the scales of others");
    }
    out.names.push_back(name);
    const bool shrinks = form != WeightForm::float32 && array && array->dtype() == DType::float32 &&
                         array->shape().ndim() >= 2 && array->size() > 0;
    if (!shrinks) {
      out.arrays.push_back(array);
      continue;
    }
    array->wait_to_read();
    if (form == WeightForm::float16) {
      out.arrays.push_back(converted(*array, DType::float16));
      continue;
    }
    const int64_t rows = array->shape()[0];
    ArrayRef integers = Array::empty(array->shape(), DType::int8, array->device());
    ArrayRef factors = Array::empty({rows}, DType::float32, array->device());
    integers->chunk().ensure();
    factors->chunk().ensure();
    to_integers(name, static_cast<const float*>(array->host_data()), rows, array->size() / rows,
                static_cast<int8_t*>(integers->host_data()), static_cast<float*>(factors->host_data()));
    out.arrays.push_back(std::move(integers));
    out.arrays.push_back(std::move(factors));
    out.names.push_back(name + kScaleEnd);
  }
  return out;
}

NamedArrays expand_integers(NamedArrays arrays) {
  std::unordered_map<std::string, ArrayRef> scales;
  for (size_t i = 0; i < arrays.names.size(); ++i) {
    if (!is_scale(arrays.names[i])) continue;
    if (!arrays.arrays[i]) fail(Status::format, "[expand_weights] '", arrays.names[i], "' has no value");
    scales[arrays.names[i]] = arrays.arrays[i];
  }
  NamedArrays out;
  for (size_t i = 0; i < arrays.names.size(); ++i) {
    const std::string& name = arrays.names[i];
    if (is_scale(name)) continue;
    ArrayRef array = arrays.arrays[i];
    const auto scale = scales.find(name + kScaleEnd);
    if (array && scale != scales.end()) {
      array = from_integers(name, array, scale->second);
      scales.erase(scale);
    }
    out.names.push_back(name);
    out.arrays.push_back(std::move(array));
  }
  if (!scales.empty()) {
    fail(Status::format, "[expand_weights] '", scales.begin()->first, "' is the scale of no array");
  }
  return out;
}

ArrayRef expand_half(const ArrayRef& array) { return expanded(array, ArrayRef()); }

NamedArrays expand_weights(NamedArrays arrays) {
  NamedArrays out = expand_integers(std::move(arrays));
  for (ArrayRef& array : out.arrays) {
    if (array && array->dtype() == DType::float16) array = expand_half(array);
  }
  return out;
}

}  // namespace mixgrad
