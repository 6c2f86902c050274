#include "kvstore/collective/collective_store.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <set>
#include <utility>

#include "array/sparse.h"
#include "base/checksum.h"
#include "base/error.h"
#include "base/warning.h"
#include "engine/caller.h"
#include "engine/completion.h"
#include "engine/engine.h"
#include "exec/imperative/mode.h"
#include "kvstore/collective/environment.h"
#include "kvstore/distributed/leaving.h"
#include "kvstore/reduce.h"

namespace mixgrad::kvstore {
namespace {

using collective::About;
using collective::Group;
using collective::Operation;
using collective::Step;

bool is_interrupted_here() { return engine::heeds_interrupts() && engine::interrupted(); }

// Of an operation that a task begins: where that never happens, the others are told.
class Promise {
 public:
  Promise(std::shared_ptr<Group> group, const About& about, uint64_t number)
      : group_(std::move(group)), what_(about.str()), number_(number) {}
  Promise(const Promise&) = delete;
  Promise& operator=(const Promise&) = delete;
  ~Promise() {
    if (is_kept_ || !process_.here()) return;
    try {
      group_->fail(text("worker:", group_->rank(), " could not begin ", what_, ", operation ", number_));
    } catch (const std::exception& error) {
      warn(error.what());
    }
  }
  void keep() { is_kept_ = true; }

 private:
  const net::OwnProcess process_;
  const std::shared_ptr<Group> group_;
  const std::string what_;
  const uint64_t number_;
  bool is_kept_ = false;
};

engine::TaskInfo deferred_task(const char* name, int priority) {
  engine::TaskInfo info;
  info.name = name;
  info.lane = engine::lane_network;
  info.priority = priority;
  info.deferred = true;
  return info;
}

// Ends the task whose body calls it.
collective::Ended ending_task(const char* function, const std::string& key) {
  const auto completion = std::make_shared<engine::Completion>(engine::Completion::begin());
  return [completion, function, key](Status status, const std::string& message) {
    if (status == Status::ok) {
      completion->done();
    } else {
      completion->failed(status, text('[', function, "] ", key, ": ", message));
    }
  };
}

About about_of(Step step, const Key& key, const Array& array) {
  About about;
  about.step = step;
  about.key = text("key ", key);
  about.dtype = static_cast<uint8_t>(array.dtype());
  about.elements = static_cast<uint64_t>(array.size());
  return about;
}

char* data_of(const Array& array) { return static_cast<char*>(array.chunk().data()) + array.offset(); }

void refuse_sparse(const Entry& entry, const char* function) {
  if (!entry.array->sparse()) return;
  fail(Status::unsupported, '[', function, "] key ", entry.key, ": got an array of storage type ",
       storage_of(*entry.array) == Storage::csr ? "csr" : "row_sparse",
       "; a store of type 'collective' adds up dense arrays: expected one, or a store of type 'dist_sync'");
}

}  // namespace

// Of a call that waits for all workers.
class CollectiveStore::Meeting {
 public:
  void end(Status status, const std::string& message) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_over_ = true;
      status_ = status;
      message_ = message;
    }
    changed_.notify_all();
  }
  // False when it was interrupted.
  bool wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!is_over_) {
      changed_.wait_for(lock, engine::interrupt_period);
      if (is_over_) break;
      lock.unlock();
      const bool is_interrupted = is_interrupted_here();
      lock.lock();
      if (is_interrupted) return false;
    }
    return true;
  }
  void check(const char* function) const {
    if (status_ != Status::ok) fail(status_, '[', function, "] ", message_);
  }
  const std::shared_ptr<std::vector<std::string>> all = std::make_shared<std::vector<std::string>>();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_over_ = false;
  Status status_ = Status::ok;
  std::string message_;
};

CollectiveStore::CollectiveStore(std::string type) : type_(std::move(type)) {
  const collective::GroupSettings settings = collective::settings_from_environment();
  group_ = Group::join(settings, collective::open_for(settings), &is_interrupted_here);
}

