// Graphs over several workers: each computes its own part, and all get what one executor computes.
#include <map>
#include <random>
#include <string>
#include <vector>

#include "check.h"
#include "engine/engine.h"
#include "exec_random.h"
#include "kvstore_collective_workers.h"

using namespace check;
using namespace exec_random;
using graph_random::apply_op;

namespace {

std::string group_name(uint32_t i) { return text('g', i); }

// Every operator in a group of its own choice.
void put_in_groups(const Symbol& net, uint32_t groups, std::mt19937& random) {
  for (Node* node : nodes_in_order(net.outputs())) {
    if (!node->is_variable()) node->attributes.set("__ctx_group__", group_name(random() % groups));
  }
}

// Group i is of worker i, or of the last one.
ExecutorOptions options_for(CollectiveStore& store, uint32_t groups) {
  ExecutorOptions options;
  options.link = store.link();
  const mixgrad::Workers workers = options.link->workers();
  for (uint32_t i = 0; i < groups; ++i) {
    const int32_t rank = std::min(static_cast<int32_t>(i), workers.count - 1);
    options.groups.emplace_back(group_name(i), workers.device_of(rank, Device::cpu()));
  }
  return options;
}

// Which worker has each argument and each state, in order, if group i is of worker i.
struct Ranks {
  std::vector<int32_t> arguments, states;
};
Ranks ranks_of(const Symbol& net, uint32_t groups) {
  Graph graph = infer(flatten(net));
  DeviceGroups numbered;
  for (uint32_t i = 0; i < groups; ++i)
    numbered.emplace_back(group_name(i), Device::cpu(static_cast<int32_t>(i)));
  place(graph, Device::cpu(0), numbered);
  Ranks ranks;
  for (const NodeId n : graph.arguments) ranks.arguments.push_back(graph.nodes[n].device.id);
  for (const NodeId n : graph.auxiliaries) ranks.states.push_back(graph.nodes[n].device.id);
  return ranks;
}

}  // namespace

TEST(kvstore_graph_workers_compute_what_one_executor_does) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const uint32_t workers = 2 + seed % 3, groups = workers;
    const Symbol net = graph_random::network(random, 4 + static_cast<int>(seed % 20), false);
    put_in_groups(net, groups, random);
    const auto request = seed % 3 ? GradientRequest::write : GradientRequest::add;
    Executor one(net, Device(), arrays_for(net, request));
    const auto expected = train_once(one);
    const auto again = train_once(one);
    const Ranks all_ranks = ranks_of(net, groups);
    const std::vector<int32_t>&ranks = all_ranks.arguments, &ranks_of_states = all_ranks.states;
    const char* const recompute[] = {"cheap", "least", "off"};
    CollectiveWorkers all(workers);
    all.run_well([&](CollectiveStore& store, uint32_t rank) {
      ExecutorArrays arrays = arrays_for(net, request);
      for (size_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i] == static_cast<int32_t>(rank)) continue;
        // Another's: neither its values nor a gradient's array are needed here.
        arrays.arguments[i] = Array::zeros_later(arrays.arguments[i]->shape(), DType::float32, Device());
        arrays.gradients[i] = ArrayRef();
      }
      ExecutorOptions options = options_for(store, groups);
      options.recompute = recompute_options(recompute[seed % 3]);
      Executor own(net, Device(), arrays, nullptr, options);
      for (const auto& wanted : {expected, again}) {
        const auto got = train_once(own);
        CHECK(near_all(got.heads, wanted.heads, 1e-5f));
        for (size_t i = 0; i < ranks.size(); ++i) {
          if (ranks[i] == static_cast<int32_t>(rank))
            CHECK(near_bytes(got.gradients[i], wanted.gradients[i], 1e-5f));
        }
        for (size_t i = 0; i < ranks_of_states.size(); ++i) {
          if (ranks_of_states[i] == static_cast<int32_t>(rank))
            CHECK(near_bytes(got.states[i], wanted.states[i], 1e-5f));
        }
      }
      for (size_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i] != static_cast<int32_t>(rank)) CHECK(!arrays.arguments[i]->chunk().data());
      }
    });
  }
}

// A worker that ends without a look at what the others send takes it nevertheless: they have done nothing wrong.
TEST(kvstore_graph_workers_leave_when_all_has_come) {
  const Symbol net = apply_op("tanh", {{"", Symbol::variable("x")}}, "only");
  nodes_in_order(net.outputs())[1]->attributes.set("__ctx_group__", group_name(0));
  CollectiveWorkers all(3);
  for (int i = 0; i < 20; ++i) {
    all.run_well([&](CollectiveStore& store, uint32_t rank) {
      ExecutorArrays arrays;
      arrays.arguments = {Array::zeros(Shape{30000}, DType::float32, Device())};
      Executor own(net, Device(), arrays, nullptr, options_for(store, 1));
      if (rank == 0) std::this_thread::sleep_for(std::chrono::milliseconds(i));
      own.forward(false);
    });
    all = CollectiveWorkers(3);
  }
}

