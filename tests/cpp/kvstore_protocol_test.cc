// Stores under faults: every acknowledged update counts once, on every replica, and everything ends. What each safeguard
// prevents is shown by switching it off. `make soak` runs a hundred thousand of the schedules.
#include "check.h"
#include "kvstore_protocol_cluster.h"

namespace {

using namespace protocol_test;
using mixgrad::Status;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kSchedules = 150;
#else
constexpr uint64_t kSchedules = 2000;
#endif

// Far from those of the soak.
constexpr uint64_t kFirstSeed = 1'000'000'000;

std::string result(uint64_t seed, const Change& change = {}) {
  Plan plan = Plan::from_seed(seed);
  plan.change = change;
  const std::string wrong = Cluster(plan).run();
  return wrong.empty() ? "" : "seed " + std::to_string(seed) + " (" + plan.str() + "): " + wrong;
}

std::string journals_result(uint64_t seed) {
  const Plan plan = Plan::of_journals(seed);
  const std::string wrong = Cluster(plan).run();
  return wrong.empty() ? "" : "seed " + std::to_string(seed) + " (" + plan.str() + "): " + wrong;
}

// Whether some schedule shows that values or answers are wrong, not only that something takes for ever.
std::string caught(const Change& change) {
  for (uint64_t i = 0; i < 600; ++i) {
    std::string wrong = result(kFirstSeed + i, change);
    if (!wrong.empty() && wrong.find("nothing ends") == std::string::npos) return wrong;
  }
  return "";
}

// A small store without faults, until a test makes some.
Plan calm(uint32_t servers, uint32_t workers) {
  Plan plan;
  plan.members.servers = servers;
  plan.members.workers = plan.work.workers = workers;
  plan.members.slots = 3;
  plan.members.replicas = 2;
  plan.work.pieces = {11, 12, 13, 14};
  plan.work.steps = 6;
  plan.work.is_checked = true;
  plan.faults_until = 0;
  return plan;
}

// Until a first view is there and work has begun.
void begin(Cluster& cluster) {
  while (cluster.record().applied.size() < 4 && cluster.now() < 5'000'000)
    cluster.run_until(cluster.now() + 1000);
  CHECK(cluster.record().applied.size() >= 4);
}

void expect(const std::string& text, const std::string& part) {
  if (text.find(part) == std::string::npos) {
    check::fail(__FILE__, __LINE__, "'" + text + "' does not contain '" + part + "'");
  }
}

}  // namespace

TEST(kvstore_protocol_schedules) {
  for (uint64_t i = 0; i < kSchedules; ++i) CHECK_EQ(result(kFirstSeed + i), "");
}

TEST(kvstore_protocol_same_seed_same_run) {
  Cluster once(Plan::from_seed(77)), again(Plan::from_seed(77));
  CHECK_EQ(once.run(), again.run());
  CHECK_EQ(once.totals().messages, again.totals().messages);
  CHECK_EQ(once.now(), again.now());
}

TEST(kvstore_protocol_needs_dedupe) {
  expect(caught([](proto::Safeguards& safeguards) { safeguards.counts_once = false; }), "seed");
}
TEST(kvstore_protocol_needs_fences) {
  expect(caught([](proto::Safeguards& safeguards) { safeguards.fences = false; }), "seed");
}
TEST(kvstore_protocol_needs_all_replicas) {
  expect(caught([](proto::Safeguards& safeguards) { safeguards.waits_for_replicas = false; }), "seed");
}
TEST(kvstore_protocol_needs_marks_of_new_replicas) {
  expect(caught([](proto::Safeguards& safeguards) { safeguards.transfers_marks = false; }), "seed");
}

