#include "kvstore/compression/feedback.h"

#include "engine/engine.h"
#include "kvstore/compression/codec.h"
#include "kvstore/reduce.h"

namespace mixgrad::kvstore {
namespace {

// A pass over the elements and back, in nanoseconds each.
constexpr double kCodecCost = 2;

float* floats_for_writing(const ArrayRef& array) {
  array->chunk().ensure();
  return reinterpret_cast<float*>(static_cast<char*>(array->chunk().data()) + array->offset());
}

}  // namespace

std::vector<ArrayRef> Feedback::sent(const Compression& compression, Span<Array* const> values,
                                     int priority) {
  std::vector<ArrayRef> sent;
  for (size_t i = 0; i < values.size(); ++i) {
    ArrayRef value = values[i]->alias();
    if (!value->device().is_host()) {
      const ArrayRef here = Array::empty(value->shape(), DType::float32, Device::cpu());
      copy_into(*value, *here, priority);
      value = here;
    }
    if (residuals_.size() <= i)
      residuals_.push_back(Array::zeros(value->shape(), DType::float32, Device::cpu()));
    const ArrayRef& residual = residuals_[i];
    const ArrayRef out = Array::empty(value->shape(), DType::float32, Device::cpu());
    const auto work = [compression, value, residual, out] {
      const auto elements = static_cast<uint64_t>(out->size());
      value->chunk().ensure_for_reading();
      const auto* const gradient =
          reinterpret_cast<const float*>(static_cast<const char*>(value->chunk().data()) + value->offset());
      const uint64_t bytes = compressed_bytes(compression, elements);
      std::vector<uint64_t> room(bytes / sizeof(uint64_t) + 1);
      const protocol::Format format =
          compress(compression, gradient, floats_for_writing(residual), elements, room.data());
      decompress(format, room.data(), floats_for_writing(out));
    };
    engine::TaskInfo info;
    info.name = "kvstore_compress";
    info.priority = priority;
    info.cost_ns = static_cast<uint64_t>(kCodecCost * static_cast<double>(out->size()));
    engine::Var* const reads[] = {&value->chunk(), &residual->chunk()};
    engine::Var* const writes[] = {&residual->chunk(), &out->chunk()};
    engine::Engine::get().push(work, reads, writes, info);
    sent.push_back(out);
  }
  return sent;
}

}  // namespace mixgrad::kvstore
