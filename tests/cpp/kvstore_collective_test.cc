// Collective stores of several workers in one process: sums in the order of ranks, and what is said when workers differ or end.
#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "array/sparse.h"
#include "check.h"
#include "engine/completion.h"
#include "kvstore/reduce.h"
#include "kvstore_collective_workers.h"
#include "kvstore_distributed_cast.h"
#include "net_mailbox.h"

using namespace check;
using collective::GroupSettings;

namespace {

using Workers = CollectiveWorkers;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

ArrayRef cast_to(const ArrayRef& array, DType dtype) {
  const ArrayRef cast = Array::empty(array->shape(), dtype, Device::cpu());
  copy_into(*array, *cast, 0);
  return cast;
}
std::string bytes_of(const ArrayRef& array) {
  std::string bytes(array->bytes(), ' ');
  array->copy_to_host(&bytes[0]);
  return bytes;
}

void update_alike(uint32_t workers, bool is_sharded) {
  Workers all(workers);
  if (is_sharded) all.type = "collective_sharded";
  all.run_well([&](CollectiveStore& store, uint32_t rank) {
    const std::vector<size_t> sizes = {3, 5003, 90, 700};
    for (const size_t size : sizes)
      init_one(store, Key(static_cast<int64_t>(size)), array_of(random_floats(size, rank + 1)));
    std::map<Key, Momentum> rules;
    for (const size_t size : sizes) rules[Key(static_cast<int64_t>(size))].rate = 0.25f;
    store.set_updater([&](const Key& key, Array& received, Array& stored) {
      CHECK_EQ(store.owner(key), static_cast<int>(rank));
      rules[key].update(key, received, stored);
    });
    for (int step = 0; step < 4; ++step) {
      for (const size_t size : sizes) {
        push_one(store, Key(static_cast<int64_t>(size)),
                 array_of(random_floats(size, 100 + static_cast<uint32_t>(step) * 10 + rank)));
      }
      if (step == 1) store.barrier();
      for (const size_t size : sizes) {
        CHECK(pull_one(store, Key(static_cast<int64_t>(size)), size) ==
              expected_after(size, workers, step + 1, 0.25f));
      }
    }
  });
}

}  // namespace

TEST(kvstore_collective_sums_have_the_bits_of_one_process) {
  const std::vector<DType> dtypes = {DType::float32, DType::float16, DType::bfloat16, DType::float64,
                                     DType::int8,    DType::uint8,   DType::int32,    DType::int64};
  const std::vector<size_t> sizes = {0, 1, 7, 63, 64, 65, 127, 129, 1000, 5003};
  for (const uint32_t workers : {1u, 2u, 3u, 5u, 7u}) {
    Workers all(workers);
    all.run_well([&](CollectiveStore& store, uint32_t rank) {
      CHECK_EQ(store.num_workers(), static_cast<int>(workers));
      CHECK_EQ(store.rank(), static_cast<int>(rank));
      int64_t key = 0;
      for (const DType dtype : dtypes) {
        for (const size_t size : sizes) {
          std::vector<ArrayRef> given;
          std::vector<Array*> values;
          for (uint32_t i = 0; i < workers; ++i) {
            Floats floats = random_floats(size, i + 10);
            for (float& one : floats) one = is_float(dtype) ? one : std::abs(one) * 20;
            given.push_back(cast_to(array_of(floats), dtype));
            values.push_back(given.back().get());
          }
          const ArrayRef expected = Array::empty(given[0]->shape(), dtype, Device::cpu());
          sum_into(values, *expected, 0);
          const ArrayRef out = Array::empty(given[0]->shape(), dtype, Device::cpu());
          const Entry own[] = {{Key(++key), given[rank].get()}}, into[] = {{Key(key), out.get()}};
          store.init(own);
          store.pull(into, 0);
          CHECK(bytes_of(out) == bytes_of(given[0]));
          store.push_pull(own, into, 0);
          CHECK(bytes_of(out) == bytes_of(expected));
          const ArrayRef again = Array::empty(out->shape(), dtype, Device::cpu());
          const Entry also[] = {{Key(key), again.get()}};
          store.pull(also, 0);
          CHECK(bytes_of(again) == bytes_of(expected));
          // In place, and beside another out.
          const Entry both[] = {{Key(key), given[rank].get()}, {Key(key), again.get()}};
          store.push_pull(own, both, 0);
          CHECK(bytes_of(given[rank]) == bytes_of(expected));
          CHECK(bytes_of(again) == bytes_of(expected));
        }
      }
    });
  }
}

