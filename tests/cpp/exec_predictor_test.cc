// Predictors: outputs whatever they are heads of, steps, watchers, other shapes, failures.
#include "exec/planned/predictor.h"

#include "check.h"
#include "exec_random.h"

using namespace mixgrad;
using namespace exec_random;
using graph_random::apply_op;

namespace {

Symbol group(std::vector<Symbol> heads) { return Symbol::group(heads); }

Ref<Network> network_of(const Symbol& symbol, const ParameterMap& parameters = {}) {
  const Ref<Network> network(new Network);
  network->symbol = symbol;
  network->parameters = parameters;
  return network;
}

std::vector<float> floats_of(const ArrayRef& array) {
  std::vector<float> out(static_cast<size_t>(array->size()));
  array->copy_to_host(out.data());
  return out;
}

void give(const Predictor& predictor, const char* name, std::vector<float> values) {
  predictor.variable(name).copy_from_host(values.data());
}

}  // namespace

TEST(predictor_outputs_may_be_variables_or_equal) {
  const Symbol x = Symbol::variable("x");
  const Symbol twice = apply_op("_mul_scalar", {{"", x}}, "twice", {{"scalar", Value(2.0)}});
  const Symbol again = apply_op("_mul_scalar", {{"", x}}, "again", {{"scalar", Value(2.0)}});
  const Symbol same = apply_op("_copy", {{"", x}}, "same");
  const Symbol ones = apply_op("ones_like", {{"", x}}, "ones");
  const Symbol net = group({twice, x, again, same, twice, ones});
  const std::vector<std::vector<float>> expected{{2, 4, 6}, {1, 2, 3}, {2, 4, 6},
                                                 {1, 2, 3}, {2, 4, 6}, {1, 1, 1}};
  Predictor predictor(network_of(net), {{"x", {3}}}, {});
  CHECK_EQ(predictor.outputs().size(), expected.size());
  const auto right = [&] {
    bool all = true;
    for (size_t i = 0; i < expected.size(); ++i) all &= floats_of(predictor.outputs()[i]) == expected[i];
    return all;
  };
  give(predictor, "x", {1, 2, 3});
  predictor.forward();
  CHECK(right());
  // A watcher changes the plan, not the outputs.
  int seen = 0;
  predictor.watch([&](const std::string&, const ArrayRef&) { ++seen; }, false);
  CHECK(right());
  give(predictor, "x", {0, 0, 0});
  predictor.forward();
  give(predictor, "x", {1, 2, 3});
  predictor.forward();
  CHECK(right() && seen > 0);
  predictor.watch(nullptr, false);
  CHECK(right());
  give(predictor, "x", {0, 0, 0});
  predictor.forward();
  CHECK(floats_of(predictor.outputs()[0]) == std::vector<float>(3, 0.0f));
}

TEST(predictor_equals_the_executor) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    const Symbol net = graph_random::network(random, 4 + static_cast<int>(seed % 14), true);
    ExecutorArrays arrays = arrays_for(net, GradientRequest::null);
    arrays.gradients.clear();
    const Graph graph = infer(flatten(net));
    ParameterMap parameters;
    for (size_t i = 1; i < graph.arguments.size(); ++i)
      parameters.set(graph.nodes[graph.arguments[i]].name, arrays.arguments[i]);
    for (size_t i = 0; i < graph.auxiliaries.size(); ++i)
      parameters.set(graph.nodes[graph.auxiliaries[i]].name, arrays.auxiliaries[i]);
    const std::string input = graph.nodes[graph.arguments[0]].name;
    Executor executor(net, Device(), arrays);
    Predictor predictor(network_of(net, parameters), {{input, arrays.arguments[0]->shape()}}, {});
    give(predictor, input.c_str(), floats_of(arrays.arguments[0]));
    seed_random(seed);
    executor.forward(false);
    const auto expected = bytes_of(executor.outputs());
    seed_random(seed);
    predictor.forward();
    CHECK(near_all(bytes_of(predictor.outputs()), expected, 1e-6f));
    // Step by step, and with other shapes in between.
    const std::unique_ptr<Predictor> other = predictor.reshape({{input, arrays.arguments[0]->shape()}});
    seed_random(seed);
    size_t step = 0;
    for (size_t left = 1; left > 0; ++step) {
      left = predictor.forward_step(step);
      if (step == 0) other->forward();
    }
    if (graph.num_random_slots == 0) CHECK(near_all(bytes_of(predictor.outputs()), expected, 1e-6f));
    CHECK_EQ(predictor.forward_step(step), 0u);
    // Watched.
    predictor.watch([](const std::string&, const ArrayRef&) {}, true);
    seed_random(seed);
    predictor.forward();
    CHECK(near_all(bytes_of(predictor.outputs()), expected, 1e-5f));
  }
}

