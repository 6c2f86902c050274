// Every operator new of a program fails in turn: an error, nothing left behind (under AddressSanitizer also no memory), and
// the same results afterwards.
#include <functional>

#include "../allocation/fail_new.h"
#include "check.h"
#include "exec/imperative/invoke.h"
#include "exec/planned/cached_graph.h"
#include "exec/tape/tape.h"
#include "exec_random.h"
#include "graph/symbol_json.h"

using namespace mixgrad;
using namespace exec_random;
using graph_random::apply_op;

namespace {

using Bytes = std::vector<std::vector<char>>;

// Counting ends with the test, also when a check throws.
struct Uncounted {
  ~Uncounted() { fail_new_stop(); }
};

// Whether the program gives a result rather than an error.
bool gives(const std::function<Bytes()>& program, Bytes* result) {
  try {
    *result = program();
    return true;
  } catch (const std::bad_alloc&) {
  } catch (const Error& error) {
    fail_new_stop();
    CHECK(error.status() == Status::out_of_memory);
  }
  return false;
}

void fail_at_every_step(const std::function<Bytes()>& program) {
  const Uncounted at_end;
  const Bytes expected = program();
  CHECK(program() == expected);
  fail_new_start(0, 0);
  program();
  const long steps = fail_new_stop();
  for (const int lasting : {0, 1}) {
    for (long n = 1; n <= steps; n += lasting ? 1 + steps / 16 : 1 + steps / 400) {
      Bytes result;
      fail_new_start(n, lasting);
      const bool given = gives(program, &result);
      fail_new_stop();
      CHECK(!given || result == expected);
      try {
        engine::Engine::get().wait_for_all();
      } catch (const Error&) {
        // of values that nobody has asked for
      }
      CHECK(program() == expected);
    }
  }
}

ArrayRef call_op(const char* name, std::vector<Array*> in, Span<const NamedValue> params = {}) {
  const Op& op = find_op(name);
  ArrayRef out;
  invoke(op, make_params(op, params), in, Span<ArrayRef>(&out, 1));
  return out;
}

ArrayRef numbers_array(const char* name, const Shape& shape) {
  return array_of(graph_random::numbers(name, shape.size()), shape);
}

// Records while it lives.
struct Recording {
  Recording() { mode().recording = mode().training = true; }
  ~Recording() { mode().recording = mode().training = false; }
};

Symbol layers() {
  Attributes shape;
  shape.set("__shape__", "(2, 3, 6, 6)");
  Symbol net = Symbol::variable("x", shape);
  const Value window[] = {Value(3), Value(3)};
  for (int i = 0; i < 2; ++i) {
    net = apply_op("Convolution", {{"", net}}, text("conv", i),
                   {{"num_filter", Value(4)}, {"kernel", Value(window, 2)}});
    net = apply_op("BatchNorm", {{"", net}}, text("norm", i), {{"fix_gamma", Value(false)}});
    net = apply_op("relu", {{"", net}}, text("relu", i));
  }
  return net;
}

}  // namespace

TEST(allocation_fails_in_calls_and_gradients) {
  fail_at_every_step([] {
    const ArrayRef x = numbers_array("x", {4, 5}), w = numbers_array("w", {4, 5});
    for (const ArrayRef& variable : {x, w})
      mark_variable(*variable, zeros_of(variable->shape(), DType::float32, Device()), GradientRequest::write);
    ArrayRef first, loss;
    {
      const Recording recording;
      ArrayRef y = call_op("elemwise_mul", {x.get(), w.get()});
      for (int i = 0; i < 5; ++i) y = call_op("tanh", {call_op("elemwise_add", {y.get(), x.get()}).get()});
      loss = call_op("sum", {call_op("elemwise_mul", {y.get(), y.get()}).get()});
      Array* const heads[] = {loss.get()};
      Array* const variables[] = {x.get()};
      first = run_gradients(heads, {}, variables, {true, true})[0];
      loss = call_op("sum", {call_op("elemwise_mul", {first.get(), first.get()}).get()});
    }
    Array* const heads[] = {loss.get()};
    run_backward(heads, {}, {});
    return bytes_of({first, loss, gradient_of(*x), gradient_of(*w)});
  });
}

TEST(allocation_fails_in_symbols) {
  fail_at_every_step([] {
    const Symbol net = layers();
    const Symbol again = read_symbol(write_symbol(net), "a test");
    const Symbol composed = again.compose(std::vector<SymbolInput>{{"x", Symbol::variable("y")}}, "");
    const std::string text = write_symbol(composed);
    return Bytes{{text.begin(), text.end()}};
  });
}

TEST(allocation_fails_in_executors) {
  const Symbol net = layers();
  fail_at_every_step([&] {
    Executor executor(net, Device(), arrays_for(net));
    const graph_random::Results results = train_once(executor);
    Bytes all = results.heads;
    all.insert(all.end(), results.gradients.begin(), results.gradients.end());
    all.insert(all.end(), results.states.begin(), results.states.end());
    executor.forward(false);
    all.push_back(bytes_of(executor.outputs()[0]));
    return all;
  });
}

TEST(allocation_fails_in_cached_graphs) {
  const Symbol net = layers();
  fail_at_every_step([&] {
    ExecutorArrays arrays = arrays_for(net);
    CachedGraphOptions options;
    options.inputs = net.list_arguments();
    const Strings states = net.list_auxiliary_states();
    for (size_t i = 0; i < states.size(); ++i) options.kept.emplace_back(states[i], arrays.auxiliaries[i]);
    CachedGraph graph(net, options);
    std::vector<Array*> inputs;
    for (size_t i = 0; i < arrays.arguments.size(); ++i) {
      inputs.push_back(arrays.arguments[i].get());
      mark_variable(*inputs[i], arrays.gradients[i], GradientRequest::write);
    }
    ArrayRef first, second;
    {
      const Recording recording;
      graph.call(inputs, Span<ArrayRef>(&first, 1));
      graph.call(inputs, Span<ArrayRef>(&second, 1));
    }
    Bytes all = bytes_of(std::vector<ArrayRef>{first, second});
    for (const bool retain : {true, false}) {
      Array* const heads[] = {first.get(), second.get()};
      run_backward(heads, {}, {retain, false});
      for (const Array* argument : inputs) all.push_back(bytes_of(gradient_of(*argument)));
    }
    return all;
  });
}
