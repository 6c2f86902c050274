// Executors: the results of planned graphs, whatever passes and memory settings; order of calls; sharing; errors.
#include <thread>

#include "check.h"
#include "exec/imperative/invoke.h"
#include "exec/planned/arena.h"
#include "exec_random.h"
#include "storage/failure.h"

using namespace mixgrad;
using namespace exec_random;
using graph_random::apply_op;

namespace {

Symbol shaped(const char* name, const char* shape) {
  Attributes attributes;
  attributes.set("__shape__", shape);
  return Symbol::variable(name, attributes);
}

std::vector<float> floats_of(const ArrayRef& array) {
  std::vector<float> out(static_cast<size_t>(array->size()));
  array->copy_to_host(out.data());
  return out;
}

}  // namespace

TEST(executor_equals_the_graph_run_node_by_node) {
  const char* const passes[] = {"all", "none", "prune", "-common", "-fold"};
  const char* const memory[] = {"both", "naive", "inplace", "co-share"};
  for (uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const Symbol net = graph_random::network(random, 4 + static_cast<int>(seed % 14), false);
    const auto request = seed % 3 ? GradientRequest::write : GradientRequest::add;
    GradientOptions requests;
    const Graph forward = infer(flatten(net, {true}));
    requests.requests.assign(forward.arguments.size(), request);
    const auto expected = graph_random::run(gradient(forward, requests));
    ExecutorOptions options;
    options.passes = with_switches({}, passes[seed % 5]);
    options.memory = memory_plan_options(memory[seed % 4]);
    Executor executor(net, Device(), arrays_for(net, request), nullptr, options);
    CHECK(near_results(train_once(executor), expected, 1e-5f));
    executor.forward(false);
    const Graph prediction = infer(flatten(net, {false}));
    // States have moved; the outputs of networks without them stay what they are.
    if (prediction.auxiliaries.empty())
      CHECK(near_all(bytes_of(executor.outputs()), graph_random::run(prediction).heads, 1e-5f));
  }
}

TEST(executor_recomputes_and_copies_between_devices) {
  const char* const settings[] = {"cheap", "least", "1KB", "off"};
  for (uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const Symbol net = graph_random::network(random, 6 + static_cast<int>(seed % 20), true);
    const std::vector<Node*> nodes = nodes_in_order(net.outputs());
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (!nodes[i]->is_variable()) nodes[i]->attributes.set("__ctx_group__", i % 3 ? "a" : "b");
      if (!nodes[i]->is_variable() && i % 4 == 0) nodes[i]->attributes.set("__force_mirroring__", "True");
    }
    ExecutorOptions plain, changed;
    plain.passes = with_switches({}, "none");
    changed.recompute = recompute_options(settings[seed % 4]);
    // States lie where the operators that write them run.
    if (arrays_for(net).auxiliaries.empty()) changed.groups = {{"a", Device::cpu(0)}, {"b", Device::cpu(1)}};
    Executor one(net, Device(), arrays_for(net), nullptr, plain);
    Executor two(net, Device(), arrays_for(net), nullptr, changed);
    seed_random(seed);
    const auto expected = train_once(one);
    seed_random(seed);
    CHECK(near_results(expected, train_once(two), 1e-5f));
  }
  CHECK_THROWS(recompute_options("some"), invalid_argument, "expected off, cheap, least, or a budget");
}

TEST(recompute_saves_memory) {
  Symbol net = shaped("x", "(32, 64)");
  for (int i = 0; i < 60; ++i) net = apply_op(i % 2 ? "tanh" : "softmax", {{"", net}}, text("n", i));
  const Graph graph = gradient(infer(flatten(net, {true})));
  const int64_t before = plan_memory(graph).bytes();
  const Graph least = recompute(graph, recompute_options("least"));
  check_graph(least);
  check_memory_plan(plan_memory(least), least);
  CHECK(plan_memory(least).bytes() * 3 < before);
  const Graph half = recompute(graph, {RecomputeOptions::Goal::budget, before / 2});
  CHECK(plan_memory(half).bytes() <= before / 2);
  CHECK(half.nodes.size() <= least.nodes.size());
}

