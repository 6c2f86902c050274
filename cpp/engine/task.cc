#include "engine/task.h"

#include "engine/task_pool.h"

namespace mixgrad::engine {

Task* make_task(Scheduler* owner, Body body, const Key* keys, std::size_t key_count, const TaskInfo& info) {
  Task* task = allocate_task();
  task->owner = owner;
  task->links = task->own_links;
  task->ops = body.ops;
  task->callable = task->own_bytes;
  try {
    if (key_count > Task::inline_links) task->links = new Link[key_count];
    if (body.ops->size > Task::inline_bytes) task->callable = ::operator new(body.ops->size);
    body.ops->move_to(task->callable, body.callable);
  } catch (...) {
    if (task->callable != task->own_bytes) ::operator delete(task->callable);
    recycle(task);
    throw;
  }
  task->name = info.name;
  task->link_count = static_cast<std::uint32_t>(key_count);
  task->priority = info.priority;
  task->lane = info.lane;
  task->parallel = info.parallel;
  task->pushed_ns = 0;
  task->bytes = info.bytes;
  for (std::size_t i = 0; i < key_count; ++i) task->links[i] = {nullptr, task, keys[i]};
  return task;
}

void destroy_body(Task* task) noexcept {
  task->ops->destroy(task->callable);
  if (task->callable != task->own_bytes) ::operator delete(task->callable);
}

void recycle(Task* task) noexcept {
  if (task->links != task->own_links) delete[] task->links;
  free_task(task);
}

}  // namespace mixgrad::engine
