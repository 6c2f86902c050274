// Cards for tests, on a machine that has none: memory that the host's own instructions cannot touch, and streams that are late and
// out of step. They stand in for the GPUs of the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "device/api.h"
#include "device/stream.h"

namespace mixgrad {

struct SimulatedCards {
  int count = 1;
  std::size_t memory = std::size_t{4} << 30;  // of each card, in bytes
  std::uint64_t seed = 1;                     // of the delays
  bool late = true;                           // else streams work without delays
};

// From now on gpu(0) to gpu(count - 1) are such cards. Later calls may change the number and the delays, but not while work is in
// flight; memory in use stays. Throws Status::unsupported where the system cannot protect pages, and Status::invalid_argument for
// counts outside 0 to 16.
void simulate_cards(const SimulatedCards& cards);

// The compute and the copy stream of a card, which run what they are given in threads of their own.
class SimulatedStream : public Stream {
 public:
  using Stream::Stream;
  SimulatedStream* simulated() override { return this; }
  // Work that may touch the memory of cards, at the addresses that host_address() gives. It must not throw.
  virtual void run(std::function<void()> work) = 0;
};

// Where work of streams finds what cards have at `data`; any other address as it is.
void* host_address(const void* data);

}  // namespace mixgrad
