#include "kvstore/reduce.h"

#include <vector>

#include "exec/imperative/call.h"

namespace mixgrad::kvstore {
namespace {

bool can_read(Device device, const Array& array) {
  return array.device() == device || (array.device().is_host() && device.is_host());
}

void push_frame(const Op& op, std::vector<Operand>& operands, const char* name, double cost_ns,
                int priority) {
  CallFrame frame;
  frame.op = &op;
  frame.params = op.defaults.get();
  frame.num_outputs = 1;
  frame.num_operands = static_cast<int>(operands.size());
  frame.num_inputs = frame.num_operands - 1;
  frame.operands = operands.data();
  frame.priority = priority;
  push_call(frame, name, cost_ns);
}

}  // namespace

void copy_into(Array& value, Array& out, int priority) {
  if (&value.chunk() == &out.chunk() && value.offset() == out.offset()) return;
  static const Op& copy = find_op("_copyto");
  std::vector<Operand> operands{Operand(value), Operand(out)};
  push_frame(copy, operands, "kvstore_copy", static_cast<double>(value.size()) * 2 * copy.element_cost,
             priority);
}

void sum_into(Span<Array* const> values, Array& out, int priority) {
  if (values.size() == 1) return copy_into(*values[0], out, priority);
  static const Op& add = find_op("add_n");
  std::vector<Operand> operands;
  std::vector<Shape> shapes;
  std::vector<ArrayRef> staged;  // copies on the output's device, kept until the sum is pushed
  for (Array* value : values) {
    shapes.push_back(value->shape());
    if (!can_read(out.device(), *value)) {
      staged.push_back(Array::empty(value->shape(), value->dtype(), out.device()));
      copy_into(*value, *staged.back(), priority);
      value = staged.back().get();
    }
    operands.push_back(Operand(*value));
  }
  operands.push_back(Operand(out));
  push_frame(add, operands, "kvstore_sum", add.cost(add.defaults->data(), shapes, out.size()), priority);
}

}  // namespace mixgrad::kvstore
