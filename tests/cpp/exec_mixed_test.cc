// Executors that share parameters, updates by operators, stores, traces and the tape, all interleaved by several threads:
// the threaded engine gives, bit for bit, what the serial one gives.
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "check.h"
#include "exec/imperative/invoke.h"
#include "exec/tape/tape.h"
#include "exec/tape/trace.h"
#include "exec_random.h"
#include "graph/symbol_json.h"
#include "kvstore/store.h"

using namespace mixgrad;
using namespace exec_random;
using graph_random::apply_op;

namespace {

constexpr int kThreads = 3;

// Lets threads push one after another in a given order, so that a program of several threads has one meaning. What they
// pushed runs whenever the engine likes.
class Turns {
 public:
  template <class F>
  void take(int turn, F&& step) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return next_ == turn; });
    step();
    ++next_;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int next_ = 0;
};

// A network for images of shape (6, 3, 12, 12): convolutions, BatchNorm, a residual, pooling, two heads.
Symbol image_network() {
  const auto conv = [](const Symbol& x, const char* name, const char* kernel, const char* pad) {
    return apply_op("Convolution", {{"", x}}, name,
                    {{"kernel", Value(kernel)},
                     {"pad", Value(pad)},
                     {"num_filter", Value(16)},
                     {"no_bias", Value(true)}});
  };
  Attributes shape;
  shape.set("__shape__", "(6, 3, 12, 12)");
  Symbol x = conv(Symbol::variable("data", shape), "c0", "(3, 3)", "(1, 1)");
  x = apply_op("BatchNorm", {{"", x}}, "b0", {{"fix_gamma", Value(false)}});
  x = apply_op("Activation", {{"", x}}, "r0", {{"act_type", Value("relu")}});
  const Symbol branch = apply_op("BatchNorm", {{"", conv(x, "c1", "(1, 1)", "(0, 0)")}}, "b1");
  x = apply_op("elemwise_add", {{"", branch}, {"", x}}, "add");
  x = apply_op("Pooling", {{"", x}}, "pool",
               {{"kernel", Value("(2, 2)")}, {"stride", Value("(2, 2)")}, {"pool_type", Value("max")}});
  x = apply_op("Dropout", {{"", apply_op("Flatten", {{"", x}}, "flat")}}, "drop");
  x = apply_op("FullyConnected", {{"", x}}, "fc", {{"num_hidden", Value(5)}});
  const Symbol norm = apply_op("MakeLoss", {{"", apply_op("square", {{"", x}}, "sq")}}, "norm");
  return Symbol::group(std::vector<Symbol>{apply_op("SoftmaxOutput", {{"", x}}, "softmax"), norm});
}

// A loop over the rows of x0, whose body also reads a weight.
Symbol loop_network() {
  const Symbol row = Symbol::variable("row"), state = Symbol::variable("state"), w = Symbol::variable("w");
  const Symbol product = apply_op("elemwise_mul", {{"", row}, {"", w}}, "product");
  const Symbol next =
      apply_op("tanh", {{"", apply_op("elemwise_add", {{"", product}, {"", state}}, "sum")}}, "next");
  const Symbol dropped = apply_op("Dropout", {{"", next}}, "dropped");
  const std::string body = write_symbol(Symbol::group(std::vector<Symbol>{dropped, next}));
  Attributes rows, one;
  rows.set("__shape__", "(3, 4)");
  one.set("__shape__", "(4,)");
  const Symbol loop = apply_op("_foreach",
                               {{"", Symbol::variable("x0", rows)},
                                {"", Symbol::variable("x1", one)},
                                {"", Symbol::variable("x2", one)}},
                               "loop",
                               {{"subgraph0", Value(body.c_str())},
                                {"num_args", Value(4)},
                                {"num_outputs", Value(2)},
                                {"num_out_data", Value(1)},
                                {"in_data_locs", Value("[0]")},
                                {"in_state_locs", Value("[2]")},
                                {"remain_locs", Value("[1]")}});
  return loop;
}

using Log = std::vector<std::vector<char>>;

// What the steps of one program work on.
struct Stage {
  ExecutorArrays arrays[2];
  std::unique_ptr<Executor> executors[2];
  bool open[2] = {false, false};  // whether backward() is due
  std::unique_ptr<kvstore::Store> store = kvstore::make_store("device");
  std::vector<ArrayRef> momentum;
  std::vector<size_t> trained;  // arguments that are no labels
  Log log;

