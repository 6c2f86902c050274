// Executors over the random networks of graph_random.h, and their results.
#pragma once

#include <cmath>
#include <cstring>

#include "exec/planned/executor.h"
#include "graph_random.h"

namespace exec_random {

using namespace mixgrad;

inline ArrayRef array_of(const std::vector<float>& x, const Shape& shape) {
  return Array::from_host(x.data(), shape, DType::float32, Device());
}

// Variables hold graph_random::numbers; gradient arrays numbers("grad"). Heads may be shared by several executors.
inline ExecutorArrays arrays_for(const Symbol& net, GradientRequest request = GradientRequest::write) {
  const Graph graph = infer(flatten(net));
  ExecutorArrays arrays;
  for (NodeId n : graph.arguments) {
    const Shape& shape = graph.values[graph.nodes[n].first_value].shape;
    arrays.arguments.push_back(array_of(graph_random::numbers(graph.nodes[n].name, shape.size()), shape));
    arrays.gradients.push_back(array_of(graph_random::numbers("grad", shape.size()), shape));
    arrays.requests.push_back(request);
  }
  for (NodeId n : graph.auxiliaries) {
    const Shape& shape = graph.values[graph.nodes[n].first_value].shape;
    arrays.auxiliaries.push_back(array_of(graph_random::numbers(graph.nodes[n].name, shape.size()), shape));
  }
  return arrays;
}

inline std::vector<ArrayRef> ones_like(const std::vector<ArrayRef>& outputs) {
  std::vector<ArrayRef> ones;
  for (const ArrayRef& out : outputs)
    ones.push_back(array_of(std::vector<float>(static_cast<size_t>(out->size()), 1.0f), out->shape()));
  return ones;
}

inline std::vector<char> bytes_of(const ArrayRef& array) {
  std::vector<char> bytes(array->bytes());
  array->copy_to_host(bytes.data());
  return bytes;
}

inline std::vector<std::vector<char>> bytes_of(const std::vector<ArrayRef>& arrays) {
  std::vector<std::vector<char>> out;
  for (const ArrayRef& a : arrays) out.push_back(a ? bytes_of(a) : std::vector<char>());
  return out;
}

// Forward and backward with gradients of ones.
inline graph_random::Results train_once(Executor& executor) {
  executor.forward(true);
  const std::vector<ArrayRef> ones = ones_like(executor.outputs());
  std::vector<Array*> heads;
  for (const ArrayRef& a : ones) heads.push_back(a.get());
  executor.backward(heads);
  return {bytes_of(executor.outputs()), bytes_of(executor.arrays().gradients),
          bytes_of(executor.arrays().auxiliaries)};
}

inline bool near_bytes(const std::vector<char>& a, const std::vector<char>& b, float tolerance) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); i += sizeof(float)) {
    float x, y;
    std::memcpy(&x, &a[i], sizeof x);
    std::memcpy(&y, &b[i], sizeof y);
    if (!(std::fabs(x - y) <= tolerance * (1 + std::fabs(x)))) return false;
  }
  return true;
}

inline bool near_all(const std::vector<std::vector<char>>& a, const std::vector<std::vector<char>>& b,
                     float tolerance) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!near_bytes(a[i], b[i], tolerance)) return false;
  }
  return true;
}

inline bool near_results(const graph_random::Results& a, const graph_random::Results& b, float tolerance) {
  return near_all(a.heads, b.heads, tolerance) && near_all(a.gradients, b.gradients, tolerance) &&
         near_all(a.states, b.states, tolerance);
}

}  // namespace exec_random
