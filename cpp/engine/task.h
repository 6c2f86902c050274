// What the engine keeps of a pushed task until it is complete.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine/engine.h"
#include "engine/error_record.h"

namespace mixgrad::engine {

class Scheduler;
class Waiter;
struct Task;

// A Var's address with how a task uses it in the low bits. Both read and written: read, then changed. Kept, parts: see
// TaskInfo.
using Key = std::uintptr_t;
constexpr Key key_writes = 1, key_reads = 2, key_keeps = 4, key_parts = 8, key_access = 15;
static_assert(alignof(Var) > key_access, "the bits of an address that say how a Var is used");
// A value that depends on the one before.
inline bool key_changes(Key key) {
  return (key & (key_reads | key_writes | key_parts)) == (key_reads | key_writes);
}
inline Var* key_var(Key key) { return reinterpret_cast<Var*>(key & ~key_access); }

// A place in the queue of one Var. Without a task it is a Waiter (waiter.h).
struct Link {
  Link* next;
  Task* task;
  Key key;
};

// Lives in pooled memory; one thread owns it at any time: the pusher, then the Vars it waits for (through
// `pending`), then a lane, then the worker.
struct alignas(64) Task {
  static constexpr std::size_t room_bytes = 384;  // 8 Vars and 192 bytes of captures

  // The first line, and of the second as little as may be: a task travels from the pusher's cache to a worker's.
  Task* next;  // in a free list, a list of ready tasks, a lane
  Scheduler* owner;
  Link* links;  // link_count of them: in the room, or an array from the heap
  const BodyOps* ops;
  void* callable;          // behind the links in the room, or memory from the heap
  std::uint64_t sequence;  // order of the pushes
  // Vars not granted yet; while a task outlasts its body, how many of the body and the Completion have not ended.
  std::atomic<std::uint32_t> pending;
  std::uint32_t link_count;
  std::int32_t priority;
  LaneId lane;
  bool parallel;
  bool brief;     // parallel, and over before a sleeping worker would be of use
  bool profiled;  // pushed_ns and bytes are set
  bool deferred;  // may outlast its body
  bool replaces;  // see TaskInfo

  const char* name;
  Stream* stream;
  Asked asked;
  alignas(std::max_align_t) unsigned char room[room_bytes];

  Task* child;                                 // in a lane's heap
  std::uint64_t pushed_ns, started_ns, bytes;  // for the profiler
  ErrorRecord *body_error, *late_error;        // of deferred tasks: references, or null
};

// The keys of one task, wherever they lie.
struct KeyList {
  const unsigned char* first;
  std::size_t count, stride;

  KeyList(const Key* keys, std::size_t number)
      : first(reinterpret_cast<const unsigned char*>(keys)), count(number), stride(sizeof(Key)) {}
  explicit KeyList(const Task* task)
      : first(reinterpret_cast<const unsigned char*>(&task->links->key)),
        count(task->link_count),
        stride(sizeof(Link)) {}
  KeyList front(std::size_t number) const {
    KeyList some = *this;
    some.count = number;
    return some;
  }
  Key operator[](std::size_t i) const { return *reinterpret_cast<const Key*>(first + i * stride); }
};

// Tasks linked through `next`, oldest first.
struct TaskList {
  Task* first = nullptr;
  Task* last = nullptr;

  void append(Task* task) {
    task->next = nullptr;
    if (last) {
      last->next = task;
    } else {
      first = task;
    }
    last = task;
  }
  // Behind `place`, or in front of all when that is null.
  void insert(Task* place, Task* task) {
    if (place == last) return append(task);
    Task*& before = place ? place->next : first;
    task->next = before;
    before = task;
  }
  Task* take() {
    Task* task = first;
    first = task->next;
    if (!first) last = nullptr;
    return task;
  }
};

// Moves the body into a task from the pool. Throws std::bad_alloc and what the body's move throws.
Task* make_task(Scheduler* owner, Body body, const Key* keys, std::size_t key_count, const TaskInfo& info);
// Destroys the body; the links stay.
void destroy_body(Task* task) noexcept;
// Gives a task without body back to the pool.
void recycle(Task* task) noexcept;

}  // namespace mixgrad::engine
