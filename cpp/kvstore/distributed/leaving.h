// How a worker leaves its store, at once or when its process ends.
#pragma once

#include <memory>

#include "kvstore/distributed/driver.h"

namespace mixgrad::kvstore {

// Others wait for this worker no more. Blocks until the scheduler has said so, for 20 s at most; then it warns.
void leave_now(Driver& driver);
// When the process ends with code 0. With another it goes without a word: others wait for who takes its place. Where the C library
// tells no exit handler the code (all but glibc), it leaves now.
void leave_at_exit(std::shared_ptr<Driver> driver);
// A process that would end with code 0 ends with 1. Does nothing where handlers are not told the code.
void fail_at_exit();

}  // namespace mixgrad::kvstore
