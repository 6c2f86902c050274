// What the nodes and values of graphs point to: shapes, names, parameters, constants. Kept in one place, so that nodes and
// values are small and plain, and copying, moving and freeing a large graph costs little more than its bytes.
#pragma once

#include <string>
#include <vector>

#include "base/intrusive.h"
#include "graph/symbol.h"

namespace mixgrad {

// A shape of a pool. Reads like the Shape it stands for; shapes of one pool are equal if they are the same.
class PooledShape {
 public:
  PooledShape();  // unknown
  operator const Shape&() const { return *shape_; }
  const Shape& get() const { return *shape_; }
  bool known() const { return shape_->known(); }
  int ndim() const { return shape_->ndim(); }
  int64_t size() const { return shape_->size(); }
  int64_t operator[](int i) const { return (*shape_)[i]; }
  std::string str() const { return shape_->str(); }
  bool operator==(const PooledShape& other) const {
    return shape_ == other.shape_ || *shape_ == *other.shape_;
  }
  bool operator!=(const PooledShape& other) const { return !(*this == other); }
  bool operator==(const Shape& other) const { return *shape_ == other; }
  bool operator!=(const Shape& other) const { return *shape_ != other; }

 private:
  friend class GraphPool;
  explicit PooledShape(const Shape* shape) : shape_(shape) {}
  const Shape* shape_;
};

// A name and what a pass puts behind it ("fc1", "_backward"), joined only when somebody asks.
class NodeName {
 public:
  NodeName() = default;
  // `text` belongs to a pool or to a symbol's node; `ending` is a literal.
  explicit NodeName(const std::string& text, const char* ending = "") : text_(&text), ending_(ending) {}
  bool empty() const { return !text_ || (text_->empty() && !*ending_); }
  bool plain() const { return !*ending_; }
  std::string str() const { return text_ ? *text_ + ending_ : std::string(); }
  operator std::string() const { return str(); }
  bool operator==(const std::string& other) const;
  // The same with an ending; this one has none.
  NodeName with(const char* ending) const { return text_ ? NodeName(*text_, ending) : NodeName(); }

 private:
  const std::string* text_ = nullptr;
  const char* ending_ = "";
};
inline std::string operator+(const NodeName& name, const std::string& more) { return name.str() + more; }
inline std::string operator+(const std::string& before, const NodeName& name) { return before + name.str(); }

// Row-major elements in host memory.
struct ConstantData {
  std::vector<char> bytes;
};

// Grows only; what it holds stays where it is while the pool lives. Shared by a graph and all graphs that passes make of it.
// Threads: one at a time adds; what was added may be read by any.
class GraphPool : public Counted<GraphPool> {
 public:
  GraphPool() = default;
  GraphPool(const GraphPool&) = delete;
  GraphPool& operator=(const GraphPool&) = delete;
  ~GraphPool();

  PooledShape keep(const Shape& shape);
  NodeName keep(const std::string& name);
  const ParamsBox* keep(ParamsRef params);
  const ConstantData* keep(ConstantData data);
  // Its nodes, with their names and parameters.
  void keep(const Symbol& symbol);

 private:
  struct Held {
    void* object;
    void (*end)(void* object);
  };
  template <class T>
  const T& hold(T object);
  const Shape*& spot_of(const Shape& shape);
  void make_room();

  std::vector<Held> held_;
  std::vector<const Shape*> shapes_;  // open addressing, a power of two, at most half of them in use
  size_t num_shapes_ = 0;
  const Shape* last_shape_ = nullptr;
};

}  // namespace mixgrad
