#include "exec/imperative/room.h"

#include <chrono>
#include <thread>

#include "base/error.h"
#include "engine/caller.h"

namespace mixgrad {
namespace {

// No longer, since a task may wait for something that this thread does later.
constexpr auto kRoomWait = std::chrono::milliseconds(500);

// Returns once queued tasks are done, or done() says that enough of them are.
template <class Done>
void wait_for_tasks(Done done) {
  const engine::Engine& queue = engine::Engine::get();
  if (engine::inside_task() || !queue.busy()) return;
  const engine::BlockingScope blocking;
  const auto limit = std::chrono::steady_clock::now() + kRoomWait;
  while (queue.busy() && !done() && std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

}  // namespace

bool make_room(Device device, size_t bytes) {
  storage::Pressure found = storage::pressure(device, bytes);
  if (!found.grown && !found.scarce) return false;
  const auto enough = [&] {
    found = storage::pressure(device, bytes);
    return !found.grown && !found.scarce;
  };
  if (bytes >= storage::kWatchedBytes || found.grown) wait_for_tasks(enough);
  if (enough()) return false;
  if (found.grown && storage::collect()) enough();
  return found.scarce;
}

namespace {

// Nor is about to be: a task may give it another block's memory.
bool is_untouched(const Chunk& chunk) { return chunk.was_never_written() && chunk.push_version() == 0; }

bool take_if_allowed(Chunk& chunk) {
  try {
    chunk.ensure();
    return true;
  } catch (const Error& error) {
    if (error.status() != Status::out_of_memory) throw;
    return false;
  }
}

}  // namespace

void make_room_for(Span<const ArrayRef> outputs) {
  size_t bytes = 0;
  for (const ArrayRef& output : outputs) {
    if (is_untouched(output->chunk())) bytes += output->chunk().bytes();
  }
  if (outputs.empty() || !make_room(outputs[0]->device(), bytes)) return;
  for (const ArrayRef& output : outputs) {
    Chunk& chunk = output->chunk();
    if (!is_untouched(chunk) || take_if_allowed(chunk)) continue;
    make_room_after_refusal();
    chunk.ensure();
  }
}

bool make_room_after_refusal() {
  if (!storage::has_collector()) return false;
  wait_for_tasks([] { return false; });
  return storage::collect();
}

}  // namespace mixgrad
