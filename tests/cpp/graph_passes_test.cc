// Passes: inference, gradients against the tape, and random graphs that every subset of passes leaves alone.
#include <cmath>
#include <cstring>

#include "check.h"
#include "exec/imperative/invoke.h"
#include "exec/tape/tape.h"
#include "graph/plan.h"
#include "graph_random.h"

using namespace mixgrad;
using graph_random::apply_op;

namespace {

Symbol shaped_variable(const char* name, const char* shape) {
  Attributes attributes;
  attributes.set("__shape__", shape);
  return Symbol::variable(name, attributes);
}

std::string shape_of(const Graph& graph, const char* name) {
  return graph.values[find_variable(graph, name)].shape.str();
}

size_t count_calls(const Graph& graph) {
  size_t n = 0;
  for (const GraphNode& node : graph.nodes) n += node.is_call();
  return n;
}

bool near_bytes(const std::vector<char>& a, const std::vector<char>& b, float tolerance) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); i += sizeof(float)) {
    float x, y;
    std::memcpy(&x, &a[i], sizeof x);
    std::memcpy(&y, &b[i], sizeof y);
    if (!(std::fabs(x - y) <= tolerance * (1 + std::fabs(x)))) return false;
  }
  return true;
}

void check_equal(const std::vector<std::vector<char>>& a, const std::vector<std::vector<char>>& b,
                 float tolerance) {
  CHECK_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) CHECK(near_bytes(a[i], b[i], tolerance));
}

// The same network by the tape: outputs and gradients of all arguments.
graph_random::Results run_on_tape(const Symbol& net, const Graph& graph) {
  const std::vector<Node*> order = nodes_in_order(net.outputs());
  std::vector<std::vector<ArrayRef>> made(order.size());
  std::vector<ArrayRef> arguments;
  std::vector<std::pair<const Node*, size_t>> places;
  const auto array_of = [&](const Entry& e) {
    for (const auto& [node, i] : places) {
      if (node == e.node.get()) return made[i][e.index];
    }
    return ArrayRef();
  };
  mode().recording = mode().training = true;
  graph_random::Results results;
  for (size_t i = 0; i < order.size(); ++i) {
    const Node& node = *order[i];
    if (node.is_variable()) {
      const Shape& shape = graph.values[find_variable(graph, node.name)].shape;
      ArrayRef array = Array::empty(shape, DType::float32, Device());
      const std::vector<float> x = graph_random::numbers(node.name, shape.size());
      array->chunk().ensure();
      std::memcpy(array->chunk().data(), x.data(), x.size() * sizeof(float));
      if (graph.nodes[graph.values[find_variable(graph, node.name)].node].role == VariableRole::argument) {
        mark_variable(*array, zeros_of(shape, DType::float32, Device()), GradientRequest::write);
        arguments.push_back(array);
      }
      made[i] = {array};
    } else {
      std::vector<ArrayRef> held, out(static_cast<size_t>(node.num_outputs()));
      std::vector<Array*> in;
      for (const Entry& e : node.inputs) {
        held.push_back(array_of(e));
        in.push_back(held.back().get());
      }
      invoke(*node.op, node.params, in, out);
      made[i] = out;
    }
    places.emplace_back(&node, i);
  }
  std::vector<ArrayRef> held;
  std::vector<Array*> heads;
  for (const Entry& e : net.outputs()) {
    held.push_back(array_of(e));
    heads.push_back(held.back().get());
  }
  run_backward(heads, {}, {});
  mode().recording = mode().training = false;
  engine::Engine::get().wait_for_all();
  const auto bytes_of = [](const ArrayRef& a) {
    const char* data = static_cast<const char*>(a->chunk().data()) + a->offset();
    return std::vector<char>(data, data + a->bytes());
  };
  for (const ArrayRef& a : held) results.heads.push_back(bytes_of(a));
  for (const ArrayRef& a : arguments) results.gradients.push_back(bytes_of(gradient_of(*a)));
  return results;
}

}  // namespace