CollectiveStore::CollectiveStore(std::string type, const collective::GroupSettings& settings,
                                 const OpenTransport& open)
    : type_(std::move(type)), group_(Group::join(settings, open, &is_interrupted_here)) {}

CollectiveStore::~CollectiveStore() {
  if (!process_.here()) {
    new std::shared_ptr<Group>(std::move(group_));  // its threads are the parent's: nobody here may touch it
    return;
  }
  try {
    leave();
  } catch (const std::exception& error) {
    warn(error.what());
  }
}

void CollectiveStore::check_open(const char* function) const {
  process_.check(function);
  if (!is_open_) fail(Status::stopped, '[', function, "] this worker has left the store");
}

std::vector<CollectiveStore::Pushed> CollectiveStore::grouped(Span<const Entry> entries, const char* function,
                                                              bool added) {
  check_open(function);
  return group_by_key(
      values_, entries, function, added,
      [](const Value& value) -> const Shape& { return value.stored->shape(); },
      [&](const Entry& entry) {
        refuse_sparse(entry, function);
        if (added && entry.array->dtype() == DType::boolean) {
          fail(Status::dtype, '[', function, "] key ", entry.key,
               " got an array of dtype bool, which has no sum; expected numbers");
        }
      });
}

void CollectiveStore::init(Span<const Entry> values) {
  static constexpr const char* kFunction = "kvstore.init";
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_open(kFunction);
  const Unrecorded quiet;
  std::set<Key> seen;
  for (const Entry& entry : values) {
    const Key& key = entry.key;
    if (values_.count(key) || !seen.insert(key).second) {
      fail(Status::invalid_argument, '[', kFunction, "] key ", key,
           " has a value already; init gives each key one");
    }
    const Key& other = values_.empty() ? values[0].key : values_.begin()->first;
    if (other.is_text() != key.is_text()) {
      fail(Status::invalid_argument, '[', kFunction, "] key ", key, " beside key ", other,
           "; the keys of one store are all whole numbers or all text");
    }
    if (key.is_text() && key.str().size() > net::kMaxFieldBytes - 256)
      fail(Status::invalid_argument, '[', kFunction, "] a key has ", key.str().size(), " characters");
    refuse_sparse(entry, kFunction);
  }
  std::map<Key, Value> made;
  for (const Entry& entry : values) {
    Value value;
    value.stored = Array::empty(entry.array->shape(), entry.array->dtype(), Device::cpu());
    if (rank() == 0) copy_into(*entry.array, *value.stored, 0);
    share(entry.key, value.stored);
    made.emplace(entry.key, std::move(value));
  }
  for (const auto& [key, value] : made) value.stored->wait_to_read();
  values_.merge(made);
}

// Worker 0's value for all.
void CollectiveStore::share(const Key& key, const ArrayRef& stored) {
  const About about = about_of(Step::broadcast, key, *stored);
  const uint64_t number = group_->next_number();
  const bool is_first = rank() == 0;
  const auto promise = std::make_shared<Promise>(group_, about, number);
  const auto body = [group = group_, about, number, stored, promise] {
    stored->chunk().ensure();
    Operation::Given given{number, about, 0, {stored}, ending_task("kvstore.init", about.key)};
    promise->keep();
    group->begin(collective::make_broadcast(group, std::move(given), data_of(*stored)));
  };
  engine::Var* const vars[] = {&stored->chunk()};
  const Span<engine::Var*const> all(vars), none;
  engine::Engine::get().push(body, is_first ? all : none, is_first ? none : all,
                             deferred_task("kvstore_broadcast", 0));
}