  Stage(const Symbol& net, const ExecutorOptions& options) {
    arrays[0] = arrays_for(net);
    arrays[1] = arrays_for(net, GradientRequest::add);
    arrays[1].arguments = arrays[0].arguments;
    arrays[1].auxiliaries = arrays[0].auxiliaries;
    executors[0] = std::make_unique<Executor>(net, Device(), arrays[0]);
    executors[1] = std::make_unique<Executor>(net, Device(), arrays[1], nullptr, options);
    for (const auto& executor : executors) executor->forward(false);
    for (size_t i = 0; i < arrays[0].arguments.size(); ++i) {
      const ArrayRef& weight = arrays[0].arguments[i];
      store->init({kvstore::Entry{key(i), weight.get()}});
      if (net.list_arguments()[i].find("label") == std::string::npos) trained.push_back(i);
      momentum.push_back(zeros_of(weight->shape(), DType::float32, Device()));
    }
  }
  static kvstore::Key key(size_t i) { return kvstore::Key(static_cast<int>(i)); }
};

void call(const char* op, std::vector<Array*> in, ArrayRef out, std::vector<NamedValue> params = {}) {
  const Op& which = find_op(op);
  invoke(which, make_params(which, params), in, Span<ArrayRef>(&out, 1));
}

// A function on arrays as a graph: tanh(weight) * weight.
void trace_and_run(Stage& stage, const ArrayRef& weight) {
  Array* const inputs[] = {weight.get()};
  Trace trace(inputs);
  Trace::current() = &trace;
  ArrayRef made[2];
  const Op& tanh = find_op("tanh");
  invoke(tanh, tanh.defaults, inputs, Span<ArrayRef>(&made[0], 1));
  Array* const both[] = {made[0].get(), weight.get()};
  const Op& mul = find_op("elemwise_mul");
  invoke(mul, mul.defaults, both, Span<ArrayRef>(&made[1], 1));
  Array* const outputs[] = {made[1].get()};
  const Symbol net = trace.finish(outputs);
  Trace::current() = nullptr;
  ExecutorArrays arrays;
  arrays.arguments = {weight};
  Executor executor(net, Device(), arrays);
  executor.forward(false);
  stage.log.push_back(bytes_of(executor.outputs()[0]));
}

// The same on the tape; the gradient is added to the momentum.
void record_and_go_back(Stage& stage, size_t i) {
  const ArrayRef variable = stage.arrays[0].arguments[i]->alias();
  mark_variable(*variable, stage.momentum[i], GradientRequest::add);
  const Mode before = mode();
  mode().recording = mode().training = true;
  ArrayRef made[2];
  const Op &tanh = find_op("tanh"), &mul = find_op("elemwise_mul");
  Array* const in[] = {variable.get()};
  invoke(tanh, tanh.defaults, in, Span<ArrayRef>(&made[0], 1));
  Array* const both[] = {made[0].get(), variable.get()};
  invoke(mul, mul.defaults, both, Span<ArrayRef>(&made[1], 1));
  mode() = before;
  Array* const heads[] = {made[1].get()};
  run_backward(heads, {}, {});
}

void step(Stage& stage, std::mt19937& random) {
  const size_t e = random() % 2;
  Executor& executor = *stage.executors[e];
  const size_t i = stage.trained[random() % stage.trained.size()];
  const ArrayRef &weight = stage.arrays[0].arguments[i], &gradient = stage.arrays[e].gradients[i];
  switch (random() % 10) {
    case 0:
    case 1:
      executor.forward(true);
      stage.open[e] = true;
      break;
    case 2:
      executor.forward(false);
      stage.open[e] = random() % 2;
      break;
    case 3:
    case 4:
      if (stage.open[e]) executor.backward({});
      stage.open[e] = false;
      break;
    case 5:
      call("sgd_mom_update", {weight.get(), gradient.get(), stage.momentum[i].get()}, weight,
           {{"lr", Value(0.01)}, {"momentum", Value(0.5)}});
      break;
    case 6:
      stage.store->push({kvstore::Entry{Stage::key(i), stage.arrays[0].gradients[i].get()},
                         kvstore::Entry{Stage::key(i), stage.arrays[1].gradients[i].get()}},
                        static_cast<int>(random() % 3));
      stage.store->pull({kvstore::Entry{Stage::key(i), stage.momentum[i].get()}}, 0);
      break;
    case 7: record_and_go_back(stage, i); break;
    case 8: trace_and_run(stage, weight); break;
    default: stage.log.push_back(bytes_of(executor.outputs()[random() % executor.outputs().size()]));
  }
}

