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

GraphPool::~GraphPool() {
  for (const Held& held : held_) held.end(held.object);
}

namespace {

template <class T>
void end_held(void* held) {
  delete static_cast<T*>(held);
}

}  // namespace

template <class T>
const T& GraphPool::hold(T object) {
  held_.push_back({nullptr, end_held<T>});
  T* const held = new T(std::move(object));
  held_.back().object = held;
  return *held;
}

// Where the shape is, or null where it would be.
const Shape*& GraphPool::spot_of(const Shape& shape) {
  uint64_t hash = static_cast<uint64_t>(shape.ndim());
  for (const int64_t extent : shape) {
    hash = (hash ^ static_cast<uint64_t>(extent)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  size_t at = hash;
  do {
    at = (at + 1) & (shapes_.size() - 1);
  } while (shapes_[at] && *shapes_[at] != shape);
  return shapes_[at];
}

void GraphPool::make_room() {
  if (2 * num_shapes_ < shapes_.size()) return;
  std::vector<const Shape*> before(shapes_.empty() ? 32 : 2 * shapes_.size(), nullptr);
  before.swap(shapes_);
  for (const Shape* shape : before) {
    if (shape) spot_of(*shape) = shape;
  }
}

PooledShape GraphPool::keep(const Shape& shape) {
  if (!shape.known_rank()) return PooledShape();
  // Neighbouring values often have one shape.
  if (last_shape_ && *last_shape_ == shape) return PooledShape(last_shape_);
  make_room();
  const Shape*& spot = spot_of(shape);
  if (!spot) {
    spot = &hold(shape);
    ++num_shapes_;
  }
  last_shape_ = spot;
  return PooledShape(spot);
}

NodeName GraphPool::keep(const std::string& name) { return NodeName(hold(name)); }

const ParamsBox* GraphPool::keep(ParamsRef params) { return hold(std::move(params)).get(); }

const ConstantData* GraphPool::keep(ConstantData data) { return &hold(std::move(data)); }

void GraphPool::keep(const Symbol& symbol) { hold(symbol); }

}  // namespace mixgrad
