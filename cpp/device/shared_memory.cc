#include "device/shared_memory.h"

#include "base/error.h"
#include "device/cpu.h"

#if defined(__linux__) && !MIXGRAD_COMPACT
#define MIXGRAD_HAS_SHARED_MEMORY 1
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#else
#define MIXGRAD_HAS_SHARED_MEMORY 0
#endif

namespace mixgrad {

#if MIXGRAD_HAS_SHARED_MEMORY
namespace {

// The kernel's numbers, which headers of older systems lack.
constexpr unsigned kCloseOnExec = 1, kAllowSealing = 2;     // of memfd_create
constexpr int kAddSeals = 1024 + 9, kGetSeals = 1024 + 10;  // of fcntl
constexpr int kSeals = 1 | 2 | 4;                           // its size stays, and so do the seals

constexpr std::size_t kSmallSegment = std::size_t{1} << 24;

struct SharedSegment {
  int fd;
  std::size_t bytes;
  dev_t device;
  ino_t file;
  int references;
};

// Every segment this process maps, by its first address.
struct SharedSegmentTable {
  std::mutex mutex;
  std::map<std::uintptr_t, SharedSegment> segments;
};

SharedSegmentTable& shared_segment_table() {
  alignas(SharedSegmentTable) static unsigned char room[sizeof(SharedSegmentTable)];  // a fork may ask first
  static SharedSegmentTable* const table = ::new (static_cast<void*>(room)) SharedSegmentTable;
  return *table;
}

// Installed while the library is loaded, so that it runs after the engine's hook, whose threads may release segments.
[[maybe_unused]] const int segment_fork_hooks =
    pthread_atfork([] { shared_segment_table().mutex.lock(); }, [] { shared_segment_table().mutex.unlock(); },
                   [] { shared_segment_table().mutex.unlock(); });

int nameless_file() {
  return static_cast<int>(syscall(SYS_memfd_create, "mixgrad", kCloseOnExec | kAllowSealing));
}

// Whether the machine can have so much more: the kernel reserves pages until there are none left, and ends processes then.
bool has_room(std::size_t bytes) {
  const std::size_t total = cpu_api().total_memory(Device::cpu());
  if (total && bytes > total) return false;
  if (bytes < kSmallSegment) return true;
  std::FILE* const file = std::fopen("/proc/meminfo", "r");
  if (!file) return true;
  unsigned long long kibibytes = 0;
  bool known = false;
  for (char line[128]; !known && std::fgets(line, sizeof line, file);)
    known = std::sscanf(line, "MemAvailable: %llu", &kibibytes) == 1;
  std::fclose(file);
  return !known || bytes / 1024 <= kibibytes;
}

bool reserve_segment(int fd, std::size_t bytes) {
  if (!has_room(bytes)) return false;
  int error;
  do {
    error = posix_fallocate(fd, 0, static_cast<off_t>(bytes));
  } while (error == EINTR);
  return error == 0;
}

// Maps the file and enters it into the table, which is locked. Takes over the descriptor; null when mapping fails.
void* map_segment(SharedSegmentTable& table, int fd, const struct stat& info) {
  const auto bytes = static_cast<std::size_t>(info.st_size);
  void* const start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (start == MAP_FAILED) {
    close(fd);
    return nullptr;
  }
  table.segments[reinterpret_cast<std::uintptr_t>(start)] = {fd, bytes, info.st_dev, info.st_ino, 1};
  return start;
}

constexpr char kNameFormat[] = "/proc/%d/fd/%d";

std::string name_of_descriptor(int process, int fd) {
  char name[64];
  std::snprintf(name, sizeof name, kNameFormat, process, fd);
  return name;
}

SharedPlace find_segment(const void* data) {
  SharedSegmentTable& table = shared_segment_table();
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  const std::lock_guard<std::mutex> lock(table.mutex);
  const auto after = table.segments.upper_bound(address);
  if (after == table.segments.begin()) return {};
  const auto& [start, segment] = *std::prev(after);
  if (address - start >= segment.bytes) return {};
  return {segment.fd, address - start, segment.bytes};
}

}  // namespace

bool shared_memory_available() {
  static const bool available = [] {
    const int fd = nameless_file();
    if (fd >= 0) close(fd);
    return fd >= 0 || errno != ENOSYS;
  }();
  return available;
}

void* shared_create(std::size_t bytes) {
  if (bytes == 0 || bytes > static_cast<std::size_t>(PTRDIFF_MAX)) return nullptr;
  const int fd = nameless_file();
  if (fd < 0) return nullptr;
  struct stat info {};
  if (!reserve_segment(fd, bytes) || fcntl(fd, kAddSeals, kSeals) != 0 || fstat(fd, &info) != 0) {
    close(fd);
    return nullptr;
  }
  SharedSegmentTable& table = shared_segment_table();
  const std::lock_guard<std::mutex> lock(table.mutex);
  return map_segment(table, fd, info);
}

void* shared_attach(int fd) {
  struct stat info {};
  if (fstat(fd, &info) != 0) {
    fail(Status::io, "[shared_attach] descriptor ", fd, ": ", std::strerror(errno));
  }
  // A file that could shrink would end this process when it touches what is gone.
  if (fcntl(fd, kGetSeals) != kSeals || info.st_size <= 0) {
    fail(Status::format, "[shared_attach] descriptor ", fd, " is no shared memory of mixgrad");
  }
  SharedSegmentTable& table = shared_segment_table();
  const std::lock_guard<std::mutex> lock(table.mutex);
  for (auto& [start, segment] : table.segments) {
    if (segment.file != info.st_ino || segment.device != info.st_dev) continue;
    ++segment.references;
    return reinterpret_cast<void*>(start);
  }
  const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (own < 0) fail(Status::io, "[shared_attach] no descriptor is left: ", std::strerror(errno));
  void* const start = map_segment(table, own, info);
  if (!start) fail(Status::out_of_memory, "[shared_attach] cannot map ", info.st_size, " bytes");
  return start;
}

void* shared_attach(const std::string& name) {
  int process = 0, number = 0;
  if (std::sscanf(name.c_str(), kNameFormat, &process, &number) != 2 ||
      name_of_descriptor(process, number) != name) {
    fail(Status::format, "[shared_attach] '", name, "' is no name of a shared segment; expected ",
         name_of_descriptor(1, 2), " or the like");
  }
  const int fd = open(name.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) {
    fail(Status::not_found, "[shared_attach] '", name, "' cannot be opened: ", std::strerror(errno),
         "; keep the sender's block until the receiver has attached");
  }
  try {
    void* const start = shared_attach(fd);
    close(fd);
    return start;
  } catch (...) {
    close(fd);
    throw;
  }
}

std::string shared_name(const void* data) {
  return name_of_descriptor(static_cast<int>(getpid()), shared_place(data).fd);
}

void shared_release(void* start) noexcept {
  SharedSegmentTable& table = shared_segment_table();
  const std::lock_guard<std::mutex> lock(table.mutex);
  const auto found = table.segments.find(reinterpret_cast<std::uintptr_t>(start));
  if (found == table.segments.end() || --found->second.references > 0) return;
  munmap(start, found->second.bytes);
  close(found->second.fd);
  table.segments.erase(found);
}

bool shared_contains(const void* data) { return find_segment(data).fd >= 0; }

SharedPlace shared_place(const void* data) {
  const SharedPlace place = find_segment(data);
  if (place.fd < 0) {
    fail(Status::invalid_argument, "[shared_place] ", data, " is in no shared segment of this process");
  }
  return place;
}

#else

namespace {

[[noreturn]] void no_shared_memory() {
  fail(Status::unsupported, "[shared_memory] shared memory is served by the full library on Linux only");
}

}  // namespace

bool shared_memory_available() { return false; }
void* shared_create(std::size_t) { no_shared_memory(); }
void* shared_attach(int) { no_shared_memory(); }
void* shared_attach(const std::string&) { no_shared_memory(); }
std::string shared_name(const void*) { no_shared_memory(); }
void shared_release(void*) noexcept {}
bool shared_contains(const void*) { return false; }
SharedPlace shared_place(const void*) { no_shared_memory(); }

#endif

}  // namespace mixgrad
