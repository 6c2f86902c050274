#include "kvstore/distributed/distributed_store.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "array/sparse.h"
#include "base/error.h"
#include "base/warning.h"
#include "exec/imperative/mode.h"
#include "exec/sparse/sparse.h"
#include "kvstore/distributed/distributed_calls.h"
#include "kvstore/distributed/encoded_array.h"
#include "kvstore/distributed/leaving.h"
#include "kvstore/distributed/serve.h"
#include "kvstore/reduce.h"

namespace mixgrad::kvstore {
namespace {

using protocol::Actions;
using protocol::Outcome;
using protocol::PieceId;
using protocol::Policy;
using protocol::Ticket;
using protocol::Time;

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

}  // namespace

std::string with_key(const std::string& message, PieceId id, const std::string& name) {
  const std::string number = "piece " + std::to_string(id);
  const size_t at = message.find(number);
  return at == std::string::npos ? message
                                 : message.substr(0, at) + name + message.substr(at + number.size());
}

bool is_distributed_type(const std::string& type) {
  static constexpr const char* kTypes[] = {"dist",
                                           "dist_sync",
                                           "dist_async",
                                           "dist_device_sync",
                                           "dist_sync_device",
                                           "dist_device_async",
                                           "dist_async_device"};
  return std::any_of(std::begin(kTypes), std::end(kTypes), [&](const char* one) { return type == one; });
}

DistributedStore::DistributedStore(std::string type, Cluster cluster)
    : type_(std::move(type)), cluster_(std::move(cluster)) {
  if (cluster_.role != protocol::Role::worker) {
    fail(Status::invalid_argument, "[kvstore] type '", type_,
         "' is for workers, and DMLC_ROLE says that this process is none; expected mx.kvstore_server here");
  }
  if (cluster_.number < 0) cluster_.number = enrol(cluster_, &interrupted_here);
  rank_ = static_cast<uint32_t>(cluster_.number);
  const net::NodeName self = protocol::NodeId::worker(rank_).str();
  const KeyRing keys = cluster_.keys.empty() ? KeyRing() : read_keys(cluster_.keys, self);
  start(open_for(cluster_, self, keys), keys);
}

DistributedStore::DistributedStore(std::string type, const Cluster& cluster, uint32_t rank,
                                   const OpenTransport& open, const KeyRing& keys)
    : type_(std::move(type)), cluster_(cluster), rank_(rank) {
  start(open, keys);
}

namespace {

// The last task that shares it may end in its own thread, which cannot wait for itself.
void end_driver(Driver* driver) {
  if (!driver->runs_here()) {
    delete driver;
    return;
  }
  try {
    std::thread([driver] { delete driver; }).detach();
  } catch (const std::system_error& error) {
    warn(text("[kvstore] a store is not closed: ", error.what()));
  }
}

}  // namespace

void DistributedStore::start(const OpenTransport& open, const KeyRing& keys) {
  updates_ = std::make_shared<Updates>();
  is_async_ = type_.find("async") != std::string::npos;
  if (is_async_) cluster_.rounds = {Policy::async, 0};
  Driver::Options options;
  options.self = protocol::NodeId::worker(rank_);
  options.scheduler = cluster_.scheduler;
  options.keys = keys;
  options.timing = cluster_.timing;
  auto driver = std::make_unique<Driver>(options, open, [&](const std::string& contact) {
    return std::make_unique<WorkerMachine>(rank_, new_incarnation(), contact, cluster_.rounds,
                                           cluster_.timing);
  });
  driver_ = std::shared_ptr<Driver>(driver.release(), &end_driver);
  using Clock = std::chrono::steady_clock;
  const auto limit = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(cluster_.start_limit));
  for (bool is_there = false; !is_there;) {
    std::string unfit, whom;
    driver_->call([&](Machine& machine, Time, Actions&) {
      const protocol::Worker& worker = worker_of(machine);
      is_there = worker.view().worker(rank_) != nullptr;
      unfit = worker.unfit();
      whom = worker.waits_for();
    });
    if (!unfit.empty()) fail(Status::invalid_argument, unfit);
    if (is_there) break;
    if (Clock::now() >= limit) {
      fail(Status::io, "[kvstore] worker:", rank_, " has waited ", cluster_.start_limit, " s for ", whom,
           " (MIXGRAD_TIME_LIMIT)");
    }
    driver_->wait(0.02, nullptr);
    if (interrupted_here()) fail(Status::stopped, "[kvstore] waiting for ", whom, " was interrupted");
  }
}

