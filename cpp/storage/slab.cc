#include "storage/slab.h"

#include <algorithm>
#include <cstdint>
#include <new>

#include "storage/poison.h"
#include "storage/size_class.h"

namespace mixgrad::storage {

// Stands at the start of its region; the blocks follow.
struct Slab {
  Slab* next;
  Slab* previous;
  unsigned first;                           // offset of block 0
  unsigned blocks;                          // how many there are
  unsigned free;                            // how many nobody holds
  std::uint64_t map[kSlabBytes / 64 / 64];  // bit i: block i is free
};

namespace {

Slab* slab_of(void* block) {
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(block) % kSlabBytes;
  return reinterpret_cast<Slab*>(static_cast<char*>(block) - offset);
}

}  // namespace

void SlabList::link(Slab* slab) {
  slab->previous = nullptr;
  slab->next = partial_;
  if (partial_) partial_->previous = slab;
  partial_ = slab;
}

void SlabList::unlink(Slab* slab) {
  (slab->previous ? slab->previous->next : partial_) = slab->next;
  if (slab->next) slab->next->previous = slab->previous;
}

void SlabList::add(void* memory) {
  Slab* slab = new (memory) Slab{};
  // Blocks of pages and more begin on a page.
  const unsigned alignment = block_bytes_ >= kPageBytes ? kPageBytes : kBlockAlignment;
  slab->first = (static_cast<unsigned>(sizeof(Slab)) + alignment - 1) / alignment * alignment;
  slab->blocks = (static_cast<unsigned>(kSlabBytes) - slab->first) / block_bytes_;
  slab->free = slab->blocks;
  for (unsigned i = 0; i < slab->blocks; i += 64) {
    const unsigned here = std::min(64u, slab->blocks - i);
    slab->map[i / 64] = here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
  }
  poison(static_cast<char*>(memory) + slab->first, kSlabBytes - slab->first);
  link(slab);
}

int SlabList::take(void** out, int want) {
  int taken = 0;
  while (taken < want && partial_) {
    Slab* slab = partial_;
    char* first = reinterpret_cast<char*>(slab) + slab->first;
    for (unsigned word = 0; taken < want && word * 64 < slab->blocks; ++word) {
      std::uint64_t& bits = slab->map[word];
      while (bits && taken < want) {
        const unsigned index = word * 64 + static_cast<unsigned>(__builtin_ctzll(bits));
        bits &= bits - 1;
        out[taken++] = first + std::size_t{index} * block_bytes_;
        --slab->free;
      }
    }
    if (slab->free == 0) unlink(slab);
  }
  return taken;
}

void* SlabList::give(void* block) {
  Slab* slab = slab_of(block);
  const auto offset = static_cast<unsigned>(static_cast<char*>(block) - reinterpret_cast<char*>(slab));
  const unsigned index = (offset - slab->first) / block_bytes_;
  slab->map[index / 64] |= std::uint64_t{1} << index % 64;
  if (slab->free++ == 0) link(slab);
  if (slab->free < slab->blocks) return nullptr;
  unlink(slab);
  return slab;
}

}  // namespace mixgrad::storage
