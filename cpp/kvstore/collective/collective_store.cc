#include "kvstore/collective/collective_store.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
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
#include "kvstore/collective/group_link.h"
#include "kvstore/collective/promise.h"
#include "kvstore/collective/waiting.h"
#include "kvstore/distributed/leaving.h"
#include "kvstore/reduce.h"

namespace mixgrad::kvstore {
namespace {

using collective::About;
using collective::deferred_task;
using collective::ending_task;
using collective::Group;
using collective::is_interrupted_here;
using collective::meet;
using collective::Meeting;
using collective::Operation;
using collective::Promised;
using collective::Step;

About about_of(Step step, const Key& key, const Array& array, uint32_t root) {
  About about;
  about.step = step;
  about.key = text("key ", key);
  about.dtype = static_cast<uint8_t>(array.dtype());
  about.elements = static_cast<uint64_t>(array.size());
  about.root = root;
  return about;
}

char* data_of(const Array& array) { return static_cast<char*>(array.chunk().data()) + array.offset(); }

void refuse_sparse(const Entry& entry, const char* function, const std::string& type) {
  if (!entry.array->sparse()) return;
  fail(Status::unsupported, '[', function, "] key ", entry.key, ": got an array of storage type ",
       storage_of(*entry.array) == Storage::csr ? "csr" : "row_sparse", "; a store of type '", type,
       "' adds up dense arrays: expected one, or a store of type 'dist_sync'");
}

}  // namespace

CollectiveStore::CollectiveStore(std::string type)
    : CollectiveStore(std::move(type), collective::settings_from_environment()) {}

CollectiveStore::CollectiveStore(std::string type, const collective::GroupSettings& settings)
    : CollectiveStore(std::move(type), settings, collective::open_for(settings)) {}

CollectiveStore::CollectiveStore(std::string type, const collective::GroupSettings& settings,
                                 const OpenTransport& open)
    : type_(std::move(type)),
      group_(Group::join(settings, open, &is_interrupted_here)),
      owned_bytes_(group_->size()) {}

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
        refuse_sparse(entry, function, type_);
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
    refuse_sparse(entry, kFunction, type_);
  }
  std::map<Key, Value> made;
  std::vector<uint64_t> owned = owned_bytes_;
  for (const Entry& entry : values) {
    Value value;
    value.stored = Array::empty(entry.array->shape(), entry.array->dtype(), Device::cpu());
    const auto least = std::min_element(owned.begin(), owned.end());
    value.owner = static_cast<uint32_t>(least - owned.begin());
    *least += value.stored->bytes();
    if (rank() == 0) copy_into(*entry.array, *value.stored, 0);
    share(promised(group_, about_of(Step::broadcast, entry.key, *value.stored, 0)), value.stored, 0);
    made.emplace(entry.key, std::move(value));
  }
  for (const auto& [key, value] : made) value.stored->wait_to_read();
  values_.merge(made);
  owned_bytes_ = std::move(owned);
}

// One worker's value for all.
void CollectiveStore::share(const Promised& operation, const ArrayRef& stored, int priority) {
  const auto body = [group = group_, operation, stored, priority] {
    const auto& [about, number, promise] = operation;
    stored->chunk().ensure();
    const char* const function = about.step == Step::broadcast ? "kvstore.init" : "kvstore.push";
    Operation::Given given{number, about, priority, {stored}, ending_task(function, about.key)};
    promise->keep();
    group->begin(collective::make_broadcast(group, std::move(given), data_of(*stored)));
  };
  engine::Var* const vars[] = {&stored->chunk()};
  const Span<engine::Var*const> all(vars), none;
  const bool has_it = group_->rank() == operation.about.root;
  engine::Engine::get().push(body, has_it ? all : none, has_it ? none : all,
                             deferred_task("kvstore_broadcast", priority));
}

// sum = that of all workers' `own`; null in a worker that does not get it.
void CollectiveStore::add_up(const Promised& operation, const ArrayRef& own, const ArrayRef& sum,
                             int priority) {
  const auto body = [group = group_, operation, priority, own, sum] {
    const auto& [about, number, promise] = operation;
    own->chunk().ensure_for_reading();
    Operation::Given given{number, about, priority, {own}, ending_task("kvstore.push", about.key)};
    void* out = nullptr;
    if (sum) {
      sum->chunk().ensure();
      given.held.push_back(sum);
      out = data_of(*sum);
    }
    promise->keep();
    const auto make = about.step == Step::reduce ? collective::make_reduce : collective::make_sum;
    group->begin(make(group, std::move(given), data_of(*own), out));
  };
  engine::Var* const reads[] = {&own->chunk()};
  std::vector<engine::Var*> writes;
  if (sum) writes.push_back(&sum->chunk());
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
  for (const Pushed& group : groups) update(group, priority);
}

// The owner's value goes to all; an updater that throws there ends the others' waiting.
void CollectiveStore::update(const Pushed& group, int priority) {
  const Value& value = *group.value;
  if (!is_sharded_) return updater_(group.key, *value.sum, *value.stored);
  const Promised operation = promised(group_, about_of(Step::update, group.key, *value.stored, value.owner));
  if (group_->rank() == value.owner) updater_(group.key, *value.sum, *value.stored);
  share(operation, value.stored, priority);
}