// sum = that of all workers' `own`.
void CollectiveStore::add_up(const Key& key, const ArrayRef& own, const ArrayRef& sum, int priority) {
  const About about = about_of(Step::sum, key, *own);
  const uint64_t number = group_->next_number();
  const auto promise = std::make_shared<Promise>(group_, about, number);
  const auto body = [group = group_, about, number, priority, own, sum, promise] {
    own->chunk().ensure_for_reading();
    sum->chunk().ensure();
    Operation::Given given{number, about, priority, {own, sum}, ending_task("kvstore.push", about.key)};
    promise->keep();
    group->begin(collective::make_sum(group, std::move(given), data_of(*own), data_of(*sum)));
  };
  engine::Var* const reads[] = {&own->chunk()};
  engine::Var* const writes[] = {&sum->chunk()};
  engine::Engine::get().push(body, reads, writes, deferred_task("kvstore_sum_of_workers", priority));
}

void CollectiveStore::push(Span<const Entry> values, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  push_groups(grouped(values, "kvstore.push", true), priority);
}

// All sums are on their way before the first update is pushed.
void CollectiveStore::push_groups(const std::vector<Pushed>& groups, int priority) {
  for (const Pushed& group : groups) push_group(group, nullptr, priority);
  if (!updater_) return;
  for (const Pushed& group : groups) updater_(group.key, *group.value->sum, *group.value->stored);
}

bool CollectiveStore::push_group(const Pushed& group, Array* out, int priority) {
  const Unrecorded quiet;
  Value& value = *group.value;
  Array& first = *group.arrays[0];
  const DType dtype = first.dtype();
  const bool is_value = !updater_ && dtype == value.stored->dtype();  // the sum
  ArrayRef sum = value.stored;
  const bool is_out = is_value && out && out->dtype() == dtype && out->device().is_host() &&
                      out->whole_chunk() && &out->chunk() != &first.chunk();
  if (is_out) {
    sum = out->alias();
  } else if (!is_value) {
    if (!value.sum || value.sum->dtype() != dtype)
      value.sum = Array::empty(first.shape(), dtype, Device::cpu());
    sum = value.sum;
  }
  // What one device of the host pushes is read where it is, until it has left.
  const bool is_here =
      group.arrays.size() == 1 && first.device().is_host() && &first.chunk() != &sum->chunk();
  const ArrayRef own = is_here ? first.alias() : Array::empty(first.shape(), dtype, Device::cpu());
  if (!is_here) sum_into(group.arrays, *own, priority);
  add_up(group.key, own, sum, priority);
  if (is_out || (!is_value && !updater_)) copy_into(*sum, *value.stored, priority);
  return is_out;
}

void CollectiveStore::pull(Span<const Entry> outs, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  pull_groups(grouped(outs, "kvstore.pull", false), priority);
}

void CollectiveStore::pull_groups(const std::vector<Pushed>& groups, int priority) {
  const Unrecorded quiet;
  for (const Pushed& group : groups) {
    for (Array* out : group.arrays) copy_into(*group.value->stored, *out, priority);
  }
}

void CollectiveStore::push_pull(Span<const Entry> values, Span<const Entry> outs, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  const std::vector<Pushed> pushed = grouped(values, "kvstore.pushpull", true);
  std::vector<Pushed> pulled = grouped(outs, "kvstore.pushpull", false);
  if (updater_) {
    push_groups(pushed, priority);
    return pull_groups(pulled, priority);
  }
  for (const Pushed& group : pushed) {
    const auto same = std::find_if(pulled.begin(), pulled.end(),
                                   [&](const Pushed& one) { return one.value == group.value; });
    const bool has_out = same != pulled.end() && !same->arrays.empty();
    // The sum comes where it is wanted, and the store has a copy.
    if (push_group(group, has_out ? same->arrays[0] : nullptr, priority))
      same->arrays.erase(same->arrays.begin());
  }
  pull_groups(pulled, priority);
}

void CollectiveStore::broadcast(Span<const Entry> values, Span<const Entry> outs, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  init(values);
  pull(outs, priority);
}