TEST(predictor_refuses) {
  const Symbol x = Symbol::variable("x");
  Symbol net = apply_op("relu", {{"", x}}, "a");
  net = apply_op("softmax", {{"", net}}, "b");
  Predictor predictor(network_of(net), {{"x", {2, 3}}}, {});
  CHECK_THROWS(predictor.expect_outputs(), invalid_argument, "there was no run");
  predictor.forward();
  CHECK_THROWS(predictor.forward_step(1), invalid_argument, "step is 1; expected the next one, 0");
  CHECK_THROWS(predictor.variable("y"), not_found, "'y'");
  CHECK_THROWS(Predictor(network_of(net), {{"y", {2, 3}}}, {}), not_found, "'y'");
  predictor.watch([&](const std::string&, const ArrayRef&) { predictor.forward(); }, false);
  CHECK_THROWS(predictor.forward(), invalid_argument, "by the watcher");
  CHECK_THROWS(predictor.expect_outputs(), invalid_argument, "the last one failed");
  CHECK_THROWS(predictor.forward_step(0), invalid_argument, "by the watcher");
  predictor.watch([&](const std::string&, const ArrayRef&) { predictor.forward_step(1); }, false);
  CHECK_THROWS(predictor.forward_step(0), invalid_argument, "by the watcher");
  predictor.watch([&](const std::string&, const ArrayRef&) { predictor.watch(nullptr, false); }, false);
  CHECK_THROWS(predictor.forward(), invalid_argument, "by the watcher");
  predictor.watch(nullptr, false);
  predictor.forward();
  predictor.expect_outputs();
}

// The steps are other ones from then on.
TEST(predictor_watched_between_steps_begins_anew) {
  Symbol net = apply_op("relu", {{"", Symbol::variable("x")}}, "a");
  net = apply_op("softmax", {{"", apply_op("exp", {{"", net}}, "b")}}, "c");
  Predictor predictor(network_of(net), {{"x", {2, 3}}}, {});
  predictor.forward_step(0);
  predictor.watch([](const std::string&, const ArrayRef&) {}, false);
  CHECK_THROWS(predictor.forward_step(1), invalid_argument, "the next one, 0");
  CHECK_THROWS(predictor.expect_outputs(), invalid_argument, "has steps left");
  CHECK_EQ(predictor.forward_step(100), 0u);
  predictor.expect_outputs();
}

TEST(predictor_refuses_parameters_of_other_dtypes) {
  const Symbol net = apply_op("dot", {{"", Symbol::variable("x")}, {"", Symbol::variable("w")}}, "a");
  ParameterMap parameters;
  parameters.set("w", array_of(std::vector<float>(12, 2.0f), {3, 4}));
  CHECK_THROWS(Predictor(network_of(net, parameters), {{"x", {2, 3}}}, {{"w", DType::float64}}), dtype,
               "'w' is float32");
}