DistributedStore::~DistributedStore() {
  if (!process_.here()) {
    new std::shared_ptr<Driver>(
        std::move(driver_));  // its threads are the parent's: nobody here may touch it
    return;
  }
  try {
    leave();
  } catch (const std::exception& error) {
    warn(error.what());
  }
}

void DistributedStore::leave() {
  if (!process_.here()) return;  // a forked child has no part in it
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (!driver_) return;
  const std::string given_up = finish_updates();
  if (given_up.empty()) leave_now(*driver_);
  driver_.reset();
  const std::string wrong = given_up.empty() ? failed_update() : given_up;
  if (!wrong.empty()) fail(Status::io, "[kvstore.leave] ", wrong);
}

void DistributedStore::end(bool at_exit) {
  if (!process_.here()) return;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (!driver_) return;
  std::string wrong = finish_updates();
  if (wrong.empty()) wrong = failed_update();
  if (!wrong.empty()) {
    driver_.reset();  // others wait for who takes its place
    fail_at_exit();
    fail(Status::io, "[kvstore] ", wrong);
  }
  if (at_exit) {
    leave_at_exit(std::move(driver_));
  } else {
    leave_now(*driver_);
  }
  driver_.reset();
}

// What was waited for in vain, or an empty text. Updates that wait for processes which live have the time limit of every request.
std::string DistributedStore::finish_updates() {
  engine::Engine& engine = engine::Engine::get();
  for (const auto& [key, stored] : values_) engine.wait_for_turn(stored.turn.get(), engine::Wait::to_write);
  using Clock = std::chrono::steady_clock;
  auto all_lived = Clock::now();
  while (!updates_->have_ended(std::chrono::milliseconds(50))) {
    if (interrupted_here())
      fail(Status::stopped, "[kvstore.leave] was interrupted while it waited for servers");
    protocol::Awaited awaited;
    driver_->call([&](Machine& machine, Time now, Actions&) { awaited = worker_of(machine).awaited(now); });
    if (awaited.dead.empty()) all_lived = Clock::now();
    const std::chrono::duration<double> waited = Clock::now() - all_lived;
    if (waited.count() < cluster_.leave_limit) continue;
    return text(updates_->count(), " updates of worker:", rank_, " wait for ", joined(awaited.whom),
                ", and not heard for ", cluster_.leave_limit,
                " s (MIXGRAD_LEAVE_LIMIT) of: ", joined(awaited.dead), "; they may not count");
  }
  for (const auto& [key, stored] : values_)
    engine.wait_for_turn(stored.acknowledged.get(), engine::Wait::to_write);
  return "";
}

std::string DistributedStore::failed_update() const {
  const std::lock_guard<std::mutex> guard(*failures_);
  for (const auto& [key, stored] : values_) {
    if (!stored.failure->empty()) return text("an update of key ", key, " failed: ", *stored.failure);
  }
  return "";
}

void DistributedStore::check_open(const char* function) const {
  process_.check(function);
  if (!driver_) fail(Status::stopped, "[", function, "] this worker has left the store");
}

std::vector<Outcome> DistributedStore::wait_for(const std::shared_ptr<Wait>& wait, const char* function) {
  if (!wait->all_ended())
    fail(Status::stopped, "[", function, "] was interrupted while it waited for servers");
  for (const Outcome& outcome : wait->outcomes()) {
    if (outcome.status == Status::ok) continue;
    std::string message = outcome.message;
    for (const auto& [id, name] : names_) message = with_key(message, id, name);
    throw Error(outcome.status, text("[", function, "] ", message));
  }
  return std::move(wait->outcomes());
}

