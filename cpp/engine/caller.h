// What the engine may do in the threads that push: open a team of their own, and block.
#pragma once

#include <chrono>
#include <cstdint>

namespace mixgrad::engine {

class Lane;

// GNU OpenMP keeps a team for every thread that opens one. Beside worker 0 one pushing thread may have one, the first
// that asks, until it ends. (Both never work at once: see TeamScope.)
bool claim_caller_team();
// Whether the calling thread is in the middle of a task.
bool inside_task();
// Called by a thread that ends.
void leave_caller_team() noexcept;
// In a forked child: the threads of the forking thread's team do not exist here, and opening it would wait for them for
// ever.
void lose_caller_team() noexcept;

// Told when a thread is about to block or to work long inside a call that is otherwise short. A language with a lock
// around its interpreter lets go of it meanwhile. `enter` gives a state that `leave` gets back, in the same thread. Null
// for none. Set while no other thread is inside the library. `leave` need not return, in a program that ends.
struct BlockingHooks {
  void* (*enter)() = nullptr;
  void (*leave)(void* state) = nullptr;
};
void set_blocking_hooks(const BlockingHooks& hooks);

class BlockingScope {
 public:
  BlockingScope();
  ~BlockingScope();
  BlockingScope(const BlockingScope&) = delete;
  BlockingScope& operator=(const BlockingScope&) = delete;

 private:
  void (*leave_)(void* state);
  void* state_ = nullptr;
};

// Inside a task, around what may take as long as the program likes: its own functions. Another thread takes this one's place
// in the lane meanwhile.
class ProgramScope {
 public:
  ProgramScope();
  ~ProgramScope();
  ProgramScope(const ProgramScope&) = delete;
  ProgramScope& operator=(const ProgramScope&) = delete;

 private:
  Lane* const lane_;  // null: the thread is not one of a lane
};

// Asked every `interrupt_period` by a thread that blocks outside of tasks: not 0 ends the wait. Null for none. Set while no
// other thread is inside the library.
constexpr auto interrupt_period = std::chrono::milliseconds(50);
void set_interrupt_hook(std::int32_t (*interrupted)());
// Whether this thread's waits ask it.
bool heeds_interrupts();
// Asks it.
bool interrupted();

}  // namespace mixgrad::engine
