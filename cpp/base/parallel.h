// A loop split over the process's one team of threads.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "base/cpu.h"

namespace mixgrad {

// One loop at a time has the team: two would take each other's cores. So only a thread that was given the team may open
// a loop: worker 0 of the engine's compute lane, or a caller in whose thread the engine runs a large task. Everywhere
// else, and inside a loop, a loop runs in the calling thread.

// Calls body(context, begin, end) on ranges that cover [0, n), each at least `grain` long where n allows, and
// returns when all are done. The first exception of a range is thrown again here.
void parallel_ranges(std::int64_t n, std::int64_t grain, void (*body)(void*, std::int64_t, std::int64_t),
                     void* context);

// The grain of a loop whose items are so many elements, multiplications or the like each, where `worth` of them are worth a
// thread: at least 1. `work` is multiplied; extents of 0 and products beyond 64 bits are no matter.
std::int64_t loop_grain(std::int64_t worth, std::initializer_list<std::int64_t> work);

template <class F>
void call_range(void* f, std::int64_t begin, std::int64_t end) {
  (*static_cast<F*>(f))(begin, end);
}

// The same for a callable f(begin, end), called from several threads at once.
template <class F>
MIXGRAD_INLINE void parallel_for(std::int64_t n, std::int64_t grain, F&& f) {
  parallel_ranges(n, grain, &call_range<std::remove_reference_t<F>>,
                  const_cast<void*>(static_cast<const volatile void*>(&f)));
}

// Threads of the team; at least 1. At first one per core, or OMP_NUM_THREADS. Set from any thread; the next loop uses it.
int num_threads();
void set_num_threads(int count);

// Whether threads of the team work or look for work at this moment.
bool team_awake();

// Called around work that another team of threads does: this one's then leave the cores to it.
void team_steps_aside(bool aside);

// Whether the calling thread may open the team now.
bool team_allowed();

// Gives the team to the calling thread until the end of the scope, if `wanted` and if no other thread has it; else the
// thread works alone. Teams of two threads would take each other's cores.
class TeamScope {
 public:
  explicit TeamScope(bool wanted);
  ~TeamScope();
  TeamScope(const TeamScope&) = delete;
  TeamScope& operator=(const TeamScope&) = delete;

 private:
  bool before_;
  bool took_ = false;
};

}  // namespace mixgrad
