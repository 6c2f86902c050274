// What gradients are written with: a handle to an array or to a graph node, and the builder that applies
// operators to either, so that one gradient serves the tape, higher orders and symbolic graphs.
#pragma once

#include <initializer_list>

#include "base/intrusive.h"
#include "base/span.h"
#include "base/value.h"
#include "op/params.h"

namespace mixgrad {

class Op;

// Base of arrays and graph values. shape() and dtype() never block.
class TensorBase {
 public:
  virtual const Shape& shape() const = 0;
  virtual DType dtype() const = 0;
  void retain() const { count_.fetch_add(1, std::memory_order_relaxed); }
  void count_first() const { count_.store(1, std::memory_order_relaxed); }
  void release() const {
    if (count_.load(std::memory_order_acquire) == 1 || count_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      const_cast<TensorBase*>(this)->destroy();
    }
  }
  bool unique() const { return count_.load(std::memory_order_acquire) == 1; }

 protected:
  virtual ~TensorBase() = default;
  virtual void destroy() { delete this; }

 private:
  mutable std::atomic<int> count_{0};
};

using Tensor = Ref<TensorBase>;

struct NamedValue {
  const char* name;
  Value value;
};

// A tuple of integers as a parameter value: {"axes", TupleValue(axes)}. It owns the items and must outlive the Value.
class TupleValue {
 public:
  explicit TupleValue(const Shape& items) : count_(static_cast<uint32_t>(items.ndim())) {
    for (uint32_t i = 0; i < count_; ++i) items_[i] = Value(items[static_cast<int>(i)]);
  }
  operator Value() const { return Value(items_, count_); }

 private:
  uint32_t count_;
  Value items_[kMaxDims];
};

// Applies operators. Each thread has a current builder while a gradient runs.
class Builder {
 public:
  virtual ~Builder() = default;
  // outputs.size() is the operator's number of outputs under these params.
  virtual void call(const Op& op, const ParamsRef& params, Span<const Tensor> inputs,
                    Span<Tensor> outputs) = 0;
  static Builder& current();

  // Makes `builder` current on this thread for a scope.
  class Scope {
   public:
    explicit Scope(Builder& builder);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Builder* previous_;
  };
};

// Applies the operator of that name to the inputs with the named parameters; gives its first output.
Tensor apply(const char* op, std::initializer_list<Tensor> inputs,
             std::initializer_list<NamedValue> params = {});
Tensor apply(const char* op, Span<const Tensor> inputs, Span<const NamedValue> params);
// The same, giving all outputs.
std::vector<Tensor> apply_all(const char* op, Span<const Tensor> inputs, Span<const NamedValue> params);

// Arithmetic with NumPy broadcasting.
Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator+(const Tensor& a, double s);
Tensor operator-(const Tensor& a, double s);
Tensor operator-(double s, const Tensor& a);
Tensor operator*(const Tensor& a, double s);
inline Tensor operator*(double s, const Tensor& a) { return a * s; }
Tensor operator/(const Tensor& a, double s);
Tensor operator-(const Tensor& a);

Tensor zeros_like(const Tensor& a);
Tensor ones_like(const Tensor& a);
// Sums over the axes along which `shape` was broadcast, giving back `shape`.
Tensor sum_to(const Tensor& a, const Shape& shape);
Tensor reshape_to(const Tensor& a, const Shape& shape);
Tensor broadcast_to(const Tensor& a, const Shape& shape);
Tensor cast_to(const Tensor& a, DType dtype);
// a where condition is not zero, else b; shapes broadcast.
Tensor select(const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor sum_axes(const Tensor& a, const Shape& axes, bool keepdims);
// For each element the product of the others that meet it in a product over axes: its derivative. Derivatives of this are right, too,
// unless two of the others are 0.
Tensor product_of_others(const Tensor& x, const Shape& axes);
Tensor transpose_axes(const Tensor& a, const Shape& axes);

}  // namespace mixgrad
