#include "storage/arena.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "storage/size_class.h"

namespace mixgrad::storage {
namespace {

constexpr std::size_t kArenaPages = kArenaBytes / kPageBytes;

// The first of `pages` free pages in a row that begin at a multiple of `step`; kArenaPages when there is
// none.
std::size_t find_run(const std::vector<bool>& used, std::size_t pages, std::size_t step) {
  std::size_t first = 0;
  while (first + pages <= kArenaPages) {
    std::size_t page = first;
    while (page < first + pages && !used[page]) ++page;
    if (page == first + pages) return first;
    first = (page + step) / step * step;
  }
  return kArenaPages;
}

}  // namespace

void* ArenaList::take(std::size_t bytes, std::size_t alignment, bool* fresh) {
  const std::size_t pages = bytes / kPageBytes;
  const std::size_t step = std::max<std::size_t>(alignment / kPageBytes, 1);
  for (auto& [address, arena] : arenas_) {
    if (kArenaPages - arena.held < pages) continue;
    const std::size_t first = find_run(arena.used, pages, step);
    if (first == kArenaPages) continue;
    std::fill_n(arena.used.begin() + static_cast<std::ptrdiff_t>(first), pages, true);
    arena.held += pages;
    *fresh = first >= arena.touched;
    arena.touched = std::max(arena.touched, first + pages);
    return address + first * kPageBytes;
  }
  return nullptr;
}

void ArenaList::add(void* memory) {
  Arena arena;
  arena.used.resize(kArenaPages);
  arenas_.emplace(static_cast<char*>(memory), std::move(arena));
}

void* ArenaList::give(void* data, std::size_t bytes) noexcept {
  auto* start = static_cast<char*>(data);
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(data) % kArenaBytes;
  const auto found = arenas_.find(start - offset);
  const std::size_t first = offset / kPageBytes;
  Arena& arena = found->second;
  std::fill_n(arena.used.begin() + static_cast<std::ptrdiff_t>(first), bytes / kPageBytes, false);
  arena.held -= bytes / kPageBytes;
  if (arena.held > 0) return nullptr;
  void* memory = found->first;
  arenas_.erase(found);
  return memory;
}

}  // namespace mixgrad::storage
