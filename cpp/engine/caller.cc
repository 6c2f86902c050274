#include "engine/caller.h"

#include <atomic>
#include <cstdint>
#include <utility>

#include "engine/lane.h"
#include "engine/task_pool.h"
#include "engine/thread_state.h"

namespace mixgrad::engine {
namespace {

std::atomic<std::uint32_t> caller_team_owner{0};  // a thread's number; 0: nobody
std::atomic<void* (*)()> blocking_enter{nullptr};
std::atomic<void (*)(void*)> blocking_leave{nullptr};
std::atomic<std::int32_t (*)()> interrupt_hook{nullptr};

}  // namespace

bool claim_caller_team() {
  if (thread_state.team_lost || !watch_thread_end()) return false;
  const std::uint32_t self = thread_number();
  std::uint32_t owner = caller_team_owner.load(std::memory_order_relaxed);
  return owner == self || (owner == 0 && caller_team_owner.compare_exchange_strong(owner, self));
}

bool inside_task() { return thread_state.depth > 0 || thread_state.lane; }

void leave_caller_team() noexcept {
  std::uint32_t self = thread_state.number;
  if (self != 0) caller_team_owner.compare_exchange_strong(self, 0);
}

void lose_caller_team() noexcept {
  // Once lost it stays so in the children's children.
  const std::uint32_t owner = caller_team_owner.exchange(0);
  if (owner != 0 && owner == thread_state.number) thread_state.team_lost = true;
}

void set_blocking_hooks(const BlockingHooks& hooks) {
  blocking_enter.store(hooks.enter, std::memory_order_release);
  blocking_leave.store(hooks.leave, std::memory_order_release);
}

BlockingScope::BlockingScope() : leave_(blocking_leave.load(std::memory_order_acquire)) {
  const auto enter = blocking_enter.load(std::memory_order_acquire);
  if (enter && leave_)
    state_ = enter();
  else
    leave_ = nullptr;
}

BlockingScope::~BlockingScope() {
  if (leave_) leave_(state_);
}

// Waits inside the scope find no lane: the place is given away already.
ProgramScope::ProgramScope()
    : lane_(thread_state.depth > 0 ? std::exchange(thread_state.lane, nullptr) : nullptr) {
  if (lane_) lane_->worker_blocks();
}

ProgramScope::~ProgramScope() {
  if (!lane_) return;
  lane_->worker_resumes();
  thread_state.lane = lane_;
}

void set_interrupt_hook(std::int32_t (*interrupted)()) {
  interrupt_hook.store(interrupted, std::memory_order_release);
}

bool heeds_interrupts() {
  return thread_state.depth == 0 && !thread_state.lane && interrupt_hook.load(std::memory_order_relaxed);
}

bool interrupted() {
  const auto hook = interrupt_hook.load(std::memory_order_acquire);
  return hook && hook() != 0;
}

}  // namespace mixgrad::engine