bool CollectiveStore::push_group(const Pushed& group, Array* out, int priority) {
  const Unrecorded quiet;
  Value& value = *group.value;
  Array& first = *group.arrays[0];
  const DType dtype = first.dtype();
  const bool is_value = !updater_ && dtype == value.stored->dtype();  // the sum
  const bool is_reduced = updater_ && is_sharded_;
  ArrayRef sum = value.stored;
  const bool is_out = is_value && out && out->dtype() == dtype && out->device().is_host() &&
                      out->whole_chunk() && &out->chunk() != &first.chunk();
  if (is_out) {
    sum = out->alias();
  } else if (is_reduced && group_->rank() != value.owner) {
    sum = ArrayRef();
  } else if (!is_value) {
    if (!value.sum || value.sum->dtype() != dtype)
      value.sum = Array::empty(first.shape(), dtype, Device::cpu());
    sum = value.sum;
  }
  // What one device of the host pushes is read where it is, until it has left.
  const bool is_here =
      group.arrays.size() == 1 && first.device().is_host() && (!sum || &first.chunk() != &sum->chunk());
  const ArrayRef own = is_here ? first.alias() : Array::empty(first.shape(), dtype, Device::cpu());
  if (!is_here) sum_into(group.arrays, *own, priority);
  const Step step = is_reduced ? Step::reduce : Step::sum;
  add_up(promised(group_, about_of(step, group.key, *own, is_reduced ? value.owner : 0)), own, sum, priority);
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
       "[kvstore.row_sparse_pull] a store without servers keeps dense values; expected pull, or a store "
       "of type 'dist_sync'");
}

void CollectiveStore::set_updater(Updater updater) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  updater_ = std::move(updater);
}

void CollectiveStore::set_compression(const Compression&) {
  fail(Status::unsupported,
       "[kvstore.set_gradient_compression] a store without servers adds gradients up on their way, which "
       "compressed ones do not allow; expected one of type 'dist_sync' and its kin");
}

void CollectiveStore::barrier() {
  static constexpr const char* kFunction = "kvstore.barrier";
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_open(kFunction);
  wait_for_updates(true);
  // An interrupted call counts once, with the one that follows it: others have been told already that this worker is here.
  if (!barrier_) barrier_ = meet(group_, "barrier", "");
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
  const std::shared_ptr<Meeting> meeting = meet(group_, "set_optimizer", digest);
  if (!meeting->wait()) fail(Status::stopped, '[', kFunction, "] was interrupted while it waited for others");
  meeting->check(kFunction);
  const std::string different = meeting->different();
  if (!different.empty()) {
    fail(Status::invalid_argument, '[', kFunction, "] got another optimiser, or other parameters of it, in ",
         different, " than in worker:0; expected the same in all workers, which update their own values");
  }
}

int CollectiveStore::owner(const Key& key) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_open("kvstore.owner");
  const auto found = values_.find(key);
  if (found == values_.end())
    fail(Status::not_found, "[kvstore.owner] key ", key, " has no value; expected one that init gave one");
  return is_sharded_ ? static_cast<int>(found->second.owner) : rank();
}

std::string CollectiveStore::hand_over(int from, const std::string& data) {
  static constexpr const char* kFunction = "kvstore.hand_over";
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_open(kFunction);
  if (from < 0 || from >= num_workers())
    fail(Status::index, '[', kFunction, "] worker ", from, "; expected one of ", num_workers());
  const std::string what = text("data of worker:", from);
  const auto wait_for = [](Meeting& meeting) {
    if (!meeting.wait())
      fail(Status::stopped, '[', kFunction, "] was interrupted while it waited for others");
    meeting.check(kFunction);
  };
  const std::shared_ptr<Meeting> sizes = meet(group_, what, rank() == from ? text(data.size()) : "");
  wait_for(*sizes);
  if (from == 0) return rank() == 0 ? data : std::string();
  constexpr uint64_t kMostHandedOver = uint64_t{1} << 40;
  const uint64_t told = std::strtoull((*sizes->all)[static_cast<size_t>(from)].c_str(), nullptr, 10);
  if (told > kMostHandedOver)
    fail(Status::format, '[', kFunction, "] worker:", from, " has ", told, " bytes; expected at most ",
         kMostHandedOver);
  const auto bytes = static_cast<int64_t>(told);
  const ArrayRef content =
      Array::empty(Shape{rank() == from || rank() == 0 ? bytes : 0}, DType::uint8, Device::cpu());
  content->chunk().ensure();
  if (rank() == from && bytes > 0) std::memcpy(data_of(*content), data.data(), data.size());
  const auto meeting = std::make_shared<Meeting>();
  Operation::Given given;
  given.about = {Step::hand_over, what, static_cast<uint8_t>(DType::uint8), static_cast<uint64_t>(bytes),
                 static_cast<uint32_t>(from)};
  given.number = group_->promise(given.about);
  given.held = {content};
  given.ended = [meeting](Status status, const std::string& message) { meeting->end(status, message); };
  group_->begin(collective::make_broadcast(group_, std::move(given), data_of(*content)));
  wait_for(*meeting);
  return rank() == 0 ? std::string(data_of(*content), static_cast<size_t>(bytes)) : std::string();
}

std::shared_ptr<WorkerLink> CollectiveStore::link() {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  check_open("bind");
  return std::make_shared<collective::GroupLink>(group_);
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
  // Values of graphs, and what only sends.
  const bool is_interrupted = !group_->wait_for_all_operations(&is_interrupted_here);
  is_open_ = false;
  const std::string wrong = group_->failure();
  group_->leave();
  if (is_interrupted) fail(Status::stopped, "[kvstore.leave] was interrupted while it waited for others");
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