void CollectiveStore::pull_rows(Span<const Entry>, Span<Array* const>, int) {
  fail(Status::unsupported,
       "[kvstore.row_sparse_pull] a store of type 'collective' keeps dense values; expected pull, or a store "
       "of type 'dist_sync'");
}

void CollectiveStore::set_updater(Updater updater) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  updater_ = std::move(updater);
}

void CollectiveStore::set_compression(const Compression&) {
  fail(
      Status::unsupported,
      "[kvstore.set_gradient_compression] a store of type 'collective' adds gradients up on their way, which "
      "compressed ones do not allow; expected one of type 'dist_sync' and its kin");
}

// Begins a call that all workers make.
std::shared_ptr<CollectiveStore::Meeting> CollectiveStore::meet(const std::string& what,
                                                                const std::string& own) {
  const auto meeting = std::make_shared<Meeting>();
  Operation::Given given;
  given.number = group_->next_number();
  given.about.key = what;
  given.priority = INT32_MAX - 1;
  given.ended = [meeting](Status status, const std::string& message) { meeting->end(status, message); };
  group_->begin(collective::make_gather(group_, std::move(given), own, meeting->all));
  return meeting;
}

void CollectiveStore::barrier() {
  static constexpr const char* kFunction = "kvstore.barrier";
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_open(kFunction);
  wait_for_updates(true);
  // An interrupted call counts once, with the one that follows it: others have been told already that this worker is here.
  if (!barrier_) barrier_ = meet("barrier", "");
  const std::shared_ptr<Meeting> meeting = barrier_;
  if (!meeting->wait()) fail(Status::stopped, '[', kFunction, "] was interrupted while it waited for others");
  barrier_ = nullptr;
  meeting->check(kFunction);
}

void CollectiveStore::send_rule(const std::string& data) {
  static constexpr const char* kFunction = "kvstore.set_optimizer";
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_open(kFunction);
  const std::string digest = text(data.size(), ' ', checksum_of(data.data(), data.size()));
  const std::shared_ptr<Meeting> meeting = meet("set_optimizer", digest);
  if (!meeting->wait()) fail(Status::stopped, '[', kFunction, "] was interrupted while it waited for others");
  meeting->check(kFunction);
  const std::vector<std::string>& all = *meeting->all;
  std::string different;
  for (size_t i = 1; i < all.size(); ++i) {
    if (all[i] != all[0]) different += text(different.empty() ? "" : ", ", "worker:", i);
  }
  if (!different.empty()) {
    fail(Status::invalid_argument, '[', kFunction, "] got another optimiser, or other parameters of it, in ",
         different, " than in worker:0; expected the same in all workers, which update their own values");
  }
}

void CollectiveStore::wait_for_updates(bool look_at_errors) const {
  engine::Engine& engine = engine::Engine::get();
  for (const auto& [key, value] : values_) {
    if (look_at_errors) {
      engine.wait_for_var(&value.stored->chunk(), engine::Wait::to_read);
      continue;
    }
    engine.wait_for_turn(&value.stored->chunk(), engine::Wait::to_write);
    if (value.sum) engine.wait_for_turn(&value.sum->chunk(), engine::Wait::to_write);
  }
}

void CollectiveStore::leave() {
  if (!process_.here()) return;  // a forked child has no part in it
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (!is_open_) return;
  wait_for_updates(false);
  is_open_ = false;
  const std::string wrong = group_->failure();
  group_->leave();
  if (!wrong.empty()) fail(Status::io, "[kvstore.leave] ", wrong);
}

void CollectiveStore::end(bool) {
  try {
    leave();
  } catch (const Error&) {
    fail_at_exit();
    throw;
  }
}

void CollectiveStore::abandon() {
  if (!process_.here()) return;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  is_open_ = false;
  group_->leave();
}

}  // namespace mixgrad::kvstore
