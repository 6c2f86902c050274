// Small blocks: equal pieces of an aligned region of pages, found again from a block's address.
#pragma once

#include <cstddef>

namespace mixgrad::storage {

// Size and alignment of the region a slab is made of.
constexpr std::size_t kSlabBytes = std::size_t{256} << 10;

struct Slab;

// The slabs of one size class. Not synchronised: the pool's lock covers it.
class SlabList {
 public:
  // block_bytes: the size of the class, a multiple of 64 up to kSmallLimit.
  void set_block_bytes(std::size_t block_bytes) { block_bytes_ = static_cast<unsigned>(block_bytes); }
  // Up to `want` free blocks into `out`; returns how many, 0 when every slab is full.
  int take(void** out, int want);
  // Makes a slab of kSlabBytes bytes at `memory`, aligned to kSlabBytes.
  void add(void* memory);
  // Returns the slab's memory when this was its last block in use (it is the list's no longer), else null.
  void* give(void* block);

 private:
  void link(Slab* slab);
  void unlink(Slab* slab);

  Slab* partial_ = nullptr;  // slabs with a free block; full ones are in no list
  unsigned block_bytes_ = 0;
};

}  // namespace mixgrad::storage