TEST(graph_infer_goes_both_ways) {
  Symbol net =
      apply_op("FullyConnected", {{"", Symbol::variable("data")}}, "fc1", {{"num_hidden", Value(5)}});
  net = apply_op("relu", {{"", net}}, "relu");
  net = apply_op("elemwise_add", {{"", net}, {"", Symbol::variable("skip")}}, "sum");
  Graph graph = flatten(apply_op("SoftmaxOutput", {{"", net}}, "softmax"));
  graph.set_shape(find_variable(graph, "data"), {2, 7});
  graph = infer(graph);
  CHECK_EQ(shape_of(graph, "fc1_weight"), "(5, 7)");
  CHECK_EQ(shape_of(graph, "fc1_bias"), "(5,)");
  CHECK_EQ(shape_of(graph, "skip"), "(2, 5)");
  CHECK_EQ(shape_of(graph, "softmax_label"), "(2,)");
  CHECK_EQ(graph.values[0].dtype, DType::float32);
}

TEST(graph_infer_partial_and_errors) {
  const Symbol net =
      apply_op("FullyConnected", {{"", Symbol::variable("data")}}, "fc1", {{"num_hidden", Value(5)}});
  const Graph plain = flatten(apply_op("relu", {{"", net}}, "top"));
  Graph graph = plain;
  infer_shapes(graph, true);
  CHECK_EQ(shape_of(graph, "fc1_bias"), "(5,)");
  CHECK_EQ(shape_of(graph, "fc1_weight"), "(unknown)");
  CHECK_THROWS(infer_shapes(graph, false), shape, "'data' (unknown)");
  graph = plain;
  graph.set_shape(find_variable(graph, "data"), {2, 3});
  graph.set_shape(find_variable(graph, "fc1_weight"), {4, 4});
  CHECK_THROWS(infer_shapes(graph, false), shape, "path from the inputs: data (2, 3) -> 'fc1'");
  graph = plain;
  graph.values[find_variable(graph, "data")].dtype = DType::float16;
  graph.values[find_variable(graph, "fc1_weight")].dtype = DType::float32;
  CHECK_THROWS(infer_dtypes(graph, {}), dtype, "at node 'fc1'");
  CHECK_THROWS(find_variable(graph, "fc1_wight"), not_found, "nearest: fc1_weight");
}

TEST(graph_gradient_requests) {
  const Symbol x = shaped_variable("x", "(2, 2)"), y = shaped_variable("y", "(2, 2)"),
               z = shaped_variable("z", "(2, 2)");
  const Symbol sum = apply_op("elemwise_add", {{"", x}, {"", y}}, "sum");
  const Symbol net = Symbol::group(std::vector<Symbol>{sum, apply_op("BlockGrad", {{"", z}}, "stop")});
  const Graph forward = infer(flatten(net, {true}));
  GradientOptions options;
  options.requests = {GradientRequest::write, GradientRequest::add, GradientRequest::write};
  Graph graph = gradient(forward, options);
  check_graph(graph);
  CHECK(graph.gradients[0] != graph.gradients[1]);
  CHECK(graph.added_gradients[0] == kNone);
  CHECK(graph.added_gradients[1] != kNone);
  CHECK(graph.head_gradients[0] != kNone);
  CHECK(graph.head_gradients[1] == kNone);  // nothing reads it
  const auto results = graph_random::run(graph);
  const auto zeros = std::vector<char>(16, 0);
  CHECK(results.gradients[2] == zeros);
  options.requests[1] = GradientRequest::null;
  graph = gradient(forward, options);
  CHECK(graph.gradients[1] == kNone);
  options.requests.pop_back();
  CHECK_THROWS(gradient(forward, options), invalid_argument, "2 gradient requests for 3 arguments");
}

TEST(graph_losses_need_no_head_gradient) {
  const Symbol net = apply_op("SoftmaxOutput", {{"", shaped_variable("x", "(2, 3)")}}, "softmax");
  GradientOptions options;
  options.requests = {GradientRequest::write, GradientRequest::null};
  const Graph graph = gradient(infer(flatten(net, {true})), options);
  check_graph(graph);
  CHECK(graph.head_gradients[0] == kNone);
  CHECK_EQ(count_calls(graph), 2u);
}

