#include "device/cpu.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/build.h"
#include "device/shared_memory.h"

#if defined(__unix__) || defined(__APPLE__)
#define MIXGRAD_HAS_SYSCONF 1
#include <unistd.h>
#else
#define MIXGRAD_HAS_SYSCONF 0
#endif
#if MIXGRAD_HAS_SYSCONF && !defined(__EMSCRIPTEN__)
#define MIXGRAD_HAS_MMAP 1
#include <sys/mman.h>
#else
#define MIXGRAD_HAS_MMAP 0
#endif

namespace mixgrad {

bool forget_pages(void* data, std::size_t bytes) {
#if MIXGRAD_HAS_MMAP
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(data) + bytes) / page * page;
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  return true;
#else
  static_cast<void>(data), static_cast<void>(bytes);
  return false;
#endif
}

namespace {

// From this size on memory is aligned to, and asked for in, huge pages: a first touch then faults once in 2
// MiB instead of once in 4 KiB.
constexpr std::size_t kHugePage = std::size_t{2} << 20;

#if MIXGRAD_HAS_MMAP

void* map_pages(std::size_t bytes) {
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return data == MAP_FAILED ? nullptr : data;
}

// Maps too much, then unmaps what lies before and behind the aligned part.
void* map_aligned(std::size_t bytes, std::size_t alignment) {
  if (bytes > SIZE_MAX - alignment) return nullptr;
  char* start = static_cast<char*>(map_pages(bytes + alignment));
  if (!start) return nullptr;
  const std::size_t before = (alignment - reinterpret_cast<std::uintptr_t>(start) % alignment) % alignment;
  if (before) munmap(start, before);
  if (before != alignment) munmap(start + before + bytes, alignment - before);
  return start + before;
}

#endif

// 0 where it is not known. In WebAssembly, what the module may grow to.
std::size_t physical_memory() {
#if MIXGRAD_HAS_SYSCONF
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page) : 0;
#else
  return 0;
#endif
}

// A container's own bound, where there is one; 0 otherwise. Only Linux has such files, and a WebAssembly module built
// without files must not even look for them.
std::size_t cgroup_memory() {
#if defined(__linux__)
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::FILE* file = std::fopen(path, "r");
    if (!file) continue;
    unsigned long long bytes = 0;
    const bool bounded = std::fscanf(file, "%llu", &bytes) == 1;  // "max" where there is no bound
    std::fclose(file);
    if (bounded) return static_cast<std::size_t>(bytes);
  }
#endif
  return 0;
}

class CpuApi : public DeviceApi {
 public:
  void* allocate(Device, std::size_t bytes, std::size_t alignment) override {
    return take_pages(bytes, alignment);
  }
  void release(void* data, std::size_t bytes) noexcept override { give_pages(data, bytes); }

  Stream* stream(Device, StreamKind) override { return nullptr; }

  std::size_t total_memory(Device) const override {
    static const std::size_t total = [] {
      const std::size_t physical = physical_memory(), cgroup = cgroup_memory();
      return cgroup && physical ? std::min(cgroup, physical) : physical;
    }();
    return total;
  }
  bool fresh_is_zero() const override { return kZeroPages; }
  bool poolable() const override { return true; }
};

class CpuSharedApi : public CpuApi {
 public:
  // Segments are always page-aligned, which is all that anyone asks of memory that is not pooled.
  void* allocate(Device, std::size_t bytes, std::size_t) override { return shared_create(bytes); }
  void release(void* data, std::size_t) noexcept override { shared_release(data); }
  bool fresh_is_zero() const override { return true; }
  bool poolable() const override { return false; }
};

}  // namespace

const bool kZeroPages = MIXGRAD_HAS_MMAP;

void* take_pages(std::size_t bytes, std::size_t alignment) {
#if MIXGRAD_HAS_MMAP
  // A compact build runs few and small models: the pool's arenas, which are aligned further, would hold mostly air.
  const bool huge = bytes >= kHugePage && !(kCompact && alignment > kHugePage);
  const std::size_t page = 4096;
  if (huge) alignment = std::max(alignment, kHugePage);
  void* data = alignment > page ? map_aligned(bytes, alignment) : map_pages(bytes);
#if defined(MADV_HUGEPAGE)
  if (data && huge) madvise(data, bytes, MADV_HUGEPAGE);
#endif
  return data;
#else
  alignment = std::max<std::size_t>(alignment, 64);
  if (bytes > SIZE_MAX - alignment) return nullptr;
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
#endif
}

void give_pages(void* data, std::size_t bytes) noexcept {
#if MIXGRAD_HAS_MMAP
  munmap(data, bytes);
#else
  static_cast<void>(bytes);
  std::free(data);
#endif
}

// Never destroyed: blocks may be released while the process ends.
DeviceApi& cpu_api() {
  static CpuApi* const api = new CpuApi;
  return *api;
}

DeviceApi& cpu_shared_api() {
  static CpuSharedApi* const api = new CpuSharedApi;
  return *api;
}

}  // namespace mixgrad
