// Segments across processes: by descriptor and by name, and gone with the last process that has them.
#include "base/error.h"
#include "check.h"
#include "device/shared_memory.h"

#if defined(__linux__)

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <string>

#include "storage/shared_block.h"
#include "storage/statistics.h"

using mixgrad::Device;

namespace {

// What this process has open of such memory.
int open_segments() {
  int count = 0;
  for (int fd = 0; fd < 1000; ++fd) {
    char target[100] = "";
    if (readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), target, sizeof target - 1) > 0)
      count += std::strncmp(target, "/memfd:mixgrad", 14) == 0;
  }
  return count;
}

// Runs `work` in a child; true when it returns true.
template <class Work>
bool in_child(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    bool good = false;
    try {
      good = work();
    } catch (...) {
    }
    _exit(good ? 0 : 1);
  }
  int state = 0;
  waitpid(child, &state, 0);
  return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

}  // namespace

TEST(shared_memory_travels_between_processes) {
  using mixgrad::storage::allocate;
  const int before = open_segments();
  const auto block = allocate(Device::cpu_shared(), 10000);
  const std::string name = mixgrad::storage::shared_name(block);
  CHECK_EQ(reinterpret_cast<std::uintptr_t>(block.data) % 4096, std::uintptr_t{0});
  auto* numbers = static_cast<int*>(block.data);
  CHECK(numbers[0] == 0 && numbers[2499] == 0);
  numbers[0] = 42;
  CHECK(in_child([&] {
    mixgrad::storage::release(block);  // what the fork copied: from here on it is a stranger
    const auto attached = mixgrad::storage::attach_shared(name);
    auto* theirs = static_cast<int*>(attached.data);
    const bool good = attached.bytes == 10000 && theirs[0] == 42;
    theirs[1] = 43;
    mixgrad::storage::release(attached);
    return good && open_segments() == before;
  }));
  CHECK_EQ(numbers[1], 43);
  CHECK_EQ(open_segments(), before + 1);
  mixgrad::storage::release(block);
  CHECK_EQ(open_segments(), before);
  CHECK_THROWS(mixgrad::shared_attach(name), not_found, "keep the sender's block");
}

TEST(shared_memory_is_mapped_once_in_a_process) {
  void* first = mixgrad::shared_create(100);
  const mixgrad::SharedPlace place = mixgrad::shared_place(static_cast<char*>(first) + 7);
  CHECK_EQ(place.offset, std::size_t{7});
  CHECK_EQ(place.bytes, std::size_t{100});
  CHECK(mixgrad::shared_contains(first) && !mixgrad::shared_contains(static_cast<char*>(first) + 100));
  void* second = mixgrad::shared_attach(place.fd);
  CHECK(second == first);
  std::strcpy(static_cast<char*>(first), "both");
  mixgrad::shared_release(first);
  CHECK_EQ(std::string(static_cast<char*>(second)), std::string("both"));
  mixgrad::shared_release(second);
  CHECK(!mixgrad::shared_contains(second));
}

TEST(shared_memory_outlives_who_made_it) {
  int pipe_ends[2];
  CHECK(pipe(pipe_ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    void* data = mixgrad::shared_create(64);
    std::strcpy(static_cast<char*>(data), "still there");
    const std::string name = mixgrad::shared_name(data);
    if (write(pipe_ends[1], name.c_str(), name.size() + 1) < 0) _exit(1);
    for (;;) pause();
  }
  char name[200] = "";
  CHECK(read(pipe_ends[0], name, sizeof name) > 0);
  void* data = mixgrad::shared_attach(std::string(name));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK_EQ(std::string(static_cast<char*>(data)), std::string("still there"));
  CHECK_THROWS(mixgrad::shared_attach(std::string(name)), not_found, name);
  mixgrad::shared_release(data);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST(shared_memory_refuses_what_is_not_its_own) {
  for (const char* name : {"/other", "/proc/1/fd/2/", "/proc/1/fd/../environ", "/proc/01/fd/2"})
    CHECK_THROWS(mixgrad::shared_attach(std::string(name)), format, name);
  CHECK_THROWS(mixgrad::shared_attach(-1), io, "descriptor -1");
  const int fd = static_cast<int>(syscall(SYS_memfd_create, "foreign", 0u));
  CHECK(fd >= 0);
  CHECK_EQ(ftruncate(fd, 100000), 0);
  CHECK_THROWS(mixgrad::shared_attach(fd), format, "no shared memory of mixgrad");
  close(fd);
  int local = 0;
  CHECK_THROWS(mixgrad::shared_place(&local), invalid_argument, "in no shared segment");
}

TEST(shared_memory_cannot_shrink) {
  void* data = mixgrad::shared_create(10000);
  CHECK(ftruncate(mixgrad::shared_place(data).fd, 10) != 0);
  mixgrad::shared_release(data);
}

TEST(pieces_of_a_segment_are_blocks) {
  const Device device = Device::cpu(77);
  const auto segment = std::make_shared<mixgrad::storage::SharedSegmentHolder>(device, 5000);
  const auto piece = mixgrad::storage::piece_of(segment, device, 1000, 4000);
  CHECK_EQ(mixgrad::shared_place(piece.data).offset, std::size_t{1000});
  CHECK_EQ(mixgrad::storage::memory_info(device).external, std::size_t{4000});
  CHECK_THROWS(mixgrad::storage::piece_of(segment, device, 1001, 4000), invalid_argument,
               "4000 bytes from 1001");
  mixgrad::storage::release(piece);
  CHECK_EQ(mixgrad::storage::memory_info(device).external, std::size_t{0});
}

TEST(shared_memory_is_counted_and_limited) {
  const Device device = Device::cpu_shared(3);
  const auto block = mixgrad::storage::allocate(device, 5000);
  auto info = mixgrad::storage::memory_info(device);
  CHECK_EQ(info.in_use, std::size_t{5000});
  CHECK_EQ(info.live_blocks, std::size_t{1});
  mixgrad::storage::release(block);
  info = mixgrad::storage::memory_info(device);
  CHECK_EQ(info.in_use, std::size_t{0});
  CHECK_EQ(info.reserved, std::size_t{0});
  CHECK_THROWS(mixgrad::storage::allocate(device, std::size_t{1} << 60), out_of_memory, "cpu_shared(3)");
  CHECK_THROWS(mixgrad::storage::shared_name(mixgrad::storage::Block()), invalid_argument, "cpu(0)");
}

#endif