TEST(kvstore_collective_workers_update_alike) {
  for (const bool is_sharded : {false, true}) {
    for (const uint32_t workers : {1u, 2u, 5u}) update_alike(workers, is_sharded);
  }
}

TEST(kvstore_collective_shards_by_bytes) {
  Workers all(3);
  all.type = "collective_sharded";
  all.run_well([&](CollectiveStore& store, uint32_t rank) {
    CHECK_THROWS(store.owner(Key(0)), not_found, "key 0 has no value");
    const std::vector<size_t> sizes = {100, 10, 50, 30, 20, 45};
    const std::vector<int> owners = {0, 1, 2, 1, 1, 2};
    for (size_t i = 0; i < sizes.size(); ++i) {
      const Key key(static_cast<int64_t>(i));
      init_one(store, key, array_of(random_floats(sizes[i], 1)));
      CHECK_EQ(store.owner(key), owners[i]);
    }
    for (const size_t bytes : {size_t{0}, size_t{1}, size_t{5003}}) {
      for (int from = 0; from < 3; ++from) {
        const std::string own(bytes, static_cast<char>('a' + rank));
        CHECK_EQ(store.hand_over(from, own),
                 rank == 0 ? std::string(bytes, static_cast<char>('a' + from)) : std::string());
      }
    }
    CHECK_THROWS(store.hand_over(3, ""), index, "worker 3");
  });
}

// What fails at the owner is told to all.
TEST(kvstore_collective_tells_others_of_an_update_that_failed) {
  for (const bool fails_at_once : {true, false}) {
    Workers all(3);
    all.type = "collective_sharded";
    all.run([&](CollectiveStore& store, uint32_t rank) {
      init_one(store, Key(1), array_of({1, 2, 3}));
      store.barrier();
      CHECK_EQ(store.owner(Key(1)), 0);
      store.set_updater([&](const Key&, Array&, Array& stored) {
        CHECK_EQ(rank, 0u);
        const auto body = [] { fail(Status::shape, "[dot] no good"); };
        if (fails_at_once) body();
        engine::Engine::get().push(body, {}, {&stored.chunk()}, engine::TaskInfo());
      });
      push_one(store, Key(1), array_of({1, 1, 1}));
      pull_one(store, Key(1), 3);
    });
    CHECK(has(all.errors[0], "[dot] no good"));
    // A task that fails may end worker 0 before it has begun what follows, or while its sum is still under way.
    for (const uint32_t other : {1u, 2u}) {
      const std::string& error = all.errors[other];
      CHECK(has(error, "[kvstore."));
      const bool is_told = has(error, "worker:0 could not begin the updated value of key 1") ||
                           (!fails_at_once && has(error, "worker:0 ended ") &&
                            (has(error, "the updated value of key 1") || has(error, "one worker of key 1")));
      CHECK_EQ(is_told ? "" : error, std::string());
    }
  }
}

// A worker that gives up while a value that it has pushed is still being computed.
TEST(kvstore_collective_tells_others_of_an_end_before_a_sum_began) {
  Workers all(2);
  std::promise<engine::Completion> computing;
  all.run([&](CollectiveStore& store, uint32_t rank) {
    init_one(store, Key(1), array_of({1, 2, 3}));
    store.barrier();
    const ArrayRef value = array_of({1, 1, 1});
    if (rank == 0) {
      engine::TaskInfo info;
      info.deferred = true;
      engine::Engine::get().push([&] { computing.set_value(engine::Completion::begin()); }, {},
                                 {&value->chunk()}, info);
    }
    push_one(store, Key(1), value);
    if (rank == 0) fail(Status::io, "[test] gives up");
    pull_one(store, Key(1), 3);
  });
  computing.get_future().get().done();
  const char* const why = "worker:0 ended before the sum of key 1 (float32, 3 elements)";
  CHECK_THROWS(engine::Engine::get().wait_for_all(), io, why);
  CHECK_EQ(all.errors[0], "[test] gives up");
  CHECK(has(all.errors[1], why));
}

// What only sends is waited for too: here a gradient that comes late, whose sum the other worker has and makes nothing of.
TEST(kvstore_collective_leaves_when_all_has_begun) {
  Workers all(2);
  all.type = "collective_sharded";
  all.run_well([&](CollectiveStore& store, uint32_t rank) {
    init_one(store, Key(1), array_of({1, 2, 3}));
    store.set_updater([](const Key&, Array&, Array&) {});
    const ArrayRef value = array_of({1, 1, 1});
    if (rank == 1) {
      engine::Engine::get().push([] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }, {},
                                 {&value->chunk()}, engine::TaskInfo());
    }
    push_one(store, Key(1), value);
  });
}

