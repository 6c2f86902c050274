// Operators that the program itself defines: the calls of "Custom" by type.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "array/array.h"
#include "base/fields.h"

namespace mixgrad::custom {

// One operator at work: what belongs to one node of a bound graph, or to one call on arrays. Its calls do not overlap. Arrays are
// its own: what they hold when a call returns is the result.
class Operator {
 public:
  virtual ~Operator() = default;
  struct Arrays {
    std::vector<ArrayRef> inputs, outputs, states, out_grads, in_grads;  // gradients: of backward
  };
  virtual void forward(bool training, const Arrays& arrays) = 0;
  // `wanted`: per input whether its gradient is read.
  virtual void backward(const Arrays& arrays, const std::vector<bool>& wanted) = 0;
};

// What a type's operators are under some parameters. One for each node or call that has its own parameters; any thread.
class Properties {
 public:
  virtual ~Properties() = default;
  Strings arguments, outputs, states;
  bool is_loss = false;  // backward does not depend on the gradients of the outputs
  // Arguments, outputs, states; what is not known yet is as Shape and DType have it. Fills in what follows.
  virtual void infer_shape(Span<Shape> shapes) = 0;
  virtual void infer_dtype(Span<DType> dtypes) = 0;
  // Arguments and states are known by then.
  virtual std::unique_ptr<Operator> make_operator(Device device, Span<const Shape> shapes,
                                                  Span<const DType> dtypes) = 0;
};

class Type {
 public:
  virtual ~Type() = default;
  virtual std::unique_ptr<Properties> make_properties(const NamedTexts& parameters) = 0;
};

// Takes the place of a type of that name; what was made of that stays as it is. Any thread.
void register_type(const std::string& name, std::shared_ptr<Type> type);
Strings type_names();

}  // namespace mixgrad::custom
