// Host memory that other processes of the machine map by a descriptor.
//
// A segment is a file in memory that never had a name, so it goes with the last process that maps it or holds its
// descriptor, however that ends. A process maps a segment once, whoever asks; a forked child has the mapping, too.
#pragma once

#include <cstddef>
#include <string>

namespace mixgrad {

// Where memory lies, for another process.
struct SharedPlace {
  int fd = -1;             // of the segment, which owns it; may be sent over a socket, not closed
  std::size_t offset = 0;  // in bytes
  std::size_t bytes = 0;   // of the whole segment
};

// True where this build and system have shared memory (Linux); otherwise the functions below throw Error(unsupported).
bool shared_memory_available();

// A new zero-filled, page-aligned segment; the pages are reserved now, so touching them later cannot fail.
// Null when the system refuses the memory.
void* shared_create(std::size_t bytes);
// The start of a segment that another process made, or this one. The descriptor stays the caller's.
// Throws Error(format) when it is not one of ours.
void* shared_attach(int fd);
// The same by a name that shared_name gave, which another process of the same user can open while the segment is there.
// Throws Error(not_found) when it is not there any more.
void* shared_attach(const std::string& name);
std::string shared_name(const void* data);
// Undoes one shared_create or shared_attach.
void shared_release(void* start) noexcept;
// Whether `data` lies in a segment that this process maps.
bool shared_contains(const void* data);
// Where it lies there; throws Error(invalid_argument) otherwise.
SharedPlace shared_place(const void* data);

}  // namespace mixgrad