TEST(graph_gradient_refuses_overwritten_values) {
  const Symbol x = shaped_variable("x", "(2, 2)"), m = shaped_variable("m", "(2, 2)");
  const Symbol product = apply_op("elemwise_mul", {{"", x}, {"", m}}, "product");
  const Symbol step = apply_op(
      "sgd_mom_update", {{"", shaped_variable("w", "(2, 2)")}, {"", shaped_variable("g", "(2, 2)")}, {"", m}},
      "step", {{"lr", Value(0.1)}});
  const Graph forward = infer(flatten(Symbol::group(std::vector<Symbol>{product, step}), {true}));
  GradientOptions options;
  for (NodeId n : forward.arguments)
    options.requests.push_back(forward.nodes[n].name == "x" ? GradientRequest::write : GradientRequest::null);
  CHECK_THROWS(gradient(forward, options), autograd, "'step' writes it in place");
}

TEST(graph_gradient_equals_the_tape) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const Symbol net = graph_random::network(random, 4 + static_cast<int>(seed % 12), false);
    const Graph graph = gradient(infer(flatten(net, {true})));
    check_graph(graph);
    const auto planned = graph_random::run(graph);
    const auto taped = run_on_tape(net, graph);
    check_equal(planned.heads, taped.heads, 1e-5f);
    check_equal(planned.gradients, taped.gradients, 1e-4f);
  }
}

TEST(graph_passes_keep_results) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(1000 + seed);
    const Symbol net = graph_random::network(random, 4 + static_cast<int>(seed % 14), true);
    const Graph whole = infer(flatten(net, {true}));
    GradientOptions requests;
    constexpr GradientRequest kKinds[] = {GradientRequest::null, GradientRequest::write,
                                          GradientRequest::add};
    for (size_t i = 0; i < whole.arguments.size(); ++i) requests.requests.push_back(kKinds[random() % 3]);
    const Graph graph = seed % 4 == 0 ? whole : gradient(whole, requests);
    const auto expected = graph_random::run(graph);
    for (const char* switches :
         {"all", "none", "none,prune", "none,common", "none,fold", "-prune", "-common", "-fold"}) {
      PassOptions options = with_switches({}, switches);
      int ran = 0;
      const PassWatcher watch = [&](const char*, const Graph& g) {
        check_graph(g);
        ++ran;
      };
      options.watch = &watch;
      const Graph simpler = simplify(graph, options);
      check_graph(simpler);
      const auto results = graph_random::run(simpler);
      check_equal(results.heads, expected.heads, 1e-6f);
      check_equal(results.gradients, expected.gradients, 1e-5f);
      check_equal(results.states, expected.states, 1e-6f);
      const Graph grouped = fuse_pointwise(simpler);
      check_graph(grouped);
      const auto same = graph_random::run(grouped);
      CHECK(same.heads == results.heads && same.gradients == results.gradients &&
            same.states == results.states);
    }
  }
}

TEST(graph_common_and_fold_shrink) {
  const Symbol x = shaped_variable("x", "(2, 2)");
  const auto twice = [&](const char* op, const char* name) {
    return SymbolInput{"", apply_op(op, {{"", x}}, name)};
  };
  const Graph same =
      infer(flatten(apply_op("elemwise_add", {twice("tanh", "a"), twice("tanh", "b")}, "sum")));
  CHECK_EQ(count_calls(simplify(same, {})), 2u);
  const Graph random =
      infer(flatten(apply_op("elemwise_add", {twice("Dropout", "a"), twice("Dropout", "b")}, "sum"), {true}));
  CHECK_EQ(count_calls(simplify(random, {})), 3u);
  const Shape two{2, 2};
  const TupleValue extents(two);
  const Symbol ones = apply_op("_ones", {}, "ones", {{"shape", extents}});
  const Symbol three = apply_op("_plus_scalar", {{"", ones}}, "three", {{"scalar", Value(2.0)}});
  const Graph constant = infer(flatten(apply_op("elemwise_mul", {{"", three}, {"", x}}, "product")));
  const Graph folded = simplify(constant, {});
  CHECK_EQ(count_calls(folded), 1u);
  CHECK_EQ(folded.nodes.size(), 3u);
  const Graph identity = infer(flatten(apply_op("elemwise_mul", {{"", ones}, {"", x}}, "product")));
  CHECK_EQ(count_calls(simplify(identity, {})), 0u);
}