// As in MXNet, whose callers may name all arguments.
TEST(predictor_inputs_begin_as_parameters_of_their_names) {
  const Symbol net =
      apply_op("elemwise_add", {{"", Symbol::variable("x")}, {"", Symbol::variable("w")}}, "a");
  ParameterMap parameters;
  parameters.set("w", array_of({1, 2, 3, 4}, {2, 2}));
  const Ref<Network> network = network_of(net, parameters);
  Predictor predictor(network, {{"x", {2, 2}}, {"w", {2, 2}}}, {});
  give(predictor, "x", {1, 1, 1, 1});
  predictor.forward();
  CHECK((floats_of(predictor.outputs()[0]) == std::vector<float>{2, 3, 4, 5}));
  give(predictor, "w", {0, 0, 0, 0});  // its own: the parameter stays
  const std::unique_ptr<Predictor> other = predictor.reshape({{"x", {2, 2}}});
  other->forward();
  CHECK((floats_of(other->outputs()[0]) == std::vector<float>{1, 2, 3, 4}));
  Predictor longer(network, {{"x", {1, 4}}, {"w", {1, 4}}}, {});
  longer.forward();
  CHECK((floats_of(longer.outputs()[0]) == std::vector<float>{0, 0, 0, 0}));
}

// Each widens a parameter in half precision for itself, the first one for those after it.
TEST(predictors_share_what_the_first_one_widens) {
  const Symbol w = Symbol::variable("w"), again = Symbol::variable("w");
  const Symbol net = group({apply_op("elemwise_add", {{"", Symbol::variable("x")}, {"", w}}, "a"),
                            apply_op("elemwise_mul", {{"", Symbol::variable("y")}, {"", again}}, "b")});
  ParameterMap parameters;
  const uint16_t halves[] = {0x3c00, 0x4000};  // 1, 2
  parameters.set("w", Array::from_host(halves, {2}, DType::float16, Device()));
  const Ref<Network> network = network_of(net, parameters);
  std::vector<std::unique_ptr<Predictor>> predictors;
  for (int i = 0; i < 2; ++i) {
    predictors.push_back(
        std::make_unique<Predictor>(network, NamedShapes{{"x", {2}}, {"y", {2}}},
                                    NamedDTypes{{"x", DType::float32}, {"y", DType::float32}}));
    if (i == 0) predictors[0]->share_widened();
  }
  predictors.push_back(predictors[0]->reshape({{"x", {2}}, {"y", {2}}}));
  predictors.erase(predictors.begin());
  CHECK(network->parameters.find("w")->dtype() == DType::float32);
  for (const std::unique_ptr<Predictor>& predictor : predictors) {
    give(*predictor, "x", {1, 1});
    give(*predictor, "y", {2, 2});
    predictor->forward();
    CHECK((floats_of(predictor->outputs()[0]) == std::vector<float>{2, 3}));
    CHECK((floats_of(predictor->outputs()[1]) == std::vector<float>{2, 4}));
  }
}

TEST(predictors_fail_alone) {
  const Symbol table = Symbol::variable("table"), data = Symbol::variable("data");
  const Symbol picked = apply_op("take", {{"", table}, {"", data}}, "pick", {{"mode", Value("raise")}});
  const Symbol net = apply_op("BatchNorm", {{"", picked}}, "norm");
  ParameterMap parameters;
  parameters.set("table", array_of(std::vector<float>(12, 2.0f), {3, 4}));
  for (const char* name : {"norm_gamma", "norm_beta", "norm_moving_mean", "norm_moving_var"})
    parameters.set(name, array_of(std::vector<float>(4, 1.0f), {4}));
  Predictor good(network_of(net, parameters), {{"data", {2}}}, {});
  const std::unique_ptr<Predictor> bad = good.reshape({{"data", {2}}});
  give(good, "data", {0, 2});
  give(*bad, "data", {0, 7});
  bad->forward();
  CHECK_THROWS(floats_of(bad->outputs()[0]), index, "at node 'pick'");
  good.forward();
  CHECK(floats_of(good.outputs()[0]).size() == 8);
  // It goes on once its input is right.
  give(*bad, "data", {0, 2});
  bad->forward();
  CHECK(floats_of(bad->outputs()[0]) == floats_of(good.outputs()[0]));
}
