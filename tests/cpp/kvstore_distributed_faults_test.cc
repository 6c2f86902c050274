// Stores of several processes in trouble: servers that compute for long, peers that send nonsense, numbers, limits.
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
#include "kvstore/distributed/encoded_array.h"
#include "kvstore_distributed_cast.h"
#include "net_mailbox.h"

using namespace check;

namespace {
uint64_t views_so_far(Driver& scheduler) {
  uint64_t number = 0;
  scheduler.call(
      [&](Machine& machine, protocol::Time, protocol::Actions&) { number = machine.view().epoch.number; });
  return number;
}
}  // namespace

// Updates of five times the silence that means death.
TEST(kvstore_distributed_servers_that_compute_for_long_live) {
  Cast cast(2, 2);
  cast.maker.duration = std::chrono::milliseconds(1500);
  uint64_t views = 0;
  cast.run("dist_sync", [&](Store& store, uint32_t rank) {
    init_one(store, Key(std::string("w")), array_of(random_floats(8, 1)));
    store.send_rule(rate_text(0.25f));
    store.barrier();
    if (rank == 0) views = views_so_far(*cast.scheduler);
    store.barrier();
    for (int step = 0; step < 2; ++step) {
      push_one(store, Key(std::string("w")),
               array_of(random_floats(8, 100 + static_cast<uint32_t>(step) * 10 + rank)));
    }
    CHECK(pull_one(store, Key(std::string("w")), 8) == expected_after(8, 2, 2, 0.25f));
    store.barrier();
    if (rank == 0) CHECK_EQ(views_so_far(*cast.scheduler), views);  // nobody was given up
    store.barrier();
  });
}

// A server takes no more than a limit of what waits, and goes on.
TEST(kvstore_distributed_inboxes_are_limited) {
  Cast cast(2, 1);
  cast.maker.duration = std::chrono::milliseconds(400);
  Driver::Options options;
  options.self = protocol::NodeId::server(0);
  options.scheduler = cast.cluster.scheduler;
  options.timing = cast.cluster.timing;
  options.waiting_bytes = 20'000;
  cast.servers[0].reset();
  cast.servers[0] = std::make_unique<Driver>(options, cast.open("server:0"), [&](const std::string& contact) {
    return std::make_unique<ServerMachine>(0, new_incarnation(), contact, cast.cluster.timing,
                                           *cast.tables[0]);
  });
  cast.run("dist_sync", [&](Store& store, uint32_t rank) {
    std::vector<Key> keys;
    for (int64_t i = 0; i < 8; ++i) keys.emplace_back(i);
    for (const Key& key : keys) init_one(store, key, array_of(Floats(2000)));
    store.send_rule(rate_text(1));
    for (const Key& key : keys) push_one(store, key, array_of(Floats(2000, static_cast<float>(rank + 1))));
    for (const Key& key : keys) CHECK(pull_one(store, key, 2000) == Floats(2000, -3));
  });
}

TEST(kvstore_distributed_peers_that_send_nonsense_may_come_back) {
  Cast cast(1, 1);
  cast.servers.clear();
  cast.scheduler.reset();
  Driver::Options options;
  options.self = protocol::NodeId::scheduler();
  options.has_scheduler = false;
  options.timing = cast.cluster.timing;
  options.cut_off = 400'000;
  const protocol::Membership membership{1, 1, 1, 8};
  cast.scheduler = std::make_unique<Driver>(options, cast.open("scheduler"), [&](const std::string&) {
    return std::make_unique<SchedulerMachine>(new_incarnation(), membership, cast.cluster.timing);
  });
  constexpr uint16_t kNonsense = 77, kOwn = 78;
  std::atomic<int> answers{0}, own{0};
  const auto peer = net::open_in_process(
      cast.network, "worker:0",
      [&](const net::NodeName&, const net::Message& message) { ++(message.kind == kOwn ? own : answers); });
  for (const char* name : {"scheduler", "worker:0"}) peer->set_peer(name, {}, {});
  const auto send = [&](const char* to, uint16_t kind, std::string fields) {
    net::Message message;
    message.kind = kind;
    message.fields = std::move(fields);
    peer->send(to, std::move(message));
  };
  // Whether there was an answer since then; asks once more.
  const auto is_answered_since = [&](int before) {
    send("scheduler", kHelloKind, protocol::encoded(Hello{"in-process:0"}));
    protocol::Heartbeat heartbeat;
    heartbeat.incarnation = 7;
    send("scheduler", static_cast<uint16_t>(protocol::Kind::heartbeat), protocol::encoded(heartbeat));
    return answers > before;
  };
  wait_until([&] { return is_answered_since(0); }, "the peer is answered");
  for (const int times : {1, 2}) {  // the second time for twice as long
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 3; ++i) send("scheduler", kNonsense, "nonsense");
    wait_until([&] { return cast.scheduler->cut_offs() == static_cast<uint64_t>(times); }, "it is cut off");
    send("worker:0", kOwn, "");  // comes after the answers to what it asked before
    wait_until([&] { return own == times; }, "its own message");
    const int before = answers;
    wait_until([&] { return is_answered_since(before); }, "it is answered again");
    CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(400 * times));
  }
}

