// Random networks for the tests of passes, and running flat graphs one node at a time.
#pragma once

#include <random>

#include "graph/evaluate.h"
#include "graph/passes/gradient.h"
#include "graph/passes/infer.h"

namespace graph_random {

using namespace mixgrad;

inline Symbol apply_op(const char* op, std::vector<SymbolInput> inputs, const std::string& name,
                       std::vector<NamedValue> params = {}) {
  return Symbol::call(find_op(op), params, name, {}, inputs);
}

// A network over values of shape (3, 4) that ends in one or two heads; variables have __shape__.
inline Symbol network(std::mt19937& random, int size, bool with_random_ops) {
  Attributes shape;
  shape.set("__shape__", "(3, 4)");
  std::vector<Symbol> pool;
  for (int i = 0; i < 3; ++i) pool.push_back(Symbol::variable("x" + std::to_string(i), shape));
  const auto pick = [&] {
    return SymbolInput{"", pool[pool.size() - 1 - random() % std::min<size_t>(pool.size(), 5)]};
  };
  for (int i = 0; i < size; ++i) {
    const std::string name = "n" + std::to_string(i);
    const Value count(2), hidden(4), one(1.0), half(0.5);
    switch (random() % (with_random_ops ? 16 : 15)) {
      case 0: pool.push_back(apply_op("relu", {pick()}, name)); break;
      case 1: pool.push_back(apply_op("tanh", {pick()}, name)); break;
      case 2: pool.push_back(apply_op("elemwise_add", {pick(), pick()}, name)); break;
      case 3: pool.push_back(apply_op("elemwise_mul", {pick(), pick()}, name)); break;
      case 4: pool.push_back(apply_op("FullyConnected", {pick()}, name, {{"num_hidden", hidden}})); break;
      case 5: pool.push_back(apply_op("BatchNorm", {pick()}, name, {{"fix_gamma", Value(false)}})); break;
      case 6: pool.push_back(apply_op("BlockGrad", {pick()}, name)); break;
      case 7: pool.push_back(apply_op("_mul_scalar", {pick()}, name, {{"scalar", one}})); break;
      case 8: pool.push_back(apply_op("_plus_scalar", {pick()}, name, {{"scalar", half}})); break;
      case 9: {
        const Symbol joined = apply_op("Concat", {pick(), pick()}, name);
        const Symbol parts = apply_op("SliceChannel", {{"", joined}}, name + "s", {{"num_outputs", count}});
        for (size_t k = 0; k < parts.size(); ++k) pool.push_back(parts.output(k));
        break;
      }
      case 10: {
        const Symbol sum = apply_op("sum", {pick()}, name, {{"axis", Value(1)}, {"keepdims", Value(true)}});
        pool.push_back(apply_op("broadcast_mul", {pick(), {"", sum}}, name + "b"));
        break;
      }
      case 11: pool.push_back(apply_op("add_n", {pick(), pick(), pick()}, name)); break;
      case 12: pool.push_back(apply_op("ones_like", {pick()}, name)); break;
      case 13: pool.push_back(apply_op("_copy", {pick()}, name)); break;
      case 14:
        pool.push_back(apply_op("Activation", {pick()}, name, {{"act_type", Value("sigmoid")}}));
        break;
      default: pool.push_back(apply_op("Dropout", {pick()}, name)); break;
    }
  }
  const Symbol loss = apply_op("SoftmaxOutput", {{"", pool.back()}}, "softmax");
  if (random() % 3 == 0) return loss;
  const Symbol second = apply_op(random() % 2 ? "MakeLoss" : "tanh", {pick()}, "second");
  return Symbol::group(std::vector<Symbol>{loss, second});
}

// Numbers for a variable, the same for the same name.
inline std::vector<float> numbers(const std::string& name, int64_t size) {
  std::mt19937 random(static_cast<uint32_t>(std::hash<std::string>()(name)));
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> out(static_cast<size_t>(size));
  for (float& x : out)
    x = name.find("label") == std::string::npos ? uniform(random) : static_cast<float>(random() % 4);
  if (name.find("moving_var") != std::string::npos) {
    for (float& x : out) x += 2;
  }
  return out;
}

struct Results {
  std::vector<std::vector<char>> heads, gradients, states;
};

// Runs a whole graph; variables by numbers(), head gradients ones, gradient arrays numbers("grad").
inline Results run(const Graph& graph) {
  HostValues values(graph.values.size());
  for (const GraphNode& node : graph.nodes) {
    if (node.kind != GraphNodeKind::variable) continue;
    const GraphValue& value = graph.values[node.first_value];
    std::vector<float> x =
        numbers(node.role == VariableRole::gradient ? "grad" : node.name.str(), value.shape.size());
    if (node.role == VariableRole::head_gradient) x.assign(x.size(), 1.0f);
    const char* bytes = reinterpret_cast<const char*>(x.data());
    values[node.first_value].assign(bytes, bytes + x.size() * sizeof(float));
  }
  evaluate(graph, 0, static_cast<NodeId>(graph.nodes.size()), values, 7);
  Results results;
  const auto take = [&](ValueId v) {
    std::vector<char> bytes = values[v];
    bytes.resize(static_cast<size_t>(graph.values[v].bytes()));
    return bytes;
  };
  for (ValueId v : graph.heads) results.heads.push_back(take(v));
  for (ValueId v : graph.gradients) results.gradients.push_back(v == kNone ? std::vector<char>() : take(v));
  for (NodeId n : graph.auxiliaries) results.states.push_back(take(graph.nodes[n].first_value));
  return results;
}

}  // namespace graph_random
