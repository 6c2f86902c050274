// Whole blocks nobody uses, kept for the next request of about their size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mixgrad::storage {

// Not synchronised: the pool's lock covers it.
class IdleBlocks {
 public:
  struct Entry {
    void* data = nullptr;
    std::size_t capacity = 0;
    std::uint64_t age = 0;  // counts up with every put
  };

  // The best fit of `capacity` to `most` bytes, of equal ones the latest; removed from here. data is null
  // when there is none.
  Entry take(std::size_t capacity, std::size_t most);
  // capacity: more than kSmallLimit. May throw std::bad_alloc, then nothing changed.
  void put(void* data, std::size_t capacity);
  // The entry that has been idle longest, removed from here; data is null when there is none.
  Entry take_oldest();
  // Sum of capacities.
  std::size_t bytes() const { return bytes_; }

 private:
  Entry remove(std::size_t bucket, std::size_t index);

  // Eight buckets for each doubling; within a bucket from oldest to latest.
  std::array<std::vector<Entry>, 512> buckets_;
  std::size_t bytes_ = 0;
  std::uint64_t clock_ = 0;
};

}  // namespace mixgrad::storage