TEST(kvstore_distributed_numbers_of_the_living_are_given_to_nobody) {
  protocol::Timing timing;
  const protocol::Membership membership{1, 2, 1, 8};
  const auto asked = [](SchedulerMachine& machine, protocol::Time now, uint64_t who, std::string* wrong) {
    uint32_t number = 99;
    Enrolment enrolment;
    enrolment.role = protocol::Role::worker;
    enrolment.incarnation = who;
    const bool answered = machine.number_for(now, enrolment, &number, wrong);
    return answered && wrong->empty() ? static_cast<int>(number) : answered ? -2 : -1;
  };
  const auto speak = [](SchedulerMachine& machine, protocol::Time now, const net::NodeName& name) {
    protocol::Heartbeat heartbeat;
    heartbeat.incarnation = 5;
    net::Message message;
    message.kind = static_cast<uint16_t>(protocol::Kind::heartbeat);
    message.fields = protocol::encoded(heartbeat);
    protocol::Actions actions;
    machine.on_message(now, name, message, actions);
  };
  constexpr protocol::Time kSecond = 1'000'000;
  std::string wrong;
  {  // A scheduler that was restarted: worker 0 lives, worker 1 has ended.
    SchedulerMachine machine(1, membership, timing);
    CHECK_EQ(asked(machine, 0, 11, &wrong), -1);
    speak(machine, kSecond, "worker:0");
    CHECK_EQ(asked(machine, kSecond, 11, &wrong), -1);
    speak(machine, 2 * kSecond, "worker:0");
    CHECK_EQ(asked(machine, 2 * kSecond, 11, &wrong), 1);
    CHECK_EQ(asked(machine, 2 * kSecond, 11, &wrong), 1);
    // It ended before it said a word: its number is free after a while.
    CHECK_EQ(asked(machine, 3 * kSecond, 12, &wrong), -1);
    speak(machine, 13 * kSecond, "worker:0");
    CHECK_EQ(asked(machine, 13 * kSecond, 12, &wrong), 1);
    speak(machine, 13 * kSecond, "worker:1");
    for (int second = 14; second < 26; ++second) {
      speak(machine, second * kSecond, "worker:0");
      speak(machine, second * kSecond, "worker:1");
    }
    CHECK_EQ(asked(machine, 25 * kSecond, 13, &wrong), -1);  // one of them may end now
    speak(machine, 28 * kSecond, "worker:0");
    speak(machine, 28 * kSecond, "worker:1");
    CHECK_EQ(asked(machine, 28 * kSecond, 13, &wrong), -2);
    CHECK_EQ(wrong, std::string("all 2 workers of this store are there already; one more came"));
    wrong.clear();
    CHECK_EQ(asked(machine, 31 * kSecond, 14, &wrong), 0);  // nobody was heard for so long
  }
  {  // A new store: when all ask, nobody has a number.
    SchedulerMachine machine(1, membership, timing);
    CHECK_EQ(asked(machine, 0, 11, &wrong), -1);
    CHECK_EQ(asked(machine, 0, 12, &wrong), -1);
    CHECK_EQ(asked(machine, 0, 13, &wrong), 0);
    CHECK_EQ(asked(machine, 0, 11, &wrong), 1);
  }
}

