// Several pointwise calls run as one: tile by tile, with what lies between them in a scratch that stays in cache.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "launch/pointwise.h"
#include "op/op.h"

namespace mixgrad {

// Calls over elements of one shape, in running order. Values are numbered: first the group's inputs, then what the calls
// make, call by call. Immutable once shared.
struct PointwiseGroup {
  static constexpr uint32_t kAbsent = ~uint32_t{0};  // an operand or a result without elements

  // A forward call of an operator that is by_element, or a backward call of one that is backward_by_element. Operands
  // are those of the graph's node, see GraphNode.
  struct Call {
    const Op* op = nullptr;
    const void* params = nullptr;  // its parameters, which belong to the graph's pool
    bool backward = false, training = false;
    uint32_t num_out_grads = 0, num_inputs = 0;             // of backward calls
    uint32_t first = 0, num_operands = 0, num_results = 0;  // in `numbers`: operands, then results
  };

  Shape shape;  // of every result; inputs broadcast to it
  uint32_t num_inputs = 0;
  std::vector<Call> calls;
  std::vector<uint32_t> numbers;  // of the values that the calls read and make
  std::vector<DType> dtypes;      // of every value
  std::vector<uint32_t> outputs;  // the made values that are wanted

  // What was decided from all this by finish().
  struct Place {
    uint32_t output = kAbsent;   // among outputs
    uint32_t slot_at = kAbsent;  // of values in the scratch: bytes per element of the slots before its own
    uint32_t last_use = 0;       // the last call that reads it
    uint32_t made_by = 0;
  };
  std::vector<Place> places;    // per value
  size_t slot_bytes = 0;        // of all slots, per element
  std::vector<TileFn> direct;   // per call its loop, none where operands are of several dtypes
  double cost_per_element = 0;  // nanoseconds on one core

  Span<const uint32_t> operands_of(const Call& call) const {
    return {numbers.data() + call.first, call.num_operands};
  }
  Span<const uint32_t> results_of(const Call& call) const {
    return {numbers.data() + call.first + call.num_operands, call.num_results};
  }

  // Plans the scratch; called once, when the rest is filled in.
  void finish();
};

// The operator of such calls. Its parameters are a PointwiseGroupParams made here; graphs get it from the pass
// `pointwise`, and it is not in the registry.
const Op& pointwise_group_op();
ParamsRef pointwise_group_params(std::shared_ptr<const PointwiseGroup> group);

}  // namespace mixgrad
