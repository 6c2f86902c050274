// Stores of several nodes in one process: what reaches the arrays of workers, through servers that come and go.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "array/sparse.h"
#include "check.h"
#include "exec/sparse/sparse.h"
#include "kvstore/distributed/encoded_array.h"
#include "kvstore/protocol/placement.h"
#include "kvstore_distributed_cast.h"
#include "net_mailbox.h"

using namespace check;

TEST(kvstore_distributed_abouts_of_others_are_sound) {
  const auto is_sound = [](std::vector<int64_t> extents, uint64_t first, uint64_t count) {
    PieceAbout about;
    about.name = "w";
    about.is_text = true;
    about.extents = std::move(extents);
    about.first = first;
    about.count = count;
    return about.is_sound();
  };
  CHECK(is_sound({2, 3}, 0, 6));
  CHECK(is_sound({2, 3}, 4, 2));
  CHECK(is_sound({}, 0, 1));
  CHECK(is_sound({0, 5}, 0, 0));
  CHECK(!is_sound({2, 3}, 4, 3));
  CHECK(!is_sound({2, -3}, 0, 0));
  // Products that overflow to what would be small.
  CHECK(!is_sound({int64_t{1} << 40, int64_t{1} << 24}, 0, 0));
  CHECK(!is_sound({(int64_t{1} << 32) + 65536, (int64_t{1} << 32) - 65535}, 0, 65536));
  CHECK(!is_sound({0, int64_t{1} << 40, int64_t{1} << 24}, 0, 0));
}

TEST(kvstore_pieces_cover_a_value_and_begin_on_different_servers) {
  for (const uint32_t servers : {1u, 2u, 5u}) {
    const Cut cut{1000, servers, 64};
    for (const uint64_t elements : {0u, 1u, 999u, 1000u, 1003u, 100000u}) {
      for (const Key& key : {Key(int64_t{7}), Key(std::string("w"))}) {
        const std::vector<Piece> pieces = pieces_of(key, elements, false, cut);
        CHECK_EQ(pieces.size(), elements >= 1000 ? size_t{servers} : size_t{1});
        uint64_t next = 0;
        std::set<uint32_t> primaries, all;
        for (uint32_t i = 0; i < servers; ++i) all.insert(i);
        for (const Piece& piece : pieces) {
          CHECK(piece.id != 0);
          CHECK_EQ(piece.first, next);
          next += piece.count;
          const auto slot = static_cast<uint32_t>(protocol::mixed(piece.id) % cut.slots);
          primaries.insert(protocol::heaviest(slot, all, 1)[0]);
        }
        CHECK_EQ(next, elements);
        CHECK_EQ(primaries.size(), pieces.size());
      }
    }
    CHECK_EQ(pieces_of(Key(int64_t{7}), 100000, true, cut).size(), size_t{1});
  }
  CHECK(pieces_of(Key(int64_t{3}), 1, false, {})[0].id !=
        pieces_of(Key(std::string("3")), 1, false, {})[0].id);
}