void DistributedStore::init(Span<const Entry> values) {
  static constexpr const char* kFunction = "kvstore.init";
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_open(kFunction);
  const Unrecorded quiet;
  const Cut cut{cluster_.big_array, cluster_.servers, cluster_.slots};
  struct First {
    PieceId id;
    std::string about;
    protocol::Value value;
  };
  std::vector<First> firsts;
  std::map<Key, Stored> made;
  std::map<PieceId, std::string> names;
  for (const Entry& entry : values) {
    const Key& key = entry.key;
    Array& given = *entry.array;
    if (values_.count(key) || made.count(key))
      fail(Status::invalid_argument, "[", kFunction, "] key ", key,
           " has a value already; init gives each key one");
    const Key& other = values_.empty() ? values[0].key : values_.begin()->first;
    if (other.is_text() != key.is_text()) {
      fail(Status::invalid_argument, "[", kFunction, "] key ", key, " beside key ", other,
           "; the keys of one store are all whole numbers or all text");
    }
    if (storage_of(given) == Storage::csr) {
      fail(Status::unsupported, "[", kFunction, "] key ", key,
           ": got an array of storage type csr; expected a dense or row_sparse one");
    }
    Stored stored;
    stored.shape = given.shape();
    stored.dtype = given.dtype();
    stored.is_rows = given.sparse();
    stored.pieces = pieces_of(key, static_cast<uint64_t>(given.size()), stored.is_rows, cut);
    stored.turn = Turn::make();
    stored.acknowledged = Turn::make();
    stored.failure = std::make_shared<std::string>();
    ArrayRef copy;
    if (rank_ == 0) {
      copy = given.sparse() ? empty_sparse(Storage::row_sparse, given.shape(), given.dtype(), Device::cpu())
                            : sendable_array(given.shape(), given.dtype());
      copy_any(given, *copy, 0);
    }
    for (const Piece& piece : stored.pieces) {
      First first{piece.id, protocol::encoded(about_of(key, given, piece)), {}};
      if (first.about.size() > protocol::kMaxAboutBytes) {
        fail(Status::invalid_argument, "[", kFunction, "] the name of key ", key,
             " is too long; expected at most ", protocol::kMaxAboutBytes - 256, " bytes");
      }
      const uint64_t bytes = stored.is_rows ? 0 : piece.count * size_of(given.dtype());
      if (bytes > kMaxPartBytes) {
        fail(Status::unsupported, "[", kFunction, "] key ", key, " needs ", bytes,
             " bytes on one server; expected at most ", kMaxPartBytes,
             ": more servers, or a MXNET_KVSTORE_BIGARRAY_BOUND that cuts it (now ", cluster_.big_array,
             " elements)");
      }
      if (rank_ == 0)
        first.value = stored.is_rows ? encoded_array(copy) : encoded_part(copy, piece.first, piece.count);
      const std::string name = text("key ", key);
      const auto known = names_.find(piece.id);
      if ((known != names_.end() && known->second != name) || !names.emplace(piece.id, name).second)
        fail(Status::invalid_argument, "[", kFunction, "] key ", key,
             " and another key have one number; expected another name");
      firsts.push_back(std::move(first));
    }
    made.emplace(key, std::move(stored));
  }
  names_.insert(names.begin(), names.end());
  const auto wait = std::make_shared<Wait>(firsts.size());
  driver_->call([&](Machine& machine, Time now, Actions& actions) {
    for (size_t i = 0; i < firsts.size(); ++i) {
      First& first = firsts[i];
      driver_->expect(worker_of(machine).init(now, first.id, first.about, std::move(first.value), actions),
                      wait->at(wait, i));
    }
  });
  std::map<PieceId, Piece*> by_number;
  for (auto& [key, stored] : made) {
    for (Piece& piece : stored.pieces) by_number[piece.id] = &piece;
  }
  std::vector<Piece*> pieces;
  for (const First& first : firsts) pieces.push_back(by_number.at(first.id));
  begin_numbers(pieces, wait_for(wait, kFunction));
  for (auto& [key, stored] : made) values_.emplace(key, std::move(stored));
}

// Where updates begin: the round after the present one. Of a worker that takes the place of one that ended in the middle of a step,
// some pieces have that step's update already: it computes the step again, and is told that those counted.
void DistributedStore::begin_numbers(const std::vector<Piece*>& pieces,
                                     const std::vector<Outcome>& outcomes) {
  if (pieces.empty()) return;
  uint64_t lowest = UINT64_MAX, highest = 0;
  for (const Outcome& outcome : outcomes) {
    lowest = std::min(lowest, outcome.round);
    highest = std::max(highest, outcome.round);
  }
  lowest_round_ = std::min(lowest_round_, lowest);
  bool is_member = false;
  driver_->call([&](Machine& machine, Time, Actions&) { is_member = worker_of(machine).is_member(); });
  uint64_t from = 0;
  if (!is_member && !is_async_) {
    const auto wait = std::make_shared<Wait>(1);
    driver_->call([&](Machine& machine, Time now, Actions& actions) {
      driver_->expect(worker_of(machine).join(now, highest + 2, actions), wait->at(wait, 0));
    });
    from = wait_for(wait, "kvstore.init")[0].round;
  }
  driver_->call([&](Machine& machine, Time, Actions&) {
    protocol::Worker& worker = worker_of(machine);
    for (size_t i = 0; i < pieces.size(); ++i) {
      const Outcome& one = outcomes[i];
      uint64_t next = one.round + 1;
      if (is_async_) {
        next = one.mark + 1;
      } else if (one.mark == one.round && one.round == lowest_round_ + 1) {
        next = one.round;  // done, and to be answered so
        pieces[i]->repeats = true;
      }
      worker.number_next(pieces[i]->id, std::max({next, from, uint64_t{1}}));
    }
  });
}