TEST(executor_outputs_that_passes_found_to_be_others) {
  const Symbol x = shaped("x", "(2, 2)");
  const Symbol same = apply_op("_copy", {{"", x}}, "same");
  const Symbol a = apply_op("tanh", {{"", x}}, "a"), b = apply_op("tanh", {{"", x}}, "b");
  const Symbol one = apply_op("_ones", {}, "one", {{"shape", Value("(2, 2)")}});
  const Symbol net = Symbol::group(std::vector<Symbol>{same, a, b, one, x});
  Executor executor(net, Device(), arrays_for(net));
  executor.forward(false);
  const auto heads = bytes_of(executor.outputs());
  CHECK(heads[0] == bytes_of(executor.arrays().arguments[0]));
  CHECK(heads[1] == heads[2]);
  CHECK_EQ(floats_of(executor.outputs()[3])[3], 1.0f);
  CHECK(executor.outputs()[4] == executor.arrays().arguments[0]);
}

TEST(executor_backward_runs_the_forward_part_that_it_lacks) {
  const Symbol net = apply_op("SoftmaxOutput", {{"", shaped("x", "(2, 3)")}}, "softmax");
  Executor executor(net, Device(), arrays_for(net));
  executor.backward({});
  const auto first = bytes_of(executor.arrays().gradients);
  executor.backward({});
  CHECK(bytes_of(executor.arrays().gradients) == first);
  executor.forward(true);
  executor.backward({});
  CHECK(bytes_of(executor.arrays().gradients) == first);
}

TEST(executor_backward_belongs_to_one_forward) {
  const Symbol net = apply_op("SoftmaxOutput", {{"", shaped("x", "(2, 3)")}}, "softmax");
  Executor executor(net, Device(), arrays_for(net));
  Executor other(net, Device(), arrays_for(net), &executor);
  executor.forward(true);
  other.forward(true);
  other.backward({});
  const Symbol deep = apply_op("tanh", {{"", apply_op("softmax", {{"", shaped("y", "(2, 3)")}}, "s")}}, "t");
  Executor first(deep, Device(), arrays_for(deep));
  Executor second(deep, Device(), arrays_for(deep), &first);
  first.forward(true);
  second.forward(true);
  const ArrayRef ones = exec_random::ones_like(first.outputs())[0];
  Array* const heads[] = {ones.get()};
  CHECK_THROWS(first.backward(heads), autograd, "another executor that shares");
  CHECK_THROWS(second.backward({}), autograd, "is no loss");
  second.backward(heads);
  // After a prediction gradients are those of prediction.
  first.forward(false);
  first.backward(heads);
  CHECK(near_all(bytes_of(first.arrays().gradients), bytes_of(second.arrays().gradients), 1e-6f));
}

TEST(executor_errors_name_the_node) {
  const Symbol data = shaped("data", "(2,)");
  const Symbol table = shaped("table", "(3, 4)");
  const Symbol net = apply_op("take", {{"", table}, {"", data}}, "pick", {{"mode", Value("raise")}});
  ExecutorArrays arrays = arrays_for(net);
  const float wrong[] = {0, 7};
  const size_t at = infer(flatten(net)).nodes[infer(flatten(net)).arguments[0]].name == "data" ? 0 : 1;
  arrays.arguments[at] = Array::from_host(wrong, {2}, DType::float32, Device());
  Executor executor(net, Device(), arrays);
  executor.forward(false);
  CHECK_THROWS(executor.outputs()[0]->wait_to_read(), index, "at node 'pick' (take) with operands");
  const float right[] = {0, 2};
  executor.arrays().arguments[at]->copy_from_host(right);
  executor.forward(false);
  executor.outputs()[0]->wait_to_read();
}