TEST(kvstore_array_table_moves_with_the_states_of_its_rule) {
  using protocol::Applied;
  Momenta maker;
  ArrayTable table(&maker), other(&maker);
  const ArrayRef first = array_of({1, 2, 3});
  const Piece piece{9, 0, 3, false};
  const std::string about = protocol::encoded(about_of(Key(std::string("w")), *first, piece));
  const protocol::Value value = encoded_array(first);
  CHECK_EQ(table.check_init(4, 9, about, false), std::string());
  CHECK_EQ(table.check_first(9, about, value), std::string());
  CHECK(!table.check_first(9, about, encoded_array(array_of({1, 2}))).empty());
  CHECK(!table.check_init(4, 9, "nonsense", false).empty());
  CHECK(!table.check_command(5, {}).empty());
  CHECK(!table.check_command(kRuleHead, net::Payload::of("abc")).empty());
  CHECK(!ArrayTable().check_command(kRuleHead, net::Payload::of(rate_text(1))).empty());
  const std::vector<protocol::Mark> marks;
  const std::string none;
  const protocol::Value rule{{}, net::Payload::of(rate_text(0.5f))};
  CHECK(table.apply({4, 1, protocol::Step::command, 0, 0, marks, kRuleHead, none, rule}));
  CHECK(table.apply({4, 2, protocol::Step::init, 9, 0, marks, 0, about, value}));
  CHECK(!table.apply({4, 3, protocol::Step::init, 9, 0, marks, 0, about, value}));
  CHECK(!table.check_init(4, 9, protocol::encoded(about_of(Key(std::string("v")), *first, piece)), true)
             .empty());
  const std::vector<protocol::Contribution> two = {{0, encoded_array(array_of({1, 1, 1}))},
                                                   {1, encoded_array(array_of({1, 2, 3}))}};
  for (uint64_t round = 1; round <= 3; ++round) {
    CHECK(table.apply(
        {4, 3 + round, protocol::Step::update, 9, round, marks, 0, none, table.merge(4, 9, two)}));
  }
  for (const protocol::PieceId id : {protocol::kSlotItself, piece.id}) {
    for (uint32_t part = 0; part < table.parts(4, id); ++part)
      CHECK(other.install(4, id, about, part, table.part(4, id, part)));
  }
  for (ArrayTable* one : {&table, &other}) {
    protocol::Value out, no_rows;
    CHECK(!one->read(4, 9, 1, no_rows, out));
    CHECK(one->read(4, 9, 2, no_rows, out));
    CHECK(one->read(4, 9, 3, no_rows, out));
    CHECK(one->apply({4, 7, protocol::Step::update, 9, 4, marks, 0, none, one->merge(4, 9, two)}));
    CHECK(one->read(4, 9, 4, no_rows, out));
    Floats values(3), expected = {1, 2, 3}, m(3);
    std::memcpy(values.data(), out.payload.data, 12);
    for (int step = 0; step < 4; ++step) {
      for (size_t i = 0; i < 3; ++i) {
        m[i] = 0.9f * m[i] + (1.0f + static_cast<float>(i + 1));
        expected[i] -= 0.5f * m[i];
      }
    }
    CHECK(values == expected);
  }
  CHECK(!other.install(4, 9, about, 7, value));
  CHECK(!other.install(4, 8, "nonsense", 0, value));
}

TEST(kvstore_distributed_sums_in_the_order_of_ranks) {
  for (const uint32_t servers : {1u, 3u}) {
    Cast cast(3, servers);
    const size_t small = 10, large = 5003;
    cast.run("dist_sync", [&](Store& store, uint32_t rank) {
      CHECK_EQ(store.num_workers(), 3);
      for (const size_t count : {small, large})
        init_one(store, Key(static_cast<int64_t>(count)), array_of(random_floats(count, rank + 1)));
      CHECK(pull_one(store, Key(static_cast<int64_t>(small)), small) == random_floats(small, 1));
      store.send_rule(rate_text(0.25f));
      for (int step = 0; step < 5; ++step) {
        for (const size_t count : {small, large}) {
          push_one(store, Key(static_cast<int64_t>(count)),
                   array_of(random_floats(count, 100 + static_cast<uint32_t>(step) * 10 + rank)));
        }
        for (const size_t count : {small, large}) {
          const Floats got = pull_one(store, Key(static_cast<int64_t>(count)), count);
          CHECK(got == expected_after(count, 3, step + 1, 0.25f));
        }
      }
      store.barrier();
    });
    CHECK(cast.scheduler->wait(10) == Driver::End::ended);
    CHECK_EQ(cast.scheduler->nonsense(), uint64_t{0});
    for (const auto& server : cast.servers) {
      CHECK(server->wait(10) == Driver::End::ended);
      CHECK_EQ(server->nonsense(), uint64_t{0});
    }
  }
}

TEST(kvstore_distributed_survives_the_end_of_servers) {
  Cast cast(2, 3);
  const size_t count = 3001;
  std::thread killer;
  cast.run("dist_sync", [&](Store& store, uint32_t rank) {
    init_one(store, Key(std::string("w")), array_of(random_floats(count, 1)));
    store.send_rule(rate_text(0.125f));
    if (rank == 0) {
      killer = std::thread([&] {
        for (uint32_t i = 0; i < 3; ++i) {
          std::this_thread::sleep_for(std::chrono::milliseconds(50));
          cast.start_server(i);  // with an empty table
          std::this_thread::sleep_for(std::chrono::milliseconds(1000));
        }
      });
    }
    for (int step = 0; step < 40; ++step) {
      push_one(store, Key(std::string("w")),
               array_of(random_floats(count, 100 + static_cast<uint32_t>(step) * 10 + rank)));
      pull_one(store, Key(std::string("w")), count);
      std::this_thread::sleep_for(std::chrono::milliseconds(90));
    }
    const Floats got = pull_one(store, Key(std::string("w")), count);
    CHECK(got == expected_after(count, 2, 40, 0.125f));
    if (rank == 0) killer.join();
    store.barrier();
  });
}

