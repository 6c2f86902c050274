// Runs kernels on arrays through the engine: at once in the caller's thread when the work is small and its memory idle,
// as a task otherwise.
#pragma once

#include "array/array.h"
#include "exec/imperative/mode.h"
#include "op/op.h"

namespace mixgrad {

// Operands of one kernel call. Outputs come last in `operands`.
struct Operand {
  Chunk* chunk = nullptr;  // null: absent
  size_t offset = 0;
  const Shape* shape = nullptr;
  DType dtype = DType::float32;

  Operand() = default;
  explicit Operand(const Array& array)
      : chunk(&array.chunk()), offset(array.offset()), shape(&array.shape()), dtype(array.dtype()) {}
};

enum class CallKind : uint8_t { forward, backward };

// Everything a task needs. While it runs in the caller's thread it borrows; a queued task owns a copy.
struct CallFrame {
  const Op* op = nullptr;
  const ParamsBox* params = nullptr;
  CallKind kind = CallKind::forward;
  bool training = false;
  int priority = 0;          // as in engine::TaskInfo
  Stream* stream = nullptr;  // where the work goes, null on the host; push_call sets it
  RandomStream random{0, 0};
  int num_out_grads = 0, num_inputs = 0, num_saved_outputs = 0;  // backward: how the operands divide
  int num_operands = 0, num_outputs = 0;
  Operand* operands = nullptr;
};

// Pushes the frame. `name` appears in errors and profiles and outlives the task.
void push_call(CallFrame& frame, const char* name, double cost_ns);

}  // namespace mixgrad
