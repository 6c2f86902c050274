// Random programs on stores: the threaded engine gives, bit for bit, what the serial one gives.
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "check.h"
#include "engine/engine.h"
#include "exec/imperative/invoke.h"
#include "kvstore/store.h"

using mixgrad::Array;
using mixgrad::ArrayRef;
using mixgrad::Device;
using mixgrad::DType;
using mixgrad::Shape;
using mixgrad::kvstore::Entry;
using mixgrad::kvstore::Key;
using mixgrad::kvstore::Store;
using Values = std::vector<float>;

namespace {

constexpr int kKeys = 4;

class EngineScope {
 public:
  explicit EngineScope(mixgrad::engine::EngineKind kind) : before_(mixgrad::engine::Engine::get().kind()) {
    mixgrad::engine::set_engine(kind);
  }
  ~EngineScope() { mixgrad::engine::set_engine(before_); }
  EngineScope(const EngineScope&) = delete;
  EngineScope& operator=(const EngineScope&) = delete;

 private:
  mixgrad::engine::EngineKind before_;
};

int64_t size_of_key(int key) { return key % 2 ? 7 : 3000 * (key + 1); }

ArrayRef filled(int key, Device device, std::mt19937& random) {
  Values values(static_cast<size_t>(size_of_key(key)));
  std::uniform_real_distribution<float> numbers(-1, 1);
  for (float& v : values) v = numbers(random);
  return Array::from_host(values.data(), Shape{size_of_key(key)}, DType::float32, device);
}

Values read(const Array& array) {
  Values out(static_cast<size_t>(array.size()));
  array.copy_to_host(out.data());
  return out;
}

// stored = stored * 0.75 + received, by operators.
void decay(const Key&, Array& received, Array& stored) {
  static const mixgrad::Op& scale = mixgrad::find_op("_mul_scalar");
  static const mixgrad::Op& add = mixgrad::find_op("broadcast_add");
  const mixgrad::NamedValue values[] = {{"scalar", mixgrad::Value(0.75)}};
  ArrayRef out(&stored);
  Array* const in[] = {&stored};
  mixgrad::invoke(scale, mixgrad::make_params(scale, values), in, mixgrad::Span<ArrayRef>(&out, 1));
  Array* const both[] = {&stored, &received};
  mixgrad::invoke(add, add.defaults, both, mixgrad::Span<ArrayRef>(&out, 1));
}

// Everything the program pulled, in order.
std::vector<Values> run_store_program(const char* type, unsigned seed, int steps) {
  std::mt19937 random(seed);
  const std::unique_ptr<Store> store = mixgrad::kvstore::make_store(type);
  std::vector<ArrayRef> kept, pulled;
  for (int key = 0; key < kKeys; ++key) {
    kept.push_back(filled(key, Device::cpu(), random));
    store->init({Entry{Key(key), kept.back().get()}});
  }
  bool updates = false;
  for (int step = 0; step < steps; ++step) {
    const int key = static_cast<int>(random() % kKeys);
    const int devices = static_cast<int>(random() % 4) + 1;
    const int priority = static_cast<int>(random() % 5) - 2;
    std::vector<ArrayRef> arrays;
    std::vector<Entry> entries;
    for (int d = 0; d < devices; ++d) {
      arrays.push_back(filled(key, Device::cpu(d), random));
      entries.push_back({Key(key), arrays.back().get()});
    }
    switch (random() % 5) {
      case 0:
      case 1: store->push(entries, priority); break;
      case 2: store->pull(entries, priority); break;
      case 3: store->push_pull(entries, entries, priority); break;
      default: updates = !updates; store->set_updater(updates ? decay : mixgrad::kvstore::Updater());
    }
    pulled.insert(pulled.end(), arrays.begin(), arrays.end());
  }
  std::vector<Values> out;
  for (const ArrayRef& array : pulled) out.push_back(read(*array));
  return out;
}

TEST(kvstore_threaded_equals_serial) {
  for (const char* type : {"local", "device"}) {
    for (unsigned seed = 0; seed < 6; ++seed) {
      std::vector<Values> expected, got;
      {
        const EngineScope serial(mixgrad::engine::EngineKind::serial);
        expected = run_store_program(type, seed, 60);
      }
      {
        const EngineScope threaded(mixgrad::engine::EngineKind::threaded);
        got = run_store_program(type, seed, 60);
      }
      CHECK(got == expected);
    }
  }
}

TEST(kvstore_stores_of_several_threads_do_not_disturb_each_other) {
  const EngineScope threaded(mixgrad::engine::EngineKind::threaded);
  constexpr unsigned kThreads = 4;
  std::vector<Values> got[kThreads];
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i)
    threads.emplace_back([&got, i] { got[i] = run_store_program("device", i, 40); });
  for (std::thread& thread : threads) thread.join();
  for (unsigned i = 0; i < kThreads; ++i) CHECK(got[i] == run_store_program("device", i, 40));
}

TEST(kvstore_threads_share_one_store) {
  const EngineScope threaded(mixgrad::engine::EngineKind::threaded);
  const std::unique_ptr<Store> store = mixgrad::kvstore::make_store("local");
  const Values zeros(100, 0.0f);
  const ArrayRef first = Array::from_host(zeros.data(), Shape{100}, DType::float32, Device::cpu());
  store->init({Entry{Key(0), first.get()}});
  store->set_updater([](const Key&, Array& received, Array& stored) {
    static const mixgrad::Op& add = mixgrad::find_op("broadcast_add");
    ArrayRef out(&stored);
    Array* const both[] = {&stored, &received};
    mixgrad::invoke(add, add.defaults, both, mixgrad::Span<ArrayRef>(&out, 1));
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const Values ones(100, 1.0f);
      for (int i = 0; i < 50; ++i) {
        const ArrayRef a = Array::from_host(ones.data(), Shape{100}, DType::float32, Device::cpu(0));
        const ArrayRef b = Array::from_host(ones.data(), Shape{100}, DType::float32, Device::cpu(1));
        store->push({Entry{Key(0), a.get()}, Entry{Key(0), b.get()}}, i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const ArrayRef out = Array::empty(Shape{100}, DType::float32, Device::cpu(2));
  store->pull({Entry{Key(0), out.get()}}, 0);
  CHECK(read(*out) == Values(100, 400.0f));
}

}  // namespace