TEST(kvstore_distributed_worker_goes_on_where_another_ended) {
  const Key a(int64_t{1}), b(int64_t{2});
  const auto step = [&](Store& store, uint32_t rank, uint32_t number, bool both) {
    const Floats before = pull_one(store, a, 4);
    for (const Key& key : {a, b}) {
      if (!both && key == b) continue;
      Floats gradient = random_floats(4, number * 10 + rank);
      for (size_t i = 0; i < 4; ++i) gradient[i] += before[i] * 0.5f;  // depends on what was pulled
      push_one(store, key, array_of(gradient));
    }
  };
  Floats undisturbed;
  for (const bool disturbed : {false, true}) {
    Cast here(2, 2);
    Floats result;
    here.run("dist_sync", [&](Store& first_store, uint32_t rank) {
      Store* store = &first_store;
      std::unique_ptr<DistributedStore> second;
      const auto begin = [&] {
        const ArrayRef value_a = array_of(random_floats(4, 1)), value_b = array_of(random_floats(4, 2));
        const Entry entries[] = {{a, value_a.get()}, {b, value_b.get()}};
        store->init(entries);
        store->send_rule(rate_text(0.25f));
      };
      begin();
      for (uint32_t number = 1; number <= 6; ++number) {
        if (disturbed && rank == 1 && number == 3) {
          step(*store, rank, number, false);  // one of two updates counted
          std::this_thread::sleep_for(std::chrono::milliseconds(200));
          static_cast<DistributedStore&>(first_store).abandon();
          second = here.worker("dist_sync", 1);
          store = second.get();
          begin();
          CHECK_EQ(store->rounds_done(), uint64_t{2});
        }
        step(*store, rank, number, true);
      }
      const Floats got_a = pull_one(*store, a, 4), got_b = pull_one(*store, b, 4);
      if (rank == 0) {
        result = got_a;
        result.insert(result.end(), got_b.begin(), got_b.end());
      }
      store->barrier();
    });
    if (!disturbed) undisturbed = result;
    CHECK(result == undisturbed);
  }
}

