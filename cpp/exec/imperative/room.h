// Memory for what a client's call makes: where a garbage collector of the client's language keeps unused arrays, it is asked
// for them before there is none left.
#pragma once

#include "array/array.h"
#include "storage/pressure.h"

namespace mixgrad {

// Called where a client's call has changed nothing yet, for storage::watched_bytes or more: waits a little for queued tasks
// if they hold what is wanted, then runs the collector if it is due. True when memory is scarce.
bool make_room(Device device, size_t bytes);
// For the outputs of a call. Where memory is scarce they take theirs now, so that a refusal fails the call and not a task.
void make_room_for(Span<const ArrayRef> outputs);
// After a refusal. False when nothing can be done about it: the call fails.
bool make_room_after_refusal();

}  // namespace mixgrad