// Many on their way at a time, of devices, in several dtypes; whoever is first waits for nobody.
TEST(kvstore_collective_pushes_overlap) {
  Workers all(3);
  all.run_well([&](CollectiveStore& store, uint32_t rank) {
    const int64_t keys = 40;
    const size_t size = 300;
    std::vector<ArrayRef> outs;
    for (int64_t key = 0; key < keys; ++key) init_one(store, Key(key), array_of(Floats(size)));
    if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (int64_t key = 0; key < keys; ++key) {
      const Floats mine(size, static_cast<float>(rank + 1) + static_cast<float>(key));
      const ArrayRef one = cast_to(array_of(mine), DType::float16),
                     two = cast_to(array_of(mine), DType::float16);
      const Entry devices[] = {{Key(key), one.get()}, {Key(key), two.get()}};
      store.push(devices, static_cast<int>(rank == 2 ? key : -key));
    }
    for (int64_t key = 0; key < keys; ++key) {
      outs.push_back(array_of(Floats(size)));
      const Entry out[] = {{Key(key), outs.back().get()}};
      store.pull(out, 0);
    }
    for (int64_t key = 0; key < keys; ++key)
      CHECK(floats_of(outs[static_cast<size_t>(key)]) ==
            Floats(size, 12.0f + 6.0f * static_cast<float>(key)));
  });
}

TEST(kvstore_collective_refuses_what_it_does_not_offer) {
  Workers one(1);
  one.run_well([](CollectiveStore& store, uint32_t) {
    const ArrayRef dense = array_of({1, 2}), other = array_of({1, 2, 3});
    const ArrayRef rows = empty_sparse(Storage::row_sparse, Shape({2, 2}), DType::float32, Device::cpu());
    const ArrayRef flags = cast_to(dense, DType::boolean);
    const Entry sparse[] = {{Key(int64_t{1}), rows.get()}}, good[] = {{Key(int64_t{1}), dense.get()}},
                longer[] = {{Key(int64_t{1}), other.get()}}, unknown[] = {{Key(int64_t{9}), dense.get()}},
                named[] = {{Key(std::string("w")), dense.get()}}, bits[] = {{Key(int64_t{1}), flags.get()}};
    Array* const numbers[] = {dense.get()};
    CHECK_THROWS(store.init(sparse), unsupported, "row_sparse");
    store.init(good);
    CHECK_THROWS(store.init(good), invalid_argument, "has a value already");
    CHECK_THROWS(store.init(named), invalid_argument, "all whole numbers or all text");
    CHECK_THROWS(store.push(longer, 0), shape, "(2");
    CHECK_THROWS(store.push(bits, 0), dtype, "bool");
    CHECK_THROWS(store.pull(unknown, 0), not_found, "call init first");
    CHECK_THROWS(store.pull_rows(sparse, numbers, 0), unsupported, "'dist_sync'");
    CHECK_THROWS(store.set_compression({}), unsupported, "'dist_sync'");
    store.leave();
    CHECK_THROWS(store.push(good, 0), stopped, "has left");
    store.leave();
  });
}

TEST(kvstore_collective_names_calls_that_differ) {
  Workers all(3);
  all.run([](CollectiveStore& store, uint32_t rank) {
    init_one(store, Key(std::string("a")), array_of({1, 2}));
    init_one(store, Key(std::string("b")), array_of({1, 2, 3}));
    const bool is_first = rank != 2;
    push_one(store, Key(std::string(is_first ? "a" : "b")), array_of(Floats(is_first ? 2 : 3)));
    pull_one(store, Key(std::string(is_first ? "a" : "b")), is_first ? 2 : 3);
  });
  for (const std::string& error : all.errors) {
    CHECK(has(error, "key 'a' (float32, 2 elements)"));
    CHECK(has(error, "key 'b' (float32, 3 elements)"));
    CHECK(has(error, "worker:2"));
  }
  Workers two(2);
  two.run([](CollectiveStore& store, uint32_t rank) { store.send_rule(rank ? "this" : "that"); });
  for (const std::string& error : two.errors) CHECK(has(error, "in worker:1 than in worker:0"));
}

