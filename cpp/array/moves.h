// Memory behind arrays that moved: who keeps addresses between tasks looks whether they still hold.
#pragma once

#include <atomic>
#include <cstdint>

namespace mixgrad {

// Counts moves of this process. An array's memory moves only while nobody else uses the array.
inline std::atomic<uint64_t> memory_moves{0};

}  // namespace mixgrad
