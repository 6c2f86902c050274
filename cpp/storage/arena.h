// Runs of pages below 2 MiB, cut out of aligned arenas of huge pages: without them a first touch of such a
// block would fault once in 4 KiB, which costs about twenty times as much as zeroing the memory in huge
// pages.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace mixgrad::storage {

// Size and alignment of an arena.
constexpr std::size_t kArenaBytes = std::size_t{8} << 20;
// Requests from here on are mappings of their own.
constexpr std::size_t kRunLimit = std::size_t{2} << 20;

// The arenas of one pool. Not synchronised: the pool's lock covers it.
class ArenaList {
 public:
  // `bytes`: whole pages, less than kRunLimit; `alignment`: 0 or a power of two up to kRunLimit. Null when no
  // arena has room. `fresh`: true when nobody ever held these pages.
  void* take(std::size_t bytes, std::size_t alignment, bool* fresh);
  // kArenaBytes bytes at `memory`, aligned to kArenaBytes. May throw std::bad_alloc, then nothing changed.
  void add(void* memory);
  // Returns the arena's memory when this was its last run (it is the list's no longer), else null.
  void* give(void* data, std::size_t bytes) noexcept;

 private:
  struct Arena {
    std::vector<bool> used;   // by page
    std::size_t held = 0;     // pages in use
    std::size_t touched = 0;  // pages from here on nobody ever held
  };

  std::map<char*, Arena> arenas_;  // by address
};

}  // namespace mixgrad::storage