TEST(predictions_leave_states_as_they_are) {
  const Symbol picked = apply_op("take", {{"", shaped("table", "(3, 4)")}, {"", shaped("data", "(2,)")}},
                                 "pick", {{"mode", Value("raise")}});
  const Symbol net = apply_op("BatchNorm", {{"", picked}}, "norm");
  const Graph graph = infer(flatten(net));
  CHECK(graph.auxiliaries.size() == 2 && !graph.nodes[graph.forward_end - 1].mutates(3));
  const ExecutorArrays arrays = arrays_for(net);
  ExecutorArrays wrong = arrays;
  const float indices[] = {0, 2}, beyond[] = {0, 7};
  for (size_t i = 0; i < graph.arguments.size(); ++i) {
    if (!(graph.nodes[graph.arguments[i]].name == "data")) continue;
    arrays.arguments[i]->copy_from_host(indices);
    wrong.arguments[i] = Array::from_host(beyond, {2}, DType::float32, Device());
  }
  std::vector<uint64_t> before;
  for (const ArrayRef& state : arrays.auxiliaries) before.push_back(state->chunk().push_version());
  // One fails; the other, which shares the states, does not.
  Executor good(net, Device(), arrays), bad(net, Device(), wrong);
  bad.forward(false);
  CHECK_THROWS(bad.outputs()[0]->wait_to_read(), index, "at node 'pick'");
  good.forward(false);
  good.outputs()[0]->wait_to_read();
  for (size_t i = 0; i < before.size(); ++i) {
    arrays.auxiliaries[i]->wait_to_read();
    CHECK_EQ(arrays.auxiliaries[i]->chunk().push_version(), before[i]);
  }
  // The same of calls on arrays.
  const Op& norm = find_op("BatchNorm");
  const ArrayRef gamma = array_of({1, 1, 1, 1}, {4});
  Array* in[] = {bad.outputs()[0].get(), gamma.get(), gamma.get(), arrays.auxiliaries[0].get(),
                 arrays.auxiliaries[1].get()};
  ArrayRef out[3];
  invoke(norm, norm.defaults, in, out);
  CHECK_THROWS(out[0]->wait_to_read(), index, "at node 'pick'");
  for (const ArrayRef& state : arrays.auxiliaries) state->wait_to_read();
  // Training moves them.
  good.forward(true);
  for (size_t i = 0; i < before.size(); ++i)
    CHECK_EQ(arrays.auxiliaries[i]->chunk().push_version(), before[i] + 1);
}

TEST(executor_shapes_that_contradict) {
  const Symbol net =
      apply_op("elemwise_add", {{"", shaped("x", "(2, 2)")}, {"", shaped("y", "(2, 2)")}}, "sum");
  ExecutorArrays arrays = arrays_for(net);
  arrays.arguments[1] = Array::empty({3, 2}, DType::float32, Device());
  arrays.gradients.clear();
  CHECK_THROWS(Executor(net, Device(), arrays), shape, "at node 'sum'");
  arrays.arguments.pop_back();
  CHECK_THROWS(Executor(net, Device(), arrays), invalid_argument, "1 argument arrays; the graph has 2");
}

TEST(executor_random_numbers_follow_the_seed) {
  const Symbol drop = apply_op("Dropout", {{"", shaped("x", "(32, 32)")}}, "drop");
  Executor executor(drop, Device(), arrays_for(drop));
  seed_random(5);
  executor.forward(true);
  const auto first = bytes_of(executor.outputs());
  executor.forward(true);
  CHECK(first != bytes_of(executor.outputs()));
  seed_random(5);
  executor.forward(true);
  CHECK(first == bytes_of(executor.outputs()));
  // The same draws as the call on arrays.
  seed_random(5);
  mode().training = true;
  Array* const in[] = {executor.arrays().arguments[0].get()};
  ArrayRef out[2];
  const Op& op = find_op("Dropout");
  invoke(op, make_params(op, {}), in, out);
  mode().training = false;
  CHECK(first[0] == bytes_of(out[0]));
}

