#include "graph/graph_pool.h"

#include <cstring>

namespace mixgrad {
namespace {

const Shape& unknown_shape() {
  static const Shape shape = Shape::unknown();
  return shape;
}

}  // namespace

PooledShape::PooledShape() : shape_(&unknown_shape()) {}

bool NodeName::operator==(const std::string& other) const {
  if (!text_) return other.empty();
  const size_t length = text_->size();
  return other.compare(0, length, *text_) == 0 && other.size() >= length &&
         std::strcmp(other.c_str() + length, ending_) == 0;
}

size_t GraphPool::Hash::operator()(const Shape* shape) const {
  uint64_t hash = static_cast<uint64_t>(shape->ndim());
  for (const int64_t extent : *shape) {
    hash = (hash ^ static_cast<uint64_t>(extent)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

PooledShape GraphPool::keep(const Shape& shape) {
  if (!shape.known_rank()) return PooledShape();
  // Neighbouring values often have one shape.
  if (last_shape_ && *last_shape_ == shape) return PooledShape(last_shape_);
  const auto found = known_shapes_.find(&shape);
  if (found != known_shapes_.end()) {
    last_shape_ = *found;
  } else {
    last_shape_ = shapes_.emplace_back(std::make_unique<const Shape>(shape)).get();
    known_shapes_.insert(last_shape_);
  }
  return PooledShape(last_shape_);
}

NodeName GraphPool::keep(const std::string& name) {
  return NodeName(*names_.emplace_back(std::make_unique<const std::string>(name)));
}

const ParamsBox* GraphPool::keep(ParamsRef params) {
  params_.push_back(std::move(params));
  return params_.back().get();
}

const ConstantData* GraphPool::keep(ConstantData data) {
  return constants_.emplace_back(std::make_unique<const ConstantData>(std::move(data))).get();
}

}  // namespace mixgrad
