#include "kvstore/reduce.h"

#include "array/sparse.h"
#include "exec/imperative/call.h"
#include "exec/imperative/invoke.h"
#include "exec/sparse/sparse.h"

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

ArrayRef sum_of(Span<Array* const> values, Device device) {
  const Unrecorded quiet;
  bool rows = true;
  for (const Array* value : values) rows &= value->sparse();
  std::vector<ArrayRef> held;
  std::vector<Array*> in;
  for (Array* value : values) {
    ArrayRef here(value);
    if (!rows) here = sparse::to_storage(*value, Storage::dense);
    if (here->device() != device) {
      const ArrayRef there = rows ? empty_sparse(Storage::row_sparse, here->shape(), here->dtype(), device)
                                  : Array::empty(here->shape(), here->dtype(), device);
      copy_array(*here, *there);
      here = there;
    }
    held.push_back(here);
    in.push_back(here.get());
  }
  if (held.size() == 1) return held[0];
  static const Op& add = find_op("add_n");
  const NamedValue count[] = {{"num_args", static_cast<int64_t>(in.size())}};
  ArrayRef sum;
  invoke(add, make_params(add, count), in, Span<ArrayRef>(&sum, 1));
  return sum;
}

void copy_any(Array& value, Array& out, int priority) {
  if (!value.sparse() && !out.sparse()) return copy_into(value, out, priority);
  const Unrecorded quiet;
  copy_array(value, out);
}

void copy_rows(Array& value, const std::vector<int64_t>& rows, Array& out) {
  const Unrecorded quiet;
  copy_array(*sparse::pick_rows(value, rows), out);
}

}  // namespace mixgrad::kvstore
