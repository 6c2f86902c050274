// Cached graphs: the results of executors, several calls in flight, several threads, runs that must not meet.
#include <algorithm>
#include <atomic>
#include <thread>

#include "check.h"
#include "exec/planned/cached_graph.h"
#include "exec/tape/tape.h"
#include "exec_random.h"

using namespace mixgrad;
using namespace exec_random;
using graph_random::apply_op;

namespace {

struct Recording {
  Recording() { mode().recording = mode().training = true; }
  ~Recording() { mode().recording = mode().training = false; }
};

// A network's variables as inputs of a cached graph, in its order; gradients are attached to the arguments.
struct Given {
  explicit Given(const Symbol& net) : arrays(arrays_for(net)) {
    size_t argument = 0, state = 0;
    const Strings states = net.list_auxiliary_states();
    for (const std::string& name : net.list_inputs()) {
      const bool is_state = std::find(states.begin(), states.end(), name) != states.end();
      inputs.push_back((is_state ? arrays.auxiliaries[state++] : arrays.arguments[argument++]).get());
    }
    for (size_t i = 0; i < arrays.arguments.size(); ++i)
      mark_variable(*arrays.arguments[i], arrays.gradients[i], arrays.requests[i]);
  }
  ExecutorArrays arrays;
  std::vector<Array*> inputs;
};

CachedGraph graph_of(const Symbol& net) {
  CachedGraphOptions options;
  options.inputs = net.list_inputs();
  return CachedGraph(net, options);
}

std::vector<ArrayRef> record(CachedGraph& graph, Given& given) {
  const Recording recording;
  std::vector<ArrayRef> outputs(graph.num_outputs());
  graph.call(given.inputs, outputs);
  return outputs;
}

graph_random::Results results_of(const std::vector<ArrayRef>& outputs, const Given& given) {
  std::vector<Array*> heads;
  for (const ArrayRef& out : outputs) heads.push_back(out.get());
  const std::vector<ArrayRef> ones = exec_random::ones_like(outputs);
  std::vector<Array*> gradients;
  for (const ArrayRef& one : ones) gradients.push_back(one.get());
  run_backward(heads, gradients, {});
  std::vector<ArrayRef> written;
  for (const ArrayRef& argument : given.arrays.arguments) written.push_back(gradient_of(*argument));
  return {bytes_of(outputs), bytes_of(written), bytes_of(given.arrays.auxiliaries)};
}

}  // namespace

TEST(cached_graph_equals_an_executor) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const Symbol net = graph_random::network(random, 4 + static_cast<int>(seed % 14), false);
    Executor executor(net, Device(), arrays_for(net));
    const graph_random::Results expected = train_once(executor);
    CachedGraph graph = graph_of(net);
    for (int again = 0; again < 2; ++again) {
      Given first(net), second(net);
      const std::vector<ArrayRef> one = record(graph, first),
                                  other = record(graph, second);  // both in flight
      for (const auto& got : {results_of(one, first), results_of(other, second)}) {
        CHECK(got.heads == expected.heads);
        CHECK(near_all(got.gradients, expected.gradients, 1e-6f));
        CHECK(got.states == expected.states);
      }
    }
  }
}

TEST(cached_graph_serves_threads) {
  std::mt19937 random(5);
  const Symbol net = graph_random::network(random, 12, false);
  CachedGraph graph = graph_of(net);
  graph_random::Results results[3];
  const auto work = [&](graph_random::Results* result) {
    for (int step = 0; step < 8; ++step) {
      Given given(net);
      const std::vector<ArrayRef> outputs = record(graph, given);
      *result = results_of(outputs, given);
      std::vector<ArrayRef> predicted(graph.num_outputs());
      graph.call(given.inputs, predicted);
    }
  };
  std::thread beside(work, &results[0]), another(work, &results[1]);
  work(&results[2]);
  beside.join();
  another.join();
  for (const graph_random::Results& got : results) {
    CHECK(got.heads == results[2].heads);
    CHECK(near_all(got.gradients, results[2].gradients, 1e-6f));
  }
}

// One operator needs no working memory, and with other arrays its runs share nothing else.
TEST(runs_without_working_memory_do_not_meet) {
  const Symbol net = apply_op("_mul_scalar", {{"", Symbol::variable("x")}}, "y", {{"scalar", Value(3)}});
  constexpr int kElements = 1 << 14, kInputs = 16;
  const Shape shape{kElements};
  std::vector<ArrayRef> inputs, outputs;
  for (int i = 0; i < kInputs; ++i)
    inputs.push_back(array_of(std::vector<float>(kElements, static_cast<float>(i)), shape));
  ExecutorArrays arrays;
  arrays.arguments = {inputs[0]};
  Executor executor(net, Device(), arrays);
  CachedGraph graph = graph_of(net);
  for (int step = 0; step < 40; ++step) {
    outputs.clear();
    // All of them wait for one task, then the workers take them at once.
    std::vector<engine::Var*> gate;
    for (const ArrayRef& input : inputs) gate.push_back(&input->chunk());
    std::atomic<bool> open{false};
    engine::Engine::get().push(
        [&open] {
          while (!open.load()) std::this_thread::yield();
        },
        {}, gate, {});
    for (const ArrayRef& input : inputs) {
      outputs.push_back(Array::empty(shape, DType::float32, Device()));
      executor.replace_argument(0, input);
      executor.replace_output(0, outputs.back());
      executor.forward(false);
      Array* const given[] = {input.get()};
      graph.call(given, Span<ArrayRef>(&outputs.emplace_back(), 1));
    }
    open.store(true);
    for (size_t i = 0; i < outputs.size(); ++i) {
      std::vector<float> values(kElements);
      outputs[i]->copy_to_host(values.data());
      for (const float value : values) CHECK(value == 3 * static_cast<float>(i / 2));
    }
  }
}