uint64_t DistributedStore::rounds_done() const {
  return is_async_ || lowest_round_ == UINT64_MAX ? 0 : lowest_round_;
}

std::vector<DistributedStore::Group> DistributedStore::grouped(Span<const Entry> entries,
                                                               const char* function, bool added) {
  check_open(function);
  return group_by_key(
      values_, entries, function, added, [](const Stored& stored) -> const Shape& { return stored.shape; },
      [&](const Entry& entry) { refuse_csr(entry, function); });
}

void DistributedStore::push_pull(Span<const Entry> values, Span<const Entry> outs, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  const std::vector<Group> pushed = grouped(values, "kvstore.pushpull", true);
  const std::vector<Group> pulled = grouped(outs, "kvstore.pushpull", false);
  for (const Group& group : pushed) push_group(group, priority);
  for (const Group& group : pulled) pull_group(group, priority);
}

void DistributedStore::broadcast(Span<const Entry> values, Span<const Entry> outs, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  init(values);
  pull(outs, priority);
}

void DistributedStore::set_updater(Updater updater) {
  if (!updater) return;
  fail(Status::unsupported, "[kvstore.set_updater] stores of type '", type_,
       "' update on servers, which run no functions of workers; expected set_optimizer");
}

void DistributedStore::wait_for_updates() {
  for (const auto& [key, stored] : values_)
    engine::Engine::get().wait_for_var(stored.acknowledged.get(), engine::Wait::to_read);
}

// Does nothing where the barrier that the program comes to next was passed without this process: by another one, whose place it takes.
// That may become known at any time, also after the first view: a scheduler that starts anew learns it from others. Returns whether it
// did something.
bool DistributedStore::call_unless_passed(const std::function<void(protocol::Worker&, Time, Actions&)>& act) {
  bool is_passed = false;
  driver_->call([&](Machine& machine, Time now, Actions& actions) {
    protocol::Worker& worker = worker_of(machine);
    is_passed = barriers_called_ < worker.barriers_passed();
    if (!is_passed) act(worker, now, actions);
  });
  return !is_passed;
}

void DistributedStore::barrier() {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_open("kvstore.barrier");
  wait_for_updates();
  if (!barrier_) {
    const auto wait = std::make_shared<Wait>(1);
    const bool is_passed = !call_unless_passed([&](protocol::Worker& worker, Time now, Actions& actions) {
      driver_->expect(worker.barrier(now, actions), wait->at(wait, 0));
    });
    if (is_passed) {
      ++barriers_called_;
      return;
    }
    barrier_ = wait;
  }
  const std::shared_ptr<Wait> wait = barrier_;
  // An interrupted call counts once, with the one that follows it: others may have been told already that this worker is here.
  if (!wait->all_ended())
    fail(Status::stopped, "[kvstore.barrier] was interrupted while it waited for other workers");
  barrier_ = nullptr;
  wait_for(wait, "kvstore.barrier");
  ++barriers_called_;
}

// A body per slot; shared bytes.
std::vector<net::Payload> DistributedStore::same_for_all(const std::string& body) const {
  return std::vector<net::Payload>(cluster_.slots, net::Payload::of(body));
}

// Rank 0's, once: a worker that takes its place does not repeat it. Returns when all workers are here.
void DistributedStore::send_command(int32_t head, const std::vector<net::Payload>& bodies,
                                    const char* function) {
  wait_for_updates();
  if (rank_ == 0) {
    const auto wait = std::make_shared<Wait>(1);
    const bool is_sent = call_unless_passed([&](protocol::Worker& worker, Time now, Actions& actions) {
      driver_->expect(worker.command(now, head, bodies, actions), wait->at(wait, 0));
    });
    if (is_sent) wait_for(wait, function);
  }
  barrier();
}

void DistributedStore::send_rule(const std::string& data) {
  static constexpr const char* kFunction = "kvstore.set_optimizer";
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_open(kFunction);
  send_command(kRuleHead, same_for_all(data), kFunction);
}

void DistributedStore::set_compression(const Compression& compression) {
  static constexpr const char* kFunction = "kvstore.set_gradient_compression";
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_open(kFunction);
  // Updates that others have sent before may still be on their way, as they were.
  wait_for_updates();
  barrier();
  send_command(kCompressionHead, same_for_all(compression.bytes()), kFunction);
  compression_ = compression;
}

}  // namespace mixgrad::kvstore
