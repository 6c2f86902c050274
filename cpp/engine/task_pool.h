// Memory for tasks: a free list per thread, batches exchanged through a shared one.
#pragma once

#include <cstddef>

#include "engine/task.h"

namespace mixgrad::engine {

Task* allocate_task();
void free_task(Task* task) noexcept;

// From now on the end of the calling thread gives back what the engine keeps for it. False when that has happened already.
bool watch_thread_end();

// Gives the calling thread's free list to the shared pool.
void flush_task_pool() noexcept;
// Held across fork().
void lock_task_pool();
void unlock_task_pool();
// Tasks the process holds memory for, in use or free.
std::size_t task_pool_size();

}  // namespace mixgrad::engine