// What a process that comes later finds passed at its start, or hears of before its first call: others do not stand there any more.
TEST(kvstore_distributed_barriers_that_were_passed_are_not_waited_for) {
  Cast cast(1, 2);
  const std::unique_ptr<DistributedStore> first = cast.worker("dist_sync", 0);
  const Key key(int64_t{1});
  init_one(*first, key, array_of({1, 2, 3}));
  first->send_rule(rate_text(1.0f));  // a barrier
  const std::unique_ptr<DistributedStore> late = cast.worker("dist_sync", 1);
  first->barrier();  // does not wait for who has no values yet
  init_one(*late, key, array_of({0, 0, 0}));
  late->send_rule(rate_text(1.0f));
  late->barrier();
  std::atomic<bool> first_came{false}, was_met{false};
  std::thread beside([&] {
    late->barrier();  // the next one both stand at
    was_met = first_came.load();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // in which it could pass too early
  first_came = true;
  first->barrier();
  beside.join();
  CHECK(was_met);
}

TEST(kvstore_distributed_async_counts_every_update) {
  Cast cast(3, 2);
  cast.run("dist_async", [&](Store& store, uint32_t rank) {
    init_one(store, Key(int64_t{1}), array_of(Floats(2000)));
    Momenta maker;
    store.send_rule(rate_text(1.0f));
    // With momentum the order counts; the first moment of a constant does not.
    for (int step = 0; step < 10; ++step) push_one(store, Key(int64_t{1}), array_of(Floats(2000, 1.0f)));
    store.barrier();
    Floats w(1), m(1);
    for (int step = 0; step < 30; ++step) {
      m[0] = 0.9f * m[0] + 1.0f;
      w[0] -= m[0];
    }
    const Floats got = pull_one(store, Key(int64_t{1}), 2000);
    for (const float one : got) CHECK_EQ(one, w[0]);
    CHECK_EQ(static_cast<uint32_t>(store.rank()), rank);
    store.barrier();
  });
}

// Programs of some floors alone lack operators that sums of rows look for.
bool has_rows() {
  try {
    find_op("_contrib_round_ste");
    return true;
  } catch (const Error&) {
    std::puts("kvstore_distributed_rows: left out, this program lacks operators of sparse arrays");
    return false;
  }
}

TEST(kvstore_distributed_rows) {
  if (!has_rows()) return;
  Cast cast(2, 2);
  cast.run("dist_sync", [&](Store& store, uint32_t rank) {
    const Shape shape({6, 2});
    const auto rows = [&](const std::vector<int64_t>& numbers, const Floats& values) {
      SparseParts parts;
      parts.storage = Storage::row_sparse;
      parts.indices = make_numbers(numbers, Device::cpu());
      parts.values = Array::from_host(values.data(), Shape({static_cast<int64_t>(numbers.size()), 2}),
                                      DType::float32, Device::cpu());
      return make_sparse(shape, std::move(parts));
    };
    init_one(store, Key(int64_t{5}), rows({0, 4}, {1, 2, 3, 4}));
    // Row 1 of both, rows 2 and 3 of one each.
    push_one(store, Key(int64_t{5}), rank == 0 ? rows({1, 2}, {1, 1, 2, 2}) : rows({1, 3}, {10, 10, 3, 3}));
    const ArrayRef out = empty_sparse(Storage::row_sparse, shape, DType::float32, Device::cpu());
    const Floats wanted = {1, 3, 1, 5};
    const ArrayRef numbers = array_of(wanted);
    const Entry entry[] = {{Key(int64_t{5}), out.get()}};
    Array* const asked[] = {numbers.get()};
    store.pull_rows(entry, asked, 0);
    const auto parts = out->chunk().parts();
    CHECK((read_numbers(*parts->indices) == std::vector<int64_t>{1, 3, 5}));
    CHECK((floats_of(parts->values) == Floats{11, 11, 3, 3, 0, 0}));
    const ArrayRef whole = empty_sparse(Storage::row_sparse, shape, DType::float32, Device::cpu());
    const Entry all[] = {{Key(int64_t{5}), whole.get()}};
    store.pull(all, 0);
    whole->wait_to_read();
    CHECK((read_numbers(*whole->chunk().parts()->indices) == std::vector<int64_t>{1, 2, 3}));
  });
}

TEST(kvstore_distributed_says_whom_it_waits_for) {
  Cast cast(2, 1);
  cast.cluster.timing.request_limit = 2'000'000;
  std::atomic<bool> waited{false};
  cast.run("dist_sync", [&](Store& store, uint32_t rank) {
    init_one(store, Key(std::string("w")), array_of({1, 2}));
    if (rank == 0) {
      push_one(store, Key(std::string("w")), array_of({1, 2}));
      CHECK_THROWS(pull_one(store, Key(std::string("w")), 2), io, "worker:1");
      CHECK_THROWS(store.barrier(), io, "worker:1");
      waited = true;
    } else {
      wait_until([&] { return waited.load(); }, "the other one has waited in vain");
    }
    CHECK_THROWS(push_one(store, Key(std::string("v")), array_of({1, 2})), not_found, "init");
    CHECK_THROWS(push_one(store, Key(std::string("w")), array_of({1})), shape, "'w'");
    CHECK_THROWS(store.set_updater([](const Key&, Array&, Array&) {}), unsupported, "set_optimizer");
    if (rank == 0) {
      CHECK_THROWS(store.leave(), io, "worker:1");  // its update failed
    } else {
      store.leave();
    }
    CHECK_THROWS(pull_one(store, Key(std::string("w")), 2), stopped, "left");
  });
  cast.cluster.start_limit = 0.3;
  cast.servers.clear();
  cast.scheduler.reset();
  CHECK_THROWS(cast.worker("dist_sync", 0), io, "scheduler");
}
