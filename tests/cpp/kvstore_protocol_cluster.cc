#include "kvstore_protocol_cluster.h"

#include <algorithm>

namespace protocol_test {
namespace {

proto::Timing quick(Time request_limit) {
  proto::Timing timing;
  timing.heartbeat = 20'000;
  timing.dead_after = 110'000;
  timing.retry = 15'000;
  timing.retry_limit = 120'000;
  timing.view_gap = 2'000;
  timing.patience = 700'000;
  timing.request_limit = request_limit;
  return timing;
}

}  // namespace

struct Cluster::Process {
  uint64_t incarnation = 0;
  uint64_t wake = 0;  // the order of the event that wakes it next; others are out of date
  Time wake_at = 0;
  bool thinks = false;
  std::unique_ptr<VectorTable> table;
  std::unique_ptr<TestServer> server;
  std::unique_ptr<TestScheduler> scheduler;
  std::unique_ptr<proto::Worker> worker;
  std::unique_ptr<Program> program;
};

Plan Plan::from_seed(uint64_t seed) {
  std::mt19937_64 random(seed * 0x9e3779b97f4a7c15u + 1);
  const auto draw = [&](uint64_t low, uint64_t high) { return low + random() % (high - low + 1); };
  Plan plan;
  plan.seed = seed;
  plan.members.servers = static_cast<uint32_t>(draw(1, 4));
  plan.members.workers = static_cast<uint32_t>(draw(1, 3));
  plan.members.slots = static_cast<uint32_t>(draw(1, 4));
  plan.members.replicas = static_cast<uint32_t>(draw(1, 3));
  for (uint64_t i = draw(1, 4); i > 0; --i) plan.work.pieces.push_back(draw(1, 1u << 30));
  plan.work.steps = draw(3, 8);
  plan.work.workers = plan.members.workers;
  const uint64_t policy = draw(0, 9);
  if (policy < 5) {
    plan.work.rounds.policy = Policy::wait;
  } else if (policy < 6) {
    plan.work.rounds.policy = Policy::drop;
  } else if (policy < 7) {
    plan.work.rounds = {Policy::first, static_cast<uint32_t>(draw(1, 3))};
  } else {
    plan.work.rounds.policy = Policy::async;
  }
  if (draw(0, 3) == 0) plan.joining = static_cast<uint32_t>(draw(1, 2));
  plan.work.is_checked = plan.work.rounds.policy == Policy::wait && plan.joining == 0;
  if (plan.work.is_checked && draw(0, 1)) plan.work.barrier_every = draw(1, 3);
  if (draw(0, 3) == 0) plan.work.snapshot_at = draw(1, 3);
  if (draw(0, 2)) plan.loss = static_cast<double>(draw(0, 20)) / 100;
  if (draw(0, 2)) plan.twice = static_cast<double>(draw(0, 20)) / 100;
  plan.delay = static_cast<Time>(draw(200, 8000));
  plan.crashes = static_cast<uint32_t>(draw(0, 8));
  plan.partitions = static_cast<uint32_t>(draw(0, 4));
  return plan;
}

Plan Plan::of_journals(uint64_t seed) {
  Plan plan = from_seed(seed);
  std::mt19937_64 random(seed * 0x9e3779b97f4a7c15u + 2);
  plan.with_journals = plan.crashes_beyond = true;
  plan.work.snapshot_at = 0;
  plan.crashes += static_cast<uint32_t>(random() % 5);
  if (random() % 3 == 0) plan.members.replicas = 1;
  if (random() % 2 == 0) {
    plan.all_servers_crash = 1000 + static_cast<Time>(random() % 600'000);
    plan.with_all_others = random() % 3 == 0;
  }
  return plan;
}

std::string Plan::str() const {
  return std::to_string(members.servers) + " servers, " + std::to_string(members.workers) + "+" +
         std::to_string(joining) + " workers, " + std::to_string(members.replicas) + " replicas, " +
         std::to_string(members.slots) + " slots, " + std::to_string(work.pieces.size()) + " pieces, " +
         work.rounds.str() + ", " + std::to_string(crashes) + " crashes, " + std::to_string(partitions) +
         " partitions" + (with_journals ? ", journals" : "") +
         (all_servers_crash == 0 ? ""
          : with_all_others      ? ", all crash"
                                 : ", all servers crash");
}

Cluster::Cluster(const Plan& plan, Disks disks) : plan_(plan), random_(plan.seed), disks_(std::move(disks)) {
  start(NodeId::scheduler());
  for (uint32_t i = 0; i < plan.members.servers; ++i) start(NodeId::server(i));
  for (uint32_t i = 0; i < plan.members.workers; ++i) start(NodeId::worker(i));
  const auto later = [&](Event::Kind kind, NodeId to) {
    add(static_cast<Time>(draw(static_cast<uint64_t>(plan.faults_until))), {0, 0, kind, to, {}, 0, nullptr});
  };
  for (uint32_t i = 0; i < plan.joining; ++i) {
    later(Event::Kind::start, NodeId::worker(plan.members.workers + i));
  }
  for (uint32_t i = 0; i < plan.crashes; ++i) later(Event::Kind::crash, {});
  for (uint32_t i = 0; i < plan.partitions; ++i) later(Event::Kind::part, {});
  if (plan.all_servers_crash > 0)
    add(plan.all_servers_crash, {0, 0, Event::Kind::crash_servers, {}, {}, 0, nullptr});
  add(plan.faults_until, {0, 0, Event::Kind::heal, {}, {}, 0, nullptr});
}

Cluster::~Cluster() = default;

void Cluster::add(Time at, Event event) {
  event.at = at;
  event.order = ++order_;
  events_.push_back(std::move(event));
  std::push_heap(events_.begin(), events_.end());
}

bool Cluster::is_alive(NodeId id) const { return processes_.count(id) > 0; }
proto::Worker& Cluster::worker(uint32_t rank) { return *processes_.at(NodeId::worker(rank))->worker; }
proto::Server& Cluster::server(uint32_t number) { return *processes_.at(NodeId::server(number))->server; }
proto::Scheduler& Cluster::scheduler() { return *processes_.at(NodeId::scheduler())->scheduler; }
void Cluster::part(std::set<NodeId> some) {
  cut_ = std::move(some);
  parted_at_ = now_;
}

void Cluster::start(NodeId id) {
  if (is_alive(id) || finished_.count(id.role == proto::Role::worker ? id.number : UINT32_MAX)) return;
  auto process = std::make_unique<Process>();
  process->incarnation = random_() | 1;
  Actions actions;
  if (id.role == proto::Role::scheduler) {
    process->scheduler = std::make_unique<TestScheduler>(plan_.change, process->incarnation, plan_.members,
                                                         quick(plan_.request_limit));
  } else if (id.role == proto::Role::server) {
    VectorTable::Journal& journal = journals_[id.number];
    if (journal.disk == 0) journal.disk = id.number + 1;
    process->table =
        std::make_unique<VectorTable>(truth_, id.str(), plan_.with_disk ? &disks_[id.number] : nullptr,
                                      plan_.with_journals ? &journal : nullptr);
    process->server = std::make_unique<TestServer>(plan_.change, id.number, process->incarnation, id.str(),
                                                   quick(plan_.request_limit), *process->table);
  } else {
    process->worker = std::make_unique<proto::Worker>(id.number, process->incarnation, id.str(),
                                                      plan_.work.rounds, quick(plan_.request_limit));
    process->program = std::make_unique<Program>(id.number, *process->worker, plan_.work, record_, truth_);
    process->program->start(now_, actions);
  }
  Process& added = *(processes_[id] = std::move(process));
  act(id, added, actions);
}

void Cluster::crash(NodeId id) {
  if (processes_.erase(id)) ++totals_.crashes;
}

void Cluster::deliver(NodeId from, NodeId to, std::shared_ptr<mixgrad::net::Message> message) {
  ++totals_.messages;
  const bool faulty = now_ < plan_.faults_until;
  if (are_cut(from, to) || (faulty && chance(plan_.loss))) return;
  const Time slow = faulty && chance(0.03) ? 60'000 : plan_.delay;  // some are very late
  const Time delay = 100 + static_cast<Time>(draw(static_cast<uint64_t>(slow)));
  add(now_ + delay, {0, 0, Event::Kind::message, to, from, 0, message});
  if (faulty && chance(plan_.twice)) {
    const Time later = 100 + static_cast<Time>(draw(static_cast<uint64_t>(8 * slow)));
    add(now_ + later, {0, 0, Event::Kind::message, to, from, 0, std::move(message)});
  }
}

void Cluster::act(NodeId from, Process& process, Actions& actions) {
  if (process.program) {
    process.program->on_outcomes(now_, actions);
    if (process.program->is_thinking() && !process.thinks) {
      add(now_ + 1000 + static_cast<Time>(draw(80'000)),
          {0, 0, Event::Kind::think, from, {}, process.incarnation, nullptr});
      process.thinks = true;
    }
    if (process.program->is_done()) finished_.insert(from.number);
  }
  for (proto::Outgoing& out : actions.messages) {
    deliver(from, out.to, std::make_shared<mixgrad::net::Message>(std::move(out.message)));
  }
  if (process.scheduler && latest_.epoch < process.scheduler->view().epoch) {
    latest_ = process.scheduler->view();
    ++totals_.views;
  }
  schedule_wake(from, process);
}

void Cluster::schedule_wake(NodeId id, Process& process) {
  const Time due = process.scheduler ? process.scheduler->wake()
                   : process.server  ? process.server->wake()
                                     : process.worker->wake();
  if (process.wake != 0 && process.wake_at <= std::max(due, now_ + 1000)) return;
  process.wake_at = std::max(due, now_ + 1000);
  add(process.wake_at, {0, 0, Event::Kind::wake, id, {}, process.incarnation, nullptr});
  process.wake = order_;
}

// Whether a process holds what the latest view says and the scheduler's side of the network hears of it.
bool Cluster::is_healthy(uint32_t server) const {
  const auto at = processes_.find(NodeId::server(server));
  return at != processes_.end() && at->second->incarnation == latest_.server(server)->incarnation &&
         !are_cut(NodeId::server(server), NodeId::scheduler());
}

// Whether it takes no part over just now.
bool Cluster::follows(uint32_t server) const {
  return latest_.epoch.number > 0 &&
         processes_.at(NodeId::server(server))->server->view().epoch == latest_.epoch;
}

// Whether every slot has all its replicas.
bool Cluster::is_whole() const {
  const size_t expected = std::min<size_t>(plan_.members.replicas, plan_.members.servers);
  return std::all_of(latest_.slots.begin(), latest_.slots.end(), [&](const proto::Placement& slot) {
    return slot.full.size() == expected &&
           std::all_of(slot.full.begin(), slot.full.end(), [&](uint32_t s) { return is_healthy(s); });
  });
}

// Whether everything that counted would still be somewhere: of a slot's replicas one at least neither ends nor is cut off.
bool Cluster::may_crash(NodeId id) const {
  if (!is_alive(id)) return false;
  if (id.role != proto::Role::server) return true;
  if (plan_.crashes_beyond) return true;
  if (now_ < parted_at_ + 60'000) return false;  // the scheduler has not heard of all again
  if (latest_.slots.empty()) return false;       // it may be in a first view that is just being made
  return std::all_of(latest_.slots.begin(), latest_.slots.end(), [&](const proto::Placement& slot) {
    return std::any_of(slot.full.begin(), slot.full.end(),
                       [&](uint32_t server) { return server != id.number && is_healthy(server); });
  });
}

void Cluster::random_crash() {
  std::vector<NodeId> alive;
  for (const auto& [id, process] : processes_) {
    if (may_crash(id)) alive.push_back(id);
  }
  if (alive.empty()) return;
  const NodeId id = alive[draw(alive.size())];
  crash(id);
  add(now_ + 1000 + static_cast<Time>(draw(250'000)), {0, 0, Event::Kind::start, id, {}, 0, nullptr});
}

void Cluster::crash_servers() {
  std::vector<NodeId> alive;
  for (const auto& [id, process] : processes_) {
    if (id.role == proto::Role::server || plan_.with_all_others) alive.push_back(id);
  }
  for (const NodeId id : alive) {
    crash(id);
    add(now_ + 1000 + static_cast<Time>(draw(250'000)), {0, 0, Event::Kind::start, id, {}, 0, nullptr});
  }
}

void Cluster::handle(Event event) {
  Actions actions;
  switch (event.kind) {
    // What is over needs nobody that comes back, and a store on disks would wait for new workers.
    case Event::Kind::crash: return plan_.with_journals && all_done() ? void() : random_crash();
    case Event::Kind::crash_servers: return all_done() ? void() : crash_servers();
    case Event::Kind::start: return start(event.to);
    case Event::Kind::heal: return part({});
    case Event::Kind::part: {
      std::set<NodeId> some;
      const bool any = is_whole();
      for (const auto& [id, process] : processes_) {
        if (draw(3) == 0 && (any || id.role == proto::Role::worker)) some.insert(id);
      }
      part(std::move(some));
      const Time end = now_ + static_cast<Time>(10'000 + draw(300'000));
      add(std::min(end, plan_.faults_until), {0, 0, Event::Kind::heal, {}, {}, 0, nullptr});
      return;
    }
    default: break;
  }
  const auto at = processes_.find(event.to);
  if (at == processes_.end()) return;
  Process& process = *at->second;
  if (event.kind == Event::Kind::message) {
    // What was on its way when the network parted is lost, too.
    if (are_cut(event.from, event.to)) return;
    const std::string from = event.from.str();
    if (process.server) process.server->on_message(now_, from, *event.message, actions);
    if (process.scheduler) process.scheduler->on_message(now_, from, *event.message, actions);
    if (process.worker) process.worker->on_message(now_, from, *event.message, actions);
    if (actions.nonsense && !plan_.change) {
      truth_.violated(event.to.str() + " takes message " + std::to_string(event.message->kind) + " of " +
                      from + " for nonsense");
    }
  } else {
    if (process.incarnation != event.incarnation) return;
    if (event.kind == Event::Kind::think) {
      process.thinks = false;
      process.program->resume(now_, actions);
    } else {
      if (process.wake != event.order) return;
      process.wake = 0;
      if (process.server) process.server->on_time(now_, actions);
      if (process.scheduler) process.scheduler->on_time(now_, actions);
      if (process.worker) process.worker->on_time(now_, actions);
    }
  }
  act(event.to, process, actions);
  if (process.program && process.program->is_done()) processes_.erase(at);
}

void Cluster::run_until(Time end) {
  while (!events_.empty() && events_.front().at <= end && truth_.violations.empty()) {
    std::pop_heap(events_.begin(), events_.end());
    Event event = std::move(events_.back());
    events_.pop_back();
    now_ = std::max(now_, event.at);
    handle(std::move(event));
  }
  now_ = std::max(now_, end);
}

bool Cluster::all_done() const { return finished_.size() == plan_.members.workers + plan_.joining; }

std::string Cluster::run() {
  while (now_ < plan_.limit && truth_.violations.empty() && !(all_done() && now_ > plan_.faults_until)) {
    run_until(now_ + 20'000);
    if (!record_.errors.empty()) return record_.errors.front();
  }
  if (truth_.violations.empty() && !all_done()) return "nothing ends: " + state();
  // Restarted servers are filled, replicas apply what is committed.
  run_until(std::max(now_, plan_.all_servers_crash + 250'000) + 700'000);
  if (!truth_.violations.empty()) return truth_.violations.front();
  return compare();
}

std::string Cluster::state() const {
  std::string text = "at " + std::to_string(now_ / 1000) + " ms";
  for (const auto& [id, process] : processes_) {
    if (process->program) text += "; " + process->program->str();
    if (process->server)
      text += "; " + id.str() + " in view " + std::to_string(process->server->view().epoch.number);
    if (process->scheduler) {
      text += "; scheduler in view " + std::to_string(process->scheduler->view().epoch.number) +
              " waits for '" + process->scheduler->waits_for() + "'";
    }
  }
  return text;
}

// What is stored: the same on all replicas, and each acknowledged update once.
std::string Cluster::compare() const {
  std::map<std::tuple<PieceId, uint32_t, uint64_t>, uint32_t> counted;
  // The latest may be one that a scheduler made before it ended, and nobody heard of.
  const auto at_end = processes_.find(NodeId::scheduler());
  const bool has_view = at_end != processes_.end() && at_end->second->scheduler->view().epoch.number > 0;
  const proto::View& last = has_view ? at_end->second->scheduler->view() : latest_;
  for (uint32_t slot = 0; slot < last.slots.size(); ++slot) {
    const proto::Placement& placement = last.slots[slot];
    if (placement.lost) return "slot " + std::to_string(slot) + " is lost";
    const VectorTable::Slot* first = nullptr;
    for (const uint32_t server : placement.full) {
      const Process& process = *processes_.at(NodeId::server(server));
      const auto at = process.table->slots().find(slot);
      static const VectorTable::Slot none;
      const VectorTable::Slot& state = at == process.table->slots().end() ? none : at->second;
      if (!first) {
        first = &state;
        for (const auto& [piece, stored] : state.pieces) {
          for (const auto& [mark, times] : stored.counted) counted[{piece, mark.first, mark.second}] += times;
          if (plan_.work.is_checked &&
              stored.value != undisturbed(piece, plan_.work.workers, plan_.work.steps)) {
            return "piece " + std::to_string(piece) + " ends with another value than undisturbed";
          }
        }
        continue;
      }
      for (const auto& [piece, stored] : first->pieces) {
        const auto other = state.pieces.find(piece);
        if (other == state.pieces.end() || other->second.value != stored.value ||
            other->second.round != stored.round || other->second.counted != stored.counted) {
          return "piece " + std::to_string(piece) + " differs between replicas";
        }
      }
    }
    const size_t expected = std::min<size_t>(plan_.members.replicas, plan_.members.servers);
    // Servers that came back when all workers had left wait for new ones.
    const bool is_over = plan_.with_journals && last.ended;
    if (!is_over && (placement.full.size() != expected || !placement.filling.empty())) {
      return "slot " + std::to_string(slot) + " has " + std::to_string(placement.full.size()) + " replicas";
    }
  }
  for (const auto& update : record_.applied) {
    const auto at = counted.find(update);
    const uint32_t times = at == counted.end() ? 0 : at->second;
    if (times != 1) {
      return "update " + std::to_string(std::get<2>(update)) + " of worker " +
             std::to_string(std::get<1>(update)) + " was acknowledged and counts " + std::to_string(times) +
             " times";
    }
  }
  for (const auto& update : record_.late) {
    if (counted.count(update)) return "an update was called late, and counts";
  }
  return "";
}

Totals Cluster::totals() const {
  Totals totals = totals_;
  for (const auto& [id, process] : processes_) {
    if (!process->server) continue;
    totals.repeated += process->server->counters().repeated;
    totals.late += process->server->counters().late;
    totals.fenced += process->server->counters().fenced;
  }
  return totals;
}

}  // namespace protocol_test
