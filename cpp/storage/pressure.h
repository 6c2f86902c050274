// Garbage collectors of other languages, which do not know what arrays weigh: when one is asked to look for arrays that
// nobody uses, and what devices hold beside their limits.
#pragma once

#include <atomic>
#include <cstddef>

#include "device/device.h"

namespace mixgrad::storage {

// Destroys the arrays that it finds unused before it returns. Called where a client's call makes arrays, in its thread and
// outside of tasks; from several threads at once if several ask, but not again inside itself.
struct Collector {
  void (*collect)(void* context) = nullptr;  // null: none
  void* context = nullptr;
  std::size_t step = 0;  // it is called when at least so much has come since the last time; 0: 256 MiB
};
// While no other thread is inside the library.
void set_collector(const Collector& collector);
bool has_collector();

// Runs the collector, then decides when it is due again: once a device holds `step` more than now, or half more if there is
// room for that. False when there is none, or in the middle of it.
bool collect();

// Calls that make so many bytes or more ask pressure() first. 0 when calls that make little have used up a device's room.
extern std::atomic<std::size_t> watched_bytes;
// At least so many are watched and promised always.
constexpr std::size_t kWatchedBytes = std::size_t{1} << 20;

// What `bytes` more on a device would mean, promised ones counted.
struct Pressure {
  bool grown = false;  // the collector is due
  bool scarce =
      false;  // the device's limit is near: callers that take memory should learn at once if there is none
  bool beyond = false;  // there is no room, unless something is given back
};
Pressure pressure(Device device, std::size_t bytes);

// Memory that tasks in a queue will take counts from here to keep_promise(). Gives the bytes counted: none without a
// collector.
std::size_t promise(Device device, std::size_t bytes);
void keep_promise(Device device, std::size_t bytes);

}  // namespace mixgrad::storage