TEST(executor_watcher_sees_every_value) {
  const Symbol net = apply_op("tanh", {{"", apply_op("relu", {{"", shaped("x", "(2, 2)")}}, "a")}}, "b");
  Executor executor(net, Device(), arrays_for(net));
  std::string seen;
  std::vector<ArrayRef> values;
  executor.watch(
      [&](const std::string& name, const ArrayRef& value) {
        seen += name + " ";
        values.push_back(value);
      },
      true);
  executor.forward(false);
  CHECK_EQ(seen, "x a_data a_output b_data b_output ");
  CHECK(bytes_of(values[4]) == bytes_of(executor.outputs()[0]));
  CHECK(bytes_of(values[0]) == bytes_of(executor.arrays().arguments[0]));
  executor.watch(nullptr, false);
  executor.forward(false);
  CHECK_EQ(values.size(), 5u);
}

TEST(executor_reshape_shares_memory) {
  const Symbol net =
      apply_op("FullyConnected", {{"", Symbol::variable("data")}}, "fc", {{"num_hidden", Value(3)}});
  ExecutorArrays arrays;
  for (const Shape& shape : {Shape({8, 4}), Shape({3, 4}), Shape({3})}) {
    arrays.arguments.push_back(array_of(std::vector<float>(static_cast<size_t>(shape.size()), 0.5f), shape));
    arrays.gradients.emplace_back();
  }
  Executor executor(net, Device(), arrays);
  const auto small = executor.reshape({{"data", {2, 4}}}, false, false);
  CHECK_EQ(small->outputs()[0]->shape(), Shape({2, 3}));
  CHECK(small->arrays().arguments[1] == executor.arrays().arguments[1]);
  CHECK(&small->arrays().arguments[0]->chunk() == &executor.arrays().arguments[0]->chunk());
  small->forward(false);
  CHECK_EQ(floats_of(small->outputs()[0])[5], 1.5f);
  CHECK_THROWS(executor.reshape({{"data", {9, 4}}}, false, false), shape, "allow_up_sizing");
  CHECK_THROWS(executor.reshape({{"data", {8, 2}}}, false, true), shape, "partial_shaping");
  const auto large = executor.reshape({{"data", {9, 2}}}, true, true);
  CHECK_EQ(large->arrays().arguments[1]->shape(), Shape({3, 2}));
}

TEST(executors_and_imperative_updates_at_once) {
  std::mt19937 random(11);
  const Symbol net = graph_random::network(random, 12, false);
  const auto work = [&](std::vector<std::vector<char>>* result) {
    Executor one(net, Device(), arrays_for(net));
    ExecutorArrays shared = arrays_for(net);
    shared.arguments = one.arrays().arguments;
    Executor two(net, Device(), shared);
    const std::vector<ArrayRef> ones = exec_random::ones_like(one.outputs());
    std::vector<Array*> heads;
    for (const ArrayRef& a : ones) heads.push_back(a.get());
    const Op& add = find_op("_grad_add");
    for (int step = 0; step < 6; ++step) {
      one.forward(true);
      two.forward(step % 2 == 0);
      one.backward(heads);
      for (size_t i = 0; i < one.arrays().arguments.size(); ++i) {
        Array* const in[] = {one.arrays().arguments[i].get(), one.arrays().gradients[i].get()};
        ArrayRef out(one.arrays().arguments[i]);
        invoke(add, add.defaults, in, Span<ArrayRef>(&out, 1));
      }
      two.backward(heads);
    }
    *result = bytes_of(one.outputs());
    for (auto& bytes : bytes_of(two.arrays().gradients)) result->push_back(std::move(bytes));
  };
  std::vector<std::vector<char>> results[3];
  std::thread beside(work, &results[0]);
  work(&results[1]);
  beside.join();
  CHECK(results[0] == results[1]);
  engine::set_engine(engine::EngineKind::serial);
  work(&results[2]);
  engine::set_engine(engine::EngineKind::threaded);
  CHECK(results[1] == results[2]);
}

