#include "engine/task_pool.h"

#include <new>

#include "engine/caller.h"
#include "engine/spin.h"
#include "engine/thread_state.h"

namespace mixgrad::engine {
namespace {

// A pushing thread takes and a worker gives, so whole batches travel between them. A batch is a list through
// Task::next whose first task points to the next batch with `child`.
constexpr std::uint32_t pool_batch = 64;
constexpr std::size_t pool_keep = 256;  // batches kept; more are freed

SpinLock pool_lock;
Task* pool_batches = nullptr;
std::size_t pool_batch_count = 0;
std::atomic<std::size_t> pool_allocated{0};

void pool_delete(Task* task) {
  pool_allocated.fetch_sub(1, std::memory_order_relaxed);
  task->~Task();
  ::operator delete(task, std::align_val_t(alignof(Task)));
}

Task* pool_new() {
  void* memory = ::operator new(sizeof(Task), std::align_val_t(alignof(Task)));
  pool_allocated.fetch_add(1, std::memory_order_relaxed);
  return ::new (memory) Task;
}

void pool_delete_list(Task* list) {
  while (list) {
    Task* next = list->next;
    pool_delete(list);
    list = next;
  }
}

void pool_give(Task* batch) {
  pool_lock.lock();
  if (pool_batch_count < pool_keep) {
    batch->child = pool_batches;
    pool_batches = batch;
    ++pool_batch_count;
    batch = nullptr;
  }
  pool_lock.unlock();
  pool_delete_list(batch);
}

struct PoolReturner {
  ~PoolReturner() {
    flush_task_pool();
    leave_caller_team();
    thread_state.pool_gone = true;
  }
};

void pool_register_thread() {
  static thread_local PoolReturner returner;
  static_cast<void>(returner);
  thread_state.pool_registered = true;
}

Task* pool_refill() {
  ThreadState& state = thread_state;
  if (state.pool_gone) return pool_new();
  if (!state.pool_registered) pool_register_thread();
  pool_lock.lock();
  Task* batch = pool_batches;
  if (batch) {
    pool_batches = batch->child;
    --pool_batch_count;
  }
  pool_lock.unlock();
  if (!batch) return pool_new();
  std::uint32_t count = 0;
  for (Task* task = batch; task; task = task->next) ++count;
  state.free_tasks = batch->next;
  state.free_count = count - 1;
  return batch;
}

}  // namespace

Task* allocate_task() {
  ThreadState& state = thread_state;
  Task* task = state.free_tasks;
  if (!task) return pool_refill();
  state.free_tasks = task->next;
  --state.free_count;
  return task;
}

void free_task(Task* task) noexcept {
  ThreadState& state = thread_state;
  if (!state.pool_registered || state.pool_gone) {
    if (state.pool_gone) return pool_delete(task);
    pool_register_thread();
  }
  task->next = state.free_tasks;
  state.free_tasks = task;
  if (++state.free_count < 2 * pool_batch) return;
  // Keep the newest half, whose memory is warm.
  Task* last = state.free_tasks;
  for (std::uint32_t i = 1; i < pool_batch; ++i) last = last->next;
  Task* batch = last->next;
  last->next = nullptr;
  state.free_count = pool_batch;
  pool_give(batch);
}

void flush_task_pool() noexcept {
  ThreadState& state = thread_state;
  if (state.free_tasks) pool_give(state.free_tasks);
  state.free_tasks = nullptr;
  state.free_count = 0;
}

bool watch_thread_end() {
  if (!thread_state.pool_registered) pool_register_thread();
  return !thread_state.pool_gone;
}

void lock_task_pool() { pool_lock.lock(); }
void unlock_task_pool() { pool_lock.unlock(); }
std::size_t task_pool_size() { return pool_allocated.load(std::memory_order_relaxed); }

std::uint32_t thread_number() {
  static std::atomic<std::uint32_t> numbers{0};
  if (thread_state.number == 0) thread_state.number = numbers.fetch_add(1, std::memory_order_relaxed) + 1;
  return thread_state.number;
}

}  // namespace mixgrad::engine