TEST(kvstore_graph_workers_that_differ_are_told) {
  const Symbol net =
      apply_op("tanh", {{"", apply_op("relu", {{"", Symbol::variable("x")}}, "first")}}, "second");
  nodes_in_order(net.outputs())[1]->attributes.set("__ctx_group__", group_name(0));
  nodes_in_order(net.outputs())[2]->attributes.set("__ctx_group__", group_name(1));
  CollectiveWorkers all(2);
  all.run([&](CollectiveStore& store, uint32_t rank) {
    ExecutorArrays arrays;
    arrays.arguments = {Array::zeros(Shape{rank == 0 ? 3 : 4}, DType::float32, Device())};
    Executor own(net, Device(), arrays, nullptr, options_for(store, 2));
    own.forward(false);
    bytes_of(own.outputs());
  });
  for (const std::string& error : all.errors) CHECK(error.find("elements) in worker:0") != std::string::npos);
}

// The part of one worker fails before it has pushed all its copies: the other hears of it at once.
TEST(kvstore_graph_workers_hear_of_copies_that_are_not_pushed) {
  CollectiveWorkers all(2);
  all.settings.wait_limit = 600;
  all.run([&](CollectiveStore& store, uint32_t rank) {
    std::vector<WorkerLink::Transfer> own(2);
    for (uint32_t i = 0; i < 2; ++i)
      own[i] = {i, text("value ", i),       DType::float32,
                3, static_cast<int32_t>(i), static_cast<int32_t>(1 - i)};
    const auto link = store.link();
    link->agree("test", "the same");
    const auto run = link->begin(2, own);
    if (rank == 0) return;
    std::vector<ArrayRef> values;
    for (uint32_t i = 0; i < 2; ++i) {
      values.push_back(Array::zeros(Shape{3}, DType::float32, Device()));
      engine::Var* const var = &values[i]->chunk();
      const auto memory = [value = values[i]] { return static_cast<char*>(value->chunk().data()); };
      i == rank ? run->push(i, {&var, 1}, {}, memory) : run->push(i, {}, {&var, 1}, memory);
    }
    bytes_of(values);
  });
  CHECK(all.errors[1].find("worker:0 could not begin the data of value") != std::string::npos);
}

TEST(kvstore_graph_workers_agree_before_they_run) {
  CollectiveWorkers all(3);
  all.run([&](CollectiveStore& store, uint32_t rank) { store.link()->agree("bind", rank == 2 ? "b" : "a"); });
  for (const std::string& error : all.errors)
    CHECK_EQ(
        error,
        "[bind] got another graph, other shapes, groups or gradients in worker:2 than in worker:0; expected "
        "the same in all workers");
}

TEST(kvstore_graph_workers_hear_of_one_that_ends) {
  const Symbol net =
      apply_op("tanh", {{"", apply_op("relu", {{"", Symbol::variable("x")}}, "first")}}, "second");
  nodes_in_order(net.outputs())[1]->attributes.set("__ctx_group__", group_name(0));
  nodes_in_order(net.outputs())[2]->attributes.set("__ctx_group__", group_name(1));
  CollectiveWorkers all(2);
  all.run([&](CollectiveStore& store, uint32_t rank) {
    if (rank == 1) return store.abandon();
    ExecutorArrays arrays;
    arrays.arguments = {Array::zeros(Shape{3}, DType::float32, Device())};
    Executor own(net, Device(), arrays, nullptr, options_for(store, 2));
    own.forward(false);
    bytes_of(own.outputs());
  });
  CHECK(all.errors[0].find("worker:1") != std::string::npos);
}

TEST(kvstore_graph_workers_refuse_what_has_no_plan) {
  CollectiveWorkers all(1);
  all.run_well([&](CollectiveStore& store, uint32_t) {
    std::mt19937 random(1);
    const Symbol net = graph_random::network(random, 5, false);
    Executor own(net, Device(), arrays_for(net), nullptr, options_for(store, 1));
    const Op& op = find_op("sgd_update");
    ExecutorUpdate update{0, &op, op.defaults, {}};
    CHECK_THROWS(own.set_updates({update}), unsupported, "groups name workers");
  });
}