TEST(executor_runs_again_after_any_failed_allocation) {
  Symbol net = shaped("x", "(4, 3, 8, 8)");
  for (int i = 0; i < 3; ++i) {
    const Value items[] = {Value(3), Value(3)};
    net = apply_op("Convolution", {{"", net}}, text("conv", i),
                   {{"num_filter", Value(8)}, {"kernel", Value(items, 2)}});
    net = apply_op("BatchNorm", {{"", net}}, text("norm", i), {{"fix_gamma", Value(false)}});
    net = apply_op("relu", {{"", net}}, text("relu", i));
  }
  for (const char* passes : {"all", "none"}) {
    ExecutorOptions options;
    options.passes = with_switches({}, passes);
    Executor undisturbed(net, Device(), arrays_for(net), nullptr, options);
    const auto expected = train_once(undisturbed);
    storage::fail_after(1 << 30);
    {
      Executor executor(net, Device(), arrays_for(net), nullptr, options);
      train_once(executor);
    }
    const int64_t steps = storage::failure_steps();
    storage::fail_never();
    for (int64_t step = 1; step <= steps; ++step) {
      const ExecutorArrays arrays = arrays_for(net);
      Executor executor(net, Device(), arrays, nullptr, options);
      storage::fail_after(step);
      try {
        train_once(executor);
      } catch (const Error& error) {
        CHECK(error.status() == Status::out_of_memory);
      }
      storage::fail_never();
      const std::vector<ArrayRef> fresh = arrays_for(net).auxiliaries;
      std::vector<char> unused;
      for (const ArrayRef& state : executor.arrays().auxiliaries) unused = bytes_of(state);  // not spoilt
      for (size_t i = 0; i < fresh.size(); ++i) copy_array(*fresh[i], *executor.arrays().auxiliaries[i]);
      const auto again = train_once(executor);
      CHECK(again.heads == expected.heads && again.gradients == expected.gradients);
      CHECK(again.states == expected.states);
    }
    CHECK(steps > 10);
  }
  try {
    engine::Engine::get().wait_for_all();
  } catch (const Error&) {
    // of values that nobody has asked for
  }
}

TEST(arena_that_could_not_grow_holds_nothing) {
  const Ref<Arena> arena = Arena::make(Device());
  arena->want(1 << 20);
  arena->ensure();
  CHECK_EQ(arena->uncounted(), size_t{0});
  arena->want(2 << 20);
  CHECK_EQ(arena->uncounted(), size_t{1} << 20);
  storage::fail_after(1);
  CHECK_THROWS(arena->ensure(), out_of_memory, "fail_after");
  storage::fail_never();
  CHECK_EQ(arena->uncounted(), size_t{2} << 20);
}

TEST(imperative_training_call_that_fails_keeps_states) {
  const Op& norm = find_op("BatchNorm");
  const ArrayRef x = array_of(graph_random::numbers("x", 4 * 3 * 8 * 8), {4, 3, 8, 8});
  std::vector<ArrayRef> held = {x};
  for (const char* name : {"gamma", "beta", "mean", "var"})
    held.push_back(array_of(graph_random::numbers(name, 3), {3}));
  std::vector<Array*> in;
  for (const ArrayRef& array : held) in.push_back(array.get());
  const auto before = bytes_of(held[3]);
  mode().training = true;
  for (int step = 1; step <= 2; ++step) {
    storage::fail_after(step);
    std::vector<ArrayRef> out(static_cast<size_t>(norm.num_outputs(norm.defaults->data())));
    try {
      invoke(norm, norm.defaults, in, out);
      engine::Engine::get().wait_for_all();
    } catch (const Error& error) {
      CHECK(error.status() == Status::out_of_memory);
    }
    storage::fail_never();
    CHECK(bytes_of(held[3]) == before);
  }
  mode().training = false;
}
