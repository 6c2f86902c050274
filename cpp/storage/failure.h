// Allocation failures on demand, for tests: every place that allocates can be made to fail in turn.
//
// The rules are process-wide and hold for all threads and devices. They come on top of real failures, are off
// at the start, and cost one predictable branch per allocation while off. An allocation failed this way
// throws the same Error(out_of_memory) as a real one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mixgrad::storage {

// The n-th allocation from now fails, once (1: the next). 0 takes the rule back.
void fail_after(std::int64_t n);
// Every k-th allocation from now fails. 0 takes the rule back.
void fail_every(std::int64_t k);
// An allocation fails when the device's bytes in use and the request together exceed `bytes`. 0 takes it
// back.
void fail_over(std::size_t bytes);
// The next `count` requests to the system are refused, so that pools must give idle memory back and ask
// again.
void fail_system(std::int64_t count);
// Takes all rules back.
void fail_never();
// Allocations seen since the last call of fail_after, fail_every or fail_over, while one of them was in
// force. fail_after with a huge n counts the steps of a program; then each of them can be made to fail in
// turn.
std::int64_t failure_steps();

}  // namespace mixgrad::storage