TEST(kvstore_collective_names_who_has_left) {
  Workers all(3);
  all.run([](CollectiveStore& store, uint32_t rank) {
    init_one(store, Key(std::string("a")), array_of({1, 2}));
    if (rank == 1) return;
    push_one(store, Key(std::string("a")), array_of({1, 2}));
    pull_one(store, Key(std::string("a")), 2);
  });
  CHECK_EQ(all.errors[1], std::string());
  for (const uint32_t rank : {0u, 2u})
    CHECK(has(all.errors[rank], "worker:1 has left the store, before the sum of key 'a'"));
}

TEST(kvstore_collective_names_who_is_slow) {
  Workers all(3);
  all.settings.wait_limit = 1.5;
  std::atomic<int> told{0};
  all.run([&](CollectiveStore& store, uint32_t rank) {
    init_one(store, Key(int64_t{1}), array_of({1, 2}));
    if (rank == 1) wait_until([&] { return told == 2; }, "the others were told");
    try {
      push_one(store, Key(int64_t{1}), array_of({1, 2}));
      pull_one(store, Key(int64_t{1}), 2);
    } catch (const Error&) {
      ++told;
      throw;
    }
  });
  for (const std::string& error : all.errors)
    CHECK(has(error, "(MIXGRAD_TIME_LIMIT) for worker:1 in the sum of key 1"));
}

namespace {

// A worker that is no store: it says what a test likes.
struct Other {
  std::mutex mutex;
  std::condition_variable changed;
  collective::Members members;
  std::unique_ptr<net::Transport> transport;

  Other(const Workers& all, uint32_t workers) {
    const std::lock_guard<std::mutex> lock(mutex);
    transport =
        net::open_in_process(all.network, "worker:1", [this](const net::NodeName&, net::Message message) {
          const std::lock_guard<std::mutex> guard(mutex);
          if (message.kind != collective::kMembersKind) return;
          protocol::decode(message.payload.data, message.payload.bytes, members);
          changed.notify_all();
        });
    transport->set_peer("worker:0", {"in-process", 1}, {});
    say(collective::kHereKind, collective::Here{workers, 7, "in-process:1"});
  }
  template <class T>
  void say(uint16_t kind, const T& fields, net::Payload payload = {}) {
    net::Message message;
    message.kind = kind;
    message.fields = protocol::encoded(fields);
    message.payload = std::move(payload);
    transport->send("worker:0", std::move(message));
  }
  uint64_t group() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(30), [&] { return members.group != 0; });
    return members.group;
  }
};

