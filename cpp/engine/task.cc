#include "engine/task.h"

#include <new>

#include "engine/task_pool.h"

namespace mixgrad::engine {

namespace {

// On one core.
constexpr std::uint64_t brief_task_ns = 1000000;

constexpr std::size_t room_alignment = alignof(std::max_align_t);

std::size_t bytes_of_links(std::size_t count) {
  return (count * sizeof(Link) + room_alignment - 1) / room_alignment * room_alignment;
}

bool in_room(const Task* task, const void* place) {
  const auto at = reinterpret_cast<std::uintptr_t>(place),
             room = reinterpret_cast<std::uintptr_t>(task->room);
  return at >= room && at < room + Task::room_bytes;
}

}  // namespace

Task* make_task(Scheduler* owner, Body body, const Key* keys, std::size_t key_count, const TaskInfo& info) {
  Task* task = allocate_task();
  task->owner = owner;
  task->ops = body.ops;
  std::size_t used = bytes_of_links(key_count);
  const bool links_fit = used <= Task::room_bytes;
  if (!links_fit) used = 0;
  const bool body_fits = body.ops->size <= Task::room_bytes - used;
  task->links = reinterpret_cast<Link*>(task->room);
  task->callable = task->room + used;
  try {
    if (!links_fit) task->links = new Link[key_count];
    if (!body_fits) task->callable = ::operator new(body.ops->size);
    body.ops->move_to(task->callable, body.callable);
  } catch (...) {
    if (!in_room(task, task->callable)) ::operator delete(task->callable);
    recycle(task);
    throw;
  }
  task->name = info.name;
  task->stream = info.stream;
  task->link_count = static_cast<std::uint32_t>(key_count);
  task->priority = info.priority;
  task->lane = info.lane;
  task->parallel = info.parallel;
  task->deferred = info.deferred;
  task->replaces = info.replaces;
  task->brief = info.parallel && info.cost_ns <= brief_task_ns;
  for (std::size_t i = 0; i < key_count; ++i) task->links[i] = {nullptr, task, keys[i]};
  return task;
}

void destroy_body(Task* task) noexcept {
  task->ops->destroy(task->callable);
  if (!in_room(task, task->callable)) ::operator delete(task->callable);
}

void recycle(Task* task) noexcept {
  if (!in_room(task, task->links)) delete[] task->links;
  free_task(task);
}

}  // namespace mixgrad::engine