TEST(graph_pass_switches) {
  CHECK_EQ(pass_names(with_switches({}, "none, +fold,common")), "common,fold");
  CHECK_EQ(pass_names(with_switches({}, "-fold")), "prune,common,fuse,layout,chain,pointwise");
  CHECK_THROWS(with_switches({}, "prun"), invalid_argument, "nearest: prune");
}

TEST(graph_plan_stages) {
  Symbol chain = shaped_variable("x", "(1000,)");
  for (int i = 0; i < 40; ++i) chain = apply_op("tanh", {{"", chain}}, "t" + std::to_string(i));
  const Graph forward = infer(flatten(chain, {true}));
  const GradientOptions every;
  std::string stages;
  const PassWatcher note = [&](const char* pass, const Graph& graph) {
    check_graph(graph);
    stages += std::string(pass) + " ";
  };
  PlanOptions options;
  options.passes = with_switches({}, "all");
  options.passes.watch = &note;
  options.watched = true;  // every call stays one
  CHECK_EQ(count_calls(plan_graph(forward, options).graph), 40u);
  CHECK_EQ(stages, "common fold prune ");
  options.gradients = &every;
  const GraphPlan kept = plan_graph(forward, options);
  check_memory_plan(kept.memory, kept.graph);

  RecomputeOptions half{RecomputeOptions::Goal::budget, kept.memory.bytes() / 2};
  options.recompute = &half;
  stages.clear();
  const GraphPlan again = plan_graph(forward, options);
  CHECK_EQ(stages, "gradient common fold prune recompute ");
  CHECK(again.memory.bytes() <= half.bytes);
  CHECK(count_calls(again.graph) > count_calls(kept.graph));

  options.recompute = nullptr;
  options.watched = false;
  stages.clear();
  CHECK(count_calls(plan_graph(forward, options).graph) < 10);
  CHECK_EQ(stages, "gradient common fold fuse layout prune pointwise ");
}

TEST(graph_dump_reads) {
  const Graph graph =
      gradient(infer(flatten(apply_op("tanh", {{"", shaped_variable("x", "(2,)")}}, "t"), {true})));
  const std::string text = dump(graph);
  CHECK(text.find("%1 (2,) float32 = tanh(%0)  't'") != std::string::npos);
  CHECK(text.find("-- backward --") != std::string::npos);
  CHECK(text.find("gradient of 'x'") != std::string::npos);
}

TEST(graph_passes_are_linear) {
  // 100 thousand nodes: anything quadratic would not come back.
  Symbol chain = shaped_variable("x", "(2,)");
  for (int i = 0; i < 50000; ++i) {
    chain = apply_op("tanh", {{"", chain}}, "t");
    chain = apply_op("elemwise_add", {{"", chain}, {"", chain}}, "s");
  }
  const Graph graph = simplify(gradient(infer(flatten(chain, {true}))), {});
  CHECK(graph.nodes.size() > 200000u);
}

TEST(graph_common_is_linear_in_slices) {
  // 20 thousand calls on one value that differ in their parameters only.
  const Symbol x = shaped_variable("x", "(20000, 2)");
  std::vector<SymbolInput> parts;
  for (int i = 0; i < 20000; ++i) {
    parts.push_back({"", apply_op("slice_axis", {{"", x}}, "part",
                                  {{"axis", Value(0)}, {"begin", Value(i)}, {"end", Value(i + 1)}})});
  }
  const Graph graph = infer(flatten(apply_op("add_n", parts, "sum")));
  CHECK_EQ(merge_common(graph, 0).nodes.size(), graph.nodes.size());
}