// Everything that was read on the way, and what all arrays hold in the end.
Log run_program(const Symbol& net, uint32_t seed, int steps, bool threads) {
  seed_random(seed);
  ExecutorOptions options;
  if (seed % 2) options.recompute = recompute_options("cheap");
  Stage stage(net, options);
  std::mt19937 random(seed);
  if (threads) {
    std::vector<int> owners(static_cast<size_t>(steps));
    std::mt19937 choice(seed + 1);
    for (int& owner : owners) owner = static_cast<int>(choice() % kThreads);
    Turns turns;
    std::vector<std::thread> crew;
    for (int t = 0; t < kThreads; ++t) {
      crew.emplace_back([&, t] {
        for (int turn = 0; turn < steps; ++turn) {
          if (owners[static_cast<size_t>(turn)] == t) turns.take(turn, [&] { step(stage, random); });
        }
      });
    }
    for (std::thread& thread : crew) thread.join();
  } else {
    for (int turn = 0; turn < steps; ++turn) step(stage, random);
  }
  for (const ExecutorArrays& arrays : stage.arrays) {
    for (const auto* list : {&arrays.arguments, &arrays.gradients, &arrays.auxiliaries}) {
      for (auto& bytes : bytes_of(*list)) stage.log.push_back(std::move(bytes));
    }
  }
  for (auto& bytes : bytes_of(stage.momentum)) stage.log.push_back(std::move(bytes));
  return std::move(stage.log);
}

Log serial_program(const Symbol& net, uint32_t seed, int steps) {
  engine::set_engine(engine::EngineKind::serial);
  Log log = run_program(net, seed, steps, false);
  engine::set_engine(engine::EngineKind::threaded);
  return log;
}

int programs() {
  const char* wanted = std::getenv("MIXGRAD_TEST_PROGRAMS");
  return wanted ? std::atoi(wanted) : 12;
}

}  // namespace

TEST(exec_mixed_threads_equal_the_serial_engine) {
  for (uint32_t seed = 0; seed < static_cast<uint32_t>(programs()); ++seed) {
    std::mt19937 random(seed);
    const Symbol net = seed % 3 == 2   ? image_network()
                       : seed % 6 == 1 ? loop_network()
                                       : graph_random::network(random, 6 + static_cast<int>(seed % 9), true);
    // Heads that are no losses would need gradients: every head becomes one.
    std::vector<Symbol> losses;
    for (size_t i = 0; i < net.size(); ++i) {
      const bool loss = net.output(i).outputs()[0].node->op->loss_fn != nullptr;
      losses.push_back(loss ? net.output(i) : apply_op("MakeLoss", {{"", net.output(i)}}, text("loss", i)));
    }
    const Symbol all = Symbol::group(losses);
    const int steps = seed % 3 == 2 ? 40 : 120;
    const Log expected = serial_program(all, seed, steps);
    const Log got = run_program(all, seed, steps, true);
    CHECK_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      if (got[i] != expected[i]) check::fail(__FILE__, __LINE__, text("program ", seed, ": result ", i));
    }
  }
}

// Without turns: each thread has executors and arrays of its own, but all read the same parameters and add whole numbers
// to the same store, so every order gives the same.
TEST(exec_mixed_threads_share_parameters_and_a_store) {
  const Symbol net = image_network();
  const ExecutorArrays shared = arrays_for(net);
  const auto store = kvstore::make_store("local");
  store->init({kvstore::Entry{kvstore::Key(0), zeros_of({64}, DType::float32, Device()).get()}});
  store->set_updater([](const kvstore::Key&, Array& received, Array& stored) {
    call("broadcast_add", {&stored, &received}, ArrayRef(&stored));
  });
  std::vector<Log> results(kThreads);
  const auto work = [&](int t) {
    ExecutorArrays own = arrays_for(net);
    own.arguments.clear();
    for (const ArrayRef& a : shared.arguments) own.arguments.push_back(a->alias());
    Executor executor(net, Device(), own);
    const ArrayRef ones = array_of(std::vector<float>(64, 1.0f), {64});
    for (int round = 0; round < 8; ++round) {
      executor.forward(round % 2 == 0);
      store->push({kvstore::Entry{kvstore::Key(0), ones.get()}}, round);
      if (round % 2 == 0) continue;
      results[static_cast<size_t>(t)].push_back(bytes_of(executor.outputs()[1]));
    }
  };
  std::vector<std::thread> crew;
  for (int t = 0; t < kThreads; ++t) crew.emplace_back(work, t);
  for (std::thread& thread : crew) thread.join();
  for (int t = 1; t < kThreads; ++t) CHECK(results[static_cast<size_t>(t)] == results[0]);
  const ArrayRef sum = zeros_of({64}, DType::float32, Device());
  store->pull({kvstore::Entry{kvstore::Key(0), sum.get()}}, 0);
  CHECK(bytes_of(sum) == bytes_of(array_of(std::vector<float>(64, 8.0f * kThreads), {64})));
}