TEST(kvstore_array_table_refuses_values_beyond_its_memory) {
  ArrayTable table(nullptr, nullptr, 100);
  const ArrayRef first = array_of({1, 2, 3, 4, 5, 6, 7, 8});
  const std::string about = protocol::encoded(about_of(Key(std::string("w")), *first, {9, 0, 8, false}));
  const protocol::Value value = encoded_array(first);
  CHECK_EQ(table.check_first(9, about, value), std::string());
  const std::vector<protocol::Mark> marks;
  CHECK(table.apply({4, 1, protocol::Step::init, 9, 0, marks, 0, about, value}));
  const std::string wrong = table.check_first(10, about, value);
  CHECK(wrong.find("needs 64 bytes") != std::string::npos &&
        wrong.find("MIXGRAD_MEMORY") != std::string::npos);
}

// Rows that make no sense are refused, and the next reader gets what it wants.
TEST(kvstore_array_table_a_failed_read_leaves_the_value) {
  ArrayTable table;
  const ArrayRef first = array_of({1, 2, 3});
  const std::string about = protocol::encoded(about_of(Key(std::string("w")), *first, {9, 0, 3, false}));
  const std::vector<protocol::Mark> marks;
  CHECK(table.apply({4, 1, protocol::Step::init, 9, 0, marks, 0, about, encoded_array(first)}));
  protocol::Value out, rows = encoded_rows({0, 2});
  // Of a value with one axis there are rows of one element; what fails to read them, in programs without the operators of sparse
  // arrays, fails this reading only.
  static_cast<void>(table.read(4, 9, 0, rows, out));
  CHECK(!table.read(4, 9, 0, encoded_rows({0, 7}), out));
  CHECK_EQ(table.trouble(4, 9).find("its update failed"), std::string::npos);
  CHECK(table.read(4, 9, 0, protocol::Value(), out));
  CHECK_EQ(table.trouble(4, 9), std::string());
}

// Whoever waits for a process that is dead does so for a limited time, and says for whom.
TEST(kvstore_distributed_a_worker_that_leaves_waits_for_the_dead_for_a_while) {
  Cast cast(2, 1);
  cast.cluster.leave_limit = 1;
  cast.run("dist_sync", [&](Store& store, uint32_t rank) {
    init_one(store, Key(std::string("w")), array_of({1, 2}));
    store.barrier();
    if (rank == 1) {
      store.abandon();
      return;
    }
    push_one(store, Key(std::string("w")), array_of({1, 2}));
    CHECK_THROWS(store.leave(), io, "worker:1");
  });
}

// Two processes under one number: the first is told as soon as it shows that it lives after the second has taken its place.
TEST(kvstore_protocol_two_processes_of_one_number) {
  protocol::Scheduler scheduler(1, {1, 1, 1, 8}, protocol::Timing());
  uint64_t count = 0;  // of the last answer
  // Whether the scheduler tells the process to end.
  const auto beat = [&](uint64_t incarnation) {
    protocol::Heartbeat heartbeat;
    heartbeat.incarnation = incarnation;
    heartbeat.scheduler = 1;
    heartbeat.count = count;
    net::Message message;
    message.kind = static_cast<uint16_t>(protocol::Kind::heartbeat);
    message.fields = protocol::encoded(heartbeat);
    protocol::Actions actions;
    scheduler.on_message(0, "worker:0", message, actions);
    CHECK_EQ(actions.nonsense, 0u);
    bool is_unfit = false;
    for (const protocol::Outgoing& one : actions.messages) {
      protocol::Answer answer;
      protocol::Unfit unfit;
      const std::string& fields = one.message.fields;
      if (one.message.kind == static_cast<uint16_t>(protocol::Kind::answer)) {
        CHECK(protocol::decode(fields.data(), fields.size(), answer));
        count = answer.count;
      } else if (one.message.kind == static_cast<uint16_t>(protocol::Kind::unfit)) {
        CHECK(protocol::decode(fields.data(), fields.size(), unfit));
        CHECK_EQ(unfit.incarnation, incarnation);
        CHECK(unfit.why.find("one process for each number") != std::string::npos);
        is_unfit = true;
      }
    }
    return is_unfit;
  };
  const auto late = [&](uint64_t incarnation, uint64_t before) {  // a message that was on its way for long
    const uint64_t now = count;
    count = before;
    const bool is_unfit = beat(incarnation);
    count = std::max(now, count);
    return is_unfit;
  };
  CHECK(!beat(5));
  CHECK(!beat(5));
  const uint64_t before = count;
  CHECK(!beat(6));
  CHECK(!beat(6));          // now it is the one
  CHECK(!late(5, before));  // the first may have ended
  CHECK(beat(5));           // but it has not
  CHECK(!beat(6));
}
