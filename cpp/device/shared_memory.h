// Host memory that other processes of the machine can attach by name.
//
// A segment is a POSIX shared memory object plus an advisory lock that each attached process holds, so the
// kernel itself counts the holders: a process that is killed drops out. The last to release removes the
// name. A forked child inherits mappings, not references: its copy stays readable, but only attaching keeps a
// name.
#pragma once

#include <cstddef>
#include <string>

namespace mixgrad {

struct SharedHandle {
  std::string name;       // what another process gives to shared_attach
  int fd = -1;            // owned by the segment; may be sent over a socket, not closed
  std::size_t bytes = 0;  // as given to shared_create
};

// True where this build has shared memory (Linux); otherwise the functions below throw Error(unsupported).
bool shared_memory_available();

// A new zero-filled, page-aligned segment; the pages are reserved now, so touching them later cannot fail.
// Null when the system refuses the memory.
void* shared_create(std::size_t bytes);
// Maps a segment of another process (or of this one, at a second address).
// Throws Error(not_found) when no process holds it any more, Error(format) when it is not one of ours.
void* shared_attach(const std::string& name);
// Undoes one shared_create or shared_attach.
void shared_release(void* data) noexcept;
// `data`: the start of a segment held by this process; throws Error(invalid_argument) otherwise.
SharedHandle shared_handle(const void* data);
// Removes names left behind by processes that were killed; returns how many. shared_create calls it once.
int shared_sweep();

}  // namespace mixgrad
