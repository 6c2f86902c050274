#include "engine/protocol.h"

#include <memory>
#include <utility>

#include "engine/error_record.h"
#include "engine/stream_use.h"
#include "engine/waiter.h"

namespace mixgrad::engine {
namespace {

// The words of locked Vars, on the stack for ordinary tasks.
class ProtocolWords {
 public:
  explicit ProtocolWords(std::size_t count) {
    if (count > small) {
      heap_.reset(new std::uint64_t[count]);
      words_ = heap_.get();
    }
  }
  std::uint64_t& operator[](std::size_t i) { return words_[i]; }

 private:
  static constexpr std::size_t small = 16;
  std::uint64_t stack_[small];
  std::unique_ptr<std::uint64_t[]> heap_;
  std::uint64_t* words_ = stack_;
};

}  // namespace

bool VarProtocol::try_grant(const Key* keys, std::size_t count, bool on_stream, ErrorRecord** error) {
  const std::uint64_t busy = Var::kWriter | Var::kQueued | (on_stream ? 0 : Var::kStreams);
  // A look without locks spares a busy Var's owner the traffic.
  for (std::size_t i = 0; i < count; ++i) {
    if (key_var(keys[i])->word_.load(std::memory_order_relaxed) & busy) return false;
  }
  ProtocolWords words(count);
  bool free = true;
  std::uint64_t errors = 0;
  for (std::size_t i = 0; i < count; ++i) {  // keys ascend: every thread locks in the same order
    const std::uint64_t word = key_var(keys[i])->lock();
    words[i] = word;
    free &= (word & busy) == 0 && (!(keys[i] & key_writes) || word < Var::kReader);
    errors |= word;
  }
  if (!free) {
    for (std::size_t i = 0; i < count; ++i) key_var(keys[i])->unlock(words[i]);
    return false;
  }
  *error = nullptr;
  if (errors & Var::kError) {
    // Rather that of what it changes than of what else it reads: which one is told does not hang on addresses.
    for (std::size_t i = 0; i < count; ++i) {
      if (!(keys[i] & key_reads) || (*error && !key_changes(keys[i]))) continue;
      if (ErrorRecord* found = key_var(keys[i])->standing_error(words[i], asked_now())) *error = found;
      if (*error && key_changes(keys[i])) break;
    }
    if (*error) (*error)->retain();
  }
  for (std::size_t i = 0; i < count; ++i) {
    Var* var = key_var(keys[i]);
    if (keys[i] & key_writes) {
      var->pushed_.store(var->pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      var->unlock(words[i] | Var::kWriter);
    } else {
      var->unlock(words[i] + Var::kReader);
    }
  }
  return true;
}

bool VarProtocol::enqueue(Task* task) {
  Link* links = task->links;
  const std::size_t count = task->link_count;
  ProtocolWords words(count);
  for (std::size_t i = 0; i < count; ++i) words[i] = key_var(links[i].key)->lock();
  std::uint32_t waiting = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Var* var = key_var(links[i].key);
    const bool writes = links[i].key & key_writes;
    std::uint64_t& word = words[i];
    if (writes)
      var->pushed_.store(var->pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if ((word & (Var::kWriter | Var::kQueued)) || (writes && word >= Var::kReader)) {
      ++waiting;
      (var->tail_ ? var->tail_->next : var->head_) = &links[i];
      var->tail_ = &links[i];
      word |= Var::kQueued;
    } else {
      word = writes ? word | Var::kWriter : word + Var::kReader;
    }
  }
  // Before the first unlock: from there on other threads count down.
  task->pending.store(waiting, std::memory_order_relaxed);
  for (std::size_t i = 0; i < count; ++i) key_var(links[i].key)->unlock(words[i]);
  return waiting == 0;  // not task->pending: if it waited, it may be gone already
}

ErrorRecord* VarProtocol::read_error(const Task* task, bool* streams) {
  *streams = false;
  Ref<ErrorRecord> first;
  for (std::uint32_t i = 0; i < task->link_count; ++i) {
    const Key key = task->links[i].key;
    // kError was set, if at all, before this task was granted the Var, and stays until it is released. kStreams may go: acquire
    // what the streams did from who found that they are done.
    std::uint64_t word = key_var(key)->word_.load(std::memory_order_acquire);
    if (word == Var::kLocked) key_var(key)->unlock(word = key_var(key)->lock());
    *streams |= (word & Var::kStreams) != 0;
    if (!(word & Var::kError) || !(key & key_reads)) continue;
    Ref<ErrorRecord> error = Ref<ErrorRecord>::adopt(error_of(key_var(key), task->asked));
    if (error && key_changes(key)) return error.detach();  // as in try_grant
    if (!first) first = std::move(error);
  }
  return first.detach();
}

bool VarProtocol::used_by_streams(const Var* var) {
  const std::uint64_t word = var->word_.load(std::memory_order_acquire);
  return word == Var::kLocked || word & Var::kStreams;
}

std::size_t VarProtocol::events_of(const Var* var, Wait wait, Event* events) {
  const std::uint64_t seen = var->word_.load(std::memory_order_acquire);
  if (seen != Var::kLocked && !(seen & Var::kStreams)) return 0;
  const std::uint64_t word = var->lock();
  const std::size_t count =
      word & Var::kStreams ? var->streams_->add_to(events, 0, wait == Wait::to_write) : 0;
  var->unlock(word);
  return count;
}

// One of the tasks that are to note events in the Var's StreamUse, which is made if need be.
void VarProtocol::announce_event(Var* var) {
  std::unique_ptr<StreamUse> made;
  std::uint64_t word = var->lock();
  if (!(word & Var::kStreams)) {
    var->unlock(word);
    made = std::make_unique<StreamUse>();
    word = var->lock();
    if (!(word & Var::kStreams)) {
      var->streams_ = made.release();
      word |= Var::kStreams;
    }
  }
  ++var->streams_->launching;
  var->unlock(word);
}

void VarProtocol::drop_complete(Var* var, bool granted) {
  // What became of the last write is asked for without the lock, so it is looked up twice.
  const Ref<Outcome> outcome = outcome_of(var);
  Ref<ErrorRecord> error;
  std::unique_ptr<StreamUse> over;
  Ref<Outcome> known;
  for (bool asked = !outcome;; asked = true) {
    const std::uint64_t word = var->lock();
    const bool streams = word & Var::kStreams;
    StreamUse* const use = var->streams_;
    // What a writer has noted is known to be over only once it is released.
    const bool mine = granted || !(word & Var::kWriter);
    const bool complete = streams && mine && use->write.complete();
    if (complete && !asked) {
      var->unlock(word);
      error = outcome->error();
      continue;
    }
    std::uint64_t after = word;
    // A write noted since then is another thread's to look at.
    if (complete && use->outcome == outcome) {
      use->write = Event();
      known = std::exchange(use->outcome, {});
      if (error) {
        ErrorRecord* const old = std::exchange(var->error_, error.detach());
        error = Ref<ErrorRecord>::adopt(old);
        after = (after | Var::kError) & ~Var::kIntact;
      }
    }
    if (streams) use->drop_complete_reads();
    if (streams && use->over()) {
      over.reset(std::exchange(var->streams_, nullptr));
      after &= ~Var::kStreams;
    }
    var->unlock(after);
    return;
  }
}

ErrorRecord* VarProtocol::come_after_streams(const KeyList& keys, Stream* stream, const Asked& asked,
                                             std::vector<Ref<Outcome>>* from) {
  std::size_t announced = 0;
  ErrorRecord* error = nullptr;
  try {
    while (stream && announced < keys.count) {
      announce_event(key_var(keys[announced]));
      ++announced;
    }
    for (std::size_t i = 0; i < keys.count; ++i) {
      Event events[Var::kMostEvents];
      Var* const var = key_var(keys[i]);
      const std::size_t count = events_of(var, keys[i] & key_writes ? Wait::to_write : Wait::to_read, events);
      for (std::size_t k = 0; k < count; ++k) {
        if (stream && events[k].stream != stream && !events[k].complete()) stream->follow(events[k]);
        if (!stream) events[k].wait();
      }
      drop_complete(var, true);
      if (!(keys[i] & key_reads)) continue;
      // The outcome first: another reader may move its error to the Var in between.
      if (Ref<Outcome> outcome = stream ? outcome_of(var) : Ref<Outcome>())
        from->push_back(std::move(outcome));
      if (!error) error = error_of(var, asked);
    }
  } catch (...) {
    note_event(keys.front(announced), Event(), {});
    if (error) error->release();
    throw;
  }
  return error;
}

Ref<Outcome> VarProtocol::outcome_of(const Var* var) {
  const std::uint64_t word = var->lock();
  Ref<Outcome> outcome = word & Var::kStreams ? var->streams_->outcome : Ref<Outcome>();
  var->unlock(word);
  return outcome;
}

void VarProtocol::note_event(const KeyList& keys, const Event& event, const Ref<Outcome>& outcome) {
  for (std::size_t i = 0; i < keys.count; ++i) {
    Var* var = key_var(keys[i]);
    for (;;) {
      const std::uint64_t word = var->lock();
      bool noted = true;
      Event oldest;
      Ref<Outcome> old;  // freed after the lock
      StreamUse& use = *var->streams_;
      if (event.stream && keys[i] & key_writes) {
        old = use.outcome;
        use.note_write(event, keys[i] & key_keeps ? old : outcome);
      } else if (event.stream) {
        noted = use.note_read(event);
        oldest = use.reads[0];
      }
      if (noted) --use.launching;
      var->unlock(word);
      if (noted) break;
      oldest.wait();
    }
    if (!event.stream) drop_complete(var, true);
  }
}

bool VarProtocol::release(Key key, ErrorRecord* failure, Left left, Released& released) {
  Var* var = key_var(key);
  ErrorRecord* old_error = nullptr;
  std::uint64_t word = var->lock();
  if (key & key_writes) {
    word &= ~Var::kWriter;
    const bool was_there = !(word & Var::kError) || word & Var::kIntact;
    const bool kept = key & key_keeps && failure;  // as it was, with or without an error
    if (kept) failure = var->error_;
    const bool stays = left == Left::replaced || (left == Left::changed && key_changes(key));
    const bool intact = failure && was_there && (kept || (stays && !(word & Var::kStreams)));
    word = intact ? word | Var::kIntact : word & ~Var::kIntact;
    var->completed_.store(var->completed_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    if (failure || (word & Var::kError)) {
      old_error = var->error_;
      if (failure) failure->retain();
      var->error_ = failure;
      word = failure ? word | Var::kError : word & ~Var::kError;
    }
  } else {
    word -= Var::kReader;
  }
  if (word & Var::kQueued) {
    while (Link* link = var->head_) {
      const bool writes = link->key & key_writes;
      if ((word & Var::kWriter) || (writes && word >= Var::kReader)) break;
      var->head_ = link->next;
      if (!link->task) {
        Waiter* waiter = static_cast<Waiter*>(link);
        waiter->error = var->standing_error(word, waiter->asked);
        if (waiter->error) waiter->error->retain();
        link->next = released.waiters;
        released.waiters = link;
        continue;
      }
      word = writes ? word | Var::kWriter : word + Var::kReader;
      // Release hands on what this task did to the Var; acquire collects what the task's other Vars handed
      // on.
      if (link->task->pending.fetch_sub(1, std::memory_order_acq_rel) == 1) released.ready.append(link->task);
    }
    if (!var->head_) {
      var->tail_ = nullptr;
      word &= ~Var::kQueued;
    }
  }
  // A dropped Var that nobody uses any more has no other thread left that could want it.
  const bool dead = (word & ~(Var::kError | Var::kIntact | Var::kStreams)) == Var::kDropped;
  var->unlock(word);
  if (old_error) old_error->release();
  return dead;
}

void VarProtocol::destroy(Var* var) { delete var; }

bool VarProtocol::ready_for(const Var* var, Wait wait, ErrorRecord** error) {
  const std::uint64_t word = var->word_.load(std::memory_order_acquire);
  if (word & (Var::kLocked | Var::kWriter | Var::kQueued | Var::kError)) {
    if (!(word & Var::kError)) return false;
    const std::uint64_t locked = var->lock();
    const bool ready =
        !(locked & (Var::kWriter | Var::kQueued)) && (wait == Wait::to_read || locked < Var::kReader);
    *error = ready ? var->standing_error(locked, asked_now()) : nullptr;
    if (*error) (*error)->retain();
    var->unlock(locked);
    return ready;
  }
  *error = nullptr;
  return wait == Wait::to_read || word < Var::kReader;
}

bool VarProtocol::enqueue_waiter(Var* var, Wait wait, Waiter* waiter) {
  const Key key = reinterpret_cast<Key>(var) | (wait == Wait::to_write ? key_writes : 0);
  static_cast<Link&>(*waiter) = {nullptr, nullptr, key};
  waiter->asked = asked_now();
  const std::uint64_t word = var->lock();
  if (!(word & (Var::kWriter | Var::kQueued)) && (wait == Wait::to_read || word < Var::kReader)) {
    waiter->error = var->standing_error(word, waiter->asked);
    if (waiter->error) waiter->error->retain();
    var->unlock(word);
    return true;
  }
  (var->tail_ ? var->tail_->next : var->head_) = waiter;
  var->tail_ = waiter;
  var->unlock(word | Var::kQueued);
  return false;
}

ErrorRecord* VarProtocol::error_of(const Var* var, const Asked& asked) {
  const std::uint64_t word = var->lock();
  ErrorRecord* error = var->standing_error(word, asked);
  if (error) error->retain();
  var->unlock(word);
  return error;
}

bool VarProtocol::hides_another(const Var* var, const ErrorRecord* error, const Asked& asked) {
  const std::uint64_t word = var->lock();
  const ErrorRecord* const other = word & Var::kIntact ? var->standing_error(word, asked) : nullptr;
  var->unlock(word);
  return other && other != error;
}

void VarProtocol::clear_error(Var* var) {
  const std::uint64_t word = var->lock();
  ErrorRecord* error = var->error_;
  var->error_ = nullptr;
  var->unlock(word & ~(Var::kError | Var::kIntact));
  if (error) error->release();
}

Ref<ErrorRecord> error_of(const Var* var) {
  return Ref<ErrorRecord>::adopt(VarProtocol::error_of(var, asked_now()));
}
void clear_error(Var* var) { VarProtocol::clear_error(var); }

}  // namespace mixgrad::engine
