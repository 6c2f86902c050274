// What a thread is doing: recording gradients or not, training or predicting, on which device, with which seed.
#pragma once

#include <cstdint>

#include "device/device.h"

namespace mixgrad {

// Which values a call leaves as they were if it is not run (docs/engine.md, Failures): those that it changes in place; also those that
// a user's assignment replaces; none.
enum class Leaves : uint8_t { changed, assigned, nothing };

struct Mode {
  bool recording = false;
  bool training = false;
  Device device;  // where arrays without inputs are made
  Leaves leaves = Leaves::changed;
};

// Of the calling thread.
Mode& mode();

// Nothing that the thread calls is recorded while it lives.
class Unrecorded {
 public:
  Unrecorded() : before_(mode().recording) { mode().recording = false; }
  ~Unrecorded() { mode().recording = before_; }
  Unrecorded(const Unrecorded&) = delete;
  Unrecorded& operator=(const Unrecorded&) = delete;

 private:
  bool before_;
};

// Of what the thread calls while it lives.
class LeavesScope {
 public:
  explicit LeavesScope(Leaves leaves) : before_(mode().leaves) { mode().leaves = leaves; }
  ~LeavesScope() { mode().leaves = before_; }
  LeavesScope(const LeavesScope&) = delete;
  LeavesScope& operator=(const LeavesScope&) = delete;

 private:
  Leaves before_;
};

// Random numbers: every call of a random operator takes the next stream of its device's generator, at call time, so a
// program's numbers follow from the seed and the order of its calls, whatever runs in parallel.
struct RandomStream {
  uint64_t seed, stream;
};
RandomStream next_random_stream(Device device);
// Starts the streams of all devices, or of one, again.
void seed_random(uint64_t seed);
void seed_random(uint64_t seed, Device device);

}  // namespace mixgrad