namespace {

// Server 1 is cut off and given up; then the scheduler ends, and the next one hears of server 1 alone, who knows of nothing since.
std::string forgotten_view(const Change& change) {
  Plan plan = calm(2, 2);
  plan.work.steps = 40;
  plan.change = change;
  Cluster cluster(plan);
  begin(cluster);
  cluster.part({NodeId::server(1)});
  const size_t before = cluster.record().applied.size();
  cluster.run_until(cluster.now() + 600'000);
  CHECK(cluster.record().applied.size() > before);
  cluster.crash(NodeId::scheduler());
  cluster.start(NodeId::scheduler());
  cluster.part({NodeId::server(1), NodeId::scheduler()});
  cluster.run_until(cluster.now() + 600'000);
  cluster.part({});
  return cluster.run();
}

}  // namespace

TEST(kvstore_protocol_new_scheduler_waits_for_reports) {
  CHECK_EQ(forgotten_view({}), "");
  CHECK(!forgotten_view([](proto::Safeguards& safeguards) { safeguards.waits_for_reports = false; }).empty());
}

TEST(kvstore_protocol_server_that_stays_away) {
  Cluster cluster(calm(3, 2));
  begin(cluster);
  cluster.crash(NodeId::server(0));
  while (!cluster.all_done() && cluster.now() < 20'000'000) cluster.run_until(cluster.now() + 10'000);
  CHECK(cluster.all_done());
  CHECK(cluster.record().errors.empty());
  for (const proto::Placement& slot : cluster.latest().slots) {
    CHECK_EQ(slot.full.size(), size_t{2});
    CHECK(slot.full[0] != 0 && slot.full[1] != 0);
  }
}

// The one who could know of a later view is gone for good: the scheduler says whom it waits for, and goes on when told to.
TEST(kvstore_protocol_gives_up_when_told) {
  Plan plan = calm(2, 2);
  plan.work.steps = 30;
  Cluster cluster(plan);
  begin(cluster);
  cluster.crash(NodeId::server(1));
  cluster.crash(NodeId::scheduler());
  cluster.start(NodeId::scheduler());
  cluster.run_until(cluster.now() + 1'000'000);
  CHECK_EQ(cluster.scheduler().view().epoch.number, uint64_t{0});
  CHECK_EQ(cluster.scheduler().waits_for(), "server:1");
  cluster.scheduler().give_up(NodeId::server(1));
  while (!cluster.all_done() && cluster.now() < 20'000'000) cluster.run_until(cluster.now() + 10'000);
  CHECK(cluster.all_done());
  CHECK(cluster.record().errors.empty());
  CHECK(cluster.truth().violations.empty());
}

// Also to requests that begin when the slot is lost already.
TEST(kvstore_protocol_lost_slots_are_named) {
  for (uint64_t moment = 0; moment < 20; ++moment) {
    Plan plan = calm(2, 1);
    plan.seed = moment;
    plan.work.steps = 100;
    Cluster cluster(plan);
    begin(cluster);
    cluster.run_until(cluster.now() + static_cast<Time>(moment * 500));
    cluster.crash(NodeId::server(0));
    cluster.crash(NodeId::server(1));
    cluster.start(NodeId::server(0));
    cluster.start(NodeId::server(1));
    const std::string wrong = cluster.run();
    expect(wrong, " is lost: every server that held it ended");
    CHECK(cluster.truth().violations.empty());
  }
}

// All servers end and come back from what they kept: everything goes on from there.
TEST(kvstore_protocol_snapshots) {
  Plan plan = calm(3, 2);
  plan.with_disk = true;
  plan.work.snapshot_at = 4;
  plan.work.is_checked = true;
  Cluster before(plan);
  CHECK_EQ(before.run(), "");
  Plan later = plan;
  later.work.snapshot_at = 0;
  later.work.steps = 9;
  Cluster after(later, before.disks());
  CHECK_EQ(after.run(), "");  // every round from the fifth on has its undisturbed value
  uint64_t lowest = 100;
  for (const auto& [piece, rank, sequence] : after.record().applied) lowest = std::min(lowest, sequence);
  CHECK_EQ(lowest, uint64_t{5});
  // A slot that no server has makes the snapshot incomplete.
  auto disks = before.disks();
  for (auto& [server, disk] : disks) {
    for (auto& [number, slots] : disk) slots.erase(1);
  }
  Cluster without(later, disks);
  without.run_until(2'000'000);
  CHECK_EQ(without.scheduler().waits_for(), "a snapshot that has all slots");
}

// Servers that write everything down: any process may end at any time, the last replica of a slot, all servers, everybody. Before each
// server wrote down what it logged, and which view it followed, one of fourteen of these ended with a slot that was lost, or never.
TEST(kvstore_protocol_journals_survive_the_end_of_anybody) {
  for (uint64_t i = 0; i < kSchedules / 2; ++i) CHECK_EQ(journals_result(kFirstSeed + i), "");
}

// Schedules that failed once: a worker had left when the scheduler and all servers ended; a first view that its servers had not heard of; a
// primary that took over as all others ended; the whole store was over but for a worker that had not come yet.
TEST(kvstore_protocol_journals_survive_what_they_once_did_not) {
  for (const uint64_t seed : {210, 364, 519, 675, 1023, 1388, 1396, 1412, 1446, 1493, 5864, 5878}) {
    for (const bool at_once : {false, true}) {
      Plan plan = Plan::from_seed(seed);
      plan.with_journals = true;
      plan.work.snapshot_at = 0;
      if (at_once) {
        plan.crashes = plan.partitions = 0;
        plan.loss = plan.twice = 0;
        plan.faults_until = 1;
        plan.all_servers_crash = 1000 + static_cast<Time>(seed * 7919 % 600'000);
      } else {
        plan.members.replicas = seed == 1388 || seed == 1396 || seed == 1446 ? plan.members.replicas : 1;
        plan.crashes_beyond = true;
        plan.crashes += 4;
      }
      const std::string wrong = Cluster(plan).run();
      CHECK_EQ(wrong.empty() ? "" : "seed " + std::to_string(seed) + " (" + plan.str() + "): " + wrong, "");
    }
  }
}

TEST(kvstore_protocol_limits_name_who_is_waited_for) {
  {
    Plan plan = calm(2, 2);
    plan.request_limit = 400'000;
    Cluster cluster(plan);
    cluster.crash(NodeId::worker(1));
    expect(cluster.run(), "[init] piece 11: nothing for 400 ms; waits for worker:1");
  }
  {
    Plan plan = calm(2, 2);
    plan.request_limit = 400'000;
    plan.work.steps = 1000;
    Cluster cluster(plan);
    begin(cluster);
    cluster.crash(NodeId::worker(1));
    expect(cluster.run(), "nothing for 400 ms; waits for worker:1");
  }
  {
    Plan plan = calm(1, 1);
    plan.request_limit = 400'000;
    plan.work.steps = 1000;
    Cluster cluster(plan);
    begin(cluster);
    cluster.crash(NodeId::server(0));
    expect(cluster.run(), "nothing for 400 ms; waits for server:0");
  }
}

// A worker that hears after three updates that round 9 is over: those that wait are late too, and the next one is of round 10.
TEST(kvstore_protocol_late_workers_skip_to_the_present_round) {
  proto::Worker worker(0, 7, "w", {Policy::first, 1}, {});
  proto::View view;
  view.epoch = {1, 5};
  view.rounds = {Policy::first, 1};
  view.servers.push_back({0, 3, 0, true, 0, "s"});
  view.workers.push_back({0, 7, 0, true, 0, "w"});
  view.slots.resize(1);
  view.slots[0].full = {0};
  const auto tell = [&](const char* from, proto::Kind kind, const auto& fields,
                        mixgrad::net::Payload payload = {}) {
    mixgrad::net::Message message;
    message.kind = static_cast<uint16_t>(kind);
    message.fields = proto::encoded(fields);
    message.payload = std::move(payload);
    Actions actions;
    worker.on_message(1, from, std::move(message), actions);
    CHECK_EQ(actions.nonsense, uint32_t{0});
    return actions;
  };
  Actions actions;
  for (uint64_t beat = 1; beat < 4; ++beat) {
    worker.on_time(static_cast<Time>(beat) * 1'000'000, actions);
    tell("scheduler", proto::Kind::answer, proto::Answer{5, beat, 7, beat, false, ""});
  }
  tell("scheduler", proto::Kind::view, proto::ViewIs{5, 7}, mixgrad::net::Payload::of(proto::encoded(view)));
  worker.init(1, 11, "numbers", {}, actions);
  tell("server:0", proto::Kind::init_done, proto::InitDone{{view.epoch, 7, 11, 0}, 0, 0});
  const proto::PushRequest update{11, {}, 0};
  const std::vector<proto::PushRequest> three(3, update);
  const std::vector<Ticket> tickets = worker.push(1, three, actions);
  const proto::PushDone done{{view.epoch, 7, 11, 1}, proto::Fate::late, 9};
  const Actions after = tell("server:0", proto::Kind::push_done, done);
  CHECK_EQ(after.outcomes.size(), size_t{3});
  for (const proto::Outcome& outcome : after.outcomes) CHECK(outcome.fate == proto::Fate::late);
  CHECK(after.messages.empty() && worker.is_idle());
  CHECK_EQ(worker.next_number(11), uint64_t{10});
}

TEST(kvstore_protocol_workers_agree_on_rounds) {
  Cluster cluster(calm(1, 2));
  cluster.crash(NodeId::worker(1));
  cluster.run_until(300'000);
  proto::Worker other(1, 99, "", {Policy::async, 0}, {});
  Actions actions;
  other.init(0, 11, "numbers", {}, actions);
  other.on_time(0, actions);
  // The scheduler of the cluster hears of a worker that wants something else.
  proto::Scheduler& scheduler = cluster.scheduler();
  std::string why;
  for (int i = 0; i < 10 && why.empty(); ++i) {
    Actions answers;
    for (auto& out : actions.messages) {
      if (out.to == NodeId::scheduler()) scheduler.on_message(300'000, "worker:1", out.message, answers);
    }
    actions = {};
    for (auto& out : answers.messages) {
      if (out.to == NodeId::worker(1)) other.on_message(300'000, "scheduler", out.message, actions);
    }
    for (const proto::Outcome& outcome : actions.outcomes) why = outcome.message;
  }
  expect(why, "worker:1 wants rounds of policy 'async'; the store's other workers expect 'wait'");
}
