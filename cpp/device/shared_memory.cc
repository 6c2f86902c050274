#include "device/shared_memory.h"

#include "base/error.h"

#if defined(__linux__) && !defined(__ANDROID__) && !MIXGRAD_COMPACT  // Android has no shm_open
#define MIXGRAD_HAS_SHARED_MEMORY 1
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <random>
#include <utility>
#else
#define MIXGRAD_HAS_SHARED_MEMORY 0
#endif

namespace mixgrad {

#if MIXGRAD_HAS_SHARED_MEMORY
namespace {

constexpr char kSharedPrefix[] = "/mixgrad-";
constexpr char kSharedMagic[16] = "mixgrad shared1";
constexpr std::size_t kSharedHeader = 4096;  // a page before the data, so that the data are page-aligned

struct SharedHeader {
  char magic[16];
  std::uint64_t bytes;
};

struct SharedSegment {
  std::string name;
  int fd;
  std::size_t bytes;   // of data
  std::size_t mapped;  // header and data
  pid_t holder;        // the process whose create or attach this is; a forked child is not it
};

// Every segment this process has mapped, by the address of its data.
struct SharedSegmentTable {
  std::mutex mutex;
  std::map<const void*, SharedSegment> segments;
  bool swept = false;
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

bool lock_segment(int fd, int operation) {
  int result;
  do {
    result = flock(fd, operation);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

// True while the name still leads to the open file.
bool segment_still_named(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 && info.st_nlink > 0;
}

std::string new_segment_name() {
  static std::atomic<unsigned> count{0};
  std::random_device random;
  char name[64];
  std::snprintf(name, sizeof name, "%s%d-%u-%x", kSharedPrefix, static_cast<int>(getpid()), count++,
                random());
  return name;
}

int reserve_segment(int fd, std::size_t bytes) {
  int error;
  do {
    error = posix_fallocate(fd, 0, static_cast<off_t>(bytes));
  } while (error == EINTR);
  return error;
}

// Maps the open, locked file and enters it into the table. Closes the file and gives null when mapping fails.
void* map_segment(SharedSegment segment) {
  void* start = mmap(nullptr, segment.mapped, PROT_READ | PROT_WRITE, MAP_SHARED, segment.fd, 0);
  if (start == MAP_FAILED) {
    close(segment.fd);
    return nullptr;
  }
  void* data = static_cast<char*>(start) + kSharedHeader;
  SharedSegmentTable& table = shared_segment_table();
  std::lock_guard<std::mutex> lock(table.mutex);
  table.segments.emplace(data, std::move(segment));
  return data;
}

}  // namespace

bool shared_memory_available() { return true; }

void* shared_create(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(PTRDIFF_MAX) - kSharedHeader) return nullptr;
  {
    SharedSegmentTable& table = shared_segment_table();
    std::unique_lock<std::mutex> lock(table.mutex);
    if (!std::exchange(table.swept, true)) {
      lock.unlock();
      shared_sweep();
    }
  }
  const std::size_t mapped = kSharedHeader + bytes;
  for (;;) {
    const std::string name = new_segment_name();
    const int fd = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd < 0 && errno == EEXIST) continue;
    if (fd < 0) return nullptr;
    // A sweep in another process may have taken the file for an abandoned one before the lock: then start
    // again.
    if (!lock_segment(fd, LOCK_SH) || !segment_still_named(fd)) {
      close(fd);
      continue;
    }
    SharedHeader header{};
    std::memcpy(header.magic, kSharedMagic, sizeof header.magic);
    header.bytes = bytes;
    if (reserve_segment(fd, mapped) != 0 || pwrite(fd, &header, sizeof header, 0) != sizeof header) {
      shm_unlink(name.c_str());
      close(fd);
      return nullptr;
    }
    void* data = map_segment({name, fd, bytes, mapped, getpid()});
    if (!data) shm_unlink(name.c_str());
    return data;
  }
}

void* shared_attach(const std::string& name) {
  const bool ours = name.rfind(kSharedPrefix, 0) == 0 && name.find('/', 1) == std::string::npos;
  if (!ours) {
    fail(Status::format, "[shared_attach] '", name, "' is no name of a shared segment; expected ",
         kSharedPrefix, "...");
  }
  const int fd = shm_open(name.c_str(), O_RDWR, 0);
  if (fd < 0 && errno != ENOENT) {
    fail(Status::io, "[shared_attach] cannot open '", name, "': ", std::strerror(errno));
  }
  if (fd < 0 || !lock_segment(fd, LOCK_SH) || !segment_still_named(fd)) {
    if (fd >= 0) close(fd);
    fail(Status::not_found, "[shared_attach] no process holds '", name,
         "' any more; keep the sender's block until the receiver has attached");
  }
  SharedHeader header{};
  struct stat info {};
  const bool read = pread(fd, &header, sizeof header, 0) == sizeof header && fstat(fd, &info) == 0;
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (!read || std::memcmp(header.magic, kSharedMagic, sizeof header.magic) != 0 || size < kSharedHeader ||
      header.bytes > size - kSharedHeader || header.bytes > SIZE_MAX - kSharedHeader) {
    close(fd);
    fail(Status::format, "[shared_attach] '", name, "' (", size, " bytes) was not written by mixgrad");
  }
  const auto bytes = static_cast<std::size_t>(header.bytes);
  void* data = map_segment({name, fd, bytes, kSharedHeader + bytes, getpid()});
  if (!data) {
    fail(Status::out_of_memory, "[shared_attach] cannot map the ", header.bytes, " bytes of '", name, "'");
  }
  return data;
}

void shared_release(void* data) noexcept {
  SharedSegmentTable& table = shared_segment_table();
  std::unique_lock<std::mutex> lock(table.mutex);
  const auto found = table.segments.find(data);
  if (found == table.segments.end()) return;
  const auto node = table.segments.extract(found);
  lock.unlock();
  const SharedSegment& segment = node.mapped();
  // A failed attempt drops the shared lock too, so of two last holders releasing together one succeeds.
  const bool last = segment.holder == getpid() && lock_segment(segment.fd, LOCK_EX | LOCK_NB);
  if (last) shm_unlink(segment.name.c_str());
  munmap(static_cast<char*>(data) - kSharedHeader, segment.mapped);
  close(segment.fd);
}

SharedHandle shared_handle(const void* data) {
  SharedSegmentTable& table = shared_segment_table();
  std::lock_guard<std::mutex> lock(table.mutex);
  const auto found = table.segments.find(data);
  if (found == table.segments.end()) {
    fail(Status::invalid_argument, "[shared_handle] ", data,
         " is not the start of a shared segment of this process");
  }
  return {found->second.name, found->second.fd, found->second.bytes};
}

int shared_sweep() {
  DIR* directory = opendir("/dev/shm");
  if (!directory) return 0;
  int removed = 0;
  while (const dirent* entry = readdir(directory)) {
    const std::string name = std::string("/") + entry->d_name;
    if (name.rfind(kSharedPrefix, 0) != 0) continue;
    const int fd = shm_open(name.c_str(), O_RDWR, 0);
    if (fd < 0) continue;
    if (lock_segment(fd, LOCK_EX | LOCK_NB) && shm_unlink(name.c_str()) == 0) ++removed;
    close(fd);
  }
  closedir(directory);
  return removed;
}

#else

namespace {

[[noreturn]] void no_shared_memory() {
  fail(Status::unsupported, "[shared_memory] shared memory is served on Linux only");
}

}  // namespace

bool shared_memory_available() { return false; }
void* shared_create(std::size_t) { no_shared_memory(); }
void* shared_attach(const std::string&) { no_shared_memory(); }
void shared_release(void*) noexcept {}
SharedHandle shared_handle(const void*) { no_shared_memory(); }
int shared_sweep() { return 0; }

#endif

}  // namespace mixgrad