// What worker 0 of two is told when the other one does `act`, and then nothing.
std::string error_beside(const std::function<void(Other& other)>& act, double silence_limit = 30) {
  Workers all(2);
  all.settings.silence_limit = silence_limit;
  std::string error;
  std::thread first([&] {
    try {
      const auto store = all.store(0);
      init_one(*store, Key(int64_t{1}), array_of({1, 2}));
      push_one(*store, Key(int64_t{1}), array_of({1, 2}));
      pull_one(*store, Key(int64_t{1}), 2);
      store->abandon();
    } catch (const std::exception& thrown) {
      error = thrown.what();
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  {
    Other other(all, 2);
    act(other);
    first.join();
  }
  return error;
}

}  // namespace

TEST(kvstore_collective_names_who_is_silent_or_speaks_nonsense) {
  CHECK(has(error_beside([](Other& other) { other.group(); }, 0.4),
            "has not heard worker:1 for 0.4 s (MIXGRAD_DEAD_AFTER)"));
  CHECK(has(error_beside([](Other& other) {
              other.say(collective::kAliveKind, collective::Alive{other.group(), 5});
            }),
            "5 messages of worker:1 to worker:0 were lost"));
  // Of a group that used the address before.
  CHECK(has(error_beside(
                [](Other& other) {
                  other.say(collective::kBrokenKind, collective::Broken{other.group() + 1, "not mine"});
                },
                0.4),
            "has not heard worker:1"));
  const auto part_error = [](uint32_t piece, size_t bytes, bool is_in_slot = false) {
    return error_beside([=](Other& other) {
      collective::Part part;
      part.group = other.group();
      part.number = 2;
      part.piece = piece;
      part.about.step = collective::Step::sum;
      part.about.key = "key 1";
      part.about.elements = 2;
      part.is_in_slot = is_in_slot;
      part.bytes = bytes;
      other.say(collective::kPartKind, part, net::Payload::of(std::string(bytes, ' ')));
    });
  };
  CHECK(has(part_error(1, 8), "worker:1 sent piece 1 of the sum of key 1"));
  CHECK(has(part_error(0, 9), "worker:1 sent piece 0 of the sum of key 1"));
  CHECK(has(part_error(0, 8, true), "in memory that it does not share"));
  CHECK_EQ(part_error(0, 8), std::string());
}

TEST(kvstore_collective_slots_are_free_when_they_are_read) {
  using collective::Segment;
  const auto made = Segment::make(1 << 14, 1000, 7);
  if (!made) return;  // the system has no such memory
  CHECK(!Segment::open(made->name(), 8));
  CHECK(!Segment::open("/proc/1/fd/999", 7));
  CHECK(!Segment::open("nonsense", 7));
  CHECK(!Segment::make(1 << 12, 1 << 14, 7));
  const auto seen = Segment::open(made->name(), 7);
  CHECK(seen != nullptr);
  const std::string one(1000, 'a'), two(10, 'b');
  CHECK_EQ(made->put(one.data(), 1001), int64_t{-1});
  net::Payload first, second, none;
  CHECK(!Segment::get(seen, 0, 10, &none));
  CHECK_EQ(made->put(one.data(), one.size()), int64_t{0});
  CHECK_EQ(made->put(two.data(), two.size()), int64_t{1});
  CHECK(Segment::get(seen, 0, 1000, &first));
  CHECK(Segment::get(seen, 1, 10, &second));
  CHECK(first.text() == one);
  CHECK(second.text() == two);
  CHECK(!Segment::get(seen, 0, 1001, &none));
  CHECK(!Segment::get(seen, 12, 10, &none));
  CHECK(!Segment::get(nullptr, 0, 10, &none));
  for (int64_t slot = 2; slot < 12; ++slot) CHECK_EQ(made->put(two.data(), two.size()), slot);
  CHECK_EQ(made->put(two.data(), two.size()), int64_t{-1});
  second = {};
  CHECK_EQ(made->put(one.data(), one.size()), int64_t{1});

  collective::Slots slots(1 << 14, 1000, 2, 7);
  collective::SlotPlace place;
  const net::Payload payload = net::Payload::of(one);
  CHECK(!slots.put(1, payload, &place));
  const std::string name = slots.more(0);
  CHECK(Segment::open(name, 7) != nullptr);
  CHECK_EQ(slots.more(0), name);
  for (uint32_t slot = 0; slot < 12; ++slot) {
    CHECK(slots.put(5, payload, &place));
    CHECK_EQ(place.slot, slot);
  }
  CHECK(!slots.put(5, payload, &place));
  CHECK(!slots.more(1).empty());
  CHECK(slots.put(2, payload, &place));
  CHECK_EQ(place.segment, 1u);
  CHECK(slots.more(2).empty());
}

TEST(kvstore_collective_refuses_processes_that_do_not_belong) {
  Workers all(2);
  std::string error;
  std::thread first([&] {
    try {
      all.store(0);
    } catch (const std::exception& thrown) {
      error = thrown.what();
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  Workers more(3);
  more.network = all.network;
  {
    const Other counted(all, 3);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  CHECK_THROWS(more.store(2), invalid_argument, "was started as one of 2 workers, and worker:2 as one of 3");
  const auto one = all.store(1);  // the first that says so takes part
  first.join();
  CHECK_EQ(error, std::string());
  one->abandon();
}

TEST(kvstore_collective_says_who_is_missing_at_the_start) {
  Workers all(3);
  all.settings.start_limit = 0.3;
  CHECK_THROWS(all.store(0), io, "for worker:1, worker:2 (MIXGRAD_TIME_LIMIT)");
  CHECK_THROWS(all.store(1), io, "for worker:0 at in-process:1");
}

TEST(kvstore_collective_tells_others_of_an_input_that_failed) {
  Workers all(2);
  all.run([](CollectiveStore& store, uint32_t rank) {
    init_one(store, Key(int64_t{1}), array_of({1, 2}));
    const ArrayRef own = array_of({1, 2});
    if (rank == 1) {
      engine::Var* const writes[] = {&own->chunk()};
      engine::Engine::get().push([] { fail(Status::internal, "no gradient"); }, {}, writes);
    }
    push_one(store, Key(int64_t{1}), own);
    pull_one(store, Key(int64_t{1}), 2);
  });
  CHECK(has(all.errors[0], "worker:1 could not begin the sum of key 1"));
  CHECK(has(all.errors[1], "no gradient"));
}
