// Stores of several nodes in one process, for tests: servers with a rule of their own, and workers in threads.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "kvstore/distributed/distributed_store.h"
#include "kvstore/distributed/serve.h"
#include "net/in_process.h"

namespace check {

using namespace mixgrad;
using namespace mixgrad::kvstore;

using Floats = std::vector<float>;

inline ArrayRef array_of(const Floats& values) {
  return Array::from_host(values.data(), Shape({static_cast<int64_t>(values.size())}), DType::float32,
                          Device::cpu());
}
inline Floats floats_of(const ArrayRef& array) {
  Floats values(static_cast<size_t>(array->size()));
  array->copy_to_host(values.data());
  return values;
}
inline Floats random_floats(size_t count, uint32_t seed) {
  std::mt19937 generator(seed);
  Floats values(count);
  for (float& value : values) value = static_cast<float>(generator() % 2001) / 997.0f - 1.0f;
  return values;
}

// m = 0.9 m + g; w = w - rate m, one after another.
struct Momentum final : Rule {
  float rate = 0;
  Floats moments;
  std::chrono::milliseconds duration{0};
  void update(const Key&, Array& received, Array& stored) override {
    std::this_thread::sleep_for(duration);
    Floats g = floats_of(ArrayRef(&received)), w = floats_of(ArrayRef(&stored));
    moments.resize(w.size());
    for (size_t i = 0; i < w.size(); ++i) {
      moments[i] = 0.9f * moments[i] + g[i];
      w[i] -= rate * moments[i];
    }
    stored.copy_from_host(w.data());
  }
  std::string state() override {
    std::string text(reinterpret_cast<const char*>(&rate), 4);
    return text.append(reinterpret_cast<const char*>(moments.data()), moments.size() * 4);
  }
};
struct Momenta final : RuleMaker {
  std::chrono::milliseconds duration{0};  // of an update
  std::string check(const std::string& data) override {
    return data.size() % 4 == 0 ? "" : "no whole numbers";
  }
  std::unique_ptr<Rule> make(const std::string& data) override {
    auto rule = std::make_unique<Momentum>();
    rule->duration = duration;
    std::memcpy(&rule->rate, data.data(), 4);
    rule->moments.resize(data.size() / 4 - 1);
    if (data.size() > 4) std::memcpy(rule->moments.data(), data.data() + 4, data.size() - 4);
    return rule;
  }
};
inline std::string rate_text(float rate) { return std::string(reinterpret_cast<const char*>(&rate), 4); }

// A whole store over one network of memory.
struct Cast {
  Cluster cluster;
  std::shared_ptr<net::InProcessNetwork> network = net::make_in_process_network();
  Momenta maker;
  // What every node's transport is wrapped in.
  using Wrap = std::function<std::unique_ptr<net::Transport>(std::unique_ptr<net::Transport>)>;
  const Wrap wrap;
  std::vector<std::unique_ptr<ArrayTable>> tables;
  std::unique_ptr<Driver> scheduler;
  std::vector<std::unique_ptr<Driver>> servers;

  Cast(uint32_t workers, uint32_t count, protocol::Time dead_after = 300'000, Wrap wrapped_in = {})
      : wrap(std::move(wrapped_in)) {
    cluster.scheduler = {"in-process", 1};
    cluster.workers = workers;
    cluster.servers = count;
    cluster.replicas = std::min<uint32_t>(count, 2);
    cluster.slots = 8;
    cluster.big_array = 1000;
    cluster.timing.heartbeat = 20'000;
    cluster.timing.dead_after = dead_after;
    cluster.timing.retry = 20'000;
    cluster.timing.request_limit = 60'000'000;
    scheduler = run_scheduler(cluster, open("scheduler"));
    tables.resize(count);
    servers.resize(count);
    for (uint32_t i = 0; i < count; ++i) start_server(i);
  }
  ~Cast() {
    servers.clear();
    scheduler.reset();
  }
  OpenTransport open(const std::string& name) {
    return [network = network, name, wrap = wrap](net::Receive receive) {
      auto transport = net::open_in_process(network, name, std::move(receive));
      return wrap ? wrap(std::move(transport)) : std::move(transport);
    };
  }
  void start_server(uint32_t i) {
    servers[i].reset();
    tables[i] = std::make_unique<ArrayTable>(&maker);
    servers[i] = run_server(cluster, i, open(text("server:", i)), *tables[i]);
  }
  std::unique_ptr<DistributedStore> worker(const std::string& type, uint32_t rank) {
    return std::make_unique<DistributedStore>(type, cluster, rank, open(text("worker:", rank)), KeyRing());
  }
  // Runs `program` as all workers, in a thread each.
  template <class F>
  void run(const std::string& type, F program) {
    std::vector<std::thread> threads;
    std::vector<std::string> errors(cluster.workers);
    for (uint32_t rank = 0; rank < cluster.workers; ++rank) {
      threads.emplace_back([&, rank] {
        try {
          const auto store = worker(type, rank);
          program(*store, rank);
        } catch (const check::Failed& failed) {
          errors[rank] = failed.message;
        } catch (const std::exception& error) {
          errors[rank] = error.what();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::string& error : errors) CHECK_EQ(error, std::string());
  }
};

inline void init_one(Store& store, const Key& key, const ArrayRef& value) {
  const Entry entry[] = {{key, value.get()}};
  store.init(entry);
}
inline void push_one(Store& store, const Key& key, const ArrayRef& value) {
  const Entry entry[] = {{key, value.get()}};
  store.push(entry, 0);
}
inline Floats pull_one(Store& store, const Key& key, size_t count) {
  const ArrayRef out = array_of(Floats(count));
  const Entry entry[] = {{key, out.get()}};
  store.pull(entry, 0);
  return floats_of(out);
}

// What `steps` of the momentum rule make of the sums, in the order of ranks.
inline Floats expected_after(size_t count, uint32_t workers, int steps, float rate) {
  Floats w = random_floats(count, 1), m(count);
  for (int step = 0; step < steps; ++step) {
    Floats sum = random_floats(count, 100 + static_cast<uint32_t>(step) * 10);
    for (uint32_t rank = 1; rank < workers; ++rank) {
      const Floats more = random_floats(count, 100 + static_cast<uint32_t>(step) * 10 + rank);
      for (size_t i = 0; i < count; ++i) sum[i] += more[i];
    }
    for (size_t i = 0; i < count; ++i) {
      m[i] = 0.9f * m[i] + sum[i];
      w[i] -= rate * m[i];
    }
  }
  return w;
}

}  // namespace check
