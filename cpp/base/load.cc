#include "base/load.h"

#include <atomic>

namespace mixgrad {
namespace {

enum class Load : int { going, failed, done };
std::atomic<Load> load_state{Load::going};

}  // namespace

bool load_going() { return load_state.load(std::memory_order_relaxed) != Load::done; }
void note_failed_load() { load_state.store(Load::failed, std::memory_order_relaxed); }
bool load_failed() { return load_state.load(std::memory_order_relaxed) == Load::failed; }

void end_load() {
  Load expected = Load::going;
  if (load_state.load(std::memory_order_relaxed) == expected)
    load_state.compare_exchange_strong(expected, Load::done, std::memory_order_relaxed);
}

}  // namespace mixgrad
