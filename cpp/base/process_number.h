// Which process this is, across forks.
#pragma once

#include <cstdint>

namespace mixgrad {

// A number of this process that none had before the forks that made it. Asks the system nothing. In a child it is another one before
// objects are told of the fork (fork_mutex.h).
uint32_t process_number();

}  // namespace mixgrad
